"""Erase a text from the memory of projects: from what sessions left, from the files, and from the versions for undo."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.autonomous.blocks import parsed
from recollect.autonomous.keeping import baseline_of, mark
from recollect.autonomous.lasting import lasting
from recollect.autonomous.raw import RawMemory, from_text, to_text
from recollect.autonomous.validating import MEMORY, SUMMARY
from recollect.files import artifacts
from recollect.flows.autonomous.due import leave_consolidation
from recollect.flows.autonomous.failures import forget_failure
from recollect.model.artifacts import FOLDER
from recollect.store.extractions import CLEARED, LIVE
from recollect.store.home_values import home_values_under
from recollect.text.language.statements import statement_key

if TYPE_CHECKING:
    from collections.abc import Iterable

    from recollect.flows.opened import Opened
    from recollect.store.extractions import Extraction


def erase_from_artifacts(contents: Iterable[str], memory: Opened) -> list[str]:
    """Take what these entries say out of the memory of every project; returns the projects that held it.

    Blocks that cite it only as what was said before come back, without it, with the next consolidation, which is left
    as a job. No version before is kept."""
    erased: list[str] = []
    for repository in sorted(_repositories(memory)):
        with memory.store.write():
            if _erase_in(repository, list(contents), memory):
                forget_failure(repository, memory)
                leave_consolidation(repository, memory.folder, memory.store, forced=True, now=memory.now)
                erased.append(repository)
    return erased


def _repositories(memory: Opened) -> set[str]:
    rows = memory.store.extractions
    return {*rows.repositories(LIVE), *rows.repositories(CLEARED), *home_values_under(memory.store.database, FOLDER)}


def _erase_in(repository: str, contents: list[str], memory: Opened) -> bool:
    """Was anything of it there? Needs a write()."""
    texts = {_plain(text) for content in contents for text in (content, lasting(content))}
    keys = {statement_key(content) for content in contents} - {""}
    rows = [one for status in (LIVE, CLEARED) for one in memory.store.extractions.of_repository(repository, status)]
    for row in rows:
        texts |= {_plain(line.text) for line in from_text(row.content)[0] if line.key in keys}
    texts.discard("")
    found = [_erase_row(row, texts, memory) for row in rows]
    return any([*found, _erase_files(repository, texts, memory)])


def _erase_row(row: Extraction, texts: set[str], memory: Opened) -> bool:
    lines, tasks = from_text(row.content)
    kept = tuple(one for one in lines if not _says(one.text, texts))
    left = tuple(one for one in tasks if not _says(f"{one.title}\n{one.says}", texts))
    synopsis = "" if _says(row.synopsis, texts) else row.synopsis
    if (kept, left, synopsis) == (lines, tasks, row.synopsis):
        return False
    content = to_text(RawMemory(row.session_id, row.repository, lines=kept, tasks=left))
    memory.store.extractions.save(row._replace(content=content, synopsis=synopsis))
    return True


def _erase_files(repository: str, texts: set[str], memory: Opened) -> bool:
    """Publish the files without it, and keep no other version."""
    project = artifacts.project_folder(memory.home.projects, repository)
    artifacts.mend(project)
    version = artifacts.version(project)
    held = any(_says(text, texts) for text in artifacts.every_text(project))
    if not held:
        return False
    if version:
        artifacts.publish(project, artifacts.stage(project, _without(artifacts.current_folder(project), texts)))
        artifacts.prune(project, keep=())
    artifacts.forget_cleared(project)
    return True


def _without(folder: str, texts: set[str]) -> dict[str, str]:
    """The files of a set without what says this; its baseline knows nothing of what is gone, so that it may return."""
    files = artifacts.read_all(folder)
    baseline = baseline_of(files.pop(artifacts.BASELINE, ""))
    document = parsed(files.get(MEMORY, ""))
    gone = {one.block_id for one in document.passages if _says(one.text, texts)}
    document = document._replace(passages=tuple(one for one in document.passages if not _says(one.text, texts)))
    files[MEMORY] = document.text()
    lines = files.get(SUMMARY, "").splitlines(keepends=True)
    files[SUMMARY] = "".join(line for line in lines if not _says(line, texts))
    files = {name: text for name, text in files.items() if not _says(text, texts)}
    there = {mark(line) for line in files.get(SUMMARY, "").splitlines()}
    fresh = baseline._replace(
        inputs="",
        blocks={name: one for name, one in baseline.blocks.items() if name not in gone},
        keys={name: one for name, one in baseline.keys.items() if name not in gone},
        summary=tuple(one for one in baseline.summary if one in there),
        skills={name: one for name, one in baseline.skills.items() if f"skills/{name}/SKILL.md" in files},
        files={name: mark(text) for name, text in files.items()},
        previous="",
    )
    return {**files, artifacts.BASELINE: fresh.text()}


def _says(text: str, texts: set[str]) -> bool:
    plain = _plain(text)
    return any(one in plain for one in texts)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
