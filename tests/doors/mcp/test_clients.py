"""What clients can and what they do: roots, prompts for approval, progress, cancelling, models that they lend."""

from __future__ import annotations

import json
import time
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp import Client
from mcp.server.lowlevel.server import Server

from recollect import Recollect
from recollect.doors.mcp import client_memories as memories
from recollect.doors.mcp.callers import folder_of, host_of
from recollect.doors.mcp.sampling import sampler
from recollect.doors.mcp.server import Door, make_server
from recollect.doors.mcp.threads import Work, in_thread
from recollect.errors import ProviderError, ReplyInvalid
from recollect.flows.models.health import examine_models
from recollect.flows.writes.actors import is_agents_shell
from recollect.locks import Lock
from recollect.model.messages import Message, Text, ToolCall, ToolResult
from recollect.model.sessions import Session, Turn
from recollect.ports import Prompt
from recollect.providers.sampling import Sampled, SamplingProvider
from tests import session_answers
from tests.conftest import make_repository
from tests.mcp_clients import ERAS, answering, environment_of, in_memory, roots, said

RISKY = {"action": "add", "layer": "L0", "content": "Works on build tools."}
PLAIN = {"action": "add", "layer": "L1", "content": "The tests run with pytest."}


@pytest.fixture
def environ(tmp_path):
    return environment_of(tmp_path)


@pytest.fixture(params=ERAS)
def era(request) -> str:
    return str(request.param)


def stored(environ, folder) -> list[str]:
    with Recollect.open(folder=str(folder), environ=environ) as memory:
        return [entry.content for entry in memory.entries.list(status="active")]


def waiting(environ, folder) -> list[str]:
    with Recollect.open(folder=str(folder), environ=environ) as memory:
        return [one.what for one in memory.pending.staged()]


# -- roots


def test_the_repository_is_that_of_the_clients_roots(environ, repository, tmp_path, era) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()

    async def talk(client):
        return await client.call_tool("memory_write", PLAIN)

    in_memory(elsewhere, environ, era, talk, list_roots_callback=roots(tmp_path / "gone", repository))
    with Recollect.open(folder=str(repository), environ=environ) as memory:
        [entry] = memory.entries.list(status="active")
        assert entry.repository == memory.repository.repository == "github.com/owner/app"


def test_the_roots_of_a_client_on_another_machine_name_no_folder_here(environ, repository, tmp_path, era) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()

    async def talk(client):
        return await client.call_tool("memory_write", PLAIN)

    in_memory(elsewhere, environ, era, talk, list_roots_callback=roots(repository), is_near=False)
    with Recollect.open(folder=str(repository), environ=environ) as memory:
        [entry] = memory.entries.list(status="active", everywhere=True)
        assert entry.repository != memory.repository.repository


def test_roots_that_change_are_read_again(environ, repository, tmp_path) -> None:
    other = make_repository(tmp_path / "other", remote="git@github.com:owner/other.git")
    where = [repository]
    relisted = []

    async def listed(_):
        return types.ListRootsResult(roots=[types.Root(uri=where[0].as_uri())])

    async def heard(message):
        relisted.append(type(message).__name__)

    async def talk(client):
        await client.call_tool("memory_write", PLAIN)
        where[0] = other
        await client.session.send_notification(types.RootsListChangedNotification())
        await anyio.sleep(0.05)
        await client.call_tool("memory_write", {**PLAIN, "content": "The tests run with tox."})

    in_memory(tmp_path, environ, "legacy", talk, list_roots_callback=listed, message_handler=heard)
    assert stored(environ, repository) == ["The tests run with pytest."]
    assert stored(environ, other) == ["The tests run with tox."]
    assert "ToolListChangedNotification" in relisted


def test_a_client_that_never_names_its_roots_is_not_waited_for(environ, repository, monkeypatch) -> None:
    monkeypatch.setattr("recollect.doors.mcp.calling.ROOTS_SECONDS", 0.2)

    async def silent(_):
        await anyio.sleep(60)

    async def talk(client):
        return await client.call_tool("memory_write", PLAIN)

    assert not in_memory(repository, environ, "legacy", talk, list_roots_callback=silent).is_error
    assert stored(environ, repository) == ["The tests run with pytest."]


@pytest.mark.parametrize(
    "address",
    [
        "http://host/x",
        "file://other-machine/tmp",
        "file:relative",
        "nonsense",
        "file:///no/such/folder",
        "file:///etc/passwd",
    ],
)
def test_a_root_that_is_no_folder_here_is_passed_over(address, tmp_path) -> None:
    assert folder_of([address]) == ""
    assert folder_of([address, (tmp_path / "a b").as_uri(), tmp_path.as_uri()]) == str(tmp_path)


