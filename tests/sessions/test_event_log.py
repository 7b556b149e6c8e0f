"""The log of a session: what is acknowledged outlasts a killed process, and any part of it from the start replays."""

from __future__ import annotations

import json
import os
import signal
import stat
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect import Recollect
from recollect.context.compaction import CompactionResult
from recollect.errors import FileError, StoreBusy, StoreFull, UsageError
from recollect.files.event_logs import EventLog
from recollect.files.workspaces import Workspace, parse_fields, render_fields
from recollect.flows.sessions.own_session import OwnSession
from recollect.flows.sessions.own_sessions import OwnSessions
from recollect.model.messages import Media, Message, Other, Text, Thinking, ToolCall, ToolResult
from recollect.sessions import events
from recollect.sessions.checkpoints import file_name, first_said, parse, render_index, title_of
from recollect.sessions.encodings import message_json, message_of, redacted
from recollect.sessions.events import Event, NewEvent, event_of, line_of
from recollect.sessions.replay import Replay, count_turns, replay
from recollect.text.ids import make_id
from tests.processes import Child

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="kills processes")

JSON_TEXTS = st.text(max_size=12)
EXTRAS = st.dictionaries(JSON_TEXTS, st.integers() | JSON_TEXTS | st.booleans() | st.lists(JSON_TEXTS), max_size=2)
TEXT_PARTS = st.builds(Text, JSON_TEXTS, EXTRAS)
MEDIA = st.builds(Media, st.sampled_from(["image", "document"]), EXTRAS, EXTRAS)
OTHERS = st.builds(Other, EXTRAS | st.none() | JSON_TEXTS)
PARTS = st.one_of(
    TEXT_PARTS,
    st.builds(Thinking, JSON_TEXTS, JSON_TEXTS, EXTRAS),
    MEDIA,
    st.builds(ToolCall, JSON_TEXTS, JSON_TEXTS, JSON_TEXTS, EXTRAS, st.sampled_from(["", "custom"])),
    st.builds(ToolResult, JSON_TEXTS, st.lists(TEXT_PARTS | MEDIA | OTHERS, max_size=2).map(tuple), st.booleans()),
    OTHERS,
)
MESSAGES = st.builds(
    Message,
    st.sampled_from(["system", "developer", "user", "assistant", "tool"]),
    st.lists(PARTS, max_size=3).map(tuple),
    EXTRAS,
    st.sampled_from(["", "anthropic", "openai_chat"]),
    st.sampled_from(["", "text", "blocks"]),
    st.booleans(),
    st.booleans(),
)


def user(text: str) -> Message:
    return Message("user", (Text(text),))


def sessions_in(folder: Path) -> OwnSessions:
    """Sessions of a folder, with a clock that stands."""
    return OwnSessions(
        str(folder), clock=lambda: 1_790_000_000.0, new_id=lambda kind: make_id(kind, 1_790_000_000.0, os.urandom(10))
    )


def texts(session: OwnSession) -> list[str]:
    return [message.text for message in session.messages()]


def compacted(session: OwnSession, summary: str = "What was done.") -> CompactionResult:
    """The result of a compaction that leaves a summary and the last message."""
    before = session.messages()
    after = (user(summary), *before[-1:])
    return CompactionResult("compacted", "", after, summary, 1000, 100, len(before), len(after))


@pytest.fixture
def sessions(tmp_path: Path) -> OwnSessions:
    return sessions_in(tmp_path)


# -- lines


@given(MESSAGES)
def test_a_message_comes_back_from_a_line_exactly_as_it_was(message) -> None:
    event = Event("v_1", "user.message", {"message": message_json(message)}, 1.5)
    read = event_of(line_of(event))
    assert read is not None
    again = message_of(read.data["message"])
    assert repr(again) == repr(message)
    assert b"\n" not in line_of(event)


def test_half_a_surrogate_pair_does_not_stop_a_session(sessions) -> None:
    session = sessions.create()
    session.add(user("broken \ud83d emoji"))
    assert texts(sessions.open(session.session_id)) == ["broken \ud83d emoji"]


