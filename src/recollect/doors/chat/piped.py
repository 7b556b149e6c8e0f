"""The chat in a pipe: one prompt, one answer. Nobody can be asked there, so what would be asked waits; and nobody knows
who wrote the prompt, so its words do not count as typed."""

from __future__ import annotations

import json
import signal
import sys
from typing import TYPE_CHECKING

from recollect.doors.chat.agents import first_line, new_agent, nobody_answers
from recollect.doors.cli.printing.output import plain, put, put_json, say
from recollect.errors import Refused
from recollect.flows.chat import happenings as told
from recollect.flows.chat.permits import waits

if TYPE_CHECKING:
    from typing import Any

    from recollect.app import Recollect
    from recollect.flows.chat.agent import Agent, Options, Outcome

TEXT, JSON, STREAM = "text", "json", "stream-json"
KINDS = {
    told.TextDelta: "text_delta",
    told.Cleared: "cleared",
    told.Said: "message",
    told.ToolStarted: "tool_started",
    told.ToolFinished: "tool_finished",
    told.TodosChanged: "todos",
    told.PlanChanged: "plan",
    told.Recalled: "recalled",
    told.Kept: "kept",
    told.Compaction: "compaction",
    told.WindowUsed: "window",
    told.Queued: "queued",
    told.Notice: "notice",
    told.Done: "done",
    told.Failed: "failed",
}


def answer_once(
    memory: Recollect, prompt: str, options: Options, *, output: str = TEXT, silent: bool = False, session: str = ""
) -> bool:
    """Answer one prompt; did it go well? Refused, before anything is begun, when nobody would answer."""
    agent = new_agent(memory, ask=nobody_answers, options=options)
    if why := agent.why_silent():
        raise Refused(why)
    if session:
        agent.load(session)
    else:
        agent.start()
    for notice in agent.notices:
        say(f"recollect: {notice}")
    teller = {TEXT: _tell_plain, STREAM: _tell_lines}.get(output, told.nobody)
    before = signal.signal(signal.SIGINT, lambda *_: agent.cancel())
    try:
        done = agent.prompt(prompt, told.nobody if silent else teller)
        _print(done, agent, output, silent=silent)
    finally:
        signal.signal(signal.SIGINT, before)
        agent.close()
    return done.status == "done"


def _print(done: Outcome, agent: Agent, output: str, *, silent: bool) -> None:
    if output == TEXT:
        if done.text:
            put(done.text)
        if done.why:
            say(f"recollect: {done.why} {done.remedy}".rstrip())
        for what in waits(agent.session) if not silent else ():
            say(f"? Needs your permission: {first_line(what)}")
        return
    result = {
        "type": "result",
        "status": done.status,
        "text": done.text,
        "why": done.why,
        "session": agent.session.session_id,
        "turn": agent.session.turn,
        "waiting": waits(agent.session),
    }
    if output == STREAM:
        _put_line(result)
    else:
        put_json(result)


def _tell_plain(event: object) -> None:
    """What a person would want to know beside the answer goes to stderr."""
    match event:
        case told.Recalled(line=line) | told.Kept(line=line) | told.Compaction(line=line):
            say(f"◆ {line}")
        case told.Notice(text=text):
            say(f"· {text}")
        case told.ToolStarted(name=name, title=title):
            say(f"● {name} {' '.join(plain(title).split())}")


def _tell_lines(event: object) -> None:
    """Every happening as one line of JSON."""
    kind = KINDS.get(type(event))
    if kind:
        _put_line({"type": kind, **_fields(event)})


def _fields(value: Any) -> dict[str, object]:
    return {name: _jsonable(one) for name, one in value._asdict().items()}


def _jsonable(value: object) -> object:
    if hasattr(value, "_asdict"):
        return _fields(value)
    if isinstance(value, (list, tuple)):
        return [_jsonable(one) for one in value]
    return value


def _put_line(document: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(document) + "\n")
    sys.stdout.flush()
