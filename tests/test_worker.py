"""The worker: what a hook leaves is kept once, however many workers there are and however they and sessions end."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import threading
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from recollect import Recollect
from recollect.errors import RecollectError
from recollect.files import spool
from recollect.files.home import ensure_home
from recollect.files.logs.worker_log import NAME
from recollect.flows.upkeep.check_citations import check_citations
from recollect.memory.checking import CachedChecker
from recollect.memory.task_states import MOST_EARLIER, with_session
from recollect.memory.tasks import LONGEST_STATE
from recollect.model.jobs import LEASE_SECONDS
from recollect.worker import Shift, Worker
from recollect.worker_runs import RUNS, Claim, Finished, run_session_end
from tests.command_line import RECOLLECT, Run, clean_environment, process
from tests.conftest import Clock, OpenMemory, contents, git, make_repository
from tests.flows.sessions.test_importing import claude_line
from tests.processes import Child

SESSION = "0f0f0f0f-1111-4222-8333-444444444444"


class Desk:
    """A home, a repository, and a Claude Code session in it that can go on."""

    def __init__(self, tmp_path: Path, clock: Clock) -> None:
        self.user, self.home_path = tmp_path / "user", tmp_path / "home"
        self.user.mkdir(exist_ok=True)
        self.repository = make_repository(tmp_path / "app")
        self.environ = {"HOME": str(self.user), "RECOLLECT_HOME": str(self.home_path)}
        self.clock = clock
        self.home = ensure_home(str(self.home_path))
        self.transcript = self.user / ".claude" / "projects" / "-w-app" / f"{SESSION}.jsonl"
        self.lines = 0

    def open(self) -> Recollect:
        return Recollect.open(folder=str(self.repository), environ=self.environ, clock=self.clock)

    def says(self, text: str, answer: str = "Done.") -> None:
        """One more turn in the session."""
        self.transcript.parent.mkdir(parents=True, exist_ok=True)
        with self.transcript.open("a") as log:
            for kind, content in (("user", text), ("assistant", [{"type": "text", "text": answer}])):
                self.lines += 1
                more = {"cwd": str(self.repository), "sessionId": SESSION}
                log.write(claude_line(kind, self.lines, content, **more))

    def stop(
        self, event: str = "stop", *, transcript: str | None = "", host: str = "claude-code", session: str = SESSION
    ) -> None:
        """What a hook leaves at the end of a turn."""
        named = str(self.transcript) if transcript == "" else transcript
        payload = {"host": host, "session": session, "transcript": named, "cwd": str(self.repository), "event": event}
        with self.open() as memory:
            memory.opened.store.jobs.add("session_end", f"{host}:{session}", payload, now=self.clock())

    def work(self, **options: object):
        return Worker(self.environ, clock=self.clock, **options).once()  # type: ignore[arg-type]

    def log(self) -> list[dict[str, object]]:
        path = self.home_path / "logs" / NAME
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


@pytest.fixture
def desk(tmp_path: Path, clock: Clock) -> Desk:
    return Desk(tmp_path, clock)


def layer(memory: Recollect, name: str) -> list[str]:
    return [entry.content for entry in memory.entries.list(everywhere=True, layer=name, status="active")]


def test_what_was_said_in_a_session_is_known_after_its_stop(desk: Desk) -> None:
    desk.says("No, we use pnpm in this repository, never npm.", "Understood, pnpm.")
    desk.stop()
    assert desk.work().done == 4  # the session, the citations of its repository, suggestions, the upkeep of the day
    with desk.open() as memory:
        assert any("pnpm" in one for one in contents(memory, "which package manager do we use?"))
        assert len(layer(memory, "L2")) == 1
        assert memory.opened.store.jobs.counts() == {"waiting": 0, "running": 0, "done": 4, "dead": 0}
        assert not memory.opened.store.jobs.live_lease(desk.clock())


def test_a_session_that_goes_on_is_kept_turn_by_turn_without_doubling_anything(desk: Desk) -> None:
    seen: list[list[tuple[str, float, int]]] = []
    for turn, text in enumerate(
        [
            "No, we use pnpm in this repository, never npm.",
            "Add a page for billing",
            "Always write amounts as integer cents.",
        ]
    ):
        desk.says(text, f"I have done what you asked for in step {turn}, and it works as it should.")
        desk.stop()
        desk.work()
        with desk.open() as memory:
            [archived] = memory.entries.list(everywhere=True, layer="L2", status="active")
            assert f"step {turn}" in archived.content
            known = memory.entries.list(everywhere=True, layer="L1")
            seen.append([(one.content, one.confidence, len(one.citations)) for one in known])
            assert len(memory.entries.list(everywhere=True, layer="L2", status="superseded")) == 0
            assert len(memory.opened.store.changes.all_audits()) == 1 + len(known)
    assert len(seen[0]) == 1
    assert len(seen[2]) == 2
    assert seen[0][0] in seen[2]
    desk.stop()
    with desk.open() as memory:
        before = memory.transfer.export()
    desk.work()
    with desk.open() as memory:
        assert memory.transfer.export() == before


def test_a_correction_made_elsewhere_survives_a_session_that_goes_on(desk: Desk) -> None:
    desk.says("No, we use yarn in this repository, never npm.")
    desk.stop()
    desk.work()
    desk.clock.pass_days(40)
    with desk.open() as memory:
        [entry] = memory.entries.list(layer="L1", status="active")
        memory.correct("This repository uses pnpm, never npm.", entry_id=entry.entry_id)
    desk.says("Add a page for billing")
    desk.stop()
    desk.work()
    with desk.open() as memory:
        assert layer(memory, "L1") == ["This repository uses pnpm, never npm."]


def test_what_a_person_erased_or_retired_does_not_come_back_with_the_next_turn(desk: Desk) -> None:
    desk.says("No, we use yarn in this repository, never npm.")
    desk.stop()
    desk.work()
    with desk.open() as memory:
        for name in ("L1", "L2"):
            [entry] = memory.entries.list(layer=name, status="active")
            memory.forget(entry.entry_id, hard=name == "L1")
    desk.says("Add a page for billing")
    desk.stop()
    desk.work()
    with desk.open() as memory:
        assert layer(memory, "L1") == []
        assert layer(memory, "L2") == []


def test_the_later_word_in_one_session_supersedes_the_earlier_one(desk: Desk) -> None:
    desk.says("We use yarn in this repository.")
    desk.stop()
    desk.work()
    desk.says("We don't use yarn in this repository.")
    desk.stop()
    desk.work()
    with desk.open() as memory:
        assert len(layer(memory, "L1")) <= 1
        assert not memory.entries.conflicts()


def test_undo_takes_back_what_a_person_did_not_what_the_archive_does_by_itself(desk: Desk) -> None:
    with desk.open() as memory:
        kept = memory.remember("The deploy target is Fly.io.")
    desk.says("Add a page for billing")
    desk.stop()
    desk.work()
    with desk.open() as memory:
        assert [entry.entry_id for entry in memory.undo().entries] == [kept.entry_id]


def test_what_was_kept_is_told_at_the_next_session_start_with_the_way_back(desk: Desk) -> None:
    desk.says("No, we use pnpm in this repository, never npm.")
    desk.stop()
    desk.work()
    with desk.open() as memory:
        [told] = memory.opened.store.announcements.open(memory.repository.repository)
        assert "pnpm" in told.text
        number = told.text.partition("recollect undo ")[2].rstrip("`)")
        memory.undo(number)
        assert layer(memory, "L1") == []


def test_the_active_task_remembers_the_sessions_spent_on_it(desk: Desk) -> None:
    with desk.open() as memory:
        task = memory.tasks.add_task("Billing page", state="Waiting for the design.")
    desk.clock.now = 1_793_523_600.0
    for step in range(2):
        desk.says(f"Add the part {step} of the billing page", f"Part {step} of the page is there and its tests pass.")
        desk.stop()
        desk.work()
    with desk.open() as memory:
        state = memory.tasks.task(task.task_id).state
        assert state.startswith("Waiting for the design.")
        assert state.count("Last session") == 1
        assert "Part 1 of the page" in state
        assert "part 0 of the billing page" in memory.start_session()
        [archived] = memory.entries.list(layer="L2")
        assert archived.task == task.task_id


def test_a_task_keeps_its_own_words_and_the_last_sessions_within_its_limit() -> None:
    state = "My own words."
    for number in range(9):
        state = with_session(
            state, f"s_{number}", when="2026-11-01, Codex", title=f"Title {number}", summary="x" * 1_000
        )
    assert state.startswith("My own words.\n\nLast session s_8 (2026-11-01, Codex): Title 8\n")
    assert state.count("Earlier session") == MOST_EARLIER
    assert "xxx" not in state.partition("Earlier session")[2]
    again = with_session(state, "s_8", when="2026-11-01, Codex", title="Title 8", summary="more")
    assert again.count("s_8") == 1
    assert "Earlier session s_7" in again
    assert len(with_session("y" * LONGEST_STATE, "s_1", when="", title="", summary="z")) <= LONGEST_STATE


@pytest.mark.parametrize(
    ("host", "place"),
    [
        ("claude-code", f".claude/projects/-w-app/{SESSION}.jsonl"),
        ("claude-code", f".config/claude/projects/-w-app/{SESSION}.jsonl"),
    ],
)
def test_a_log_that_the_hook_does_not_name_is_found_by_its_session(desk: Desk, host: str, place: str) -> None:
    desk.transcript = desk.user / place
    desk.says("No, we use pnpm in this repository, never npm.")
    desk.stop(transcript=None)
    desk.work()
    with desk.open() as memory:
        assert any("pnpm" in one for one in layer(memory, "L1"))


def copilot_log(desk: Desk, *, folder: str = SESSION) -> Path:
    path = desk.user / ".copilot" / "session-state" / folder / "events.jsonl"
    path.parent.mkdir(parents=True)
    cwd = str(desk.repository)
    lines = [
        {"type": "session.start", "data": {"sessionId": folder, "version": 1, "producer": "copilot-agent", "copilotVersion": "1.0.68", "startTime": "2026-11-01T09:00:00Z", "context": {"cwd": cwd}}, "id": "e1", "timestamp": "2026-11-01T09:00:00Z", "parentId": None},
        {"type": "user.message", "data": {"content": "No, we use pnpm in this repository, never npm.", "attachments": [], "interactionId": "i1"}, "id": "e2", "timestamp": "2026-11-01T09:00:01Z", "parentId": "e1"},
        {"type": "assistant.message", "data": {"messageId": "m1", "content": "Understood.", "toolRequests": [], "interactionId": "i1"}, "id": "e3", "timestamp": "2026-11-01T09:00:03Z", "parentId": "e2"},
    ]  # fmt: skip
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_copilots_log_is_found_by_its_session_alone_and_no_other_session_is_read(desk: Desk) -> None:
    copilot_log(desk)
    copilot_log(desk, folder="99999999-1111-4222-8333-444444444444")
    desk.stop(transcript=None, host="copilot-cli")
    desk.work()
    with desk.open() as memory:
        [(session, _)] = memory.sessions.listed()
        assert (session.host, session.native_id) == ("copilot-cli", SESSION)
        assert any("pnpm" in one for one in layer(memory, "L1"))


def test_a_cursor_session_whose_log_has_no_times_is_kept_turn_by_turn_too(desk: Desk) -> None:
    slug = str(desk.repository).strip("/").replace("/", "-")
    path = desk.user / ".cursor" / "projects" / slug / "agent-transcripts" / SESSION / f"{SESSION}.jsonl"
    path.parent.mkdir(parents=True)
    for text in ("No, we use pnpm in this repository, never npm.", "Always write amounts as integer cents."):
        with path.open("a") as log:
            said = {"type": "text", "text": f"<user_query>\n{text}\n</user_query>"}
            log.write(json.dumps({"role": "user", "message": {"content": [said]}}) + "\n")
            log.write(
                json.dumps(
                    {
                        "role": "assistant",
                        "message": {"content": [{"type": "text", "text": "Understood, it is noted down."}]},
                    }
                )
                + "\n"
            )
        desk.stop(transcript=str(path), host="cursor")
        desk.work()
    with desk.open() as memory:
        known = layer(memory, "L1")
        assert sum("pnpm" in one for one in known) == 1
        assert sum("cents" in one for one in known) == 1
        assert len(layer(memory, "L2")) == 1


def test_of_a_database_of_many_sessions_only_the_one_that_ended_is_read(desk: Desk) -> None:
    path = desk.user / ".local" / "share" / "opencode" / "opencode.db"
    path.parent.mkdir(parents=True)
    with sqlite3.connect(path) as database:
        database.execute(
            "CREATE TABLE session (id, project_id, parent_id, slug, directory, title, version, time_created, time_updated)"
        )
        database.execute("CREATE TABLE message (id, session_id, time_created, data)")
        database.execute("CREATE TABLE part (id, message_id, session_id, data)")
        for name, text in (
            ("ses_1", "No, we use pnpm in this repository, never npm."),
            ("ses_2", "Never push to main."),
        ):
            database.execute(
                "INSERT INTO session VALUES (?, 'p', NULL, 'x', ?, 'T', '1', 1793523600000, 1793523605000)",
                (name, str(desk.repository)),
            )
            for role in ("user", "assistant"):
                message = f"msg_{name}_{role}"
                database.execute(
                    "INSERT INTO message VALUES (?, ?, 1793523600000, ?)",
                    (message, name, json.dumps({"role": role, "time": {"created": 1793523600000}})),
                )
                said = text if role == "user" else "Understood."
                database.execute(
                    "INSERT INTO part VALUES (?, ?, ?, ?)",
                    (f"prt_{message}", message, name, json.dumps({"type": "text", "text": said})),
                )
    database.close()
    desk.stop(transcript=None, host="opencode", session="ses_1")
    desk.work()
    with desk.open() as memory:
        assert [session.native_id for session, _ in memory.sessions.listed()] == ["ses_1"]
        assert any("pnpm" in one for one in layer(memory, "L1"))
        # A later import brings the rest: the log was not taken for read.
        past = memory.sessions
        past.import_logs(past.logs(hosts=["opencode"])[0])
        assert {session.native_id for session, _ in past.listed()} == {"ses_1", "ses_2"}


def test_a_log_that_is_not_there_is_waited_for_and_then_let_go(desk: Desk) -> None:
    desk.stop()
    assert desk.work().failed == 1
    with desk.open() as memory:
        [job] = memory.opened.store.jobs.listed("waiting")
        assert "does not exist yet" in job.error
    for _ in range(3):
        desk.clock.pass_days(1)
        desk.work()
    with desk.open() as memory:
        assert memory.opened.store.jobs.counts()["dead"] == 0
        assert memory.opened.store.jobs.counts()["waiting"] == 0


def test_a_late_log_is_read_at_the_next_try(desk: Desk) -> None:
    desk.stop()
    desk.work()
    desk.says("No, we use pnpm in this repository, never npm.")
    desk.clock.now += 60
    desk.work()
    with desk.open() as memory:
        assert any("pnpm" in one for one in layer(memory, "L1"))


# -- spools, checks, order


def test_spooled_jobs_and_receipts_are_taken_in(desk: Desk) -> None:
    desk.says("No, we use pnpm in this repository, never npm.")
    payload = {
        "host": "claude-code",
        "session": SESSION,
        "transcript": str(desk.transcript),
        "cwd": str(desk.repository),
    }
    line = json.dumps({"kind": "session_end", "key": f"claude-code:{SESSION}", "payload": payload, "at": 1.0})
    spool.add_line(desk.home.spool, line, name=spool.JOBS)
    spool.add_line(desk.home.spool, "torn {", name=spool.RECEIPTS)
    assert desk.work().done == 4
    assert spool.waiting(desk.home.spool) == 0


def test_a_job_spooled_while_the_worker_was_leaving_is_still_done(desk: Desk) -> None:
    done: list[str] = []
    looked: list[bool] = []

    def run(memory: Recollect, claim: Claim, now: float) -> Finished:
        done.append(claim.job.key)
        return Finished({})

    class Leaving(Worker):
        def _take_in(self, memory: Recollect) -> None:
            looked.append(True)
            super()._take_in(memory)
            if len(looked) == 1:
                # A hook that finds the database locked, and the worker there.
                line = json.dumps({"kind": "k", "key": "late", "payload": {}, "at": 1.0})
                spool.add_line(memory.home.spool, line, name=spool.JOBS)

    assert Leaving(desk.environ, clock=desk.clock, runs={"k": run}).once().done == 1
    assert done == ["late"]


def test_a_spool_that_cannot_be_taken_in_does_not_keep_a_worker_for_ever(desk: Desk) -> None:
    (Path(desk.home.spool) / "jobs.jsonl").mkdir()
    desk.stop()
    assert desk.work(runs={}).failed == 1


def test_what_is_cited_is_checked_off_the_hooks_path(desk: Desk) -> None:
    (desk.repository / "package.json").write_text('{"packageManager": "pnpm"}\n')
    (desk.repository / "old.txt").write_text("yarn\n")
    git(desk.repository, "add", "-A")
    git(desk.repository, "commit", "-qm", "second")
    with desk.open() as memory:
        memory.remember("This repository uses pnpm.", cite=["package.json"])
        memory.remember("The old list of names is kept by hand.", cite=["old.txt"])
        entries = memory.entries.list(layer="L1")[::-1]

        def checks() -> list[tuple[str, bool]]:
            checker = CachedChecker(memory.opened.store, memory.repository, milliseconds=20)
            return [(one.check, one.gone_everywhere) for one in checker.check(entries, now=desk.clock())]

        assert [check for check, _ in checks()] == ["unchecked", "unchecked"]
        memory.opened.store.jobs.add("check_citations", "here", {"cwd": str(desk.repository)}, now=desk.clock())
        desk.work()
        assert checks() == [("verified", False), ("cited", False)]
        (desk.repository / "package.json").write_text('{"packageManager": "npm"}\n')
        (desk.repository / "old.txt").unlink()
        git(desk.repository, "add", "-A")
        git(desk.repository, "commit", "-qm", "third")
        memory.opened.store.jobs.add("check_citations", "here", {"cwd": str(desk.repository)}, now=desk.clock())
        desk.work()
        assert checks() == [("changed", False), ("gone", True)]
        assert check_citations(memory.repository, store=memory.opened.store, now=desk.clock(), limit_seconds=5) == 0


def test_things_that_waited_too_long_expire_without_anybody_calling(desk: Desk) -> None:
    desk.says("I usually like small commits.")
    desk.stop()
    desk.work()
    desk.clock.pass_days(15)
    with desk.open() as memory:
        waiting = len(memory.opened.store.candidates.waiting())
    desk.work()
    with desk.open() as memory:
        assert waiting == 0 or memory.opened.store.candidates.waiting() == []
        assert [job.kind for job in memory.opened.store.jobs.listed("done")] == [
            "upkeep"
        ]  # a week is enough for the others


def test_what_the_system_wrote_and_nobody_used_or_cited_for_28_days_becomes_inactive(desk: Desk) -> None:
    (desk.repository / "app.py").write_text("port = 1\n")
    with desk.open() as memory:
        found: dict[str, Any] = {"source": "system", "origin": "assistant"}
        kept = {
            "unused": memory.remember("The linter is slow on large files.", **found),
            "used": memory.remember("The staging database is called otter.", **found),
            "cited": memory.remember("The port is set in app.py.", cite=["app.py"], **found),
            "typed": memory.remember("The formatter is black.", source="system", origin="typed"),
            "a person's": memory.remember("The deploy target is Fly.io."),
            "an agent's": memory.remember("Releases are cut on Fridays.", source="agent", origin="assistant"),
            "profile": memory.remember("The user's name is Ada.", layer="L0", source="system", origin="typed"),
            "archive": memory.remember("A session about the billing page.", layer="L2", **found),
        }
    assert {outcome.status for outcome in kept.values()} == {"stored"}

    def inactive() -> set[str]:
        desk.work()
        with desk.open() as memory:
            return {name for name, one in kept.items() if memory.entries.get(one.entry_id).status == "inactive"}

    desk.clock.pass_days(14)
    with desk.open() as memory:
        assert "otter" in memory.inject("what is the staging database called?", session="s").text
    desk.clock.pass_days(13.9)
    assert inactive() == set()
    desk.clock.pass_days(1)
    assert inactive() == {"unused"}
    desk.clock.pass_days(14)
    assert inactive() == {"unused", "used"}
    desk.clock.pass_days(400)
    assert inactive() == {"unused", "used"}
    with desk.open() as memory:
        memory.restore(kept["unused"].entry_id)
    assert inactive() == {"used"}


# -- any number of workers, however they end


def test_four_workers_at_once_do_each_job_once_and_the_upkeep_once(desk: Desk) -> None:
    """Real processes: four workers on twelve sessions; each is imported and archived once."""
    with desk.open() as memory:
        for number in range(12):
            log = desk.transcript.with_name(f"s{number}.jsonl")
            log.parent.mkdir(parents=True, exist_ok=True)
            more = {"cwd": str(desk.repository), "sessionId": f"s{number}"}
            said = f"No, the port of service number {number} is {8000 + number} in this repository, never 80."
            text = {"type": "text", "text": f"The port of service {number} is noted down."}
            log.write_text(
                claude_line("user", 1, said, uuid=f"a{number}", **more)
                + claude_line("assistant", 2, [text], uuid=f"b{number}", **more)
            )
            payload = {
                "host": "claude-code",
                "session": f"s{number}",
                "transcript": str(log),
                "cwd": str(desk.repository),
            }
            memory.opened.store.jobs.add("session_end", f"claude-code:s{number}", payload, now=time.time())
    environ = clean_environment(desk.home_path, desk.user)
    workers = [
        subprocess.Popen([RECOLLECT, "worker", "--once"], env=environ, cwd=desk.user, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(4)
    ]  # fmt: skip
    for worker in workers:
        out, err = worker.communicate(timeout=60)
        assert (worker.returncode, out, err) == (0, b"", b"")
    done = [line for line in desk.log() if line["what"] == "job done" and line["kind"] == "session_end"]
    assert sorted(str(line["key"]) for line in done) == sorted(f"claude-code:s{number}" for number in range(12))
    assert [line["kind"] for line in desk.log()].count("upkeep") == 1
    assert not [line for line in desk.log() if line["what"] not in ("job done",)]
    with desk.open() as memory:
        assert len(layer(memory, "L2")) == 12
        assert memory.opened.store.jobs.counts()["waiting"] == 0


def test_two_workers_work_at_the_same_time(desk: Desk) -> None:
    """Each job ends only when the other has begun."""
    begun = {"a": threading.Event(), "b": threading.Event()}

    def run(memory: Recollect, claim: Claim, now: float) -> Finished:
        begun[claim.job.key].set()
        assert begun["b" if claim.job.key == "a" else "a"].wait(20)
        return Finished({})

    with desk.open() as memory:
        for key in "ab":
            memory.opened.store.jobs.add("k", key, {}, now=desk.clock())
    other = threading.Thread(target=partial(desk.work, runs={"k": run}))
    other.start()
    desk.work(runs={"k": run})
    other.join(20)
    with desk.open() as memory:
        assert memory.opened.store.jobs.counts() == {"waiting": 0, "running": 0, "done": 2, "dead": 0}
        assert memory.opened.store.jobs.workers(now=desk.clock()) == []


def test_a_worker_that_lost_its_job_publishes_nothing(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("recollect.worker.LONGEST_JOB_SECONDS", 0.0)  # taken for hung at once: no lease is renewed
    lease = 0.3
    published: list[str] = []
    with desk.open() as memory:
        memory.opened.store.jobs.add("k", "a", {}, now=time.time())

    def publish(who: str, claim: Claim) -> None:
        claim.require_ours()
        published.append(who)

    def other(memory: Recollect, claim: Claim, now: float) -> Finished:
        publish("other", claim)
        return Finished({})

    def slow(memory: Recollect, claim: Claim, now: float) -> Finished:
        assert claim.still_ours()
        time.sleep(2 * lease)
        assert Worker(desk.environ, lease_seconds=lease, runs={"k": other}).once().done == 1
        publish("slow", claim)
        return Finished({})

    assert Worker(desk.environ, lease_seconds=lease, runs={"k": slow}).once() == Shift()
    assert published == ["other"]
    assert [line["what"] for line in desk.log()] == ["job done", "job lost"]
    with desk.open() as memory:
        assert memory.opened.store.jobs.counts() == {"waiting": 0, "running": 0, "done": 1, "dead": 0}


def test_a_session_that_another_worker_took_over_is_kept_by_that_one_alone(desk: Desk) -> None:
    desk.says("No, we use pnpm in this repository, never npm.")
    desk.stop()

    def lost(memory: Recollect, claim: Claim, now: float) -> Finished:
        with memory.opened.store.write():
            memory.opened.store.database.run("UPDATE jobs SET claim_token = 'of another worker'")
        return run_session_end(memory, claim, now)

    desk.work(runs={**RUNS, "session_end": lost})
    with desk.open() as memory:
        assert memory.entries.list(everywhere=True) == []
    desk.clock.now += LEASE_SECONDS + 1
    desk.work()
    with desk.open() as memory:
        assert any("pnpm" in one for one in layer(memory, "L1"))


def test_a_job_that_found_nothing_to_keep_is_recorded_as_such(desk: Desk) -> None:
    desk.says("Add a page for billing")
    desk.stop()
    desk.work()
    desk.clock.now += 1
    desk.stop()
    desk.work()
    with desk.open() as memory:
        ended = [job.outcome for job in memory.opened.store.jobs.listed("done") if job.kind == "session_end"]
    assert ended == ["output", "nothing"]


def test_the_upkeep_is_done_once_a_day(desk: Desk) -> None:
    days = []
    for _ in range(3):
        for _ in range(3):
            desk.work()
        days.append([line["key"] for line in desk.log() if line.get("kind") == "upkeep"])
        desk.clock.pass_days(1)
    assert [len(keys) for keys in days] == [1, 2, 3]
    assert len(set(days[-1])) == 3


def test_an_upkeep_that_fails_is_tried_again_later_and_not_left_twice(desk: Desk) -> None:
    def fails(memory: Recollect, claim: Claim, now: float) -> Finished:
        raise RecollectError("The disk is full.")

    assert desk.work(runs={**RUNS, "upkeep": fails}).failed == 1
    assert desk.work() == Shift()
    desk.clock.now += 10
    assert desk.work().done == 1


def test_what_a_killed_worker_was_doing_is_finished_by_the_next_one(desk: Desk, tmp_path: Path) -> None:
    desk.says("No, we use pnpm in this repository, never npm.")
    desk.clock.now = time.time()
    desk.stop()
    lease = 1.0

    def slow(memory: Recollect, claim: Claim, now: float) -> Finished:
        finished = run_session_end(memory, claim, now)
        (tmp_path / "half").touch()
        time.sleep(60)
        return finished

    child = Child(lambda _: print(Worker(desk.environ, lease_seconds=lease, runs={**RUNS, "session_end": slow}).once()))
    while not (tmp_path / "half").exists():
        time.sleep(0.01)
    assert Worker(desk.environ, lease_seconds=lease).once().failed == 0
    time.sleep(1.5 * lease)  # the lease was renewed meanwhile
    assert Worker(desk.environ, lease_seconds=lease).once() == Shift()
    with desk.open() as memory:
        assert [job.kind for job in memory.opened.store.jobs.listed("running")] == ["session_end"]
    os.kill(child.pid, signal.SIGKILL)
    child.read()
    child.wait()
    with desk.open() as memory:
        before = [(one.content, one.confidence, one.status) for one in memory.entries.list(everywhere=True)]
        assert memory.opened.store.jobs.counts()["running"] == 1
    time.sleep(1.2 * lease)
    shift = Worker(desk.environ, lease_seconds=lease).once()
    assert (shift.failed, shift.why) == (0, "")
    with desk.open() as memory:
        assert [(one.content, one.confidence, one.status) for one in memory.entries.list(everywhere=True)] == before
        counts = memory.opened.store.jobs.counts()
        assert (counts["waiting"], counts["running"], counts["dead"]) == (0, 0, 0)


def test_a_job_that_hangs_is_not_renewed_for_ever(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("recollect.worker.LONGEST_JOB_SECONDS", 0.1)
    seen: list[bool] = []
    with desk.open() as memory:
        memory.opened.store.jobs.add("k", "a", {}, now=time.time())

    def hang(memory: Recollect, claim: Claim, now: float) -> Finished:
        time.sleep(1.0)
        seen.append(memory.opened.store.jobs.live_lease(time.time()))
        return Finished({})

    Worker(desk.environ, lease_seconds=0.4, runs={"k": hang}).once()
    assert seen == [False]


def test_a_job_that_fails_takes_no_other_with_it(desk: Desk) -> None:
    def run(memory: Recollect, claim: Claim, now: float) -> Finished:
        if claim.job.key == "bad":
            raise ZeroDivisionError("no number")
        return Finished({})

    with desk.open() as memory:
        for key in ("bad", "good"):
            memory.opened.store.jobs.add("k", key, {}, now=desk.clock())
        memory.opened.store.jobs.add("of a later version", "x", {}, now=desk.clock())
    shift = desk.work(runs={"k": run})
    assert (shift.done, shift.failed) == (1, 2)
    by_kind = {line["kind"]: line for line in desk.log() if line["what"] == "job failed"}
    failed, unknown = by_kind["k"], by_kind["of a later version"]
    assert failed["why"] == "ZeroDivisionError: no number"
    assert "Traceback" in str(failed["trace"])
    assert "of a later version" in str(unknown["why"])


@pytest.mark.parametrize("broken", ["database", "settings", "home"])
def test_it_never_raises_to_whoever_started_it(desk: Desk, broken: str) -> None:
    desk.stop()
    if broken == "database":
        for path in desk.home_path.glob("recollect.db*"):
            path.unlink()
        (desk.home_path / "recollect.db").mkdir()
    elif broken == "settings":
        (desk.home_path / "config.toml").write_text("enabled = [\n")
    else:
        desk.environ["RECOLLECT_HOME"] = "/dev/null/nowhere"
    shift = desk.work()
    assert shift.done == 0
    assert shift.why


def test_a_damaged_database_is_mended_and_the_spooled_session_kept(desk: Desk) -> None:
    desk.stop()
    desk.says("No, we use pnpm in this repository, never npm.")
    payload = {
        "host": "claude-code",
        "session": SESSION,
        "transcript": str(desk.transcript),
        "cwd": str(desk.repository),
    }
    line = json.dumps({"kind": "session_end", "key": f"claude-code:{SESSION}", "payload": payload, "at": 1.0})
    spool.add_line(desk.home.spool, line, name=spool.JOBS)
    with (desk.home_path / "recollect.db").open("r+b") as file:
        file.write(bytes(4096))
    desk.work()
    with desk.open() as memory:
        assert any("pnpm" in one for one in layer(memory, "L1"))


# -- promise 13


def test_promise_13_one_master_switch_stops_extraction_injection_and_the_worker(desk: Desk) -> None:
    with desk.open() as memory:
        memory.remember("The deploy target is Fly.io.")
    desk.says("No, we use pnpm in this repository, never npm.")
    desk.stop()
    config = desk.home_path / "config.toml"
    config.write_text("enabled = false\n")
    shift = desk.work()
    assert (shift.done, shift.failed) == (0, 0)
    assert "switched off" in shift.why
    with desk.open() as memory:
        assert memory.inject("what is the deploy target?").text == ""
        assert memory.start_session("s") == ""
        past = memory.sessions
        past.import_logs(past.logs()[0])
        assert past.digest() == []
        assert layer(memory, "L1") == ["The deploy target is Fly.io."]
        assert layer(memory, "L2") == []
        assert memory.opened.store.jobs.counts()["waiting"] == 1
    config.write_text("enabled = true\n")
    assert desk.work().done == 5  # and suggestions, and the comparison of the week, for there are two entries now
    with desk.open() as memory:
        assert any("pnpm" in one for one in layer(memory, "L1"))
        assert "Fly.io" in memory.inject("what is the deploy target?").text


def test_promise_13_the_switch_is_heard_between_two_jobs(desk: Desk) -> None:
    with desk.open() as memory:
        for key in "abc":
            memory.opened.store.jobs.add("k", key, {}, now=desk.clock())

    def run(memory: Recollect, claim: Claim, now: float) -> Finished:
        Path(memory.home.config).write_text("enabled = false\n")
        return Finished({})

    assert desk.work(runs={"k": run}).done == 1
    with desk.open() as memory:
        assert memory.opened.store.jobs.counts()["waiting"] == 2
        assert not memory.opened.store.jobs.live_lease(desk.clock())


# -- the command


def test_the_command_says_what_it_did(cli: Run) -> None:
    assert cli("worker", "--once", "--json").json == {"done": 1, "failed": 0, "why": ""}  # the upkeep of the day
    assert cli("worker", "--once", "--json").json == {"done": 0, "failed": 0, "why": ""}


def test_the_command_stays_until_it_is_interrupted(desk: Desk) -> None:
    environ = clean_environment(desk.home_path, desk.user)
    worker = subprocess.Popen(
        [RECOLLECT, "worker"],
        env=environ,
        cwd=desk.user,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        # Whoever runs the tests in the background has them, and what they start, ignore it.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )
    try:
        assert worker.stderr is not None
        assert b"Ctrl-C" in worker.stderr.readline()
        desk.says("No, we use pnpm in this repository, never npm.")
        desk.clock.now = time.time()
        desk.stop()
        end = time.monotonic() + 30
        # The upkeep of the day may come first.
        while time.monotonic() < end and "session_end" not in [line.get("kind") for line in desk.log()]:
            time.sleep(0.1)
        assert "session_end" in [line.get("kind") for line in desk.log() if line["what"] == "job done"], desk.log()
        assert worker.poll() is None
    finally:
        worker.send_signal(signal.SIGINT)
        worker.communicate(timeout=20)
    assert worker.returncode == 130


def test_staying_ends_when_told(desk: Desk) -> None:
    stop = threading.Event()
    threading.Timer(0.3, stop.set).start()
    Worker(desk.environ, clock=desk.clock).stay(stop, poll_seconds=0.05)
    assert LEASE_SECONDS > 0


def test_every_session_of_the_sample_hosts_is_kept_the_same_whether_at_once_or_turn_by_turn(
    open_memory: OpenMemory,
) -> None:
    """Digesting a session in two halves gives what digesting it whole gives."""
    import recollect

    sample = Path(recollect.__file__).parent / "sample"
    kept = []
    for home, halves in (("whole", False), ("halves", True)):
        memory = open_memory(home=home)
        past = memory.sessions
        past.import_logs(past.logs([str(sample)])[0])
        if halves:
            later: list[tuple[object, ...]] = []
            with memory.opened.store.write():
                for row in memory.opened.store.database.rows(
                    "SELECT turn_row, session_id, number FROM turns WHERE number > 2"
                ):
                    later.append(row)
                memory.opened.store.database.run("UPDATE turns SET session_id = '-' || session_id WHERE number > 2")
            past.digest()
            with memory.opened.store.write():
                memory.opened.store.database.run(
                    "UPDATE turns SET session_id = substr(session_id, 2) WHERE session_id LIKE '-%'"
                )
            assert later
        past.digest()
        found = memory.entries.list(everywhere=True, status="active")
        at_odds = sorted((newer.content, older.content) for newer, older in memory.entries.conflicts())
        kept.append((sorted((one.layer, one.repository, one.content) for one in found), at_odds))
    assert kept[0] == kept[1]


def test_the_end_of_a_session_without_a_log_leaves_no_failed_job_and_nothing_to_tell(tmp_path: Path) -> None:
    user, home = tmp_path / "user", tmp_path / "home"
    user.mkdir()
    repository = make_repository(tmp_path / "app")
    environ = clean_environment(home, user)
    said = {
        "session_id": SESSION,
        "transcript_path": str(user / ".claude" / "projects" / "-w-app" / f"{SESSION}.jsonl"),
        "cwd": str(repository),
        "hook_event_name": "SessionEnd",
        "reason": "other",
    }
    assert process([RECOLLECT, "status"], repository, environ).code == 0
    hook = process([RECOLLECT, "hook", "--host", "claude-code"], repository, environ, json.dumps(said))
    assert (hook.code, json.loads(hook.out)) == (0, {})
    end = time.monotonic() + 20
    outcomes: list[object] = []
    while time.monotonic() < end and "job done" not in outcomes:
        process([RECOLLECT, "worker", "--once"], repository, environ)
        path = home / "logs" / NAME
        lines = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
        outcomes = [line["what"] for line in lines if line.get("kind") == "session_end"]
    assert outcomes == ["job done"]
    told = process([RECOLLECT, "doctor", "--json"], repository, environ)
    assert all(one["ok"] for one in told.json if one["check"] in ("jobs", "worker")), told.out
    assert SESSION not in told.out + told.err
