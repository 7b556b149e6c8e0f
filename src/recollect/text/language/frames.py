"""A statement read into a frame: its content words in order, each asserted or denied, split at the verb."""

from __future__ import annotations

from functools import lru_cache

from recollect.model.record import Record
from recollect.text.language import lexicon
from recollect.text.similarity import SEPARATORS, Word, plain_words, root, spelled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# Base forms by what they tell: a choice, ordinary work, a task of one person, a place, one of several, anything else.
_KINDS = {
    "work": "run deploy host install format lint indent build bundle test write log speak reply respond communicate "
    "edit cache compile track release merge style name listen start serve keep set configure expire commit push",
    "hold": "approve own lead manage chair head",
    "place": "live locate reside store work_at base",
    "need": "need require",
    "several": "support include contain provide offer integrate allow enable know mention see read check",
    "other": "return take accept expect call depend import extend pass fail handle send create generate produce work "
    "wrap throw raise review close open load parse validate fix touch add remove update document ask catch mock "
    "maintain expose print show happen go cover",
    "choose": "use prefer choose pick adopt want like switch migrate move standardize stick rely love enjoy follow",
}
VERBS = {root(verb): kind for kind, verbs in _KINDS.items() for verb in verbs.split()}
_BASE_FORMS = frozenset(verb for verbs in _KINDS.values() for verb in verbs.split())
# Verbs that only say that there is such a thing, and verbs that say where it is.
_LIGHT = frozenset("happen happens happened occur occurs".split())
_PLACED = frozenset(map(root, "live locate reside store".split()))
_NOUNISH = frozenset(
    root(verb)
    for verb in (
        "test build deploy commit release log name cache host style format lint bundle edit merge review call import "
        "document"
    ).split()
)
PREPOSITIONS = frozenset("to in on at for with by via of as into from when if because before after".split())
_FRONTED = frozenset("before after when if for in on during while".split())
_DETERMINERS = frozenset("a an the this that these those our my your its their his her no".split())
_GRAMMAR = (
    lexicon.STOP
    | lexicon.PAST
    | lexicon.FUTURE
    | frozenset("we i us it they me my our topic but because since instead_of".split())
)
_AFTER_OWNER = _GRAMMAR | lexicon.MODAL | lexicon.NEGATIONS | lexicon.BE
_ANTONYM_BASES = frozenset(lexicon.ANTONYMS.values())
_INTERJECTIONS = frozenset("no nope nah yes yeah ok okay well sorry wait".split())
_ASKING = frozenset("what how why who where which when whose".split())
_ASKED = frozenset("is are do does did should can could would will was were has have".split())
_ASIDES = frozenset("we i you the this it there they our my".split())

# How an order or a claim about oneself is kept; what follows is what was typed.
WANTS = "The user wants this: "
SAYS = "The user says: "


class Item(Record):
    """A content word: its key, +1 asserted or -1 denied, and where it stands."""

    key: str
    sign: int
    raw: str
    alternative: str  # its name in the lexicon, "" if it has none
    hard: bool  # a name, number, version, path, identifier or lexicon alternative: never merely worded differently
    code: bool
    after: bool  # behind the verb
    lead: str  # the word right before it
    antonym: bool


class Frame(Record):
    """What a statement asserts and denies, of whom, and how surely."""

    items: tuple[Item, ...]
    signs: dict[str, int]  # 0: asserted and denied
    verb: str  # a key of _KINDS, be, or none
    owner: str  # user, project, or "" for an order
    tense: str
    many: bool
    hedged: bool
    asks: bool
    contrast: bool
    singular: bool
    definite: bool  # the verb is followed by "the"
    reason: frozenset[str]
    subject: tuple[str, ...]


