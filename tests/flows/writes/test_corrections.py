"""A correction sticks; duplicates merge; opposites are shown; votes count; nothing is lost on the way."""

from __future__ import annotations

import pytest

from recollect import Recollect
from recollect.errors import Refused
from recollect.flows.upkeep.put_in_order import put_in_order
from recollect.flows.writes.actors import Person
from recollect.model.drafts import Add, Draft, Remove, Update
from recollect.text.ids import short_id
from tests.conftest import Clock, OpenMemory, contents

AGENT = {"source": "agent", "origin": "assistant"}


def test_promise_1_a_correction_sticks(memory: Recollect) -> None:
    wrong = memory.remember("The deploy target is Fly.io.", **AGENT)  # type: ignore[arg-type]
    right = memory.correct("The deploy target is Render.")

    assert right.status == "stored"
    assert right.superseded == (wrong.entry_id,)
    assert memory.entries.get(wrong.entry_id).status == "superseded"
    assert memory.entries.get(wrong.entry_id).superseded_by == right.entry_id
    assert contents(memory, "what is the deploy target?") == ["The deploy target is Render."]

    for again in ("The deploy target is Fly.io.", "the deploy target is fly.io", "Deploy target is Fly.io"):
        for source in ("agent", "system"):
            outcome = memory.remember(again, source=source, origin="assistant")
            assert outcome.status == "refused", again
            assert right.entry_id in outcome.why
    assert contents(memory, "what is the deploy target?") == ["The deploy target is Render."]


def test_only_the_user_can_revive_what_was_corrected(memory: Recollect) -> None:
    wrong = memory.remember("The deploy target is Fly.io.")
    memory.correct("The deploy target is Render.")
    assert memory.remember("The deploy target is Fly.io.").status == "stored"
    memory.undo()
    assert memory.restore(wrong.entry_id).status == "active"


def test_a_correction_by_id_supersedes_that_entry_and_nothing_else(memory: Recollect) -> None:
    first = memory.remember("Tests run with `make test`.")
    second = memory.remember("Tests live in the folder tests.")
    outcome = memory.correct("Tests run with `just test`.", entry_id=first.entry_id)
    assert outcome.superseded == (first.entry_id,)
    assert memory.entries.get(second.entry_id).status == "active"
    assert memory.entries.get(outcome.entry_id).subject == memory.entries.get(first.entry_id).subject


def test_a_correction_that_contradicts_nothing_is_added(memory: Recollect) -> None:
    kept = memory.remember("The default branch is main.")
    outcome = memory.correct("Zhang San approves the budget.")
    assert (outcome.status, outcome.superseded) == ("stored", ())
    assert memory.entries.get(kept.entry_id).status == "active"


def test_a_correction_reaches_the_profile_and_the_user_scope_too(memory: Recollect) -> None:
    old = memory.remember("The user prefers tabs.", scope="user")
    outcome = memory.correct("The user prefers spaces.")
    assert outcome.superseded == (old.entry_id,)
    assert memory.entries.get(outcome.entry_id).scope == "user"


def test_what_the_session_was_given_breaks_the_tie(memory: Recollect) -> None:
    memory.remember("Release notes are short.", subject="release notes")
    given = memory.remember("Release notes are written by Ana.", subject="release notes")
    receipt = memory.inject("who is Ana and what is written by her?", session="s1")
    assert short_id(given.entry_id) in receipt.text
    outcome = memory.correct("Release notes are a job of the docs team.", session="s1")
    assert outcome.superseded == (given.entry_id,)


def test_a_correction_that_fits_two_entries_equally_well_asks_which(memory: Recollect) -> None:
    first = memory.remember("Release notes are short.", subject="release notes")
    second = memory.remember("Release notes are written by Ana.", subject="release notes")
    outcome = memory.correct("Release notes are a job of the docs team.")
    assert outcome.superseded == ()
    assert first.entry_id in outcome.why
    assert second.entry_id in outcome.why


def test_the_same_statement_in_other_words_is_merged_not_stored_twice(memory: Recollect, repository) -> None:
    (repository / "package.json").write_text("{}\n")
    first = memory.remember("This repository uses pnpm.", source="agent", origin="assistant")
    again = memory.remember("this repository uses `pnpm`", cite=["package.json"], tags=["tools"])
    assert (again.status, again.entry_id) == ("duplicate", first.entry_id)
    entry = memory.entries.get(first.entry_id)
    assert [citation.path for citation in entry.citations] == ["package.json"]
    assert entry.tags == ("tools",)
    assert entry.confidence > 0.7
    assert entry.source == "user"


