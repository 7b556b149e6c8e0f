"""What a chat shows, as text for a terminal: never markup, never a control character that a model or a tool said."""

from __future__ import annotations

import io
import re
import sys
import threading
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from recollect.doors.cli.printing.output import coloured, one_line, plain
from recollect.doors.cli.printing.program import as_called, command
from recollect.flows.chat import happenings as told
from recollect.flows.chat.toolbox import PLAN
from recollect.text.fences import strip_fences

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from recollect.model.permissions import Question

WIDEST = 100
MOST_DIFF_LINES = 60
MOST_RESULT_LINES = 8
BAR_CELLS = 10
_LEAD = re.compile(r"\s*(?:[◆◇●·›?✗☐▶☑*-] |\d+\. )?")
TODO_MARKS = {"pending": "☐", "in_progress": "▶", "completed": "☑"}
VERBS = {
    "store": "Remember",
    "update": "Change a memory to",
    "remove": "Forget",
    "vote": "Vote on",
    "edit": "Edit",
    "run": "Run",
    "read": "Read",
    "use": "Use",
}


class Screen:
    """A terminal that is written to from top to bottom, by several threads.

    While a prompt stands at the bottom, what is shown waits until it can be written above it; `hold` says that a prompt
    is about to be drawn, `write_above` how to write above it, `release` that it is gone. Nothing is lost in between."""

    def __init__(self, *, silent: bool = False) -> None:
        self._silent = silent
        self._colour = coloured()
        self._lock = threading.RLock()
        self._is_held = False
        self._waiting: list[str] = []
        self._ask_to_write: Callable[[], None] | None = None

    def show(self, *texts: Text | str) -> None:
        """One paragraph each."""
        if self._silent:
            return
        with self._lock:
            is_asked = bool(self._waiting)
            self._waiting.append("".join(self._drawn(text) for text in texts))
            if not self._is_held:
                self.write()
            elif self._ask_to_write is not None and not is_asked:
                self._ask_to_write()

    def write(self) -> None:
        """Write what waits, here and now."""
        with self._lock:
            sys.stdout.write("".join(self._waiting))
            sys.stdout.flush()
            self._waiting.clear()

    def hold(self) -> None:
        """A prompt is about to be drawn."""
        with self._lock:
            self._is_held = True

    def write_above(self, ask: Callable[[], None]) -> None:
        """A prompt is there. `ask` makes its own thread call `write` while the prompt is out of the way."""
        with self._lock:
            self._ask_to_write = ask
            if self._waiting:
                ask()

    def release(self) -> None:
        """The prompt is gone."""
        with self._lock:
            self._is_held, self._ask_to_write = False, None
            self.write()

    def _drawn(self, text: Text | str) -> str:
        page = io.StringIO()
        console = Console(
            file=page,
            force_terminal=self._colour,
            color_system="standard" if self._colour else None,
            highlight=False,
            markup=False,
            emoji=False,
        )
        console.width = min(columns(), WIDEST)
        console.print(_hung(text if isinstance(text, Text) else Text(plain(text)), console))
        return page.getvalue()


def _hung(text: Text, console: Console) -> Text:
    """The text in lines that fit. What is left of a long line stands under its beginning, behind a mark or a bullet."""
    rows: list[Text] = []
    for row in text.split("\n", allow_blank=True):
        lead = min(len(_LEAD.match(row.plain)[0]), console.width // 2)  # type: ignore[index]  # it always matches
        first, *more = row[lead:].wrap(console, console.width - lead) or [Text()]
        rows += [row[:lead] + first, *(Text(" " * lead) + one for one in more)]
    for row in rows:
        row.rstrip()
    return Text("\n").join(rows)


def columns() -> int:
    """How wide the terminal is."""
    import shutil

    return shutil.get_terminal_size().columns


def line(mark: str, text: str, style: str = "") -> Text:
    """One line with a mark before it."""
    return Text(f"{mark} {one_line(text)}", style=style)


def drawn(event: object) -> Iterable[Text | str]:  # noqa: C901 one case a kind of happening
    """How a happening looks; nothing for those that only the status line shows."""
    match event:
        case told.Said(text=text, is_cut=is_cut):
            yield Text(plain(text).strip("\n") + (" …" if is_cut else ""))
        case told.ToolStarted(name=name, kind=kind, title=title, diff=diff):
            yield line("●", name if kind == PLAN else f"{name} {title}", "cyan")
            if diff is not None:
                yield drawn_diff(diff.unified)
        case told.ToolFinished(ok=ok, text=text, diff=diff, kind=kind):
            if diff is None and (kind != PLAN or not ok):
                yield drawn_result(text, ok=ok)
        case told.TodosChanged(todos=todos):
            yield Text("\n".join(f"  {TODO_MARKS[one.status]} {one_line(one.text)}" for one in todos))
        case told.PlanChanged(text=text):
            yield Text("\n".join(f"  {row}" for row in plain(text).splitlines()), style="dim")
        case told.Recalled(line=said):
            yield line("◆", said, "dim")
        case told.Kept(line=said, change_id=change):
            yield line("◆", f"{said} (undo: {command(f'undo {change}')})", "green")
        case told.Compaction(line=said):
            yield line("◇", said, "dim")
        case told.Notice(text=text):
            yield line("·", text, "dim")
        case told.Queued(text=text):
            yield line("›", text, "bold")
        case told.Failed(why=why, remedy=remedy):
            yield line("✗", as_called(f"{why} {remedy}".strip()), "red")


def drawn_diff(unified: str) -> Text:
    """A diff, with its colours."""
    styles = {"+": "green", "-": "red", "@": "cyan"}
    lines = unified.splitlines()
    text = Text()
    for row in lines[:MOST_DIFF_LINES]:
        text.append(f"  {plain(row)}\n", style=styles.get(row[:1], ""))
    if len(lines) > MOST_DIFF_LINES:
        text.append(f"  … {len(lines) - MOST_DIFF_LINES} more lines\n", style="dim")
    text.rstrip()
    return text


def drawn_result(result: str, *, ok: bool) -> Text:
    """The first lines of what a tool said."""
    lines = plain(strip_fences(result)).strip("\n").splitlines()
    shown = [f"  {row}" for row in lines[:MOST_RESULT_LINES]]
    if len(lines) > MOST_RESULT_LINES:
        shown.append(f"  … {len(lines) - MOST_RESULT_LINES} more lines")
    return Text("\n".join(shown), style="dim" if ok else "red")


def drawn_question(question: Question) -> Text:
    """What a person is asked: the fact with its citations and scope, or the vote with its direction and reason."""
    rows = [f"{VERBS.get(question.action, question.action)}: {one_line(question.what)}"]
    if question.direction:
        rows.append(f"Vote: {question.direction}")
    rows += [f"Replaces: {one_line(old)}" for old in question.replaces]
    if question.reason:
        rows.append(f"Reason: {one_line(question.reason)}")
    if question.citations:
        rows.append(f"Citations: {one_line(', '.join(question.citations))}")
    if question.scope:
        where = "everywhere" if question.scope == "user" else f"in this repository ({one_line(question.repository)})"
        rows.append(f"Scope: {where}{', profile' if question.layer == 'L0' else ''}")
    rows.append(f"Asked because {one_line(question.why)}")
    text = Text(f"? {rows[0]}\n", style="yellow")
    text.append("\n".join(f"  {row}" for row in rows[1:]), style="default")
    return text


def bar(share: float, cells: int = BAR_CELLS) -> str:
    """How full something is, as a bar."""
    filled = min(cells, round(share * cells))
    return "▰" * filled + "▱" * (cells - filled)
