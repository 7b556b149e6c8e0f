"""`recollect acp`: our own agent, driven by the SDK's own client."""

from __future__ import annotations

import asyncio
import re
import socket
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import acp
import pytest
from acp.schema import AllowedOutcome, DeniedOutcome, EnvVariable, McpServerStdio

from recollect import Recollect
from recollect.doors.acp.agent import OwnAgent
from recollect.doors.memory_tools import memory_tools
from recollect.errors import AnswerLost
from recollect.flows.chat.agent import Agent
from recollect.flows.chat.tools.servers import Servers
from recollect.model.permissions import Question
from recollect.providers.scripted import GOOD_SUMMARY, Scripted, ScriptedProvider
from tests.command_line import RECOLLECT, clean_environment
from tests.flows.chat.agents import call

Answers = Sequence[Any]


class Editor:
    """The SDK's client: notes what it is shown and what it is asked; `answer` says what it answers."""

    def __init__(self) -> None:
        self.shown: list[tuple[str, Any]] = []
        self.questions: list[tuple[str, Any]] = []
        self.answer: Callable[[], Awaitable[str]] = self._once

    async def _once(self) -> str:
        return "once"

    async def session_update(self, session_id: str, update: Any, **_: Any) -> None:
        self.shown.append((session_id, update))

    async def request_permission(self, session_id: str, tool_call: Any, options: Any, **_: Any) -> Any:
        self.questions.append((session_id, tool_call))
        answer = await self.answer()
        if answer == "cancelled":
            return acp.RequestPermissionResponse(outcome=DeniedOutcome(outcome="cancelled"))
        assert answer in [option.option_id for option in options]
        return acp.RequestPermissionResponse(outcome=AllowedOutcome(outcome="selected", option_id=answer))

    def kinds(self) -> list[str]:
        return [update.session_update for _, update in self.shown]

    def said(self, session_id: str = "") -> str:
        """What the agent said, in one session or in all."""
        return "".join(
            update.content.text
            for shown_in, update in self.shown
            if update.session_update == "agent_message_chunk" and session_id in ("", shown_in)
        )

    def thoughts(self) -> list[str]:
        shown = [update for _, update in self.shown if update.session_update == "agent_thought_chunk"]
        return [update.content.text.strip() for update in shown]

    def last(self, kind: str) -> Any:
        return next(update for _, update in reversed(self.shown) if update.session_update == kind)


class Held:
    """A client and our agent, connected in one process, with a scripted model in each session."""

    def __init__(self, environ: dict[str, str], folder: Path, scripts: Sequence[Answers]) -> None:
        self.environ = environ
        self.folder = str(folder)
        self.editor = Editor()
        self.models: list[ScriptedProvider] = []
        self.agents: list[Agent] = []
        self._scripts = list(scripts)
        self.own = OwnAgent(environ, make=self._make)

    def _make(self, memory: Recollect, *, ask: Any, servers: Any) -> Agent:
        self.models.append(ScriptedProvider(list(self._scripts.pop(0))))
        agent = memory.chats.agent(
            ask=ask, tools=lambda agent: memory_tools(memory, agent), provider=self.models[-1], servers=servers
        )
        self.agents.append(agent)
        return agent

    def drive(self, work: Callable[[Any], Awaitable[Any]]) -> Any:
        """Do this with a connection, then close it."""

        async def run() -> Any:
            ours, theirs = socket.socketpair()
            own: Any = self.own
            editor: Any = self.editor
            async with asyncio.timeout(30):
                reader, writer = await asyncio.open_connection(sock=ours)
                serving = asyncio.create_task(
                    acp.run_agent(own, input_stream=writer, output_stream=reader, use_unstable_protocol=True)
                )
                reader, writer = await asyncio.open_connection(sock=theirs)
                client = acp.connect_to_agent(editor, writer, reader, use_unstable_protocol=True)
                try:
                    return await work(client)
                finally:
                    await client.close()
                    writer.close()
                    await serving
                    await asyncio.to_thread(self.own.close)

        return asyncio.run(run())

    async def begin(self, client: Any) -> str:
        await client.initialize(protocol_version=acp.PROTOCOL_VERSION)
        return str((await client.new_session(cwd=self.folder, mcp_servers=[])).session_id)

    def sent(self, number: int = 0) -> str:
        """All that a model was sent last."""
        return "\n".join(message.text for message in self.models[number].prompts[-1].messages)