def test_opposites_are_reported_as_a_conflict_and_the_newer_one_is_recalled(memory: Recollect, clock: Clock) -> None:
    old = memory.remember("We indent with tabs.")
    clock.pass_days(1)
    new = memory.remember("We indent with spaces.")
    assert new.status == "stored"
    assert new.conflicts == (old.entry_id,)
    assert [(a.content, b.content) for a, b in memory.entries.conflicts()] == [
        ("We indent with spaces.", "We indent with tabs.")
    ]
    assert contents(memory, "indent with tabs or spaces?") == ["We indent with spaces."]
    memory.forget(new.entry_id)
    assert memory.entries.conflicts() == []
    assert contents(memory, "indent with tabs or spaces?") == ["We indent with tabs."]


def test_of_two_opposites_the_users_word_beats_a_newer_one_of_the_agent(memory: Recollect, clock: Clock) -> None:
    memory.remember("We indent with tabs.")
    clock.pass_days(1)
    memory.remember("We indent with spaces.", **AGENT)  # type: ignore[arg-type]
    assert contents(memory, "indent with tabs or spaces?") == ["We indent with tabs."]


def test_enough_down_votes_take_an_entry_out_until_it_is_restored(memory: Recollect) -> None:
    entry_id = memory.remember("The cache lives in Redis.").entry_id
    memory.vote(entry_id, "up", "helped")
    for _ in range(4):
        entry = memory.vote(entry_id, "down", "it is memcached")
    assert entry.status == "inactive"
    assert contents(memory, "where does the cache live?") == []
    assert memory.remember("The cache lives in Redis.", **AGENT).status == "refused"  # type: ignore[arg-type]
    memory.restore(entry_id)
    assert contents(memory, "where does the cache live?") == ["The cache lives in Redis."]
    assert [vote["direction"] for vote in memory.entries.show(entry_id).votes] == ["up", "down", "down", "down", "down"]


def test_a_vote_needs_a_reason_and_a_direction(memory: Recollect) -> None:
    entry_id = memory.remember("The cache lives in Redis.").entry_id
    with pytest.raises(Refused, match="reason"):
        memory.vote(entry_id, "up", "  ")
    with pytest.raises(Refused, match="up or down"):
        memory.vote(entry_id, "sideways", "why not")


def test_a_batch_of_writes_is_all_or_nothing(memory: Recollect) -> None:
    old = memory.remember("Tests run with `make test`.")
    draft = Draft("Tests run with `just test`.", repository=memory.repository.repository)
    outcomes = memory.writes(Person("agent")).batch(
        [Update(old.entry_id, draft), Add(draft._replace(content="CI runs on Buildkite."))]
    )
    assert [outcome.status for outcome in outcomes] == ["stored", "stored"]
    assert memory.entries.get(old.entry_id).superseded_by == outcomes[0].entry_id
    with pytest.raises(Refused):
        memory.writes(Person("agent")).batch([Remove(outcomes[0].entry_id), Add(draft._replace(layer="L2"))])
    assert memory.entries.get(outcomes[0].entry_id).status == "active"


def test_agents_cannot_write_the_archive(memory: Recollect) -> None:
    with pytest.raises(Refused, match="archive"):
        memory.writes(Person("agent")).batch([Add(Draft("Done.", layer="L2", scope="user"))])


def test_undo_takes_a_whole_correction_back_and_undoing_that_brings_it_again(memory: Recollect) -> None:
    wrong = memory.remember("The deploy target is Fly.io.")
    right = memory.correct("The deploy target is Render.")
    memory.undo()
    assert memory.entries.get(wrong.entry_id).status == "active"
    assert memory.entries.get(right.entry_id).status == "inactive"
    change = memory.entries.show(right.entry_id).history[-1].change
    memory.undo(str(change.change_id))
    assert memory.entries.get(wrong.entry_id).status == "superseded"
    assert memory.entries.get(right.entry_id).status == "active"


def test_undo_refuses_when_the_entry_changed_since(memory: Recollect) -> None:
    entry_id = memory.remember("CI runs on Buildkite.").entry_id
    memory.edit(entry_id, tags=["ci"])
    first = memory.entries.show(entry_id).history[0].change.change_id
    memory.edit(entry_id, tags=["ci", "build"])
    second = memory.entries.show(entry_id).history[1].change.change_id
    with pytest.raises(Refused, match="changed again"):
        memory.undo(str(second))
    memory.undo(str(first))
    assert memory.entries.get(entry_id).status == "inactive"


def test_the_trail_shows_every_version(memory: Recollect) -> None:
    entry_id = memory.remember("CI runs on Buildkite.").entry_id
    memory.edit(entry_id, tags=["ci"], subject="CI")
    memory.vote(entry_id, "up", "yes")
    steps = memory.entries.show(entry_id).history
    assert [step.change.action for step in steps] == ["remember", "edit", "vote up"]
    assert steps[0].before is None
    assert steps[0].after.tags == ()
    assert steps[1].after.tags == ("ci",)
    assert steps[2].after.votes_up == 1


