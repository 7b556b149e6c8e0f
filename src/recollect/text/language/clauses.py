"""A sentence as clauses, each with its subject, its verb and the mood it is in. English; other languages pass as
fragments and say nothing.
"""

from __future__ import annotations

import re

from recollect.model.record import Record
from recollect.text.language import grammar as g
from recollect.text.language.sentences import CODE, LINK, NAME, QUOTE, Sentence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    Mood = Literal["order", "claim", "question", "fragment"]
    Tense = Literal["present", "past", "progressive", "perfect", "future", "base", ""]

_TOKEN = re.compile(r"[^\W\d_][\w'+#-]*|\x01+|\x02+|\x03+|\x04+|\d[\w.,:%]*|\.\.\.|[^\w\s]")
_BREAKS = frozenset(",;:()–—-…")
_SIGNS = {CODE: "code", LINK: "link", QUOTE: "quote", NAME: "name"}
_WORDS = frozenset(("word", "proper"))
_NAMED = frozenset(_SIGNS.values())
_ANAPHORS = frozenset("it that this they these those".split())
_SKIPPED = g.ADVERBS | {"please", "really", "kindly"}
_BARE_LIMIT = 9
_OPENING = g.CONJUNCTIONS - {"that", "which", "so", "and", "but"}
_DEFINITE = g.DETERMINERS - {"a", "an"}
_ONLY_DETERMINERS = g.DETERMINERS - {"this", "that", "all", "both"}
_AFTER_VERB = g.PREPOSITIONS | g.DETERMINERS
_FRONTED_PHRASES = "from now on|from here on|going forward|in the future|in future|next time|in general"
_FRONTED = tuple(tuple(phrase.split()) for phrase in _FRONTED_PHRASES.split("|"))
_REASONS = g.REASONS - {"so"}
_FINITE = g.AUXILIARIES | g.STATE_VERBS | g.MOVES | {"decided", "agreed"}


class Token(Record):
    """A word in lower case, or a sign for a name, with its place in the text."""

    word: str
    start: int
    end: int
    kind: str = "word"  # word | proper | code | name | link | quote | number | mark


class Clause(Record):
    """One subject with one verb, or an order."""

    tokens: tuple[Token, ...]
    lead: str  # the conjunction before it
    mood: Mood
    subject: str  # we | i | you | my | our | it | all | plural | the | name | there | other | ""
    verb: str
    tense: Tense
    negated: bool
    modal: str
    verb_at: int  # index of the verb in tokens, or of what "is" is followed by
    subject_end: int  # index of the first token behind the subject
    start: int
    end: int

    def words(self) -> list[str]:
        return [token.word for token in self.tokens]


def tokens_of(sentence: Sentence) -> list[Token]:
    """The words of a sentence; a contraction becomes two at the same place."""
    found: list[Token] = []
    offset = sentence.start
    drawn = sentence.shadow
    for match in _TOKEN.finditer(drawn.lower()):
        word = match[0]
        start, end = match.span()
        first = word[0]
        if first.isalpha():
            word = word.rstrip("'-") if word[-1] in "'-" else word
            if word in g.CONTRACTIONS:
                found.extend([Token(part, start + offset, end + offset) for part in g.CONTRACTIONS[word]])
            else:
                proper = start > 0 and drawn[start].isupper() and (end - start > 1)
                found.append(Token(word, start + offset, end + offset, "proper" if proper else "word"))
        else:
            kind = _SIGNS.get(first) or ("number" if first.isdigit() else "mark")
            found.append(Token(first if kind in _NAMED else word, start + offset, end + offset, kind))
    return found


def clauses(sentence: Sentence) -> list[Clause]:
    """The clauses of a sentence in order; what is no clause belongs to the one before it."""
    parts: list[tuple[str, int, list[Token]]] = []
    pending: list[Token] = []
    for lead, tokens in _segments(tokens_of(sentence)):
        opens = _opens(tokens)
        if not parts and not opens and lead not in g.CONDITIONS:
            pending += tokens
        elif parts and lead in ("", "and", "or", "that") and not opens:
            parts[-1][2].extend(tokens)
        else:
            parts.append((lead, len(pending), pending + tokens))
            pending = []
    if pending:
        parts.append(("", 0, pending))
    return [_clause(lead, before, tokens, sentence) for lead, before, tokens in parts if tokens]


