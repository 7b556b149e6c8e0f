"""Letters of other scripts that look like Latin ones, so that a word cannot hide behind them."""

from __future__ import annotations

from recollect.text.patterns import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

# Of wide, bold and other forms of a letter Unicode itself knows (NFKC).
LOOK_ALIKES = str.maketrans(
    "авекмнорстухіјѕԁԛԝһӏѵьг" + "АВЕКМНОРСТУХІЈЅԚԜҺӀѴԌ"  # Cyrillic
    "αειοκρτυνχγηωϲϳ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹͿ"  # Greek
    "օսոհզցյ" + "ՕՍ" + "ᎪᏴᏟᎠᎬᏀᎻᎫᏦᏞᎷᏢᏒᏚᎢᏙᎳᏃ"  # Armenian, Cherokee
    "ɑɡɩıʟ",  # Latin of other alphabets
    "abekmhopctyxijsdqwhlvbr" + "ABEKMHOPCTYXIJSQWHIVG"
    "aeiokptuvxynwcj" + "ABEZHIKMNOPTYXCJ"
    "ounhqgj" + "OU" + "ABCDEGHJKLMPRSTVWZ"
    "agiil",
)  # fmt: skip
_FOREIGN = lazy("[\u0250-\u02af\u0131\u0370-\u058f\u13a0-\u13ff]")
_WORD = lazy(r"[^\W\d_]+")
_LATIN = lazy("[A-Za-z]")
_SHORTEST = 3  # letters of a word that has none but look-alikes; Russian has many shorter ones


def skeleton(text: str) -> str:
    """The text with look-alikes made Latin: in words that mix scripts, and in words of nothing else where the text has
    no other letter of their script."""
    if text.isascii() or not _FOREIGN.search(text):
        return text
    text = unmixed(text)
    return text if _FOREIGN.search(text.translate(LOOK_ALIKES)) else _WORD.sub(_disguised, text)


def unmixed(text: str) -> str:
    """The text with look-alikes made Latin in words that have Latin letters too."""
    return text if text.isascii() or not _FOREIGN.search(text) else _WORD.sub(_mixed, text)


def _mixed(word: re.Match[str]) -> str:
    return word[0].translate(LOOK_ALIKES) if _LATIN.search(word[0]) else word[0]


def _disguised(word: re.Match[str]) -> str:
    return word[0].translate(LOOK_ALIKES) if len(word[0]) >= _SHORTEST else word[0]
