"""What an image, a document or a sound costs, from its size; the price of a large one where the size is unknown."""

from __future__ import annotations

from base64 import b64decode
from math import ceil
from typing import TYPE_CHECKING

from recollect.context.shapes.media import facts_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.model.messages import Media

# Anthropic: width x height / 750, at most about 1,600 once an image is scaled to its largest size; OpenAI's tiles
# stay below that. A page of a document is sent as its text and as an image.
PIXELS_PER_TOKEN = 750
IMAGE_TOKENS = 1_600
PAGE_TOKENS = 3_000
PAGES_WHEN_UNKNOWN = 3
BYTES_PER_PAGE = 50_000
# Ten tokens a second of speech at 128 kbit/s.
SOUND_BYTES_PER_TOKEN = 1_600
SOUND_TOKENS_WHEN_UNKNOWN = 600


def media_tokens(media: Media, tokens_of: Callable[[str], int]) -> int:
    """An estimate that errs high."""
    facts = facts_of(media)
    if facts.text:
        return tokens_of(facts.text)
    if media.kind == "image":
        return _image_tokens(facts.data)
    size_bytes = len(facts.data) * 3 // 4
    if media.kind == "audio":
        return ceil(size_bytes / SOUND_BYTES_PER_TOKEN) or SOUND_TOKENS_WHEN_UNKNOWN
    return _pages(facts.data, size_bytes) * PAGE_TOKENS


def _pages(data: str, size_bytes: int) -> int:
    if not data:
        return PAGES_WHEN_UNKNOWN
    content = _decoded(data)
    counted = content.count(b"/Type /Page") - content.count(b"/Type /Pages")
    counted += content.count(b"/Type/Page") - content.count(b"/Type/Pages")
    return counted or ceil(size_bytes / BYTES_PER_PAGE)


def _image_tokens(data: str) -> int:
    size = _pixels(_decoded(data[:65_536]))
    return min(IMAGE_TOKENS, ceil(size / PIXELS_PER_TOKEN)) if size else IMAGE_TOKENS


def _decoded(data: str) -> bytes:
    try:
        return b64decode(data[: len(data) // 4 * 4])
    except ValueError:
        return b""


def _pixels(head: bytes) -> int:
    """Width x height of a PNG, GIF or JPEG; 0 when its head does not say."""
    if head.startswith(b"\x89PNG") and len(head) >= 24:
        return int.from_bytes(head[16:20], "big") * int.from_bytes(head[20:24], "big")
    if head.startswith(b"GIF8") and len(head) >= 10:
        return int.from_bytes(head[6:8], "little") * int.from_bytes(head[8:10], "little")
    return _jpeg_pixels(head) if head.startswith(b"\xff\xd8") else 0


def _jpeg_pixels(head: bytes) -> int:
    place = 2
    while place + 9 < len(head) and head[place] == 0xFF:
        marker = head[place + 1]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = head[place + 5 : place + 7], head[place + 7 : place + 9]
            return int.from_bytes(height, "big") * int.from_bytes(width, "big")
        place += 2 + int.from_bytes(head[place + 2 : place + 4], "big")
    return 0
