"""Values as the JSON that scripts depend on: fields may be added here, never renamed. Times are ISO 8601 in UTC."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from recollect.errors import NotFound
from recollect.text.rendering import citation_label
from recollect.text.sections import section_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from recollect.app import Recollect
    from recollect.flows.views.preview import Preview, Previewed
    from recollect.flows.views.show import Details
    from recollect.memory.checks import Checked
    from recollect.memory.history import Step
    from recollect.memory.profile import Profile
    from recollect.model.drafts import Outcome
    from recollect.model.entries import Citation, Entry
    from recollect.model.receipts import Recall, Receipt
    from recollect.model.tasks import Project, Task

    Json = dict[str, Any]

CEILINGS = (
    "recall.max_entries",
    "recall.max_tokens",
    "recall.max_archive",
    "injection.max_characters",
    "injection.max_tokens",
    "profile.max_characters",
    "hook.limit_milliseconds",
)
ERASED = "erased"


def time_json(seconds: float) -> str | None:
    """A moment; None for never."""
    if not seconds:
        return None
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    except (ValueError, OverflowError, OSError):  # a time that no clock ever showed, from a file somebody edited
        return None


def narrow_status(outcome: Outcome) -> str:
    """What became of a write in the four words that scripts know: stored, duplicate, staged or refused."""
    if outcome.is_refused:
        return "refused"
    return "stored" if outcome.status in ("updated", "removed", "voted") else outcome.status


def outcome_json(outcome: Outcome) -> Json:
    """What became of a write."""
    return {
        "id": outcome.entry_id,
        "status": narrow_status(outcome),
        "why": outcome.why,
        "conflicts": list(outcome.conflicts),
        "superseded": list(outcome.superseded),
        "also": list(outcome.also),
    }


def approved_json(outcome: Outcome) -> Json:
    """What became of what a person accepted, with the word for what was done."""
    return {**outcome_json(outcome), "status": outcome.status}


def preview_json(found: Preview) -> Json:
    """What an agent would be given, part by part."""
    turn = None if found.turn is None else _previewed_json(found.turn)
    return {
        "host": found.host,
        "repository": found.repository,
        "note": found.note,
        "start": _previewed_json(found.start),
        "prompt": found.prompt,
        "turn": turn,
    }


def _previewed_json(given: Previewed) -> Json:
    return {
        "text": given.text,
        "tokens": given.tokens,
        "why": given.why,
        "parts": [part._asdict() for part in given.parts],
        "left_out": [{"id": out.entry_id, "why": out.why} for out in given.left_out],
    }


def entry_json(entry: Entry, check: str) -> Json:
    """An entry as a list shows it."""
    return {
        "id": entry.entry_id,
        "layer": entry.layer,
        "scope": entry.scope,
        "repository": entry.repository,
        "subject": entry.subject,
        "content": entry.content,
        "source": entry.source,
        "origin": entry.origin,
        "status": entry.status,
        "tags": list(entry.tags),
        "check": check,
        "recall_count": entry.recall_count,
        "votes": {"up": entry.votes_up, "down": entry.votes_down},
        "created": time_json(entry.created),
        "updated": time_json(entry.updated),
    }


def details_json(details: Details, checks: Sequence[Checked]) -> Json:
    """Everything about an entry; one check a citation."""
    entry = details.entry
    values = entry_json(entry, details.check.check)
    values["votes"]["given"] = [
        {
            "direction": vote["direction"],
            "reason": vote["reason"],
            "by": vote["actor"],
            "at": time_json(vote["created"]),
        }
        for vote in details.votes
    ]
    return {
        **values,
        "aliases": list(entry.aliases),
        "reason": entry.reason,
        "citations": [
            {**cited_json(citation), "check": checked.check, "detail": checked.detail}
            for citation, checked in zip(entry.citations, checks, strict=True)
        ],
        "history": [step_json(step) for step in details.history],
        "replaced": [old.entry_id for old in details.replaced],
        "chain": [{"id": one.entry_id, "status": one.status, "content": one.content} for one in details.chain],
        "superseded_by": entry.superseded_by,
        "receipts": [
            {
                "receipt": one.receipt_id,
                "session": one.session,
                "turn": one.turn,
                "at": time_json(one.created),
                "how": one.how(entry.entry_id),
            }
            for one in details.receipts
        ],
        "confidence": entry.confidence,
        "project": entry.project,
        "task": entry.task,
        "session": entry.session,
        "last_used": time_json(entry.last_used),
    }


def cited_json(citation: Citation) -> Json:
    """A citation, with the label a person would write."""
    return {**citation.filled(), "label": citation_label(citation)}


def step_json(step: Step) -> Json:
    """One change of an entry: who, when, and what it was before and after."""
    changed = {}
    if step.before:
        for name, old, new in zip(step.after._fields, step.before, step.after, strict=True):
            if old != new and name != "updated":
                changed[name] = {"before": _value_json(old), "after": _value_json(new)}
    return {
        "id": step.after.entry_id,
        "change": step.change.change_id,
        "action": step.change.action,
        "actor": step.change.actor,
        "at": time_json(step.change.created),
        "undone_by": step.change.undone_by,
        "content": step.after.content,
        "changed": changed,
    }


def _value_json(value: object) -> object:
    if not isinstance(value, tuple):
        return value
    return [one.filled() if hasattr(one, "_fields") else one for one in value]


def recall_json(found: Recall, receipt_id: str) -> Json:
    """What a turn would get."""
    return {
        "query": found.query,
        "receipt": receipt_id,
        "tokens": found.tokens,
        "floor": found.floor,
        "entries": [
            {
                "id": one.entry.entry_id,
                "kind": "turn" if "#" in one.entry.entry_id else "entry",
                "layer": one.entry.layer,
                "subject": one.entry.subject,
                "content": one.entry.content,
                "score": round(one.score, 4),
                "relevance": round(one.relevance, 4),
                "parts": {name: round(value, 4) for name, value in one.parts._asdict().items()},
                "because": one.because,
                "check": one.check,
                "citations": [cited_json(citation) for citation in one.entry.citations],
                "source": one.entry.source,
                "tokens": one.tokens,
            }
            for one in found.entries
        ],
        "left_out": [
            {"id": out.entry_id, "why": out.why, "relevance": round(out.relevance, 4)} for out in found.left_out
        ],
    }


def receipt_json(receipt: Receipt, memory: Recollect) -> Json:
    """A receipt, with what its entries say now."""
    return {
        "receipt": receipt.receipt_id,
        "session": receipt.session,
        "turn": receipt.turn,
        "host": receipt.host,
        "repository": receipt.repository,
        "at": time_json(receipt.created),
        "query": receipt.query,
        "entries": [{**given, **_as_it_is_now(str(given["id"]), memory)} for given in receipt.entries],
        "left_out": [
            {**out, **_as_it_is_now(str(out["id"]), memory)} if out.get("id") else out for out in receipt.left_out
        ],
        "tokens": receipt.tokens,
    }


def _as_it_is_now(entry_id: str, memory: Recollect) -> Json:
    name, is_turn, number = entry_id.partition("#")
    try:
        if is_turn:
            shown = memory.sessions.show(name)
            said = next((turn.user for turn in shown.turns if turn.number == int(number)), ERASED)
            return {"content": said, "status": "active" if said != ERASED else ERASED}
        entry = memory.entries.get(entry_id)
    except NotFound:
        return {"content": ERASED, "status": ERASED}
    return {"content": entry.content, "status": entry.status}


def profile_json(profile: Profile) -> Json:
    """The profile and how full it is."""
    return {
        "text": profile.text,
        "characters": len(profile.text),
        "limit": profile.limit_characters,
        "share": round(profile.share, 4),
        "entries": [
            {"id": entry.entry_id, "section": section_of(entry), "content": entry.content} for entry in profile.entries
        ],
    }


def task_json(task: Task) -> Json:
    """A task."""
    times = {"created": task.created, "updated": task.updated, "completed": task.completed}
    return {
        "id": task.task_id,
        "title": task.title,
        "status": task.status,
        "state": task.state,
        "project": task.project,
        "repository": task.repository,
        **{name: time_json(seconds) for name, seconds in times.items()},
    }


def project_json(project: Project) -> Json:
    """A project."""
    return {
        "id": project.project_id,
        "title": project.title,
        "status": project.status,
        "notes": project.notes,
        "repository": project.repository,
        "created": time_json(project.created),
        "updated": time_json(project.updated),
    }


def status_json(memory: Recollect) -> Json:
    """The state of a home at a glance."""
    from recollect.files.suggestion_notices import peek_notice
    from recollect.flows.views.name_repository import place_here
    from recollect.flows.views.status import status

    settings, now = memory.settings, status(memory.opened)
    last = now.last_injection
    return {
        "home": memory.home.root,
        "enabled": settings.enabled,
        "repository": memory.repository.repository,
        "place": place_here(memory.opened),
        "entries": now.entries,
        "profile": {name: value for name, value in profile_json(now.profile).items() if name in _SHARE},
        "sessions": now.sessions,
        "subagents": now.subagents,
        "pending": now.waiting.approvals,
        "suggestions": now.waiting.suggestions,
        "suggestions_elsewhere": now.waiting.elsewhere,
        "suggestion_mode": memory.suggestions.mode,
        "notice": peek_notice(memory.home.spool, memory.repository.repository),
        "hosts": now.hosts,
        "model": settings.models.default if settings.enabled else "rules",
        "ceilings": {name: settings.get(name) for name in CEILINGS},
        **now.connections._asdict(),
        "worker": now.worker._asdict(),
        "last_injection": {**last._asdict(), "at": time_json(last.at)} if last else None,
        "happened": now.happened._asdict(),
        "tools": now.tools,
    }


_SHARE = ("characters", "limit", "share")
