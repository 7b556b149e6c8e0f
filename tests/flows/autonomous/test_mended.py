"""Changing the memory of a project when things happen at the same time, or in an unusual order."""

from __future__ import annotations

import copy
import json
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from recollect.autonomous.blocks import parsed
from recollect.autonomous.keeping import Baseline
from recollect.autonomous.raw import RawMemory, from_text, to_text
from recollect.errors import ArtifactsInvalid, OutsideRoot, ReplyInvalid
from recollect.files import artifacts
from recollect.flows.autonomous.background import consolidate_in_background, extract_in_background
from recollect.flows.autonomous.blocks_by_model import question
from recollect.flows.autonomous.consolidate import consolidate
from recollect.flows.autonomous.due import leave_extraction
from recollect.flows.autonomous.gathering import gather
from recollect.flows.upkeep.put_in_order import put_in_order
from recollect.flows.writes.actors import Person
from recollect.model.commits import GitEvidence
from recollect.model.entries import Citation, Entry
from recollect.model.jobs import CONSOLIDATE, EXTRACT
from recollect.worker import Worker
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


def meanwhile(happens: Callable[[], object]) -> Callable[[], None]:
    """The job is still ours, but something happens before anything is published."""

    def call() -> None:
        happens()

    return call


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
        extract_in_background(session.session_id, memory.opened, require_ours=meanwhile(memory.artifacts.clear))
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
        assert consolidate(HERE, memory.opened, forced=True, require_ours=meanwhile(memory.artifacts.clear)).why
        assert memory.artifacts.names() == []
        assert memory.opened.store.jobs.of_kinds((CONSOLIDATE,)) == []
        assert memory.artifacts.undo() == "what was cleared"
        assert memory.artifacts.read("MEMORY.md") == before


def test_what_somebody_wrote_while_a_set_was_made_is_not_lost(shed: Shed) -> None:
    with shed.open() as memory:
        path = Path(artifacts.current_folder(memory.artifacts.project)) / "MEMORY.md"
        text = path.read_text() + "\n### Mine\nAsk Ines about wording.\n"
        assert consolidate(HERE, memory.opened, forced=True, require_ours=meanwhile(lambda: path.write_text(text))).why
        assert memory.artifacts.read("MEMORY.md") == text
        assert not list(path.parent.parent.glob(".staged-*"))
        [job] = memory.opened.store.jobs.of_kinds((CONSOLIDATE,))
        assert consolidate(job.key, memory.opened, forced=True).why == ""
        assert "Ask Ines about wording." in memory.artifacts.read("MEMORY.md")


# -- in the background


def test_what_waits_is_not_done_once_it_is_switched_off_unless_a_person_asked(shed: Shed) -> None:
    off = {"RECOLLECT_MEMORIES__ENABLED": "false"}
    with shed.open() as memory:
        store = memory.opened.store
        version = artifacts.version(memory.artifacts.project)
        session = store.sessions.listed(repository=HERE)[0][0]
        with store.write():
            store.extractions.remove(session.session_id)
        store.jobs.add(EXTRACT, session.session_id, {"session": session.session_id}, now=shed.clock())
        shed.work(**off)
        assert store.extractions.get(session.session_id) is None
        assert artifacts.version(memory.artifacts.project) == version
        store.jobs.forget_processed(EXTRACT, session.session_id)
        assert memory.artifacts.enqueue() == 1
        shed.work(**off)
        assert store.extractions.get(session.session_id) is not None
        assert memory.artifacts.enqueue() == 0, "it has been processed"


# -- sessions made private


def test_a_private_session_leaves_the_memory_of_its_project_and_undo_does_not_bring_it_back(shed: Shed) -> None:
    with shed.open() as memory:
        session = memory.opened.store.sessions.listed(repository=HERE)[-1][0]
        assert session.session_id in memory.artifacts.status().baseline.sessions
        memory.sessions.set_private(session.session_id)
        assert memory.opened.store.extractions.get(session.session_id) is None
        [job] = memory.opened.store.jobs.of_kinds((CONSOLIDATE,))
        assert consolidate_in_background(job.payload, memory.opened, require_ours=ours).why == ""
        assert session.session_id not in memory.artifacts.status().baseline.sessions
        assert not memory.artifacts.status().can_undo


