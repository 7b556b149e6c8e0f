"""What a person cannot see in a text, by the properties that Unicode gives its characters."""

from __future__ import annotations

from recollect.text.patterns import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

# Default_Ignorable_Code_Point: fillers, joiners, variation selectors, tags, marks of direction, and what is reserved
# for more of them. Python does not know the property.
IGNORABLE = (
    (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F),
    (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)  # fmt: skip
# Controls but for tab and line feed, separators of lines and paragraphs, marks of layout and annotation, letters and
# symbols that are blank, code points that are never characters, and the planes of private use: no common font has them.
BLANK = (
    (0x00, 0x08), (0x0B, 0x1F), (0x7F, 0x9F), (0x2028, 0x2029), (0x2800, 0x2800), (0x2D7F, 0x2D7F), (0xFDD0, 0xFDEF),
    (0xFFF9, 0xFFFB), (0xFFFE, 0xFFFF), (0x1107F, 0x1107F), (0x13430, 0x1345F), (0x16FE4, 0x16FE4), (0x1D159, 0x1D159),
    (0xF0000, 0x10FFFF),
)  # fmt: skip
# The only ones that change what is seen: a joiner inside a word of a script that needs it, or between two pictures, and
# the selector that makes a sign a picture.
_JOINERS = "\u200c\u200d\ufe0f"
_PICTURE = (
    "\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u27bf\u2900-\u297f\u2b00-\u2bff\u3030\u303d\u3297\u3299"
    "\U0001f000-\U0001faff"
)
_JOINING = "\u0620-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u17ff\u1800-\u18af\ufb50-\ufdcf\ufe70-\ufefc"


def _class(ranges: tuple[tuple[int, int], ...], *, without: str = "") -> str:
    """The ranges as the inside of a character class."""
    parts = []
    for first, last in ranges:
        inside = sorted(ord(char) for char in without if first <= ord(char) <= last)
        for skipped in inside:
            if first < skipped:
                parts.append(f"\\U{first:08x}-\\U{skipped - 1:08x}")
            first = skipped + 1
        if first <= last:
            parts.append(f"\\U{first:08x}-\\U{last:08x}")
    return "".join(parts)


_UNSEEN = lazy(f"\\x1b\\[[0-9;?]*[A-Za-z]|[{_class((*IGNORABLE, *BLANK), without=_JOINERS)}]")  # colours go whole
_RUNS = lazy(
    f"(?P<sign>[{_PICTURE}])(?P<signed>[{_JOINERS}]+)(?P<picture>(?=[{_PICTURE}]))?"
    f"|(?<=[0-9#*])\ufe0f(?=\u20e3)"
    f"|(?<=[{_JOINING}])[\u200c\u200d](?=[{_JOINING}])"
    f"|(?P<loose>[{_JOINERS}]+)"
)


def visible(text: str) -> str:
    """The text without what cannot be seen; line breaks and tabs stay, and joiners where they can be seen."""
    if text.isascii() and text.isprintable():
        return text
    text = _UNSEEN.sub("", text)
    return text if text.isascii() else _RUNS.sub(_seen, text)


def _seen(run: re.Match[str]) -> str:
    """What of a run of joiners changes how the text looks."""
    if run["loose"]:
        return ""
    if not run["sign"]:
        return run[0]
    kept = "\ufe0f" if run["signed"][0] == "\ufe0f" else ""
    joined = "\u200d" if run["picture"] is not None and "\u200d" in run["signed"] else ""
    return run["sign"] + kept + joined
