"""The artifacts of a project as people and agents use them: read, clear, undo, rebuild, and how things stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.autonomous.blocks import parsed
from recollect.autonomous.keeping import Baseline, baseline_of
from recollect.errors import NotFound, Refused, StoreError
from recollect.files import artifacts
from recollect.flows.autonomous.consolidate import NOTHING_YET, consolidate
from recollect.flows.autonomous.consolidate import expected_tokens as consolidation_tokens
from recollect.flows.autonomous.due import input_version, leave_consolidation, leave_due
from recollect.flows.autonomous.extract import expected_tokens as extraction_tokens
from recollect.flows.autonomous.extract import extract
from recollect.flows.autonomous.failures import failure
from recollect.flows.autonomous.passed_over import why_empty
from recollect.flows.turns.session_start import memory_guidance
from recollect.model.artifacts import CLEARED_AT, FOLDER, UNDONE
from recollect.model.hosts import TITLES
from recollect.model.jobs import CONSOLIDATE, EXTRACT, MEMORIES
from recollect.model.record import Record
from recollect.sessions.eligible import is_throw_away, kept_out
from recollect.store.extractions import CLEARED
from recollect.store.home_values import home_values_under, take_home_value

if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.flows.autonomous.consolidate import Consolidated
    from recollect.flows.opened import Opened
    from recollect.model.jobs import Job
    from recollect.model.sessions import Session

    Progress = Callable[[str, int, int], None]

MEMORY, SUMMARY = artifacts.TOP
COUNT_SECONDS = 0.2  # the longest that counting a read waits for whoever writes
NOTHING = "Nothing has been written about this project yet."


class Built(Record):
    """What a rebuild did."""

    sessions: int
    consolidated: Consolidated
    detail: str = ""  # why there is nothing at all


def build(
    repository: str,
    memory: Opened,
    *,
    progress: Progress = lambda *_: None,
    forced: bool = False,
    by_rules: bool = False,
) -> Built:
    """Bring a project up to date here and now: extract what has changed, whatever its age, and consolidate."""
    store, found = memory.store, changed_sessions(repository, memory)
    for number, session in enumerate(found, 1):
        extract(session, memory, by_rules=by_rules)
        store.jobs.note_processed(EXTRACT, session.session_id, input_version(session), now=memory.now)
        progress(session.title or TITLES.get(session.host, session.host), number, len(found))
    made = consolidate(repository, memory, forced=forced, by_rules=by_rules)
    return Built(len(found), made, why_empty(repository, memory) if made.why == NOTHING_YET else "")


def changed_sessions(repository: str, memory: Opened) -> list[Session]:
    """Sessions of a repository that changed since they were extracted, oldest first, whatever their age."""
    store, exclude = memory.store, memory.settings.exclude
    listed = [session for session, _ in store.sessions.listed(repository=repository)]
    cleared = store.extractions.cleared()
    found = [
        one
        for one in listed
        if one.session_id not in cleared
        and not kept_out(one, exclude)
        and not is_throw_away(one)
        and store.jobs.watermark(EXTRACT, one.session_id) < input_version(one)
    ]
    return found[: memory.settings.memories.max_raw_memories][::-1]


class Standing(Record):
    """How the memory of a project stands."""

    repository: str
    folder: str
    version: str
    baseline: Baseline
    files: tuple[str, ...]
    extractions: int
    jobs: tuple[Job, ...]
    enabled: bool
    can_undo: bool
    failed: str = ""  # why the last answer of a model did not hold
    why_empty: str = ""  # why nothing is written yet, and what to do


class Artifacts:
    """The artifacts of this repository."""

    def __init__(self, memory: Opened) -> None:
        self._memory = memory
        self._store = memory.store
        self.repository = memory.repository.repository

    @property
    def project(self) -> str:
        """The folder of this project in the home."""
        return artifacts.project_folder(self._memory.home.projects, self.repository)

    # -- reading

    def names(self) -> list[str]:
        """The artifacts that exist."""
        return artifacts.names(artifacts.current_folder(self.project))

    def read(self, name: str, block_id: str = "") -> str:
        """An artifact, or one block of it. That it was read is counted."""
        text = artifacts.read(artifacts.current_folder(self.project), name)
        if block_id:
            found = [one.text for one in parsed(text).passages if one.block_id == block_id]
            if not found:
                raise NotFound(f"{name} has no block {block_id}.")
            text = found[0] + "\n"
        self._note_use(name, block_id)
        return text

    def look(self, name: str) -> str:
        """An artifact for a person who looks through them; that is not counted as a use."""
        return artifacts.read(artifacts.current_folder(self.project), name)

    def summary(self) -> str:
        """The summary; NotFound when there is none."""
        if SUMMARY not in self.names():
            raise NotFound(self._nothing())
        return self.read(SUMMARY)

    def view(self) -> str:
        """Exactly what a session would be given at its start, whether or not that is switched on."""
        text = memory_guidance(self._memory, anyway=True)
        if not text:
            raise NotFound(
                self._nothing() if not self.names() else "The summary is empty; `recollect read memory://root`."
            )
        return text

    def _note_use(self, name: str, block_id: str) -> None:
        """Count it, without waiting for whoever writes just now."""
        baseline = self._baseline() if block_id else Baseline()
        sessions = {key.split("#")[0] for key in baseline.keys.get(block_id, ())}
        try:
            with self._store.write(durable=False, wait_seconds=COUNT_SECONDS):
                self._store.extractions.note_use(self.repository, block_id or name, now=self._memory.now)
                for session_id in sorted(sessions):
                    self._store.extractions.note_session_use(session_id, now=self._memory.now)
        except StoreError:
            return  # reading goes on: a count is not worth waiting for

    def _baseline(self) -> Baseline:
        try:
            return baseline_of(artifacts.read(artifacts.current_folder(self.project), artifacts.BASELINE))
        except NotFound:
            return Baseline()

    def _nothing(self) -> str:
        return f"{NOTHING} {why_empty(self.repository, self._memory)}"

    # -- making

    def enqueue(self) -> int:
        """Let everything be brought up to date by the next worker, cleared sessions included; how many sessions."""
        store, now = self._store, self._memory.now
        with store.write():
            self._allow_again()
            found = changed_sessions(self.repository, self._memory)
            for session in found:
                payload = {"session": session.session_id, "cwd": session.cwd, "forced": "yes"}
                store.jobs.add(EXTRACT, session.session_id, payload, now=now)
            leave_consolidation(self.repository, self._memory.folder, store, forced=True, now=now)
        return len(found)

    def build(self, *, progress: Progress = lambda *_: None, forced: bool = False) -> Built:
        """Bring this project up to date here and now."""
        return build(self.repository, self._memory, progress=progress, forced=forced)

    def rebuild(self, *, progress: Progress = lambda *_: None) -> Built:
        """As build, with what was cleared, and also when nothing changed."""
        with self._store.write():
            artifacts.mend(self.project)
            self._allow_again()
            self._store.jobs.drop((CONSOLIDATE,), self.repository)  # this is what it waits for
        return self.build(progress=progress, forced=True)

    def _allow_again(self) -> None:
        """Cleared sessions may be extracted again: what was processed of them is forgotten. Needs a write()."""
        for session_id in self._store.extractions.cleared_of(self.repository):
            self._store.jobs.forget_processed(EXTRACT, session_id)
        self._store.extractions.allow_again(self.repository)

    def expected_tokens(self) -> int:
        """What a rebuild would take of a model, about; 0 when rules do it."""
        found = changed_sessions(self.repository, self._memory)
        extraction = sum(extraction_tokens(one, self._memory) for one in found)
        return extraction + consolidation_tokens(self.repository, self._memory)

    def leave_due(self) -> int:
        """Leave work for what is due everywhere; returns how many sessions."""
        return leave_due(self._memory).sessions

    # -- clearing, and taking it back

    def clear(self, *, everywhere: bool = False) -> list[str]:
        """Delete what the pipeline knows and its artifacts, of this repository or of all; returns whose.

        It can be undone until the next run. Cleared sessions are not extracted again by themselves."""
        names = self._known_repositories() if everywhere else [self.repository]
        cleared = []
        for name in names:
            project = artifacts.project_folder(self._memory.home.projects, name)
            with self._store.write():
                artifacts.mend(project)
                self._drop_sources(name)
                if not self._store.extractions.count(name)[0] and not artifacts.version(project):
                    continue  # so that what was cleared before can still be brought back
                self._store.extractions.clear(name)
                self._store.extractions.forget_uses(name)
                artifacts.put_away(project)
                self._store.set_home_value(CLEARED_AT + name, str(self._memory.now))
                cleared.append(name)
        return cleared

    def _known_repositories(self) -> list[str]:
        """Those that sessions left something for, and those that have files."""
        with_files = home_values_under(self._store.database, FOLDER)
        return sorted({*self._store.extractions.repositories(), *with_files})

    def _drop_sources(self, repository: str) -> None:
        """What waits, and what a model said, would make again what is cleared. Needs a write()."""
        jobs, sessions = self._store.jobs, self._store.sessions
        jobs.drop((CONSOLIDATE,), repository)
        for session, _ in sessions.listed(repository=repository):
            jobs.drop((EXTRACT,), session.session_id)
            sessions.forget_answer(session.session_id)

    def undo(self) -> str:
        """Take back the last clearing, or else the last version; says what is there again."""
        project, store = self.project, self._store
        with store.write():
            if artifacts.bring_back(project) or store.extractions.of_repository(self.repository, CLEARED):
                store.extractions.bring_back(self.repository)
                take_home_value(store.database, CLEARED_AT + self.repository)
                return "what was cleared"
            baseline = self._baseline()
            if not artifacts.has_version(project, baseline.previous):
                raise Refused("There is nothing to undo here.")
            artifacts.point(project, baseline.previous)
            store.set_home_value(UNDONE + self.repository, baseline.inputs)
        return f"version {baseline.previous}"

    def status(self) -> Standing:
        """The queue, the last run and what it cost."""
        jobs = self._store.jobs.of_kinds((MEMORIES, EXTRACT, CONSOLIDATE))
        version, baseline = artifacts.version(self.project), self._baseline()
        return Standing(
            self.repository,
            artifacts.current_folder(self.project),
            version,
            baseline,
            tuple(self.names()),
            self._store.extractions.count(self.repository)[0],
            tuple(jobs),
            self._memory.settings.memories.enabled,
            bool(artifacts.version(self.project, artifacts.CLEARED))
            or bool(self._store.extractions.of_repository(self.repository, CLEARED))
            or artifacts.has_version(self.project, baseline.previous),
            failure(self.repository, self._memory).why,
            "" if version else why_empty(self.repository, self._memory),
        )
