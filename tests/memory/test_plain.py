"""How plainly a sentence says what holds: that sets how sure the scorer has to be before anything is stored."""

from __future__ import annotations

import pytest

from recollect.memory.gapfill.plain import PLAIN, plainness
from recollect.text.language.sentences import sentences

PLAINLY = """
never push to main
No. Never force-push to main.
We use pnpm, not npm.
we don't squash merges
use bun instead of npm
Use pnpm, not npm.
All ids are UUIDs.
all database timestamps are UTC, only PDFs show local time
No service may call another service directly.
Nobody may push to main.
Everyone must sign their commits.
Everything runs in Docker.
Test files live in tests/unit.
Log messages must never contain emails.
Secrets are never printed.
The config is stored in deploy/config.yaml.
the worker reads from the queue, not from the table
Marta owns the billing service
our staging box is hetzner-3
my shell is fish
I prefer early returns over nested ifs
Ask Dana before touching the migrations folder.
please answer in German
Keep your answers short.
from now on report only file and line
we no longer use Jest
Releases happen on Tuesdays.
no, since last week we deploy to Render
The linter is ruff.
helix is my editor
Backups run every Sunday at 3 am.
Olga signs off on every migration.
passwords must never be logged
ask me if you are unsure
keep explanations short
テストは必ずローカルで実行してください
""".strip().split("\n")
NOT_PLAINLY = """
run the tests
do not run it now
fix the login page
I thought we always deploy on Fridays.
I guess we never squash
maybe we always deploy on Fridays
Anna said we never deploy on Fridays
I was told we never squash
Hopefully we always use TLS
We never finished the migration to Vite.
We never got around to writing tests.
You deleted the file without asking.
you always add comments, stop that
If staging is down and we never deploy, nobody notices.
when CI is red or we always retry
all tests are green
this error is weird
was the config stored in deploy?
our db is down
our disk is full
I don't understand this anymore
I prefer the second one
it is no longer used
nothing works
always forget how this is called
something that is easily maintainable
we are on a call
i am on a train
my terminal is frozen
everything is on fire
no longer needed
""".strip().split("\n")


@pytest.mark.parametrize("text", PLAINLY)
def test_a_rule_that_is_said_outright_is_plain(text: str) -> None:
    assert max(map(plainness, sentences(text))) >= PLAIN


@pytest.mark.parametrize("text", NOT_PLAINLY)
def test_an_order_a_doubt_a_report_and_what_happened_are_not_plain(text: str) -> None:
    assert max(map(plainness, sentences(text))) < PLAIN


def test_a_sentence_too_long_to_be_kept_is_not_plain_and_takes_no_time() -> None:
    [one] = sentences("it is not used any more")
    assert plainness(one) >= PLAIN
    assert plainness(one._replace(shadow=f"{'it is not used ' * 400}any more")) == 0