def test_unused_entries_of_the_system_fall_asleep_and_wake_when_said_again(memory: Recollect, clock: Clock) -> None:
    system = memory.remember("The linter is slow.", source="system", origin="assistant").entry_id
    typed = memory.remember("The linter is ruff.", source="system").entry_id
    mine = memory.remember("CI runs on Buildkite.").entry_id
    clock.pass_days(29)
    put_in_order(memory.opened)
    assert [memory.entries.get(one).status for one in (system, typed, mine)] == ["inactive", "active", "active"]
    memory.remember("The linter is slow.", source="agent", origin="assistant")
    assert memory.entries.get(system).status == "active"


def test_forgotten_entries_stay_dead_and_erased_ones_leave_no_trace(open_memory: OpenMemory, tmp_path) -> None:
    memory = open_memory()
    kept = memory.remember("Ms Quillfeather approves the budget.", scope="user").entry_id
    memory.forget(kept)
    assert memory.entries.get(kept).status == "tombstone"
    outcome = memory.remember("Ms Quillfeather approves the budget.", scope="user", source="agent", origin="assistant")
    assert outcome.status == "refused"
    memory.forget(kept, hard=True)
    memory.close()
    for file in (tmp_path / "home").rglob("*"):
        if file.is_file():
            assert b"uillfeather" not in file.read_bytes(), file


def test_erasing_takes_the_earlier_versions_along(open_memory: OpenMemory, tmp_path) -> None:
    memory = open_memory()
    first = memory.remember("The code word is Quillfeather42.", scope="user").entry_id
    second = memory.edit(first, text="The code word is Quillfeather43.").entry_id
    third = memory.correct("The code word was changed in May.", entry_id=second).entry_id
    other = memory.remember("The port is 3000.", scope="user").entry_id
    memory.forget(third, hard=True)
    assert [entry.entry_id for entry in memory.entries.list()] == [other]
    memory.close()
    for file in (tmp_path / "home").rglob("*"):
        if file.is_file():
            assert b"uillfeather" not in file.read_bytes(), file


def test_what_is_said_again_is_not_brought_back_a_second_time(memory: Recollect) -> None:
    first = memory.remember("The port is 3000.").entry_id
    memory.forget(first)
    memory.remember("The port is 3000.")
    with pytest.raises(Refused, match="says the same and is active"):
        memory.restore(first)
    assert [entry.status for entry in memory.entries.list(status="active")] == ["active"]


def test_a_correction_that_says_what_the_entry_says_changes_nothing(memory: Recollect) -> None:
    entry_id = memory.remember("The port is 3000.").entry_id
    for named in ("", entry_id):
        outcome = memory.correct("the port is 3000", entry_id=named)
        assert (outcome.status, outcome.entry_id, outcome.superseded) == ("duplicate", entry_id, ())
    assert len(memory.entries.show(entry_id).history) == 1


def test_the_archive_is_not_corrected(memory: Recollect) -> None:
    task = memory.tasks.add_task("Port it", state="half way")
    archived = memory.tasks.complete_task(task.task_id).entry_id
    with pytest.raises(Refused, match="you can forget them, but not rewrite them"):
        memory.correct("All of it was ported.", entry_id=archived)
    assert memory.entries.get(archived).status == "active"


def test_a_program_that_gives_the_wrong_kind_of_value_is_told_so(memory: Recollect) -> None:
    for text in (None, 5, b"bytes"):
        with pytest.raises(Refused, match="must be text, not"):
            memory.remember(text)  # type: ignore[arg-type]
    for confidence in (5, -0.1, float("nan")):
        with pytest.raises(Refused, match="between 0 and 1"):
            memory.remember("The port is 3000.", confidence=confidence)
    entry = memory.entries.get(
        memory.remember("The port is 3000.", tags="ops", aliases="dev port", cite="README.md").entry_id
    )
    assert (entry.tags, entry.aliases, entry.citations[0].path) == (("ops",), ("dev port",), "README.md")
    change = memory.entries.show(entry.entry_id).history[0].change.change_id
    assert [one.status for one in memory.undo(change).entries] == ["inactive"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("use tabs", "use spaces"),
        ("We use yarn.", "We use bun, not npm."),
        ("deploys happen on Friday", "never deploy on Friday"),
        ("API keys live in vault", "API keys live in .env"),
        ("port 3000", "port 3001"),
    ],
)
def test_opposites_without_a_word_in_common_meet_in_the_store(memory: Recollect, one, other) -> None:
    for fact in ("The logo colour is blue.", "Retries use backoff.", "The monorepo has twelve packages."):
        memory.remember(fact)
    first = memory.remember(one).entry_id
    assert memory.remember(other).conflicts == (first,)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("use pytest for unit tests", "use playwright for e2e tests"),
        ("The web port is 3000", "The api port is 3001"),
        ("Use tabs in Makefiles", "Use spaces in Python"),
        ("We don't use Docker in development", "We use Docker in production"),
    ],
)
def test_facts_that_go_together_are_no_conflict(memory: Recollect, one, other) -> None:
    memory.remember(one)
    assert memory.remember(other).status == "stored"
    assert memory.entries.conflicts() == []
