"""One block of ours in a Markdown file, between two comments; everything around it is the user's."""

from __future__ import annotations

from recollect.errors import FileError
from recollect.files.edits.jsonc_edit import newline_of

BEGIN, END = "<!-- recollect:begin -->", "<!-- recollect:end -->"


class BlockBroken(FileError):
    """The marks of the managed block do not match."""


def set_block(text: str, body: str) -> str:
    """The text with the block at its end, or renewed where it stands."""
    found = _span(text)
    newline = newline_of(text if found else text + "\n")  # a bare \r at the end would make one with ours
    lines = [BEGIN, *body.strip("\n").split("\n"), END]
    block = newline.join(lines)
    if found is not None:
        return text[: found[0]] + block + text[found[1] :]
    gap = "" if not text.strip("\ufeff") else newline if text.endswith("\n") else newline * 2
    return text + gap + block + newline


def remove_block(text: str) -> str:
    """The text without the block, its line end and the empty line before it."""
    found = _span(text)
    if found is None:
        return text
    start, end = found
    newline = newline_of(text)
    if text.startswith(newline, end):
        end += len(newline)
    if text[:start].endswith(newline * 2) or text[:start] == newline:
        start -= len(newline)
    return text[:start] + text[end:]


def block_body(text: str) -> str:
    """What stands in the block, or an empty text."""
    found = _span(text)
    return text[found[0] + len(BEGIN) : found[1] - len(END)].strip("\r\n").replace("\r\n", "\n") if found else ""


def _span(text: str) -> tuple[int, int] | None:
    start, end = text.find(BEGIN), text.find(END)
    if start < 0 and end < 0:
        return None
    if start < 0 or end < start or text.count(BEGIN) > 1 or text.count(END) > 1:
        raise BlockBroken(f"the marks {BEGIN} and {END} must each appear once, in this order; correct that first")
    return start, end + len(END)
