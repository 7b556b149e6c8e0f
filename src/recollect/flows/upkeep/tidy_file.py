"""Tidy the repository's memory file after a session: a model that has passed says which facts can go.

Rules have merged what was said twice when the session ended. A model only names what can go, and never changes a word.
The file as it was stays in the home, and the next session start says where."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from recollect.errors import ProviderError, RecollectError
from recollect.files.writing import write_atomic
from recollect.flows.writes.strategies import Strategies
from recollect.locks import lock
from recollect.model.jobs import TIDY
from recollect.model.record import Record
from recollect.prompts import render
from recollect.strategies.local import LOCK_SECONDS, PATH, dumped, parsed
from recollect.strategies.optimising import without

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recollect.flows.models.asking import AskedModels
    from recollect.flows.opened import Opened
    from recollect.model.messages import Json
    from recollect.strategies.optimising import Line

PURPOSE = "tidying a memory file"
FEWEST, MOST = 2, 200  # facts
OUTPUT_TOKENS = 2_048
_DROP: Json = {
    "type": "object",
    "properties": {
        "drop": {"type": "integer"},
        "keep": {"type": "integer"},
        "why": {"type": "string", "enum": ["same", "outdated"]},
    },
    "required": ["drop", "keep", "why"],
    "additionalProperties": False,
}
SCHEMA: Json = {
    "type": "object",
    "properties": {"facts": {"type": "array", "items": _DROP, "maxItems": MOST}},
    "required": ["facts"],
    "additionalProperties": False,
}


class Tidied(Record):
    """What became of a file."""

    dropped: int = 0
    why: str = ""  # why nothing was done
    state: int = 0  # of the file: when it was written


def leave_tidying(memory: Opened) -> None:
    """Leave it for the worker, where a model could do it and the file has changed since the last time."""
    state = _state(memory)
    if state and memory.models.is_there() and memory.models.has_passed():
        memory.store.jobs.add(
            TIDY, memory.repository.root, {"cwd": memory.repository.root}, input_version=state, now=memory.now
        )


def tidy_file(memory: Opened, models: AskedModels, *, require_ours: Callable[[], None] = lambda: None) -> Tidied:
    """Ask, check, keep the file as it was, write. Whatever does not hold changes nothing."""
    file = Strategies(memory).shared()
    if file is None:
        return Tidied(why="the repository's memory file is not in use here")
    if not models.is_there() or not models.has_passed():
        return Tidied(why="no model has passed `recollect models test`")
    try:
        before = file.read() or ""
        lines, others = parsed(before)
        if not FEWEST <= len(lines) <= MOST:
            return Tidied(why=f"there are {len(lines)} facts", state=_state(memory))
        better = without(lines, _asked(lines, models))
        if better is None or len(better) == len(lines):
            return Tidied(why="" if better else "the model's answer failed the checks", state=_state(memory))
        require_ours()
        with lock(file.lock_path, wait_seconds=LOCK_SECONDS):
            if (file.read() or "") != before:
                return Tidied(why="the file has changed in the meantime")
            copy = _keep_copy(before, memory)
            file.write("".join(f"{text}\n" for text in (*others, *map(dumped, better))))
    except ProviderError as error:
        return Tidied(why=str(error), state=_state(memory))
    except RecollectError as error:
        return Tidied(why=str(error))
    dropped = len(lines) - len(better)
    _tell(dropped, copy, memory)
    return Tidied(dropped, state=_state(memory))


def _asked(lines: Sequence[Line], models: AskedModels) -> list[tuple[int, int, str]]:
    text = render("tidy_file", facts="\n".join(f"{number}. {line['fact']}" for number, line in enumerate(lines, 1)))
    expected = models.expected_tokens(text, SCHEMA, answer=OUTPUT_TOKENS // 4)
    begun = models.begin(PURPOSE, expected_tokens=expected)
    value = begun.ask(text, SCHEMA, max_output_tokens=OUTPUT_TOKENS).value
    return [(one["drop"], one["keep"], one["why"]) for one in value["facts"]]


def _keep_copy(text: str, memory: Opened) -> str:
    stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime(memory.now))
    name = f"{os.path.basename(memory.repository.root)}-memories-{stamp}.jsonl"
    write_atomic(memory.home.backups, name, text)
    return os.path.join(memory.home.backups, name)


def _tell(dropped: int, copy: str, memory: Opened) -> None:
    gone = "1 fact" if dropped == 1 else f"{dropped} facts"
    said = f"A model took {gone} out of {PATH} that others repeat or replace (undo: `cp {copy} {PATH}`)."
    with memory.store.write(durable=False):
        memory.store.announcements.add(said, repository=memory.repository.repository, now=memory.now)


def _state(memory: Opened) -> int:
    """When the file was last written; 0 when there is none."""
    try:
        return int(os.stat(os.path.join(memory.repository.root, PATH)).st_mtime) if memory.repository.root else 0
    except OSError:
        return 0
