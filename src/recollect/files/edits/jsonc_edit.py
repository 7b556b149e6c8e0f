"""Edits of JSON that insert or remove one span: order, comments, indentation, commas and line ends stay as they are."""

from __future__ import annotations

import json
import re

from recollect.files.edits.jsonc import BYTE_ORDER_MARK, NotJson, comments, parse, trivia_end

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.files.edits.jsonc import Node

Path = tuple[str, ...]
UNIT = "  "


def newline_of(text: str) -> str:
    """How the lines of a text end."""
    return "\r\n" if "\r\n" in text else "\n"


def set_key(text: str, path: Path, value: object) -> tuple[str, list[Path]]:
    """The text with a value at a path of keys, and the paths of what had to be made for it.

    An object that is there already gets or changes only the keys that the wanted one has."""
    root = parse(text)
    if root is None:
        return _with_root(text, _nested(path, value)), [path[:depth] for depth in range(len(path) + 1)]
    node, depth = root, 0
    while depth < len(path):
        if node.kind != "object":
            raise NotJson(f"{_named(path[:depth])} is not an object there")
        member = node.member(path[depth])
        if member is None:
            part = json.dumps(path[depth], ensure_ascii=False)
            wanted = _nested(path[depth + 1 :], value)
            made = [path[:length] for length in range(depth + 1, len(path) + 1)]
            return _inserted(text, root, node, wanted, key=part), made
        node, depth = member.value, depth + 1
    if isinstance(value, dict) and node.kind == "object":
        made = []
        for key, inner in value.items():
            text, more = set_key(text, (*path, key), inner)
            made += more
        return text, made
    if _same(node.value(), value):
        return text, []
    return text[: node.start] + _rendered(text, root, node, value) + text[node.end :], []


def append_item(text: str, path: Path, value: object) -> tuple[str, list[Path]]:
    """The text with one more item at the end of the array at a path, and the paths of what had to be made for it."""
    root = parse(text)
    node = root.find(path) if root else None
    if root is None or node is None:
        return set_key(text, path, [value])
    if node.kind != "array":
        raise NotJson(f"{_named(path)} is not a list there")
    return _inserted(text, root, node, value), []


def replace(text: str, node: Node, value: object) -> str:
    """The text with another value in the place of a node."""
    root = parse(text)
    if root is None or _same(node.value(), value):
        return text
    return text[: node.start] + _rendered(text, root, node, value) + text[node.end :]


def remove_part(text: str, container: Node, index: int) -> str:
    """The text without one member or item, without a comma too many, and with every comment outside of it."""
    start, end = container.parts[index]
    inner = container.start + 1
    before = max((at for at in container.commas if at < start), default=-1)
    after = next((at for at in container.commas if at >= end), -1)
    # Comments that stand before the part stay; the blanks between them and the part go.
    spans = list(comments(text, max(before + 1, inner), start))
    cut = spans[-1][1] if spans else max(before + 1, inner)
    if after >= 0:
        text = text[:cut] + text[end:after] + text[after + 1 :]
    else:
        text = text[:cut] + text[end:]
        if before >= 0 and index == len(container.parts) - 1:
            text = text[:before] + text[before + 1 :]
    return _collapsed(text, container.start) if len(container.parts) == 1 else text


def remove_root(text: str, root: Node) -> str:
    """The text without its value: what stands around it."""
    return text[: root.start].rstrip(" \t\r\n") + text[root.end :]


def _collapsed(text: str, start: int) -> str:
    """An emptied container on one line, unless a comment stands in it."""
    end = trivia_end(text, start + 1)
    if any(True for _ in comments(text, start + 1, end)) or "\n" not in text[start + 1 : end]:
        return text
    return text[: start + 1] + text[end:]


def _with_root(text: str, value: object) -> str:
    newline = newline_of(text)
    # What stands before it can only be blanks and comments; a line comment needs its line end.
    body = text.removeprefix(BYTE_ORDER_MARK)
    gap = newline if body.strip() and not body.endswith("\n") else ""
    return text + gap + _dumped(value, newline, UNIT, "") + newline