# -- unusual orders


def test_clearing_twice_can_still_be_undone(shed: Shed) -> None:
    with shed.open() as memory:
        assert memory.artifacts.clear() == [HERE]
        assert memory.artifacts.clear() == []
        assert memory.artifacts.undo() == "what was cleared"
        assert memory.opened.store.extractions.count(HERE)[0] == 2
        assert all(one.content for one in memory.opened.store.extractions.of_repository(HERE))


def test_clearing_before_anything_was_written_up_can_be_undone(shed: Shed) -> None:
    with shed.open() as memory:
        shutil.rmtree(memory.artifacts.project)
        assert memory.artifacts.clear() == [HERE]
        assert memory.artifacts.status().can_undo
        memory.artifacts.undo()
        assert memory.opened.store.extractions.count(HERE)[0] == 2


def test_an_artifact_can_be_read_while_somebody_writes(shed: Shed) -> None:
    with shed.open() as memory, shed.open() as other, other.opened.store.write(), ThreadPoolExecutor(1) as beside:
        assert beside.submit(memory.artifacts.read, "MEMORY.md").result(10)


def test_clearing_everything_takes_files_that_no_session_stands_behind_any_more(shed: Shed) -> None:
    with shed.open() as memory:
        with memory.opened.store.write():
            for one in memory.opened.store.extractions.of_repository(HERE):
                memory.opened.store.extractions.remove(one.session_id)
        assert memory.artifacts.clear(everywhere=True) == [HERE]
        assert memory.artifacts.names() == []


# -- what it may cost


def replies(folder: Path, *rows: object, **more: str) -> dict[str, str]:
    """Settings with a model that says these things in turn, the last one for ever."""
    path = folder / "script.json"
    path.write_text(json.dumps(list(rows)))
    return {"RECOLLECT_MODELS__DEFAULT": f"scripted:{path}", **more}


def test_a_ceiling_puts_work_off_to_tomorrow_and_counts_no_attempt(shed: Shed, tmp_path: Path) -> None:
    model = replies(
        tmp_path, {"say": "nothing"}, RECOLLECT_MEMORIES__MAX_DAY_SHARE="0", RECOLLECT_MEMORIES__RETRY_LIMIT="1"
    )
    with shed.open(**model) as memory:
        store = memory.opened.store
        session = store.sessions.listed(repository=HERE)[0][0]
        store.jobs.add(EXTRACT, session.session_id, {"session": session.session_id}, now=shed.clock())
        for _ in range(2):
            shed.work(**model)
            [job] = store.jobs.of_kinds((EXTRACT,))
            assert (job.status, job.attempts) == ("waiting", 0)
            assert "kept for you" in job.error
            assert 0 < job.due - shed.clock() <= 25 * 3_600, "until the next day begins"
            shed.clock.now = job.due


def test_an_answer_that_did_not_hold_is_not_paid_for_again_until_the_input_changes_or_a_day_passes(
    shed: Shed, tmp_path: Path
) -> None:
    model = replies(tmp_path, {"say": {"blocks": []}}, RECOLLECT_MEMORIES__COOLDOWN_HOURS="0")
    with shed.open(**model) as memory:
        store, spent = memory.opened.store, memory.models.ledger.spent_today
        with store.write():
            store.extractions.remove(store.sessions.listed(repository=HERE)[0][0].session_id)
        with pytest.raises(ReplyInvalid):
            consolidate(HERE, memory.opened)
        paid = spent()
        assert paid > 0
        assert "could not be used" in consolidate(HERE, memory.opened).why
        assert spent() == paid
        assert "schema" in memory.artifacts.status().failed
        shed.clock.now += 86_400 + 1
        with pytest.raises(ReplyInvalid):
            consolidate(HERE, memory.opened)
        assert spent() > 0, "a day later it is asked again"
        with pytest.raises(ReplyInvalid):
            consolidate(HERE, memory.opened, forced=True)
        with store.write():
            store.extractions.remove(store.sessions.listed(repository=HERE)[1][0].session_id)
    with shed.open() as memory:
        assert consolidate(HERE, memory.opened).why == "", "rules ask nobody"
        assert memory.artifacts.status().failed == ""


