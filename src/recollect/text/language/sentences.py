"""What a person wrote in a message, sentence by sentence, apart from what they pasted into it.

Code, logs, diffs, traces, tables, quotes and tagged blocks are not the person's own words. Offsets always count in
the text that came in: the shadow of a text has the same length, with one sign for each character of a foreign body.
"""

from __future__ import annotations

import re

from recollect.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

CODE, LINK, QUOTE = "\x01", "\x02", "\x03"
NAME = "\x04"
LIMIT = 400  # sentences of one message that are looked at: beyond that it is a document
LONGEST = 2000  # characters of one line: beyond that nobody typed it

_FENCE = re.compile(r"^[ \t]*(```+|~~~+)")
_TAGGED = re.compile(r"<([A-Za-z][\w:-]{1,40})(?:\s[^<>]{0,200})?>")
_PASTED_LINE = re.compile(
    r"""^\s*(?:
      >|\||[│┃├└┌╭╰]|@@\s|\+\+\+\s|---\s\S+/|diff\s--git|[+-]\s{2,}\S
    | (?:Traceback\b|File\s"|at\s[\w.$<>\s]+\(|Caused\sby:|E\s{2,}|goroutine\s\d|panic:|\^+\s*$|npm\s(?:ERR|WARN))
    | (?:[\w./\\-]*(?:error|exception|warning|fatal|hint|note|info|debug|warn)(?:\[\w+\])?:\s)
    | \[?\d{1,4}[-:/]\d{1,2}[-:/]\d{1,4}[\sT:.\]] | \[[^\]\n]{1,40}\]\s | \d+\s*[|:│]\s
    | (?:➜|❯|\$\s|%\s|PS\s[A-Z]:|C:\\[^ ]*>|\#\s?!/|\w+@[\w.-]+[:\s][~/])
    | [{}\[\]()]+[,;]?\s*$ | "[\w.$-]+"\s*: | </?\w+[^>]*>\s*$
    | (?:import|from|def|class|func|fn|const|let|var|return|public|private|async|await|export|package|using|\#include)
      \s[^.?!]*[;{(=:]\s*$
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_SYMBOLS = re.compile(r"[{}()\[\]=<>;|\\/_*#~^$%&+─━═│•·]")
_EMPHASIS = re.compile(r"(?<![\w*_`/])[*_]{1,3}(?=[A-Za-z])|(?<=[A-Za-z.,!?])[*_]{1,3}(?![\w*_`/])")
_SPAN = re.compile(r"`[^`\n]{1,200}`")
_URL = re.compile(r"(?:(?:https?|ftp|ssh|file|git)://|\bwww\.)[^\s<>\"')\]]*[^\s<>\"')\].,;:!?]")
_QUOTED = re.compile(r"\"[^\"\n]{2,400}\"|“[^”\n]{2,400}”|«[^»\n]{2,400}»|(?<!\w)'[^'\n]{2,200}'(?!\w)")
_NAME = re.compile(
    r"(?:@|~?/|\.{1,2}/)?[\w.@~-]*\w[\\/][\w./\\@*{}-]*[\w*]/?"  # a path
    r"|(?<![\w.])\.[A-Za-z][\w-]{2,}"  # a dot file
    r"|\b(?!(?:e\.g|i\.e)\b)[\w-]+(?:\.[\w-]+){0,4}\.(?:[a-z]{1,4}|json|yaml|toml|lock|local)\b(?!\.\w)"
    r"|\b(?:[a-z]+_\w+|[A-Z]+_[A-Z_]+|[a-z]+[A-Z]\w+|[A-Z][a-z]+[A-Z]\w+)\b|(?<!\S)--?[a-z][\w-]+"
    r"|\b\w+\(\)"
)
# Only words with such a sign can hold a name; the rest of a text is not worth the search.
_SUSPECT = re.compile(r"(?<!\S)[^\s/\\._()A-Z@-]*[/\\._()A-Z@-]\S*")
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|no|dr|mr|ms|st)|(?<!['-])\b(?-i:[A-Z]))\.$", re.IGNORECASE
)
_END = re.compile(r"[.!?]+[)\"'\x03]*(?=\s|$)|[。！？]+[」』）]*")
_MARKER = re.compile(r"\s*(?:[-*•·+–—]|\(?\d{1,2}[.)]|\(?[a-z][.)]|#{1,6}|\[[ xX]\]|[①-⑳])\s+")


class Sentence(Record):
    """One sentence of the person's own words; `shadow` is as long as `end - start`."""

    start: int
    end: int
    shadow: str
    asked: bool  # it ends in a question mark
    listed: bool  # it stands behind a bullet or a number


def shadow(text: str) -> str:
    """The text with foreign bodies blanked out and code spans, links, quotes and names each as a run of one sign."""
    text = text.replace("’", "'").replace("\x00", " ").replace("\u0130", "I")
    kept = "".join(_own_lines(_tagged(text).splitlines(keepends=True)))
    if "*" in kept or "_" in kept:
        kept = _EMPHASIS.sub(lambda m: " " * len(m[0]), kept)
    if "`" in kept:
        kept = _SPAN.sub(lambda m: CODE * len(m[0]), kept)
    if "://" in kept or "www." in kept:
        kept = _URL.sub(lambda m: LINK * len(m[0]), kept)
    if any(mark in kept for mark in "\"'“«"):
        kept = _QUOTED.sub(lambda m: QUOTE * len(m[0]), kept)
    return _SUSPECT.sub(_names, kept)


def _names(suspect: re.Match[str]) -> str:
    return _NAME.sub(lambda m: NAME * len(m[0]), suspect[0])


def sentences(text: str) -> Iterator[Sentence]:
    """The sentences a person wrote, in order; at most LIMIT."""
    drawn = shadow(text)
    count = 0
    for start, end in _paragraphs(drawn):
        for sentence in _split(drawn, start, end):
            yield sentence
            count += 1
            if count == LIMIT:
                return


def _own_lines(lines: list[str]) -> Iterator[str]:
    fence = ""
    for line in lines:
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence):
                fence = ""
            yield _blank(line)
        elif mark:
            fence = mark[1][:3]
            yield _blank(line)
        else:
            yield _blank(line) if _is_pasted(line) else line


