"""Whether a person said it: the sentence itself, found whole among the sentences they typed.

What is said in other words is somebody else's sentence, however near it comes: "Approve nothing without asking me." has
every word of "Approve without asking." So nothing is weighed here. Politeness, the last full stop and the case of
letters are left aside; when in doubt it was not typed, and somebody is asked.
"""

from __future__ import annotations

import re

from recollect.text.language.frames import frame_of
from recollect.text.language.sentences import sentences
from recollect.text.language.take_backs import meant_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from recollect.text.language.sentences import Sentence

TALK = 1_500  # characters of own words; beyond that a message is a text, and only how it begins is talk
BEGINNING = 600
LONGEST = 2_000  # characters of a sentence
MOST_CHANGED = 3  # words of a value that a correction changes

_BEFORE = re.compile(
    r"(?:no|nope|yes|yeah|yep|ok|okay|hey|hi|hello|sorry|wait|please|pls)\s*[,.!]+\s*"
    r"|(?:actually|btw|fyi|by the way|for the record|just so you know)(?:\s*[,:!]+\s*|\s+)"
    r"|(?:please|pls|and|also)\s+"
    r"|(?:note|remember|keep in mind)(?: that\s+|\s*:\s*)"
)
_BEHIND = re.compile(r"(?:[\s,]+(?:please|pls|thanks|thank you|thx))+$")
_MY = re.compile(r"\bmy\b")
_SPACE = re.compile(r"\s+")
_STOPS, _ASKS, _TRAILS_OFF = (".", "!", "。", "！"), ("?", "？"), ("..", "…")
# What somebody says who takes a statement back, around the statement itself.
_TAKEN_BACK = re.compile(
    r"(?:forget|stop remembering|(?:remove|delete|erase|retire|forget) (?:the|this|your) (?:memory|note|entry|fact))"
    r"(?: that|:)? (?P<ordered>.+)"
    r"|(?:it is|it's) (?:wrong|no longer true|not true(?: any ?more)?) that (?P<denied>.+)"
    r"|(?P<judged>.+?),? (?:is|that is|that's) (?:wrong|outdated|obsolete|no longer true|not true(?: any ?more)?)"
)
_QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "`": None})

# A correction may have these beside the words of the entry and the new value, and no others: whoever reports, doubts,
# quotes or sets a condition needs one more.
_PLAIN = frozenset(
    "a an the this that our my we we're i it it's is are be been do has have now here today yesterday already since "
    "last week month year use uses using moved switched changed migrated going back over to in on at for with of from "
    "and but instead rather than longer".split()
)
_ASKED = frozenset("is are be do has have".split())  # how a question without its mark begins
_DENIES = frozenset("not never no don't dont isn't aren't instead rather".split())
_PIECES = re.compile(r"[,;:]|\s[–—-]\s|\s(?=(?:not|never|no|don't|dont|instead|rather|but|and)\s)")
_WORD = re.compile(r"[^\s,;:()\"]+")


def says(typed: str, statement: str) -> bool:
    """Is the statement one of the sentences that a person typed here?"""
    wanted = _bare(statement)
    return bool(wanted) and any(
        _bare(sentence) == wanted and not frame_of(sentence).asks for sentence in own_sentences(typed)
    )


def takes_back(typed: str, content: str, entry_id: str = "") -> bool:
    """Does a sentence typed here say, of what this entry says or of its id, that it should go or is wrong?"""
    wanted = {_bare(content), entry_id.casefold()} - {""}
    for sentence in own_sentences(typed):
        found = _TAKEN_BACK.fullmatch(_bare(sentence))
        if found and any(part and _bare(part.strip('" ')) in wanted for part in found.groups()):
            return True
    return False


def correction_of(typed: str, old: str, new: str) -> str:
    """The typed sentence that puts this new value in the place of the old one; empty when there is none.

    The new text is the old one with a few words in a row changed, and the sentence has, apart from plain words, only
    words of both: the new value, asserted, and the old value, denied, or what the old statement is about."""
    changed = _changed(_words(old), _words(new))
    if changed is None:
        return ""
    about, old_value, new_value = changed
    for sentence in own_sentences(typed):
        if _corrects(_bare(sentence), about, old_value, new_value) and not frame_of(sentence).asks:
            return sentence
    return ""


