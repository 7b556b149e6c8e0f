"""The agent without a terminal: memory, tools, permissions, the window, cancelling, and taking a session up again."""

from __future__ import annotations

import json
import threading

import pytest

from recollect import Recollect
from recollect.errors import AnswerLost, ContextTooLong, NotFound, Refused
from recollect.flows.chat.happenings import (
    Cleared,
    Compaction,
    Failed,
    Kept,
    Notice,
    Recalled,
    Said,
    TextDelta,
    TodosChanged,
    ToolFinished,
    ToolStarted,
)  # fmt: skip
from recollect.model.messages import ToolCall
from recollect.ports import Usage
from recollect.providers.scripted import GOOD_SUMMARY, Scripted
from tests.flows.chat.agents import Watched, call


@pytest.fixture(autouse=True)
def no_worker(monkeypatch):
    monkeypatch.setattr("recollect.files.worker_process.start_worker", lambda *_: None)


def active(memory) -> list[str]:
    return [one.content for one in memory.entries.list(status="active") if one.layer != "L2"]


def test_a_session_starts_with_the_profile_and_a_prompt_gets_what_memory_has_for_it(memory) -> None:
    memory.remember("The user's name is Ada.", layer="L0")
    memory.remember("The deploy target is Fly.io.")
    chat = Watched(memory, ["It is Fly.io."]).start()
    assert chat.type("what is the deploy target?").status == "done"
    sent = chat.last_request()
    assert "Ada" in sent
    assert "Fly.io" in sent
    [receipt] = chat.told(Recalled)
    assert receipt.line.startswith("1 memory, ")
    assert memory.why(receipt_id=receipt.receipt_id).query == "what is the deploy target?"


def test_a_typed_correction_applies_at_once_and_the_next_prompt_uses_it(memory) -> None:
    memory.remember("We use npm.")
    chat = Watched(memory, ["Noted.", "pnpm."]).start()
    chat.type("No, we use pnpm, not npm.")
    [kept] = chat.told(Kept)
    assert kept.corrects
    assert kept.line == "Corrected: We use pnpm."
    chat.type("npm or pnpm?")
    assert "We use pnpm." in chat.last_request()
    assert "We use npm." not in chat.last_request()
    assert active(memory) == ["We use pnpm."]
    memory.undo(kept.change_id)
    assert active(memory) == ["We use npm."]


def test_a_correction_whose_noun_could_be_a_verb_applies_at_once_too(memory) -> None:
    memory.remember("The deploy target is Fly.io.")
    chat = Watched(memory, ["Noted."]).start()
    chat.type("No, the deploy target is Render, not Fly.io.")
    [kept] = chat.told(Kept)
    assert kept.line == "Corrected: The deploy target is Render."
    assert active(memory) == ["The deploy target is Render."]


def test_words_that_nobody_typed_are_recorded_and_change_nothing(memory) -> None:
    memory.remember("We use npm.")
    chat = Watched(memory, ["Noted."]).start()
    chat.agent.prompt("No, we use pnpm, not npm.", chat.events.append)
    assert not chat.told(Kept)
    assert active(memory) == ["We use npm."]


def test_an_edit_shows_its_diff_and_is_made_once_the_user_says_yes(memory, repository) -> None:
    (repository / "a.py").write_text("one = 1\n")
    chat = Watched(memory, [call("edit", path="a.py", old="one = 1", new="one = 2"), "Done."]).start()
    chat.type("make it two")
    [started] = chat.told(ToolStarted)
    assert "-one = 1\n+one = 2" in started.diff.unified
    assert (started.kind, chat.questions[0].kind, chat.questions[0].call_id) == ("edit", "edit", "call-1")
    assert (repository / "a.py").read_text() == "one = 2\n"
    assert chat.told(ToolFinished)[0].ok


def test_a_call_that_cannot_be_made_is_shown_with_its_name_and_why(memory) -> None:
    steps = [call("search", 1, pattern="x"), call("edit", 2, path="b.py", old="x", new="y"), "Oh."]
    chat = Watched(memory, steps).start()
    chat.type("try it")
    assert [(one.name, one.title) for one in chat.told(ToolStarted)] == [("search", ""), ("edit", "b.py")]
    assert [one.ok for one in chat.told(ToolFinished)] == [False, False]


