"""Memory in a file of the repository: collected while the session runs, merged into the file when it ends."""

from __future__ import annotations

import json

from recollect.errors import RecollectError
from recollect.locks import lock
from recollect.model.drafts import Outcome
from recollect.ports import PromptMemory
from recollect.strategies.gates import LOCAL
from recollect.strategies.optimising import checked, optimised
from recollect.text.language.statements import statement_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.model.entries import Scope
    from recollect.ports import NewMemory
    from recollect.strategies.optimising import Line, Optimiser

PATH = ".github/copilot-memories.jsonl"
LOCK_SECONDS = 5.0
INSTRUCTIONS = (
    "Facts are shared with everybody who works on this repository, in its file .github/copilot-memories.jsonl: store "
    "what holds for the repository, nothing personal and no secrets."
)


class Shared:
    """The file: how it is read and written. `read` gives None when there is none."""

    def __init__(
        self, read: Callable[[], str | None], write: Callable[[str], None], *, lock_path: str, what: str = PATH
    ) -> None:
        self.read = read
        self.write = write
        self.lock_path = lock_path
        self.what = what


class LocalMemory:
    """Facts of one repository. It can store, and nothing else."""

    name = LOCAL
    scopes: tuple[Scope, ...] = ("repository",)
    can_vote = False
    why_off = ""

    def __init__(
        self,
        file: Shared,
        *,
        new_id: Callable[[], str],
        log: Callable[[str], None],
        optimiser: Optimiser | None = None,
    ) -> None:
        self._file = file
        self._new_id = new_id
        self._log = log
        self._optimiser = optimiser
        self._new: list[Line] = []

    def prompt(self) -> PromptMemory:
        """How to store. What the file says comes with a clone, so anyone may have written it: it is not told."""
        try:
            lines, _ = parsed(self._file.read() or "")
        except RecollectError as error:
            self._log(str(error))
            lines = []
        return PromptMemory("", {"repository": len(lines)}, INSTRUCTIONS)

    def store(self, memory: NewMemory) -> Outcome:
        """Keep a fact until the end of the session."""
        try:
            self._file.read()
        except RecollectError as error:
            return Outcome("failed", why=str(error))
        key = statement_key(memory.fact)
        if any(statement_key(line["fact"]) == key for line in self._new):
            return Outcome("duplicate", why="It already says that.")
        record: Line = {
            "id": self._new_id(),
            "subject": memory.subject,
            "fact": memory.fact,
            "citations": list(memory.citations),
            "reason": memory.reason,
            "source": {"agent": memory.source, "origin": memory.origin},
        }
        self._new.append(record)
        return Outcome("stored", record["id"], why=f"It is written to {self._file.what} when the session ends.")

    def vote(self, fact: str, direction: str, reason: str) -> Outcome:
        """A file counts no votes."""
        return Outcome("refused", why="The local memory does not support votes.")

    def close(self) -> None:
        """Merge what is new with what stands in the file by now, and write it."""
        if not self._new:
            return
        try:
            with lock(self._file.lock_path, wait_seconds=LOCK_SECONDS):
                old, others = parsed(self._file.read() or "")
                lines = self._optimised([*old, *self._new])
                self._file.write("".join(f"{text}\n" for text in (*others, *map(dumped, lines))))
        except RecollectError as error:
            # Kept: whoever closes again may have more luck.
            self._log(f"the facts of this session were not written to {self._file.what}: {error}")
            return
        self._new = []

    def _optimised(self, lines: list[Line]) -> list[Line]:
        by_rules = optimised(lines)
        if self._optimiser is None:
            return by_rules
        try:
            better = checked(self._optimiser(by_rules), by_rules)
        except RecollectError as error:
            self._log(f"the model did not tidy {self._file.what}: {error}")
            return by_rules
        if better is None:
            self._log(f"the model did not tidy {self._file.what}: its answer is not a list of what was there")
        return by_rules if better is None else better


def parsed(text: str) -> tuple[list[Line], list[str]]:
    """The records of a file, and the lines that are none: somebody else's, which stay as they are."""
    lines: list[Line] = []
    others: list[str] = []
    for row in text.splitlines():
        if not row.strip():
            continue
        try:
            line = json.loads(row)
        except (ValueError, RecursionError):
            line = None
        if isinstance(line, dict) and isinstance(line.get("fact"), str) and line.get("id"):
            lines.append(line)
        else:
            others.append(row)
    return lines, others


def dumped(line: Line) -> str:
    """A record as a line of the file."""
    return json.dumps(line, ensure_ascii=False)
