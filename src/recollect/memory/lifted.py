"""Lifted text: six words in a row that stand so in a file or in what a tool printed, or all words of a longer statement
in one line of it.

Punctuation, markup, case, accents and line breaks do not count. Every fact about a file shares names, values and short
sentences with it ("The port is 8080."); six words in a row are somebody's sentence.
"""

from __future__ import annotations

from unicodedata import normalize

from recollect.text.patterns import lazy
from recollect.text.unseen import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    Run = tuple[str, ...]

RUN_WORDS = 6
MOST = 2_000_000  # characters of one source that are looked at
LINE = 200  # characters that a line may be longer than twice the statement

_UNSPACED = "\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"  # scripts without spaces: two signs count as a word
_WORDS = lazy(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+(?:[./@+-]+[^\W{_UNSPACED}]+)*")
_IS_UNSPACED = lazy(rf"[{_UNSPACED}]")
_NUMBERED = lazy(r"(?m)^[ \t]*\d{1,6}(?:→|\t|:|[ \t]*\|)")  # as tools print the lines of a file
_TAG = lazy(r"</?[a-z][^<>]{0,200}>|\\[nrt]")
_ACCENTS = dict.fromkeys(range(0x300, 0x370))  # marks that stand on a letter or strike it out
_MARKUP = {ord(sign): None for sign in "*_`~\"'’"}


def is_lifted(statement: str, sources: Iterable[str]) -> bool:
    """Was the statement lifted from one of these texts? One of fewer than six words never was."""
    words = _words_of(_plain(statement))
    runs = _runs(words)
    if not runs:
        return False
    longest = 2 * len(statement) + LINE
    for source in sources:
        # Most of what tools print has not even the words: a look that costs next to nothing.
        plain = _plain(source[:MOST])
        if any(all(word in plain for word in run) for several in runs.values() for run in several) and (
            _holds_run(_words_of(plain), runs) or _holds_line(plain, frozenset(words), longest)
        ):
            return True
    return False


def _runs(words: list[str]) -> dict[str, list[Run]]:
    """The shortest runs that are long enough, by their first word."""
    found: dict[str, list[Run]] = {}
    for start in range(len(words)):
        halves = 0
        for end in range(start, len(words)):
            halves += 1 if _IS_UNSPACED.match(words[end]) else 2
            if halves >= 2 * RUN_WORDS:
                found.setdefault(words[start], []).append(tuple(words[start : end + 1]))
                break
    return found


def _holds_run(words: list[str], runs: dict[str, list[Run]]) -> bool:
    return any(
        tuple(words[at : at + len(run)]) == run for at, word in enumerate(words) if word in runs for run in runs[word]
    )


def _holds_line(plain: str, words: frozenset[str], longest: int) -> bool:
    """Is there a line with all the words, in whatever order? Not in one so long that it holds anything."""
    if len(words) <= RUN_WORDS:
        return False
    lines = (line for line in plain.splitlines() if len(line) <= longest)
    return any(words.issubset(_words_of(line)) for line in lines if all(word in line for word in words))


def _plain(text: str) -> str:
    """The text in small letters and without markup: cheap, for most of what tools print goes no further."""
    if not text.isascii():
        text = normalize("NFC", normalize("NFKD", visible(text)).translate(_ACCENTS))
    if "&" in text:
        from html import unescape

        text = unescape(text)
    return text.translate(_MARKUP).casefold()


def _words_of(plain: str) -> list[str]:
    """The words, without tags and the numbers of lines."""
    text = _NUMBERED.sub(" ", plain)
    return _WORDS.findall(_TAG.sub(" ", text) if "<" in text or "\\" in text else text)
