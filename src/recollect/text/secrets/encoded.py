"""Secrets in base64: what decodes to text is looked at with the same rules as any other text."""

from __future__ import annotations

from binascii import Error, a2b_base64

from recollect.text.patterns import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    KindIn = Callable[[str], str]

Span = tuple[int, int, str]

# It begins as a letter, a quote or a bracket does in base64; a long one may be broken into lines.
_CANDIDATE = lazy(
    r"(?<![A-Za-z0-9+/_-])[CIJLQ-Za-e](?:[A-Za-z0-9+/]{59,75}\r?\n)?(?:[A-Za-z0-9+/]{60,76}\r?\n)*+"
    r"[A-Za-z0-9+/_-]{15,}+={0,2}"
)
_BREAKS = {10: None, 13: None}
_URL_SAFE = str.maketrans("-_", "+/")
_GLANCE = 16  # characters that tell whether it decodes to text


def encoded(text: str, kind_in: KindIn, first_run: int = 0) -> Iterator[Span]:
    """Spans of base64 that holds a secret, such as a line of an env file; `kind_in` tells what a text holds, if any."""
    for match in _CANDIDATE.finditer(text, max(0, first_run - 1)):
        value = match.group().translate(_BREAKS).translate(_URL_SAFE)
        plain = _decoded(value) if _decoded(value[:_GLANCE]) else ""
        kind = kind_in(plain) if plain else ""
        if kind:
            yield match.start(), match.end(), kind


def _decoded(value: str) -> str:
    """The text that it encodes; empty when that is not printable ASCII."""
    value = value.rstrip("=")
    value = value[: len(value) - (len(value) % 4 == 1)]
    try:
        plain = a2b_base64(value + "=" * (-len(value) % 4)).decode("ascii")
    except (Error, ValueError):
        return ""
    return plain if plain.translate(_WHITE).isprintable() else ""


_WHITE = {9: " ", 10: " ", 13: " "}
