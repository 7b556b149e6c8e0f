"""What happens in a turn, as plain values: whoever shows an agent (a terminal, an editor, a pipe) is told in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.model.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    Happening: TypeAlias = (
        "TextDelta | Cleared | Said | ToolStarted | ToolFinished | TodosChanged | PlanChanged | Recalled | Kept | "
        "Compaction | WindowUsed | Queued | Notice | Done | Failed"
    )
    Tell: TypeAlias = Callable[["Happening"], None]


class TextDelta(Record):
    """A piece of the model's answer, as it comes. It counts once `Said` repeats it whole."""

    text: str


class Cleared(Record):
    """What came of this answer is void: the model is asked again."""


class Said(Record):
    """One whole message of the model, as it was recorded."""

    text: str
    is_cut: bool = False  # the turn was cancelled in the middle of it


class FileDiff(Record):
    """A change of one file; `before` is None for a new file."""

    path: str  # relative to the working folder
    before: str | None
    after: str
    unified: str


class ToolStarted(Record):
    """The model calls a tool. It runs once it is permitted."""

    call_id: str
    name: str
    kind: str  # as in the permissions
    title: str  # one line: what it is about
    arguments: dict[str, object]
    paths: tuple[str, ...] = ()
    diff: FileDiff | None = None  # what an edit would change


class ToolFinished(Record):
    """A tool is done."""

    call_id: str
    name: str
    kind: str
    ok: bool
    text: str  # what the model is told
    diff: FileDiff | None = None  # what was changed


class Todo(Record):
    """One thing to do."""

    text: str
    status: str  # pending | in_progress | completed


class TodosChanged(Record):
    """The list of what is to do, whole."""

    todos: tuple[Todo, ...]


class PlanChanged(Record):
    """The plan, whole."""

    text: str


class Recalled(Record):
    """What memory gave to a prompt, in one line; `receipt_id` opens the receipt."""

    line: str
    receipt_id: str
    entries: int
    tokens: int


class Kept(Record):
    """What the user just said for good was stored, or corrected something, before the model was asked."""

    line: str
    entry_id: str
    corrects: bool
    change_id: int = 0  # what takes it back: `recollect undo NUMBER`


class Compaction(Record):
    """started, waiting (the turn waits for it), completed, failed or cancelled; `line` says it in words."""

    state: str
    line: str
    trigger: str = ""
    tokens_before: int = 0
    tokens_after: int = 0


class WindowUsed(Record):
    """How full the window is, by what it is spent on."""

    system: int
    tools: int
    conversation: int
    limit: int

    @property
    def total(self) -> int:
        """All of it."""
        return self.system + self.tools + self.conversation


class Queued(Record):
    """A message that was typed during the turn is taken up now."""

    text: str


class Notice(Record):
    """Something that a person should know."""

    text: str


class Done(Record):
    """The turn is over; `text` is the last answer."""

    text: str


class Failed(Record):
    """The turn could not go on; the conversation is kept."""

    why: str
    remedy: str = ""


def nobody(happening: Happening) -> None:
    """Nobody looks."""