@lru_cache(maxsize=512)
def frame_of(text: str) -> Frame:
    """Read a statement once; the write flow compares it with many."""
    words = _set_against(_rotated(_joined(spelled(bare(text)))))
    verb, kind = _verb(words)
    signs, contrast = _signs(words)
    said = [word.word for word in words if not word.code]
    cut = next((i for i, word in enumerate(words) if word.word in ("because", "since") and i > verb), len(words))
    passive = kind == "choose" and verb > 0 and words[verb - 1].word in lexicon.BE
    items = list(_items(words, signs, verb, passive))
    kept = tuple(item for at, item in items if at < cut)
    held: dict[str, int] = {}
    for item in kept:
        held[item.key] = item.sign if held.get(item.key, item.sign) == item.sign else 0
    after = words[verb + 1].word if 0 <= verb < len(words) - 1 else ""
    until_verb = said[: verb + 1]
    return Frame(
        items=kept,
        signs=held,
        verb=kind,
        owner=_owner(words, verb),
        tense="past" if lexicon.PAST.intersection(said) else "future" if lexicon.FUTURE.intersection(said) else "",
        many=not lexicon.MANY.isdisjoint(said),
        hedged=not lexicon.HEDGES.isdisjoint(said),
        asks=is_question(text),
        contrast=contrast,
        singular=not {"are", "were"}.intersection(until_verb) and (verb < 0 or words[verb].raw.endswith(("s", "d"))),
        definite=after in ("the", "our"),
        reason=frozenset(item.key for at, item in items if at >= cut),
        subject=tuple(item.raw for item in kept if not item.after and item.raw),
    )


def _joined(words: list[Word]) -> list[Word]:
    """Phrases that act as one word, made one."""
    joined: list[Word] = []
    at = 0
    while at < len(words):
        for size in (3, 2):
            part = words[at : at + size]
            phrase = " ".join([word.raw for word in part]).casefold()
            if len(part) == size and (phrase in lexicon.PHRASES or phrase in lexicon.PHRASE_WORDS):
                word = lexicon.PHRASE_WORDS.get(phrase, phrase)
                if word == "used_to" and joined and joined[-1].word in lexicon.BE:
                    word = "used"
                joined.append(Word(" ".join([word.raw for word in part]), word, part[0].code))
                at += size
                break
        else:
            joined.append(words[at])
            at += 1
    return joined


def _rotated(words: list[Word]) -> list[Word]:
    """ "Before committing, run ruff" in the order of "Run ruff before committing"."""
    if len(words) > 2 and words[1].word == ":" and words[0].word in ("note", "remember", "important", "fyi", "tip"):
        words = words[2:]
    at = 0
    while len(words) - at > 2 and words[at].word in _INTERJECTIONS and words[at + 1].word in SEPARATORS:
        at += 2
    words = words[at:]
    if words and words[0].word in _FRONTED:
        comma = next((at for at, word in enumerate(words[:9]) if word.word == ","), 0)
        if 1 < comma < len(words) - 1:
            rest = words[comma + 1 :]
            ends = rest[-1].word in SEPARATORS
            return rest[: len(rest) - ends] + words[:comma]
    return words


def bare(text: str) -> str:
    """What is said, without the words that only tell whose wish or claim it is."""
    for opening in (WANTS, SAYS):
        if text.startswith(opening):
            return text[len(opening) :].strip('"')
    return text


def _set_against(words: list[Word]) -> list[Word]:
    """ "To Render, not to Fly.io anymore" as "to Render, not Fly.io": what is denied is the thing, not a movement."""
    kept: list[Word] = []
    denied = False
    for at, word in enumerate(words):
        before = [one.word for one in words[max(0, at - 2) : at]]
        again = before == [",", "not"] and word.word in PREPOSITIONS
        if not again and not (word.word in ("anymore", "any_more") and denied):
            kept.append(word)
            denied = denied or word.word == "not"
    return kept


