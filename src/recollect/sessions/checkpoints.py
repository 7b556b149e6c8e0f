"""Checkpoints: the summary of each compaction as a Markdown file of its own, and the index of them."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import TYPE_CHECKING, Any

from recollect.model.record import Record
from recollect.sessions import events
from recollect.sessions.events import timestamp
from recollect.text.openings import OPENINGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from recollect.sessions.events import Event

UNTITLED = "Checkpoint"
LONGEST_TITLE = 80
LONGEST_NAME_BYTES = 60
WHEN_MADE = "one is made each time the conversation is compacted"
_TITLE_TAG = re.compile(r"<checkpoint_title>\s*(.*?)\s*</checkpoint_title>", re.DOTALL)
_HEADING = re.compile(r"^# +(.+?) *#* *$", re.M)
_NAME = re.compile(r"(\d{3,9})(?:-(.*))?\.md")
_SUMMARY_BEGINS = re.compile(r"<summary>|Summary:")
_FIELD = re.compile(r"^(\w+): *(.*?) *$", re.M)


class Checkpoint(Record):
    """What a compaction left behind."""

    number: int
    title: str
    summary: str
    created: str = ""  # ISO 8601, UTC
    event_id: str = ""
    tokens_before: int = 0
    tokens_after: int = 0
    messages_before: int = 0
    messages_after: int = 0
    name: str = ""  # of its file, once it has one


def title_of(summary: str, *, otherwise: str = "") -> str:
    """The title that a summary gives itself, in a tag or as its first line; else the first line of another text."""
    tag = _TITLE_TAG.search(summary) or _HEADING.match(summary.lstrip())
    for text in (tag[1] if tag else "", otherwise):
        line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
        if line:
            return line if len(line) <= LONGEST_TITLE else line[: LONGEST_TITLE - 1].rstrip() + "…"
    return UNTITLED


def first_said(summary: str) -> str:
    """The first line of a summary that says something: after what a host writes above every summary, its analysis and
    its headings; else its first line."""
    lines = [line.strip("#*- \t") for line in summary.splitlines()]
    lines = [line for line in lines if line]
    if not lines:
        return ""
    start = next((at for at, line in enumerate(lines, 1) if _SUMMARY_BEGINS.fullmatch(line)), 0)
    told = (line for line in lines[start:] if not (line.endswith(":") or line.startswith(("<", *OPENINGS))))
    return next(told, lines[0])


def file_name(number: int, title: str) -> str:
    """`003-move-the-store.md`: letters and digits of any script and single dashes, short enough for every system."""
    words = unicodedata.normalize("NFC", title).casefold()
    slug = re.sub(r"-+", "-", "".join(c if c.isalnum() else "-" for c in words)).strip("-")
    slug = slug.encode("utf-8", "ignore")[:LONGEST_NAME_BYTES].decode("utf-8", "ignore").strip("-")
    return f"{number:03}-{slug or UNTITLED.lower()}.md"


def number_of(name: str) -> int:
    """The number in the name of a checkpoint's file; 0 for any other file."""
    found = _NAME.fullmatch(name)
    return int(found[1]) if found else 0


def of_event(event: Event) -> Checkpoint | None:
    """The checkpoint that an event tells of; None when it tells of none."""
    data = event.data
    number = data.get("checkpointNumber")
    if event.kind != events.COMPACTION_COMPLETE or data.get("success") is not True or not isinstance(number, int):
        return None
    summary, title = data.get("summaryContent"), data.get("checkpointTitle")
    before = _number(data.get("preCompactionMessagesLength"))
    return Checkpoint(
        number=number,
        title=title if isinstance(title, str) and title else UNTITLED,
        summary=summary if isinstance(summary, str) else "",
        created=timestamp(event.at),
        event_id=event.event_id,
        tokens_before=_number(data.get("preCompactionTokens")),
        tokens_after=_number(data.get("postCompactionTokens")),
        messages_before=before,
        messages_after=before - _number(data.get("messagesRemoved")),
    )


def render(checkpoint: Checkpoint) -> str:
    """The file of a checkpoint."""
    fields = {name: value for name, value in checkpoint._asdict().items() if name not in ("summary", "name")}
    head = "\n".join(f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in fields.items())
    return f"---\n{head}\n---\n\n# {checkpoint.title}\n\n{checkpoint.summary.strip()}\n"


def parse(name: str, text: str) -> Checkpoint:
    """The checkpoint of a file, also of one that a person changed: what it does not say comes from its name."""
    found = _NAME.fullmatch(name)
    head, body = _parted(text)
    fields: dict[str, Any] = {}
    for field, value in _FIELD.findall(head):
        if field in Checkpoint._fields and field not in ("summary", "name", "number"):
            fields[field] = _value(value, str if field in ("title", "created", "event_id") else int)
    heading = _HEADING.match(body)
    title = fields.pop("title", "") or (heading[1] if heading else "")
    return Checkpoint(
        number=int(found[1]) if found else 0,
        title=title or ((found[2] or "").replace("-", " ") if found else "") or UNTITLED,
        summary=body[heading.end() :].strip() if heading else body.strip(),
        name=name,
        **fields,
    )


def render_index(checkpoints: Sequence[Checkpoint], in_effect: Iterable[int]) -> str:
    """The index of them all; one that was rewound away stays in it and says so."""
    if not checkpoints:
        return f"# Checkpoints\n\nNone yet: {WHEN_MADE}.\n"
    effective = set(in_effect)
    lines = ["# Checkpoints", "", "| number | made | title | messages | tokens | state |", "|---|---|---|---|---|---|"]
    for one in checkpoints:
        title = one.title.replace("\\", "\\\\").replace("|", "\\|").replace("[", "\\[").replace("]", "\\]")
        state = "in effect" if one.number in effective else "rewound"
        lines.append(
            f"| {one.number:03} | {one.created or '-'} | [{title}](<{one.name}>) "
            f"| {_became(one.messages_before, one.messages_after)} | {_became(one.tokens_before, one.tokens_after)} "
            f"| {state} |"
        )
    return "\n".join([*lines, ""])


def _became(before: int, after: int) -> str:
    return f"{before:,} → {after:,}" if before else "-"


def _parted(text: str) -> tuple[str, str]:
    text = text.replace("\r\n", "\n")
    if text.startswith("---\n"):
        head, mark, body = text[4:].partition("\n---\n")
        if mark:
            return head, body.lstrip("\n")
    return "", text.lstrip("\n")


def _value(text: str, kind: type) -> Any:
    try:
        value = json.loads(text)
    except ValueError:
        value = text if kind is str else 0
    return value if isinstance(value, kind) and not isinstance(value, bool) else kind()


def _number(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
