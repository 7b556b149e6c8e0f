"""Before a compaction: what its summary must keep, word for word, and a checkpoint of ours beside the host's own."""

from __future__ import annotations

import os
import time

from recollect.context.pinned import pinned_lines
from recollect.errors import FileError, StoreFull
from recollect.files.inbox import session_folder
from recollect.files.writing import write_atomic
from recollect.memory.tasks import told_task
from recollect.model.receipts import COMPACTED
from recollect.prompts import render
from recollect.text.clean import clean
from recollect.text.fences import neutralise
from recollect.text.ids import short_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.flows.opened import Opened
    from recollect.model.receipts import Receipt
    from recollect.model.turns import Recipient

MOST_PINNED = 40
MOST_REQUESTS = 30
LONGEST_REQUEST = 400


def pre_compact(memory: Opened, to: Recipient, *, transcript: str = "") -> str:
    """Instructions for the host's compaction, within the ceiling; our checkpoint is written on the way."""
    turns = [one for one in memory.receipts(to.session) if one.turn > 0] if to.session else []
    pinned = dict.fromkeys(line for receipt in turns for line in pinned_lines(receipt.query))
    lines = [neutralise(line) for line in pinned][:MOST_PINNED]
    shown = told_task(memory.store, memory.repository.repository)
    write_checkpoint(memory, to, checkpoint_parts(turns, lines, shown, transcript))
    memory.empty_window(to, COMPACTED)
    return instructions(lines, shown, memory.limit_characters(to)) if to.ability.instructs_compaction else ""


def instructions(pinned: list[str], task: str, limit: int) -> str:
    """What the summary must keep: the user's own lines first; the task is cut where there is no room."""
    keep = "\n".join(f"- {line}" for line in pinned)
    keep = render("keep_pinned", pinned=keep) + "\n\n" if keep else ""
    room = limit - len(render("keep", pinned=keep, task=render("keep_task", task="") + "\n\n"))
    shown = render("keep_task", task=task[:room]) + "\n\n" if task and room > 0 else ""
    return render("keep", pinned=keep, task=shown)[:limit]


def checkpoint_parts(
    turns: list[Receipt], pinned: list[str], task: str, transcript: str
) -> list[tuple[str, list[str]]]:
    """What was asked for, pinned, open and given up to now, by heading."""
    given = dict.fromkeys(short_id(str(entry["id"])) for receipt in turns for entry in receipt.entries)
    return [
        ("Requests", [_one_line(receipt.query) for receipt in turns[-MOST_REQUESTS:] if receipt.query]),
        ("Pinned", pinned),
        ("Task", task.splitlines()),
        ("Memories given", list(given)),
        ("Transcript", [transcript] if transcript else []),
    ]


def write_checkpoint(memory: Opened, to: Recipient, parts: list[tuple[str, list[str]]]) -> None:
    """A checkpoint of ours; a disk that is full keeps none."""
    if not to.session:
        return
    folder = os.path.join(session_folder(to.host, to.session), "checkpoints")
    try:
        known = [name for name in os.listdir(os.path.join(memory.home.sessions, folder)) if name[:3].isdigit()]
    except OSError:
        known = []
    number = max((int(name[:3]) for name in known), default=0) + 1
    made = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(memory.now))
    title = f"Before a compaction in {to.ability.title}"
    head = f'---\nnumber: {number}\ntitle: "{title}"\ncreated: "{made}"\n---\n'
    body = "\n".join(f"\n## {name}\n" + "\n".join(f"- {line}" for line in lines) for name, lines in parts if lines)
    try:
        write_atomic(
            memory.home.sessions,
            os.path.join(folder, f"{number:03}-before-a-compaction.md"),
            f"{head}\n# {title}\n{body}\n",
        )
    except (FileError, StoreFull):
        return


def _one_line(text: str) -> str:
    line = clean(" ".join(text.split()))
    return line if len(line) <= LONGEST_REQUEST else line[:LONGEST_REQUEST] + "…"
