"""Suggestions and checks of customizations as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recollect.doors.shapes import cited_json, time_json
from recollect.suggestions.diffs import unified

if TYPE_CHECKING:
    from recollect.flows.suggestions.applying import ApplyOutcome, Written
    from recollect.flows.suggestions.checking import Finding
    from recollect.flows.suggestions.reconcile import Reconciled
    from recollect.model.suggestions import Suggestion

    Json = dict[str, Any]


# What a suggestion does with its line, before the line itself.
CHANGES = {"add": "Add", "merge": "Replace", "create": "Create", "remove": "Remove", "conflict": "Replace"}


def suggestion_json(one: Suggestion) -> Json:
    """A suggestion with the change it would make."""
    return {
        "id": one.suggestion_id,
        "fact": one.fact,
        "target_type": one.target_type,
        "target": one.target,
        "action": one.action,
        "confidence": one.confidence,
        "status": one.status,
        "citations": [cited_json(citation) for citation in one.citations],
        "diff": unified(one.target, one.before, one.after),
        "why": one.why,
        "place": one.place,
        "note": one.note,
        "edited": one.edited,
        "entries": list(one.fact_ids),
        "repository": one.repository,
        "created": time_json(one.created),
        "updated": time_json(one.updated),
    }


def applied_json(outcome: ApplyOutcome) -> Json:
    """What became of applying a suggestion."""
    from recollect.flows.suggestions.applying import Written

    if isinstance(outcome, Written):
        return {"id": outcome.suggestion.suggestion_id, "status": "applied", "path": outcome.path, "why": outcome.note}
    return {"id": outcome.suggestion.suggestion_id, "status": "needs_review", "path": "", "why": outcome.why}


def undone_json(outcome: Written) -> Json:
    """What became of taking a suggestion back."""
    return {"id": outcome.suggestion.suggestion_id, "status": outcome.suggestion.status, "path": outcome.path}


def reconciled_json(done: Reconciled) -> Json:
    """What a run came to."""
    return {
        "added": [suggestion_json(one) for one in done.added],
        "rebased": done.rebased,
        "withdrawn": done.withdrawn,
        "needs_review": done.needs_review,
    }


def finding_json(one: Finding) -> Json:
    """What a check found about one thing that a file names."""
    return {"file": one.file, "line": one.line, "what": one.what, "kind": one.kind, "check": one.check, "why": one.why}