def test_a_no_leaves_the_file_alone_and_the_model_is_told(memory, repository) -> None:
    (repository / "a.py").write_text("one = 1\n")
    chat = Watched(
        memory, [call("edit", path="a.py", old="one = 1", new="one = 2"), "All right."], say="reject"
    ).start()
    chat.type("make it two")
    assert (repository / "a.py").read_text() == "one = 1\n"
    assert "The user said no" in chat.last_request()


@pytest.mark.parametrize("path", ["../outside.txt", ".git/config", "/etc/hosts"])
def test_an_edit_never_leaves_the_repository(path, memory, repository) -> None:
    chat = Watched(memory, [call("edit", path=path, new="x"), "No."], yolo=True).start()
    chat.type("write it")
    assert not chat.told(ToolFinished)[0].ok
    assert not (repository.parent / "outside.txt").exists()


def test_allowed_for_the_session_is_asked_once_and_allowed_for_the_location_never_again(
    memory, open_memory, repository
) -> None:
    runs = [call("run", 1, command="echo one"), call("run", 2, command="echo two"), "Done."]
    chat = Watched(memory, runs, say="session").start()
    chat.type("run both")
    assert len(chat.questions) == 1
    other = Watched(memory, [call("run", command="echo three"), "Done."], say="location").start()
    other.type("run it")
    assert len(other.questions) == 1
    third = Watched(open_memory(repository), [call("run", command="echo four"), "Done."]).start()
    third.type("run it")
    assert not third.questions
    assert "four\n[exit status 0]" in third.last_request()


def test_with_nobody_there_what_would_be_asked_waits_and_a_denied_tool_is_not_offered(memory, repository) -> None:
    chat = Watched(memory, [call("run", command="touch x"), "It waits."], say="nobody", deny_tools=("edit",)).start()
    chat.type("run it")
    assert not (repository / "x").exists()
    assert "nobody is there to ask" in chat.last_request()
    assert "edit" not in [tool.name for tool in chat.provider.prompts[-1].tools]
    assert [event.data["kind"] for event in chat.agent.session.events() if event.kind == "permission.waiting"] == [
        "run"
    ]


def test_a_store_is_asked_with_its_fact_citations_and_scope_and_a_vote_with_direction_and_reason(
    memory, repository
) -> None:
    (repository / "Makefile").write_text("test:\n\tpytest\n")
    store = call("store_memory", subject="tests", fact="The tests run with make test.", citations=["Makefile"], reason="asked often", scope="user")  # fmt: skip
    chat = Watched(memory, [store, "Stored."]).start()
    chat.type("how do the tests run?")
    [asked] = chat.questions
    assert (asked.action, asked.what, asked.citations, asked.scope) == ("store", "The tests run with make test.", ("Makefile",), "user")  # fmt: skip
    assert active(memory) == ["The tests run with make test."]
    memory.remember("The user likes tabs.", scope="user")
    vote = call("vote_memory", fact="The user likes tabs.", direction="downvote", reason="they use spaces")
    voting = Watched(memory, [vote, "Voted."]).start()
    voting.type("do I like tabs?")
    [asked] = voting.questions
    assert (asked.action, asked.direction, asked.reason) == ("vote", "down", "they use spaces")


def test_todos_and_a_skill_are_told_and_survive_a_compaction(memory, repository) -> None:
    folder = repository / ".claude" / "skills" / "release"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text("---\nname: release\ndescription: How to release\n---\nTag it, then push.\n")
    todos = [{"text": "write the test", "status": "completed"}, {"text": "make it pass", "status": "pending"}]
    long = call("run", 3, command="seq 1 3000")
    answers = [
        call("todo", 1, todos=todos),
        call("skill", 2, name="release"),
        long,
        "Both.",
        "Then this.",
        GOOD_SUMMARY,
        "Still there.",
    ]
    chat = Watched(memory, answers, yolo=True).start()
    chat.type("plan it and read the skill")
    assert [one.status for one in chat.told(TodosChanged)[0].todos] == ["completed", "pending"]
    assert "Tag it, then push." in chat.last_request()
    chat.type("and then?")
    assert chat.agent.compact().compacted
    chat.type("what is left?")
    assert "- [ ] make it pass" in chat.last_request()
    assert "Tag it, then push." in chat.last_request()


