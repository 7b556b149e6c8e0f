"""Past sessions: import, session list|show|timeline, report; what only our own sessions have is in own_sessions."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from recollect.doors.cli.opening import opened
from recollect.doors.cli.options import (
    A_REPOSITORY,
    SCREENFUL,
    SINCE,
    WHEN,
    WORDS,
    Command,
    Group,
    json_option,
    limit_option,
)
from recollect.doors.cli.own_sessions import checkpoints, compact, is_own, replay, rewind
from recollect.doors.cli.printing.output import on_terminal, put, put_json, put_text, say
from recollect.doors.cli.printing.progress import progress_bar
from recollect.doors.cli.printing.sessions import (
    print_happenings,
    print_imported,
    print_moved_in,
    print_privacy,
    print_session,
    print_sessions,
    print_timeline,
)
from recollect.errors import UsageError
from recollect.files.reading import require_regular
from recollect.flows.sessions.past_sessions import is_empty_report
from recollect.flows.views.name_repository import name_repository, place_name
from recollect.model.foreign_memories import TITLES
from recollect.model.hosts import NAMES
from recollect.model.sessions import PRIVATE

if TYPE_CHECKING:
    from recollect.app import Recollect
    from recollect.model.sessions import Session

OWN = "recollect"  # the host of sessions that Recollect keeps itself
WEEK_SECONDS = 7 * 86_400.0
exclude_option = click.option(
    "--exclude", metavar="GLOB", multiple=True, type=WORDS, help="Skip folders that match, such as '*/private/*'."
)


@click.command("import", cls=Command, example="recollect import --host codex")
@click.argument("paths", nargs=-1, metavar="[PATH]...", type=WORDS)
@click.option(
    "--host", metavar="HOST", type=click.Choice(NAMES), help="Only this host's logs, or read PATH as its log."
)
@click.option(
    "--from", "kind", metavar="MEMORY", type=click.Choice(list(TITLES)), help="Import from another memory instead."
)
@click.option("--typed", is_flag=True, help="With --from: these are your own words; store them at once.")
@exclude_option
@json_option
def import_(
    paths: tuple[str, ...], host: str | None, kind: str | None, typed: bool, exclude: tuple[str, ...], as_json: bool
) -> None:
    """Import session logs; safe to repeat.

    It reads the logs at PATH, or those of every host. Nothing is imported twice. With --from it reads statements from
    another memory: each waits for your review, unless you add --typed.

    Only you can run it with PATH or --from, in your own terminal. Agents and scripts can run it without them.

    HOST is claude-code, codex, copilot-cli, gemini-cli, cursor, vscode, opencode, pi, goose, cline, acp, recollect,
    aider, specstory or messages.

    MEMORY is mem0, claude-md, claude-memory, codex-memory, copilot-memory, basic-memory or cursor-rules.
    """
    if typed and not kind:
        raise UsageError("--typed needs --from.")
    if kind and host:
        raise UsageError("--host is for session logs; leave it out with --from.")
    if kind and exclude:
        raise UsageError("--exclude is for session logs; leave it out with --from.")
    for path in paths:
        if not path or not Path(path).exists():
            raise UsageError(f"There is no file or folder {path!r}.")
        if not Path(path).is_dir():
            require_regular(path, os.stat(path), or_else="a folder of logs")
    if kind:
        _import_memories(kind, paths, typed=typed, as_json=as_json)
        return
    with opened(changes=True, creates=True) as memory:
        if paths:
            # Whoever writes a log can put words into somebody's mouth.
            memory = memory.for_person("Importing a log from outside its host's own folder")
        past = memory.sessions.excluding(exclude)
        logs, skipped = past.logs(paths, hosts=[host] if host else [])
        with progress_bar(quiet=as_json) as progress:
            imported = past.import_logs(logs, skipped=skipped if paths else (), progress=progress)
        print_imported(imported, bool(logs) and past.count() > 0, as_json=as_json)
    if paths and imported.skipped and not (logs or imported.turns):
        click.get_current_context().exit(1)  # none of what was named is a log


def _import_memories(kind: str, paths: tuple[str, ...], *, typed: bool, as_json: bool) -> None:
    from recollect.flows.sessions.import_memories import import_memories

    with opened(changes=True, creates=True) as memory:
        memory = memory.for_person("Importing another memory")
        print_moved_in(import_memories(kind, paths, memory.opened, typed=typed), as_json=as_json)


@click.group("session", cls=Group, default="list", example="recollect session list")
def session() -> None:
    """List, show, replay and rewind past sessions."""


@session.command("list", cls=Command, example="recollect session list --since 30d")
@click.option("--host", metavar="HOST", type=click.Choice(NAMES), help="Only this host, such as codex.")
@click.option("--repository", metavar="R", type=WORDS, default=None, help=f"Only from this repository: {A_REPOSITORY}.")
@click.option("--all", "everywhere", is_flag=True, help="In every repository.")
@click.option("--since", type=SINCE, default=0.0, metavar="WHEN", help=f"Only those started since then: {WHEN}.")
@limit_option
@click.option("--about", metavar="TEXT", type=WORDS, default="", help="Only those about this, best match first.")
@json_option
def list_sessions(
    host: str | None,
    repository: str | None,
    everywhere: bool,
    since: float,
    limit: int | None,
    about: str,
    as_json: bool,
) -> None:
    """List past sessions, newest first.

    By default, those of this repository, or all of them if it has none.
    """
    if limit is None:
        limit = SCREENFUL if on_terminal() and not as_json else 0
    with opened() as memory:
        here = name_repository(repository, memory.opened) if repository else memory.repository.repository
        if about:
            past, place = memory.sessions, None if everywhere or not here else here
            likely = past.about(about, repository=place, host=host or "", since=since, limit=limit or None)
            print_sessions(likely, as_json=as_json, narrowed=True)
            if place and not (likely or as_json):
                say("Look in every repository with --all.")
            return
        found = _listed(memory, None if everywhere or not here else here, host or "", since)
        if not found and not everywhere and not repository:
            found = _listed(memory, None, host or "", since)
            if found and here and not as_json:
                say("No sessions in this repository; these are from the others.")
        shown = found[:limit] if limit else found
        narrowed = bool(since or host or repository)
        print_sessions(shown, as_json=as_json, narrowed=narrowed, more=len(shown) < len(found))


def _listed(memory: Recollect, repository: str | None, host: str, since: float) -> list[tuple[Session, int]]:
    found = memory.sessions.listed(repository=repository, host=host, since=since)
    own = [] if host else memory.own_sessions.listed(repository=repository, since=since)
    ours = {session.session_id for session, _ in own}
    imported = [one for one in found if one[0].native_id not in ours]  # what is here itself is told once
    return sorted([*imported, *own], key=lambda one: one[0].started, reverse=True)


@session.command("show", cls=Command, example="recollect session show s_p3h6r9kd")
@click.argument("name", metavar="ID", type=WORDS)
@json_option
def show(name: str, as_json: bool) -> None:
    """Show a session turn by turn."""
    with opened() as memory:
        if is_own(memory, name):
            shown = memory.own_sessions.show(name)
            is_private = memory.sessions.is_private(shown.session.session_id)
            shown = shown._replace(session=shown.session._replace(privacy=PRIVATE if is_private else ""))
        else:
            shown = memory.sessions.show(name)
        print_session(shown, as_json=as_json)


@session.command("timeline", cls=Command, example="recollect session timeline s_p3h6r9kd")
@click.argument("name", metavar="ID", type=WORDS)
@json_option
def timeline(name: str, as_json: bool) -> None:
    """Show what happened in a session, line by line, compactions included."""
    with opened() as memory:
        if is_own(memory, name):
            print_happenings(memory.own_sessions.timeline(name), as_json=as_json)
        else:
            print_timeline(memory.sessions.show(name), as_json=as_json)


@session.command("private", cls=Command, example="recollect session private s_p3h6r9kd")
@click.argument("name", metavar="ID", type=WORDS)
@click.option("--undo", is_flag=True, help="Learn from it again. Only you can do this, in your own terminal.")
@json_option
def private(name: str, undo: bool, as_json: bool) -> None:
    """Stop learning from a session and its sub-agents.

    It stays in the list and can be shown. What was learned from it earlier stays too.
    """
    with opened(changes=True) as memory:
        if undo:
            memory = memory.for_person("Learning from a private session")
        past = memory.sessions
        if is_own(memory, name):
            name = memory.own_sessions.find(name)
            past.import_logs(past.logs_of(OWN, name))
        print_privacy(*past.set_private(name, private=not undo), as_json=as_json)


for own_command in (checkpoints, compact, replay, rewind):
    session.add_command(own_command)


@click.command("report", cls=Command, example="recollect report --since 7d")
@click.option("--since", type=SINCE, default=None, metavar="WHEN", help=f"Start of the report: {WHEN}.  [default: 7d]")
@click.option("--format", "form", type=click.Choice(["markdown", "html"]), default="markdown", show_default=True)
@click.option("--all", "everywhere", is_flag=True, help="All repositories, not only this one.")
@json_option
def report(since: float | None, form: str, everywhere: bool, as_json: bool) -> None:
    """Report what was done, by day and task."""
    with opened() as memory:
        now = time.time()
        text = memory.sessions.report(
            since=now - WEEK_SECONDS if since is None else since,
            until=now,
            everywhere=everywhere or not memory.repository.repository,
            as_html=form == "html",
        )
        if as_json:
            put_json({"format": form, "report": text})
        elif form == "html":
            put(text)
        else:
            put_text(text)
            if is_empty_report(text) and memory.repository.repository and not everywhere:
                place = place_name(memory.repository.repository, memory.opened.store)
                more = "`--since 30d` for more days" if since is None else "an earlier `--since`"
                say(f"Only {place} was looked at; add `--all` for every repository, or {more}.")
