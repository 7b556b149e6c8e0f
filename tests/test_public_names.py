"""What a program imports by name is there, and few verbs are enough to use a memory."""

from __future__ import annotations

import inspect
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

import recollect
from recollect import Recollect

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import Clock


@pytest.mark.parametrize("name", recollect.__all__)
def test_every_public_name_can_be_imported(name: str) -> None:
    assert getattr(recollect, name) is not None


def test_a_name_that_does_not_exist_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        recollect.Nothing  # noqa: B018


def test_importing_the_package_loads_none_of_its_rooms() -> None:
    script = "import sys, recollect; print(','.join(n for n in sys.modules if n.startswith('recollect.')))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "recollect.version"


def test_the_public_class_has_about_a_dozen_verbs_and_the_rest_are_rooms() -> None:
    members = {name: value for name, value in inspect.getmembers_static(Recollect) if not name.startswith("_")}
    verbs = [name for name, value in members.items() if inspect.isfunction(value)]
    rooms = [name for name, value in members.items() if isinstance(value, property)]
    assert len(verbs) <= 16, verbs
    assert {"entries", "profile", "tasks", "sessions", "pending", "context", "transfer"} <= set(rooms)
    assert all(inspect.getdoc(members[name]) for name in (*verbs, *rooms))


def test_a_program_can_catch_our_errors_and_name_our_values(memory: Recollect) -> None:
    with pytest.raises(recollect.NotFound):
        memory.entries.get("e_nothing")
    outcome = memory.remember("The deploy target is Fly.io.")
    assert isinstance(outcome, recollect.Outcome)
    [entry] = memory.entries.list()
    assert isinstance(entry, recollect.Entry)
    answer = memory.recall("what is the deploy target?")
    assert [type(one) for one in answer.entries] == [recollect.Recalled]
    assert memory.why(receipt_id=answer.receipt).query == "what is the deploy target?"
    assert str(answer) == "The deploy target is Fly.io."
    assert (bool(answer), len(answer), answer[0]) == (True, 1, answer.entries[0])
    with pytest.deprecated_call():
        found, receipt = answer
    assert (found.entries, receipt) == (answer.entries, answer.receipt), "it unpacks as before"
    nothing = memory.recall("zzz")
    assert (bool(nothing), len(nothing), str(nothing)) == (False, 0, "")


def test_what_there_is_not_to_ask_for_is_told_and_never_silently_empty(memory: Recollect) -> None:
    memory.remember("The deploy target is Fly.io.")
    wrong: list[dict[str, str]] = [
        {"layer": "l1"},
        {"layer": "L9"},
        {"layer": "L0,L1"},
        {"scope": "nowhere"},
        {"status": "bogus"},
        {"source": "me"},
        {"origin": "rumour"},
        {"since": "whenever"},
    ]
    for asked in wrong:
        with pytest.raises(recollect.UsageError, match="is not a valid"):
            memory.entries.list(**asked)  # type: ignore[arg-type]
    with pytest.raises(recollect.NotFound, match="No repository is known as 'nosuch'"):
        memory.entries.list(repository="nosuch")
    with pytest.raises(recollect.NotFound, match="No repository is known as 'nosuch'"):
        memory.recall("deploy target", repository="nosuch")
    with pytest.raises(recollect.UsageError, match="is not a valid time"):
        memory.recall("deploy target", since="whenever")
    with pytest.raises(recollect.Refused, match="That is a question"):
        memory.remember("What is this?")
    assert len(memory.entries.list()) == 1


def test_the_library_takes_the_words_that_the_command_line_takes(memory: Recollect) -> None:
    memory.remember("The deploy target is Fly.io.")
    memory.remember("Prefers short answers.", scope="user")
    assert len(memory.entries.list(since="7d", scope="here", status="any", limit=0)) == 1
    assert len(memory.entries.list(scope="everywhere", layer=["L0", "L1"])) == 1
    assert len(memory.entries.list(limit=1)) == 1
    assert memory.entries.list(status="retired") == []
    assert memory.recall("what is the deploy target?", since="2w", repository="app")
    [stored] = memory.remember_many(["The staging server is called nest."])
    assert memory.entries.get(stored.entry_id).scope == "repository", "where `remember` would store it"