def _segments(tokens: list[Token]) -> list[tuple[str, list[Token]]]:
    segments: list[tuple[str, list[Token]]] = []
    lead = ""
    current: list[Token] = []
    for index, token in enumerate(tokens):
        starts, conjunction = _starts(tokens, index)
        if not starts and lead in g.CONDITIONS and token.word in g.PLAIN_ORDERS:
            starts, conjunction = _ends_condition(current, tokens[index + 1 : index + 2]), ""
        if starts:
            if current:
                segments.append((lead, current))
            elif lead and not conjunction:
                conjunction = lead
            lead, current = conjunction, []
        if not (starts and (token.kind == "mark" or conjunction in (token.word, "so " + token.word))):
            current.append(token)
    if current:
        segments.append((lead, current))
    return segments


def _ends_condition(condition: list[Token], following: list[Token]) -> bool:
    """When you cite papers | use short names: an order right behind, where people leave out the comma."""
    first, last = condition[0].word if condition else "", condition[-1].word if condition else ""
    whole = (first in g.PRONOUNS and len(condition) > 2) or (first.endswith("ing") and len(condition) > 1)
    return whole and last not in _NO_ORDER and all(token.word not in ("case", "cases") for token in following)


def _starts(tokens: list[Token], index: int) -> tuple[bool, str]:
    """Whether a clause may start here, and with which conjunction."""
    token = tokens[index]
    if token.kind == "mark":
        hyphen = token.word == "-" and index and tokens[index - 1].end == token.start
        return token.word in _BREAKS and not hyphen, ""
    if index == 0:
        return token.word in _OPENING, token.word
    rest = tokens[index + 1 : index + 6]
    if token.word == "that" and tokens[index - 1].word == "so":
        return bool(rest) and rest[0].word in _AFTER_SO_THAT, "so that"
    if token.word in ("and", "or", "then", "so", "as", "since", "that", "before", "after", "where", "which", "given"):
        orders = token.word in ("and", "or", "then", "so") and _is_order(rest)
        return bool(rest) and (orders or _is_subject(rest)), token.word
    if token.word in g.CONJUNCTIONS:
        return True, token.word
    clear = token.word in ("i", "we", "you") and tokens[index - 1].word not in _TRANSPARENT
    return clear and _has_verb(tokens[index + 1 : index + 5]), ""


_NO_ORDER = g.AUXILIARIES | g.PREPOSITIONS | g.DETERMINERS | g.PRONOUNS | g.CONJUNCTIONS | g.ADVERBS
_AFTER_SO_THAT = g.PRONOUNS | g.DETERMINERS  # "so that name is right" speaks of that name
_NO_VERBS = g.PREPOSITIONS | g.DETERMINERS | g.CONJUNCTIONS
_TRANSPARENT = (
    g.CONJUNCTIONS
    | g.AUXILIARIES
    | g.WH
    | g.PREPOSITIONS
    | frozenset(
        "not n't let than way thing things one time case reason place what all everything anything something us for if"
        " thought think guess said say know hope believe wish sure told tell asked give gave show".split()
    )
)


def _has_verb(tokens: list[Token]) -> bool:
    for token in tokens:
        if token.word in _SKIPPED:
            continue
        return token.kind in _WORDS and (token.word == "like" or token.word not in _NO_VERBS)
    return False


def _is_subject(tokens: list[Token]) -> bool:
    first = tokens[0]
    if first.word in "i we you they there everything anything nobody he she every each".split():
        return True
    if first.word in _ANAPHORS and len(tokens) > 1 and tokens[1].word.endswith("s"):
        return True
    if first.word in _ANAPHORS or first.word in g.DETERMINERS or first.kind in ("name", "code"):
        return any(token.word in g.AUXILIARIES or token.word in g.STATE_VERBS for token in tokens[1:])
    return len(tokens) > 1 and tokens[1].word in g.BE


def _is_order(tokens: list[Token]) -> bool:
    for index, token in enumerate(tokens):
        if token.word in g.FILLERS or token.word in ("always", "never", "ever"):
            continue
        following = [other.word for other in tokens[index + 1 : index + 4]]
        if token.word == "do" and following[:1] == ["not"]:
            return True
        return _orders(token) and following[:1] != ["of"] and not _heads(following)
    return False


def _orders(token: Token) -> bool:
    """A verb that can give an order, also as the last part of one: "force-push"."""
    first, _, last = token.word.rpartition("-")
    return last in g.ORDERS and (bool(first) or token.kind in _WORDS)