@pytest.fixture
def environ(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    (tmp_path / "user").mkdir()
    monkeypatch.setattr("recollect.doors.acp.agent.agent_here", lambda _: "")
    monkeypatch.setattr("recollect.doors.acp.agent.has_person_behind", lambda _: True)
    monkeypatch.setattr("recollect.files.worker_process.start_worker", lambda *_: None)
    return clean_environment(tmp_path / "home", tmp_path / "user")


@pytest.fixture
def hold(environ: dict[str, str], repository: Path) -> Callable[..., Held]:
    return lambda *scripts: Held(environ, repository, scripts)


def remember(held: Held, text: str, **options: Any) -> None:
    with Recollect.open(environ=held.environ, folder=held.folder) as memory:
        memory.remember(text, **options)


def text(words: str) -> list[Any]:
    return [acp.text_block(words)]


def test_it_offers_what_is_there_and_nothing_else(hold) -> None:
    held = hold()
    told = held.drive(lambda client: client.initialize(protocol_version=acp.PROTOCOL_VERSION))
    capabilities = told.agent_capabilities.model_dump(by_alias=True, exclude_none=True, exclude_unset=True)
    assert capabilities == {"loadSession": True, "sessionCapabilities": {"list": {}, "resume": {}, "close": {}}}
    assert (told.protocol_version, told.agent_info.name, told.auth_methods) == (1, "recollect", [])


@pytest.mark.parametrize(
    "missing",
    [
        lambda client, session: client.set_session_mode(session_id=session, mode_id="wizard"),
        lambda client, session: client.set_config_option(session_id=session, config_id="mode", value="wizard"),
        lambda client, session: client.set_config_option(session_id=session, config_id="model", value="openai:none"),
        lambda client, session: client.set_config_option(session_id=session, config_id="speed", value="fast"),
        lambda client, session: client.fork_session(session_id=session, cwd="/"),
        lambda client, session: client.prompt(session_id=session, prompt=[acp.image_block("aGk=", "image/png")]),
    ],
    ids=["mode", "mode option", "model", "option", "fork", "image"],
)
def test_what_it_does_not_offer_is_refused_with_an_error(hold, missing) -> None:
    held = hold(["Hello."])

    async def work(client: Any) -> None:
        session = await held.begin(client)
        with pytest.raises(acp.RequestError):
            await missing(client, session)

    held.drive(work)


def test_a_mode_says_how_much_is_asked(hold, repository: Path) -> None:
    held = hold(
        [call("run", number, command=f"touch made{number}") if number % 2 else "Done." for number in range(1, 9)]
    )

    async def work(client: Any) -> list[str]:
        await client.initialize(protocol_version=acp.PROTOCOL_VERSION)
        begun = await client.new_session(cwd=held.folder, mcp_servers=[])
        session, [option] = begun.session_id, begun.config_options
        assert [mode.id for mode in begun.modes.available_modes] == ["ask", "away", "yolo"]
        assert (begun.modes.current_mode_id, option.id, option.category, option.current_value) == (
            "ask", "mode", "mode", "ask",
        )  # fmt: skip
        asked = []
        for mode in ("ask", "away", "yolo", "ask"):
            if mode == "yolo":
                [option] = (
                    await client.set_config_option(session_id=session, config_id="mode", value=mode)
                ).config_options
                assert held.editor.last("current_mode_update").current_mode_id == mode
            else:
                await client.set_session_mode(session_id=session, mode_id=mode)
                [option] = held.editor.last("config_option_update").config_options
            assert option.current_value == mode
            before = len(held.editor.questions)
            await client.prompt(session_id=session, prompt=text("run it"))
            asked.append(f"{mode} {len(held.editor.questions) - before}")
        return asked

    assert held.drive(work) == ["ask 1", "away 0", "yolo 0", "ask 1"]
    assert sorted(path.name for path in repository.glob("made*")) == ["made1", "made5", "made7"]


def test_another_model_is_chosen_and_one_with_too_small_a_window_is_asked_about(hold) -> None:
    held = hold(["word " * 30_000, GOOD_SUMMARY, "Hello."])
    where = "@http://127.0.0.1:9/v1"
    held.environ |= {
        "RECOLLECT_MODELS__DEFAULT": f"openai:big{where}",
        "RECOLLECT_MODELS__SMOL": f"openai:small{where}",
        "RECOLLECT_COMPACTION__LIMIT_TOKENS": "big=100000,small=9000",
    }

    async def work(client: Any) -> list[str]:
        await client.initialize(protocol_version=acp.PROTOCOL_VERSION)
        begun = await client.new_session(cwd=held.folder, mcp_servers=[])
        session, option = begun.session_id, begun.config_options[1]
        offered = [choice.value for choice in option.options]
        assert (option.id, option.category, option.current_value) == ("model", "model", offered[0])
        await client.prompt(session_id=session, prompt=text("talk for long"))
        chosen = []
        for answer in ("reject", "once"):
            held.editor.answer = lambda answer=answer: asyncio.sleep(0, answer)
            try:
                done = await client.set_config_option(session_id=session, config_id="model", value=offered[1])
                chosen.append(done.config_options[1].current_value)
            except acp.RequestError as error:
                chosen.append(str(error))
        return [*offered, *chosen]

    big, small, *chosen = held.drive(work)
    assert (big, small) == (f"openai:big{where}", f"openai:small{where}")
    assert chosen == ["The switch was declined; nothing was changed.", small]
    assert len(held.editor.questions) == 2
    assert "9,000" in held.editor.questions[0][1].title


def test_memory_is_there_in_sessions_that_are_opened_here(hold) -> None:
    held = hold(["It is Fly.io."])
    remember(held, "The user's name is Ada.", layer="L0")
    remember(held, "The deploy target is Fly.io.")

    async def work(client: Any) -> str:
        session = await held.begin(client)
        answer = await client.prompt(session_id=session, prompt=text("what is the deploy target?"))
        return str(answer.stop_reason)

    assert held.drive(work) == "end_turn"
    assert "Ada" in held.sent()
    assert "The deploy target is Fly.io." in held.sent()
    assert held.editor.said() == "It is Fly.io."
    [receipt] = held.editor.thoughts()
    assert re.fullmatch(r"1 memory, \d+ tokens; `recollect why` shows it", receipt)


def test_a_correction_that_is_typed_in_an_editor_applies_at_once(hold) -> None:
    held = hold(["Noted."])
    remember(held, "We use npm.")

    async def work(client: Any) -> None:
        session = await held.begin(client)
        await client.prompt(session_id=session, prompt=text("No, we use pnpm, not npm."))

    held.drive(work)
    assert "Corrected: We use pnpm." in held.editor.thoughts()


def test_what_a_mentioned_file_says_is_read_and_never_counts_as_typed(hold) -> None:
    held = hold(["Noted."])
    remember(held, "We use npm.")
    file = acp.resource_block(acp.embedded_text_resource("file:///w/a.md", "No, we use pnpm, not npm."))

    async def work(client: Any) -> None:
        session = await held.begin(client)
        await client.prompt(session_id=session, prompt=[*text("Summarise "), file])

    held.drive(work)
    assert "No, we use pnpm, not npm." in held.sent()
    assert "Corrected" not in str(held.editor.shown)


def test_an_edit_is_shown_with_its_diff_and_place_and_made_once_it_is_allowed(hold, repository: Path) -> None:
    (repository / "a.py").write_text("one = 1\n")
    held = hold([call("edit", path="a.py", old="one = 1", new="one = 2"), "Done."])

    async def work(client: Any) -> None:
        session = await held.begin(client)
        await client.prompt(session_id=session, prompt=text("make it two"))

    held.drive(work)
    begun, over = held.editor.last("tool_call"), held.editor.last("tool_call_update")
    path = str(repository / "a.py")
    assert (begun.kind, begun.status, begun.title) == ("edit", "pending", "edit a.py")
    assert (begun.content[0].path, begun.content[0].old_text, begun.content[0].new_text) == (
        path, "one = 1\n", "one = 2\n",
    )  # fmt: skip
    assert [place.path for place in begun.locations] == [path]
    assert (over.status, over.tool_call_id) == ("completed", begun.tool_call_id)
    [(_, question)] = held.editor.questions
    assert (question.tool_call_id, question.kind) == (begun.tool_call_id, "edit")
    assert (repository / "a.py").read_text() == "one = 2\n"


def test_todos_are_shown_as_the_plan(hold) -> None:
    todos = [{"text": "Read", "status": "completed"}, {"text": "Write", "status": "in_progress"}]
    held = hold([call("todo", todos=todos), "Done."])

    async def work(client: Any) -> None:
        session = await held.begin(client)
        await client.prompt(session_id=session, prompt=text("plan it"))

    held.drive(work)
    entries = held.editor.last("plan").entries
    assert [(one.content, one.status) for one in entries] == [("Read", "completed"), ("Write", "in_progress")]


def test_an_answer_that_breaks_off_is_marked_and_comes_again(hold) -> None:
    held = hold([Scripted(("Half of ", AnswerLost("The connection broke."))), "The whole answer."])

    async def work(client: Any) -> None:
        session = await held.begin(client)
        await client.prompt(session_id=session, prompt=text("say it"))

    held.drive(work)
    assert held.editor.said().startswith("Half of \n\n*The answer was cut off.")
    assert held.editor.said().endswith("The whole answer.")


@pytest.mark.parametrize("answers", [True, False], ids=["the client answers cancelled", "the client never answers"])
def test_a_cancel_with_a_permission_open_ends_the_turn_at_once(hold, answers: bool) -> None:
    held = hold([call("run", command="touch made"), "Done."])

    async def work(client: Any) -> str:
        session = await held.begin(client)
        asked, cancelled = asyncio.Event(), asyncio.Event()

        async def answer() -> str:
            asked.set()
            await (cancelled.wait() if answers else asyncio.Event().wait())
            return "cancelled"

        held.editor.answer = answer
        turn = asyncio.create_task(client.prompt(session_id=session, prompt=text("run it")))
        await asked.wait()
        await client.cancel(session_id=session)
        cancelled.set()
        return str((await turn).stop_reason)

    assert held.drive(work) == "cancelled"
    assert not (Path(held.folder) / "made").exists()


def test_a_cancel_while_the_model_talks_keeps_what_was_said(hold) -> None:
    held = hold([Scripted(("It", " will", " never", " end."), delay_seconds=5.0), "Going on."])

    async def work(client: Any) -> tuple[str, str]:
        session = await held.begin(client)
        turn = asyncio.create_task(client.prompt(session_id=session, prompt=text("talk")))
        await asyncio.to_thread(held.models[0].entered.wait, 10)
        await client.cancel(session_id=session)
        first = (await turn).stop_reason
        return first, (await client.prompt(session_id=session, prompt=text("go on"))).stop_reason

    assert held.drive(work) == ("cancelled", "end_turn")


def test_a_client_that_goes_in_the_middle_of_a_turn_ends_it_and_the_session_can_be_loaded(hold) -> None:
    held = hold([Scripted(("It", " will", " never", " end."), delay_seconds=5.0), "x"])

    async def leave(client: Any) -> str:
        session = await held.begin(client)
        turn = asyncio.create_task(client.prompt(session_id=session, prompt=text("talk for long")))
        turn.add_done_callback(lambda done: done.cancelled() or done.exception())
        await asyncio.to_thread(held.models[0].entered.wait, 10)
        return str(session)

    session = held.drive(leave)
    again = Held(held.environ, Path(held.folder), [["Going on."]])

    async def load(client: Any) -> None:
        await client.initialize(protocol_version=acp.PROTOCOL_VERSION)
        await client.load_session(cwd=held.folder, session_id=session, mcp_servers=[])
        await client.prompt(session_id=session, prompt=text("go on"))

    again.drive(load)
    assert "talk for long" in again.sent()


def test_a_permission_request_of_a_sub_agent_is_asked_in_the_session_that_the_client_knows(hold) -> None:
    held = hold(["Done."])

    async def work(client: Any) -> tuple[str, str]:
        session = await held.begin(client)
        question = Question("run", "make test", "it runs a command.", kind="run", call_id="of-a-sub-agent")
        child = held.own._sessions[session].ask
        return session, await asyncio.to_thread(child, question)

    session, answer = held.drive(work)
    assert answer == "once"
    [(asked_in, asked)] = held.editor.questions
    assert (asked_in, asked.tool_call_id, asked.kind) == (session, "of-a-sub-agent", "execute")
    assert "make test" in asked.title


def test_a_session_is_loaded_with_what_was_said_in_it_and_goes_on(hold) -> None:
    held = hold([call("run", command="echo hi"), "First."], ["Second."])

    async def work(client: Any) -> str:
        session = await held.begin(client)
        await client.prompt(session_id=session, prompt=text("say the first thing"))
        await client.close_session(session_id=session)
        [listed] = (await client.list_sessions(cwd=held.folder)).sessions
        assert listed.session_id == session
        held.editor.shown.clear()
        await client.load_session(cwd=held.folder, session_id=session, mcp_servers=[])
        kinds = held.editor.kinds()
        await client.prompt(session_id=session, prompt=text("and the second?"))
        return " ".join(kinds)

    assert held.drive(work) == "user_message_chunk tool_call agent_message_chunk"
    assert held.editor.said() == "First.Second."
    assert "say the first thing" in held.sent(1)


def test_a_session_that_is_not_here_is_a_clear_error_and_so_is_a_prompt_for_it(hold) -> None:
    held = hold(["x"], ["x"], ["x"])

    async def work(client: Any) -> list[str]:
        session = await held.begin(client)
        said = []
        for wrong in ("s_unknown", session[:-1], "../etc"):
            with pytest.raises(acp.RequestError) as error:
                await client.load_session(cwd=held.folder, session_id=wrong, mcp_servers=[])
            said.append(str(error.value))
            assert error.value.code == -32002
        with pytest.raises(acp.RequestError, match="not open here"):
            await client.prompt(session_id="s_unknown", prompt=text("hello"))
        with pytest.raises(acp.RequestError, match="There is no folder"):
            await client.new_session(cwd="/no/such/folder", mcp_servers=[])
        return said

    assert all("session" in said.lower() for said in held.drive(work))


def test_servers_that_the_editor_configured_are_started_for_the_session(hold, monkeypatch) -> None:
    started: list[Any] = []

    def connect(servers: Servers) -> tuple[list[Any], list[str]]:
        started.append((servers._servers, servers._folder))
        return [], ["The MCP server files does not answer: it took too long"]

    monkeypatch.setattr(Servers, "connect", connect)
    held = hold(["Hello."])
    files = McpServerStdio(name="files", command="/bin/files", args=["-v"], env=[EnvVariable(name="A", value="1")])
    ours = McpServerStdio(name="recollect", command="/bin/recollect-mcp", args=[], env=[])

    async def work(client: Any) -> None:
        await client.initialize(protocol_version=acp.PROTOCOL_VERSION)
        session = (await client.new_session(cwd=held.folder, mcp_servers=[files, ours])).session_id
        await client.prompt(session_id=session, prompt=text("hello"))

    held.drive(work)
    assert started == [({"files": {"command": "/bin/files", "args": ["-v"], "env": {"A": "1"}}}, held.folder)]
    assert held.editor.thoughts() == ["The MCP server files does not answer: it took too long"]


def test_two_sessions_in_one_process_are_kept_apart(hold, tmp_path: Path) -> None:
    held = hold(["In the first."], ["In the second."])
    other = tmp_path / "other"
    other.mkdir()

    async def work(client: Any) -> tuple[str, str]:
        first = await held.begin(client)
        second = (await client.new_session(cwd=str(other), mcp_servers=[])).session_id
        await asyncio.gather(
            client.prompt(session_id=first, prompt=text("where are we?")),
            client.prompt(session_id=second, prompt=text("and here?")),
        )
        return first, second

    first, second = held.drive(work)
    assert (held.editor.said(first), held.editor.said(second)) == ("In the first.", "In the second.")
    assert "and here?" not in held.sent(0)
    assert held.agents[1].memory.folder == str(other)


def test_what_another_agent_sends_is_nobodys_and_it_cannot_allow_anything(hold, monkeypatch, repository: Path) -> None:
    monkeypatch.setattr("recollect.doors.acp.agent.agent_here", lambda _: "Claude Code")
    held = hold([call("run", command="touch made"), "Done."])
    remember(held, "We use npm.")

    async def work(client: Any) -> None:
        begun = await client.new_session(cwd=held.folder, mcp_servers=[])
        assert (begun.modes, begun.config_options) == (None, []), "there is nobody who could choose"
        with pytest.raises(acp.RequestError):
            await client.set_session_mode(session_id=begun.session_id, mode_id="yolo")
        await client.prompt(session_id=begun.session_id, prompt=text("No, we use pnpm, not npm."))

    held.drive(work)
    assert held.editor.questions == []
    assert "Corrected" not in str(held.editor.shown)
    assert not (repository / "made").exists()


def test_where_nobody_is_known_to_sit_an_edit_can_be_allowed_and_memory_cannot(hold, monkeypatch, repository) -> None:
    monkeypatch.setattr("recollect.doors.acp.agent.has_person_behind", lambda _: False)
    fact = call("store_memory", subject="tests", fact="The tests run with make test.", citations=["Makefile"], reason="asked often", scope="user")  # fmt: skip
    held = hold([fact, call("edit", 2, path="a.py", new="one = 1\n"), "Done."])

    async def work(client: Any) -> None:
        session = await held.begin(client)
        await client.prompt(session_id=session, prompt=text("No, we use pnpm, not npm."))

    held.drive(work)
    assert [question.kind for _, question in held.editor.questions] == ["edit"]
    assert (repository / "a.py").exists()
    with Recollect.open(environ=held.environ, folder=held.folder) as memory:
        assert memory.entries.list(layer="L1") == []
        assert memory.pending.count() == 1


def test_the_command_speaks_the_protocol(environ: dict[str, str], repository: Path) -> None:
    """As an editor starts it: without a model it says how to get one."""

    async def drive() -> str:
        editor: Any = Editor()
        async with acp.spawn_agent_process(editor, RECOLLECT, "acp", env=environ, cwd=repository) as (agent, _):
            await agent.initialize(protocol_version=acp.PROTOCOL_VERSION)
            with pytest.raises(acp.RequestError) as error:
                await agent.new_session(cwd=str(repository), mcp_servers=[])
            return str(error.value)

    assert "recollect models use" in asyncio.run(drive())


def test_without_the_library_one_sentence_says_what_helps(cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "acp", None)
    monkeypatch.delitem(sys.modules, "recollect.doors.acp.agent", raising=False)
    monkeypatch.delitem(sys.modules, "recollect.doors.acp.sessions", raising=False)
    monkeypatch.delitem(sys.modules, "recollect.doors.acp.updates", raising=False)
    done = cli("acp")
    assert done.code == 2
    assert "in the folder of Recollect, run `.venv/bin/pip install -e '.[acp,models]'`" in done.err