def test_help_of_the_class_reads_as_a_page_and_its_example_runs(
    memory: Recollect, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = inspect.getdoc(Recollect) or ""
    assert all(verb in page for verb in ("remember", "recall", "inject", "why", "undo"))
    lines = [line[4:] for line in page.splitlines() if line.startswith((">>> ", "... "))]
    monkeypatch.setattr(Recollect, "open", lambda: memory)
    exec("\n".join(lines), {})
    printed = capsys.readouterr().out
    assert printed.startswith("stored This repository uses pnpm")
    assert printed.count("pnpm") >= 3


def test_the_help_names_every_room(memory: Recollect) -> None:
    page = inspect.getdoc(Recollect) or ""
    listed = page.partition("Properties with methods of their own: ")[2].partition(".")[0]
    rooms = {name for name, value in inspect.getmembers_static(Recollect) if isinstance(value, property)}
    assert set(listed.replace("\n", " ").split(", ")) == {name for name in rooms if name[0] != "_"} - {"caller"}


def test_one_string_counts_as_a_list_of_one(memory: Recollect) -> None:
    [outcome] = memory.remember_many("The staging server is called nest.")
    assert memory.entries.get(outcome.entry_id).content == "The staging server is called nest."
    tagged = memory.remember("The deploy target is Fly.io.", tags="infra")
    answer = memory.recall("what is the deploy target?", layers="L1", tags="infra")
    assert [one.entry.entry_id for one in answer.entries] == [tagged.entry_id]
    assert not memory.recall("what is the deploy target?", without=tagged.entry_id)


@pytest.mark.parametrize("wrong", [None, 5, b"e_1"])
def test_an_argument_that_is_not_text_where_text_is_needed_is_a_usage_error(memory: Recollect, wrong: Any) -> None:
    stored = memory.remember("The deploy target is Fly.io.")
    calls: list[Callable[[], object]] = [
        lambda: memory.entries.get(wrong),
        lambda: memory.forget(wrong),
        lambda: memory.vote(wrong, "up", "it worked"),
        lambda: memory.vote(stored.entry_id, "up", wrong),
        lambda: memory.sessions.show(wrong),
        lambda: memory.pending.approve(wrong),
        lambda: memory.tasks.task(wrong),
        lambda: memory.tasks.add_task(wrong),
        lambda: memory.correct(wrong),
    ]
    for call in calls:
        with pytest.raises(recollect.UsageError, match=r"must be text, not "):
            call()
    assert memory.entries.get(stored.entry_id).votes_up == 0


def test_a_setting_and_a_confidence_that_do_not_exist_are_refused_in_a_sentence(memory: Recollect) -> None:
    for look in (memory.settings.get, memory.settings.origin):
        with pytest.raises(recollect.RecollectError, match="Unknown setting 'zz'; `recollect settings list`"):
            look("zz")
    with pytest.raises(recollect.Refused, match="confidence must be between 0 and 1, not 'high'"):
        memory.remember("The deploy target is Fly.io.", confidence="high")  # type: ignore[arg-type]


@pytest.mark.parametrize("window", [0, -1, "8000"])
def test_a_window_that_is_not_a_number_of_tokens_is_refused(memory: Recollect, window: Any) -> None:
    messages = [{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"}] * 20
    calls: list[Callable[..., object]] = [memory.context.compact, memory.context.truncate]
    calls += [memory.context.fit] if window else []  # there 0 is the model's own window
    for call in calls:
        with pytest.raises(recollect.UsageError, match="`window` must be a number of tokens, 1 or more"):
            call(messages, window=window)
    assert memory.context.fit(messages, window=0.5 * 128_000) == messages  # type: ignore[arg-type]


def test_the_same_prompt_again_is_a_retry_and_gets_the_same_entries(memory: Recollect, clock: Clock) -> None:
    memory.remember("The deploy target is Fly.io.")
    texts = [memory.inject("what is the deploy target?", session="s1").text for _ in range(3)]
    assert all("Fly.io" in text for text in texts)
    clock.now += 120
    assert "Fly.io" not in memory.inject("what is the deploy target?", session="s1").text