def long_chat(open_memory, repository, answers, *, limit: int = 12_000, **options):
    memory = open_memory(repository, RECOLLECT_COMPACTION__LIMIT_TOKENS=f"*={limit}")
    return Watched(memory, answers, **options).start()


def test_the_conversation_is_compacted_in_the_background_from_80_percent_on(open_memory, repository) -> None:
    def answer(prompt):
        return GOOD_SUMMARY if prompt.role == "smol" else "word " * 700

    chat = long_chat(open_memory, repository, [answer])
    for number in range(20):
        chat.type(f"question {number}: " + "detail " * 100)
        if any(one.state == "completed" for one in chat.told(Compaction)):
            break
    states = [one.state for one in chat.told(Compaction)]
    assert states[0] == "started"
    assert "completed" in states
    assert chat.agent.session.checkpoints()


def test_a_context_error_forces_a_compaction_and_the_request_is_sent_again(memory) -> None:
    refused = [False]

    def answer(prompt):
        if prompt.role == "smol":
            return GOOD_SUMMARY
        if len(prompt.messages) > 4 and not refused[0]:
            refused[0] = True
            return ContextTooLong()
        return "Fine. " * 300

    chat = Watched(memory, [answer]).start()
    for number in range(3):
        assert chat.type(f"question {number}").status == "done"
    assert refused[0]
    assert [one.trigger for one in chat.told(Compaction) if one.state == "completed"] == ["context_limit"]


def test_a_lost_answer_is_cleared_and_asked_for_again(memory) -> None:
    chat = Watched(memory, [Scripted(("Half an ", AnswerLost())), "A whole answer."]).start()
    assert chat.type("hello").text == "A whole answer."
    kinds = [type(one) for one in chat.events if isinstance(one, (TextDelta, Cleared, Said))]
    assert kinds == [TextDelta, Cleared, TextDelta, Said]
    assert "Half an" not in "".join(message.text for message in chat.agent.session.messages())


def test_cancelling_in_the_middle_of_an_answer_keeps_what_came(memory) -> None:
    chat = Watched(memory, [Scripted(("First. ", "Second."), delay_seconds=0.05)]).start()

    def hear(event) -> None:
        chat.events.append(event)
        if isinstance(event, TextDelta):
            chat.agent.cancel()

    assert chat.agent.prompt("hello", hear).status == "cancelled"
    assert [one.is_cut for one in chat.told(Said)] == [True]
    assert chat.agent.session.messages()[-1].text == "First. "


def test_cancelling_a_tool_ends_it_at_once_and_every_call_has_its_result(memory) -> None:
    both = Scripted(calls=(ToolCall("c1", "run", '{"command": "sleep 60"}'), ToolCall("c2", "run", '{"command": "echo x"}')))  # fmt: skip
    chat = Watched(memory, [both, "Never."], yolo=True).start()

    def hear(event) -> None:
        chat.events.append(event)
        if isinstance(event, ToolStarted):
            threading.Timer(0.1, chat.agent.cancel).start()

    assert chat.agent.prompt("wait", hear).status == "cancelled"
    assert [one.ok for one in chat.told(ToolFinished)] == [False, False]
    assert len(chat.provider.prompts) == 1


def test_cancelling_while_a_question_is_open_does_nothing_of_it(memory, repository) -> None:
    chat = Watched(memory, [call("run", command="touch x"), "Never."]).start()

    def answer(question) -> str:
        chat.agent.cancel()
        return "nobody"

    chat.answer = answer
    assert chat.type("run it").status == "cancelled"
    assert not (repository / "x").exists()


def test_cancelling_a_compaction_changes_nothing(open_memory, repository) -> None:
    chat = long_chat(open_memory, repository, ["Fine."])
    chat.type("one")
    chat.type("two")
    before = chat.agent.session.messages()
    gate = chat.provider.hold()
    threading.Timer(0.1, chat.agent.cancel).start()
    with pytest.raises(Refused, match="cancelled"):
        chat.agent.compact("", chat.events.append)
    gate.set()
    assert chat.agent.session.messages() == before
    assert [one.state for one in chat.told(Compaction)] == ["started", "cancelled"]


