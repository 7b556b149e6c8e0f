"""It starts full: sessions of every host come in once, whole, without secrets, and leave little but what matters."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from recollect import Recollect
from recollect.hosts.table import reader
from recollect.model.hosts import NAMES
from tests.conftest import OpenMemory, contents, git, make_repository

SECRET = "hunter2" + "Zebra!Quartz"


def claude_line(kind: str, number: int, content: object, **extra: object) -> str:
    """One line of a Claude Code log."""
    line = {
        "parentUuid": f"u{number - 1}" if number > 1 else None,
        "isSidechain": False,
        "type": kind,
        "message": {"role": kind, "content": content, **({"id": f"msg_{number}", "model": "m"} if kind == "assistant" else {})},
        "uuid": f"u{number}",
        "timestamp": f"2026-11-01T09:00:{number:02d}.000Z",
        "userType": "external",
        "cwd": "/w/app",
        "sessionId": "S",
        "version": "2.1.325",
        "gitBranch": "main",
        **extra,
    }  # fmt: skip
    return json.dumps(line) + "\n"


def write_log(folder: Path, lines: list[str], name: str = "S.jsonl") -> Path:
    path = folder / "projects" / "-w-app" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(lines))
    return path


TALK = [
    claude_line("user", 1, "Please install the dependencies"),
    claude_line("assistant", 2, [{"type": "text", "text": "Running npm install."}]),
    claude_line("assistant", 3, [{"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "npm install"}}]),
    claude_line("user", 4, [{"type": "tool_result", "tool_use_id": "t1", "content": f"Always use yarn! password={SECRET}"}]),
    claude_line("user", 5, "No, we use pnpm in this repository, never npm."),
    claude_line("assistant", 6, [{"type": "text", "text": "Understood, pnpm."}]),
]  # fmt: skip


def bring(memory: Recollect, *paths: Path, exclude: Sequence[str] = ()):
    past = memory.sessions.excluding(exclude)
    logs, skipped = past.logs([str(path) for path in paths])
    return past.import_logs(logs, skipped=skipped)


def test_promise_4_it_starts_full_on_the_first_run(open_memory: OpenMemory, tmp_path) -> None:
    write_log(tmp_path / "user" / ".claude", TALK)
    memory = open_memory()
    past = memory.sessions
    logs, _ = past.logs()
    [found] = past.survey(logs)
    assert (found.host, found.sessions, found.folders) == ("claude-code", 1, ("/w/app",))
    imported = past.import_logs(logs)
    assert (imported.sessions, imported.turns) == (1, 2)
    past.digest()
    assert any("pnpm" in entry.content for entry in memory.entries.list(everywhere=True, layer="L1"))
    [(session, turns)] = past.listed()
    assert (session.repository, turns) == ("path:/w/app", 2)


def test_promise_4_every_supported_host_has_a_reader() -> None:
    for name in NAMES:
        host = reader(name)
        assert name == host.HOST
        assert callable(host.read)
        assert callable(host.recognises)
        assert isinstance(host.places({"HOME": "/home/x"}, "linux"), list)


def test_promise_5_little_junk_raw_history_stays_in_the_archive(open_memory: OpenMemory, tmp_path) -> None:
    path = write_log(tmp_path / "logs", TALK)
    memory = open_memory()
    bring(memory, path)
    memory.sessions.digest()
    known = [entry.content for entry in memory.entries.list(everywhere=True, layer="L1")]
    assert len(known) <= 2
    assert not any("yarn" in content or "install the dependencies" in content for content in known)
    archived = memory.entries.list(everywhere=True, layer="L2")
    assert len(archived) == 1
    found = memory.recall("how do I install the dependencies?", repository="path:/w/app").found
    assert all("Always use yarn" not in one.entry.content for one in found.entries)


def test_a_second_import_does_nothing(open_memory: OpenMemory, tmp_path) -> None:
    path = write_log(tmp_path / "logs", TALK)
    memory = open_memory()
    assert bring(memory, path).turns == 2
    assert bring(memory, path).turns == 0
    assert len(memory.sessions.digest()) == 1
    before = memory.transfer.export()
    assert memory.sessions.digest() == []
    assert memory.transfer.export() == before


def test_a_log_that_grows_brings_only_what_is_new_and_completes_the_last_turn(
    open_memory: OpenMemory, tmp_path
) -> None:
    memory = open_memory()
    for end in range(1, len(TALK) + 1):
        bring(memory, write_log(tmp_path / "logs", TALK[:end]))
    shown = memory.sessions.show("S")
    assert [turn.user for turn in shown.turns] == [
        "Please install the dependencies",
        "No, we use pnpm in this repository, never npm.",
    ]
    assert shown.turns[0].tools[0].target == "npm install"
    assert shown.turns[1].assistant == "Understood, pnpm."


def test_a_rewritten_or_copied_log_gives_no_second_turn_and_loses_none(open_memory: OpenMemory, tmp_path) -> None:
    memory = open_memory()
    path = write_log(tmp_path / "logs", TALK)
    bring(memory, path)
    fork = [line.replace('"sessionId": "S"', '"sessionId": "F"') for line in TALK]
    fork.append(claude_line("user", 9, "And now the docs", sessionId="F"))
    bring(memory, write_log(tmp_path / "logs", fork, "F.jsonl"))
    assert [turn.user for turn in memory.sessions.show("F").turns if turn.user] == ["And now the docs"]
    write_log(tmp_path / "logs", [*TALK[4:], claude_line("user", 10, "Go on with the docs then")])
    bring(memory, path)
    numbers = [turn.number for turn in memory.sessions.show("S").turns]
    assert numbers == [1, 2, 3]
    path.unlink()
    bring(memory, tmp_path / "logs")
    assert len(memory.sessions.show("S").turns) == 3


def test_what_cannot_be_read_is_counted_and_told_and_the_rest_is_read(open_memory: OpenMemory, tmp_path) -> None:
    path = write_log(tmp_path / "logs", [*TALK[:2], "{broken\n", *TALK[2:], '{"type": "user", "mess'])
    (tmp_path / "logs" / "notes.txt").write_text("hello")
    memory = open_memory()
    imported = bring(memory, tmp_path / "logs")
    assert imported.turns == 2
    assert {(Path(one.path).name, one.line) for one in imported.skipped} >= {("S.jsonl", 3), ("notes.txt", 0)}
    with path.open("a") as file:
        file.write('age": {"role": "user", "content": "Last words"}, "uuid": "u99", "sessionId": "S"}\n')
    assert bring(memory, path).turns == 1


def test_no_secret_of_a_log_reaches_the_disk(open_memory: OpenMemory, tmp_path) -> None:
    lines = [*TALK, claude_line("user", 7, f"the login is password={SECRET}")]
    memory = open_memory()
    bring(memory, write_log(tmp_path / "logs", lines))
    memory.sessions.digest()
    memory.close()
    for file in (tmp_path / "home").rglob("*"):
        if file.is_file():
            assert SECRET.encode() not in file.read_bytes(), file


def test_excluded_folders_stay_out(open_memory: OpenMemory, tmp_path) -> None:
    path = write_log(tmp_path / "logs", TALK)
    memory = open_memory()
    assert bring(memory, path, exclude=["/w/*"]).sessions == 0
    assert memory.sessions.listed() == []
    assert bring(open_memory(home="other"), path, exclude=["*/private/*"]).sessions == 1


def test_turns_belong_to_the_repository_even_when_the_folder_is_gone(open_memory: OpenMemory, tmp_path) -> None:
    there = make_repository(tmp_path / "there", remote="git@github.com:owner/there.git")
    codex = {
        "timestamp": "2026-11-01T09:00:00Z",
        "type": "session_meta",
        "payload": {"id": "T", "timestamp": "2026-11-01T09:00:00Z", "cwd": "/gone/app", "originator": "codex-tui",
                    "cli_version": "0.142.5", "source": "cli", "git": {"branch": "main", "repository_url": "git@github.com:owner/gone.git"}},
    }  # fmt: skip
    said = {
        "timestamp": "2026-11-01T09:00:01Z",
        "type": "event_msg",
        "payload": {"type": "user_message", "message": "Hi there"},
    }
    log = tmp_path / "rollout-2026-11-01T09-00-00-T.jsonl"
    log.write_text(json.dumps(codex) + "\n" + json.dumps(said) + "\n")
    memory = open_memory()
    bring(memory, log)
    bring(memory, write_log(tmp_path / "logs", [line.replace("/w/app", str(there)) for line in TALK]))
    assert {session.repository for session, _ in memory.sessions.listed()} == {
        "github.com/owner/gone",
        "github.com/owner/there",
    }


def test_a_correction_in_a_session_supersedes_what_was_remembered(open_memory: OpenMemory, tmp_path) -> None:
    repository = make_repository(tmp_path / "shop", remote="git@github.com:owner/shop.git")
    memory = open_memory(repository)
    wrong = memory.remember("This repository uses npm.", source="agent", origin="assistant")
    bring(memory, write_log(tmp_path / "logs", [line.replace("/w/app", str(repository)) for line in TALK]))
    memory.sessions.digest()
    assert memory.entries.get(wrong.entry_id).status == "superseded"
    assert "pnpm" in contents(memory, "which package manager does this repository use?")[0]
    git(repository, "status")


def test_an_interrupted_import_keeps_what_is_done(open_memory: OpenMemory, tmp_path) -> None:
    for number in range(3):
        lines = [line.replace('"sessionId": "S"', f'"sessionId": "S{number}"').replace('"uuid": "u', f'"uuid": "{number}u') for line in TALK]  # fmt: skip
        write_log(tmp_path / "logs", lines, f"S{number}.jsonl")
    memory = open_memory()
    past = memory.sessions
    logs, _ = past.logs([str(tmp_path / "logs")])

    def interrupt(what: str, done: int, total: int) -> None:
        if done * 2 > total:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        past.import_logs(logs, progress=interrupt)
    assert len(past.listed()) == 2
    assert past.import_logs(logs).sessions == 1


def test_unknown_files_in_a_folder_do_no_harm(open_memory: OpenMemory, tmp_path) -> None:
    folder = tmp_path / "mixed"
    folder.mkdir()
    (folder / "a.json").write_text("[]")
    (folder / "b.jsonl").write_bytes(bytes(range(256)) * 10)
    (folder / "c.db").write_bytes(b"SQLite format 3\x00" + b"\x00" * 100)
    shutil.copy(write_log(tmp_path / "logs", TALK), folder / "d.log")
    imported = bring(open_memory(), folder)
    assert imported.sessions == 1
    assert len(imported.skipped) >= 3


def test_sessions_travel_with_an_export_and_can_be_searched_there(open_memory: OpenMemory, tmp_path) -> None:
    memory = open_memory()
    bring(memory, write_log(tmp_path / "logs", TALK))
    memory.sessions.digest()
    document = json.loads(json.dumps(memory.transfer.export()))
    assert [len(session["turns"]) for session in document["sessions"]] == [2]
    other = open_memory(home="other")
    other.transfer.load(document)
    assert json.loads(json.dumps(other.transfer.export())) == document
    assert other.sessions.digest() == []
    assert other.sessions.show("S").turns[0].tools[0].target == "npm install"
    found = other.recall("npm install dependencies", layers=["L2"], repository="path:/w/app").found
    assert found.entries


def _codex_lines() -> list[str]:
    """A Codex log in which the conversation is compacted in the middle of a turn."""

    def message(role: str, text: str) -> dict[str, object]:
        content = [{"type": "output_text" if role == "assistant" else "input_text", "text": text}]
        return {"type": "message", "role": role, "content": content}

    prefix = "Another language model started to solve this problem and produced a summary of its thinking process."
    records: list[tuple[str, dict[str, object]]] = [
        ("session_meta", {"id": "t1", "cwd": "/w/app"}),
        ("event_msg", {"type": "user_message", "message": "Round half up"}),
        ("event_msg", {"type": "agent_message", "message": "Done."}),
        ("response_item", message("assistant", "Done.")),
        ("response_item", message("assistant", "The user wants half up. Rounding is done.")),
        ("compacted", {"message": f"{prefix}\nThe user wants half up. Rounding is done."}),
        ("event_msg", {"type": "agent_message", "message": "Going on."}),
        ("response_item", message("assistant", "Going on.")),
        ("event_msg", {"type": "user_message", "message": "Thanks"}),
    ]
    return [
        json.dumps({"timestamp": f"2026-11-01T09:00:{number:02d}.000Z", "type": kind, "payload": payload}) + "\n"
        for number, (kind, payload) in enumerate(records)
    ]


def _claude_lines() -> list[str]:
    """A Claude Code log with prompts that waited in the queue, and words beside a tool's result."""

    def queued(number: int, operation: str, content: str) -> str:
        at = f"2026-11-01T09:00:{number:02d}.000Z"
        return json.dumps({"type": "queue-operation", "operation": operation, "timestamp": at, "sessionId": "S", "content": content}) + "\n"  # fmt: skip

    return [
        claude_line("user", 1, "Start"),
        claude_line("assistant", 2, [{"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "ls"}}]),
        queued(3, "enqueue", "and use tabs"),
        queued(4, "enqueue", "and no semicolons"),
        queued(5, "remove", "and use tabs"),
        claude_line("user", 6, [{"type": "tool_result", "tool_use_id": "t1", "content": "ok"}, {"type": "text", "text": "stop the server"}]),
        claude_line("assistant", 7, [{"type": "text", "text": "Tabs it is."}]),
        queued(8, "dequeue", ""),
        claude_line("user", 9, "and no semicolons", promptSource="queued"),
        claude_line("assistant", 10, [{"type": "text", "text": "None."}]),
    ]  # fmt: skip


def _turns(memory: Recollect) -> list[tuple[object, ...]]:
    sessions = memory.transfer.export()["sessions"]
    return [(turn["number"], turn["user"], turn["assistant"]) for session in sessions for turn in session["turns"]]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (_codex_lines(), [(1, "Round half up", "Done.\n\nGoing on."), (2, "Thanks", "")]),
        (
            _claude_lines(),
            [
                (1, "Start", ""),
                (2, "stop the server", ""),
                (3, "and use tabs", "Tabs it is."),
                (4, "and no semicolons", "None."),
            ],
        ),
    ],
    ids=["codex", "claude-code"],
)
def test_a_log_imported_line_by_line_and_twice_gives_what_it_gives_at_once(
    open_memory: OpenMemory, tmp_path, lines: list[str], expected: list[tuple[object, ...]]
) -> None:
    at_once, growing = open_memory(home="at-once"), open_memory(home="growing")
    path = write_log(tmp_path / "logs", lines)
    bring(at_once, path)
    assert _turns(at_once) == expected
    for end in (*range(1, len(lines) + 1), len(lines)):
        write_log(tmp_path / "logs", lines[:end])
        bring(growing, path)
    assert _turns(growing) == expected
