"""What a model wraps its answer in without being asked to: thoughts before it, a code fence around it."""

from __future__ import annotations

import re

_THINKING = re.compile(r"<(think|thinking|analysis)>.*?</\1>", re.DOTALL)
_FENCED = re.compile(r"\A```\w*\n(.*)\n```\Z", re.DOTALL)


def bare(text: str) -> str:
    """The answer itself."""
    text = _THINKING.sub("", text).strip()
    fenced = _FENCED.match(text)
    return fenced[1].strip() if fenced else text
