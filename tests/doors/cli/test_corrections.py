"""`recollect correct`, as somebody uses it who has just begun."""

from __future__ import annotations

import pytest

from tests.command_line import Run


def active(cli: Run) -> list[str]:
    return [entry["content"] for entry in cli("list", "--json").json if entry["status"] == "active"]


@pytest.mark.parametrize(
    ("stored", "said", "now"),
    [
        ("The database is MySQL 8.", "The database is PostgreSQL 16.", "The database is PostgreSQL 16."),
        ("The database is MySQL 8.", "We use PostgreSQL 16 now.", "The database is PostgreSQL 16."),
        ("The database is MySQL 8.", "It's PostgreSQL 16, not MySQL.", "The database is PostgreSQL 16."),
        ("We use Node 18.", "We use Bun 1.2, not Node.", "We use Bun 1.2."),
        (
            "Deploys run from the main branch only.",
            "Deploys run from the release branch only.",
            "Deploys run from the release branch only.",
        ),
        (
            "The API runs on port 8080 on host alpha.",
            "The API runs on port 9090 on host beta.",
            "The API runs on port 9090 on host beta.",
        ),
        ("The timeout is 30 seconds.", "The timeout is 2 minutes.", "The timeout is 2 minutes."),
    ],
)
def test_a_correction_leaves_one_true_sentence(cli: Run, stored: str, said: str, now: str) -> None:
    cli("remember", stored)
    done = cli("correct", said)
    assert done.code == 0
    assert f"It now says: “{now}”" in done.err
    assert active(cli) == [now]


def test_the_whole_new_text_is_printed(cli: Run) -> None:
    cli("remember", "The nightly export of all invoices and credit notes to the archive bucket starts at 01:00.")
    done = cli("correct", "The nightly export of all invoices and credit notes to the archive bucket starts at 03:00.")
    assert (
        "It now says: “The nightly export of all invoices and credit notes to the archive bucket starts at 03:00.”"
        in (done.err)
    )


@pytest.mark.parametrize(
    ("old", "said", "now"),
    [
        ("Commit messages use emojis.", "no emojis in commit messages", "No emojis in commit messages."),
        ("The web client uses default exports.", "no default exports in the web client", "No default exports"),
        ("We squash-merge pull requests.", "stop squash-merging pull requests", "Stop squash-merging pull requests."),
        ("The nightly backup runs at 03:00 UTC.", "stop the nightly backup", "Stop the nightly backup."),
        ("This repository uses npm.", "no, we use pnpm", "This repository uses pnpm."),
    ],
)
def test_a_prohibition_keeps_its_no(cli: Run, old: str, said: str, now: str) -> None:
    cli("remember", old)
    cli("correct", said)
    assert active(cli)[0].startswith(now)
