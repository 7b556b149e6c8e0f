"""What a correction in ordinary words is about, and what is kept of the old statement."""

from __future__ import annotations

import time
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect import Recollect
from recollect.errors import Refused
from recollect.memory.correcting.meant import Meant, Statement, find_meant, is_question
from recollect.memory.correcting.parts import changed_parts
from recollect.memory.correcting.reword import reworded
from recollect.memory.correcting.tidying import tidy
from recollect.model.recall import Frequencies
from recollect.text.terms import terms

FACTS = {
    "panel": "The admin panel runs on port 3100 locally; the shop is on 3000.",
    "owner": "Ingrid owns checkout and payments.",
    "search": "Search is served by Elasticsearch 8 behind the gateway.",
    "frozen": "Never edit anything under packages/legacy, it is frozen for the audit.",
    "flags": "Feature flags sit in config/flags.yaml and every flag needs an expiry date.",
    "nightly": "The nightly backup starts at 01:00 UTC.",
    "tests": "End-to-end tests are `make e2e`, they need the docker stack.",
    "lint": "The linter is flake8 with a line length of 100.",
}


def meant(said: str, *, asked: bool = True) -> Meant:
    counts = Counter(term for text in FACTS.values() for term in set(terms(text)))
    words = set(terms(said))
    near = [Statement(key, text) for key, text in FACTS.items() if words & set(terms(text))]
    return find_meant(said, near, Frequencies(len(FACTS), dict(counts)), asked=asked)


@pytest.mark.parametrize(
    ("said", "which", "becomes"),
    [
        (
            "btw the admin panel is on 3200 now, 3100 clashed with grafana",
            "panel",
            "The admin panel runs on port 3200 locally; the shop is on 3000.",
        ),
        ("The linter is ruff, not flake8.", "lint", "The linter is ruff with a line length of 100."),
        ("Marta took over checkout and payments from Ingrid", "owner", "Marta owns checkout and payments."),
        (
            "config/flags.yaml has been renamed to config/toggles.yaml, please fix the import in loader.ts",
            "flags",
            "Feature flags sit in config/toggles.yaml (formerly config/flags.yaml) and every flag needs an expiry date.",
        ),
        (
            "hold on, the nightly backup starts at 03:30 UTC these days",
            "nightly",
            "The nightly backup starts at 03:30 UTC.",
        ),
        (
            "we use ruff instead of flake8",
            "lint",
            "The linter is ruff with a line length of 100.",
        ),
        (
            "No, we moved to ruff last week, never use flake8 here.",
            "lint",
            "The linter is ruff with a line length of 100.",
        ),
        ("We're on ruff now, so please stop using flake8.", "lint", "The linter is ruff with a line length of 100."),
        (
            "Elasticsearch turned into Typesense over the weekend",
            "search",
            "Search is served by Typesense behind the gateway.",
        ),
        (
            "the audit is done, packages/legacy may be edited again",
            "frozen",
            "The audit is done, packages/legacy may be edited again.",
        ),
        (
            "ab Juli startet das nightly backup um 02:00",
            "nightly",
            "Ab Juli, the nightly backup starts at 02:00 UTC (before: 01:00).",
        ),
    ],
)
def test_the_nearest_statement_is_meant_and_keeps_what_has_not_changed(said: str, which: str, becomes: str) -> None:
    assert meant(said).replaced == (which,)
    assert reworded(said, FACTS[which]) == becomes