def _heads(following: list[str]) -> bool:
    """What looks like an order is the first word of a subject: "commit messages should", "test is"."""
    for word in following:
        if word in g.MODALS or word in ("is", "are", "was", "were", "has", "needs"):
            return True
        if word in g.DETERMINERS or word in g.PREPOSITIONS or word in g.PRONOUNS:
            return False
    return False


def _opens(tokens: list[Token]) -> bool:
    bare = _bare(tokens)
    return bool(bare) and (_inverts(bare) or _is_order(tokens) or _subject(bare)[0] != "")


def _inverts(bare: list[Token]) -> bool:
    """Can you, do we, is the: an auxiliary before its subject."""
    if len(bare) < 2 or bare[0].word not in g.INVERTED:
        return False
    second = bare[1].word
    if bare[0].word not in ("do", "have", "may", "am"):
        return second not in ("be", "not")
    return second in g.PRONOUNS or second in _DEFINITE or bare[1].kind in ("name", "code")


def _bare(tokens: list[Token]) -> list[Token]:
    index = 0
    while index < len(tokens) and (tokens[index].word in g.FILLERS or tokens[index].kind == "mark"):
        if [token.word for token in tokens[index : index + 2]] == ["next", "time"]:
            break
        index += 1
    words = [token.word for token in tokens[index : index + 4]]
    fronted = next((len(phrase) for phrase in _FRONTED if tuple(words[: len(phrase)]) == phrase), 0)
    if not fronted and len(words) == 4 and words[0] in ("in", "for", "across") and words[1] in ("this", "our"):
        fronted = 3 * (words[2] in g.PROJECT)
    if len(tokens) > index + fronted:
        index += fronted
    return tokens[index:] or tokens


def _subject(tokens: list[Token]) -> tuple[str, int]:
    """The class of the subject, and the index of the first word of the verb; "" and -1 without a finite verb."""
    if not tokens:
        return "", -1
    first = tokens[0].word
    if first in ("i", "we", "you", "they", "there"):
        return (first, 1) if _has_verb(tokens[1:6]) else ("", -1)
    if first in g.PREPOSITIONS or first in g.WH:
        return "", -1
    at = _finite(tokens)
    if at <= 0:
        return "", -1
    return _subject_class(tokens[:at]), at


def _finite(tokens: list[Token]) -> int:
    for index, token in enumerate(tokens[: _BARE_LIMIT + 1]):
        if token.kind == "mark" and token.word not in ("'", '"', "/", "&", "@"):
            return -1
        if index and token.kind in _WORDS and (token.word in _FINITE):
            previous = tokens[index - 1].word
            if previous not in _ONLY_DETERMINERS and previous not in ("to", "for") and not _is_noun(tokens, index):
                return index
        if index and token.word in g.FREQUENCY and tokens[index - 1].kind != "mark":
            return index
        if index > 1 and _is_third_person(tokens, index):
            return index
    return -1


def _is_noun(tokens: list[Token], index: int) -> bool:
    """The deploy target is: what stands right before `is` is a noun, even where it could be a verb."""
    before_be = any(token.word in ("is", "are", "was", "were") for token in tokens[index + 1 : index + 2])
    return before_be and tokens[index].word not in g.AUXILIARIES


def _is_third_person(tokens: list[Token], index: int) -> bool:
    """The -s of "the worker reads from": behind a noun in the singular and before what a verb takes."""
    word, previous = tokens[index].word, tokens[index - 1]
    if tokens[index].kind not in _WORDS or not word.endswith("s") or word.endswith(("ss", "us", "is", "'s")):
        return False
    follows = any(token.kind == "link" for token in tokens[index + 2 : index + 3])
    if previous.kind not in _WORDS or previous.word in g.DETERMINERS or (previous.word.endswith("s") and not follows):
        return False
    if previous.word in g.ADVERBS and index > 2:
        return True
    return any(token.word in _AFTER_VERB or token.kind in ("name", "code") for token in tokens[index + 1 : index + 2])


def _subject_class(tokens: list[Token]) -> str:
    first = tokens[0].word
    if first in _ANAPHORS and len([token for token in tokens if token.word not in g.ADVERBS]) == 1:
        return "it"
    if first in g.UNIVERSALS:
        return "all"
    if first in ("my", "our"):
        return first
    if first in ("the", "this", "that", "these", "those", "your", "a", "an", "its", "their"):
        return "the"
    heads = [token for token in tokens if token.kind in _WORDS and token.word not in g.ADVERBS]
    if heads and heads[-1].word.endswith("s") and not heads[-1].word.endswith(("ss", "us", "is")):
        return "plural"
    if any(token.kind in ("name", "code") for token in tokens):
        return "name"
    return "other"