def test_a_message_typed_during_a_turn_steers_it(memory) -> None:
    chat = Watched(memory, [call("run", command="true"), "Both."], yolo=True).start()

    def hear(event) -> None:
        if isinstance(event, ToolStarted):
            chat.agent.steer("and use tabs")

    assert chat.agent.prompt("indent it", hear).text == "Both."
    assert "and use tabs" in chat.last_request()
    assert not chat.agent.waiting


def test_one_turn_at_a_time(memory) -> None:
    chat = Watched(memory, ["Fine."]).start()

    def again(event) -> None:
        with pytest.raises(Refused, match="A turn is running"):
            chat.agent.prompt("me too")

    chat.agent.prompt("hello", again)


def test_a_session_is_taken_up_again_with_calls_that_were_cut_off_answered(memory) -> None:
    chat = Watched(memory, [call("run", command="true"), "Done."], yolo=True).start()
    chat.type("run it")
    name = chat.agent.session.session_id
    log = chat.agent.session.workspace.log.path
    with open(log, "rb") as file:
        lines = file.readlines()
    at = next(number for number, line in enumerate(lines) if b'"tool.execution_start"' in line)
    with open(log, "wb") as file:
        file.writelines(lines[: at + 1])
    again = Watched(memory, ["Looked: nothing was done."])
    again.agent.load(name)
    assert again.type("go on").status == "done"
    assert "it is not known whether it took effect" in again.last_request()


def test_an_unknown_session_is_said_to_be_unknown(memory) -> None:
    with pytest.raises(NotFound):
        Watched(memory, ["x"]).agent.load("s_nowhere")


def test_a_failure_says_what_to_do_and_the_next_prompt_goes_on(memory) -> None:
    from recollect.errors import ProviderError

    chat = Watched(memory, [ProviderError("The key was refused.", remedy="Check the key."), "Back."]).start()
    assert chat.type("hello").status == "failed"
    assert chat.told(Failed) == [Failed("The key was refused.", "Check the key.")]
    assert chat.type("again").text == "Back."


def test_what_was_said_in_a_chat_is_not_kept_twice_when_the_worker_digests_it(memory) -> None:
    from recollect.flows.sessions.session_end import SessionRef, end_session

    memory.remember("We use npm.")
    chat = Watched(memory, ["Noted."]).start()
    chat.type("No, we use pnpm, not npm.")
    before = active(memory)
    session = chat.agent.session
    chat.agent.close()
    ref = SessionRef("recollect", session.session_id, session.workspace.log.path, "")
    end_session(ref, past=memory.sessions, store=memory.opened.store, now=memory.opened.now)
    after = active(memory)
    assert after == before


def test_notices_do_not_break_a_turn_when_memory_cannot_be_used(memory, monkeypatch) -> None:
    from recollect.errors import StoreBusy

    def busy(*_, **__):
        raise StoreBusy

    chat = Watched(memory, ["Fine."]).start()
    monkeypatch.setattr("recollect.flows.chat.hearing.turn", busy)
    assert chat.type("hello").status == "done"
    assert "Memory could not be used" in chat.told(Notice)[0].text


def test_what_waited_is_told_when_the_session_is_taken_up_again(memory) -> None:
    from recollect.flows.chat.permits import waited

    chat = Watched(memory, [call("run", command="make deploy"), "It waits."], say="nobody").start()
    chat.type("deploy it")
    name = chat.agent.session.session_id
    again = Watched(memory, ["Fine."])
    [what] = waited(again.agent.load(name))
    assert "make deploy" in what
    assert not waited(Watched(memory, ["Fine."]).agent.load(name)), "once"


