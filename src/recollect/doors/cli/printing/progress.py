"""Progress of long work: a bar with rate and remaining time on a terminal, nothing in a pipe."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from recollect.flows.sessions.past_sessions import no_progress

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recollect.flows.sessions.past_sessions import Progress


@contextmanager
def progress_bar(*, quiet: bool) -> Iterator[Progress]:
    """A bar on stderr that follows (what, done, total); several pieces of work may share it."""
    if quiet or not sys.stderr.isatty():
        yield no_progress
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(bar_width=30), TextColumn("{task.percentage:>3.0f}%"))
    # What the command prints stays on stdout: somebody may have piped it.
    console = Console(stderr=True)
    with Bar(*columns, TimeRemainingColumn(), console=console, transient=True, redirect_stdout=False) as bar:
        tasks: dict[int, object] = {}

        def follow(what: str, done: int, total: int) -> None:
            if total not in tasks:
                tasks[total] = bar.add_task("", total=total)
            name = what.replace("\\", "/").rsplit("/", 1)[-1][:28]
            bar.update(tasks[total], completed=done, description=name.ljust(28))  # type: ignore[arg-type]

        yield follow
