"""How a preview looks: the bytes on stdout, what is to be said about them on stderr."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from recollect.doors.cli.printing.output import counted, put_json, put_text, say
from recollect.doors.cli.printing.recalls import AROUND, left_out_line
from recollect.text.ids import short_id

if TYPE_CHECKING:
    from recollect.flows.views.preview import Preview, Previewed

GUIDANCE = "Guidance"  # a part without a heading


def print_preview(found: Preview, *, as_json: bool) -> None:
    """Each text as it is given, with its tokens and why each part is in it."""
    if as_json:
        from recollect.doors.shapes import preview_json

        put_json(preview_json(found))
        return
    if found.note:
        say(found.note)
        say("")
    _print_given(f"{found.title}, session start", found.start)
    if found.turn is not None:
        say("")
        _print_given(f"{found.title}, with this prompt", found.turn)


def _print_given(title: str, given: Previewed) -> None:
    if not given.text:
        say(f"{title}: nothing, because {given.why}." if given.why else f"{title}: nothing.")
    else:
        say(f"{title}: {counted(given.tokens, 'token')}")
        put_text(given.text)
        sys.stdout.flush()  # or what is said next would come before it on a terminal
        for part in given.parts:
            _say_tokens(part.tokens, f"{_named(part.name)}: {part.why}")
        around = given.tokens - sum(part.tokens for part in given.parts)
        if around > 0:
            _say_tokens(around, AROUND)
    reasons = [out.why for out in given.left_out if out.entry_id]
    if reasons:
        say(f"  {left_out_line(reasons)}")


def _say_tokens(tokens: int, what: str) -> None:
    say(f"  {tokens:>5,} tokens  {what}")


def _named(name: str) -> str:
    return short_id(name) if name.startswith("e_") else name or GUIDANCE
