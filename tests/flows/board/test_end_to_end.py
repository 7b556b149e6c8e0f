"""One story: the board, a sidekick's notice, reading it, /subconscious run, rem at shutdown, and the next session."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from recollect import Recollect
from recollect.flows.board.detached import command, consolidate_parent
from recollect.flows.chat.happenings import Notice, ToolFinished
from recollect.flows.chat.subconscious import Subconscious, run_prompt
from recollect.model.jobs import REM
from recollect.providers.scripted import ScriptedProvider
from recollect.sessions.timeline import timeline
from tests.command_line import RECOLLECT, clean_environment, process
from tests.conftest import git
from tests.flows.chat.agents import Watched, call
from tests.mcp_clients import in_memory, said
from tests.scripted_hosts import ClaudeCode

ON = {"RECOLLECT_SUBCONSCIOUS__ENABLED": "true"}
STUB = "`pnpm e2e` works once the payment stub runs: `pnpm stub --detach`."
PROMPT = "why does the payment stub matter for pnpm e2e?"
NOTICE = "Background agents left something in your inbox."


def background(chat: Watched) -> Subconscious:
    [found] = [one for one in chat.agent.listeners if isinstance(one, Subconscious)]
    return found


def inbox_id(text: str) -> str:
    return text.partition("[i_")[2].partition("]")[0] and "i_" + text.partition("[i_")[2].partition("]")[0]


@pytest.fixture(autouse=True)
def spawned(monkeypatch) -> list[str]:
    """The sessions for which a detached rem would have been started; no worker is."""
    started: list[str] = []
    monkeypatch.setattr("recollect.files.worker_process.start_worker", lambda *_: None)
    monkeypatch.setattr(
        "recollect.flows.board.detached.start_detached",
        lambda python, words, home, *, folder, variables: started.append(variables["RECOLLECT_PARENT_SESSION"]),
    )
    return started


def wait_for_read(chat: Watched) -> Callable[[Any], Any]:
    """An answer that lets the sidekicks finish first, so that their notice comes within this turn."""

    def answer(prompt: Any) -> Any:
        background(chat).wait(10)
        return call("todo", todos=[])

    return answer


def read_inbox(prompt: Any) -> Any:
    text = "\n".join(message.text for message in prompt.messages)
    return call("inbox", 2, command="read", id=inbox_id(text))


def first_session(memory: Recollect, spawned: list[str]) -> str:
    """Three messages; a sidekick finds the board's item, the agent reads it, rem is started by hand; the end."""
    memory.board.add("payment-stub", "What pnpm e2e needs", STUB)
    chat = Watched(memory, [])
    start_rem = call(
        "task", 3, agent_type="rem-agent", mode="background", name="rem-consolidate",
        description="Consolidate session learnings",
    )  # fmt: skip
    chat.provider._answers = [
        wait_for_read(chat),
        read_inbox,
        "Run the stub first.",
        "Noted.",
        "Fine.",
        start_rem,
        "Started.",
    ]
    chat.start()
    assert "| user | payment-stub | What pnpm e2e needs | 0 | 0 |" in chat.agent.session.messages()[0].text
    chat.type(PROMPT)
    sent = chat.last_request()
    assert sent.count(NOTICE) == 1
    [shown] = [one.text for one in chat.told(Notice)]
    assert shown.startswith("Inbox: subconscious-agent: payment-stub"), "the person sees it too"
    assert STUB in sent, "the agent read it"
    chat.type("We use pnpm here, never npm.")
    chat.type("thanks")
    chat.agent.instruct(run_prompt(), chat.events.append)
    assert chat.agent.session.turn == 3, "nobody typed what the command says"
    assert "rem-agent works in the background as 'rem-consolidate'." in chat.last_request()
    background(chat).wait(10)
    chat.agent.close()
    assert len(spawned) == 1
    return spawned[0]


def second_session(memory: Recollect, expected: str, prompt: str, content: str) -> None:
    chat = Watched(memory, [])
    chat.provider._answers = [wait_for_read(chat), read_inbox, "I see."]
    chat.start()
    assert f"| agent | {expected} |" in chat.agent.session.messages()[0].text
    chat.type(prompt)
    assert content in chat.last_request()
    chat.agent.close()


def test_the_whole_story_by_rules_alone(open_memory, repository, spawned):
    memory = open_memory(repository, **ON)
    parent = first_session(memory, spawned)
    item = "user-said-use-pnpm-here-never-npm"
    assert [one.name for one in memory.board.list()] == ["payment-stub", item], "rem ran by hand"
    child = open_memory(repository, **ON, RECOLLECT_PARENT_SESSION=parent)
    assert consolidate_parent(child.opened).added == (), "the same once more changes nothing"
    store = memory.opened.store
    assert store.counted_under("rem.") == {"spawned": 1, "detached_child": 1}
    assert store.jobs.of_kinds([REM]) == [], "the worker has nothing left to do"
    memory.board.prune("payment-stub")
    second_session(memory, item, "npm or pnpm, which one do we use?", "We use pnpm here, never npm.")


