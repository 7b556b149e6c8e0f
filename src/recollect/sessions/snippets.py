"""What of a turn is shown: whole sentences, those that decide something first, for a number cut off is a wrong one."""

from __future__ import annotations

from recollect.text.language.decisions import is_decision, sentences_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.sessions.ranking import Asked

TYPED_CHARACTERS = 320
SAID_CHARACTERS = 320
LONGEST_SENTENCE = 500  # characters of one that decides something; any other is cut to what there is room for
LONGEST_READ = 12_000
BEFORE = 40  # characters shown before the first word of the question
_PREFIX = 6  # of a stem: enough to find the word it comes from
_GAP = "..."


def snippet(typed: str, said: str, asked: Asked) -> str:
    """What was typed and what was answered, as far as it has to do with the question."""
    lines = [f"user: {passage(typed, asked, TYPED_CHARACTERS)}"] if typed.strip() else []
    if said.strip():
        lines.append(f"assistant: {passage(said, asked, SAID_CHARACTERS)}")
    return "\n".join(lines)


def passage(text: str, asked: Asked, longest: int) -> str:
    """The sentences of a text that hold most of the question, about so long: what was decided whole and first, then
    the others, then what stands beside the best of them."""
    text = text[:LONGEST_READ]
    whole = " ".join(text.split())
    if len(whole) <= longest:
        return whole
    sentences = [" ".join(one.split()) for one in sentences_of(text)]
    worths = [_worth(one, asked) for one in sentences]
    decides = [worth > 0 and is_decision(one) for one, worth in zip(sentences, worths, strict=True)]
    # Of equals the later one: it is the last word.
    ranked = sorted(range(len(sentences)), key=lambda at: (not decides[at], -worths[at], -at))
    best = ranked[0]
    if not worths[best] or (len(sentences[best]) > longest and not decides[best]):
        return cut(whole, asked, longest)
    beside = [at for at in (best + 1, best - 1) if 0 <= at < len(sentences)]
    kept: set[int] = set()
    room = longest
    for at in (*(at for at in ranked if worths[at]), *beside):
        size = len(sentences[at]) + 1
        fits = size <= room or (at == best and decides[at] and size <= LONGEST_SENTENCE)
        if at not in kept and fits:
            kept.add(at)
            room -= size
    return _joined(sentences, kept) if kept else cut(sentences[best], asked, LONGEST_SENTENCE)


def _joined(sentences: list[str], kept: set[int]) -> str:
    """The kept sentences in their order, with a mark where something is left out."""
    parts: list[str] = []
    last = -1
    for at in sorted(kept):
        parts += [_GAP] if at > last + 1 else []
        parts.append(sentences[at])
        last = at
    return " ".join([*parts, *([_GAP] if last + 1 < len(sentences) else [])])


def _worth(sentence: str, asked: Asked) -> float:
    """How much of the question a sentence holds."""
    low = sentence.lower()
    return sum([worth for word, worth in asked.words.items() if word[:_PREFIX] in low])


def cut(text: str, asked: Asked, longest: int) -> str:
    """The part of a text, no longer than this, that holds most of the question."""
    text = " ".join(text[:LONGEST_READ].split())
    if len(text) <= longest:
        return text
    start = max(min(_densest(text.lower(), asked, longest) - BEFORE, len(text) - longest), 0)
    start = text.rfind(" ", 0, start) + 1
    shown = text[start : start + longest].rsplit(" ", 1)[0]
    return ("... " if start else "") + shown + (" ..." if start + len(shown) < len(text) else "")


def _densest(text: str, asked: Asked, longest: int) -> int:
    """Where the window begins that has the most of the question's worth."""
    places: list[tuple[int, str]] = []
    for word in asked.words:
        at = text.find(word[:_PREFIX])
        while at >= 0:
            places.append((at, word))
            at = text.find(word[:_PREFIX], at + longest // 4)
    places.sort()
    best, best_worth = 0, 0.0
    for number, (start, _) in enumerate(places):
        inside = {word for at, word in places[number : number + 40] if at < start + longest - BEFORE}
        worth = sum([asked.words[word] for word in inside])
        if worth > best_worth:
            best, best_worth = start, worth
    return best