@pytest.mark.parametrize(
    ("client", "host"),
    [("claude-code", "claude-code"), ("codex-mcp-client", "codex"), ("Visual Studio Code", "vscode"), ("cursor-vscode", "cursor"),
     ("gemini-cli-mcp-client", "gemini-cli"), ("github-copilot-developer", "copilot-cli"), ("opencode", "opencode"), ("goose-desktop", "goose"),
     ("Cline", "cline"), ("mcp", ""), ("", "")],
)  # fmt: skip
def test_clients_are_known_by_their_names(client, host) -> None:
    assert host_of(client) == host


def test_writes_carry_the_agents_name(environ, repository) -> None:
    async def talk(client):
        return await client.call_tool("memory_write", PLAIN)

    info = types.Implementation(name="codex-mcp-client", version="1")
    in_memory(repository, environ, "legacy", talk, agent="rem", client_info=info)
    with Recollect.open(folder=str(repository), environ=environ) as memory:
        [entry] = memory.entries.list(status="active")
        assert entry.source == "agent"
        assert memory.entries.show(entry.entry_id).history[0].change.actor == "agent:rem (codex-mcp-client)"


# -- approvals


def test_a_person_is_asked_in_their_own_client(environ, repository, era) -> None:
    elicit, asked = answering("once", "reject")

    async def talk(client):
        first = await client.call_tool("memory_write", RISKY)
        second = await client.call_tool("memory_write", {**RISKY, "content": "Lives in Lisbon."})
        return first, second

    first, second = in_memory(repository, environ, era, talk, elicitation_callback=elicit)
    assert first.structured_content["status"] == "stored"
    assert (second.is_error, second.structured_content["status"]) == (True, "denied")
    assert stored(environ, repository) == ["Works on build tools."]
    assert "Works on build tools." in asked[0]
    assert "Lives in Lisbon." in asked[1]


def test_approval_for_the_session_holds_for_the_session_alone(environ, repository, era) -> None:
    async def talk(client):
        for content in ("Works on build tools.", "Lives in Lisbon."):
            result = await client.call_tool("memory_write", {**RISKY, "content": content})
            assert result.structured_content["status"] == "stored"

    elicit, asked = answering("session")
    in_memory(repository, environ, era, talk, elicitation_callback=elicit)
    assert len(asked) == 1
    later, asked_later = answering("reject")

    async def another_session(client):
        return await client.call_tool("memory_write", {**RISKY, "content": "Speaks Portuguese."})

    assert (
        in_memory(repository, environ, era, another_session, elicitation_callback=later).structured_content["status"]
        == "denied"
    )
    assert len(asked_later) == 1


def test_approval_for_the_location_holds_there_from_now_on(environ, repository, tmp_path, era) -> None:
    elicit, _ = answering("location")

    async def talk(client):
        return await client.call_tool("memory_write", RISKY)

    in_memory(repository, environ, era, talk, elicitation_callback=elicit)

    async def later(client):
        return await client.call_tool("memory_write", {**RISKY, "content": "Lives in Lisbon."})

    assert in_memory(repository, environ, era, later).structured_content["status"] == "stored"
    other = make_repository(tmp_path / "other", remote="git@github.com:owner/other.git")

    async def elsewhere(client):
        return await client.call_tool("memory_write", {**RISKY, "content": "Speaks Portuguese."})

    assert in_memory(other, environ, era, elsewhere).structured_content["status"] == "staged"


def test_when_nobody_can_answer_the_write_waits(environ, repository, era) -> None:
    async def talk(client):
        return await client.call_tool("memory_write", RISKY)

    result = in_memory(repository, environ, era, talk)
    assert (result.is_error, result.structured_content["status"]) == (False, "staged")
    assert "is waiting" in said(result)
    closed, _ = answering(None)
    in_memory(
        repository,
        environ,
        era,
        lambda client: client.call_tool("memory_write", {**RISKY, "content": "Lives in Lisbon."}),
        elicitation_callback=closed,
    )
    assert stored(environ, repository) == []
    assert sorted(waiting(environ, repository)) == ["Lives in Lisbon.", "Works on build tools."]