def test_tools_of_a_configured_server_are_offered_and_asked_about(memory, repository, tmp_path) -> None:
    import sys

    environ = {"RECOLLECT_HOME": str(tmp_path / "home"), "HOME": str(tmp_path / "user")}
    own = {"command": sys.executable, "args": ["-m", "recollect", "mcp"], "env": environ}
    broken = {"command": str(tmp_path / "nothing-here")}
    (tmp_path / "home" / "mcp.json").write_text(json.dumps({"mcpServers": {"own": own, "broken": broken}}))
    memory.remember("The deploy target is Fly.io.")
    chat = Watched(memory, [call("own__memory_recall", query="deploy target"), "Done."]).start()
    try:
        chat.type("look it up")
        [asked] = chat.questions
        assert (asked.kind, asked.what) == ("mcp:own", 'own: memory_recall {"query": "deploy target"}')
        assert "Fly.io" in chat.told(ToolFinished)[0].text
        assert [one for one in chat.agent.notices if one.startswith("The MCP server broken does not answer")]
    finally:
        chat.agent.close()


SERVER = """
import json, sys
TOOLS = [
    {"name": "issues", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}},
    {"name": "close.issue", "inputSchema": {"type": "object"}},
    {"name": "close_issue", "inputSchema": {"type": "object"}},
    {"name": "bad", "inputSchema": {"type": "object", "properties": {"a": {"type": "nothing"}}}},
]
for line in sys.stdin:
    asked = json.loads(line)
    if asked.get("method") == "initialize":
        answer = {"protocolVersion": asked["params"]["protocolVersion"], "capabilities": {"tools": {}},
                  "serverInfo": {"name": "github", "version": "1"}}
    elif asked.get("method") == "tools/list":
        answer = {"tools": TOOLS}
    elif asked.get("method") == "tools/call":
        if asked["params"]["name"] != "issues":
            sys.exit(1)
        answer = {"content": [{"type": "text", "text": "#7: the stub needs --detach"}], "isError": False}
    else:
        answer = {}
    if "id" in asked:
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": answer}), flush=True)
"""


def test_a_broken_server_costs_its_tools_and_neither_the_chat_nor_the_turn(memory, repository, tmp_path) -> None:
    import sys

    spec = {"command": sys.executable, "args": ["-c", SERVER]}
    (tmp_path / "home" / "mcp.json").write_text(json.dumps({"mcpServers": {"github": spec}}))
    chat = Watched(memory, [call("github__close_issue"), "It broke."]).start()
    try:
        assert [one.partition(": ")[2].split()[0] for one in chat.agent.notices] == ["github__close_issue", "the"]
        assert chat.type("close it").text == "It broke."
        [finished] = chat.told(ToolFinished)
        assert not finished.ok
    finally:
        chat.agent.close()


def test_github_context_reads_through_the_users_server_and_changes_nothing_there(
    open_memory, repository, tmp_path
) -> None:
    import sys

    from recollect.flows.chat.tools.servers import ServerTools
    from recollect.flows.sidekicks.definitions import find_agent
    from recollect.flows.sidekicks.inbox import Inbox
    from recollect.flows.sidekicks.tools import SidekickTools

    memory = open_memory(repository, RECOLLECT_SUBCONSCIOUS__ENABLED="true")
    (tmp_path / "home").mkdir(exist_ok=True)
    spec = {"command": sys.executable, "args": ["-c", SERVER]}
    servers = ServerTools({"GitHub": spec})
    chat = Watched(memory, ["Yes."]).start()
    servers.tools(chat.agent)
    try:
        agent = find_agent("github-context", memory.opened)
        assert agent is not None
        inbox = Inbox(memory.opened, host="recollect", session="s")
        tools = SidekickTools(agent, memory.opened, inbox, turn=1, max_sends=1, github=servers.github(chat.agent))
        assert tools.described.splitlines()[-1].endswith("GitHub MCP server: issues")
        assert "#7" in tools.call("github", {"tool": "issues", "arguments": {"state": "open"}}).text
        refused = tools.call("github", {"tool": "close.issue", "arguments": {}})
        assert refused.failed
        assert "only these may be used: issues" in refused.text
    finally:
        servers.on_shutdown(chat.agent)
        chat.agent.close()


def test_a_call_that_a_fault_left_without_a_result_does_not_break_the_next_turn(memory, monkeypatch) -> None:
    def broken(arguments, work):
        raise ZeroDivisionError

    chat = Watched(memory, [call("todo", todos=[]), "Better now."]).start()
    tool = chat.agent.tools.get("todo")
    assert tool is not None
    monkeypatch.setitem(chat.agent.tools._tools, "todo", tool._replace(run=broken))
    with pytest.raises(ZeroDivisionError):
        chat.type("plan it")
    assert chat.type("again").text == "Better now."
    assert "it is not known whether it took effect" in chat.last_request()