@pytest.mark.parametrize(
    ("said", "statement", "becomes"),
    [
        # numbers
        ("prod is on 1.29 since Monday, staging went to 1.30", "Kubernetes is 1.29 on staging and 1.28 on prod.",
         "Prod is on 1.29 since Monday, staging went to 1.30."),  # two values at once: as it was typed
        ("the deadline is 04:30 now, start as before", "The load starts at 01:30 and must be finished by 05:00.",
         "The load starts at 01:30 and must be finished by 04:30."),
        ("deploys pause only from 7 to 9 now", "Nobody deploys on Mondays between 7 and 11.",
         "Nobody deploys on Mondays between 7 and 9."),
        ("photos are scaled to 1200 px now, 1600 was heavy on 3G", "Photos are scaled to 1600 px before upload.",
         "Photos are scaled to 1200 px before upload."),
        ("the test database listens on 50020", "The test database is db2:50010, the live one db1:50000.",
         "The test database is db2:50020, the live one db1:50000."),
        ("the job runs every five minutes now", "Le job tourne toutes les dix minutes.",
         "Le job tourne toutes les cinq minutes."),
        # from a day on, what was so until then is kept
        ("from 1 October the quota is 1 TB per query", "A query over 2 TB is killed by the quota.",
         "From 1 October, a query over 1 TB (before: 2) is killed by the quota."),
        # names
        ("`bin/promote` is now `bin/ship`", "Releases go out with `bin/promote` after the smoke test.",
         "Releases go out with `bin/ship` (formerly `bin/promote`) after the smoke test."),
        ("#pager has been renamed #oncall", "Alerts go to the channel #pager.",
         "Alerts go to the channel #oncall (formerly #pager)."),
        ("the bucket has been renamed to acme-media", "Uploads go into the bucket acme-clinical in eu-west-2.",
         "Uploads go into the bucket acme-media in eu-west-2."),
        ("run.sh is gone btw, it's hil/start.py", "The rig tests start with `./hil/run.sh` and take an hour.",
         "The rig tests start with `hil/start.py` (formerly `./hil/run.sh`) and take an hour."),
        ("we switched the dialogue from Ink to Twine", "Dialogue is written in Ink, files in narrative/*.ink.",
         "Dialogue is written in Twine (formerly Ink), files in narrative/*.ink."),
        ("uploading is Imogen's job, fyi", "Tarballs are signed and uploaded by Rasmus.",
         "Tarballs are signed and uploaded by Imogen."),
        ("the codec isn't Ana's any more, that's Ben; the radio stack she keeps",
         "Ana maintains the radio stack and the payload codec.",
         "Ana maintains the radio stack, Ben the payload codec."),
        ("Ana handed the API reviews over to Ben", "Ana designed the schema; API changes need her review.",
         "Ana designed the schema. Ana handed the API reviews over to Ben."),
        # the other half
        ("the PDF gem got a release, Ruby 3.3 is no longer blocked",
         "Rails 7.1 on Ruby 3.2; Ruby 3.3 is blocked by the PDF gem.",
         "Rails 7.1 on Ruby 3.2. The PDF gem got a release, Ruby 3.3 is no longer blocked."),
        ("no, depth is negative downwards", "Pressure is in dbar, depth is positive downwards.",
         "Pressure is in dbar. Depth is negative downwards."),
        ("the importer is fair game again", "lib/legacy_import is frozen for the audit. Don't refactor it.",
         "lib/legacy_import: the importer is fair game again."),
        ("per inch is okay in the playground", "Gauge is stitches per 10 cm, never per inch.",
         "Gauge is stitches per 10 cm, never per inch, except in the playground."),
    ],
)  # fmt: skip
def test_the_old_sentence_is_kept_with_the_part_that_changed(said: str, statement: str, becomes: str) -> None:
    assert reworded(said, statement) == becomes


def test_another_thing_with_a_number_is_not_a_new_number() -> None:
    assert not changed_parts("depot 99 is the returns centre", "Depot 0 is the test depot.")


@pytest.mark.parametrize(
    "said",
    [
        "do we still use flake8?",
        "is it true that the admin panel runs on port 3200? asking for the docs",
        "the admin panel also needs the env var PANEL_KEY",
        "reminders are sent at noon",
        "the tickets are in Linear, not Jira",
        "docker images carry the commit hash",
        "checkout emails need a sender domain",
        "no pylint either, same reason as with flake8",
    ],
)
def test_a_question_an_addition_and_another_thing_replace_nothing(said: str) -> None:
    assert meant(said).replaced == ()


def test_what_tells_of_no_change_and_shares_one_word_is_kept_beside_what_it_may_be_about(memory: Recollect) -> None:
    for text in FACTS.values():
        memory.remember(text)
    memory.correct("checkout emails need a sender domain")
    assert set(FACTS.values()) <= {entry.content for entry in memory.entries.list(status="active", limit=50)}


def test_two_sentences_do_not_name_old_and_new_together() -> None:
    assert "Berlin with" not in reworded("We moved to Berlin last week. Never use flake8.", FACTS["lint"])


def test_what_nobody_called_a_correction_replaces_only_where_it_tells_of_a_change() -> None:
    assert meant("the linter is flake8 and it is slow", asked=False).replaced == ()
    assert meant("the nightly report starts at 03:00 UTC now", asked=False).replaced == ()
    assert meant("we switched from flake8 to ruff", asked=False).replaced == ("lint",)


