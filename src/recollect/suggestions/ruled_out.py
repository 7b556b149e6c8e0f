"""A line that runs a tool which a fact rules out: "Run `npm test`" where the fact says "use pnpm, never npm"."""

from __future__ import annotations

import re

from recollect.suggestions.globs import code_spans
from recollect.suggestions.wording import denies
from recollect.text.language.frames import frame_of

_COMMAND = re.compile(r"(?:\$ )?(?:sudo )?(\S+) \S")


def uses_ruled_out(content: str, line: str) -> bool:
    """Does a line run, in a code span, a tool that the statement rules out for everything?"""
    commands = [found[1] for span in code_spans(line) if (found := _COMMAND.match(span))]
    if not commands or denies(line):
        return False
    frame = frame_of(content)
    denied = [item for item in frame.items if item.sign < 0]
    if frame.hedged or frame.asks or not all(item.alternative for item in denied):
        return False  # what is denied is not the tool as a whole: "never use npm to publish"
    return not {item.raw for item in denied}.isdisjoint(commands)
