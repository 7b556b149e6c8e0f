"""Remarks from a session become suggestions that read as if they had been written down."""

from __future__ import annotations

import pytest

from recollect.flows.suggestions.applying import Written
from recollect.suggestions.phrasing import in_code
from recollect.suggestions.spoken import statements, written
from tests.suggestions.test_modes import Desk


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("No, use tabs.", "Use tabs."),
        ("Looks ok, but enum values carry the enum's name.", "Enum values carry the enum's name."),
        ("Please remember that totals are rounded.", "Totals are rounded."),
        ("And pnpm is what we use.", "pnpm is what we use."),
        ("Mengen sind bei uns immer Decimal.", "Mengen sind immer Decimal."),
        ("Use tabs. That's the rule here.", "Use tabs."),
        ("Run go test ./... before you push, CI does too.", "Run `go test ./...` before you push, CI does too."),
        ("Tests run in CI.", "Tests run in CI."),
        ("No inline styles.", "No inline styles."),
        ("Good commit messages name the ticket.", "Good commit messages name the ticket."),
        ("Keep functions short.", "Keep functions short."),
    ],
)
def test_only_what_belongs_to_the_conversation_is_left_out(said: str, meant: str) -> None:
    assert written(said) == meant
    assert written(meant) == meant


def test_two_things_said_in_one_breath_are_two_statements() -> None:
    assert statements("We don't use default exports; and feature flags live in `src/flags.ts`.") == [
        "We don't use default exports.",
        "Feature flags live in `src/flags.ts`.",
    ]
    together = "Tests need the sandbox; and the sandbox needs docker."
    assert statements(together) == [together]


def test_names_of_code_are_put_in_backticks_and_words_are_not() -> None:
    said = "In src/api use formatDate, db_session, a.b/c.ts and MAX_SIZE; prefer async/await and/or gRPC on macOS."
    assert in_code(said) == (
        "In `src/api` use `formatDate`, `db_session`, `a.b/c.ts` and `MAX_SIZE`; prefer async/await and/or gRPC on macOS."
    )


def test_each_statement_of_a_remark_is_suggested_once_and_decided_by_itself(tmp_path, clock) -> None:
    desk = Desk(tmp_path, clock)
    desk.turn("Never log customer names in `src/api`; and staging deploys run from the `deploy` branch.")
    first, second = desk.suggestions()
    assert first.fact_ids == second.fact_ids
    with desk.open() as memory:
        memory.suggestions.dismiss(first.suggestion_id)
        assert memory.suggestions.reconcile().added == ()
        assert [one.suggestion_id for one in memory.suggestions.list()] == [second.suggestion_id]


def test_reconcile_reads_imported_sessions_in_every_mode(tmp_path, clock) -> None:
    desk = Desk(tmp_path, clock)
    desk.log.typed("From now on, never edit files in `src/generated` by hand.").answered("Understood.")
    desk.log.write()
    with desk.open() as memory:
        memory.sessions.import_logs(memory.sessions.logs()[0])
        assert [one.fact for one in memory.suggestions.reconcile().added] == [
            "Never edit files in `src/generated` by hand."
        ]


def test_several_suggestions_for_a_numbered_list_are_applied_one_after_another(tmp_path, clock) -> None:
    desk = Desk(tmp_path, clock)
    rules = desk.repository / "AGENTS.md"
    rules.write_text("# Shop\n\n## Conventions\n\n1. Keep it small.\n")
    desk.turn("Never log customer names.", "Staging deploys run from the `deploy` branch.", "Never retry a payment.")
    with desk.open() as memory:
        mine = [one for one in memory.suggestions.list() if one.target == "AGENTS.md"]
        for one in mine:
            assert isinstance(memory.suggestions.apply(one.suggestion_id), Written)
    numbers = [line.partition(".")[0] for line in rules.read_text().splitlines() if line[:1].isdigit()]
    assert numbers == ["1", "2", "3", "4"]