def test_a_file_that_is_not_utf8_is_not_damaged_by_an_edit(memory, repository) -> None:
    old = "größe = 1\n".encode("latin-1")
    (repository / "a.py").write_bytes(old)
    chat = Watched(memory, [call("edit", path="a.py", old="= 1", new="= 2"), "Done."]).start()
    chat.type("change it")
    assert (repository / "a.py").read_bytes() == old
    assert "not plain UTF-8" in chat.told(ToolFinished)[0].text


def test_a_file_that_a_tool_touches_brings_what_memory_says_of_it_once(memory, repository) -> None:
    (repository / "src").mkdir()
    (repository / "src" / "queue.py").write_text("x = 1\n")
    memory.remember("src/queue.py must stay free of imports from other packages.")
    reads = [call("read_file", 1, path="src/queue.py"), call("read_file", 2, path="src/queue.py"), "Read."]
    chat = Watched(memory, reads).start()
    chat.type("look at it")
    texts = [one.text for one in chat.told(ToolFinished)]
    assert ["stay free of imports" in text for text in texts] == [True, False]


def test_after_a_rewind_what_memory_gave_is_given_again(memory, clock) -> None:
    memory.remember("The deploy target is Fly.io.")
    chat = Watched(memory, ["It is Fly.io."]).start()
    for _ in range(2):
        chat.type("what is the deploy target?")
    assert len(chat.told(Recalled)) == 1
    clock.now += 1
    chat.agent.rewind(1)
    assert len(chat.agent.session.messages()) == 1
    clock.now += 1
    chat.type("what is the deploy target?")
    assert len(chat.told(Recalled)) == 2
    chat.agent.take_back()
    assert len(chat.agent.session.messages()) == 1


def test_a_setting_that_lets_agents_change_memory_lets_them_run_nothing(memory, repository, tmp_path) -> None:
    (tmp_path / "home" / "config.toml").write_text("[permissions]\nallow_all = true\n")
    again = Recollect.open(str(tmp_path / "home"), folder=str(repository), environ={"HOME": str(tmp_path / "user")})
    assert again.settings.permissions.allow_all
    chat = Watched(again, [call("run", command="touch x"), "No."], say="reject").start()
    chat.type("run it")
    assert len(chat.questions) == 1
    again.close()


def test_what_the_provider_counted_corrects_the_estimate(memory) -> None:
    chat = Watched(memory, [Scripted(("Fine.",), usage=Usage(9_000, 10))]).start()
    before = chat.agent.usage().total
    chat.type("hello")
    assert before < 5_000
    assert chat.agent.usage().total >= 9_000


def test_settings_that_change_while_a_chat_is_open_hold_from_the_next_prompt_on(memory, tmp_path) -> None:
    chat = Watched(memory, ["Hello."]).start()
    chat.type("hello")
    assert "task" not in [tool.name for tool in chat.provider.prompts[-1].tools]
    config = tmp_path / "home" / "config.toml"
    config.write_text("[subconscious]\nenabled = true\n")
    chat.type("hello again")
    assert {"task", "inbox"} <= {tool.name for tool in chat.provider.prompts[-1].tools}
    assert memory.settings.subconscious.enabled
    config.write_text("enabled = [")
    assert chat.type("and a third time").status == "done", "a file that is being written changes nothing"
    config.write_text("enabled = false\n")
    done = chat.type("We use pnpm here, never npm.")
    assert (done.status, len(chat.provider.prompts)) == ("failed", 3)
    assert "recollect settings set enabled true" in done.why
    assert "pnpm" not in str(chat.agent.session.messages())
    assert active(memory) == []


def test_a_search_shows_what_is_looked_for(memory, repository) -> None:
    (repository / "src").mkdir()
    answers = [call("search", 1, text="one = 1"), call("search", 2, text="two", path="src"), "Nothing."]
    chat = Watched(memory, answers).start()
    chat.type("look for it")
    assert [one.title for one in chat.told(ToolStarted)] == ["one = 1", "two in src"]
