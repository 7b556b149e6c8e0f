"""What somebody said in passing, as it would be written down: without the asides of a conversation, one thing at a
time, and whether it only tells of a change that was made."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recollect.model.record import Record
from recollect.suggestions.outline import sentences_of
from recollect.suggestions.wording import weights
from recollect.text.language.lexicon import groups_of

if TYPE_CHECKING:
    from collections.abc import Callable

# How a remark begins that answers somebody: what stands behind it is meant.
_OPENING = re.compile(
    r"(?:(?:no|nope|nein|doch|well|ok(?:ay)?|good|great|right|perfect|thanks|danke|gut|genau|looks? (?:ok|good|fine))"
    r"\s*[,.!:;]\s*(?:but\s+|aber\s+)?"
    r"|(?:btw|by the way|fyi|übrigens|important|wichtig|hinweis)\s*[,:!]?\s+"
    r"|(?:please )?(?:remember|note|keep in mind)(?: that\s+|\s*:\s*)|(?:bitte )?merk dir\s*[,:]\s*(?:dass\s+)?"
    r"|(?:and|also|but|und|aber|außerdem)\s*,?\s+|(?:please|bitte)\s+|(?:いや|それと|あと|ちなみに|はい|いいえ)[、。]\s*)",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r",?\s+(?:by the way|btw|fyi|übrigens)\b,?(?=\s|[.;!]|$)|,?\s+(?:please|bitte)(?=\s*(?:[,.;!]|$))"
    r"|(?<=[,;])\s+please\b|\s+bei uns\b|(?<=\w)\s+bitte\b(?=\s)|,\s+remember(?=[.!]|$)",
    re.IGNORECASE,
)
# A sentence that only says how to take the others.
_META = re.compile(
    r"(?:please |bitte )?(?:remember|keep|note|don't forget|merk dir|denk dran)(?: that| this| it| in mind| das)*[.!]?"
    r"|(?:that(?:'s| is)|this is|das ist)(?: \w+)? (?:the |a |our |eine? |die )?(?:rule|policy|convention|regel)\b"
    r"[^.]*[.!]?"
    r"|(?:覚えて|忘れないで)(?:おいて)?(?:ください|ね)?[。!]?|この?(?:れは|プロジェクトの)?.{0,8}(?:ルール|決まり)です[。!]?",
    re.IGNORECASE,
)
# A command that somebody says to run, up to a word that is not part of it.
_COMMAND = re.compile(
    r"(\b(?:run|running|execute)\s+)((?:\./[\w./-]+|npm|npx|pnpm|yarn|bun|deno|uv|pip|poetry|tox|nox|python3?|cargo|make|just|"
    r"task|go|gradle|mvn|docker|bundle|rake|mix|dotnet|composer|swift|flutter|terraform|git|pre-commit|bazel|nx|turbo)"
    r"(?:\s+(?!(?:before|after|to|and|or|when|whenever|first|in|for|on|from|instead|then|if|so|because|at|as|once|every|each|"
    r"until|while|again|it|the|with|without|which|that)\b)(?:\./\.\.\.|[^\s`,;]*[^\s`,;.:!?]))+|\./[\w./-]*\w)(?![\w`])",
    re.IGNORECASE,
)
_SPELLED = re.compile(r"\b(do|does|is|are|did)nt\b", re.IGNORECASE)
_ANOTHER = re.compile(r"\s*;\s*(?:and|also|und|außerdem)\s+(?:also\s+)?|(?<=[.!])\s+(?:also|außerdem)\s*[,:]?\s+", re.I)
_LEAST_WORDS, _LEAST_LETTERS = 3, 8
_CHANGE = r"(?:moved|migrated|switched|upgraded|updated|bumped|changed)"
_EVENT = re.compile(
    rf"(?:we|i|they|it|the \w+|everything)(?:'ve| have| has| was| were)?(?: just| recently)? {_CHANGE}\b", re.I
)
_TO_VERSION = re.compile(rf"\b{_CHANGE}\b.*?\bto\s+`?([A-Za-z][\w.+#-]*?)`?\s+`?v?(\d+(?:\.\d+)*)", re.IGNORECASE)


class Change(Record):
    """A step to another version of something."""

    name: str
    version: str


def written(content: str) -> str:
    """A remark as somebody would write it down."""
    text = " ".join(content.split())
    while (opening := _OPENING.match(text)) is not None and len(text) - opening.end() >= _LEAST_LETTERS:
        text = _begun(text[opening.end() :])
    sentences = sentences_of(text)
    meant = [one for one in sentences if not _META.fullmatch(one.strip())]
    text = _between(text).join(meant) if 0 < len(meant) < len(sentences) else text
    text = _SPELLED.sub(r"\1n't", _ASIDE.sub(lambda found: "," if found[0].endswith(",") else "", text))
    return _COMMAND.sub(r"\1`\2`", text)


def statements(content: str) -> list[str]:
    """What a remark says, one thing at a time: divided only where it says so, and where both have nothing in common."""
    parts = [_begun(part) for part in _ANOTHER.split(content)]
    if len(parts) < 2 or any(len(part.split()) < _LEAST_WORDS for part in parts):
        return [content]
    seen: set[str] = set()
    for part in parts:
        if seen & set(weights(part)):
            return [content]
        seen |= set(weights(part))
    return [part if part.endswith((".", "!", "。")) else f"{part}." for part in parts]


def unsaid(content: str, where: Callable[[str], str]) -> tuple[str, str]:
    """The sentences that no file says yet, and the file that says the others; `where` finds the file of a sentence."""
    sentences = sentences_of(content)
    found = [where(one) for one in sentences] if len(sentences) > 1 else []
    if not any(found):
        return content, ""
    return " ".join(one for one, at in zip(sentences, found, strict=True) if not at), next(filter(None, found))


def change_of(content: str) -> Change | None:
    """The version that something was moved to, if that is what is told."""
    found = _TO_VERSION.search(content) if is_event(content) else None
    return Change(found[1], found[2]) if found else None


def is_event(content: str) -> bool:
    """Does it tell that something was changed, rather than how things are?"""
    return _EVENT.match(content) is not None


def with_version(line: str, change: Change) -> str:
    """The line with the new version, if it gives another one for the same thing; else as it is."""
    pattern = re.compile(rf"(?<![\w-])({re.escape(change.name)}`?\s+`?v?)(\d+(?:\.\d+)*)(?![\w.]*\w)", re.IGNORECASE)
    return pattern.sub(lambda found: found[1] + change.version, line)


def _between(text: str) -> str:
    """What stands between two sentences."""
    return "" if "。" in text else " "


def _begun(text: str) -> str:
    """A text that begins a sentence now; the name of a tool keeps its small letter."""
    first = re.match(r"[^\W\d_]+(?=[\s,:]|$)", text)
    return text[:1].upper() + text[1:] if first and not groups_of(first[0]) else text