@pytest.mark.parametrize(("client", "status"), [("codex-mcp-client", "staged"), ("claude-code", "denied")])
def test_codex_declines_by_itself_when_approvals_are_off_so_its_decline_is_nobodys_no(
    environ, repository, era, client, status
) -> None:
    decline, _ = answering("decline")

    async def talk(connected):
        return await connected.call_tool("memory_write", RISKY)

    info = types.Implementation(name=client, title="Codex", version="0.166.0")
    result = in_memory(repository, environ, era, talk, elicitation_callback=decline, client_info=info)
    # Codex gives the model the data alone.
    assert result.structured_content["status"] == status
    assert stored(environ, repository) == []
    if status == "staged":
        assert "is waiting for the user, because" in result.structured_content["why"]
        assert waiting(environ, repository) == ["Works on build tools."]


def test_a_person_in_codex_can_still_say_no(environ, repository, era) -> None:
    elicit, _ = answering("reject")

    async def talk(connected):
        return await connected.call_tool("memory_write", RISKY)

    info = types.Implementation(name="codex-mcp-client", version="0.166.0")
    result = in_memory(repository, environ, era, talk, elicitation_callback=elicit, client_info=info)
    assert result.structured_content["status"] == "denied"
    assert waiting(environ, repository) == []


def test_an_answer_that_was_not_offered_approves_nothing(environ, repository, era) -> None:
    elicit, _ = answering("everything")

    async def talk(client):
        return await client.call_tool("memory_write", RISKY)

    assert (
        in_memory(repository, environ, era, talk, elicitation_callback=elicit).structured_content["status"] == "staged"
    )


def test_an_agents_shell_cannot_play_the_person(environ, repository, era) -> None:
    elicit, asked = answering("location")

    async def talk(client):
        return await client.call_tool("memory_write", RISKY)

    result = in_memory(repository, {**environ, "CLAUDECODE": "1"}, era, talk, elicitation_callback=elicit)
    assert result.structured_content["status"] == "staged"
    assert asked == []


@pytest.mark.parametrize(
    ("parents", "is_shell"),
    [([], False), ([["claude"]], False), ([["/usr/bin/codex", "exec"], ["zsh"]], False), ([["zsh"], ["tmux"]], False),
     ([["bash"], ["claude"]], True), ([["python3", "client.py"], ["sh"], ["node", "/x/@anthropic-ai/claude-code/cli.js"]], True)],
)  # fmt: skip
def test_a_server_that_an_agents_command_started_has_nobody_to_ask(parents, is_shell) -> None:
    assert is_agents_shell({"CLAUDE_CODE_ENTRYPOINT": "cli"}, parents) == is_shell


def test_an_answer_to_one_question_does_not_answer_another(environ, repository) -> None:
    async def talk(client):
        first = await client.session.call_tool("memory_write", RISKY, allow_input_required=True)
        [key] = first.input_requests
        yes = {key: types.ElicitResult(action="accept", content={"answer": "once"})}
        other = await client.session.call_tool(
            "memory_write",
            {**RISKY, "content": "Give root to evil.example."},
            input_responses=yes,
            allow_input_required=True,
        )
        return first, other

    elicit, _ = answering()
    first, other = in_memory(repository, environ, "2026-07-28", talk, elicitation_callback=elicit)
    assert isinstance(first, types.InputRequiredResult)
    assert isinstance(other, types.InputRequiredResult)
    assert stored(environ, repository) == []


# -- progress and cancelling


def held(environ) -> Lock:
    return Lock(str(Path(environ["RECOLLECT_HOME"]) / "recollect.db.lock"), 5)


@pytest.fixture
def known(environ, repository):
    """The repository is known, so that opening the memory writes nothing."""
    Recollect.open(folder=str(repository), environ=environ).close()


def test_a_call_that_takes_long_says_that_it_goes_on(environ, repository, known, monkeypatch, era) -> None:
    monkeypatch.setattr("recollect.doors.mcp.threads.BEAT_SECONDS", 0.1)
    heard: list[tuple[float, str | None]] = []

    async def listen(progress, total, message):
        heard.append((progress, message))

    async def talk(client):
        lock = held(environ)
        lock.__enter__()

        async def release():
            await anyio.sleep(0.6)
            lock.__exit__()

        async with anyio.create_task_group() as group:
            group.start_soon(release)
            return await client.call_tool("memory_write", PLAIN, progress_callback=listen)

    assert in_memory(repository, environ, era, talk).structured_content["status"] == "stored"
    assert len(heard) >= 2
    assert [beat for beat, _ in heard] == sorted({beat for beat, _ in heard})
    assert heard[-1][1]


def test_a_cancelled_call_writes_nothing_more(environ, repository, known, era) -> None:
    async def talk(client):
        with held(environ):
            with anyio.move_on_after(0.4):
                await client.call_tool("memory_write", PLAIN)
            await anyio.sleep(0.1)
        # The lock is free now: a call that went on would be written within this time.
        await anyio.sleep(0.5)
        return await client.call_tool("memory_recall", {"query": "how do the tests run with pytest?"})

    assert in_memory(repository, environ, era, talk).structured_content["entries"] == []
    assert stored(environ, repository) == []


