"""Which sessions stand behind a commit, and which only were there at the time."""

from __future__ import annotations

from typing import Any

from recollect.model.commits import BlamedCommit
from recollect.model.sessions import Session, ToolUse, Turn
from recollect.sessions.tracing import Trace, Work, session_names, traces, work_of

AT = 1_790_000_000.0
NAME = "4f2a9c1be07d5a6f8b9c0d1e2f3a4b5c6d7e8f90"
COMMIT = BlamedCommit(NAME, ((3, 3),), "Ada", AT, AT, "Read the price as a decimal")
HOUR = 3_600.0


def change(path: str = "shop/price.py", *, ok: bool | None = True) -> ToolUse:
    return ToolUse("edit", "change", path, "done", ok, None, (path,))


def committed(output: str = "[main 0000000] other") -> ToolUse:
    return ToolUse("exec", "command", "git add -A && git commit -m work", output, True)


def session(name: str, *turns: tuple[float, tuple[ToolUse, ...]], branch: str = "") -> tuple[Session, list[Work]]:
    """A session with turns so many hours before the commit."""
    works = [
        work_of(Turn(number, "Do it", "", tools, AT - hours * HOUR, AT - hours * HOUR + 60, cwd="/srv"), ["/srv"])
        for number, (hours, tools) in enumerate(turns, 1)
    ]
    return Session(name, "codex", f"native-{name}", cwd="/srv", branch=branch), works


def behind(*worked: tuple[Session, list[Work]], **more: Any) -> list[Trace]:
    return traces(COMMIT, "shop/price.py", worked, **more)


def test_a_session_that_changed_the_file_before_is_likely_and_its_turns_are_told() -> None:
    [found] = behind(
        session("s_1", (3, (change(),)), (2, (change("docs/a.md"),)), (1, (change("/srv/shop/price.py"),)))
    )
    assert [turn.number for turn in found.turns] == [1, 3]
    assert (found.why, found.is_certain) == (("it changed the file",), False)


def test_time_alone_and_other_files_and_failed_changes_say_nothing() -> None:
    assert not behind(session("s_1", (1, (change("docs/a.md"),)), (0.5, (change(ok=False),))))
    assert not behind(session("s_1", (24 * 4, (change(),))))  # too long ago
    assert not behind(session("s_1", (-1, (change(),))))  # after it


def test_a_change_that_the_session_committed_itself_belongs_to_that_commit() -> None:
    assert not behind(session("s_1", (5, (change(), committed()))))
    [found] = behind(session("s_1", (5, (change(), committed())), (1, (change(),))))
    assert [turn.number for turn in found.turns] == [2]


def test_who_printed_the_name_of_the_commit_made_it_and_others_give_way() -> None:
    maker = session("s_1", (2, (change(),)), (0.1, (committed(f"[main {NAME[:7]}] Read the price"),)))
    near = session("s_2", (0.5, (change(),)))
    [found] = behind(near, maker)
    assert (found.session.session_id, found.is_certain) == ("s_1", True)
    assert [turn.number for turn in found.turns] == [1, 2]


def test_a_session_that_the_message_names_is_behind_it_whatever_the_time() -> None:
    [found] = behind(session("s_1", (500, (change(),))), named=["native-s_1"])
    assert (found.why, found.turns, found.is_certain) == (("the commit names it",), (), True)


def test_the_branch_decides_between_two_then_the_files_then_the_time() -> None:
    here, there = session("s_1", (9, (change(),)), branch="fix"), session("s_2", (1, (change(),)), branch="main")
    assert [one.session.session_id for one in behind(here, there, branches=["fix"])] == ["s_1", "s_2"]
    assert [one.session.session_id for one in behind(here, there)] == ["s_2", "s_1"]
    both = session("s_3", (9, (change(), change("shop/cart.py"))))
    assert behind(there, both, paths=("shop/price.py", "shop/cart.py"))[0].session.session_id == "s_3"


def test_trailers_name_sessions_in_several_spellings() -> None:
    message = (
        "Why it was done: the session of yesterday.\n\nClaude-Session: https://claude.ai/code/session_01abc\n"
        "Codex-Thread-Id: 0199aaaa-2222-7000\nSigned-off-by: Ada <ada@example.org>\nsession-id: short\n"
    )
    assert session_names(message) == ["session_01abc", "0199aaaa-2222-7000"]