@pytest.mark.parametrize(
    ("said", "statement"),
    [
        ("the sidebar is collapsible now", "The sidebar is 240 pixels wide."),
        ("the sidebar is now collapsible", "The sidebar is 240 pixels wide."),
        ("we promote from staging to production by hand", "Deploys go to staging first."),
    ],
)
def test_what_is_said_of_a_thing_is_not_its_new_name(said: str, statement: str) -> None:
    assert reworded(said, statement) == tidy(said)


def test_several_that_are_equally_near_are_offered() -> None:
    statements = [
        Statement("a", "The dev server listens on port 8080."),
        Statement("b", "The preview is on port 9090."),
    ]
    found = find_meant("the port is 8081", statements, Frequencies(2, {"port": 2, "server": 1, "preview": 1}))
    assert (found.replaced, set(found.likely)) == ((), {"a", "b"})


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("no, the port is 8081", "The port is 8081."),
        ("hold on, actually: tests run in CI, thanks", "Tests run in CI."),
        ("`make ship` deploys, please use that in the docs", "`make ship` deploys."),
    ],
)
def test_a_lead_in_and_an_order_beside_it_are_left_out(said: str, kept: str) -> None:
    assert tidy(said) == kept


WORDS = (
    "we moved switched from to not no the port is now 8080 8081 pnpm bun Marta Ingrid a/b.py renamed only uses".split()
)


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=12), st.lists(st.sampled_from(WORDS), max_size=12))
def test_what_is_kept_has_no_word_that_nobody_said(said: list[str], statement: list[str]) -> None:
    kept = reworded(" ".join(said), " ".join(statement))
    assert set(terms(kept)) <= set(terms(" ".join([*said, *statement, "formerly"])))


@given(st.text(max_size=300), st.text(max_size=300))
def test_of_any_text_only_what_was_offered_is_meant(said: str, statement: str) -> None:
    found = find_meant(said, [Statement("a", statement)], Frequencies(1, {}))
    assert set(found.replaced + found.likely) <= {"a"}


