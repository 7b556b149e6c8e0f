"""`recollect chat -p`: one prompt and one answer, in a script's hands."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from pathlib import Path

import pytest

from recollect import Recollect
from tests.command_line import Done, Run
from tests.model_servers import Act, serving

FACT = {"subject": "tests", "fact": "The suite needs Redis.", "citations": ["seen"], "reason": "x", "scope": "user"}
SCRIPT = [
    {"last": "write it", "calls": [["edit", {"path": "new.txt", "new": "hello\n"}]]},
    {"last": "remember that", "calls": [["store_memory", FACT]]},
    {"last": "nobody is there to ask", "say": "It waits for you."},
    {"last": "waiting for the user", "say": "It waits for you."},
    {"last": "Made new.txt", "say": "Made it."},
    {"last": "markup", "say": "[bold]not markup[/bold] \u001b[31mred"},
    {"last": "undo it", "calls": [["run", {"command": "recollect undo"}]]},
    {"say": "Hello."},
]
SUMMARY = "\n\n".join(f"## {name}\nnone" for name in ("Goal", "Rules and decisions", "Done", "Open", "Errors", "Facts"))


@pytest.fixture
def chat(cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """`recollect chat` in a repository, with a script for a model; a word like NAME=value is a variable."""
    script = tmp_path / "script.json"
    script.write_text(json.dumps(SCRIPT))
    monkeypatch.setenv("RECOLLECT_MODELS__DEFAULT", f"scripted:{script}")

    def run(*words: str, stdin: str = "", **more: str) -> Done:
        with monkeypatch.context() as for_now:
            for name, value in more.items():
                for_now.setenv(name, value)
            return cli("chat", *words, stdin=stdin)

    return run


def test_a_prompt_is_answered_on_stdout_and_the_chat_goes_on_with_continue(chat) -> None:
    done = chat("-p", "hi")
    assert (done.code, done.out) == (0, "Hello.\n")
    quiet = chat("-p", "hi", "--silent")
    assert (quiet.out, quiet.err) == ("Hello.\n", "")
    again = chat("-p", "-", "--continue", "--output", "json", stdin="and again\n").json
    assert (again["status"], again["text"], again["turn"]) == ("done", "Hello.", 2)
    other = chat("-p", "hi", "--resume", again["session"][:20], "--json").json
    assert (other["session"], other["turn"]) == (again["session"], 3)


def test_every_happening_is_a_line_of_json(chat, cli, repository) -> None:
    lines = [json.loads(line) for line in chat("-p", "write it", "--output", "stream-json", "--yolo").out.splitlines()]
    assert [one["type"] for one in lines if one["type"] != "window"] == [
        "tool_started", "tool_finished", "text_delta", "message", "done", "result",
    ]  # fmt: skip
    assert lines[1]["diff"]["after"] == "hello\n"
    assert (repository / "new.txt").read_text() == "hello\n"


def test_what_would_be_asked_waits_where_nobody_is_there(chat, cli, repository) -> None:
    done = chat("-p", "write it")
    assert done.out == "It waits for you.\n"
    assert "? Needs your permission: An agent wants to edit: new.txt" in done.err
    [waiting] = chat("-p", "write it", "--json").json["waiting"]
    assert waiting.startswith("An agent wants to edit: new.txt")
    assert not (repository / "new.txt").exists()
    assert chat("-p", "remember that").out == "It waits for you.\n"
    pending = cli("pending", "--json").json
    assert [one["what"] for one in pending] == ["The suite needs Redis."]


def test_allowed_and_denied_tools(chat, cli, repository) -> None:
    assert chat("-p", "write it", "--deny-tool", "edit").code == 1
    assert not (repository / "new.txt").exists()
    assert chat("-p", "write it", "--allow-tool", "edit").out == "Made it.\n"
    (repository / "new.txt").unlink()
    assert chat("-p", "write it", "--yolo", RECOLLECT_PERMISSIONS__DENY="edit").code == 1


def test_an_agent_file_gives_instructions_and_only_the_users_own_gives_permission(
    chat, cli, repository, tmp_path
) -> None:
    header = "---\nallow-tools: [edit]\n---\nYou write files.\n"
    theirs = repository / ".claude" / "agents"
    theirs.mkdir(parents=True)
    (theirs / "writer.md").write_text(header)
    assert chat("-p", "write it", "--agent", "writer").out == "It waits for you.\n"
    mine = tmp_path / "user" / ".claude" / "agents"
    mine.mkdir(parents=True)
    (mine / "writer.md").write_text(header)
    assert chat("-p", "write it", "--agent", "writer").out == "Made it.\n"
    done = chat("-p", "hi", "--agent", "nobody")
    assert done.code == 1
    assert "There is no agent named 'nobody'" in done.err


def test_the_tools_of_an_agent_file_count_under_each_of_their_names(chat, repository, tmp_path) -> None:
    mine = tmp_path / "user" / ".claude" / "agents"
    mine.mkdir(parents=True)
    (mine / "writer.md").write_text("---\nallowed-tools: edit, read\n---\nYou write files.\n")
    (mine / "reader.md").write_text("---\ndisallowed-tools:\n  - edit\n---\nYou read files.\n")
    assert chat("-p", "write it", "--agent", "writer").out == "Made it.\n"
    (repository / "new.txt").unlink()
    assert chat("-p", "write it", "--agent", "reader").code == 1
    assert not (repository / "new.txt").exists()


def test_nothing_that_a_model_says_is_obeyed_by_the_terminal(chat, cli, repository) -> None:
    assert chat("-p", "markup").out == "[bold]not markup[/bold] red\n"


def test_without_a_model_it_says_in_three_lines_how_to_get_one(chat, cli, repository) -> None:
    done = chat("-p", "hi", RECOLLECT_MODELS__DEFAULT="rules")
    assert done.code == 1
    assert len(done.err.splitlines()) == 3
    assert "recollect models use" in done.err
    other = chat("-p", "hi", RECOLLECT_MODELS__DEFAULT="claude")
    assert "claude answers single questions" in other.err


def test_words_in_a_pipe_are_not_the_users_own(chat, cli, repository) -> None:
    cli("remember", "We use npm.")
    chat("-p", "No, we use pnpm, not npm.")
    entries = cli("list", "--json").json
    assert [one["content"] for one in entries if one["layer"] == "L1"] == ["We use npm."]


def test_promise_13_switched_off_nothing_is_asked_or_kept(chat, cli, repository, tmp_path) -> None:
    done = chat("-p", "hi", RECOLLECT_ENABLED="false")
    assert (done.code, done.out) == (1, "")
    assert "switched off" in done.err
    assert not list((tmp_path / "home").glob("sessions/*/events.jsonl"))


def test_promise_12_the_ceilings_hold_in_a_chat_too(chat, cli, repository, tmp_path) -> None:
    done = chat("-p", "hi", RECOLLECT_MODELS__DAY_TOKENS="1000")
    assert done.code == 1
    assert "recollect settings set models.day_tokens" in done.err
    with Recollect.open(str(tmp_path / "home"), folder=str(repository)) as memory:
        for number in range(40):
            memory.remember(f"The importer of shop {number} reads the file orders{number}.csv at night.", scope="user")
    told = chat("-p", "what does the importer read at night?", "--output", "stream-json").out.splitlines()
    [recalled] = [one for one in map(json.loads, told) if one["type"] == "recalled"]
    assert recalled["entries"] <= 8
    assert recalled["tokens"] <= 2_000


def test_a_real_413_forces_a_compaction_and_the_answer_comes(chat) -> None:
    long = Act("So much to say. " * 400)
    with serving("openai", long, long, Act("Third."), Act(status=413), Act(SUMMARY), Act("After all.")) as server:
        for number in range(3):
            go_on = ["--continue"] if number else []
            assert chat("-p", f"question {number}", *go_on, RECOLLECT_MODELS__DEFAULT=server.spec).code == 0
        done = chat("-p", "now?", "--continue", "--output", "stream-json", RECOLLECT_MODELS__DEFAULT=server.spec)
    happened = [json.loads(line) for line in done.out.splitlines()]
    assert happened[-1]["text"] == "After all."
    [compacted] = [one for one in happened if one["type"] == "compaction" and one["state"] == "completed"]
    assert compacted["trigger"] == "context_limit"
    assert compacted["tokens_after"] < compacted["tokens_before"]


def test_what_a_provider_took_out_of_the_conversation_is_in_the_log_of_the_chat(chat, tmp_path) -> None:
    edit = {"type": "clear_tool_uses_20250919", "cleared_tool_uses": 8, "cleared_input_tokens": 50_000}
    with serving("anthropic", Act("Fine.", edits=(edit,)), Act("Fine.", compacted=True)) as server:
        for go_on in ([], ["--continue"]):
            assert chat("-p", "hi", *go_on, RECOLLECT_MODELS__DEFAULT=server.spec).code == 0
    [log] = (tmp_path / "home" / "sessions").glob("*/events.jsonl")
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    told = [one["data"] for one in lines if one["type"] == "session.provider_compaction"]
    assert [(one["kind"], one["source"], one["tokens"]) for one in told] == [
        ("edit", "clear_tool_uses_20250919", 50_000),
        ("block", "compaction", 0),
    ]
    assert told[1]["summaryContent"] == "So far: nothing."


def test_commands_that_the_agent_runs_are_an_agents(chat, cli) -> None:
    cli("remember", "We use npm.")
    lines = chat("-p", "undo it", "--yolo", "--output", "stream-json").out.splitlines()
    [done] = [one for one in map(json.loads, lines) if one["type"] == "tool_finished"]
    assert "Undoing a change needs a person" in done["text"]


def test_ctrl_c_cancels_and_the_prompt_is_kept(chat, tmp_path) -> None:
    (tmp_path / "script.json").write_text(json.dumps([{"say": "Never.", "until": str(tmp_path / "never")}]))
    watching = threading.Thread(target=_interrupt_once_asked, args=(tmp_path / "home" / "sessions",))
    watching.start()
    done = chat("-p", "hi there", "--output", "json")
    watching.join()
    assert (done.code, json.loads(done.out)["status"]) == (1, "cancelled")
    again = chat("-p", "still there?", "--continue", "--json", RECOLLECT_MODELS__DEFAULT=_script(tmp_path))
    assert (again.json["status"], again.json["turn"]) == ("done", 2)


def _script(folder: Path) -> str:
    (folder / "other.json").write_text(json.dumps([{"when": "hi there", "say": "Yes."}]))
    return f"scripted:{folder / 'other.json'}"


def _interrupt_once_asked(sessions: Path) -> None:
    end = time.monotonic() + 30
    while time.monotonic() < end:
        if any(b'"user.message"' in log.read_bytes() for log in sessions.glob("*/events.jsonl")):
            os.kill(os.getpid(), signal.SIGINT)
            return
        time.sleep(0.02)
