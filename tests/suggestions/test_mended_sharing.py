"""Shared facts: what stays out of the team's file, what leaves it, and what it may hold without harm."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from recollect.flows.suggestions.sharing import read_shared
from recollect.suggestions.named import command_is_there
from tests.conftest import git

SHARED = ".github/memories/facts.json"


@pytest.fixture
def sharing(open_memory, repository: Path):
    return open_memory(repository, RECOLLECT_SHARING__FACTS="true")


def share(repository: Path, *facts: Mapping[str, object], **more: object) -> None:
    """Write the file as a teammate would."""
    (repository / SHARED).parent.mkdir(parents=True, exist_ok=True)
    (repository / SHARED).write_text(json.dumps({"version": 1, "facts": facts, **more}))


def shared(repository: Path) -> list[dict[str, object]]:
    return list(json.loads((repository / SHARED).read_text())["facts"])


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


def commit(repository: Path, files: dict[str, str]) -> None:
    """Write these files, or remove those without text, and commit."""
    for name, text in files.items():
        path = repository / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text) if text else path.unlink()
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "change")


def gone(memory) -> list[tuple[str, int, str]]:
    return [(one.file, one.line, one.what) for one in memory.suggestions.check() if one.check == "gone"]


def test_check_lets_ordinary_lines_be_and_finds_what_was_deleted(memory, repository: Path) -> None:
    lines = (
        "# Here\n\n- Never use `print()`.\n- Copy `config/example.yml` to `config/local.yml`.\n- Run `pnpm tsc`.\n"
        "- In the web package, run `pnpm run storybook`.\n"
    )
    before = {
        "AGENTS.md": lines,
        "config/example.yml": "a: 1\n",
        "package.json": '{"scripts": {"lint": "x"}}',
        "packages/web/package.json": '{"scripts": {"storybook": "x"}}',
        "src/load.py": "def load_all():\n    print()\n",
        "packages/web/src/old.ts": "export {}\n",
    }
    commit(repository, before)
    assert gone(memory) == []
    (repository / "AGENTS.md").write_text(lines + "- Call `load_all()` first.\n- Run `pnpm run typecheck`.\n")
    (repository / "packages/web/AGENTS.md").write_text("- See `src/old.ts`.\n")
    commit(repository, {"src/load.py": "", "packages/web/src/old.ts": ""})
    assert gone(memory) == [
        ("AGENTS.md", 7, "load_all"),
        ("AGENTS.md", 8, "pnpm run typecheck"),
        ("packages/web/AGENTS.md", 1, "src/old.ts"),
    ]


@pytest.mark.parametrize(
    ("command", "there"),
    [("pnpm lint", True), ("pnpm tsc", None), ("npm run lint", True), ("npm run nothing", False), ("npm test", None),
     ("make web", True), ("make nothing", False), ("just nothing", None)],
)  # fmt: skip
def test_a_command_is_looked_for_in_every_manifest(command: str, there: bool | None) -> None:
    manifests = {
        "package.json": '{"scripts": {}}',
        "a/package.json": '{"scripts": {"lint": "x"}}',
        "b/Makefile": "web:\n",
    }
    assert command_is_there(command, manifests) is there


def test_check_names_the_line_of_a_shared_fact(memory, repository: Path) -> None:
    facts = [
        {"id": "e_1", "content": "Flags live in `flags.yml`.", "citations": ["README.md"]},
        {"content": "Größen stehen in `sizes.yml`.", "citations": ["sizes.yml:1-2"]},
        {"id": "e_3", "content": "Odd.", "citations": 5},
    ]
    (repository / SHARED).parent.mkdir(parents=True)
    (repository / SHARED).write_text(json.dumps({"facts": facts}, indent=2))
    [(file, line, _)] = gone(memory)
    assert file == SHARED
    assert "sizes.yml" in (repository / SHARED).read_text().splitlines()[line - 1]
