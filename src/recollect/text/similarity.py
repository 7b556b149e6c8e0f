"""The words of a text in any script, and how alike two texts are by them."""

from __future__ import annotations

from functools import lru_cache
from unicodedata import category, normalize

from recollect.model.record import Record
from recollect.text.language import lexicon
from recollect.text.lookalikes import skeleton
from recollect.text.patterns import ASCII, compiled
from recollect.text.unseen import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# Read on the shadow of a text, where \x01 stands for a character of Chinese or Japanese and \x02 for one of Korean.
_TOKEN = compiled(
    r"\x01+|\x02+"
    r"|https?://[^\s<>\"'`|)\]}\x01\x02]*\w/?"
    r"|\d+(?:,\d{3})+(?![\w,])"
    r"|(?:(?<![\w-])--?|(?<![\w.])\.\.?/|(?<!\w)[~*]?/\.?|(?<![\w.*])\*?\.|(?<!\w)[@$#])?"
    r"\w+(?:(?:[-./:@+#~=$&'*\\]|::|/[.@])\w+)*(?:\+\+|[+#%](?![\w+#%]))?"
    r"|[<>]=?(?=\s*v?\d)|[!=]=|&&|[,;:!?()\n]|\.(?=\s|$)",
    ASCII,
)
SEPARATORS = frozenset(",;:!?。、()\n.")
_EMPHASIS = compiled(r"_(?<!\w_)([^_\s](?:[^_\n]*[^_\s])?)_(?!\w)")
_ELISIONS = compiled(r"(?:\w')+")  # l'eau, d'accord
_CAMEL = compiled(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[\W_]+")
_MARKS = dict.fromkeys((0x200C, 0x200D, 0xFE0F)) | {0x2019: "'", 0x2BC: "'"}  # joiners say nothing

_PARTICLES = ("으로", "에서", "은", "는", "가", "을", "를", "의", "에", "로", "와", "과", "도")
_PLAIN_SEPARATORS = {"、": ",", **dict.fromkeys("。!?\n", ".")}
ARTICLES = frozenset(("a", "an", "the"))
CONTRACTIONS: dict[str, tuple[str, str]] = {
    **{f"{verb}n't": (verb, "not") for verb in "do does did is are was were has have had should must need".split()},
    **{f"{verb}nt": (verb, "not") for verb in "do does did is are was were has have should must".split()},
    **{f"{verb}n't": (verb, "not") for verb in "would could might".split()},
    **{f"{who}'s": (who, "is") for who in "it that there he she what".split()},
    **{f"{who}'re": (who, "are") for who in "we you they".split()},
    **{f"{who}'ve": (who, "have") for who in "i we you they".split()},
    **{f"{who}'ll": (who, "will") for who in "i we you they it".split()},
    "i'm": ("i", "am"),
    "let's": ("let", "us"),
    "can't": ("can", "not"),
    "cannot": ("can", "not"),
    "cant": ("can", "not"),
    "won't": ("will", "not"),
    "wont": ("will", "not"),
}
_FILLER = frozenset(
    "a an the is are be am been was were do does did to of in on at for with by and or as it this that these those we "
    "i you our my your its their us has have had will shall should must can please always just so".split()
)


class _Shadows(dict[int, str]):
    """Each character as the token pattern sees it; one kind of character for all letters and marks of any script."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        if code < 0x80:
            shadow = char
        elif 0x3005 <= code <= 0x3007 or (0x3040 <= code <= 0x9FFF and code != 0x30FB) or 0x20000 <= code <= 0x3FFFF:
            shadow = "\x01"
        elif 0xAC00 <= code <= 0xD7A3:
            shadow = "\x02"
        else:
            spacing = category(char)[0] in "PZ" or category(char) in ("Cc", "Cf") or 0x2190 <= code <= 0x21FF
            shadow = " " if spacing else "x"
        return self.setdefault(code, shadow)


_SHADOWS = _Shadows({ord("。"): ";", ord("、"): ",", ord("・"): " "})


def tokens(text: str) -> list[str]:
    """Words, numbers, paths, flags, operators and separators, in order."""
    if text.isascii():
        return _TOKEN.findall(text)
    return [text[slice(*found.span())] for found in _TOKEN.finditer(text.translate(_SHADOWS))]


def readable(text: str) -> str:
    """Text in one Unicode form and in letters that are what they look like, without invisible characters and emphasis
    marks; case is kept."""
    if not text.isascii():
        text = _in_one_form(text)
    return _EMPHASIS.sub(r"\1", text) if "_" in text else text


def _in_one_form(text: str) -> str:
    return skeleton(normalize("NFKC", visible(text).translate(_MARKS)))


def plain_words(text: str) -> list[str]:
    """The words of a text, casefolded, with contractions written out; separators are dropped."""
    folded = text.casefold() if text.isascii() else normalize("NFKC", _in_one_form(text).casefold())
    spaced = readable(folded.replace("`", " "))
    if spaced.isascii() and "<" not in spaced and ">" not in spaced:
        return [word for piece in spaced.split() for word in _known_words(piece)]
    return _words(spaced)


def _words(text: str) -> list[str]:
    words: list[str] = []
    for token in tokens(text):
        if token in SEPARATORS:
            continue
        if token in CONTRACTIONS:
            words += CONTRACTIONS[token]
        else:
            words.append(token.replace(",", "") if token[0].isdigit() else token)
    return words


# No token but a comparison reaches over a space, so that most pieces of a text have been read before.
_known_words = lru_cache(maxsize=50_000)(_words)


class _Spellings(dict[str, str]):
    """Pieces of a text as `normalise` spells them."""

    def __missing__(self, piece: str) -> str:
        spelling = " ".join([word for word in _words(piece) if word not in ARTICLES])
        if len(piece) <= _LONGEST_KNOWN:
            if len(self) >= _MOST_KNOWN:
                self.clear()
            self[piece] = spelling
        return spelling


_spellings = _Spellings()
_MOST_KNOWN = 100_000
_LONGEST_KNOWN = 40


@lru_cache(maxsize=1024)
def normalise(text: str) -> str:
    """One spelling for texts that differ only in case, width, punctuation, markup, articles or contractions."""
    if text.isascii() and "<" not in text and ">" not in text:
        pieces = readable(text.casefold().replace("`", " ")).split()
        if spelled_out := " ".join(filter(None, map(_spellings.__getitem__, pieces))):
            return spelled_out
    words = plain_words(text)
    kept = [word for word in words if word not in ARTICLES] or words
    return " ".join(kept) or " ".join(text.split())


@lru_cache(maxsize=4096)
def singular_key(word: str) -> str:
    """A key shared by a noun and its plural; not always a word."""
    if len(word) < 4 or not word.isascii():
        return word
    if word.endswith("ies"):
        return word[:-2]
    if word[-1] == "s" and word[-2] not in "sui":
        word = word[:-1]
    if word[-1] == "e":
        return word[:-1]
    return word[:-1] + "i" if word[-1] == "y" and word[-2] not in "aeiou" else word


@lru_cache(maxsize=4096)
def root(word: str) -> str:
    """A key shared by the inflections of a word; not always a word. Names, versions and paths stay as they are."""
    if not word.isalpha():
        return word
    if not word.isascii():
        return word if word[0] > "\u2e7f" else word[:6]
    if word in ("use", "uses", "used", "using"):
        return "use"
    for ending, shortest in (("ing", 6), ("ed", 5)):
        if word.endswith(ending) and len(word) >= shortest and word[-3:] != "eed":
            base = word[: -len(ending)]
            if not any(vowel in base for vowel in "aeiouy"):
                break
            if base[-1] == base[-2] and base[-1] not in "lsz":
                base = base[:-1]
            return singular_key(base) if len(base) > 3 else base.rstrip("e")
    return singular_key(word)


def split_words(name: str) -> list[str]:
    """The words inside an identifier: `deployTarget`, `deploy_target`, `deploy-target`."""
    return [part for part in _CAMEL.split(name) if part]


@lru_cache(maxsize=1024)
def features(text: str) -> frozenset[str]:
    """What similarity compares: stems, parts of identifiers, pairs of neighbouring CJK characters."""
    words = plain_words(text)
    found: set[str] = set()
    for word in [word for word in words if word not in _FILLER] or words:
        if "\u3000" < word[0] < "\uac00" or word[0] > "\uf8ff":
            found.update(word[i : i + 2] for i in range(max(1, len(word) - 1)))
        else:
            found.add(root(word))
            if not word.isalnum():
                found.update(root(part) for part in split_words(word))
    return frozenset(found)


def similarity(a: str, b: str) -> float:
    """From 0 (nothing in common) to 1 (the same once normalised): the share of words in common, both ways alike."""
    if normalise(a) == normalise(b):
        return 1.0
    ours, theirs = features(a), features(b)
    common = len(ours & theirs)
    return min(0.99, 2 * common / (len(ours) + len(theirs))) if common else 0.0


class Word(Record):
    """One word as written, what it stands for, and whether it stood in a code span."""

    raw: str
    word: str
    code: bool = False


def spelled(text: str) -> list[Word]:
    words: list[Word] = []
    spans = readable(text).split("`")
    for number, span in enumerate(spans):
        code = number % 2 == 1 and number < len(spans) - 1
        for token in tokens(span):
            words.extend(_spell(token, code))
    return words


def _spell(token: str, code: bool) -> Iterator[Word]:
    lowered = token.casefold()
    if lowered in SEPARATORS:
        yield Word(token, _PLAIN_SEPARATORS.get(token, token))
    elif code:
        yield Word(token, lowered, code)
    elif "\u3000" < token[0] < "\uac00":
        yield from _unspaced(token)
    elif "\uac00" <= token[0] <= "\ud7a3":
        yield from _hangul(token)
    elif lowered in CONTRACTIONS:
        for word in CONTRACTIONS[lowered]:
            yield Word(word, word)
    elif lowered.endswith("'s"):
        owner = lowered[:-2]
        yield Word(token[:-2], "my" if owner == "user" else "our" if owner in lexicon.PROJECT else owner)
    elif elided := _ELISIONS.match(token):
        yield from _spell(token[elided.end() :], code)
    else:
        foreign = "" if token.isupper() else lexicon.FOREIGN.get(lowered, "")
        yield Word(token, foreign or lexicon.ALIASES.get(lowered, lowered))


def _hangul(token: str) -> Iterator[Word]:
    particle = "" if token in lexicon.FOREIGN else next((end for end in _PARTICLES if token.endswith(end)), "")
    bare = token[: len(token) - len(particle)]
    if bare:
        yield Word(bare, lexicon.FOREIGN.get(bare, bare))
    if particle:
        yield Word(particle, "topic" if particle in ("은", "는") else "the")


def _unspaced(run: str) -> Iterator[Word]:
    """Japanese falls apart at its scripts, Chinese at the words the lexicon knows."""
    start = 0
    for end in range(1, len(run) + 1):
        if end < len(run) and _script(run[end]) == _script(run[start]):
            continue
        piece, start = run[start:end], end
        match _script(piece[0]):
            case "hiragana":
                yield from _hiragana(piece)
            case "katakana":
                yield from _foreign(piece, lexicon.FOREIGN.get(piece, piece))
            case _:
                yield from _han(piece)


def _script(char: str) -> str:
    return "hiragana" if char < "\u30a0" and char > "\u3040" else "katakana" if "\u30a0" <= char < "\u3100" else "han"


def _hiragana(run: str) -> Iterator[Word]:
    if run[0] in "はが" and "なければ" not in run:
        yield Word(run[0], "topic")
        run = run[1:]
    if "なければ" in run:
        yield Word(run, "must")
    elif any(ending in run for ending in ("ではなく", "じゃなく", "でなく")):
        yield Word(run, "not_chunk")
    elif any(ending in run for ending in ("ない", "ません", "なく")):
        yield Word(run, "not_before")
    elif "かも" in run:
        yield Word(run, "maybe")
    elif run in ("も", "や", "にも", "でも"):
        yield Word(run, "also")
    elif len(run) > 4 and not any(ending in run for ending in ("ます", "くだ", "する", "した", "して", "です", "いる")):
        yield Word(run, run)
    elif run:
        yield Word(run, "the")


def _han(run: str) -> Iterator[Word]:
    at = pending = 0
    while at < len(run):
        size = next((n for n in (4, 3, 2, 1) if run[at : at + n] in lexicon.FOREIGN and len(run) - at >= n), 0)
        if size == 1 and run[at] in "使好必常代私" and len(run) > 1:
            size = 0
        if size:
            if pending < at:
                yield Word(run[pending:at], run[pending:at])
            yield from _foreign(run[at : at + size], lexicon.FOREIGN[run[at : at + size]])
            pending = at + size
        at += size or 1
    if pending < at:
        yield Word(run[pending:], run[pending:])


def _foreign(raw: str, word: str) -> Iterator[Word]:
    if "_" in word and word not in lexicon.NEGATIONS:
        spaced = word.replace("_", " ")
        if lexicon.canonical(spaced):
            yield Word(raw, spaced)
            return
        first, _, second = word.partition("_")
        yield Word(raw, first)
        yield Word("", second)
        return
    yield Word(raw, word)
