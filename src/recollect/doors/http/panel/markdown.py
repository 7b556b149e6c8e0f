"""Markdown of artifacts as HTML. What it says is not ours: no HTML of its own, no pictures and no links but those to
the turns that it rests on."""

from __future__ import annotations

import re
from functools import cache

from markdown_it import MarkdownIt
from markupsafe import Markup

from recollect.text.unseen import visible

_MARK = re.compile(r"^<!-- [\w-]+ -->\n?", re.MULTILINE)  # tells a block again; nothing to read
_TURN = re.compile(r"\b(s_[0-9a-z]{26})#(\d{1,6})\b")


def rendered(text: str) -> Markup:
    """The text as HTML; tags in it are shown as text."""
    made = _parser().render(_MARK.sub("", visible(text)))
    linked = _TURN.sub(r'<a href="/sessions/\1#turn-\2">turn \2</a>', made)
    return Markup(linked)  # noqa: S704 - the parser escapes what is not Markdown, and the ids are letters and digits


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table").disable(["image", "link", "autolink"])