def _is_pasted(line: str) -> bool:
    if len(line) > LONGEST or _PASTED_LINE.match(line):
        return True
    bare = line.strip()
    if len(bare) < 12:
        return False
    most = max(4, len(bare) // 6)
    return len(_SYMBOLS.findall(bare)) > most and len(_SYMBOLS.findall(_URL.sub("", _SPAN.sub("", bare)))) > most


def _blank(text: str) -> str:
    return "".join("\n" if char == "\n" else "\r" if char == "\r" else " " for char in text)


def _tagged(text: str) -> str:
    """Blank what stands between a tag and its closing tag: a host or a program put it there."""
    if "</" not in text:
        return text
    parts: list[str] = []
    never_closed: set[str] = set()
    done = at = 0
    while opened := _TAGGED.search(text, at):
        at = opened.end()
        closing = f"</{opened[1]}>"
        end = -1 if closing in never_closed else text.find(closing, at)
        if end < 0:
            never_closed.add(closing)
            if len(never_closed) > 64:
                break
            continue
        at = end + len(closing)
        parts += (text[done : opened.start()], _blank(text[opened.start() : at]))
        done = at
    return "".join(parts) + text[done:]


def _paragraphs(drawn: str) -> Iterator[tuple[int, int]]:
    """Lines, with a wrapped line joined to the one before it."""
    start = end = -1
    at = 0
    for line in drawn.split("\n"):
        bare = line.strip()
        joins = start >= 0 and bare and not _MARKER.match(line) and end - start > 50 and bare[0].islower()
        joins = joins and drawn[end - 1] not in ".!?:。"
        if not joins and start >= 0:
            yield start, end
            start = -1
        if bare:
            start = start if joins else at
            end = at + len(line.rstrip())
        at += len(line) + 1
    if start >= 0:
        yield start, end


def _split(drawn: str, start: int, end: int) -> Iterator[Sentence]:
    marker = _MARKER.match(drawn, start, end)
    at = marker.end() if marker else start
    for stop in _END.finditer(drawn, at, end):
        if stop.end() < end and _ABBREVIATION.search(drawn, max(at, stop.start() - 8), stop.start() + 1):
            continue
        yield from _sentence(drawn, at, stop.end(), listed=marker is not None)
        at = stop.end()
    yield from _sentence(drawn, at, end, listed=marker is not None)


def _sentence(drawn: str, start: int, end: int, *, listed: bool) -> Iterator[Sentence]:
    while start < end and drawn[start].isspace():
        start += 1
    while start < end and drawn[end - 1].isspace():
        end -= 1
    if end - start > 1:
        body = drawn[start:end]
        asked = body.rstrip("\x03)\"'").endswith(("?", "？"))
        yield Sentence(start, end, body, asked, listed)
