"""What a model wraps its answer in without being asked to: thoughts before it, a code fence around it."""

from __future__ import annotations

import re

_THINKING = re.compile(r"<(think|thinking|analysis)>")
_FENCED = re.compile(r"\A```\w*\n(.*)\n```\Z", re.DOTALL)


def bare(text: str) -> str:
    """The answer itself."""
    text = _without_thoughts(text).strip()
    fenced = _FENCED.match(text)
    return fenced[1].strip() if fenced else text


def _without_thoughts(text: str) -> str:
    parts: list[str] = []
    never_closed: set[str] = set()
    done = at = 0
    while opened := _THINKING.search(text, at):
        at = opened.end()
        closing = f"</{opened[1]}>"
        end = -1 if closing in never_closed else text.find(closing, at)
        if end < 0:
            never_closed.add(closing)
            continue
        parts.append(text[done : opened.start()])
        done = at = end + len(closing)
    return "".join(parts) + text[done:]
