"""Commands that show entries: list, show, history, conflicts."""

from __future__ import annotations

import shlex

import click

from recollect.doors.cli.opening import joined, opened
from recollect.doors.cli.options import (
    A_PROJECT,
    A_REPOSITORY,
    LAYERS,
    PLACES,
    SCREENFUL,
    WHERE,
    WORDS,
    Command,
    id_argument,
    json_option,
    limit_option,
    since_option,
)
from recollect.doors.cli.printing.entries import (
    Notes,
    print_conflicts,
    print_conflicts_elsewhere,
    print_details,
    print_entries,
    print_history,
)
from recollect.doors.cli.printing.output import on_terminal, put_json
from recollect.doors.cli.printing.times import local
from recollect.flows.views.name_repository import place_name, short_name
from recollect.model.entries import SOURCES, STATUSES, status_word
from recollect.text.ids import CANDIDATE, STAGED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.app import Recollect

SAID = [status_word(status) for status in STATUSES]
KNOWLEDGE = ["L0", "L1"]


@click.command("list", cls=Command, example="recollect list --layer L1 --tag tooling")
@click.argument("text", metavar="[TEXT]", nargs=-1, type=WORDS)
@since_option
@click.option("--layer", "layers", metavar="L0,L1", type=LAYERS, default=(), help="Only these layers.")
@click.option("--status", type=click.Choice([*SAID, "any"]), default="active", help="[default: active]")
@click.option("--scope", metavar="here|everywhere", type=PLACES, default=None, help=f"Only what holds {WHERE}.")
@click.option("--tag", metavar="T", default="", type=WORDS, help="Only with this tag.")
@click.option("--repository", metavar="R", default="", type=WORDS, help=f"Only from this repository: {A_REPOSITORY}.")
@click.option("--project", metavar="P", default="", type=WORDS, help=f"Only in this project: {A_PROJECT}.")
@click.option("--task", metavar="T", default="", type=WORDS, help=f"Only in this task: {A_PROJECT}.")
@click.option("--source", type=click.Choice(SOURCES), default=None, help="Only what this source wrote.")
@click.option("--all", "everywhere", is_flag=True, help="In every repository.")
@limit_option
@json_option
def list_entries(
    text: tuple[str, ...],
    since: float,
    layers: tuple[str, ...],
    status: str,
    scope: str | None,
    tag: str,
    repository: str,
    project: str,
    task: str,
    source: str | None,
    everywhere: bool,
    limit: int | None,
    as_json: bool,
) -> None:
    """List entries, newest first.

    By default, those of this repository and your own; with TEXT, only those that contain all its words. --limit 0 lists
    them all. L0 is your profile, L1 knowledge, L2 the archive of past sessions, which is listed only with --layer L2.
    """
    if limit is None:
        limit = SCREENFUL if on_terminal() and not as_json else 0
    with opened() as memory:
        words = joined(text)
        entries = memory.entries.list(
            text=words,
            since=since,
            layer=layers or KNOWLEDGE,
            status=status,
            scope=scope,
            tag=tag,
            repository=repository,
            project=project,
            task=task,
            source=source,
            everywhere=everywhere,
            limit=limit + 1 if limit else 0,
        )
        more = bool(limit) and len(entries) > limit
        shown = entries[:limit] if more else entries
        where = {"text": words, "since": since, "repository": repository, "everywhere": everywhere}
        archived = not layers and bool(memory.entries.list(layer="L2", limit=1, **where))  # type: ignore[arg-type]
        command = _archive_command(words, since, repository, everywhere=everywhere) if archived else ""
        filters = (since, layers, scope, tag, repository, project, task, source)
        narrowed = any(filters) or status != "active"
        notes = Notes(words, narrowed, more, command, everywhere, lambda one: _elsewhere(one, memory))
        print_entries(shown, memory.entries.checks(shown, patient=True), notes, as_json=as_json)


def _archive_command(words: str, since: float, repository: str, *, everywhere: bool) -> str:
    """The same list of the archive."""
    options = [
        "--all" if everywhere else "",
        f"--repository {shlex.quote(repository)}" if repository else "",
        f"--since {shlex.quote(local(since))}" if since else "",
        shlex.quote(words) if words else "",
    ]
    return " ".join(["recollect list --layer L2", *filter(None, options)])


def _elsewhere(repository: str, memory: Recollect) -> str:
    """What people call a repository that is not this one."""
    return "" if repository == memory.repository.repository else short_name(repository, memory.opened.store)


@click.command("show", cls=Command, example="recollect show e_x7k2m9qf")
@id_argument
@json_option
def show(entry_id: str, as_json: bool) -> None:
    """Show everything about one entry.

    The id of something that is waiting for your review works too: it shows what an approval would do.
    """
    with opened() as memory:
        if entry_id.startswith((CANDIDATE, STAGED)):
            _show_waiting(entry_id, memory, as_json=as_json)
            return
        details = memory.entries.show(entry_id)
        entry = details.entry
        cited = [entry._replace(citations=(citation,)) for citation in entry.citations]
        checks = memory.entries.checks(cited, patient=True)
        place = place_name(entry.repository, memory.opened.store)
        print_details(details, checks, place=place, as_json=as_json)


def _show_waiting(name: str, memory: Recollect, *, as_json: bool) -> None:
    # Imported here: a list of entries shows nothing that waits.
    from recollect.doors.cli.printing.pending import print_pending
    from recollect.doors.session_shapes import waiting_json
    from recollect.flows.writes.pending import id_of, require_waiting

    waiting = memory.pending.get(name)
    require_waiting(id_of(waiting), waiting.status)
    if as_json:
        put_json(waiting_json(waiting))
    else:
        print_pending(memory, [waiting], 0, as_json=False)


@click.command("history", cls=Command, example="recollect history e_x7k2m9qf")
@id_argument
@json_option
def history(entry_id: str, as_json: bool) -> None:
    """Show the history of an entry, from its first version."""
    with opened() as memory:
        versions = [memory.entries.show(entry.entry_id) for entry in memory.entries.show(entry_id).chain]
        print_history(versions, as_json=as_json)


@click.command("conflicts", cls=Command, example="recollect conflicts")
@click.option("--all", "everywhere", is_flag=True, help="In every repository.")
@json_option
def conflicts(everywhere: bool, as_json: bool) -> None:
    """Show contradictions, and how to settle them.

    By default those of this repository and of what holds everywhere.
    """
    with opened() as memory:
        every = memory.entries.conflicts()
        pairs = every if everywhere else memory.entries.conflicts(everywhere=False)
        checks = memory.entries.checks([entry for pair in pairs for entry in pair], patient=True)
        print_conflicts(pairs, checks, lambda one: _elsewhere(one, memory), as_json=as_json)
        if not as_json:
            print_conflicts_elsewhere(len(every) - len(pairs))
