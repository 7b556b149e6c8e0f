"""JSON with comments and trailing commas, read with the place of everything, so that an edit touches nothing else."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Final

from recollect.errors import FileError
from recollect.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

BYTE_ORDER_MARK = "\ufeff"
DEEPEST = 200
Token = tuple[str, int, int, str]  # kind (text, mark, plain or end), start, end, word
KIND: Final = 0
START: Final = 1
END: Final = 2
WORD: Final = 3
_TOKEN = re.compile(
    r'(?P<blank>[ \t\r\n]+|//[^\n\r]*|/\*.*?\*/)|(?P<text>"(?:[^"\\\x00-\x1f]|\\.)*")|(?P<mark>[{}\[\],:])'
    r"|(?P<plain>true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)",
    re.DOTALL,
)


class NotJson(FileError):
    """The file is not JSON."""


class Node(Record):
    """One value and where it stands."""

    kind: str  # object, array or scalar
    start: int
    end: int
    members: tuple[Member, ...] = ()  # of an object
    items: tuple[Node, ...] = ()  # of an array
    commas: tuple[int, ...] = ()  # where the commas between and after the parts stand
    scalar: object = None

    @property
    def parts(self) -> tuple[tuple[int, int], ...]:
        """The spans of members or items, keys included."""
        if self.kind == "object":
            return tuple((member.start, member.value.end) for member in self.members)
        return tuple((item.start, item.end) for item in self.items)

    def member(self, key: str) -> Member | None:
        """The member of this name; the last one, as hosts take it, when there are several."""
        return next((member for member in reversed(self.members) if member.key == key), None)

    def find(self, path: tuple[str, ...]) -> Node | None:
        """The value below objects by its keys, or None."""
        node: Node = self
        for key in path:
            member = node.member(key) if node.kind == "object" else None
            if member is None:
                return None
            node = member.value
        return node

    def value(self) -> object:
        """The value itself."""
        if self.kind == "object":
            return {member.key: member.value.value() for member in self.members}
        return [item.value() for item in self.items] if self.kind == "array" else self.scalar


class Member(Record):
    """A key and its value in an object."""

    key: str
    start: int
    value: Node


@lru_cache(maxsize=4)  # an edit asks for the same text several times, and some hosts keep megabytes in one file
def parse(text: str) -> Node | None:
    """The value of a text, or None for one with nothing but blanks and comments. Raises NotJson, naming the line."""
    tokens = _tokens(text)
    if tokens[0][KIND] == "end":
        return None
    node, at = _value(text, tokens, 0, 0)
    if tokens[at][KIND] != "end":
        raise _wrong(text, tokens[at][START], "there is extra text after the end")
    return node


def trivia_end(text: str, at: int) -> int:
    """The end of the blanks and comments that start here."""
    while (found := _TOKEN.match(text, at)) is not None and found.lastgroup == "blank":
        at = found.end()
    return at


def comments(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The spans of the comments in a stretch of blanks and comments."""
    at = start
    while at < end and (found := _TOKEN.match(text, at)) is not None and found.lastgroup == "blank":
        if found[0].startswith("/"):
            yield found.start(), found.end()
        at = found.end()


def _tokens(text: str) -> list[Token]:
    """The words of the text, which blanks and comments are not, and its end."""
    tokens: list[Token] = []
    at = len(BYTE_ORDER_MARK) if text.startswith(BYTE_ORDER_MARK) else 0
    for found in _TOKEN.finditer(text, at):
        if found.start() != at:
            break
        at = found.end()
        kind = found.lastgroup
        if kind != "blank":
            tokens.append((str(kind), found.start(), at, found[0]))
    if at < len(text):
        raise _wrong(text, at, _stray(text, at))
    tokens.append(("end", at, at, ""))
    return tokens


def _stray(text: str, at: int) -> str:
    """What is wrong where no word of JSON begins."""
    if text[at] == '"':
        return "a string is not closed on this line, or has a tab in it"
    return "a comment is not closed" if text.startswith("/*", at) else f"{text[at]!r} does not belong there"


def _value(text: str, tokens: list[Token], at: int, depth: int) -> tuple[Node, int]:
    kind, start, end, word = tokens[at]
    if depth > DEEPEST:
        raise _wrong(text, start, "it is nested too deeply")
    if word == "{" or word == "[":
        return _container(text, tokens, at, depth)
    if kind in ("text", "plain"):
        return Node("scalar", start, end, scalar=_scalar(text, tokens[at])), at + 1
    raise _wrong(text, start, "a value is missing")


def _container(text: str, tokens: list[Token], at: int, depth: int) -> tuple[Node, int]:
    opening = tokens[at]
    kind, closing = ("object", "}") if opening[WORD] == "{" else ("array", "]")
    members: list[Member] = []
    items: list[Node] = []
    commas: list[int] = []
    at += 1
    while tokens[at][WORD] != closing:
        key = tokens[at]
        if kind == "object":
            if key[KIND] != "text":
                raise _unexpected(text, tokens, at, closing, "a key is missing")
            if tokens[at + 1][WORD] != ":":
                raise _unexpected(text, tokens, at + 1, closing, "a colon is missing")
            at += 2
        if tokens[at][KIND] == "end":
            raise _unexpected(text, tokens, at, closing, "")
        node, at = _value(text, tokens, at, depth + 1)
        if kind == "object":
            members.append(Member(str(_scalar(text, key)), key[START], node))
        else:
            items.append(node)
        if tokens[at][WORD] == ",":
            commas.append(tokens[at][START])
            at += 1
        elif tokens[at][WORD] != closing:
            raise _unexpected(text, tokens, at, closing, "a comma is missing")
    node = Node(kind, opening[START], tokens[at][END], tuple(members), tuple(items), tuple(commas))
    return node, at + 1


def _scalar(text: str, token: Token) -> object:
    try:
        return json.loads(token[WORD])
    except ValueError as error:
        raise _wrong(text, token[START], "a string has an escape that JSON does not allow") from error


def _unexpected(text: str, tokens: list[Token], at: int, closing: str, why: str) -> NotJson:
    """What is wrong with the token that stands here in a container that needs this bracket to close it."""
    kind, start, _, word = tokens[at]
    if kind == "end":
        return _wrong(text, tokens[at - 1][END], f"the file ends before a closing {closing}")
    other = word in ("}", "]") and word != closing
    return _wrong(text, start, f"there is a {word} where a {closing} is expected" if other else why)


def _wrong(text: str, at: int, why: str) -> NotJson:
    return NotJson(f"line {text.count(chr(10), 0, at) + 1} is not valid JSON: {why}")
