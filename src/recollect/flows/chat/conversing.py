"""The loop of a turn: what fits the window goes to the model, its calls are permitted and run, until none is left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.context.model_summary import ModelSummariser
from recollect.errors import (
    AnswerLost,
    CompactionRefused,
    ProviderBusy,
    ProviderError,
    RecollectError,
    ReplyInvalid,
    RequestCancelled,
    UsageError,
)
from recollect.flows.chat.happenings import (
    Cleared,
    Done,
    Failed,
    Notice,
    Recalled,
    Said,
    TextDelta,
    ToolFinished,
    ToolStarted,
    WindowUsed,
)
from recollect.flows.chat.toolbox import EDIT, LONGEST_TITLE, READ, Planned, ToolAnswer, arguments_of
from recollect.flows.chat.watching import Watching
from recollect.flows.turns.by_file import by_file
from recollect.model.messages import Message, Text, ToolResult
from recollect.model.record import Record
from recollect.ports import Prompt
from recollect.sessions import events

if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.context.compaction import CompactionResult
    from recollect.flows.chat.happenings import Tell
    from recollect.flows.chat.permits import Permits
    from recollect.flows.chat.toolbox import Tool, Work
    from recollect.flows.opened import Opened
    from recollect.flows.sessions.own_session import OwnSession
    from recollect.model.messages import Json, ToolCall
    from recollect.model.turns import Recipient
    from recollect.ports import OfferedTool, Provider, Reply

MOST_STEPS = 60  # requests in one turn
MOST_TRIES = 4  # of one request: refusals for its length, lost answers
OUTPUT_TOKENS = 8_192
DONE, CANCELLED, FAILED = "done", "cancelled", "failed"
CUT = "Cancelled by the user; it is not known whether part of it took effect."
AGAIN = (AnswerLost, ProviderBusy, ReplyInvalid)  # worth asking again


class Ended(Record):
    """How a turn ended."""

    status: str
    text: str = ""
    why: str = ""
    remedy: str = ""


class Conversing:
    """One session's conversation with its model."""

    def __init__(
        self,
        session: OwnSession,
        memory: Opened,
        to: Recipient,
        *,
        provider: Provider,
        summariser: Provider,
        permits: Permits,
        tools: Callable[[], list[Tool]],
        work: Callable[[str, Tell], Work],
        cancelled: Callable[[], bool],
        between_steps: Callable[[Tell], None] = lambda tell: None,
    ) -> None:
        self._between_steps = between_steps
        self._session = session
        self._memory = memory
        self._to = to
        self._provider = provider
        self._permits = permits
        self._tools = tools
        self._work = work
        self._cancelled = cancelled
        self._compaction = session.compaction(summarise=ModelSummariser(summariser))
        self._watching = Watching(session, memory, to)

    def run(self, tell: Tell, *, waiting: Callable[[], bool]) -> Ended:
        """Go on until the model has nothing left to do. `waiting` takes up what was typed meanwhile."""
        text = ""
        with self._watching.telling(tell):
            try:
                for _ in range(MOST_STEPS):
                    reply = self._asked(tell)
                    text = self._kept(reply, tell)
                    for call in reply.calls:
                        self._use(call, tell)
                    if reply.calls:
                        self._between_steps(tell)
                    if not waiting() and not reply.calls:
                        tell(self.usage())
                        tell(Done(text))
                        return Ended(DONE, text)
                    if self._cancelled():
                        raise RequestCancelled
                return self._failed(
                    ProviderError(f"The model stopped after {MOST_STEPS} steps; type `continue` to go on."), tell
                )
            except (RequestCancelled, CompactionRefused):
                tell(Notice("Cancelled. What was said so far is kept."))
                return Ended(CANCELLED, text)
            except ProviderError as error:
                return self._failed(error, tell)

    def cancel(self) -> None:
        """Stop a compaction that runs; whoever waits for it goes on."""
        self._compaction.cancel()

    def compact(self, instructions: str, tell: Tell) -> CompactionResult:
        """Compact now."""
        with self._watching.telling(tell):
            return self._compaction.compact(instructions, tools=self._offered())

    def switch_model(self, name: str, *, ask: Callable[[str], bool], tell: Tell) -> CompactionResult | None:
        """Another model, once the conversation fits its window."""
        with self._watching.telling(tell):
            return self._compaction.switch_model(name, ask=ask, tools=self._offered())

    def usage(self) -> WindowUsed:
        """How full the window is."""
        count = self._compaction.count(self._offered())
        return WindowUsed(count.system, count.tools, count.conversation, self._compaction.window)

    # -- a request

    def _asked(self, tell: Tell) -> Reply:
        """The model's whole answer; asked again, with what came cleared, after a refusal or a lost answer."""
        for tries in range(1, MOST_TRIES + 1):
            pieces: list[str] = []
            prompt = self._prompt(tell)
            try:
                reply = self._provider.complete(prompt, _told(pieces, tell))
            except RequestCancelled:
                self._keep_part("".join(pieces), tell)
                raise
            except ProviderError as error:
                if pieces:
                    tell(Cleared())
                smaller = self._compaction.on_error(error)
                if tries == MOST_TRIES or not (smaller or isinstance(error, AGAIN)):
                    raise
                tell(Notice(_why_again(error, smaller=smaller)))
                continue
            counted = 0 if reply.usage.estimated else reply.usage.input_tokens
            said = {"id": reply.request_id, "context_management": {"applied_edits": list(reply.context_edits)}}
            self._compaction.on_success(said, reported_tokens=counted)
            return reply
        raise AssertionError  # pragma: no cover

    def _prompt(self, tell: Tell) -> Prompt:
        if self._cancelled():
            raise RequestCancelled
        tools = self._offered()
        if self._compaction.will_wait(tools):
            self._watching.waits()
        messages = self._compaction.request(tools)
        tell(self.usage())
        if self._cancelled():
            raise RequestCancelled
        return Prompt("default", "", messages, tools=tools, max_output_tokens=OUTPUT_TOKENS, cancelled=self._cancelled)

    def _offered(self) -> list[OfferedTool]:
        return [tool.offered for tool in self._tools()]

    def _kept(self, reply: Reply, tell: Tell) -> str:
        used = reply.usage
        self._session.add(
            reply.message, model=reply.model, inputTokens=used.input_tokens, outputTokens=used.output_tokens
        )
        if reply.text:
            tell(Said(reply.text))
        return reply.text

    def _keep_part(self, text: str, tell: Tell) -> None:
        """What came before the user cancelled is part of the conversation."""
        if text.strip():
            self._session.add(Message("assistant", (Text(text),)), interrupted=True)
            tell(Said(text, is_cut=True))

    def _failed(self, error: ProviderError, tell: Tell) -> Ended:
        self._session.record(events.error(type(error).__name__, str(error)))
        tell(Failed(str(error), error.remedy))
        return Ended(FAILED, "", str(error), error.remedy)

    # -- a tool

    def _use(self, call: ToolCall, tell: Tell) -> None:
        """Run one call, or say why not; its result is in the log before anybody is told."""
        self._session.record(events.tool_start(call))
        self._permits.begin(call.call_id)
        tool = next((one for one in self._tools() if one.name == call.name), None)
        kind = tool.kind if tool else ""
        answer = self._answer(call, tool, tell)
        result = Message("tool", (ToolResult(call.call_id, (Text(answer.text),), is_error=answer.failed),))
        if answer.exit_code is None:
            self._session.add(result)
        else:
            self._session.add(result, exitCode=answer.exit_code)
        tell(ToolFinished(call.call_id, call.name, kind, not answer.failed, answer.text, answer.diff))

    def _answer(self, call: ToolCall, tool: Tool | None, tell: Tell) -> ToolAnswer:
        """What a call does, or why not. It is told of before, whatever becomes of it."""
        work = self._work(call.call_id, tell)
        shown, planned = ToolStarted(call.call_id, call.name, tool.kind if tool else "", "", {}), Planned()
        try:
            if tool is None:
                raise UsageError(f"There is no tool named {call.name!r:.60}.")
            arguments = arguments_of(call, tool.takes)
            shown = shown._replace(title=_title(arguments), arguments=arguments)
            planned = Planned() if self._cancelled() else tool.plan(arguments, work)
            shown = shown._replace(title=planned.title or shown.title, paths=planned.paths, diff=planned.diff)
        except (RecollectError, OSError) as error:
            return _failure(error)
        finally:
            tell(shown)
        return self._permitted(tool, arguments, planned, work)

    def _permitted(self, tool: Tool, arguments: Json, planned: Planned, work: Work) -> ToolAnswer:
        try:
            why = "" if self._cancelled() else self._permits.why_not(tool, planned)
            if self._cancelled():
                return ToolAnswer(CUT, failed=True)
            if why:
                return ToolAnswer(why, failed=True)
            return self._with_memory(tool.run(arguments, work), tool, planned, work.tell)
        except (RecollectError, OSError) as error:
            return _failure(error)

    def _with_memory(self, answer: ToolAnswer, tool: Tool, planned: Planned, tell: Tell) -> ToolAnswer:
        """The answer with what memory says of the files that the tool touched, as far as it was not said before."""
        if answer.failed or tool.kind not in (READ, EDIT) or not planned.paths:
            return answer
        known = by_file(planned.paths, self._memory, self._to)
        if not known.text:
            return answer
        tell(
            Recalled(
                f"memory about {planned.paths[0]}, {known.tokens} tokens (/why)", known.receipt_id, 1, known.tokens
            )
        )
        return answer._replace(text=f"{answer.text}\n\n{known.text}")


def _told(pieces: list[str], tell: Tell) -> Callable[[str], None]:
    def on_piece(piece: str) -> None:
        pieces.append(piece)
        tell(TextDelta(piece))

    return on_piece


def _why_again(error: ProviderError, *, smaller: bool) -> str:
    if smaller:
        return "The conversation is too long for the model: compacting it, then trying again."
    return f"{error} Asking again."


def _failure(error: RecollectError | OSError) -> ToolAnswer:
    if isinstance(error, OSError):
        return ToolAnswer(f"{error.strerror or error}: {error.filename or ''}".rstrip(": "), failed=True)
    return ToolAnswer(str(error), failed=True)


def _title(arguments: dict[str, object]) -> str:
    """The first text among the arguments, on one line."""
    found = next((value for value in arguments.values() if isinstance(value, str) and value.strip()), "")
    return " ".join(found.split())[:LONGEST_TITLE]
