"""Whether a text tells its reader what to do. For what agents write: an order that somebody planted in a file must not
pass for knowledge.

Strict and simple: it is enough that one clause opens with a bare verb, speaks to the reader, or says please, always,
never, make sure or do not. A fact that is caught by mistake waits for a person; nothing is lost. No large pattern: a
hook looks at what it gives with this.
"""

from __future__ import annotations

from itertools import pairwise
from unicodedata import normalize

from recollect.text.language import grammar as g
from recollect.text.language import order_words as w
from recollect.text.patterns import lazy
from recollect.text.unseen import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LONGEST = 20_000  # characters; nothing longer is a fact, and nobody would find the order in it
STOP = "."
CODE = "\x01x"  # what cannot be seen was taken out before, so nobody else writes it

_CJK = lazy(f"{w.JAPANESE}|{w.CHINESE}|{w.KOREAN}")
# A letter of ours beside one that only looks like ours: nobody writes so but to hide a word.
_MIXED = lazy("[A-Za-z][\u0370-\u058f\u13a0-\u13ff]|[\u0370-\u058f\u13a0-\u13ff][A-Za-z]")
_SPELLED = lazy(r"(?<!\S)[A-Za-z](?: [A-Za-z]){2,}(?!\S)")
_GLUED = lazy(r"(?<=[a-z]{2})[.!?](?=[A-Z][a-z])|(?<=[A-Za-z]{2}),(?=[A-Za-z]{2})|\.\.+")
_REQUEST = lazy(r"\b(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) (?=/)")
_CODE = lazy(r"`+([^`\n]*)`+")
# A clause of its own begins behind each of these, and behind . ! ? : at the end of a word.
_BREAKS = str.maketrans(
    dict.fromkeys(';\r\t\v\f()[]{}<>«»‹›“”„"|•·…¿¡。！？；：、，「」『』–—→⇒`', "\n") | {"*": None, "_": " "}
)
_ENDINGS = (".", "!", "?", ":")
_EDGES = "'\".,:;!?*-"
_JOINS = frozenset("and or then but so plus also hence thus therefore".split())
# Before the verb of an order; none of them gives it a subject.
_SKIPPED = (
    g.FILLERS
    | w.READERS
    | frozenset("only ever immediately silently quietly carefully must should shall whenever dear hey".split())
    | frozenset("todo nb important warning note tip hint caution attention".split())
)
_PRESSING = frozenset(("always", "never"))
_LEADS = g.CONDITIONS | frozenset("for on in to during with at on upon as whenever by without every each".split())
_STOPS = frozenset(
    "it this they there we as that which who because since if when before after until unless while so to where".split()
)
_OBJECTS = g.DETERMINERS | frozenset("it them him her us me everything anything nothing".split())
_MADE = _OBJECTS | frozenset(("sure", "certain", "use"))  # "make test" is a command, and no order


def is_order(text: str) -> bool:
    """Does any clause of this text tell the reader what to do?"""
    if len(text) > LONGEST:
        return True
    plain = visible(text)
    if not plain.isascii():
        plain = normalize("NFKC", plain).replace("’", "'")
        if _CJK.search(plain) or _MIXED.search(plain):
            return True
    if plain.count("`") % 2:
        return True  # what is code here, and what is said, cannot be told
    if _SPELLED.search(plain):
        return True
    if _speaks(list(_spoken(plain))):
        return True
    return any(_commands(words, listed=listed) for words, listed in _clauses(plain))


def _spoken(text: str) -> Iterator[str]:
    for raw in text.translate(_BREAKS).casefold().split():
        yield raw.strip(_EDGES + "@")
        if raw.endswith(_ENDINGS):
            yield STOP


def _speaks(words: Sequence[str]) -> bool:
    """Is the reader spoken to, or told that something is their duty, anywhere?"""
    for at, word in enumerate(words):
        if word in w.SPOKEN_TO:
            return True
        ahead = words[at + 1 : at + 8]
        if word in w.READERS and (_is_duty(ahead[:5]) or _acts(ahead)):
            return True
        if word in w.DUTIES_OF_THINGS and "be" in ahead[:2] and not w.DONE.isdisjoint(ahead[:4]):
            return True
        if word in g.BE and ahead[:1] == ["to"] and not w.VERBS.isdisjoint(ahead[1:2]):
            return True
        if word in w.WEIGHTY and ahead[:1] in (["to"], ["that"]):
            return True
        if word in w.UNDOING and not w.UNDONE.isdisjoint(ahead):
            return True
        if word in w.PAIRS and not w.PAIRS[word].isdisjoint(ahead[:2]):
            return True
    return False


