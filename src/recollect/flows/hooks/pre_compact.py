"""Before a compaction: what its summary must keep, word for word, and a checkpoint of ours beside the host's own."""

from __future__ import annotations

import os
import time

from recollect.context.pinned import pinned_lines
from recollect.errors import FileError, StoreFull
from recollect.files.writing import write_atomic
from recollect.memory.rendering import short_id
from recollect.memory.tasks import active_task, render_task
from recollect.prompts import render
from recollect.text.fences import neutralise
from recollect.text.secrets.redacting import redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.flows.hooks.occasion import Occasion
    from recollect.model.receipts import Receipt

MOST_PINNED = 40
MOST_REQUESTS = 30
LONGEST_REQUEST = 400
LONGEST_NAME = 60


def pre_compact(at: Occasion) -> str:
    """Instructions for the host's compaction, within the ceiling; our checkpoint is written on the way."""
    turns = [receipt for receipt in at.receipts() if receipt.turn > 0]
    pinned = dict.fromkeys(line for receipt in turns for line in pinned_lines(receipt.query))
    lines = [neutralise(line) for line in pinned][:MOST_PINNED]
    task = active_task(at.store, at.repository.repository)
    shown = render_task(task) if task else ""
    write_checkpoint(at, turns, lines, shown)
    keep = "\n".join(f"- {line}" for line in lines) or "- (no line was pinned in this session)"
    room = at.limit_characters - len(render("keep", pinned=keep, task=""))
    text = render("keep", pinned=keep, task=(shown or "No task is open.")[: max(room, 0)])
    return text[: at.limit_characters] if at.ability.instructs_compaction else ""


def write_checkpoint(at: Occasion, turns: list[Receipt], pinned: list[str], task: str) -> None:
    """A file that says what was asked for, pinned, open and given up to now; a disk that is full keeps none."""
    if not at.call.session:
        return
    folder = os.path.join(folder_name(at), "checkpoints")
    try:
        known = [name for name in os.listdir(os.path.join(at.home.sessions, folder)) if name[:3].isdigit()]
    except OSError:
        known = []
    number = max((int(name[:3]) for name in known), default=0) + 1
    made = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at.now))
    title = f"Before a compaction in {at.ability.title}"
    head = f'---\nnumber: {number}\ntitle: "{title}"\ncreated: "{made}"\n---\n'
    given = dict.fromkeys(short_id(str(entry["id"])) for receipt in turns for entry in receipt.entries)
    parts = [
        ("Requests", [_one_line(receipt.query) for receipt in turns[-MOST_REQUESTS:] if receipt.query]),
        ("Pinned", pinned),
        ("Task", task.splitlines()),
        ("Memories given", list(given)),
        ("Transcript", [at.call.transcript] if at.call.transcript else []),
    ]
    body = "\n".join(f"\n## {name}\n" + "\n".join(f"- {line}" for line in lines) for name, lines in parts if lines)
    try:
        write_atomic(
            at.home.sessions,
            os.path.join(folder, f"{number:03}-before-a-compaction.md"),
            f"{head}\n# {title}\n{body}\n",
        )
    except (FileError, StoreFull):
        return


def folder_name(at: Occasion) -> str:
    """A folder below sessions/ for what we keep of a host's session."""
    name = f"{at.call.host}_{at.call.session}".lower()
    return "s_" + "".join(c if c.isascii() and c.isalnum() else "_" for c in name)[:LONGEST_NAME]


def _one_line(text: str) -> str:
    line = redact(" ".join(text.split()))
    return line if len(line) <= LONGEST_REQUEST else line[:LONGEST_REQUEST] + "…"
