"""Text as index terms: Unicode words, identifiers whole and in parts, CJK as bigrams, names as one token."""

from __future__ import annotations

from functools import lru_cache

from recollect.text.language.commonwords import COMMON_STEMS
from recollect.text.language.spellings import LONG_FORMS, PRODUCTS
from recollect.text.language.stems import singular, stem
from recollect.text.language.stopwords import STOPWORDS
from recollect.text.patterns import compiled, lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

# A word and what may join it to the next: `node.js`, `src/app/main.py`, `user_id`, `c++`, `feature-flag`, `#123`.
_WORD = compiled(r"[^\W_]\w*(?:[./:@'+#-]\w+)*(?:\+\+|#)?")
_SEPARATORS = compiled(r"[\W_]+")
_HUMPS = lazy(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\dA-Za-z_]+")
# Scripts written without spaces: kana, Han, Hangul, Thai, Lao, Khmer, Burmese.
_UNSPACED = lazy("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]+")

LONGEST_TERM = 80
LONGEST_PATH = 250
QUERY_CHARACTERS = 16_000
NAME_WORDS = 5
INITIALS = range(3, 6)  # so many words are known by their first letters
NAME_MARK = "="
NAME_HEAD = 7  # the mark of a name and its first letters
TOPIC_MARK = "#"

_CACHE_SIZE = 100_000
_LONGEST_CACHED = 40


class _Pieces(dict[str, str]):
    """What was between two spaces, as its terms with spaces between; most of a text has been met before."""

    def __missing__(self, piece: str) -> str:
        words = [piece] if piece.isascii() and piece.isalpha() else _WORD.findall(piece)
        found = " ".join([term for word in words for term in _analyse(word)])
        if len(piece) <= _LONGEST_CACHED:
            if len(self) >= _CACHE_SIZE:
                self.clear()
            self[piece] = found
        return found


_pieces = _Pieces()


def analysed(text: str) -> str:
    """Every index term of the text, in order, repeats included, with a space between."""
    return " ".join(filter(None, map(_pieces.__getitem__, text.split())))


def terms(text: str) -> list[str]:
    """Every index term of the text, in order, repeats included."""
    return analysed(text).split()


def query_terms(text: str) -> list[str]:
    """The different terms of a query, in order of appearance; of a very long text, those of its two ends."""
    return list(dict.fromkeys(terms(shorten(text))))


def as_typed(text: str, wanted: AbstractSet[str]) -> dict[str, str]:
    """The words of a query that have these terms, as they were typed; a pair of unspaced characters is its own word."""
    found: dict[str, str] = {}
    for piece in shorten(text).split():
        inside = _pieces[piece]
        if piece.isascii() and piece.isalpha() and " " not in inside:
            if inside in wanted:
                found.setdefault(inside, piece)
            continue
        for word in _WORD.findall(piece) if not wanted.isdisjoint(inside.split()) else ():
            for term in _pieces[word].split():
                if term in wanted:
                    unspaced = not term.isascii() and _UNSPACED.search(term)
                    found.setdefault(term, term if unspaced else word)
        if len(found) == len(wanted):
            break
    return found


def compounds_in(text: str) -> dict[str, tuple[str, ...]]:
    """The identifiers and paths of a text as terms, each with the terms inside it."""
    found: dict[str, tuple[str, ...]] = {}
    for word in _WORD.findall(shorten(text)):
        if word.isalpha() and (word.islower() or word[1:].islower()):
            continue
        whole, *parts = terms(word) or [""]
        if parts and (word.isascii() or not _UNSPACED.search(word)):
            found[whole] = tuple(parts)
    return found


