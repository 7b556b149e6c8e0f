"""What goes into a prompt: the session's block, frozen for the session, and the turn's, with no clock in it."""

from __future__ import annotations

from recollect.memory.rendering import entry_line
from recollect.model.receipts import Receipt
from recollect.prompts import render
from recollect.text.fences import SESSION_TAG, TURN_TAG, fence
from recollect.text.secrets import redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.memory.profile import Profile
    from recollect.model.receipts import Recall

LONGEST_QUERY = 2_000  # as kept in a receipt


def turn_block(recall: Recall, receipt_id: str) -> str:
    """The recalled entries inside their fence, or an empty text: silence beats noise."""
    if not recall.entries:
        return ""
    lines = "\n".join(entry_line(recalled.entry, recalled.check) for recalled in recall.entries)
    return fence(render("recall", entries=lines), tag=TURN_TAG, label=receipt_id)


def session_block(profile: Profile, task: str, *, limit_characters: int) -> str:
    """Profile, then the active task, as far as the ceiling allows; an empty text when there is neither."""
    parts = []
    if profile.text:
        parts.append(f"# Profile [{profile.usage}]\n\n{profile.text}")
    if task:
        parts.append(f"# Task\n\n{task}")
    frame = len(fence(render("session", body=""), tag=SESSION_TAG))
    body = ""
    for part in parts:
        room = limit_characters - frame - len(body) - 2
        if room <= 0:
            break
        piece = part if len(part) <= room else part[: max(room - 2, 0)] + "…"
        body += ("\n\n" if body else "") + piece
    return fence(render("session", body=body), tag=SESSION_TAG) if body else ""


def receipt_of(
    recall: Recall,
    *,
    receipt_id: str,
    repository: str,
    session: str = "",
    turn: int = 0,
    host: str = "",
    tokens: int = 0,
    now: float,
) -> Receipt:
    """The record of an injection: what was given, why, what it cost, what was left out."""
    query = redact(recall.query.strip())
    if len(query) > LONGEST_QUERY:
        query = query[:LONGEST_QUERY] + "…"
    return Receipt(
        receipt_id=receipt_id,
        session=session,
        turn=turn,
        host=host,
        repository=repository,
        created=now,
        query=query,
        tokens=tokens,
        entries=[
            {
                "id": recalled.entry.entry_id,
                "score": round(recalled.score, 4),
                "parts": {name: round(value, 4) for name, value in recalled.parts._asdict().items()},
                "tokens": recalled.tokens,
                "check": recalled.check,
                "because": recalled.because,
            }
            for recalled in recall.entries
        ],
        left_out=[{"id": out.entry_id, "why": out.why} for out in recall.left_out],
    )
