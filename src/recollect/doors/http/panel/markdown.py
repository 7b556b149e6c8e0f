"""Markdown of artifacts as HTML. What it says is not ours: no HTML of its own, no pictures, and links only where they
are seen for what they are."""

from __future__ import annotations

from functools import cache

from markdown_it import MarkdownIt
from markupsafe import Markup

from recollect.text.unseen import visible


def rendered(text: str) -> Markup:
    """The text as HTML; tags in it are shown as text."""
    return Markup(_parser().render(visible(text)))  # noqa: S704 - the parser escapes what is not Markdown


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table").disable(["image", "link", "autolink"])
