"""rem: what sessions prove becomes the board, by rules or by a model; all of its calls are done, or none."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import pytest

from recollect import Recollect
from recollect.board.calls import Call, problems
from recollect.board.distilling import RULES, SAID, Learned, planned
from recollect.board.rules import title
from recollect.flows.board.after_session import leave_rem
from recollect.flows.board.learned import _one_thing, former_name, said_for_good
from recollect.model.board import BoardItem, Pruned
from recollect.model.entries import Entry
from recollect.model.jobs import REM
from recollect.model.sessions import DETACHED, Session, ToolUse, Turn
from recollect.providers.scripted import ScriptedProvider
from recollect.worker import Worker
from tests.processes import in_child

ON = {"RECOLLECT_SUBCONSCIOUS__ENABLED": "true"}
DAY = 86_400.0
NOW = 1_790_000_000.0


def ran(command: str, ok: bool = True, output: str = "") -> ToolUse:
    return ToolUse("Bash", "command", command, output, ok, 0 if ok else 1)


def keep(memory: Recollect, name: str, turns: Sequence[Turn], *, branch: str = "main", **more: Any) -> str:
    """A session of this repository, as an import would leave it."""
    store = memory.opened.store
    with store.write():
        session = Session(name, "claude-code", name, memory.repository.repository, cwd=memory.folder, branch=branch,
                          started=NOW - DAY, ended=NOW, **more)  # fmt: skip
        session_id = store.sessions.save(session)
        told = [turn._replace(record_id=f"{name}{turn.number}", ended=NOW, cwd=memory.folder) for turn in turns]
        store.sessions.add_turns(session_id, told, [session.repository] * len(told))
    memory.sessions.digest()
    return session_id


def mended(number: int = 1) -> Turn:
    """A turn in which a command failed, and passed after another one."""
    tools = (
        ran("pnpm e2e", ok=False, output="Error: connect ECONNREFUSED 127.0.0.1:4400"),
        ran("pnpm stub --detach"),
        ran("pnpm e2e"),
    )
    return Turn(number, "make the checkout tests pass", "Done.", tools)


@pytest.fixture
def memory(open_memory, repository) -> Recollect:
    opened: Recollect = open_memory(repository, **ON)
    return opened


def names(memory: Recollect) -> list[str]:
    return sorted(one.name for one in memory.board.list())


# By rules


def test_rules_keep_what_somebody_who_starts_tomorrow_would_want_to_know(memory):
    for at in range(3):
        keep(memory, f"s_{at}", [Turn(1, "run the tests", "Green.", (ran("pnpm test"), ran("pnpm test")))])
    keep(memory, "s_fix", [mended(), Turn(2, "We use pnpm here, never npm."), Turn(3, "thanks")])
    memory.rem.consolidate_here()
    said, board = {one.name: one for one in memory.board.list()}, memory.board.table()
    assert set(said) == {"commands-that-work", "fix-pnpm-e2e-pnpm-stub-detach", "user-said-use-pnpm-here-never-npm"}
    assert "`pnpm test` runs the tests. It passed 6 times in 3 sessions" in said["commands-that-work"].content
    fix = said["fix-pnpm-e2e-pnpm-stub-detach"]
    assert "ECONNREFUSED" in fix.content
    assert "`pnpm stub --detach`" in fix.content
    assert (fix.origin, fix.made_by, fix.session) == ("tool", RULES, "s_fix")
    assert "| agent | fix-pnpm-e2e-pnpm-stub-detach | “`pnpm e2e` fails with" in board, "what a tool said is quoted"
    assert "thanks" not in board
    assert memory.rem.consolidate_here().added == (), "the same twice changes nothing"


def test_rules_leave_out_errors_without_a_cure_and_sentences_that_ride_along(memory):
    failed = ran("make check", ok=False, output="Error: the schema of orders.sql does not match the models")
    for at in range(3):
        keep(memory, f"s_{at}", [Turn(1, "run the checks", "They fail.", (failed,))])
    for number, text in enumerate(("We use uv, not poetry. You don't need pandas here.", "thanks", "go on"), 1):
        keep(memory, f"s_said{number}", [Turn(1, text)])
    memory.rem.consolidate_here()
    assert not [name for name in names(memory) if name.startswith("gotcha")]
    assert [one.content.partition("\n")[0] for one in memory.board.list()] == ["We use uv, not poetry."]


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("We use uv, not poetry. You don't need pandas here.", "We use uv, not poetry."),
        ("The clients are generated. Never edit them.", "The clients are generated. Never edit them."),
        ("The API is slow. Always cache answers.", "Always cache answers."),
        ("The API is slow.", ""),
    ],
)
def test_an_item_says_one_thing(said, kept):
    assert _one_thing(said) == kept


def test_rules_keep_boards_of_branches_apart(memory):
    keep(memory, "s_1", [mended()], branch="feature")
    assert memory.rem.consolidate_here().added == ()
    done = memory.rem.consolidate(memory.opened.store.sessions.get("s_1"))
    assert done.added == ("fix-pnpm-e2e-pnpm-stub-detach",)
    assert memory.board.list() == []


def test_a_statement_that_was_taken_back_leaves_the_board(memory):
    keep(memory, "s_1", [Turn(1, "We use pnpm here, never npm.")])
    memory.rem.consolidate_here()
    [entry] = memory.opened.store.entries.listed({"layer": "L1", "status": "active", "origin": "typed"})
    memory.forget(entry.entry_id)
    assert memory.rem.consolidate_here().pruned == ("user-said-use-pnpm-here-never-npm",)


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("The user no longer uses prek.", "no-longer-uses-prek"),
        ("We manage dependencies with uv, not poetry.", "manage-dependencies-with-uv"),
        ("Amounts are always integer cents in this codebase, never floats.", "amounts-always-integer-cents"),
        ("Always run the migrations before deploying to staging.", "always-run-migrations"),
        ("We don't use pandas.", "dont-use-pandas"),
        ("We", "we"),
    ],
)
def test_the_item_of_a_statement_has_a_short_title(said, name):
    assert title(said, SAID) == SAID + name
    assert len(title(said * 9, SAID)) <= 40


OLD_NAME = "user-said-we-use-pnpm-here-never-npm"


def test_a_statement_keeps_the_name_that_its_item_already_has(memory):
    keep(memory, "s_1", [Turn(1, "We use pnpm here, never npm.")])
    content = "We use pnpm here, never npm.\n\nThe user said so on 2020-01-01."
    memory.board.add(OLD_NAME, "We use pnpm here, never npm.", content, src="agent", made_by=RULES)
    assert memory.rem.consolidate_here().added == (OLD_NAME,), "brought up to date, not doubled"
    assert memory.rem.consolidate_here().added == ()
    assert names(memory) == [OLD_NAME]
    memory.board.prune(OLD_NAME)
    assert memory.rem.consolidate_here().added == (), "what a person took off stays off under any name"


def test_two_statements_with_one_title_are_two_items_and_each_goes_by_itself():
    told = "We always run the database migrations in {}, never by hand."
    first, second = (
        Entry(name, "L1", "repository", told.format(name), origin="typed", created=at)
        for at, name in enumerate(("ci", "qa"))
    )
    short, long = said_for_good([second, first])
    assert (short, long) == (f"{SAID}always-run-database-migrations", former_name(second.content))
    left = {name: former_name(text) for name, (text, _) in said_for_good([second]).items()}
    items = [item(short, made_by=RULES), item(long, made_by=RULES)]
    assert [(call.command, call.name) for call in planned(items, [], [], now=NOW, held=left)] == [("prune", short)]


def test_nothing_of_a_session_that_is_made_private_stays_on_the_board(memory):
    keep(memory, "s_1", [mended()])
    memory.rem.consolidate_here()
    memory.sessions.set_private("s_1")
    assert memory.board.list() == []
    assert memory.rem.consolidate_here().added == ()


def test_what_a_person_or_rem_took_off_does_not_come_back_by_itself(memory, clock):
    keep(memory, "s_1", [mended()])
    memory.rem.consolidate_here()
    memory.board.prune("fix-pnpm-e2e-pnpm-stub-detach")
    assert memory.rem.consolidate_here().added == ()


def item(name: str, *, src: str = "agent", updated: float = NOW, **more: Any) -> BoardItem:
    return BoardItem("r", "main", src, name, "d", f"about {name}", updated=updated, **more)


def learned(name: str) -> Learned:
    return Learned(name, "d", f"about {name}", at=NOW)


def after(items: Sequence[BoardItem], calls: Sequence[Call]) -> set[str]:
    gone = {call.name for call in calls if call.command == "prune"}
    return {one.name for one in items if one.name not in gone} | {one.name for one in calls if one.command == "add"}


def test_stale_items_go_by_age_reads_and_exposure():
    items = [
        item("unread", count=10, updated=NOW - 15 * DAY),
        item("unread-but-new", count=10, updated=NOW - 2 * DAY),
        item("read", count=30, read_count=1, updated=NOW - 50 * DAY, last_read=NOW - 5 * DAY),
        item("old", count=1, read_count=3, updated=NOW - 90 * DAY, last_read=NOW - 61 * DAY),
        item("mine", src="user", updated=NOW - 900 * DAY, count=90),
    ]
    assert {call.name for call in planned(items, [], [], now=NOW)} == {"unread", "old"}


def test_from_23_items_on_the_board_is_pruned_to_18_and_the_read_ones_stay():
    items = [item(f"item-{at:02}", read_count=at) for at in range(22)]
    calls = planned(items, [learned("fresh")], [], now=NOW)
    left = after(items, calls)
    assert len(left) == 18
    assert "item-21" in left
    assert "item-00" not in left
    assert problems(calls, items, []) == []
    assert planned([item(f"item-{at:02}") for at in range(20)], [learned("fresh")], [], now=NOW)[0].name == "fresh"


def test_a_plan_that_was_done_makes_no_other():
    items = [item(f"item-{at:02}") for at in range(24)]
    fresh = [learned(f"fresh-{at}") for at in range(6)]
    calls = planned(items, fresh, [], now=NOW)
    kept = [one for one in items if one.name in after(items, calls)]
    kept += [item(one.name, made_by=RULES) for one in fresh if one.name in after(items, calls)]
    pruned = [Pruned(one.name, "agent", "", NOW) for one in items if one not in kept]
    assert planned(kept, fresh, pruned, now=NOW) == []


# By a model


def by_model(monkeypatch, memory: Recollect, *answers: Any) -> ScriptedProvider:
    provider = ScriptedProvider(answers)
    monkeypatch.setattr("recollect.flows.models.asking.choose", lambda spec, means: provider)
    return provider


@pytest.fixture
def modelled(open_memory, repository) -> Recollect:
    opened: Recollect = open_memory(repository, **ON, RECOLLECT_MODELS__DEFAULT="openai:gpt-x")
    return opened


ADD = {"command": "add", "name": "run-e2e", "description": "How to run e2e", "context": "`pnpm e2e` works after `pnpm stub --detach`."}  # fmt: skip


def test_a_model_is_shown_history_and_its_calls_are_done(modelled, monkeypatch):
    keep(modelled, "s_1", [mended(), Turn(2, "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"), Turn(3, "ok")])
    modelled.board.add("old", "An old one", "About nothing.", src="agent")
    provider = by_model(monkeypatch, modelled, {"calls": [ADD, {"command": "prune", "name": "old"}]})
    done = modelled.rem.consolidate(modelled.opened.store.sessions.get("s_1"))
    assert (done.added, done.pruned, done.why) == (("run-e2e",), ("old",), "")
    [asked] = provider.prompts
    assert "offline memory-consolidation worker" in asked.system
    assert "opaque labels" in asked.system
    text = asked.messages[0].text
    assert "# Conversation turns (history)" in text
    assert "ECONNREFUSED" in text
    assert "ghp_" not in text
    assert names(modelled) == ["run-e2e"]


def test_rem_is_what_its_definition_says(open_memory, repository, monkeypatch, tmp_path):
    roles = {"RECOLLECT_MODELS__DEFAULT": "openai:large", "RECOLLECT_MODELS__SMOL": "openai:small"}
    modelled = open_memory(repository, **ON, **roles)
    folder = tmp_path / "home" / "agents"
    folder.mkdir(parents=True)
    definition = "name: rem-agent\nkind: agent\nprompt: Keep the board short.\ntools: [context_board]\n"
    parts = "prompt_parts: {environment_context: true}\n"
    (folder / "rem-agent.yaml").write_text(f"{definition}model: smol\n{parts}")
    keep(modelled, "s_1", [mended(), Turn(2, "go on"), Turn(3, "ok")])
    asked: list[str] = []
    provider = ScriptedProvider([{"calls": []}])

    def choose(spec: Any, means: Any) -> ScriptedProvider:
        asked.append(spec.model)
        return provider

    monkeypatch.setattr("recollect.flows.models.asking.choose", choose)
    modelled.rem.consolidate(modelled.opened.store.sessions.get("s_1"))
    [prompt] = provider.prompts
    assert prompt.system.startswith("Keep the board short.\n\nFolder: ")
    assert set(asked) == {"small"}
    (folder / "rem-agent.yaml").write_text(f"{definition}feature_flag: subconscious.github_context\n")
    assert modelled.rem.consolidate(modelled.opened.store.sessions.get("s_1")).why == "rem-agent is switched off"


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        ({"command": "get_board", "name": "x"}, "'get_board' is not allowed here"),
        ({"command": "prune", "name": "mine"}, "was written by the user"),
        ({"command": "add", "name": "Bad Name", "description": "x", "context": "y"}, "not a valid name"),
        (
            {"command": "add", "name": "made-up", "description": "x", "context": "`make moonshot-77` works"},
            "nothing here",
        ),
    ],
)
def test_anything_else_is_refused_told_once_and_nothing_is_half_done(modelled, monkeypatch, bad, why):
    keep(modelled, "s_1", [mended()])
    modelled.board.add("mine", "Mine", "My words.")
    provider = by_model(monkeypatch, modelled, {"calls": [ADD, bad]})
    done = modelled.rem.consolidate(modelled.opened.store.sessions.get("s_1"))
    assert why in done.why
    assert (done.added, names(modelled)) == ((), ["mine"])
    assert len(provider.prompts) == 2
    assert "refused as a whole" in provider.prompts[1].messages[0].text


# After a session


def test_the_end_of_a_session_is_counted_and_rem_left_once(memory):
    typed = [Turn(at, f"do {at}") for at in (1, 2, 3)]
    spawned = keep(memory, "s_long", typed)
    short = keep(memory, "s_short", typed[:2])
    child = keep(memory, "s_child", typed, mode=DETACHED)
    for _ in range(2):
        assert [leave_rem(one, memory.opened) for one in (spawned, short, child)] == [
            "spawned", "below_min_turns", "detached_child",
        ]  # fmt: skip
    store = memory.opened.store
    assert store.counted_under("rem.") == {"spawned": 1, "below_min_turns": 1, "detached_child": 1}
    assert [job.key for job in store.jobs.of_kinds([REM])] == ["s_long"]


def test_nothing_is_left_while_the_feature_or_the_memory_is_off(open_memory, repository):
    for environ in ({}, {**ON, "RECOLLECT_ENABLED": "false"}):
        off = open_memory(repository, home=f"home{len(environ)}", **environ)
        session = keep(off, "s_1", [Turn(at, f"do {at}") for at in (1, 2, 3)])
        assert leave_rem(session, off.opened) == "off"
        assert off.opened.store.jobs.of_kinds([REM]) == []


def test_a_worker_that_is_killed_in_rem_leaves_the_board_whole_and_the_next_one_ends_it(memory, repository, tmp_path):
    keep(memory, "s_1", [mended(), Turn(2, "go on"), Turn(3, "and on")])
    leave_rem("s_1", memory.opened)
    environ = {**ON, "HOME": str(tmp_path / "user"), "RECOLLECT_HOME": str(tmp_path / "home")}

    def die(*_: Any) -> None:
        os.kill(os.getpid(), 9)

    for place in ("recollect.store.board.Board.save", "recollect.store.jobs.Jobs.finish"):

        def work(place: str = place) -> None:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(place, die)
                Worker(environ, clock=lambda: NOW).once()

        in_child(work)
        assert names(memory) in ([], ["fix-pnpm-e2e-pnpm-stub-detach"])
    Worker(environ, clock=lambda: NOW + 5_000).once()
    assert names(memory) == ["fix-pnpm-e2e-pnpm-stub-detach"]
