"""Shared facts: what stays out of the team's file, what leaves it, and what it may hold without harm."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from recollect.flows.suggestions.sharing import read_shared

SHARED = ".github/memories/facts.json"


@pytest.fixture
def sharing(open_memory, repository: Path):
    return open_memory(repository, RECOLLECT_SHARING__FACTS="true")


def share(repository: Path, *facts: dict[str, object], **more: object) -> None:
    """Write the file as a teammate would."""
    (repository / SHARED).parent.mkdir(parents=True, exist_ok=True)
    (repository / SHARED).write_text(json.dumps({"version": 1, "facts": facts, **more}))


def shared(repository: Path) -> list[dict[str, object]]:
    return json.loads((repository / SHARED).read_text())["facts"]


@pytest.mark.parametrize("reason", ["ada@example.com said so", "see https://example.com/r?token=abc123def"])
def test_a_reason_that_belongs_in_no_file_is_neither_shared_nor_read(sharing, repository: Path, reason: str) -> None:
    share(repository, {"id": "e_theirs", "content": "Feature flags live in `flags.yml`.", "reason": reason})
    assert read_shared(sharing.opened) == 1
    [waiting] = sharing.opened.store.candidates.waiting()
    assert reason not in repr(waiting)
    (repository / SHARED).unlink()
    sharing.facts.add("Deploys go through `deploy.sh`.", reason=reason)
    sharing.facts.add("Staging is rebuilt by `rebuild.sh`.", reason="said twice")
    assert {one["reason"] for one in shared(repository)} == {"", "said twice"}


def test_what_is_erased_leaves_the_shared_file_with_its_earlier_versions(sharing, repository: Path) -> None:
    old = sharing.facts.add("Deploys go through `deploy.sh`.")
    kept = sharing.facts.add("Staging is rebuilt by `rebuild.sh`.")
    new = sharing.edit(old.fact_id, text="Deploys go through `bin/deploy.sh`.")
    again = {"id": "e_theirs", "content": "Deploys go through `bin/deploy.sh`."}
    share(repository, *shared(repository), again)
    sharing.forget(new.entry_id, hard=True)
    assert [one["id"] for one in shared(repository)] == [kept.fact_id]
    sharing.facts.add("Feature flags live in `flags.yml`.")
    assert "deploy.sh" not in (repository / SHARED).read_text()


@pytest.mark.parametrize("timestamp", ["2026-01-01", None, [], float("nan"), float("inf"), True])
def test_a_teammates_odd_timestamp_does_no_harm(sharing, repository: Path, timestamp: object) -> None:
    theirs = {"id": "e_theirs", "content": "Feature flags live in `flags.yml`.", "timestamp": timestamp}
    share(repository, theirs, lastExtractionTime={"workspace": timestamp, "user": timestamp})
    mine = sharing.facts.add("Deploys go through `deploy.sh`.")
    assert [one["id"] for one in shared(repository)] == ["e_theirs", mine.fact_id]
