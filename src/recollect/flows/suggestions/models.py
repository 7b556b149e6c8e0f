"""What a model may do for suggestions: choose among the files that rules allow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.errors import ProviderError
from recollect.flows.models.asking import OUTPUT_TOKENS
from recollect.prompts import render
from recollect.suggestions.outline import outline

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.flows.models.asking import AskedModels
    from recollect.flows.opened import Opened
    from recollect.model.messages import Json
    from recollect.model.suggestions import Fact
    from recollect.ports import Reply
    from recollect.suggestions.proposing import Choose
    from recollect.suggestions.targets import Target

PURPOSE = "suggestions"
ROLE = "smol"


def chooser(memory: Opened) -> Choose | None:
    """Asks the model of the role smol which of the allowed files a fact goes into; None where no model is asked."""
    if not memory.models.is_there(ROLE):
        return None

    def choose(fact: Fact, found: Sequence[Target]) -> int:
        return _chosen(fact, found, memory.models)

    return choose


def _chosen(fact: Fact, found: Sequence[Target], models: AskedModels) -> int:
    """The place of the chosen file; the rules' own choice when there is no usable answer."""
    files = "\n".join(f"{number}. {_described(one)}" for number, one in enumerate(found, 1))
    schema: Json = {
        "type": "object",
        "properties": {"file": {"type": "integer", "minimum": 1, "maximum": len(found)}},
        "required": ["file"],
        "additionalProperties": False,
    }
    try:
        reply = ask_once(render("choose_target", fact=fact.content, files=files), schema, models)
    except ProviderError:
        return 0
    return int(reply.value["file"]) - 1


def ask_once(text: str, schema: Json, models: AskedModels, *, max_output_tokens: int = OUTPUT_TOKENS) -> Reply:
    """A pass of one question; what it will cost is written down first."""
    expected = models.expected_tokens(text, schema, answer=max_output_tokens // 4)
    begun = models.begin(PURPOSE, expected_tokens=expected, role=ROLE)
    return begun.ask(text, schema, ROLE, max_output_tokens=max_output_tokens)


def _described(one: Target) -> str:
    headings = [section.heading for section in outline(one.file.text).sections if section.heading]
    return f"{one.file.path} ({one.file.kind}): {one.file.about} {', '.join(headings[:20])}"
