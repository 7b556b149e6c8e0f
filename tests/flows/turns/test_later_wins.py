"""Of two statements or decisions on one thing the later stands first, and the older never stands alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from recollect import Recollect
from recollect.flows.setup.agents_block import agents_block
from tests import hook_calls
from tests.conftest import Clock, OpenMemory, contents
from tests.flows.sessions.test_importing import bring, claude_line, write_log
from tests.hook_calls import answered, taken

ASKED = "which package manager does this repository use?"

# what was said first | what was said later | what is asked
STATED = [
    ("The default branch is master.", "The default branch is called main now.", "what is the default branch?"),
    ("We deploy to Fly.io.", "We deploy to Render now.", "where do we deploy to?"),
    ("The retry limit is 3.", "The retry limit was raised to 5.", "what is the retry limit?"),
    ("Use fetch for requests.", "Use axios instead of fetch.", "add a fetch for requests"),
    ("Standup is at 9:30.", "Standup moved to 10:00.", "when is standup?"),
    (
        "Code review is done in Gerrit.",
        "We review code on GitHub, not in Gerrit.",
        "how is code review done in Gerrit?",
    ),
]


@pytest.mark.parametrize(("older", "later", "asked"), STATED)
def test_of_two_statements_on_one_thing_the_later_comes_and_not_the_older(
    memory: Recollect, clock: Clock, older: str, later: str, asked: str
) -> None:
    memory.remember(older)
    clock.pass_days(1)
    memory.remember(later)
    clock.pass_days(1)
    assert contents(memory, asked) == [later]


def test_the_older_brings_the_later_one_that_shares_no_word_with_the_question(memory: Recollect, clock: Clock) -> None:
    memory.remember("Tests run with jest.")
    clock.pass_days(1)
    new = memory.remember("We switched to vitest.")
    assert contents(memory, "run the jest suite") == ["We switched to vitest."]
    found = memory.recall("run the jest suite").found
    assert f"contradicted by {new.entry_id}, which is newer" in [out.why for out in found.left_out]


def test_an_agents_later_word_does_not_hide_what_the_user_said(memory: Recollect, clock: Clock) -> None:
    memory.remember("The default branch is master.")
    clock.pass_days(1)
    memory.remember("The default branch is main.", source="agent", origin="assistant")
    assert contents(memory, "what is the default branch?") == ["The default branch is master."]


def test_facts_with_one_subject_both_come_and_the_later_is_first(memory: Recollect, clock: Clock) -> None:
    memory.remember("Releases are cut from the release branch by Noor.", subject="release")
    clock.pass_days(40)
    memory.remember("Release notes are kept in docs/releases.", subject="release")
    found = contents(memory, "cut a release from the release branch with release notes")
    assert [text.split()[1] for text in found] == ["notes", "are"]


# -- there and back


def test_bun_then_pnpm_then_bun_again_ends_with_bun(memory: Recollect, clock: Clock) -> None:
    for said in ("This repository uses bun.", "This repository uses pnpm.", "This repository uses bun."):
        memory.remember(said)
        clock.pass_days(1)
    assert contents(memory, ASKED) == ["This repository uses bun."]


def test_bun_then_corrected_twice_ends_with_bun(memory: Recollect, clock: Clock) -> None:
    memory.remember("This repository uses bun.")
    for said in ("no, we use pnpm, not bun", "we are back on bun, not pnpm"):
        clock.pass_days(1)
        memory.correct(said)
    [text] = contents(memory, ASKED)
    assert "bun" in text.split("not")[0]


def test_a_plain_statement_wins_over_an_older_correction(memory: Recollect, clock: Clock) -> None:
    memory.remember("This repository uses bun.")
    clock.pass_days(1)
    memory.correct("This repository uses pnpm.")
    clock.pass_days(1)
    memory.remember("This repository uses bun.")
    assert contents(memory, ASKED) == ["This repository uses bun."]


def session(folder: Path, day: int, *said: str, cwd: str) -> Path:
    """A log of Claude Code in which this was typed on that day of the month."""
    when = {"timestamp": f"2026-03-{day:02d}T09:00:00.000Z", "sessionId": f"S{day}", "cwd": cwd}
    lines: list[str] = []
    for number, text in enumerate(said, 1):
        mine: dict[str, Any] = {**when, "uuid": f"d{day}u{number}", "parentUuid": None}
        lines.append(claude_line("user", 2 * number - 1, text, **mine))
        answer = [{"type": "text", "text": "Understood."}]
        lines.append(claude_line("assistant", 2 * number, answer, **{**mine, "uuid": f"d{day}a{number}"}))
    return write_log(folder, lines, name=f"S{day}.jsonl")


BUN, PNPM, AGAIN = (
    "Remember: this repository uses bun, never npm.",
    "No, we moved to pnpm last week, never use bun here.",
    "No, we moved back to bun, never use pnpm here.",
)


NO_LONGER = "No, we moved to bun last week, never use pnpm here."


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0), (2, 1, 0)])
def test_the_last_word_stands_in_whatever_order_the_sessions_come_in(
    open_memory: OpenMemory, repository: Path, tmp_path: Path, order: tuple[int, ...]
) -> None:
    memory = open_memory(repository)
    days = list(enumerate((BUN, PNPM, AGAIN), 1))
    for place in order:
        day, said = days[place]
        bring(memory, session(tmp_path / "logs", day, said, cwd=str(repository)))
        memory.sessions.digest()
    found = contents(memory, ASKED)
    assert found, memory.entries.list()
    assert "pnpm" not in found[0].split("never")[0].split("not")[0], found
    assert "bun" in found[0]
    assert not any("uses pnpm" in text for text in found)


def test_what_was_corrected_in_one_host_reaches_the_next_host(
    open_memory: OpenMemory, repository: Path, tmp_path: Path
) -> None:
    memory = open_memory(repository)
    for day, said in ((1, "Remember: this repository uses pnpm."), (20, NO_LONGER)):
        bring(memory, session(tmp_path / "logs", day, said, cwd=str(repository)))
        memory.sessions.digest()
    asked = hook_calls.prompt("codex", repository, ASKED)
    given = taken("codex", answered(asked, tmp_path / "home", tmp_path / "user", host="codex"))
    assert "bun" in given
    assert "uses pnpm" not in given


def test_a_correction_that_comes_in_later_than_a_newer_one_loses(
    memory: Recollect, repository: Path, tmp_path: Path
) -> None:
    memory.remember("This repository uses npm.")  # in September
    memory.correct("This repository uses bun.")
    bring(memory, session(tmp_path / "logs", 3, "No, we use pnpm in this repository, never npm.", cwd=str(repository)))
    memory.sessions.digest()
    assert contents(memory, ASKED) == ["This repository uses bun."]


# -- decisions in past sessions

# what was decided first | what was decided later | what is asked
DECIDED = [
    (
        "Let's go with Redis for the job queue, it is what we know.",
        "We move the job queue from Redis to RabbitMQ, Redis lost jobs twice.",
        "what did we decide about the job queue?",
    ),
    (
        "We decided to keep invoices for 7 years in the bucket acme-invoices-eu.",
        "Invoices are now kept for 10 years, in acme-archive-eu.",
        "what did we decide about how long invoices are kept?",
    ),
    (
        "I agreed with Dana that feature flags live in LaunchDarkly.",
        "We dropped LaunchDarkly, the flags are in flags.yaml from now on.",
        "did we decide where feature flags live?",
    ),
    (
        "We settled on port 8080 for the gateway because of the old proxy.",
        "The gateway is now on port 9443, the old proxy is gone.",
        "which port did we choose for the gateway last time?",
    ),
    (
        "Decision: the mobile app uses GraphQL.",
        "We switched the mobile app to REST, GraphQL was too slow over there.",
        "what did we decide for the mobile app, GraphQL or not?",
    ),
    (
        "Let's use Playwright for the checkout tests.",
        "We'll use Cypress for the checkout tests instead of Playwright.",
        "what did we say earlier about the checkout tests?",
    ),
]
CHATTER = ["Look at the checkout page, the button is misplaced.", "Thanks, commit that.", "Explain this job again."]


@pytest.mark.parametrize("digested", [False, True])
@pytest.mark.parametrize(("older", "later", "asked"), DECIDED)
def test_of_two_decisions_in_sessions_the_later_stands_first(
    memory: Recollect, repository: Path, tmp_path: Path, older: str, later: str, asked: str, digested: bool
) -> None:
    logs = tmp_path / "logs"
    for day, said in ((2, (older, *CHATTER)), (9, (*CHATTER, later)), (12, CHATTER)):
        bring(memory, session(logs, day, *said, cwd=str(repository)))
    if digested:
        memory.sessions.digest()
    found = memory.recall(asked).found
    places = {
        name: [at for at, one in enumerate(found.entries) if said in one.entry.content]
        for name, said in (("older", older), ("later", later))
    }
    assert places["later"], [one.entry.content for one in found.entries]
    assert min(places["later"]) < min(places["older"], default=99)


def test_the_older_of_two_decisions_says_which_one_is_later(
    memory: Recollect, repository: Path, tmp_path: Path
) -> None:
    older, later, asked = DECIDED[0]
    for day, said in ((2, older), (9, later)):
        bring(memory, session(tmp_path / "logs", day, said, cwd=str(repository)))
    text = memory.inject(asked, session="T").text
    first, second = (line for line in text.splitlines() if line.startswith("- ["))
    assert "a past session on 2026-03-09" in first
    assert "a past session on 2026-03-02" in second
    assert f"older than {first[2 : first.index(']') + 1]}" in second


def test_a_decision_arrives_in_its_own_words_however_long_the_answer_is(
    memory: Recollect, repository: Path, tmp_path: Path
) -> None:
    decided = (
        "We decided to write the ledger exports to s3://acme-ledger-eu/exports/v3 every 15 minutes with retention of "
        "400 days, because src/ledger/flush_worker.py cannot hold more than 2,500 rows and auditors asked for 13 months."
    )
    padding = " ".join(f"Sentence {n} talks about the weather and the garden." for n in range(30))
    path = session(tmp_path / "logs", 2, f"{padding} {decided} {padding}", cwd=str(repository))
    bring(memory, path)
    found = memory.recall("what did we decide about the ledger exports?").found
    assert decided in found.entries[0].entry.content


def test_a_session_start_and_the_block_in_agents_md_hold_only_the_last_word(
    memory: Recollect, clock: Clock, repository: Path, tmp_path: Path
) -> None:
    for said in ("This repository uses pnpm, not npm.", "We use yarn, never use pnpm here.", "We use bun, not yarn."):
        memory.remember(said, origin="typed")
        clock.pass_days(1)
    start = hook_calls.session_start("vscode", repository)
    started = taken("vscode", answered(start, tmp_path / "home", tmp_path / "user", host="vscode"))
    for text in (started, agents_block(memory.opened)):
        assert [said for said in ("uses pnpm", "use yarn, never", "use bun") if said in text] == ["use bun"]