def test_the_whole_story_with_a_scripted_model(open_memory, repository, spawned, monkeypatch):
    learned = {"command": "add", "name": "package-manager", "description": "pnpm or npm", "context": "pnpm, never npm."}

    def background_model(prompt: Any) -> Any:
        text = prompt.messages[0].text
        if "memory-consolidation worker" in prompt.system:
            return {"calls": [learned]}
        if "nothing yet" not in text:
            return {"calls": []}
        name = "package-manager" if "| package-manager |" in text else "payment-stub"
        content = learned["context"] if name == "package-manager" else STUB
        wanted = "pnpm" in text.partition("# The context board")[0]
        send = {"tool": "send_inbox", "arguments": {"summary": name, "content": content}}
        return {"calls": [send] if wanted else []}

    provider = ScriptedProvider([background_model])
    monkeypatch.setattr("recollect.flows.models.asking.choose", lambda spec, means: provider)
    memory = open_memory(repository, **ON, RECOLLECT_MODELS__DEFAULT="openai:gpt-x")
    parent = first_session(memory, spawned)
    assert [one.name for one in memory.board.list()] == ["payment-stub", "package-manager"]
    child = open_memory(repository, **ON, RECOLLECT_PARENT_SESSION=parent, RECOLLECT_MODELS__DEFAULT="openai:gpt-x")
    assert consolidate_parent(child.opened).added == ("package-manager",)
    assert [one.name for one in memory.board.list()] == ["payment-stub", "package-manager"], "doubled nothing"
    second_session(memory, "package-manager", "npm or pnpm, which one do we use?", "pnpm, never npm.")


def test_rem_is_started_once_however_often_a_model_asks(open_memory, repository, monkeypatch):
    memory, gate = open_memory(repository, **ON), threading.Event()
    ran: list[int] = []

    def consolidate(*_: Any) -> None:
        ran.append(1)
        gate.wait(10)

    monkeypatch.setattr("recollect.flows.chat.subconscious.consolidate_now", consolidate)
    asked = {"agent_type": "rem-agent", "mode": "background", "name": "rem-consolidate", "description": "x"}
    chat = Watched(memory, [call("task", 1, **asked), call("task", 2, **asked), "Done."]).start()
    chat.type(run_prompt())
    gate.set()
    background(chat).wait(10)
    assert [one.ok for one in chat.told(ToolFinished)] == [True, False]
    assert ran == [1]
    chat.agent.close()


def test_the_macro_and_the_detached_command_say_exactly_what_they_have_to():
    text = run_prompt()
    assert "Call the task tool exactly once" in text
    for exact in ('"rem-agent"', '"background"', '"rem-consolidate"', '"Consolidate session learnings"'):
        assert exact in text
    assert "Do not pass extra context" in text
    assert command()[:6] == ["chat", "--agent", "rem-agent", "--yolo", "--silent", "-p"]
    assert "context_board add and prune calls" in command()[6]


def test_a_notice_that_was_recorded_before_a_kill_is_not_recorded_again(open_memory, repository):
    memory = open_memory(repository, **ON)
    chat = Watched(memory, ["Yes."]).start()
    inbox = memory.background.inbox("recollect", chat.agent.session.session_id)
    sent = inbox.send("subconscious-agent", "The stub", STUB)
    chat.agent.session.notify(inbox.notice()[0])
    background(chat).between_steps(chat.agent, chat.events.append)
    said = "\n".join(message.text for message in chat.agent.session.messages())
    assert said.count(sent.entry_id) == 1
    assert inbox.new() == []


def test_a_chat_that_is_resumed_on_a_new_branch_begins_its_board(open_memory, repository):
    memory = open_memory(repository, **ON)
    memory.board.add("payment-stub", "What pnpm e2e needs", STUB)
    chat = Watched(memory, ["Hm."]).start()
    chat.type("hello")
    chat.agent.close()
    git(repository, "checkout", "-q", "-b", "topic")
    there = open_memory(repository, **ON)
    assert there.board.list() == []
    again = Watched(there, ["Hm."])
    again.agent.load(chat_id(memory))
    assert [one.name for one in there.board.list()] == ["payment-stub"]
    assert [one.count for one in memory.board.list()] == [1], "only a new session is counted"
    again.agent.close()


def chat_id(memory: Recollect) -> str:
    return memory.own_sessions.listed()[0][0].session_id