def own_sentences(typed: str) -> Iterator[str]:
    """What a person states in a message, sentence by sentence: no question, nothing quoted, pasted, announced or taken
    back."""
    found = list(sentences(typed))
    meant = meant_from(typed, found)
    is_text = sum(one.end - one.start for one in found) > TALK
    quotes = _Quotes(typed)
    for one in found:
        sentence = typed[one.start : one.end]
        if is_text and one.end > BEGINNING:
            return
        is_quoted = quotes.open_at(one.start)
        is_own = one.start >= meant and not one.asked and not is_quoted
        if is_own and len(sentence) <= LONGEST and _is_whole(typed, one):
            yield sentence
        if sentence.endswith((":", "：")) and _bare(sentence):
            return  # what follows is somebody's text


def _is_whole(typed: str, one: Sentence) -> bool:
    """Does the sentence begin and end by itself? A line may break anywhere, a point of a list hangs on what announces
    it, and what follows without a letter may be a remark about it."""
    before, after = typed[: one.start].rstrip(), typed[one.end :].lstrip()
    if one.listed or (before and not before.endswith(_STOPS + _ASKS)):
        return False
    sentence = typed[one.start : one.end]
    return not after or (after[0].isalnum() and sentence.endswith(_STOPS) and not sentence.endswith(_TRAILS_OFF))


class _Quotes:
    """Whether a quotation is open at a place; asked from the beginning to the end."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._straight = self._curly = 0

    def open_at(self, at: int) -> bool:
        passed = self._text[self._at : at]
        self._at = at
        self._straight += passed.count('"')
        self._curly += passed.count("“") + passed.count("«") - passed.count("”") - passed.count("»")
        return self._straight % 2 == 1 or self._curly > 0


def _bare(sentence: str) -> str:
    """A sentence without politeness, marks of code and its last stop, with "my" as it is told of the user."""
    bare = _SPACE.sub(" ", sentence.translate(_QUOTES)).strip().rstrip(".!。！… ").casefold()
    at = 0
    while polite := _BEFORE.match(bare, at):
        at = polite.end()
    return _MY.sub("the user's", _BEHIND.sub("", bare[at:])).rstrip(":")


def _words(text: str) -> list[str]:
    return [word.strip("'.!?") for word in _WORD.findall(_bare(text))]


def _changed(old: list[str], new: list[str]) -> tuple[set[str], list[str], list[str]] | None:
    """What two statements share, and the run of words that differs; None when more than a value does."""
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    before, after = old[start : len(old) - end], new[start : len(new) - end]
    if not before or not after or max(len(before), len(after)) > MOST_CHANGED or not _PLAIN.isdisjoint(after):
        return None
    if not _DENIES.isdisjoint(old + new):
        return None
    return {word for word in old[:start] + old[len(old) - end :] if word not in _PLAIN}, before, after


def _corrects(sentence: str, about: set[str], old_value: list[str], new_value: list[str]) -> bool:
    is_new = is_about = False
    if sentence.partition(" ")[0] in _ASKED:
        return False
    for piece in map(_words, _PIECES.split(sentence)):
        if not set(piece) <= _PLAIN | _DENIES | about | set(old_value) | set(new_value):
            return False
        has_new, has_old = _place(new_value, piece) >= 0, _place(old_value, piece) >= 0
        if _DENIES & set(piece) or _comes_from(old_value, piece):
            if not has_old or (has_new and _DENIES & set(piece)):
                return False
            is_about = True
        elif has_old or _comes_from(new_value, piece):
            return False
        is_about = is_about or (has_new and not about.isdisjoint(piece))
        is_new = is_new or has_new
    return is_new and is_about


def _comes_from(value: list[str], piece: list[str]) -> bool:
    at = _place(value, piece)
    return at > 0 and piece[at - 1] == "from"


def _place(value: list[str], piece: list[str]) -> int:
    """Where a value stands in a piece, or -1."""
    return next((at for at in range(len(piece)) if piece[at : at + len(value)] == value), -1)
