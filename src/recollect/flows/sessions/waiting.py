"""What waits, weighed against what is said now: said again in another session it counts more, taken back it goes."""

from __future__ import annotations

from recollect.text.language.statements import relation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from recollect.memory.drafts import Prepared
    from recollect.model.candidates import Candidate
    from recollect.store.store import Store

SAID = ("preference", "correction", "fact")  # kinds that were typed; a command or a profile line is proved otherwise
SUREST = 0.95


def say_again(draft: Prepared, store: Store) -> Candidate | None:
    """What waits and says the same, with the weight and the citations of both; None if nothing does.

    Each session counts once: whoever repeats it in the same one says nothing new."""
    for candidate in _about(draft, store):
        if relation(candidate.draft.content, draft.content) not in ("same", "near"):
            continue
        known = candidate.draft.citations
        if draft.session in {one.session for one in known}:
            return candidate
        sure = min(SUREST, 1 - (1 - candidate.confidence) * (1 - draft.confidence))
        both = draft._replace(citations=(*known, *draft.citations), confidence=round(sure, 3))
        raised = candidate._replace(
            draft=both, what=both.content, proof=candidate.proof + 1, confidence=both.confidence
        )
        store.candidates.replace(raised)
        return raised
    return None


def take_back(draft: Prepared, store: Store) -> bool:
    """Let what waits go where this says the opposite later; is there something later that says the opposite of this?"""
    later = False
    for candidate in _about(draft, store):
        if relation(candidate.draft.content, draft.content) == "opposite":
            if candidate.draft.created <= draft.created:
                store.candidates.settle(candidate.candidate_id, "expired")
            else:
                later = True
    return later


def _about(draft: Prepared, store: Store) -> Iterator[Candidate]:
    for candidate in store.candidates.waiting():
        if candidate.kind in SAID and candidate.draft.citations and candidate.draft.repository == draft.repository:
            yield candidate
