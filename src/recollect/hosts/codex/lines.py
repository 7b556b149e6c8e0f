"""Lines of a rollout file as bytes: what kind one is, and what can be told without parsing it. Exact, or it says no."""

from __future__ import annotations

import re

KINDS = {
    b"session_meta": b"*",
    b"turn_context": b"*",
    b"compacted": b"*",
    b"event_msg": b"user_message agent_message item_completed token_count patch_apply_end task_started turn_started "
    b"thread_name_updated",
    b"response_item": b"message function_call function_call_output custom_tool_call custom_tool_call_output "
    b"local_shell_call web_search_call tool_search_call",
}
TYPES = re.compile(
    rb'\{"timestamp":"[^"]*",(?:"ordinal":\d+,)?"type":"(\w+)","payload":\{(?:"id":"\w*",)?(?:"type":"(\w+)")?'
)
# How a line is read, by its two types; where the second is not found, the record has to be parsed to tell.
IGNORED, PARSED, MESSAGE, SHOWN, COUNT, OUTPUT = "ignored", "parsed", "message", "shown", "count", "output"
WAYS: dict[tuple[bytes | None, ...], str] = {
    **{(kind, item): PARSED for kind, items in KINDS.items() for item in (None, *items.split())},
    (b"response_item", b"message"): MESSAGE,
    (b"response_item", b"function_call_output"): OUTPUT,
    (b"event_msg", b"agent_message"): SHOWN,
    (b"event_msg", b"token_count"): COUNT,
}
SPARED = frozenset((MESSAGE, SHOWN, COUNT))
# What the tokens of a request look like, to the end of the line.
_NUMBERS = rb'\{(?:"[a-z_]+":\d+,)*?'
_COUNT = re.compile(
    rb',"info":\{"total_token_usage":'
    + _NUMBERS
    + rb'"total_tokens":(\d{1,15})\},"last_token_usage":'
    + _NUMBERS
    + rb'"input_tokens":(\d{1,15}),(?:"[a-z_]+":\d+,)*?"output_tokens":(\d{1,15})[^\\]*\}\}$'
)
_DEVELOPER = b',"role":"developer"'
_MESSAGE = b',"role":"assistant","content":[{"type":"output_text","text":"'
_SHOWN = b',"message":"'
_TIME_AT = len(b'{"timestamp":"')


def way_of(kind: bytes) -> str:
    """How a line of this kind is read, whatever its second type."""
    return PARSED if KINDS.get(kind) == b"*" else IGNORED


def counts_in(line: bytes, at: int) -> tuple[int, int, int] | None:
    """The total, the input and the output tokens in a line of the usual shape."""
    found = _COUNT.match(line, at)
    return (int(found[1]), int(found[2]), int(found[3])) if found else None


def is_for_developers(line: bytes, at: int) -> bool:
    """Is this a message of the host to the model?"""
    return line.startswith(_DEVELOPER, at)


def is_shown(line: bytes, at: int, shown: bytes) -> bool:
    """Is this the model's copy of the message that was last on the screen, byte by byte?"""
    if not shown.startswith(_SHOWN) or not line.startswith(_MESSAGE, at):
        return False
    start = at + len(_MESSAGE)
    text = line[start : line.find(b'"}]', start)]
    return not text.endswith(b"\\") and shown.startswith(text + b'"', len(_SHOWN))


def time_of(line: bytes) -> str:
    """The time in front of a line."""
    return line[_TIME_AT : line.find(b'"', _TIME_AT)].decode("ascii", "replace")
