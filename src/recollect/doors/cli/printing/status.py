"""How the state of a home looks."""

from __future__ import annotations

import time
from datetime import datetime
from typing import TYPE_CHECKING

from recollect.doors.cli.printing.output import counted, on_terminal, put, put_json, screen_columns
from recollect.doors.cli.printing.program import as_called, command
from recollect.doors.cli.printing.sessions import sessions_and_subagents
from recollect.doors.cli.printing.times import ago
from recollect.flows.writes.waiting import Waiting
from recollect.model.hosts import BY_HAND

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


WELCOME = (
    ("up", "read the past sessions of your agents"),
    ("up --sample", "see it first on sample sessions"),
    ('remember "..."', "store something yourself"),
    ("--help", "list every command"),
)


def print_status(document: dict[str, Any], *, as_json: bool) -> None:
    """The same facts for everyone: JSON, a page, or `name: value` lines."""
    if as_json:
        put_json(document)
    elif on_terminal():
        _status_page(document)
    else:
        for name, value in document.items():
            _put_lines(name, value)


def print_overview(document: dict[str, Any], *, empty_here: bool, passing: bool) -> None:
    """The state in a few lines, and the three commands that fit it; nobody connects agents to a passing home."""
    entries, waits = document["entries"], _waiting(document)
    connected = _running(document)
    archive = f" and {counted(entries['L2'], 'archive entry', 'archive entries')}" if entries["L2"] else ""
    put(f"Recollect remembers {counted(entries['L0'] + entries['L1'], 'entry', 'entries')}{archive} from "
        f"{sessions_and_subagents(document['sessions'], document['subagents'])}.")  # fmt: skip
    put(f"  here       {document['place'] or 'no repository'}")
    put(f"  profile    {document['profile']['characters']:,} of {document['profile']['limit']:,} characters")
    put(f"  connected  {', '.join(connected) or 'no agent yet'}")
    put(f"  waiting    {waits.said}")
    if document["last_injection"]:
        put(f"  last turn  {_injection(document['last_injection'])}")
    put("")
    fitting = _fitting(document, waiting=waits.total, connected=bool(connected) or passing, empty_here=empty_here)
    put_commands([*fitting, ("--help", "list every command")])


def print_welcome() -> None:
    """What to do first, before there is a home."""
    put("Recollect is one local memory for all your coding agents. It is empty so far.\n")
    put_commands(WELCOME)


def put_commands(commands: Sequence[tuple[str, str]]) -> None:
    """Commands as they work here, each with what it does, in two columns; below it where a line would be too long."""
    widest = max(len(words) for words, _ in commands)
    lines = [f"  {command(words.ljust(widest))}  {why}" for words, why in commands]
    if max(map(len, lines)) <= screen_columns():
        put("\n".join(lines))
        return
    for words, why in commands:
        put(f"  {command(words)}\n      {why}")


def _fitting(document: dict[str, Any], *, waiting: int, connected: bool, empty_here: bool) -> list[tuple[str, str]]:
    """The three commands that fit the state, what is most urgent first."""
    offered = [
        (not document["enabled"], "settings set enabled true", "switch memory on"),
        (not document["sessions"], "up", "read the sessions of your agents"),
        (not connected, "install all", "connect your agents"),
        (bool(document["untrusted"] or document["worker"]["failed"]), "doctor", "find out what is wrong"),
        (waiting > 0, "review", "decide what is waiting, one key each"),
        (empty_here, 'remember "..."', "store the first entry here"),
        (True, "preview", "see what the next session will get"),
        (True, "list", "see what is remembered here"),
        (True, "up", "import what is new"),
    ]
    fitting: dict[str, str] = {}
    for fits, words, why in offered:
        if fits:
            fitting.setdefault(words, why)
    return list(fitting.items())[:3]


def _put_lines(name: str, value: object) -> None:
    if isinstance(value, dict):
        for key, inner in value.items():
            _put_lines(f"{name}.{key}", inner)
    else:
        put(f"{name}: {_said(value)}")