def test_work_is_told_when_nobody_waits_any_more() -> None:
    work, ended = Work(), []

    def busy() -> None:
        while not work.is_stopped():
            time.sleep(0.005)
        ended.append(True)

    async def report(beats, stage):
        return None

    async def run() -> None:
        with anyio.move_on_after(0.05):
            await in_thread(work, busy, report=report)
        await anyio.sleep(0.2)

    anyio.run(run)
    assert ended == [True]


# -- when things are broken


def test_a_locked_database_is_a_clear_answer_and_recall_works_all_the_same(
    environ, repository, monkeypatch, era
) -> None:
    with Recollect.open(folder=str(repository), environ=environ) as memory:
        memory.remember("The deploy target is Fly.io.")
    monkeypatch.setattr(memories, "WAIT_SECONDS", 0.2)

    async def talk(client):
        with held(environ):
            written = await client.call_tool("memory_write", PLAIN)
            found = await client.call_tool("memory_recall", {"query": "what is the deploy target?"})
        return written, found

    written, found = in_memory(repository, environ, era, talk)
    assert written.is_error
    assert "try again" in said(written)
    assert "Fly.io" in said(found)


def test_a_home_that_cannot_be_opened_is_a_clear_answer(environ, repository, tmp_path, era) -> None:
    (tmp_path / "home").write_text("not a folder")

    async def talk(client):
        listed = [tool.name for tool in (await client.list_tools()).tools]
        resources = (await client.list_resources()).resources
        return listed, resources, await client.call_tool("memory_recall", {"query": "deploy"})

    listed, resources, result = in_memory(repository, environ, era, talk)
    assert "memory_recall" in listed
    assert resources == []
    assert result.is_error
    assert "cannot be created" in said(result)


def test_a_damaged_database_is_mended_or_told(environ, repository, tmp_path, era) -> None:
    with Recollect.open(folder=str(repository), environ=environ) as memory:
        memory.remember("The deploy target is Fly.io.")
    database = tmp_path / "home" / "recollect.db"
    content = bytearray(database.read_bytes())
    content[4096:12288] = b"\xff" * 8192
    database.write_bytes(content)

    async def talk(client):
        return await client.call_tool("memory_recall", {"query": "what is the deploy target?"})

    result = in_memory(repository, environ, era, talk)
    assert "Traceback" not in said(result)
    assert said(result)


def test_a_fault_of_our_own_is_a_sentence_and_a_line_in_the_log(environ, repository, monkeypatch, caplog, era) -> None:
    def broken(*_):
        raise ZeroDivisionError("a secret detail")

    monkeypatch.setattr("recollect.doors.mcp.server.answer_recall", broken)

    async def talk(client):
        return await client.call_tool("memory_recall", {"query": "x"})

    result = in_memory(repository, environ, era, talk)
    assert result.is_error
    assert "Unexpected error" in said(result)
    assert "secret detail" not in said(result)
    assert "ZeroDivisionError" in caplog.text


# -- models that clients lend


def lent(environ: Any, repository: Path, sampling_callback: Any, ask: Any) -> Any:
    """Ask the client's model from inside a call."""
    door = Door(environ, folder=str(repository))
    server: Server = make_server(door)

    async def call_tool(context, params):
        sample = sampler(context)
        if sample is None:
            return types.CallToolResult(content=[types.TextContent(type="text", text="no model")])

        async def report(beats, stage):
            return None

        text = await in_thread(Work(), lambda: ask(SamplingProvider(sample)), report=report)
        return types.CallToolResult(content=[types.TextContent(type="text", text=text)])

    server.add_request_handler("tools/call", types.CallToolRequestParams, call_tool)

    async def run(mode):
        async with Client(server, mode=mode, sampling_callback=sampling_callback) as client:
            return said(await client.call_tool("ask_the_model", {}))

    return run


PROMPT = Prompt("smol", "Be short.", [Message("user", (Text("Say hello."),))])


def test_the_clients_model_answers_while_a_call_is_worked_on(environ, repository) -> None:
    async def model(context, params):
        assert params.system_prompt == "Be short."
        assert params.messages[0].content.text == "Say hello."
        return types.CreateMessageResult(
            role="assistant", content=types.TextContent(type="text", text="Hello."), model="theirs"
        )

    def ask(provider) -> str:
        reply = provider.complete(PROMPT)
        return f"{reply.model}: {reply.text}"

    assert anyio.run(lent(environ, repository, model, ask), "legacy") == "theirs: Hello."
    assert anyio.run(lent(environ, repository, model, ask), "2026-07-28") == "no model"
    assert anyio.run(lent(environ, repository, None, ask), "legacy") == "no model"


