"""Sessions, imports and what waits, as the JSON that scripts depend on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.doors.shapes import entry_json, time_json
from recollect.model.candidates import Candidate
from recollect.model.sessions import DETACHED

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from recollect.flows.sessions.own_session import Rewound
    from recollect.flows.sessions.past_sessions import HostFound, Imported, SessionShown
    from recollect.flows.setup.up import Up
    from recollect.flows.views.blame import Blame
    from recollect.flows.writes.pending import Waiting
    from recollect.model.commits import BlamedCommit
    from recollect.model.permissions import Staged
    from recollect.model.sessions import Session, Turn
    from recollect.sessions.checkpoints import Checkpoint
    from recollect.sessions.tracing import Trace
    from recollect.store.checkpoints import StoredCheckpoint

    Json = dict[str, Any]


def imported_json(imported: Imported) -> Json:
    """What an import brought."""
    return {
        "sessions": imported.sessions,
        "subagents": imported.subagents,
        "turns": imported.turns,
        "messages": imported.messages,
        "bytes": imported.bytes,
        "seconds": round(imported.seconds, 3),
        "hosts": {host: counts._asdict() for host, counts in imported.hosts.items()},
        "skipped": [{"path": one.path, "why": one.why, "line": one.line} for one in imported.skipped],
    }


def session_json(session: Session, turns: int | None = None) -> Json:
    """One session, without its turns."""
    return {
        "id": session.session_id,
        "host": session.host,
        "native_id": session.native_id,
        "repository": session.repository,
        "branch": session.branch,
        "cwd": session.cwd,
        "title": session.title,
        "started": time_json(session.started),
        "ended": time_json(session.ended),
        "model": session.model,
        "agent": session.agent,
        "parent": session.parent,
        "detached": session.mode == DETACHED,
        "private": bool(session.privacy),
        **({} if turns is None else {"turn_count": turns}),
    }


def shown_json(shown: SessionShown) -> Json:
    """A session with its turns and sub-agents."""
    return {
        **session_json(shown.session),
        "turns": [turn_json(turn) for turn in shown.turns],
        "subagents": [session_json(one) for one in shown.subagents],
    }


def turn_json(turn: Turn) -> Json:
    """One turn."""
    return {
        "n": turn.number,
        "user": turn.user,
        "assistant": turn.assistant,
        "tools": [{**tool._asdict(), "paths": list(tool.paths)} for tool in turn.tools],
        "at": time_json(turn.at),
        "compactions": list(turn.compactions),
        "cwd": turn.cwd,
        "branch": turn.branch,
    }


def blame_json(found: Blame) -> Json:
    """What stands behind a file or a line of it."""
    return {
        "file": found.path,
        "line": found.line or None,
        "commits": [_blamed_json(commit, traces) for commit, traces in found.commits],
        "more": found.more,
        "decisions": [
            {"id": one.entry.entry_id, "content": one.entry.content, "layer": one.entry.layer, "why": one.why}
            for one in found.decisions
        ],
    }


def _blamed_json(commit: BlamedCommit, traces: Sequence[Trace]) -> Json:
    return {
        "commit": commit.name or None,
        "summary": commit.summary if commit.name else "",
        "author": commit.author if commit.name else "",
        "at": time_json(commit.authored) if commit.name else None,
        "lines": [list(one) for one in commit.lines],
        "sessions": [
            {
                "id": one.session.session_id,
                "host": one.session.host,
                "native_id": one.session.native_id,
                "title": one.session.title,
                "branch": one.session.branch,
                "agent": one.session.agent,
                "certain": one.is_certain,
                "why": list(one.why),
                "turns": [{"n": turn.number, "at": time_json(turn.at), "user": turn.user} for turn in one.turns],
            }
            for one in traces
        ],
    }


def stored_checkpoint_json(one: StoredCheckpoint) -> Json:
    """A checkpoint with the session it belongs to."""
    return {
        "session": one.session_id,
        "host": one.host,
        "repository": one.repository,
        "number": one.number,
        "title": one.title,
        "created": time_json(one.created),
        "summary": one.summary,
    }


def checkpoint_json(checkpoint: Checkpoint, *, path: str, in_effect: bool) -> Json:
    """What a compaction left behind."""
    return {
        "number": checkpoint.number,
        "title": checkpoint.title,
        "path": path,
        "created": checkpoint.created or None,
        "event": checkpoint.event_id,
        "tokens_before": checkpoint.tokens_before,
        "tokens_after": checkpoint.tokens_after,
        "messages_before": checkpoint.messages_before,
        "messages_after": checkpoint.messages_after,
        "in_effect": in_effect,
        "summary": checkpoint.summary,
    }


def rewound_json(session_id: str, rewound: Rewound) -> Json:
    """What going back did."""
    return {
        "id": session_id,
        "event": rewound.event.event_id,
        "to": rewound.to_event,
        "messages_before": rewound.messages_before,
        "messages_after": rewound.messages_after,
        "messages_removed": rewound.messages_before - rewound.messages_after,
        "turns": rewound.turn,
        "checkpoints": list(rewound.checkpoints),
    }


def candidate_json(candidate: Candidate) -> Json:
    """What waits for a person."""
    return {
        "id": candidate.candidate_id,
        "kind": candidate.kind,
        "what": candidate.what,
        "why": candidate.why,
        "from": candidate.came_from,
        "expires": time_json(candidate.expires),
        "proof": candidate.proof,
        "confidence": round(candidate.confidence, 3),
        "scope": candidate.draft.scope,
        "repository": candidate.draft.repository,
    }


def staged_json(staged: Staged) -> Json:
    """What an agent wanted and a person decides."""
    draft = staged.payload.get("draft") or staged.payload.get("memory") or {}
    return {
        "id": staged.staged_id,
        "kind": staged.action,
        "what": staged.what,
        "why": staged.why,
        "from": staged.client or "agent",
        "expires": time_json(staged.expires),
        "target": staged.target_id or None,
        "replaces": [touched["id"] for touched in staged.payload.get("touches", [])],
        "direction": staged.payload.get("direction") or None,
        "reason": staged.payload.get("reason") or draft.get("reason") or "",
        "subject": draft.get("subject") or "",
        "aliases": list(draft.get("aliases") or ()),
        "tags": list(draft.get("tags") or ()),
        "layer": draft.get("layer") or None,
        "scope": draft.get("scope") or ("repository" if staged.repository else "user"),
        "origin": draft.get("origin") or "assistant",
        "repository": staged.repository,
        "session": staged.session,
    }


def waiting_json(waiting: Waiting) -> Json:
    """One thing that waits."""
    return candidate_json(waiting) if isinstance(waiting, Candidate) else staged_json(waiting)


def found_json(found: Sequence[HostFound]) -> list[Json]:
    """What there is on this machine."""
    return [
        {
            "host": one.host,
            "sessions": one.sessions,
            "more": one.more,
            "first": time_json(one.first),
            "last": time_json(one.last),
            "bytes": one.bytes,
            "folders": list(one.folders),
        }
        for one in found
    ]


def up_json(done: Up, found: Sequence[HostFound], *, home: str, sample: bool) -> Json:
    """What `up` did, and what is known now."""
    return {
        "home": home,
        "sample": sample,
        "found": found_json(found),
        "imported": imported_json(done.imported),
        "stored": done.stored,
        "archived": done.archived,
        "read_by_model": done.read,
        "projects": done.projects,
        "suggestions": done.suggestions,
        "about_user": [entry_json(entry, "unchecked") for entry in done.about_user],
        "about_repositories": {
            name: [entry_json(entry, "unchecked") for entry in entries]
            for name, entries in done.about_repositories.items()
        },
        "conflicts": [
            {"newer": entry_json(newer, "unchecked"), "older": entry_json(older, "unchecked")}
            for newer, older in done.conflicts
        ],
        "pending": [candidate_json(candidate) for candidate in done.waiting],
        "examples": [
            {"question": one.question, "answers": list(one.answers), "day": time_json(one.day)} for one in done.examples
        ],
        "work": {
            name: {
                "proven": [{**entry_json(entry, "unchecked"), "proof": entry.reason} for entry in work.proven],
                "edited": [{**one._asdict(), "last": time_json(one.last)} for one in work.edited],
            }
            for name, work in done.work.items()
        },
        "corrections": done.corrections._asdict(),
        "since": time_json(done.since),
        "new": [entry_json(entry, "unchecked") for entry in done.new],
        "question": done.question and {**done.question._asdict(), "answers": list(done.question.answers)},
    }