def _acts(ahead: Sequence[str]) -> bool:
    """The assistant always runs, the agent to run it, Claude run evil.sh: what stands behind whoever reads."""
    if ahead[:1] in (["always"], ["never"]) or (ahead[:1] == ["to"] and not w.VERBS.isdisjoint(ahead[1:2])):
        return True
    return len(ahead) > 1 and ahead[0] in w.VERBS and (ahead[1] in _OBJECTS or _is_name(ahead[1]))


def _is_duty(words: Sequence[str]) -> bool:
    for word, after in zip(words, [*words[1:], ""], strict=False):
        if word in w.DUTIES or (word in w.DUTIES_TO and after == "to") or (word in g.BE and after in w.BOUND):
            return True
    return False


def _clauses(text: str) -> Iterator[tuple[list[str], bool]]:
    """The words of each clause; `listed`: it follows a comma or an "and", where a list of verbs or nouns may go on."""
    text = _without_code(_REQUEST.sub(f" {CODE} ", text))
    text = _GLUED.sub(lambda found: f"{found[0]} ", text)
    for line in text.translate(_BREAKS).casefold().split("\n"):
        words: list[str] = []
        listed = led = False
        for raw in _split(line):
            word = raw.strip(_EDGES) or raw
            opens = raw[0] == "'" or not any(map(str.isalnum, raw))
            joins = word in _JOINS or (word in w.REPORTING and bool(words) and not led)
            if opens or joins:
                yield words, listed
                # "Before a release, run ...": no subject stands in front of the order.
                words, listed, led = [], joins and not led, led and joins
            if joins or (opens and raw[0] != "'"):
                continue
            led = led or (not words and not listed and word in _LEADS)
            # A flag keeps its dash.
            words.append(raw if raw[0] == "-" else word)
            if raw.endswith(_ENDINGS) or raw[-1] == "'":
                yield words, listed
                words, listed, led = [], False, False
            elif raw[-1] == ",":
                yield words, listed
                words, listed = [], not led
        yield words, listed


def _split(line: str) -> Iterator[str]:
    """The words of a line; what stands behind a slash is a word of its own, unless it is a path."""
    for raw in line.split():
        parts = raw.split("/")
        if len(parts) == 1 or not all(map(str.isalpha, parts)):
            yield raw
            continue
        for at, part in enumerate(parts):
            yield from (("or", part) if at else (part,))


def _without_code(text: str) -> str:
    """Code is a name, not a clause; a sentence in the dress of code is a sentence, and stands behind the others."""
    if "`" not in text:
        return text
    spans = _CODE.findall(text)
    dressed = [span for span in spans if span[:1].isupper() and " " in span and not span.split()[0].isupper()]
    return "\n".join([_CODE.sub(f" {CODE} ", text), *dressed])


def _commands(words: list[str], *, listed: bool) -> bool:
    pressed = False
    while words and (words[0] in _SKIPPED or words[0] in _PRESSING):
        pressed = pressed or words[0] in _PRESSING
        words = words[1:]
    if listed and words[:1] == ["to"]:  # it says to run it
        words = words[1:]
    if not words:
        return False
    verb, rest = words[0], words[1:]
    if not w.ELSEWHERE.isdisjoint(words[:3]) or verb in ("don't", "dont") or words[:2] == ["do", "not"]:
        return True
    if pressed:
        return verb in w.VERBS or not (listed or verb in g.BE)
    if verb in _LEADS and _is_pressed(words):
        return True
    if verb not in w.VERBS or not rest:
        return False
    if verb == "make":
        return rest[0] in _MADE
    if verb not in w.NOUNS or rest[0] in _OBJECTS or _is_name(rest[0]):
        return True
    return any(map(_is_name, rest[:4])) if listed else not _goes_on(rest)


def _is_pressed(words: list[str]) -> bool:
    """In this repository always run it: nothing in front could be the subject."""
    return any(word in _PRESSING and after in w.VERBS for word, after in pairwise(words))


def _goes_on(rest: list[str]) -> bool:
    """Test files live here, support for it was dropped: the first word was a noun."""
    for at, word in enumerate(rest[:7]):
        if word in w.FINITE:
            return True
        if at and word in _STOPS:
            return False
    return False


def _is_name(word: str) -> bool:
    """Code, a path, an address, a flag, a number."""
    return word[0] in "\x01-$/~@0123456789" or any(sign in word for sign in "/.=:@\\")