def test_what_cannot_be_published_anyway_asks_no_model(shed: Shed, tmp_path: Path) -> None:
    with shed.open(**replies(tmp_path, {"say": "nothing"})) as memory:
        path = Path(artifacts.current_folder(memory.artifacts.project)) / "MEMORY.md"
        path.write_text(path.read_text() + "\n### Mine\n" + "Ask Ines about wording. " * 10_000)
        with pytest.raises(ArtifactsInvalid):
            consolidate(HERE, memory.opened)
        assert memory.models.ledger.spent_today() == 0


# -- what is to be gone


def bytes_below(folder: Path) -> str:
    return "\n".join(path.read_text("utf-8", "replace") for path in folder.rglob("*") if path.is_file())


def test_what_was_cleared_leaves_the_disk_at_the_next_run_though_no_session_came(shed: Shed) -> None:
    with shed.open() as memory:
        consolidate(HERE, memory.opened, forced=True)
        memory.artifacts.clear()
        shed.leave()
        shed.work()
        assert "port 800" not in bytes_below(shed.home_path / "projects")
        assert not any(one.content for one in memory.opened.store.extractions.of_repository(HERE, "gone"))
        assert not memory.artifacts.status().can_undo


def test_what_was_cleared_leaves_the_disk_after_a_day_though_the_background_is_off(shed: Shed) -> None:
    with shed.open(RECOLLECT_MEMORIES__ENABLED="false") as memory:
        memory.artifacts.clear()
        put_in_order(memory.opened)
        assert memory.artifacts.status().can_undo
        shed.clock.pass_days(2)
        put_in_order(memory.opened)
        assert not memory.artifacts.status().can_undo
        assert "port 800" not in bytes_below(shed.home_path / "projects")


def entry_saying(text: str, shed: Shed) -> Entry:
    with shed.open() as memory:
        found = memory.opened.store.entries.listed({"layer": "L1", "status": "active"})
        return next(one.entry for one in found if text in one.entry.content)


def test_what_is_erased_for_good_is_in_no_artifact_any_more_and_the_rest_stays(shed: Shed) -> None:
    words = "Service number 0 listens on port 8000"
    entry = entry_saying(words, shed)
    with shed.open() as memory:
        consolidate(HERE, memory.opened, forced=True)
        assert words in memory.artifacts.read("MEMORY.md")
        memory.forget(entry.entry_id, hard=True)
        assert words not in bytes_below(shed.home_path / "projects")
        assert "Service number 1 listens on port 8001" in memory.artifacts.read("MEMORY.md")
        assert not any(words in one.content for one in memory.opened.store.extractions.of_repository(HERE))
        shed.work()
        assert words not in bytes_below(shed.home_path / "projects")
        assert "Service number 1 listens on port 8001" in memory.artifacts.read("MEMORY.md")


def test_a_word_of_a_private_session_is_in_no_artifact_though_an_entry_holds_it(shed: Shed) -> None:
    old = entry_saying("Service number 0 listens", shed)
    with shed.open() as memory:
        rows = memory.opened.store.extractions.of_repository(HERE)
        holder = next(one.session_id for one in rows if "number 0 listens" in one.content)
        sessions = [one for one, _ in memory.opened.store.sessions.listed(repository=HERE)]
        other = next(one for one in sessions if one.session_id != holder)
        draft = memory.entries.edited(old.entry_id, text="Service number 0 listens on port 9000 in this repository.")
        draft = draft._replace(
            session=other.session_id, citations=(Citation("turn", session=other.session_id, turn=1),)
        )
        new = memory.writes(Person("user")).replace(old.entry_id, draft)
        consolidate(HERE, memory.opened, forced=True)
        assert "9000" in memory.artifacts.read("MEMORY.md")
        memory.sessions.set_private(other.session_id)
        consolidate(HERE, memory.opened, forced=True)
        assert "9000" not in memory.artifacts.read("MEMORY.md")
        assert memory.entries.get(new.entry_id).status == "active", "the entry is for a person to forget"


# -- damaged folders