def shorten(text: str) -> str:
    """A query no longer than is worth reading: beginning and end, where people ask."""
    if len(text) <= QUERY_CHARACTERS:
        return text
    return text[: QUERY_CHARACTERS // 2] + "\n" + text[-QUERY_CHARACTERS // 2 :]


@lru_cache(maxsize=4_000)
def name_token(name: str) -> str:
    """A subject or alias as one index token: `dead letter queue`, `DeadLetterQueue` and `dead_letter_queues` agree."""
    words = [singular(word) for word in _words(name)]
    joined = "".join(words)
    if not joined or len(joined) > LONGEST_TERM or all(word in STOPWORDS for word in words):
        return ""
    return NAME_MARK + joined


def other_name_tokens(subject: str) -> list[str]:
    """What else something of this name is called: its long form, and the initials of three words or more."""
    words = _words(subject)
    found = [name_token(" ".join([LONG_FORMS.get(word, word) for word in words]))]
    if len(words) in INITIALS and "".join(words).isalpha():
        found.append(NAME_MARK + "".join([word[0] for word in words]))
    return [token for token in found if token]


def subject_token(subject: str, content: str) -> str:
    """The index token of a subject: a name, or only a topic where it is one common word taken from the statement.

    "Users install it with pip" is about users, and nobody who says `user` means this entry."""
    topic = topic_token(subject)
    if topic:
        # Imported here: a recall asks for no subject.
        from recollect.text.subjects import guessed_subject

        if subject == guessed_subject(content):
            return topic
    return name_token(subject)


def topic_token(word: str) -> str:
    """The token of a topic, if the word is a common one: it counts as far as a query is about nothing else."""
    term = _stemmed(word.casefold())
    return TOPIC_MARK + term if term in COMMON_STEMS else ""


def names_in(text: str, heads: AbstractSet[str] | None = None, *, limit_words: int = 240) -> dict[str, tuple[str, ...]]:
    """Every name token that occurs whole in the text, for runs of up to five words, with the terms it consists of; of
    more than one word only those that begin with one of these heads, if there are any given."""
    words = _words(shorten(text))
    if len(words) > limit_words:
        words = words[: limit_words // 2] + words[-limit_words // 2 :]
    known = list(map(_as_name, words))
    # What is one word somewhere is that, whatever its letters are elsewhere.
    found = {token: stems for token, stems, is_stop in known if not is_stop and len(token) <= LONGEST_TERM}
    for word in words:
        if word in LONG_FORMS:
            found.setdefault(NAME_MARK + LONG_FORMS[word], _as_name(LONG_FORMS[word])[1])
    for start, (token, stems, is_stop) in enumerate(known):
        rest = known[start + 1 : start + NAME_WORDS]
        if is_stop or not rest:
            continue
        if heads is not None:
            # How every longer name would begin.
            head = (token + rest[0][0][1:])[:NAME_HEAD]
            if len(head) == NAME_HEAD and head not in heads:
                continue
        for next_token, next_stems, is_stop in rest:
            token += next_token[1:]
            stems += next_stems
            if heads is not None and len(token) >= NAME_HEAD and token[:NAME_HEAD] not in heads:
                break  # it began too short to tell
            if token not in found and not is_stop and len(token) <= LONGEST_TERM:
                found[token] = stems
    return found


@lru_cache(maxsize=10_000)
def _as_name(word: str) -> tuple[str, tuple[str, ...], bool]:
    """One word of a name: the name token that it is alone, its term, and whether it is a stop word."""
    return NAME_MARK + singular(word), (_stemmed(word),), word in STOPWORDS


def _words(text: str) -> list[str]:
    return [word for word in _SEPARATORS.split(fold(text)) if word]


def fold(text: str) -> str:
    """Lower case without accents; compatibility forms unified."""
    return text.lower() if text.isascii() else _without_accents(text).casefold()


def _without_accents(text: str) -> str:
    if text.isascii():
        return text
    from unicodedata import combining, normalize

    from recollect.text.lookalikes import unmixed

    # The kana voicing marks are letters, not accents.
    kept = [mark for mark in normalize("NFKD", unmixed(text)) if not combining(mark) or mark in "\u3099\u309a"]
    return normalize("NFC", "".join(kept))


def _analyse(word: str) -> tuple[str, ...]:
    plain = _without_accents(word)
    folded = plain.casefold()
    if folded.isascii() and len(folded) <= LONGEST_TERM and _is_plain(plain):
        if folded in LONG_FORMS:
            return (stem(folded), stem(LONG_FORMS[folded]))
        return () if folded in STOPWORDS else (stem(folded),)
    if len(folded) > LONGEST_TERM:
        # A long path is known by its folders; what has neither folders nor end is no word.
        return tuple(_parts(plain)) if "/" in plain and len(folded) <= LONGEST_PATH else ()
    if not folded.isascii() and _UNSPACED.search(folded):
        return _bigrams(plain)
    if folded in STOPWORDS:
        return ()
    if folded in PRODUCTS:
        return (stem(folded),)
    parts = _parts(plain)
    if folded in LONG_FORMS:
        return (folded, stem(LONG_FORMS[folded]))
    if folded.isalpha():
        return (_stemmed(folded), *parts) if len(parts) > 1 else (_stemmed(folded),)
    if "'" in folded and len(parts) <= 1:
        return tuple(parts)
    return (folded, *parts)


def _stemmed(word: str) -> str:
    return stem(word) if word.isascii() and word.isalpha() else word


def _parts(word: str) -> list[str]:
    """The words inside an identifier or a path, stemmed, and those with humps whole as well: `acme.OrderService` is
    found by `OrderService`. Stop words, numbers and single letters are dropped."""
    if _is_plain(word):
        pieces = [word]  # what the patterns would find, without asking them
    else:
        pieces = []
        for piece in _SEPARATORS.split(word):
            humps = [piece] if _is_plain(piece) else _HUMPS.findall(piece)
            pieces += [piece, *humps] if len(humps) > 1 and piece != word else humps
    folded = [piece.casefold() for piece in pieces if len(piece) > 1]
    return [_stemmed(piece) for piece in folded if piece not in STOPWORDS]


def _is_plain(word: str) -> bool:
    return word.isalpha() and (word.islower() or word[1:].islower())


def _bigrams(word: str) -> tuple[str, ...]:
    found: list[str] = []
    end = 0
    for run in _UNSPACED.finditer(word):
        found += _spaced_terms(word[end : run.start()])
        text = run.group()
        found += [text] if len(text) == 1 else [text[i : i + 2] for i in range(len(text) - 1)]
        end = run.end()
    return tuple(found + _spaced_terms(word[end:]))


def _spaced_terms(text: str) -> list[str]:
    return [term for word in _WORD.findall(text) for term in _analyse(word)]