def _verb(words: list[Word]) -> tuple[int, str]:
    """Where the verb stands and what kind it is; (-1, "none") for a fragment."""
    weak = -1
    opening = True
    for at, (_, word, code) in enumerate(words):
        kind = "" if code else VERBS.get(root(word), "")
        if word == "topic" or (not code and not opening and word in lexicon.BE and _links(words, at)):
            return _main(words, at, "be")
        if not opening and not code and word in lexicon.MODAL:
            return _main(words, at, "other")
        if kind == "choose":
            return (0 if _is_final(words, at) else at), kind
        if weak >= 0 and (word in PREPOSITIONS or word in SEPARATORS or word in ("that", "which", "who", "what")):
            break
        if kind and weak < 0 and (not opening or word in _BASE_FORMS) and not _is_noun(words, at):
            weak = at
        opening = opening and (word in lexicon.STOP or word in lexicon.NEGATIONS or word in lexicon.MODAL)
    if weak >= 0:
        return (0 if _is_final(words, weak) else weak), VERBS[root(words[weak].word)]
    names = next((at for at, word in enumerate(words) if not (word.code or word.raw[:1].isupper())), 0)
    named = names > 1 or (names and words[0].code)
    return (names, "other") if named and words[names].raw.endswith("s") else (-1, "none")


def _is_noun(words: list[Word], at: int) -> bool:
    """A word that could be the verb but is not: "the build", "unit tests live", "测试环境"."""
    if at and words[at - 1].word in _DETERMINERS:
        return True
    key, follows = root(words[at].word), words[at + 1].word if at + 1 < len(words) else ""
    if key not in _NOUNISH:
        return False
    if words[at].raw[:1] > "\u2e7f":
        return follows not in ("in", "to") and not _is_final(words, at)
    return root(follows) in VERBS and root(follows) not in _NOUNISH


def _is_final(words: list[Word], at: int) -> bool:
    """A verb of Japanese or Korean, whose objects stand before it."""
    return words[at].raw[:1] > "\u2e7f" and all(word.word in _GRAMMAR or word.word in "." for word in words[at + 1 :])


def _links(words: list[Word], at: int) -> bool:
    """A colon is a verb only in "Port: 3000", not before an order."""
    if words[at].word != ":":
        return True
    return at < 6 and at + 1 < len(words) and words[at + 1].word not in _BASE_FORMS


def _main(words: list[Word], at: int, kind: str) -> tuple[int, str]:
    """The verb that an auxiliary or a topic belongs to."""
    topic = words[at].word == "topic"
    for next_at in range(at + 1, len(words) if topic else min(at + 5, len(words))):
        word = words[next_at].word
        found = VERBS.get(root(word), "")
        if found and not words[next_at].code and (kind == "other" or topic or word not in _BASE_FORMS or word == "run"):
            return at if topic else next_at, found
        if word in lexicon.BE:
            at, kind = next_at, "be"
        elif not topic and word not in lexicon.STOP and word not in lexicon.NEGATIONS:
            break
    return at, kind


def _signs(words: list[Word]) -> tuple[list[int], bool]:
    """For each word +1 or -1, 0 for what denies, and whether one thing is set against another."""
    signs = [1] * len(words)
    denied = chunk = seen = contrast = switched = False
    start = 0
    for at, (_, word, code) in enumerate(words):
        before = words[at - 1].word if at else ","
        follows = words[at + 1].word if at + 1 < len(words) else ""
        clause = word in ".;!?()" or word == "but" or (word in (",", "and", ":") and _opens_clause(follows))
        if word == "topic":
            start = at + 1
        elif code:
            signs[at] = -1 if denied else 1
            seen = True
        elif clause:
            _deny_back(signs, start, at, denied and not seen and not chunk)
            denied, chunk, start = False, False, at + 1
        elif word in ("not_before", "not_chunk"):
            first = start if word == "not_before" else max(start, at - 2)
            _deny_back(signs, first, at, True)
            contrast = contrast or word == "not_chunk"
            start = at + 1
        elif word in lexicon.NEGATIONS or (word in ("from", "over") and switched):
            signs[at] = 0
            apart = before in SEPARATORS or before in ("and", "but")
            chunk = word in lexicon.CONTRASTS or (apart and at > 0 and follows not in _BASE_FORMS)
            denied, seen, contrast = not (denied and not chunk), False, contrast or chunk
        elif chunk and (word in SEPARATORS or word in PREPOSITIONS):
            denied = chunk = False
        elif denied:
            signs[at] = -1
            seen = seen or word not in lexicon.STOP
        switched = switched or root(word) in ("switch", "migrat", "mov", "prefer", "choos", "pick")
    _deny_back(signs, start, len(words), denied and not seen and not chunk)
    return signs, contrast