def _said(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "no"
    return str(value).lower() if isinstance(value, bool) or value is None else str(value)


def _status_page(document: dict[str, Any]) -> None:
    from rich.text import Text

    from recollect.doors.cli.printing.terminal import Page, bar

    page = Page()
    entries, profile, ceilings = document["entries"], document["profile"], document["ceilings"]
    where = "folder" if document["repository"].startswith("path:") else "repository"
    if not document["enabled"]:
        page.line(as_called("Switched off. Switch it on with `recollect settings set enabled true`.\n"), "yellow")
    share = bar(profile["share"]).append(f"  {profile['characters']:,}/{profile['limit']:,} characters", style="dim")
    page.fields(
        [
            ("home", document["home"]),
            (where, document["place"] or "none here"),
            ("profile", share),
            ("entries", f"{entries['L0']:,} profile, {entries['L1']:,} knowledge, {entries['L2']:,} archive"),
            ("sessions", sessions_and_subagents(document["sessions"], document["subagents"])),
            ("waiting", _waiting(document).said),
            ("notice", document["notice"]),
            ("seen", ", ".join(f"{host} ({number:,})" for host, number in document["hosts"].items())),
            ("connected", _connected(document)),
            ("worker", _worker(document["worker"])),
            ("last turn", _injection(document["last_injection"])),
            ("so far", _happened(document["happened"])),
            ("model", "none needed (rules)" if document["model"] == "rules" else document["model"]),
            (
                "a turn gets",
                Text(f"at most {ceilings['recall.max_entries']} entries, {ceilings['recall.max_tokens']:,} tokens"),
            ),
        ]
    )


def _waiting(document: dict[str, Any]) -> Waiting:
    return Waiting(document["pending"], document["suggestions"], document["suggestions_elsewhere"])


def _happened(counts: dict[str, int]) -> str:
    own = {**counts, "compactions": counts["compactions"] - counts["host_compactions"]}
    freed = f" ({counts['tokens_freed']:,} tokens freed)" if counts["tokens_freed"] else ""
    said = {
        "recalls": counted(counts["recalls"], "recall"),
        "stores": f"{counted(counts['stores'], 'entry', 'entries')} stored",
        "votes": counted(counts["votes"], "vote"),
        "refusals": f"{counted(counts['refusals'], 'write')} of agents refused",
        "compactions": f"{counted(own['compactions'], 'conversation')} compacted{freed}",
        "host_compactions": f"{counted(counts['host_compactions'], 'compaction')} by your agents seen in their logs",
        "suggested": f"{counted(counts['suggested'], 'suggestion')} made",
        "applied": f"suggestions applied {counted(counts['applied'], 'time')}",
        "dismissed": f"suggestions dismissed {counted(counts['dismissed'], 'time')}",
    }
    return ", ".join(told for name, told in said.items() if own[name])


def _running(document: dict[str, Any]) -> list[str]:
    """The hosts that run our hooks, and what one should know about how; without those that were left out."""
    through, untrusted = document["connected_through"], document["untrusted"]
    hosts = [host for host, where in document["connected"].items() if where and host not in document["left_out"]]
    notes = {host: f"through {' and '.join(through[host])}" for host in hosts if host in through}
    notes |= {host: "not trusted" for host in hosts if host in untrusted}
    return [f"{host} ({notes[host]})" if host in notes else host for host in hosts]


def _connected(document: dict[str, Any]) -> str:
    left_out = document["left_out"]
    missing = [host for host, where in document["connected"].items() if not where and host not in left_out]
    parts = [", ".join(_running(document)) or "no agent yet"]
    parts += [f"not connected: {', '.join(missing)}"] if missing else []
    parts += [f"left out on purpose: {', '.join(left_out)}"] if left_out else []
    more = "see `recollect doctor`" if missing or document["untrusted"] else ""
    return "; ".join(part for part in (*parts, more) if part)


def _worker(worker: dict[str, Any]) -> str:
    there = worker["alive"] or worker["serving"]
    parts = [
        "running inside `recollect serve`" if worker["serving"] else "working" if there else "",
        f"{counted(worker['waiting'], 'job')} left{'' if there else ' for the next hook'}" if worker["waiting"] else "",
    ]
    failed = f"{counted(worker['failed'], 'job')} given up: see `recollect doctor`" if worker["failed"] else ""
    return ", ".join(part for part in (*parts, failed) if part) or "nothing to do"


def _injection(last: dict[str, Any] | None) -> str:
    if last is None:
        return ""
    given = counted(last["entries"], "entry", "entries")
    when = datetime.fromisoformat(last["at"]).timestamp()
    return f"{ago(when, now=time.time())}, {last['host'] or BY_HAND}: {given}, {last['tokens']:,} tokens"
