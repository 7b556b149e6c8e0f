"""Prompts are files; render() fills their named fields and fails loudly when one is missing or unknown."""

from __future__ import annotations

import os

from recollect.errors import UsageError

_FOLDER = os.path.dirname(os.path.abspath(__file__))


def render(name: str, **fields: str) -> str:
    """The prompt `name.md` with its `{{field}}`s filled in."""
    with open(os.path.join(_FOLDER, name + ".md"), encoding="utf-8") as file:
        pieces = file.read().rstrip("\n").split("{{")
    text = pieces[0]
    used = set()
    for piece in pieces[1:]:
        field, closed, rest = piece.partition("}}")
        if not closed or field not in fields:
            raise UsageError(f"The prompt {name} needs the field {field!r}.")
        used.add(field)
        text += fields[field] + rest
    unknown = fields.keys() - used
    if unknown:
        raise UsageError(f"The prompt {name} has no field {', '.join(sorted(unknown))}.")
    return text