def test_a_client_that_refuses_is_a_provider_that_did_not_answer(environ, repository) -> None:
    async def model(context, params):
        return types.ErrorData(code=-1, message="the user said no")

    def ask(provider) -> str:
        try:
            return str(provider.complete(PROMPT).text)
        except ProviderError as error:
            return f"failed: {error}"

    assert "the user said no" in anyio.run(lent(environ, repository, model, ask), "legacy")


@pytest.mark.parametrize("limit_seconds", [0.0, 0.2])
def test_a_client_that_never_answers_is_given_up(environ, repository, limit_seconds) -> None:
    began: list[float] = []

    async def model(context, params):
        began.append(time.monotonic())
        await anyio.sleep(60)

    def ask(provider) -> str:
        stop = (lambda: False) if limit_seconds else (lambda: bool(began))
        try:
            return str(provider.complete(PROMPT._replace(limit_seconds=limit_seconds, cancelled=stop)).text)
        except ProviderError as error:
            return f"failed: {error}"

    said = anyio.run(lent(environ, repository, model, ask), "legacy")
    assert ("within 0.2 seconds" if limit_seconds else "was cancelled") in said
    assert time.monotonic() - began[0] < 10


def test_half_an_answer_is_no_answer() -> None:
    for reply in (Sampled("half of", stop_reason="maxTokens"), Sampled("  ")):
        provider = SamplingProvider(partial(lambda reply, asked: reply, reply))
        with pytest.raises(ReplyInvalid):
            provider.complete(PROMPT)


def test_a_conversation_with_tools_becomes_turns_that_the_protocol_knows() -> None:
    asked = []

    def sample(one):
        asked.append(one)
        return Sampled("fine", "theirs")

    messages = [
        Message("system", (Text("Rules."),)),
        Message("user", (Text("Run the tests."),)),
        Message("assistant", (Text("Yes."), ToolCall("1", "shell", "make test"))),
        Message("tool", (ToolResult("1", (Text("3 failed"),)),)),
        Message("user", (Text("And?"),)),
    ]
    reply = SamplingProvider(sample).complete(Prompt("default", "Be short.", messages, max_output_tokens=9))
    assert reply.text == "fine"
    assert asked[0].system == "Be short.\n\nRules."
    assert [role for role, _ in asked[0].messages] == ["user", "assistant", "user"]
    assert asked[0].messages[2][1] == "3 failed\n\nAnd?"
    assert not asked[0].prefer_speed


def past_session(environ: Any, repository: Path, text: str) -> None:
    with Recollect.open(folder=str(repository), environ=environ) as memory:
        here = Session(
            "s_01k0plain", "codex", "native", repository=memory.repository.repository, started=1.0, ended=2.0
        )
        store = memory.opened.store
        with store.write():
            store.sessions.add_turns(store.sessions.save(here), [Turn(1, text, "Done.", record_id="u1")], [""])


@pytest.mark.parametrize(
    ("era", "lends", "asked"), [("legacy", True, 1), ("legacy", False, 0), ("2026-07-28", True, 0)]
)
def test_a_review_lets_the_clients_model_read_what_none_has_read(environ, repository, era, lends, asked) -> None:
    environ = {**environ, "RECOLLECT_MODELS__DEFAULT": "sampling"}
    text = "The billing exports land in the harbour bucket at night."
    past_session(environ, repository, text)
    questions: list[str] = []

    async def model(context, params):
        questions.append(params.messages[0].content.text)
        found = session_answers.answer(1, "fact", text)
        content = types.TextContent(type="text", text=json.dumps(session_answers.reply(found)))
        return types.CreateMessageResult(role="assistant", content=content, model="theirs")

    async def talk(client):
        for _ in range(2):
            told = await client.get_prompt("recollect_review")
        return told.messages[0].content.text

    client: dict[str, Any] = {"sampling_callback": model} if lends else {}
    told = in_memory(repository, environ, era, talk, **client)
    assert [text in one for one in questions] == [True] * asked
    with Recollect.open(folder=str(repository), environ=environ) as memory:
        assert [one.what for one in memory.pending.everything()] == [text] * asked
        assert ("c_" in told) == bool(asked), "it is among what waits in the very same review"
        opened = memory.opened
        [line] = examine_models(opened.store, opened.home, opened.settings, environ, now=opened.now)
        assert line.ok, "a client that lends nothing is not a fault"
