"""Golden cases as real repositories, with their facts in a memory."""

from __future__ import annotations

from pathlib import Path

from recollect import Recollect
from recollect.model.drafts import Draft
from tests.conftest import git
from tests.suggestions.golden_cases import CASES, GoldenCase

BY_NAME = {case.name: case for case in CASES}


def make_case(name: str, folder: Path, user: Path) -> GoldenCase:
    """Write a golden case to disk and commit it; what it deleted was there before."""
    case = BY_NAME[name]
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "-q", "-b", "main")
    git(folder, "remote", "add", "origin", f"git@github.com:owner/{name}.git")
    for path in case.deleted:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text("once\n")
    if case.deleted:
        git(folder, "add", "-A")
        git(folder, "commit", "-qm", "what was there once")
        for path in case.deleted:
            (folder / path).unlink()
    for path, text in case.files.items():
        place = user / path[2:] if path.startswith("~/") else folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.encode())
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "as it is")
    return case


def learn(memory: Recollect, case: GoldenCase, *, only: str = "") -> list[str]:
    """Store the facts of a case that lead somewhere, and the proof of commands; returns the ids of the facts."""
    stored = []
    for golden in case.facts:
        fact = golden.fact
        if only and only not in fact.content:
            continue
        if fact.command and not fact.content.startswith(f"`{fact.command}`"):
            learn_command(memory, fact.command)
        outcome = memory.remember(
            fact.content,
            scope=fact.scope,  # type: ignore[arg-type]
            tags=("command",) if fact.content.startswith("`") and fact.command else (),
            confidence=fact.confidence,
        )
        stored.append(outcome.entry_id)
    return stored


def learn_command(memory: Recollect, command: str) -> None:
    """What logs prove: this command works here."""
    from recollect.flows.writes.write import write
    from recollect.model.drafts import Add

    draft = Draft(
        f"`{command}` works here.",
        repository=memory.repository.repository,
        tags=("command",),
        source="system",
        origin="assistant",
        confidence=0.95,
    )
    write([Add(draft)], memory.opened.writer("system"))


def tree(folder: Path) -> dict[str, bytes]:
    """Every file of a folder but git's own."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".git/" not in f"{path.relative_to(folder)}/"
    }
