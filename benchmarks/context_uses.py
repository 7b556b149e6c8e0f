"""What the rest of a session uses of its first half, by literal presence: nothing here is shared with what is measured.

A session is cut at a typed message near its middle. Needed is what the next messages use (names and values that the
agent writes or calls a tool with, or that the person types) which stood in the first half and which nothing has shown
again since the cut. The second half is only ever read here.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.context_needs import command_of, said, typed_text
from recollect.model.messages import Message, ToolResult
from recollect.text.language.stopwords import STOPWORDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

KINDS = ("path", "identifier", "command", "flag", "number", "word")
NEXT_MESSAGES = 60
LEAST_NEEDS = 5
MIDDLE = (0.25, 0.75)  # of the messages, where the cut may be
AROUND_CHARACTERS = 60
RARE_WORD_MESSAGES = 5
LONGEST_NAME = 160

_PATH = re.compile(r"(?<![\w/:.-])(?:~?/|\.{1,2}/)?[\w.@-]+(?:/[\w.@+-]+)+")
_IDENTIFIER = re.compile(r"(?<![\w/.-])[A-Za-z_$][\w$]*(?:\.[A-Za-z_][\w]*)*")
_FLAG = re.compile(r"(?<![\w-])--[a-z][\w-]+")
_NUMBER = re.compile(
    r"(?<![\w#&/])#\d{1,7}\b|\b[A-Z][A-Z0-9]{1,9}-\d{1,6}\b|\bv?\d+\.\d+\.\d+[\w.-]*"
    r"|\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b|\b[A-Za-z_]{2,30}[=:] ?\d{2,}\b"
    r"|\b(?:port|line|pr|issue|version|timeout|limit|step|phase) #?\d+(?:\.\d+)*\b",
    re.I,
)
_COMMAND = re.compile(r"(?:^|&&|\|\|?|;|\n)\s*([a-z][\w.-]*) ([a-z][\w:-]{2,})(?=\s|\"|$)")
_DECISION = re.compile(
    r"\b(must|never|always|don['’]?t|only|instead|decided|decision|rather than|we(?:['’]ll| will)|going with|chose"
    r"|agreed|root cause|the (?:fix|cause|problem|reason) (?:is|was))\b",
    re.I,
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n")
_WORD = re.compile(r"[A-Za-z][A-Za-z-]{2,}")
_LONG_WORD = re.compile(r"\b[a-z]{6,20}\b")


@dataclass(frozen=True)
class Use:
    """A name that the second half uses, and the words that stood around it in the first."""

    kind: str
    name: str
    around: frozenset[str]


def cut_at(messages: Sequence[Message]) -> int:
    """Where the typed message nearest to the middle stands; 0 when there is none."""
    low, high = (int(len(messages) * share) for share in MIDDLE)
    places = [at for at, message in enumerate(messages) if low <= at <= high and typed_text(message)]
    return min(places, key=lambda at: abs(at - len(messages) // 2), default=0)


def uses(messages: Sequence[Message], cut: int) -> list[Use]:
    """What the messages behind the cut use of what stood before it, each once."""
    before = said(message for message in messages[:cut] if message.role not in ("system", "developer"))
    system = said(message for message in messages if message.role in ("system", "developer"))
    decided = decision_words(messages[:cut])
    tools = {call.name for message in messages for call in message.calls}  # told with every request
    shown = ""
    found: dict[str, Use] = {}
    for message in messages[cut : cut + NEXT_MESSAGES]:
        text = said([message])
        for kind, name in _used(message, decided):
            if name in found or name in tools or name in shown or name in system or name not in before:
                continue
            around = words_around(name, before)
            if around is not None:
                found[name] = Use(kind, name, around)
        shown += "\n" + text
    return list(found.values())


def kept(wanted: Sequence[Use], messages: Sequence[Message]) -> tuple[dict[Use, bool], dict[Use, bool]]:
    """Which names a conversation holds, and which of them with a word that stood around them."""
    text = said(messages)
    bare, in_context = {}, {}
    for use in wanted:
        around = words_around(use.name, text)
        bare[use] = around is not None
        in_context[use] = around is not None and (not use.around or bool(around & use.around))
    return bare, in_context


def names_in(text: str) -> Iterator[tuple[str, str]]:
    """The names and values in a text, with their kind."""
    for found in _PATH.findall(text):
        path = found.rstrip(".-")
        if _is_path(path):
            yield "path", path
    for found in _IDENTIFIER.findall(text):
        if _is_identifier(found):
            yield "identifier", found
    for found in _FLAG.findall(text):
        yield "flag", found
    for found in _NUMBER.findall(text):
        yield "number", found


def commands_in(text: str) -> Iterator[tuple[str, str]]:
    """The programs that a command line runs, each with its first word."""
    for program, verb in _COMMAND.findall(text):
        yield "command", f"{program} {verb}"


def words_around(name: str, text: str) -> frozenset[str] | None:
    """The words near every place of a name in a text; None when it does not stand there as a whole."""
    words: set[str] = set()
    whole = False
    for place in re.finditer(rf"(?<![\w]){re.escape(name)}(?![\w])", text):
        whole = True
        before = text[max(0, place.start() - AROUND_CHARACTERS) : place.start()]
        behind = text[place.end() : place.end() + AROUND_CHARACTERS]
        words.update(word.lower() for piece in (before, behind) for word in _WORD.findall(piece))
    return frozenset(words - STOPWORDS) if whole else None


def decision_words(messages: Sequence[Message]) -> frozenset[str]:
    """The words of sentences that decide something which few messages hold."""
    spread = Counter(word for message in messages for word in set(_LONG_WORD.findall(said([message]))))
    found = set()
    for message in messages:
        text = typed_text(message) if message.role == "user" else message.text if message.role == "assistant" else ""
        for sentence in _SENTENCE.split(text):
            if _DECISION.search(sentence):
                found.update(_LONG_WORD.findall(sentence))
    return frozenset(word for word in found - STOPWORDS if spread[word] <= RARE_WORD_MESSAGES)


def _used(message: Message, decided: frozenset[str]) -> Iterator[tuple[str, str]]:
    """What the agent wrote or called, or the person typed; results of tools and what programs put in are not used."""
    if message.role == "assistant":
        text = said([message._replace(parts=tuple(p for p in message.parts if not isinstance(p, ToolResult)))])
    else:
        text = typed_text(message)
    yield from ((kind, name) for kind, name in names_in(text) if len(name) <= LONGEST_NAME)
    for call in message.calls:
        yield from commands_in(command_of(call))
    yield from (("word", word) for word in _LONG_WORD.findall(text) if word in decided)


def _is_path(text: str) -> bool:
    pieces = [piece for piece in text.split("/") if piece]
    named = re.search(r"\.\w{1,8}$", text) is not None and len(pieces) > 1
    return bool(re.search(r"[A-Za-z]{2}", text)) and (named or len(pieces) > 2 or text.startswith(("~", "./", "../")))


def _is_identifier(text: str) -> bool:
    return len(text) > 3 and (
        re.search(r"[a-z0-9][A-Z]|\w_\w", text) is not None
        or (("." in text) and all(len(piece) > 1 for piece in text.split(".")))
    )