def test_a_value_that_is_no_json_is_refused_and_nothing_is_written(sessions) -> None:
    session = sessions.create()
    size = os.path.getsize(session.workspace.log.path)
    with pytest.raises(UsageError, match="JSON"):
        session.add(Message("user", (Other(object()),)))
    assert os.path.getsize(session.workspace.log.path) == size


@given(st.lists(MESSAGES, max_size=5), st.integers(0, 4000))
def test_any_part_of_a_log_from_its_beginning_replays(messages, cut) -> None:
    log = [
        Event(f"v_{n}", events.of_message(one).kind, events.of_message(one).data, n) for n, one in enumerate(messages)
    ]
    log.insert(len(log) // 2, Event("v_x", "vendor.unknown", {"anything": [1]}, 2.0))
    log.append(Event("v_r", "session.rewind", {"toEventId": "v_0"}, 9.0))
    data = b"".join(line_of(event) + b"\n" for event in log)
    whole = [event_of(line) for line in data[:cut].split(b"\n")[:-1]]
    assert all(whole)
    expected = messages[: sum(event is not None and event.event_id[2:].isdecimal() for event in whole)]
    if len(whole) == len(log) and messages:
        expected = messages[:1]
    assert [repr(one) for one in replay(event for event in whole if event)] == [repr(one) for one in expected]


def test_events_of_a_kind_that_is_not_known_are_kept_and_passed_over(sessions) -> None:
    session = sessions.create()
    session.add(user("one"))
    session.record(NewEvent("vendor.sidecar_started", {"deep": {"er": [1, 2]}}))
    session.add(user("two"))
    again = sessions.open(session.session_id)
    assert texts(again) == ["one", "two"]
    assert [event.data for event in again.events() if event.kind == "vendor.sidecar_started"] == [
        {"deep": {"er": [1, 2]}}
    ]


def test_lines_that_a_disk_has_spoilt_are_counted_and_the_rest_replays(sessions) -> None:
    session = sessions.create()
    session.add(user("one"))
    with open(session.workspace.log.path, "ab") as log:
        log.write(b'{"id":"v_9","type":"user.mess\xff\xfe\n[1,2]\n"text"\n{"id":7,"type":"x","data":{}}\n\n')
        log.write(b'{"id":"v_8","type":"user.message","data":{"message":{"role":"user","parts":[{"part":"text"}]}}}\n')
        log.write(b'{"id":"v_7","type":"session.rewind","data":{"toEventId":"v_nowhere"}}\n')
        log.write(b'{"id":"v_6","type":"session.compaction_complete","data":{"success":true,"replacement":[7]}}\n')
    again = sessions.open(session.session_id)
    again.add(user("two"))
    assert texts(again) == ["one", "two"]
    assert again.skipped == 4


def test_a_line_that_stands_twice_counts_once(sessions) -> None:
    session = sessions.create()
    session.add(user("one"))
    path = Path(session.workspace.log.path)
    path.write_bytes(path.read_bytes() * 2)
    assert texts(sessions.open(session.session_id)) == ["one"]


# -- the file


def test_a_log_is_only_ever_added_to(sessions) -> None:
    session = sessions.create()
    path = Path(session.workspace.log.path)
    before = path.read_bytes()
    for change in (
        lambda: session.add(user("one")),
        lambda: session.add(user("two")),
        lambda: session.apply_compaction(compacted(session), of=session.messages()),
        lambda: session.rewind(turn=1),
        session.undo,
        lambda: sessions.open(session.session_id),
    ):
        change()
        now = path.read_bytes()
        assert now.startswith(before)
        before = now


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_nobody_else_can_read_a_session_under_any_umask(sessions, umask) -> None:
    before = os.umask(umask)
    try:
        session = sessions.create()
        session.add(user("one"))
        session.apply_compaction(compacted(session), of=session.messages())
    finally:
        os.umask(before)
    assert not stat.S_IMODE(os.stat(session.workspace.folder).st_mode) & 0o077
    for folder, names, files in os.walk(session.workspace.folder):
        for name in [*names, *files]:
            assert not stat.S_IMODE(os.stat(os.path.join(folder, name)).st_mode) & 0o077, name


def test_a_log_that_is_a_symlink_is_refused(tmp_path) -> None:
    (tmp_path / "elsewhere").write_text("")
    (tmp_path / "events.jsonl").symlink_to(tmp_path / "elsewhere")
    log = EventLog(str(tmp_path / "events.jsonl"))
    with pytest.raises(FileError), log.writing():
        pass
    with pytest.raises(FileError):
        log.read()


def test_whoever_finds_the_log_taken_for_too_long_is_told(tmp_path) -> None:
    log = EventLog(str(tmp_path / "events.jsonl"), wait_seconds=0.05)
    with log.writing(), pytest.raises(StoreBusy), EventLog(log.path, wait_seconds=0.05).writing():
        pass


def test_a_log_that_somebody_shortened_is_not_taken_for_whole(sessions) -> None:
    session = sessions.create()
    session.add(user("one"))
    os.truncate(session.workspace.log.path, 10)
    with pytest.raises(FileError, match="shorter"):
        session.messages()


@pytest.mark.parametrize("name", ["../s_x", "s_X", "s_", "x", "s_a/b", ""])
def test_an_id_that_is_none_never_becomes_a_folder(sessions, tmp_path, name) -> None:
    with pytest.raises(UsageError):
        Workspace(str(tmp_path), name)


def test_a_full_disk_is_told_and_the_next_event_starts_on_a_line_of_its_own(sessions, monkeypatch) -> None:
    session = sessions.create()
    session.add(user("one"))
    real = os.write
    monkeypatch.setattr(
        "recollect.files.event_logs.os.write", lambda handle, data: real(handle, data[: len(data) // 2])
    )
    with pytest.raises(StoreFull):
        session.add(user("lost"))
    monkeypatch.undo()
    session.add(user("two"))
    assert texts(session) == texts(sessions.open(session.session_id)) == ["one", "two"]


def test_a_session_goes_on_when_only_the_files_beside_its_log_cannot_be_written(sessions, monkeypatch) -> None:
    session = sessions.create()
    session.add(user("one"))
    with monkeypatch.context() as patch:
        patch.setattr("recollect.files.workspaces.write_atomic", _raise(StoreFull()))
        session.apply_compaction(compacted(session), of=session.messages())
    assert session.problem
    assert session.in_effect == (1,)
    assert not session.checkpoints()
    assert [one.number for one in sessions.open(session.session_id).checkpoints()] == [1]


def _raise(error: Exception) -> Callable[..., None]:
    def fail(*_: object, **__: object) -> None:
        raise error

    return fail


# -- killed processes


class Killer:
    """Kills its process at the Nth call to the system that changes a file, half-way through when it is a write."""

    def __init__(self, at: int) -> None:
        self.left = at
        self.write, self.fsync, self.replace = os.write, os.fsync, os.replace

    def install(self) -> None:
        os.write, os.fsync, os.replace = self._write, self._fsync, self._replace  # type: ignore[assignment]

    def _write(self, handle: int, data: bytes) -> int:
        self.left -= 1
        if self.left == 0:
            self.write(handle, bytes(data)[: len(data) // 2])
            os.kill(os.getpid(), signal.SIGKILL)
        return self.write(handle, data)

    def _fsync(self, handle: int) -> None:
        self._count()
        self.fsync(handle)

    def _replace(self, *paths: str) -> None:
        self._count()
        self.replace(*paths)

    def _count(self) -> None:
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


def work(folder: Path, killer: Killer, acknowledge: Callable[[str], object]) -> None:
    """A session with messages, compactions and a rewind; each step is acknowledged once it is done."""
    session = sessions_in(folder).open("s_1")
    killer.install()
    for number in range(2):
        session.add(user(f"asked {number}"))
        acknowledge(f"asked {number}")
        session.apply_compaction(
            compacted(session, f"summary {number}"), of=session.messages(), title=f"Title {number}"
        )
        acknowledge(f"compacted {number}")
    session.rewind(turn=2)
    acknowledge("rewound")


def killed_at(at: int, folder: Path) -> Callable[[int], None]:
    """The work in a process that dies there and says on a pipe how far it came."""
    killer = Killer(at)
    return lambda pipe: work(folder, killer, lambda step: killer.write(pipe, f"{step}\n".encode()))


EXPECTED = {
    "": [],
    "asked 0": ["asked 0"],
    "compacted 0": ["summary 0", "asked 0"],
    "asked 1": ["summary 0", "asked 0", "asked 1"],
    "compacted 1": ["summary 1", "asked 1"],
    "rewound": ["summary 0", "asked 0"],
}


def test_wherever_a_process_is_killed_nothing_acknowledged_is_lost_and_the_rest_is_made_again(tmp_path) -> None:
    """In the middle of a line, of a checkpoint, of the index, of workspace.yaml, and between any two of them."""
    steps = list(EXPECTED)
    for at in range(1, 1000):
        folder = tmp_path / str(at)
        sessions_in(folder).create(session_id="s_1")
        child = Child(killed_at(at, folder))
        done = child.read().decode().splitlines()
        code = child.wait()
        session = sessions_in(folder).open("s_1")
        last = steps.index(done[-1]) if done else 0
        # What was not acknowledged may be there whole, or not at all.
        assert texts(session) in [EXPECTED[step] for step in steps[last : last + 2]], at
        assert_aligned(session)
        session.add(user("and on"))
        assert texts(sessions_in(folder).open("s_1"))[-1] == "and on"
        if code == 0:
            assert at > 30, "it was killed at every place"
            return
        assert code == -signal.SIGKILL
    pytest.fail("the work never came to its end")


def assert_aligned(session: OwnSession) -> None:
    """What is beside the log says what the log says."""
    made = {
        event.data["checkpointNumber"]: event.data for event in session.events() if "checkpointNumber" in event.data
    }
    found = session.checkpoints()
    assert [one.number for one in found] == sorted(made)
    for one in found:
        assert one.summary == made[one.number]["summaryContent"]
        assert f"checkpoints/{one.name}" == made[one.number]["checkpointPath"]
    index = Path(session.workspace.folder, "checkpoints", "index.md").read_text()
    assert index == render_index(found, session.in_effect)
    assert session.workspace.fields()["summary_count"] == len(session.in_effect)
    assert session.workspace.fields()["id"] == session.session_id


@pytest.mark.parametrize("lost", ["checkpoints/index.md", "workspace.yaml", "checkpoints/001-first.md", "checkpoints"])
def test_what_is_lost_beside_the_log_is_made_again_when_the_session_is_opened(sessions, lost) -> None:
    session = sessions.create(cwd="/work", title="Mine")
    session.add(user("one"))
    session.apply_compaction(compacted(session), of=session.messages(), title="First")
    before = {path.name: path.read_bytes() for path in Path(session.workspace.folder).rglob("*") if path.is_file()}
    path = Path(session.workspace.folder, lost)
    if path.is_dir():
        for inner in path.iterdir():
            inner.unlink()
        path.rmdir()
    else:
        path.write_bytes(path.read_bytes()[:7])
        if lost != "checkpoints/001-first.md":
            sessions.open(session.session_id)
        path.unlink()
    sessions.open(session.session_id)
    after = {path.name: path.read_bytes() for path in Path(session.workspace.folder).rglob("*") if path.is_file()}
    assert after == before


def test_the_index_is_made_from_the_checkpoint_files_also_those_a_person_changed(sessions) -> None:
    session = sessions.create()
    session.add(user("one"))
    session.apply_compaction(compacted(session), of=session.messages(), title="First")
    folder = Path(session.workspace.folder, "checkpoints")
    (folder / "001-first.md").write_text("# Renamed by hand\n\nMy own words.\n")
    (folder / "007-from-elsewhere.md").write_text("no heading at all")
    (folder / "notes.md").write_text("not a checkpoint")
    again = sessions.open(session.session_id)
    assert [(one.number, one.title) for one in again.checkpoints()] == [(1, "Renamed by hand"), (7, "from elsewhere")]
    assert "Renamed by hand" in (folder / "index.md").read_text()
    again.add(user("two"))
    again.apply_compaction(compacted(again), of=again.messages(), title="Next")
    assert again.in_effect == (1, 8), "a number is never used twice"


# -- two writers


def test_two_processes_that_write_to_one_session_lose_nothing_and_keep_their_order(tmp_path) -> None:
    sessions_in(tmp_path).create(session_id="s_1")

    def write(who: str) -> Callable[[int], None]:
        def run(_: int) -> None:
            session = sessions_in(tmp_path).open("s_1")
            while not (tmp_path / "go").exists():
                time.sleep(0.001)
            for number in range(25):
                session.add(user(f"{who} {number}"))
                if number == 12:
                    session.apply_compaction(compacted(session, who), of=session.messages(), title=who)

        return run

    children = [Child(write("left")), Child(write("right"))]
    time.sleep(0.05)
    (tmp_path / "go").touch()
    assert [child.wait() for child in children] == [0, 0]
    log = sessions_in(tmp_path).open("s_1").events()
    said = [Replay([event]).messages[0].text for event in log if event.kind == "user.message"]
    for who in ("left", "right"):
        assert [one for one in said if one.startswith(who)] == [f"{who} {number}" for number in range(25)]
    assert [event.parent for event in log[1:]] == [event.event_id for event in log[:-1]], "one chain, without gaps"
    assert [event.at for event in log] == sorted(event.at for event in log)
    numbers = [event.data["checkpointNumber"] for event in log if event.data.get("success") is True]
    assert numbers == sorted(set(numbers))
    assert_aligned(sessions_in(tmp_path).open("s_1"))


def test_each_writer_sees_what_the_other_wrote(sessions) -> None:
    one = sessions.create()
    two = sessions.resume(one.session_id)
    heard: list[str] = []
    one.subscribe(lambda event: heard.append(event.kind))
    two.add(user("from two"))
    one.add(user("from one"))
    assert texts(one) == texts(two) == ["from two", "from one"]
    assert heard == ["session.resume", "user.message", "user.message"]


# -- secrets


def test_secrets_are_taken_out_before_anything_is_written(sessions) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"[:36]
    session = sessions.create(title=f"with {secret}")
    said = user(f"the token is {secret}")
    session.add(said, source=secret)
    call = ToolCall("call_1", "bash", json.dumps({"command": f"curl -H 'Authorization: Bearer {secret}'"}))
    session.add(Message("assistant", (call,), {"note": (secret,)}))
    session.add(Message("tool", (ToolResult("call_1", (Text(f"GITHUB_TOKEN={secret}"),)),)))
    session.record(events.error("provider", f"401 for {secret}"))
    session.write_plan(f"use {secret}")
    of = (said, *session.messages()[1:])
    session.apply_compaction(compacted(session, f"The user gave {secret}"), of=of, title=f"About {secret}")
    assert session.in_effect == (1,), "messages that still hold the secret are known as the ones that were written"
    for path in Path(session.workspace.folder).rglob("*"):
        assert secret not in path.name
        assert path.is_dir() or secret not in path.read_text(), path
    assert "[redacted:" in Path(session.workspace.log.path).read_text()


def test_what_a_provider_has_sealed_stays_as_it_is() -> None:
    sealed = "ErUBCkYIBRgCIkD" + "x9Y8" * 40
    image = {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo" + "AKIA" * 30}
    message = Message("assistant", (Thinking("hm", sealed), Media("image", image), ToolCall("toolu_01A", "x", "{}")))
    assert message_of(redacted(message_json(message))) == message


# -- names and fields


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Fix the login", "001-fix-the-login.md"),
        ("../../etc/passwd", "001-etc-passwd.md"),
        ("  CON.  ", "001-con.md"),
        ("", "001-checkpoint.md"),
        ("🎉🎉", "001-checkpoint.md"),
        ("ログインを直す", "001-ログインを直す.md"),
        ("a\0b\nc", "001-a-b-c.md"),
        ("x" * 300, "001-" + "x" * 60 + ".md"),
        ("日" * 50, "001-" + "日" * 20 + ".md"),
    ],
)
def test_any_title_makes_a_safe_name(title, name) -> None:
    assert file_name(1, title) == name


@given(st.text())
def test_no_title_leaves_its_folder(title) -> None:
    name = file_name(12, title)
    assert "/" not in name
    assert "\\" not in name
    assert len(name.encode("utf-8", "surrogatepass")) <= 70
    assert name.isprintable()
    assert parse(name, "").number == 12


def test_a_summary_may_name_itself() -> None:
    assert title_of("<checkpoint_title>Moved the store</checkpoint_title>\nText") == "Moved the store"
    assert title_of("# Moved the store\n\nText", otherwise="no") == "Moved the store"
    assert title_of("Text\n# Quoted", otherwise="Please\nfix it") == "Please fix it"
    assert title_of("Text") == "Checkpoint"


FIELD_TEXTS = st.text(st.characters(codec="utf-8"))


@given(st.dictionaries(st.from_regex(r"\A[a-z_]{1,8}\Z"), FIELD_TEXTS | st.integers() | st.booleans(), max_size=4))
def test_the_fields_of_a_workspace_come_back(fields) -> None:
    assert parse_fields(render_fields(fields)) == fields


@given(st.dictionaries(st.from_regex(r"\A[a-z_]{2,8}\Z"), FIELD_TEXTS, max_size=4))
def test_the_fields_of_a_workspace_are_yaml(fields) -> None:
    yaml = pytest.importorskip("yaml")
    text = render_fields(fields)
    assert {str(name): value for name, value in (yaml.safe_load(text) or {}).items()} == {
        str(yaml.safe_load(name)): value for name, value in fields.items()
    }


def test_fields_that_somebody_wrote_by_hand_are_read_as_far_as_they_go() -> None:
    text = "\ufeffid: s_1\r\ntitle: It's mine # a remark\nsummary_count: 3\nlist: [1]\nnested:\n  deep: 1\nquoted: 'it''s'\n: x\n"
    expected = {"id": "s_1", "title": "It's mine", "summary_count": 3, "quoted": "it's"}
    assert parse_fields(text) == expected


def test_a_field_that_is_not_ours_stays(sessions) -> None:
    session = sessions.create()
    session.workspace.set_fields({"mine": "kept"})
    session.rename("New")
    assert session.workspace.fields()["mine"] == "kept"
    assert session.workspace.fields()["title"] == "New"


def test_turns_are_counted_without_reading_the_messages(sessions) -> None:
    session = sessions.create()
    for number in range(3):
        session.add(user(f"{number}"))
        session.add(Message("assistant", (Text("done"),)))
    session.rewind(turn=2)
    session.add(user("again"))
    assert count_turns(session.workspace.log.read()[0]) == session.turn == 2


def test_a_session_of_our_own_is_part_of_a_home(memory: Recollect) -> None:
    session = memory.own_sessions.create(title="Mine", cwd="/work")
    assert Path(session.workspace.folder) == Path(memory.home.sessions).resolve() / session.session_id
    assert sorted(os.listdir(session.workspace.folder)) == ["checkpoints", "events.jsonl", "inbox", "workspace.yaml"]
    assert [one.title for one, _ in memory.own_sessions.listed()] == ["Mine"]


def test_a_hosts_summary_is_called_by_what_it_says_first_not_by_what_stands_above_every_one() -> None:
    opening = "This session is being continued from a previous conversation that ran out of context.\n\n"
    told = "1. Primary Request and Intent:\n   Move the store to SQLite.\n2. Files:\n   - store.py\n"
    assert first_said(f"{opening}Analysis:\nThe user wants a lot.\n\nSummary:\n{told}") == "Move the store to SQLite."
    assert first_said(f"{opening}{told}") == "Move the store to SQLite."
    assert first_said("## Moved the store\n\nAll of it.") == "Moved the store"
    assert first_said(opening) == opening.strip()