def _clause(lead: str, before: int, tokens: list[Token], sentence: Sentence) -> Clause:
    start, end = tokens[0].start, tokens[-1].end
    bare = _bare(tokens[before:])
    offset = len(tokens) - len(bare)
    if _asks(bare, lead, sentence):
        return Clause(tuple(tokens), lead, "question", "", "", "", False, "", -1, offset, start, end)
    if _is_order(bare) and not _drops_subject(bare):
        at = next(i for i, token in enumerate(bare) if _orders(token) or token.word == "do")
        negated = bare[at].word == "do" and at + 1 < len(bare) and bare[at + 1].word == "not"
        at = min(at + 2 * negated, len(bare) - 1)
        negated = negated or "never" in [token.word for token in bare[: at + 1]]
        place = at + offset
        return Clause(tuple(tokens), lead, "order", "", bare[at].word, "base", negated, "", place, offset, start, end)
    subject, at = ("i", 0) if _drops_subject(bare) else _subject(bare)
    if not subject:
        return Clause(tuple(tokens), lead, "fragment", "", "", "", False, "", -1, offset, start, end)
    verb, tense, negated, modal, place = _verb(bare, at)
    places = (place + offset, at + offset)
    return Clause(tuple(tokens), lead, "claim", subject, verb, tense, negated, modal, *places, start, end)


def _asks(bare: list[Token], lead: str, sentence: Sentence) -> bool:
    first = bare[0].word
    if lead in _REASONS:
        return False
    if first in g.WH and lead == "" and first not in ("when", "where"):
        return True
    if _inverts(bare):
        return True
    return sentence.asked and bare[-1].end >= sentence.end - 3


def _drops_subject(bare: list[Token]) -> bool:
    """ "don't want", "don't have": the writer left out the "I"."""
    words = [token.word for token in bare[:3]]
    return words[:2] == ["do", "not"] and words[-1] in ("want", "like", "have", "think", "know", "understand", "mind")


def _verb(bare: list[Token], at: int) -> tuple[str, Tense, bool, str, int]:
    """The main verb behind the subject, with its tense, its negation and its modal."""
    modal = auxiliary = ""
    tense: Tense = ""
    negated = False
    index = at
    while index < len(bare):
        word = bare[index].word
        following = bare[index + 1].word if index + 1 < len(bare) else ""
        if word in ("not", "never", "no"):
            negated = True
        elif word in g.MODALS:
            modal, tense = word, "future" if word in ("will", "would") else "present"
        elif word in ("need", "needs", "have", "has", "supposed", "going", "ought") and following == "to":
            modal, auxiliary = "will" if word == "going" else "must", ""
            index += 1
        elif word in g.BE or word in ("do", "does", "did", "have", "has", "had"):
            tense = ("past" if auxiliary == "had" else "perfect") if word == "been" and auxiliary else tense
            auxiliary = word
        elif word not in _SKIPPED:
            break
        index += 1
    index = min(index, len(bare) - 1)
    frequent = any(token.word in g.FREQUENCY for token in bare[at:index])
    verb = bare[index].word
    done = verb.endswith(("ed", "ing", "en")) or verb in g.STATES or verb in g.PAST
    if auxiliary in g.BE and (not done or bare[index - 1].word == "no"):
        return "be", tense or _tense(bare[at], auxiliary, frequent=True), negated, modal, index
    if auxiliary in ("have", "has") and not (verb.endswith(("ed", "en", "wn", "one")) or verb in g.PAST):
        verb = "have"
    return verb, tense or _tense(bare[index], auxiliary, frequent=frequent), negated, modal, index


def _tense(verb: Token, auxiliary: str, *, frequent: bool) -> Tense:
    word = verb.word
    if auxiliary in ("was", "were", "did", "had") or (
        not auxiliary and (word in g.PAST or (word.endswith("ed") and word != "need"))
    ):
        return "past"
    if auxiliary in ("have", "has") and (word in g.PAST or word.endswith(("ed", "en", "wn", "one"))):
        return "perfect"
    if auxiliary in g.BE and word.endswith("ing") and not frequent:
        return "progressive"
    return "present"
