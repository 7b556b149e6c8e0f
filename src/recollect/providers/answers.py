"""Whether an answer is what was asked for: whole, in the form of its schema, with calls of tools that were offered.

Every provider passes its reply through `checked`, so that nobody above has to look again.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NoReturn

from recollect.errors import ReplyEmpty, ReplyInvalid, UsageError
from recollect.text.replies import bare

if TYPE_CHECKING:
    from recollect.model.messages import Json, ToolCall
    from recollect.ports import Prompt, Reply

MOST_CHARACTERS = 1_000_000  # of an answer; whoever receives one stops there
TOO_LARGE = f"The model's answer is longer than {MOST_CHARACTERS:,} characters; it was thrown away."
LONGEST_SHOWN = 200  # of a value that does not fit, in the message about it


def checked(prompt: Prompt, reply: Reply) -> Reply:
    """The reply, with its value when the prompt gave a schema. ReplyInvalid when it is not what was asked for."""
    if len(reply.text) > MOST_CHARACTERS:
        raise ReplyInvalid(TOO_LARGE)
    if not reply.text.strip() and not reply.calls:
        raise ReplyEmpty
    offered = {tool.name for tool in prompt.tools}
    for call in reply.calls:
        _check_call(call, offered)
    if prompt.schema is None or reply.calls:
        return reply
    try:
        return reply._replace(value=value_of(reply.text, prompt.schema))
    except ReplyInvalid as error:
        raise ReplyInvalid(str(error), said=reply.text, mendable=True) from error


def value_of(text: str, schema: Json) -> Any:
    """The JSON in an answer, which may stand in a code fence or behind thoughts. ReplyInvalid when it does not fit."""
    from jsonschema import Draft202012Validator
    from referencing import Registry
    from referencing.exceptions import Unresolvable

    value = _parsed(text if text.lstrip()[:1] in ("{", "[") else bare(text))
    try:
        # A registry of its own: the default one would fetch schemas from the network.
        problem = next(Draft202012Validator(schema, registry=Registry()).iter_errors(value), None)
    except Unresolvable as error:
        raise UsageError(f"The schema for an answer refers to something outside itself: {error}") from error
    if problem is not None:
        where = problem.json_path
        raise ReplyInvalid(f"The answer does not fit its schema at {where}: {problem.message[:LONGEST_SHOWN]}")
    return value


def check_schema(schema: Json | None) -> None:
    """Raises UsageError for a schema that cannot be checked against: before anything is spent on an answer."""
    if schema is None:
        return
    from jsonschema import Draft202012Validator, SchemaError

    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        raise UsageError(f"The schema for an answer is not valid: {error.message[:LONGEST_SHOWN]}") from error


def asked_for(schema: Json | None) -> str:
    """How to ask a model for JSON where its protocol has no other way."""
    if schema is None:
        return ""
    return (
        "Answer with one JSON value and nothing else: no words before or after it, no code fence. "
        f"It must fit this JSON Schema:\n{json.dumps(schema, ensure_ascii=False)}"
    )


def _check_call(call: ToolCall, offered: set[str]) -> None:
    if call.name not in offered:
        raise ReplyInvalid(f"The model called {call.name!r}, a tool that it was not offered.")
    if call.kind != "custom" and not isinstance(_parsed(call.arguments or "{}"), dict):
        raise ReplyInvalid(f"The model called {call.name!r} with arguments that are not a JSON object.")


def _parsed(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise ReplyInvalid(f"The answer is not valid JSON: {str(error)[:LONGEST_SHOWN]}") from error


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")