@pytest.mark.parametrize("piece", ["no, ", "8080 ", "from a to b ", "`", "not ", "A ", "a/b ", "?", "is now "])
def test_a_long_correction_is_read_in_a_moment(piece: str) -> None:
    text = piece * (40_000 // len(piece))
    began = time.process_time()
    find_meant(text, [Statement("a", text[:4_000])], Frequencies(1, {}))
    reworded(text, text[:4_000])
    is_question(text)
    assert time.process_time() - began < 20, "with the square of the length it would take hours"


# -- through the door


def test_a_correction_in_ordinary_words_changes_one_part_of_one_entry(memory: Recollect) -> None:
    kept = {key: memory.remember(text).entry_id for key, text in FACTS.items()}
    said = "btw the admin panel is on 3200 now, 3100 clashed with grafana"
    outcome = memory.correct(said)
    assert outcome.superseded == (kept["panel"],)
    entry = memory.entries.get(outcome.entry_id)
    assert entry.content == "The admin panel runs on port 3200 locally; the shop is on 3000."
    assert entry.citations[-1].quote == said, "the words it was said in are kept"
    memory.undo()
    assert memory.entries.get(kept["panel"]).status == "active"


def test_a_question_changes_nothing(memory: Recollect) -> None:
    memory.remember(FACTS["lint"])
    with pytest.raises(Refused, match="a question"):
        memory.correct("do we still use flake8?")
    assert len(memory.entries.list()) == 1


def test_an_unsure_correction_is_stored_and_marked_as_a_conflict(memory: Recollect) -> None:
    first = memory.remember("The dev server listens on port 8080.").entry_id
    second = memory.remember("The admin console listens on port 9090.").entry_id
    outcome = memory.correct("actually the port is 8081")
    assert (outcome.status, outcome.superseded) == ("stored", ())
    assert set(outcome.conflicts) == {first, second}
    assert memory.entries.get(first).status == memory.entries.get(second).status == "active"
    assert len(memory.entries.conflicts()) == 1


def test_two_statements_with_the_old_value_are_both_corrected(memory: Recollect) -> None:
    first = memory.remember("On the Android emulator the backend is 10.0.2.2 port 8080.").entry_id
    second = memory.remember("On the iOS simulator the backend is localhost port 8080.").entry_id
    outcome = memory.correct("the backend is on 8090, not 8080, on the emulator and on the simulator")
    assert set(outcome.superseded) == {first, second}
    assert sorted(entry.content for entry in memory.entries.list(status="active")) == [
        "On the Android emulator the backend is 10.0.2.2 port 8090.",
        "On the iOS simulator the backend is localhost port 8090.",
    ]


def test_bun_then_pnpm_then_bun_again_ends_with_bun(memory: Recollect) -> None:
    memory.remember("This repository uses npm.")
    for said in ("no, we moved to bun, not npm", "we switched from bun to pnpm", "we are back on bun instead of pnpm"):
        memory.correct(said)
    [entry] = memory.entries.list(status="active")
    assert "bun" in entry.content.split("(")[0]


def test_a_tool_named_alone_takes_the_place_of_another_of_its_kind(memory: Recollect) -> None:
    memory.remember("We use pnpm, not npm, in this repository.")
    memory.remember("The docs site is built with Hugo.")
    for said in ("we moved to bun", "back to pnpm", "actually bun again"):
        memory.correct(said)
    memory.correct("we also use yarn in the examples")
    kept = {entry.content for entry in memory.entries.list(status="active")}
    assert kept == {
        "We use bun, not npm, in this repository.",
        "The docs site is built with Hugo.",
        "we also use yarn in the examples",
    }


def test_a_day_that_is_another_one_tomorrow_is_written_out(memory: Recollect) -> None:
    memory.remember("Staging deploys happen every Friday.")
    memory.correct("from next week staging deploys happen daily")
    [entry] = memory.entries.list(status="active")
    assert "next week" not in entry.content
    assert "staging deploys happen daily" in entry.content


@pytest.mark.parametrize(
    ("said", "statement", "becomes"),
    [
        (
            "no, this repository uses yarn, not pnpm",
            "This repository uses pnpm, not npm.",
            "This repository uses yarn, not pnpm.",
        ),
        (
            "We use yarn, not pnpm.",
            "This repository uses pnpm with a lockfile, not npm.",
            "This repository uses yarn with a lockfile, not npm.",
        ),
        ("uses yarn, not pnpm", "This repository uses pnpm, not npm.", "This repository uses yarn, not pnpm."),
        ("we moved to bun", "We use pnpm, not npm, here.", "We use bun, not npm, here."),
        ("We use bun, never use pnpm here.", "We use pnpm, not npm, here.", "We use bun, never use pnpm here."),
        ("hold on, we use bun again since today, not pnpm", "We use bun, never use pnpm here.",
         "We use bun again since today, not pnpm."),
        ("we're off uv, back to poetry", "Dependencies with uv, `uv sync` to set up.",
         "Dependencies with poetry, `poetry sync` to set up."),
        ("btw metrics are on :9100 now", "Metrics are served on :9090, the health probe answers on :8081.",
         "Metrics are served on :9100, the health probe answers on :8081."),
        ("as of today we ship on Wednesdays", "We ship releases on Mondays.", "We ship releases on Wednesdays."),
        ("we ship on Fridays now", "We ship on Mondays and Tuesdays before noon.", "We ship on Fridays now."),
        ("the db isn't postgres, it's mysql", "The database is postgres 16.", "The database is mysql."),
        ("the API switched to GraphQL", "The API uses REST with JSON.", "The API uses GraphQL with JSON."),
    ],
)  # fmt: skip
def test_what_a_thing_is_not_changes_with_what_it_is_unless_something_else_would_be_lost(
    said: str, statement: str, becomes: str
) -> None:
    assert reworded(said, statement) == becomes


def test_a_pronoun_is_never_the_name_that_a_correction_changes() -> None:
    old = "The rules live in AGENTS.md. We also review the shell scripts of every theme."
    said = "and then We need a review of all the JavaScript files too"
    assert "JavaScript also" not in reworded(said, old)


def test_a_word_that_only_begins_a_sentence_is_not_taken_for_a_name() -> None:
    units = "Distances are always in metres, everywhere in the domain."
    assert not changed_parts("Domain classes must not import anything from Spring.", units)
    assert reworded("Frio turned into Camara.", "The cold room is called Frio.") == "The cold room is called Camara."


@pytest.mark.parametrize(
    ("said", "statement"),
    [
        ("the API is on 9443, not 8080", "The API listens on 9443."),
        ("deploys go to Fly, not Heroku", "Deploys go to Fly."),
        ("no, sessions are in Redis db 3, not db 1", "Redis db 3 holds sessions, Redis db 2 holds the cart cache."),
    ],
)
def test_a_correction_that_is_said_again_does_not_bring_back_what_it_gives_up(said: str, statement: str) -> None:
    assert changed_parts(said, statement) == []
    assert reworded(said, statement) == statement