@pytest.mark.parametrize("damage", ["", "../../elsewhere\n"])
def test_a_damaged_pointer_is_said_with_what_mends_it_and_a_rebuild_or_clearing_does(shed: Shed, damage: str) -> None:
    with shed.open() as memory:
        before = memory.artifacts.read("MEMORY.md")
        pointer = Path(memory.artifacts.project) / "current"
        pointer.write_text(damage)
        for ask in (memory.artifacts.status, memory.artifacts.names, memory.artifacts.summary):
            with pytest.raises(OutsideRoot, match="recollect memory rebuild --now"):
                ask()
        assert memory.artifacts.expected_tokens() == 0
        memory.artifacts.rebuild()
        assert "port 8001" in memory.artifacts.read("MEMORY.md")
        pointer.write_text(damage)
        assert memory.artifacts.clear() == [HERE]
        assert memory.artifacts.names() == []
        memory.artifacts.undo()
        assert parsed(memory.artifacts.read("MEMORY.md")).passages == parsed(before).passages


@pytest.mark.parametrize("part", ["versions", "versions/000001", ""])
def test_no_link_is_followed_from_the_folder_of_the_project_down(shed: Shed, tmp_path: Path, part: str) -> None:
    with shed.open() as memory:
        place = Path(memory.artifacts.project) / part
        place.rename(tmp_path / "elsewhere")
        place.symlink_to(tmp_path / "elsewhere")
        with pytest.raises(OutsideRoot):
            memory.artifacts.read("MEMORY.md")
        with pytest.raises(OutsideRoot):
            consolidate(HERE, memory.opened, forced=True)


# -- what is asked


def test_what_a_rebuild_takes_is_said_with_its_consolidation(shed: Shed, tmp_path: Path) -> None:
    with shed.open(**replies(tmp_path, {"say": "nothing"})) as memory:
        assert memory.artifacts.expected_tokens() > 4_000, "nothing is to be extracted, and one question is asked"


def test_of_a_large_memory_the_newest_lines_are_compared_and_shown(shed: Shed) -> None:
    with shed.open() as memory:
        first = memory.opened.store.extractions.of_repository(HERE)[0]
        line = from_text(first.content)[0][0]
        many = [
            line._replace(text=f"Service {number} of the harbour listens on port {20_000 + number}.", at=number, key="")
            for number in range(2_000)
        ]
        large = first._replace(content=to_text(RawMemory(first.session_id, HERE, lines=tuple(many))))
        with memory.opened.store.write():
            memory.opened.store.extractions.save(large)
        inputs = gather(HERE, memory.opened)
        assert 200 <= len(inputs.lines) <= 300
        text = question(inputs, "", Baseline(), is_edited=False)
        assert all(one.said.text in text for one in inputs.lines), "what is compared is shown, and nothing else is lost"
        assert "Service 1999 of" in text
        assert "Service 9 of" not in text


# -- settings of the jobs


def test_the_settings_say_how_many_sessions_are_read_at_once_and_how_soon_a_job_is_tried_again(
    shed: Shed, tmp_path: Path
) -> None:
    more = replies(
        tmp_path,
        {"say": "nonsense"},
        RECOLLECT_MEMORIES__CONCURRENCY="1",
        RECOLLECT_MEMORIES__RETRY_SECONDS="50",
        RECOLLECT_MEMORIES__RETRY_LIMIT="2",
    )
    with shed.open(**more) as memory:
        jobs, sessions = memory.opened.store.jobs, memory.opened.store.sessions.listed(repository=HERE)
        for session, _ in sessions:
            jobs.add(EXTRACT, session.session_id, {"session": session.session_id}, now=shed.clock())
        first = jobs.claim("other", most_extracting=1, now=shed.clock())
        assert first is not None
        shed.work(**more)
        assert [job.attempts for job in jobs.listed("waiting") if job.kind == EXTRACT] == [0], "one is being read"
        jobs.finish(first, now=shed.clock())
        Worker({**shed.environ, **more}, clock=shed.clock).once()
        [job] = jobs.listed("waiting")
        assert job.due == shed.clock() + 50
        shed.clock.now = job.due
        Worker({**shed.environ, **more}, clock=shed.clock).once()
        assert [one.key for one in jobs.listed("dead")] == [job.key]