def _inserted(text: str, root: Node, node: Node, value: object, *, key: str = "") -> str:
    """The text with one more part at the end of a container."""
    newline, unit = newline_of(text), _unit(text, root)
    if not node.parts:
        return _first(text, root, node, value, key=key)
    start, end = node.parts[-1]
    own_line = re.search(r"[\r\n][ \t]*$", text[node.start : start]) is not None
    trailing = node.commas[-1] if node.commas and node.commas[-1] >= end else -1
    at, hides = _after_comments(text, trailing + 1 if trailing >= 0 else end)
    indent = _indent(text, start) if own_line else ""
    lead = newline + (indent or _indent(text, node.start) + unit) if own_line or hides else " "
    body = _dumped(value, newline, unit, indent) if own_line else json.dumps(value, ensure_ascii=False)
    part = lead + (f"{key}: " if key else "") + body + ("," if trailing >= 0 else "")
    comma = "" if trailing >= 0 else ","
    return text[:end] + comma + text[end:at] + part + text[at:]


def _first(text: str, root: Node, node: Node, value: object, *, key: str) -> str:
    """The text with the first part of an empty container."""
    newline, unit = newline_of(text), _unit(text, root)
    close = node.end - 1
    spans = list(comments(text, node.start + 1, close))
    at = spans[-1][1] if spans else node.start + 1
    if "\n" not in text[: node.end] and root.start != node.start and not spans:
        body = (f"{key}: " if key else "") + json.dumps(value, ensure_ascii=False)
        return text[:at] + body + text[at:]
    outer = _indent(text, node.start)
    body = newline + outer + unit + (f"{key}: " if key else "") + _dumped(value, newline, unit, outer + unit)
    return text[:at] + body + ("" if "\n" in text[at:close] else newline + outer) + text[at:]


def _after_comments(text: str, at: int) -> tuple[int, bool]:
    """Past the comments on the rest of this line, and whether one of them would hide what follows on it."""
    hides = False
    while (found := re.compile(r"[ \t]*(//[^\r\n]*|/\*[^\r\n]*?\*/)").match(text, at)) is not None:
        at, hides = found.end(), found[1].startswith("//")
    return at, hides


def _rendered(text: str, root: Node, node: Node, value: object) -> str:
    newline, unit = newline_of(text), _unit(text, root)
    if "\n" not in text[node.start : node.end] and not isinstance(value, (dict, list)):
        return json.dumps(value, ensure_ascii=False)
    if "\n" not in text[root.start : root.end]:
        return json.dumps(value, ensure_ascii=False)
    return _dumped(value, newline, unit, _indent(text, node.start))


def _dumped(value: object, newline: str, unit: str, indent: str) -> str:
    """The value over several lines; all but the first are indented."""
    return json.dumps(value, ensure_ascii=False, indent=unit).replace("\n", newline + indent)


def _indent(text: str, at: int) -> str:
    """The blanks at the beginning of the line on which something stands."""
    start = max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1
    line = text[start:at].removeprefix(BYTE_ORDER_MARK)
    return line[: len(line) - len(line.lstrip(" \t"))]


def _unit(text: str, root: Node) -> str:
    """One step of indentation, as the first line inside the root has it."""
    for start, _ in root.parts[:1]:
        found = re.search(r"[\r\n]([ \t]+)$", text[root.start : start])
        outer = _indent(text, root.start)
        if found is not None and found[1].startswith(outer) and len(found[1]) > len(outer):
            return found[1][len(outer) :]
    return UNIT


def _nested(path: Path, value: object) -> object:
    for key in reversed(path):
        value = {key: value}
    return value


def _same(left: object, right: object) -> bool:
    """Equal as JSON: 1 is not true there."""
    return json.dumps(left, sort_keys=True) == json.dumps(right, sort_keys=True)


def _named(path: Path) -> str:
    return "`" + ".".join(path) + "`" if path else "the whole"
