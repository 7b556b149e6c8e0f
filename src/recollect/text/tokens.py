"""How many tokens a text will cost, without a tokenizer; errs high.

A tokenizer cuts a text into words, numbers and runs of signs first, and long ones into pieces. So what is counted here
is where such runs begin, and how long they are. The weights are a least-squares fit to o200k over real agent sessions,
source code, Markdown, JSON, logs, hashes and base64, raised until nine sessions in ten are not underestimated.
"""

from __future__ import annotations

# Every byte by its kind: letters, digits, spaces, line ends, other ASCII, and all beyond ASCII.
_KINDS = b"".join(
    (
        b"." * 9 + b" \n" + b"." * 2 + b"\n" + b"." * 18 + b" " + b"." * 15,  # up to the slash
        b"0" * 10 + b"." * 7 + b"A" * 26 + b"." * 6 + b"a" * 26 + b"." * 5,
        b"~" * 128,
    )
)
_LETTERS = bytes.maketrans(b"A", b"a")

# Tokens per character beyond ASCII, by its first byte, which tells the script; what agents write most comes first.
_SCRIPTS = (
    (0xE2, 0xE2, 0.9),  # punctuation, arrows, boxes
    (0xE3, 0xE3, 0.68),  # kana
    (0xE4, 0xE9, 0.79),  # Han
    (0xC2, 0xC3, 1.0),  # Western European letters
    (0xF0, 0xF4, 2.3),  # emoji
    (0xEF, 0xEF, 0.83),  # full width
    (0xEA, 0xEE, 0.61),  # Hangul
    (0xD0, 0xD1, 0.29),  # Cyrillic
    (0xC4, 0xCD, 1.7),  # Central European letters, accents
    (0xE1, 0xE1, 0.52),  # Vietnamese, Georgian and others
    (0xCE, 0xCF, 0.42),  # Greek
    (0xD2, 0xDF, 0.45),  # Hebrew, Arabic and others
    (0xE0, 0xE0, 0.42),  # Indic, Thai
)
_ASCII = bytes(range(128))
_LATER_BYTES = bytes(range(0x80, 0xC0))
_made: list[bytes] = []
# A drawn line is a few tokens, however long.
_LINES = ("──".encode(), "━━".encode(), "══".encode())
_LINE_TOKENS = 1.3


def estimate_tokens(text: str) -> int:
    """Tokens of the text, rounded up."""
    if not text:
        return 0
    content = text.encode("utf-8", "surrogatepass")
    tokens = 1.0
    if len(content) != len(text):
        lines = sum(map(content.count, _LINES)) if b"\xe2" in content else 0
        content = content.translate(None, _LATER_BYTES)
        tokens += max(0.0, _beyond_ascii(content) - _LINE_TOKENS * lines)
    return int(tokens + _in_ascii(content.translate(_KINDS)))


def _in_ascii(cased: bytes) -> float:
    kinds = cased.translate(_LETTERS)
    count = kinds.count
    tokens = (
        0.085 * count(b"a")
        + 0.075 * cased.count(b"A")
        + 4.3 * cased.count(b"AaA")  # base64 and the like: no words in it
        + 2.45 * count(b"aaaaaaaaaaaaaaaa")
        + 0.73 * count(b" a")
        + 1.01 * count(b".a")
        + 0.33 * count(b"0")
        + 1.24 * (count(b" 0") + count(b".0"))
        + 1.75 * count(b"a0")
        + 0.245 * count(b".")
        + 0.83 * count(b" .")
        + 0.37 * count(b"....")
    )
    if b"\n" in kinds:
        tokens += 0.27 * count(b"\n") + 1.37 * count(b"\na") + 1.24 * count(b"\n0") + 1.04 * count(b"\n.")
    if b"  " in kinds:
        tokens += 0.74 * (count(b"  a") + count(b"  .") + count(b"  0"))
    return tokens


def _script_of_byte() -> bytes:
    """The place in _SCRIPTS of every first byte; made when a text first needs it."""
    if not _made:
        _made.append(
            bytes(
                next((place for place, (low, high, _) in enumerate(_SCRIPTS) if low <= byte <= high), 0)
                for byte in range(256)
            )
        )
    return _made[0]


def _beyond_ascii(characters: bytes) -> float:
    scripts = characters.translate(_script_of_byte(), _ASCII)
    left = len(scripts)
    tokens = 0.0
    for place, (_, _, weight) in enumerate(_SCRIPTS):
        found = scripts.count(place)
        tokens += weight * found
        left -= found
        if not left:
            break
    return tokens