def _opens_clause(word: str) -> bool:
    return word in _BASE_FORMS or word in ("we", "i", "it", "they", "do", "never", "always", "please")


def _deny_back(signs: list[int], start: int, end: int, applies: bool) -> None:
    if applies:
        for at in range(start, end):
            signs[at] = -signs[at]


def _owner(words: list[Word], verb: int) -> str:
    for at, (_, word, code) in enumerate(words[: max(verb, 2)]):
        known = "user" if word in lexicon.USER else "project" if word in lexicon.PROJECT and word != "this" else ""
        if known and not code and _is_grammar(words, at, verb):
            return known
    return ""


def _items(words: list[Word], signs: list[int], verb: int, passive: bool) -> Iterator[tuple[int, Item]]:
    lead = following = ""  # the word before this one, articles apart
    for at, (raw, word, code) in enumerate(words):
        lead, following = following, following if word in _DETERMINERS else word
        if not code and (signs[at] == 0 or _is_grammar(words, at, verb)):
            continue
        alternative = lexicon.canonical(raw) or (lexicon.canonical(word) if word != raw.casefold() else "")
        turned = lexicon.ANTONYMS.get(word, "")
        yield (
            at,
            Item(
                alternative or ("live" if at == verb and root(word) in _PLACED else root(turned or word)),
                -signs[at] if turned and not alternative else signs[at],
                raw,
                alternative,
                code or alternative != "" or _looks_hard(raw, at),
                code,
                at >= verb or passive,
                lead,
                turned != "" or word in _ANTONYM_BASES,
            ),
        )


def _is_grammar(words: list[Word], at: int, verb: int) -> bool:
    word = words[at].word
    if word in _GRAMMAR or word in SEPARATORS or word in lexicon.MANY or word in lexicon.HEDGES or word in _LIGHT:
        return True
    if word in lexicon.BE or word in lexicon.MODAL or word in lexicon.NEGATIONS or VERBS.get(root(word)) == "choose":
        return True
    if word in ("repository", "project", "codebase") and at and words[at - 1].word in ("this", "our"):
        return at > verb or at + 1 >= len(words) or at + 1 >= verb or words[at + 1].word in PREPOSITIONS
    owner = word in lexicon.PROJECT or word in lexicon.USER
    first = at == 0 or words[at - 1].word in _GRAMMAR or words[at - 1].word in SEPARATORS
    return owner and first and at < verb and (at + 1 == verb or words[at + 1].word in _AFTER_OWNER)


def _looks_hard(raw: str, at: int) -> bool:
    if not raw.isalpha():
        return raw != ""
    if raw[0] > "\u2e7f":
        return len(raw) > 1
    return (at > 0 and raw[0].isupper()) or not (raw.islower() or raw.istitle())


def is_question(text: str) -> bool:
    """It asks and states nothing."""
    stripped = text.rstrip(" \"'`)」』”。.")
    if stripped.endswith(("?", "？", "吗", "ですか", "ますか", "でしょうか", "嗎", "؟")):
        return True
    first, second = [*plain_words(text[:80])[:2], "", ""][:2]
    return (first in _ASKING and second in _ASKED) or (first in _ASKED and second in _ASIDES)
