"""Checkpoints, replays and rewinds, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.doors.cli.printing.output import counted, on_terminal, one_line, put, put_done, put_json, put_row, say
from recollect.doors.cli.printing.times import local
from recollect.doors.session_shapes import checkpoint_json, rewound_json, stored_checkpoint_json
from recollect.errors import NotFound
from recollect.model.messages import Media, Text, Thinking, ToolCall, ToolResult
from recollect.sessions.checkpoints import WHEN_MADE, Checkpoint
from recollect.sessions.encodings import message_json
from recollect.sessions.events import seconds, timestamp

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from recollect.context.compaction import CompactionResult
    from recollect.flows.sessions.own_session import OwnSession, Rewound
    from recollect.flows.sessions.past_sessions import SessionShown
    from recollect.model.messages import Message, Part
    from recollect.store.checkpoints import StoredCheckpoint

WHO = {"user": "you", "assistant": "agent", "tool": "tool", "system": "system", "developer": "system"}
SUMMARY_OPENING = "<conversation-summary"
LONGEST_RESULT = 200


def print_checkpoints(session: OwnSession, *, as_json: bool) -> None:
    """The checkpoints of a session of our own."""
    found = session.checkpoints()
    if as_json:
        put_json([_json(session, one) for one in found])
        return
    _put_list(found, session.in_effect)


def print_checkpoint(session: OwnSession, number: int, *, as_json: bool) -> None:
    """One checkpoint, whole."""
    one = next((one for one in session.checkpoints() if one.number == number), None)
    if one is None:
        raise NotFound(f"{session.session_id} has no checkpoint {number}; leave out --number to list them.")
    if as_json:
        put_json(_json(session, one))
    else:
        put(f"# {one.title}\n\n{one.summary}")


def print_compactions(shown: SessionShown, *, as_json: bool) -> None:
    """The compactions of a host's session, which keeps no files of them."""
    made = [(turn, summary) for turn in shown.turns for summary in turn.compactions]
    found = [
        Checkpoint(number, one_line(summary)[:80] or "-", summary, timestamp(turn.ended) if turn.ended else "")
        for number, (turn, summary) in enumerate(made, 1)
    ]
    if as_json:
        put_json([checkpoint_json(one, path="", in_effect=True) for one in found])
    else:
        _put_list(found, [one.number for one in found])


def _json(session: OwnSession, one: Checkpoint) -> dict[str, object]:
    path = session.workspace.path_of(one.name)
    return checkpoint_json(one, path=path, in_effect=one.number in session.in_effect)


def _put_list(found: Sequence[Checkpoint], in_effect: Sequence[int]) -> None:
    if not found:
        say(f"No checkpoints yet: {WHEN_MADE}.")
        return
    rows = [
        (
            f"{one.number:03}",
            local(seconds(one.created)),
            f"{one.messages_before:,} -> {one.messages_after:,} messages" if one.messages_before else "",
            f"{one.tokens_before:,} -> {one.tokens_after:,} tokens" if one.tokens_before else "",
            one_line(one.title) + ("" if one.number in in_effect else " (rewound)"),
        )
        for one in found
    ]
    if on_terminal():
        from recollect.doors.cli.printing.terminal import Page

        Page().table(rows)
    else:
        for row in rows:
            put_row(row)


def print_replay(session: OwnSession, messages: Sequence[Message], *, shape: str, as_json: bool) -> None:
    """A conversation, rebuilt."""
    if session.skipped:
        say(f"{counted(session.skipped, 'line')} of the log could not be read and {_were(session.skipped)} skipped.")
    if as_json:
        put_json(_replay_json(session, messages, shape))
        return
    if not messages:
        say("The conversation is empty at that point.")
    for message in messages:
        put("\n".join(_lines(message)))


def _were(number: int) -> str:
    return "was" if number == 1 else "were"


def _replay_json(session: OwnSession, messages: Sequence[Message], shape: str) -> dict[str, object]:
    from recollect.context.shapes import render

    return {
        "id": session.session_id,
        "shape": shape or "neutral",
        "turns": session.turn,
        "checkpoints": list(session.in_effect),
        "skipped_lines": session.skipped,
        "messages": render(messages, shape) if shape else [message_json(message) for message in messages],
    }


def _lines(message: Message) -> Iterator[str]:
    who = WHO.get(message.role, message.role)
    if message.role == "user" and message.text.lstrip().startswith(SUMMARY_OPENING):
        yield "-- the conversation was compacted here --"
        who = "summary"
    for part in message.parts:
        first, *more = _part_text(part).strip().splitlines() or [""]
        yield f"{who}: {first}".rstrip()
        yield from (f"  {line}" for line in more)


def _part_text(part: Part) -> str:
    match part:
        case Text(text=text):
            return text
        case Thinking(text=text):
            return f"(thinking) {text}"
        case ToolCall(name=name, arguments=arguments):
            return f"calls {name} {one_line(arguments)[:LONGEST_RESULT]}"
        case ToolResult(parts=parts, is_error=is_error):
            text = " ".join(_part_text(inner) for inner in parts)
            return f"{'failed' if is_error else 'answers'}: {one_line(text)[:LONGEST_RESULT]}"
        case Media(kind=kind):
            return f"[{kind}]"
    return "[something of the provider's own]"


def print_latest_checkpoints(found: Sequence[StoredCheckpoint], *, everywhere: bool, as_json: bool) -> None:
    """The latest checkpoints of all sessions, newest first."""
    if as_json:
        put_json([stored_checkpoint_json(one) for one in found])
        return
    if not found:
        here = f"No checkpoints in this repository yet: {WHEN_MADE}. Add --all to see those of every repository."
        say(f"No checkpoints yet: {WHEN_MADE}." if everywhere else here)
    for one in found:
        put_row((one.session_id, f"{one.number:03}", one.host, local(one.created), one_line(one.title)))


def print_compacted(session: OwnSession, result: CompactionResult, *, as_json: bool) -> None:
    """What a compaction came to."""
    made = session.in_effect[-1] if result.compacted else None
    if as_json:
        names = ("status", "why", "tokens_before", "tokens_after", "messages_before", "messages_after", "summary")
        put_json({"id": session.session_id, **{name: getattr(result, name) for name in names}, "checkpoint": made})
        return
    put(compaction_line(result))
    if made:
        say(f"Checkpoint {made:03}. Undo with `recollect session rewind {session.session_id} --undo`.")


def compaction_line(result: CompactionResult) -> str:
    """How a compaction went, as one or two sentences."""
    why = f"{result.why[:1].upper()}{result.why[1:].rstrip('.')}." if result.why else ""
    if result.status == "unchanged":
        return f"Unchanged at {counted(result.tokens_before, 'token')}. {why}".rstrip()
    done = f"{result.status.capitalize()}: {result.tokens_before:,} tokens -> {result.tokens_after:,}."
    return f"{done} {why}".rstrip()


def print_rewound(session: OwnSession, rewound: Rewound, *, as_json: bool) -> None:
    """What going back did."""
    if session.problem:
        say(f"recollect: {session.problem}")
    if as_json:
        put_json(rewound_json(session.session_id, rewound))
        return
    left = f"{counted(rewound.turn, 'turn')} and {counted(rewound.messages_after, 'message')}"
    sentence = f"The conversation now has {left}; it had {counted(rewound.messages_before, 'message')} before."
    detail = f"Undo with `recollect session rewind {session.session_id} --undo`."
    if on_terminal():
        put_done(sentence, detail)
    else:
        put(sentence)
        say(detail)
