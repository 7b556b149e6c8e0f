"""What becomes of the memory of a project when things happen at the same time, or in an unusual order."""

from __future__ import annotations

import copy
import shutil
from pathlib import Path

import pytest

from recollect.files import artifacts
from recollect.flows.autonomous.background import extract_in_background
from recollect.flows.autonomous.consolidate import consolidate
from recollect.flows.autonomous.due import leave_extraction
from recollect.model.commits import GitEvidence
from recollect.model.jobs import CONSOLIDATE, EXTRACT
from tests.conftest import Clock
from tests.flows.autonomous.test_pipeline import HERE, Shed


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Shed:
    """Two sessions of a project, written up once."""
    shed = Shed(tmp_path_factory.mktemp("mended"), Clock(), sessions=2)
    with shed.open() as memory:
        memory.artifacts.build()
    return shed


@pytest.fixture
def shed(made: Shed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shed:
    """A copy of it; git is asked elsewhere."""
    monkeypatch.setattr("recollect.flows.autonomous.gathering.git_evidence", lambda _: GitEvidence())
    shed = copy.copy(made)
    shed.home_path = tmp_path / "home"
    shutil.copytree(made.home_path, shed.home_path)
    shed.environ = {**made.environ, "RECOLLECT_HOME": str(shed.home_path)}
    return shed


def ours() -> None:
    """The job is still ours."""


# -- clearing


def test_what_waits_does_not_make_again_what_was_cleared(shed: Shed) -> None:
    with shed.open() as memory:
        store = memory.opened.store
        for session, _ in store.sessions.listed(repository=HERE):
            store.jobs.forget_processed(EXTRACT, session.session_id)
            leave_extraction(session, store, now=shed.clock())
        memory.artifacts.clear()
        assert store.jobs.of_kinds((EXTRACT, CONSOLIDATE)) == []
        assert extract_in_background(session.session_id, memory.opened, require_ours=ours).was_cleared
        assert store.extractions.count(HERE)[0] == 0
        assert store.jobs.of_kinds((CONSOLIDATE,)) == []
        assert memory.artifacts.undo() == "what was cleared"
        assert store.extractions.count(HERE)[0] == 2


def test_a_session_cleared_while_it_is_read_stays_cleared(shed: Shed) -> None:
    with shed.open() as memory:
        session = memory.opened.store.sessions.listed(repository=HERE)[0][0]
        extract_in_background(session.session_id, memory.opened, require_ours=memory.artifacts.clear)
        assert memory.opened.store.extractions.count(HERE)[0] == 0


# -- at the same time


def test_the_current_version_is_never_removed(shed: Shed) -> None:
    with shed.open() as memory:
        project = memory.artifacts.project
        first = artifacts.version(project)
        artifacts.publish(project, artifacts.stage(project, {"MEMORY.md": "newer\n"}))
        artifacts.prune(project, keep=(first,))
        assert memory.artifacts.read("MEMORY.md") == "newer\n"
        assert artifacts.has_version(project, first)


def test_what_was_cleared_while_a_set_was_made_stays_cleared_and_can_be_undone(shed: Shed) -> None:
    with shed.open() as memory:
        before = memory.artifacts.read("MEMORY.md")
        assert consolidate(HERE, memory.opened, forced=True, require_ours=memory.artifacts.clear).why
        assert memory.artifacts.names() == []
        assert memory.opened.store.jobs.of_kinds((CONSOLIDATE,)) == []
        assert memory.artifacts.undo() == "what was cleared"
        assert memory.artifacts.read("MEMORY.md") == before


def test_what_somebody_wrote_while_a_set_was_made_is_not_lost(shed: Shed) -> None:
    with shed.open() as memory:
        path = Path(artifacts.current_folder(memory.artifacts.project)) / "MEMORY.md"
        text = path.read_text() + "\n### Mine\nAsk Ines about wording.\n"
        assert consolidate(HERE, memory.opened, forced=True, require_ours=lambda: path.write_text(text)).why
        assert memory.artifacts.read("MEMORY.md") == text
        assert not list(path.parent.parent.glob(".staged-*"))
        [job] = memory.opened.store.jobs.of_kinds((CONSOLIDATE,))
        assert consolidate(job.key, memory.opened, forced=True).why == ""
        assert "Ask Ines about wording." in memory.artifacts.read("MEMORY.md")
