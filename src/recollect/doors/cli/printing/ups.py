"""What `up` found and what is known now, for a person to enjoy: forty lines, on a terminal and in a pipe."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from recollect.doors.cli.printing.output import counted, on_terminal, one_line, put, shortened
from recollect.doors.cli.printing.program import named_home, program
from recollect.doors.cli.printing.sessions import sessions_and_subagents
from recollect.doors.cli.printing.times import local
from recollect.flows.setup.told_lines import best_waiting, line_of
from recollect.model.hosts import TITLES
from recollect.model.record import Record
from recollect.text.ids import short_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from recollect.flows.sessions.past_sessions import HostFound
    from recollect.flows.setup.up import Up, Work
    from recollect.model.entries import Entry

MOST_WAITING = 2
MOST_FOLDERS = 3
MOST_PROVEN = 3  # of a repository
MOST_FILES = 2
LEAST_EDITED = 3  # sessions
MOST_TOLD_ROWS = 8  # of the user and all repositories together
TERMINAL_COLUMNS = 80  # what is shown is chosen for these, wherever it is shown
LONGEST_NAME = 16
MOST_CONFLICTS = 2
MOST_ROWS = 3  # of one item
PIPE_COLUMNS = 200


class Place(Record):
    """Where it was done, and what can be done there next."""

    samples: str  # the folder with the samples; empty for one's own sessions
    here: str  # the repository that one is in
    connectable: bool  # there is an agent on this machine that has no memory yet
    keeps_terminal: bool  # the panel follows, and stays until Ctrl-C


def print_found(hosts: Sequence[HostFound], *, sample: bool) -> None:
    """The table of what there is, before anything is imported."""
    rows = [
        (
            TITLES.get(one.host, one.host),
            f"over {one.sessions:,} sessions" if one.more else counted(one.sessions, "session"),
            f"{local(one.first)[:10]} to {local(one.last)[:10]}",
        )
        for one in hosts
    ]
    paper = _Paper()
    taken = 2 + sum(max((len(row[column]) for row in rows), default=0) + 2 for column in range(3))
    shown = [(*row, _folders(one.folders, paper.columns - taken)) for row, one in zip(rows, hosts, strict=True)]
    paper.table("Found in the samples" if sample else "Found on this machine", shown)


def _folders(folders: Sequence[str], columns: int) -> str:
    """As many names of folders as fit, whole; how many there are where not even one does."""
    unique = list(dict.fromkeys(one.replace("\\", "/").rstrip("/").rpartition("/")[2] for one in folders))
    for named in range(min(MOST_FOLDERS, len(unique)), 0, -1):
        more = len(unique) - named
        said = ", ".join(unique[:named]) + (f" and {more} more" if more else "")
        if len(said) <= columns:
            return said
    return counted(len(unique), "folder")


def print_up(done: Up, place: Place, named: Callable[[str], str]) -> None:
    """How the work is done, what you told your agents, what is not sure, what contradicts what, and what it is for."""
    paper = _Paper()
    _print_news(done, paper)
    proofs = {named(repository): list(_proofs(work)) for repository, work in done.work.items()}
    if any(proofs.values()):
        paper.heading("How the work is done, and how often it passed")
        paper.groups(proofs)
    told = _told(done, named)
    if told:
        paper.heading("What you told your agents")
        paper.groups(told, whole=True)
        if done.corrections.repeated:
            paper.quiet(f"  {_corrected(done)}")
    where = named_home()
    if done.approvals:
        shown = best_waiting(done.waiting)[:MOST_WAITING]
        some = f"{len(shown)} of " if 0 < len(shown) < done.approvals else ""
        unsure = f"Waiting for your review ({some}{done.approvals}): one key each, with"
        paper.heading(_fitting(f"{unsure} `{program()} review{where}`", f"{unsure} `review` (below)"))
        paper.items(shown)
    if done.conflicts:
        whole = f"Contradictions: settle them with `{program()} {_conflicts(done, place.here)}{where}`"
        heading = _fitting(whole, "Contradictions: settle them with `conflicts` (below)")
        paper.pairs(heading, done.conflicts[:MOST_CONFLICTS])
    _print_example(done, paper, place, where)
    _print_next(done, paper, place, where)


def _fitting(whole: str, short: str) -> str:
    """A heading with a command that works as printed; where that is too long, the command stands only under Next."""
    return whole if len(whole) <= TERMINAL_COLUMNS else short


def _print_news(done: Up, paper: _Paper) -> None:
    """What this run brought; of a second one, what is new since the first."""
    sessions, turns = done.imported.sessions, done.imported.turns
    when = f" since {local(done.since)}" if done.since else ""
    if done.since and not (turns or done.stored):
        paper.line(f"Nothing new{when}.")
        return
    read = sessions_and_subagents(sessions, done.imported.subagents)
    paper.line(
        f"Read {read} with {counted(turns, 'new turn' if done.since else 'turn')}{when}; "
        f"kept {counted(done.stored, 'new entry', 'new entries')}, archived {counted(done.archived, 'session')}."
    )
    if done.since and done.new:
        paper.heading(f"New{when}")
        paper.items([line_of(entry) or entry.content for entry in done.new], mark="+")


def _print_example(done: Up, paper: _Paper, place: Place, where: str) -> None:
    """What it is for: a prompt of late that memory would have helped, or a question that it answers, as a command."""
    asked = done.question
    for one in done.examples[:1] if not (asked and place.samples) else ():
        when = f"On {local(one.day)[:10]} you" if one.day else "You"
        paper.heading(f"{when} typed this, and memory would have added")
        paper.line(f"  “{paper.fitted(one.question, 4)}”", "cyan")
        paper.items(one.answers, mark="+")
        return
    if asked:
        paper.heading("Try asking")
        everywhere = "" if asked.repository == place.here else " --all"
        paper.command(f"{program()} recall{everywhere}{where}", f'"{asked.text}"')
        paper.items(asked.answers, mark="+")


def _conflicts(done: Up, here: str) -> str:
    """The command that shows them all."""
    are_here = all(entry.repository in (here, "") for pair in done.conflicts for entry in pair)
    return "conflicts" if are_here else "conflicts --all"


def _print_next(done: Up, paper: _Paper, place: Place, where: str) -> None:
    """Commands that work as they are printed, from the folder that one is in."""
    samples = place.samples
    if done.suggestions and not samples:
        paper.quiet(
            f"\n{counted(done.suggestions, 'suggestion')} for your agents' files; see `recollect suggest list`."
        )
    heading = "Next, in another terminal" if place.keeps_terminal else "Next"
    paper.heading(f"{heading} (the samples stay in {samples} until the next run)" if samples else heading)
    name = program()
    if done.approvals or (done.suggestions and not samples):
        paper.command(f"{name} review{where}")
    if done.conflicts:
        paper.command(f"{name} {_conflicts(done, place.here)}{where}")
    if done.suggestions and not samples:
        paper.command(f"{name} suggest list{where}")
    if done.projects and not samples:
        paper.command(f"{name} memory status{where}")
    paper.command(f"{name} list --all{where}")
    if place.connectable:
        paper.command(f"{name} install all{'' if samples else where}")


def _proofs(work: Work) -> Iterator[str]:
    """Each with its proof, on one line; where nothing is proven, the files that most sessions edit."""
    for entry in work.proven[:MOST_PROVEN]:
        proof = entry.reason.rstrip(".").removeprefix("It passed ").partition(", last on ")[0].replace(" in ", ", ")
        yield f"{entry.content.rstrip('.')} ({proof})"
    often = [one for one in work.edited[:MOST_FILES] if one.sessions >= LEAST_EDITED]
    if often and not work.proven:
        yield "edited most: " + ", ".join(f"{one.path} ({one.sessions} sessions)" for one in often)


def _told(done: Up, named: Callable[[str], str]) -> dict[str, list[str]]:
    """What was said, of the user first: something of each, in no more rows than a person reads."""
    groups = {
        "everywhere": [line_of(entry) for entry in done.about_user],
        **{named(one): [line_of(entry) for entry in found] for one, found in done.about_repositories.items()},
    }
    taken = max((len(name[:LONGEST_NAME]) for name, lines in groups.items() if lines), default=0) + 4
    kept: dict[str, list[str]] = {name: [] for name, lines in groups.items() if lines}
    rows = MOST_TOLD_ROWS
    for at in range(max(map(len, groups.values()))):
        for name, lines in groups.items():
            needed = len(_wrapped(lines[at], TERMINAL_COLUMNS - taken)) if at < len(lines) else 0
            if 0 < needed <= rows:
                kept[name].append(lines[at])
                rows -= needed
    return {name: lines for name, lines in kept.items() if lines}


def _corrected(done: Up) -> str:
    times, repeated = done.corrections
    more = f"{'one' if repeated == 1 else repeated} of those corrections came more than once"
    return f"You corrected your agents {times} times; {more}."


def _wrapped(text: str, columns: int) -> list[str]:
    return wrap(text, columns, max_lines=MOST_ROWS, placeholder=" …", break_on_hyphens=False)


class _Paper:
    """The same pieces on a terminal and in a pipe."""

    def __init__(self) -> None:
        self._page = None
        if on_terminal():
            from recollect.doors.cli.printing.terminal import Page

            self._page = Page()

    @property
    def columns(self) -> int:
        """How much one line takes."""
        return self._page.columns if self._page else PIPE_COLUMNS

    def fitted(self, text: str, taken: int) -> str:
        """The text on one line, cut at a word where it would not fit beside what is taken."""
        return shortened(text, self.columns - taken)

    def heading(self, text: str) -> None:
        """What the next lines are about."""
        if self._page:
            self._page.heading(text)
        else:
            put(f"\n{text}")

    def line(self, text: str, style: str = "") -> None:
        """A paragraph."""
        if self._page:
            self._page.line(text, style)
        else:
            put(text)

    def quiet(self, text: str) -> None:
        """A paragraph that steps back."""
        self.line(text, "dim")

    def command(self, text: str, last: str = "") -> None:
        """A command to copy; where it would not fit, its last word goes on the next line, as a shell reads it.

        It has no comment behind it: zsh would pass that on as words.
        """
        whole = f"  {text} {last}".rstrip()
        lines = [f"  {text} \\", f"    {last}"] if last and len(whole) > self.columns else [whole]
        for line in lines:
            if self._page:
                self._page.whole(line, "dim")
            else:
                put(line)

    def table(self, heading: str, rows: Sequence[Sequence[str]]) -> None:
        """Columns under a heading."""
        if not rows:
            return
        self.line(heading, "bold")
        if self._page:
            self._page.table(rows)
        else:
            for row in rows:
                put("  " + "  ".join(row))

    def groups(self, groups: Mapping[str, Sequence[str]], *, whole: bool = False) -> None:
        """Lines that belong together, each group beside its name; one that is too long is cut, or goes on below it."""
        names = {name: one_line(name)[:LONGEST_NAME] for name, items in groups.items() if items}
        wide = max(map(len, names.values()), default=0)
        for name, shown in names.items():
            rows = [row for item in groups[name] for row in self._rows(item, wide + 4, whole=whole)]
            for number, row in enumerate(rows):
                before = (shown if not number else "").ljust(wide)
                self.line(f"  {before}  {row}")

    def items(self, items: Sequence[str], mark: str = "-") -> None:
        """One behind the other; what is too long goes on below."""
        for item in items:
            for number, row in enumerate(self._rows(item, 4, whole=True)):
                self.line(f"  {' ' if number else mark} {row}")

    def _rows(self, text: str, taken: int, *, whole: bool) -> list[str]:
        return _wrapped(one_line(text), self.columns - taken) if whole else [self.fitted(text, taken)]

    def pairs(self, heading: str, pairs: Sequence[tuple[Entry, Entry]]) -> None:
        """Contradictions: the newer one, which is used, and the older one."""
        self.heading(heading)
        for newer, older in pairs:
            for before, entry in (("  - ", newer), ("    but ", older)):
                name = f"  [{short_id(entry.entry_id) if self._page else entry.entry_id}]"
                self.line(f"{before}{self.fitted(entry.content, len(before) + len(name))}{name}")