def test_after_a_rewind_a_sidekick_may_send_again_and_what_it_sent_is_told_again(open_memory, repository, clock):
    memory = open_memory(repository, **ON)
    memory.board.add("payment-stub", "What pnpm e2e needs", STUB)
    memory.board.add("invoice-proxy", "How invoices reach the zugferd proxy", "Through port 7070.")
    chat = Watched(memory, ["Hm."]).start()
    chat.type("hello")
    chat.type(PROMPT)
    background(chat).wait(10)
    inbox = memory.background.inbox("recollect", chat.agent.session.session_id)
    [sent] = inbox.new()
    chat.type("go on")
    assert chat.last_request().count(sent.entry_id) == 1
    assert [one.text for one in chat.told(Notice)] == [f"Inbox: subconscious-agent: {sent.summary}"]
    asked = [one.text for one in timeline(chat.agent.session.events()) if one.what == "asked"]
    assert asked == ["hello", PROMPT, "go on"], "what was typed, not what came with it"
    chat.agent.rewind(2)
    chat.agent.take_back()
    chat.type("still there?")
    assert chat.last_request().count(sent.entry_id) == 1, "an undone rewind tells nothing twice"
    chat.agent.rewind(2)
    clock.now += 1
    chat.type("how do invoices reach the zugferd proxy?")
    assert chat.last_request().count(sent.entry_id) == 1, "told again"
    background(chat).wait(10)
    assert len(inbox.new()) == 1, "what was sent in the turn that was rewound does not count"
    assert memory.why(session=chat.agent.session.session_id, turn=2).query.startswith("how do invoices")
    chat.agent.close()


@pytest.mark.parametrize(("messages", "environ", "outcome"), [
    (2, {}, "below_min_turns"),
    (3, {}, "spawned"),
    (3, {"RECOLLECT_PARENT_SESSION": "s_parent"}, "detached_child"),
])  # fmt: skip
def test_shutdown_spawns_rem_after_three_messages_unless_it_is_a_detached_child(
    open_memory, repository, spawned, messages, environ, outcome
):
    memory = open_memory(repository, **ON, **environ)
    chat = Watched(memory, ["Yes."]).start()
    for number in range(messages):
        chat.type(f"number {number}")
    chat.agent.close()
    assert memory.opened.store.counted_under("rem.") == {outcome: 1}
    assert len(spawned) == (outcome == "spawned")


def test_the_detached_child_runs_as_a_command(open_memory, repository, tmp_path, spawned):
    memory = open_memory(repository, **ON)
    chat = Watched(memory, ["Yes."]).start()
    for text in ("We use pnpm here, never npm.", "go on", "and on"):
        chat.type(text)
    chat.agent.close()
    environ = clean_environment(tmp_path / "home", tmp_path / "user", **ON, RECOLLECT_PARENT_SESSION=spawned[0])
    done = process([RECOLLECT, *command()], repository, environ)
    assert (done.code, done.out, done.err) == (0, "", "")
    assert [one.name for one in memory.board.list()] == ["user-said-use-pnpm-here-never-npm"]


def test_the_same_in_claude_code(tmp_path: Path, repository: Path):
    (tmp_path / "user").mkdir()
    environ = clean_environment(tmp_path / "home", tmp_path / "user")

    def recollect(*words: str) -> Any:
        done = process([RECOLLECT, *words], repository, environ)
        assert done.code == 0, done.err
        return done

    def until(holds: Callable[[], Any]) -> Any:
        deadline = time.monotonic() + 120
        while not (found := holds()):
            assert time.monotonic() < deadline, (tmp_path / "home" / "logs" / "worker.jsonl").read_text()[-2000:]
            recollect("worker", "--once")
        return found

    recollect("install", "claude-code", "--yes")
    recollect("settings", "set", "hook.limit_milliseconds", "10000")
    recollect("settings", "set", "subconscious.enabled", "true")
    first = ClaudeCode(tmp_path / "user", repository, environ)
    assert "dynamic_context_board" not in first.start()
    for text in ("We use pnpm here, never npm.", "go on", "and on"):
        first.say(text)
    first.call("SessionEnd", reason="exit")
    [item] = until(lambda: recollect("board", "list", "--json").json)
    assert (item["src"], item["name"]) == ("agent", "user-said-use-pnpm-here-never-npm")
    second = ClaudeCode(tmp_path / "user", repository, environ)
    assert "| agent | user-said-use-pnpm-here-never-npm | We use pnpm here, never npm. | 0 | 0 |" in second.start()
    second.prompt("npm or pnpm, which one do we use?")
    inbox = tmp_path / "home" / "sessions"
    until(lambda: list(inbox.glob("*/inbox/*.new")))
    shown = second.call("UserPromptSubmit", prompt="go on", permission_mode="default", prompt_id="p2")
    assert shown.count(NOTICE) == 1

    async def talk(client: Any) -> Any:
        return await client.call_tool("inbox", {"command": "read", "id": inbox_id(shown)})

    assert "The user said so on" in said(in_memory(repository, environ, "legacy", talk))
    assert recollect("board", "list", "--json").json[0]["read_count"] == 1
    assert recollect("board", "list", "--json").json[0]["count"] == 1
