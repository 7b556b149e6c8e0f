"""Everything out, as JSON or as Markdown that a person can read; both come back whole.

In Markdown the comments are what comes back: what stands in the open is for reading."""

from __future__ import annotations

import json

from recollect.errors import UsageError
from recollect.model.entries import Citation, Entry, status_word
from recollect.text.rendering import citation_label

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Document = dict[str, Any]

VERSION = 1
LISTS = ("entries", "audit", "board", "sessions", "suggestions", "tasks", "projects", "conflicts", "repositories")
SHOWN = ("tasks", "projects")
COUNTS = "counts"  # in Markdown: how many there are of each, so that a file that was cut off is noticed
LAYER_TITLES = {"L0": "Profile", "L1": "Knowledge", "L2": "Archive"}
_OPEN, _CLOSE = "<!-- recollect ", " -->"


def entry_json(entry: Entry) -> dict[str, Any]:
    """An entry as JSON; the field `id` is what Python calls entry_id."""
    values = entry._asdict()
    values["id"] = values.pop("entry_id")
    values["aliases"], values["tags"] = list(entry.aliases), list(entry.tags)
    values["citations"] = [citation.filled() for citation in entry.citations]
    return {"id": values.pop("id"), **values}


def entry_of(values: dict[str, Any]) -> Entry:
    """The entry of its JSON."""
    known = {name: values[name] for name in Entry._fields[1:] if name in values}
    known["aliases"], known["tags"] = tuple(known.get("aliases", ())), tuple(known.get("tags", ()))
    known["citations"] = tuple(
        Citation(**{name: value for name, value in citation.items() if name in Citation._fields})
        for citation in known.get("citations", ())
    )
    return Entry(entry_id=values["id"], **known)


def to_json(document: Document) -> str:
    """The export as one JSON document."""
    return json.dumps(document, ensure_ascii=False, indent=2, sort_keys=False) + "\n"


def to_markdown(document: Document) -> str:
    """The export as Markdown: what is said stands in the open, the rest in comments."""
    head = {name: value for name, value in document.items() if name not in LISTS}
    counts = {name: len(document[name]) for name in LISTS if document.get(name)}
    lines = ["# Recollect export", "", "The comments are what `recollect load` reads; the rest is for people.", ""]
    lines += [_hidden("document", {**head, COUNTS: counts}), ""]
    for layer, title in LAYER_TITLES.items():
        entries = [entry for entry in document["entries"] if entry["layer"] == layer]
        if entries:
            lines += [f"## {title} ({layer})", ""]
            for entry in entries:
                lines += _entry_lines(entry)
            lines.append("")
    for name in LISTS[1:]:
        if document.get(name):
            lines += [f"## {name.capitalize()}", ""]
            lines += [line for item in document[name] for line in _item_lines(name, item)]
            lines.append("")
    return "\n".join(lines)


def _entry_lines(entry: dict[str, Any]) -> list[str]:
    state = "" if entry["status"] == "active" else f"*{status_word(entry['status'])}*: "
    cited = [citation_label(citation) for citation in entry_of(entry).citations]
    tail = [f"  ({', '.join(cited)})"] if cited else []
    return [*_said(state + entry["content"]), *tail, "  " + _hidden("entry", entry)]


def _item_lines(name: str, item: dict[str, Any]) -> list[str]:
    """Tasks and projects are shown; the rest is of use to programs only."""
    if name not in SHOWN:
        return [_hidden(name, item)]
    more = "".join("\n" + item[field] for field in ("state", "notes") if item.get(field))
    return [*_said(f"{item['title']} ({item['status']}){more}"), "  " + _hidden(name, item)]


def _said(text: str) -> list[str]:
    # What is said must not be taken for one of our comments.
    first, *more = text.replace("<!--", "&lt;!--").split("\n")
    return [f"- {first}", *(f"  {line}" for line in more)]


def _hidden(kind: str, value: object) -> str:
    # A comment ends at the first `-->`: JSON can spell that in another way.
    return f"{_OPEN}{kind} {json.dumps(value, ensure_ascii=False).replace('>', chr(92) + 'u003e')}{_CLOSE}"


def parse(text: str) -> Document:
    """An export of either format as its document; UsageError when it is neither."""
    document = _parse_json(text) if text.lstrip().startswith("{") else _parse_markdown(text)
    if "version" not in document:
        raise UsageError("That file is not an export of Recollect; `recollect export` makes one.")
    return document


def _parse_json(text: str) -> Document:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"That file is not an export of Recollect, or a damaged one: {error}.") from error
    assert isinstance(document, dict)
    return document


def _parse_markdown(text: str) -> Document:
    document: Document = {name: [] for name in LISTS}
    for line in text.split("\n"):
        stripped = line.strip()
        if not (stripped.startswith(_OPEN) and stripped.endswith(_CLOSE)):
            continue
        kind, _, body = stripped[len(_OPEN) : -len(_CLOSE)].partition(" ")
        try:
            value = json.loads(body)
        except (ValueError, RecursionError) as error:
            raise UsageError(f"That export is damaged: a comment is not valid JSON ({body[:40]}…).") from error
        if kind == "document" and isinstance(value, dict):
            document.update(value)
        elif kind == "entry":
            document["entries"].append(value)
        elif kind in LISTS:
            document[kind].append(value)
    _require_whole(document)
    return document


def _require_whole(document: Document) -> None:
    counts = document.pop(COUNTS, {})
    for name in LISTS if isinstance(counts, dict) else ():
        wanted, there = counts.get(name, len(document[name])), len(document[name])
        if wanted != there:
            raise UsageError(f"That export is damaged: {there} of its {wanted} {name} are there; nothing was loaded.")
