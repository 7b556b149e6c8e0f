"""The memory of a project, on the terminal and as JSON."""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING, Any

from recollect.doors.cli.printing.output import counted, one_line, put, put_done, put_hint, put_json, put_text, say
from recollect.doors.cli.printing.times import local
from recollect.doors.shapes import time_json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recollect.flows.autonomous.artifacts import Built, Standing

TURN_ON = "recollect settings set memories.enabled true"
MOST_FAILED = 3


def print_view(text: str, *, is_on: bool, as_json: bool) -> None:
    """The payload, byte for byte in a pipe; with a note when it is switched off."""
    if as_json:
        put_json({"text": text, "enabled": is_on})
        return
    put_text(text)
    if not is_on:
        say(f"recollect: No session receives this yet. Turn it on with `{TURN_ON}`.")


def print_standing(found: Standing, *, place: str, as_json: bool) -> None:
    """What there is, what waits, the last run."""
    counts: Counter[str] = Counter(job.status for job in found.jobs)
    if as_json:
        put_json(standing_json(found, counts))
        return
    last = found.baseline
    rows = [
        ("project", place or "none: this folder is not in a repository"),
        ("background", "on" if found.enabled else f"off; turn it on with `{TURN_ON}`"),
        (
            "sessions",
            f"{counted(found.extractions, 'session')} contributed notes; proven commands come from all sessions",
        ),
        ("artifacts", f"{counted(len(found.files), 'file')} in {found.folder}" if found.version else "none yet"),
        ("last run", _last_run(found) if last.at else f"never. {found.why_empty}".strip()),
        ("queue", f"{counts['waiting']} waiting, {counts['running']} running, {counts['dead']} given up"),
    ]
    for name, value in rows:
        put_hint(f"{name.ljust(11)} {one_line(value)}")
    for job in [one for one in found.jobs if one.error][:MOST_FAILED]:
        again = f" Next attempt: {local(job.due)}." if job.status == "waiting" else ""
        put(f"{'failed'.ljust(11)} {job.kind} {one_line(job.key)}: {one_line(job.error)}{again}")
    if found.failed:
        put(f"{'model'.ljust(11)} The last answer could not be used: {one_line(found.failed)}")
        put_hint(f"{''.ljust(11)} It is asked again in a day; `recollect memory rebuild --now` asks now.")
    if counts["dead"]:
        put_hint(f"{''.ljust(11)} Try again with `recollect worker --retry`.")


def _last_run(found: Standing) -> str:
    last = found.baseline
    cost = f", {last.tokens:,} tokens" if last.tokens else ""
    undo = "; go back with `recollect memory undo`" if found.can_undo else ""
    return f"{local(last.at)}, version {found.version.lstrip('0')}, by {last.made_by}{cost}{undo}"


def standing_json(found: Standing, counts: Mapping[str, int]) -> dict[str, Any]:
    """The same as data."""
    last = found.baseline
    return {
        "repository": found.repository,
        "enabled": found.enabled,
        "folder": found.folder if found.version else "",
        "version": found.version,
        "files": list(found.files),
        "sessions": found.extractions,
        "queue": {status: counts[status] for status in ("waiting", "running", "dead")},
        "failed": [{"kind": one.kind, "key": one.key, "why": one.error} for one in found.jobs if one.error],
        "last_run": {"at": time_json(last.at), "made_by": last.made_by, "tokens": last.tokens} if last.at else None,
        "can_undo": found.can_undo,
        "answer_failed": found.failed,
        "why_empty": found.why_empty,
    }


def print_built(built: Built, *, as_json: bool) -> None:
    """What a rebuild made."""
    done = built.consolidated
    if as_json:
        put_json({"sessions": built.sessions, **done._asdict(), "detail": built.detail})
    elif done.why:
        read = f"Read {counted(built.sessions, 'session')}" if built.sessions else "No new sessions to read"
        put(f"{read}: {done.why}.")
        if built.detail:
            put_hint(built.detail)
    else:
        made = f"{counted(done.blocks, 'block')} and {counted(done.skills, 'skill')}, by {done.made_by}"
        read = (
            f"Read {counted(built.sessions, 'session')} and wrote"
            if built.sessions
            else "No new sessions to read; wrote"
        )
        put_done(f"{read} {made}.")
        put_hint("See what sessions receive with `recollect memory view`.")


def print_enqueued(sessions: int, *, as_json: bool) -> None:
    """What was left for the worker."""
    if as_json:
        put_json({"sessions": sessions, "status": "waiting"})
    else:
        first = f"read {counted(sessions, 'session')} and " if sessions else ""
        put_done(
            f"Queued: the next background worker will {first}consolidate. "
            "Do it now with `recollect memory rebuild --now`."
        )


def print_cleared(repositories: Sequence[str], *, as_json: bool) -> None:
    """What was cleared, and the way back."""
    if as_json:
        put_json({"cleared": list(repositories)})
    elif repositories:
        names = ", ".join(one_line(os.path.basename(one) or one) for one in repositories)
        put_done(f"Cleared the memory of {names}.")
        put_hint("Undo with `recollect memory undo` until the next run.")
    else:
        put("There was nothing to clear.")


def print_undone(what: str, *, as_json: bool) -> None:
    """What is there again."""
    if as_json:
        put_json({"restored": what})
    else:
        put_done(f"Restored {what}.")
