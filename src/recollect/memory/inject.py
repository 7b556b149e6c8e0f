"""What goes into a prompt: the session's block, frozen for the session, and the turn's, with no clock in it."""

from __future__ import annotations

from recollect.model.receipts import Receipt
from recollect.model.record import Record
from recollect.prompts import render
from recollect.text.fences import SESSION_TAG, TURN_TAG, fence
from recollect.text.rendering import entry_line, line_mark
from recollect.text.tokens import estimate_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.memory.profile import Profile
    from recollect.model.receipts import Recall

LONGEST_QUERY = 2_000  # as kept in a receipt
SEAM_TOKENS = 4  # what two texts may cost more together than apart
SHORTEST_PIECE = 40  # characters; less of a part says nothing


def turn_block(recall: Recall, receipt_id: str) -> str:
    """The recalled entries inside their fence, or an empty text: silence beats noise."""
    if not recall.entries:
        return ""
    lines = "\n".join(entry_line(recalled.entry, recalled.check) for recalled in recall.entries)
    return fence(render("recall", entries=lines), tag=TURN_TAG, label=receipt_id)


class Part(Record):
    """A piece of what a session is given at its start."""

    heading: str
    text: str
    whole: bool = False  # cut it, and it is worth nothing
    by_line: bool = False  # cut it at a line
    why: str = ""  # why it is there, for a person who looks


def profile_part(profile: Profile) -> Part:
    """The profile, with the share of its limit that is used."""
    return Part(f"Profile [{profile.usage}]", profile.text, why="your profile comes with every session")


def block_of(pieces: Sequence[str]) -> str:
    """The pieces inside their fence; empty when none says anything."""
    body = "".join(pieces)
    return fence(render("session", body=body), tag=SESSION_TAG) if body else ""


def fitting_pieces(parts: Sequence[Part], *, limit_characters: int, limit_tokens: int) -> list[str]:
    """What is given of each part, heading and all; empty where a part has nothing to say or no room."""
    frame = fence(render("session", body=""), tag=SESSION_TAG)
    pieces: list[str] = []
    body, is_full = "", False
    for part in parts:
        if not part.text or is_full:
            pieces.append("")
            continue
        piece = ("\n\n" if body else "") + (f"# {part.heading}\n\n" if part.heading else "") + part.text
        room = limit_characters - len(frame) - len(body)
        fitting = cut_to(piece, room, limit_tokens - estimate_tokens(frame + body) - SEAM_TOKENS)
        if part.by_line and fitting != piece:
            fitting = fitting.rpartition("\n")[0]
        is_full = fitting != piece
        pieces.append("" if is_full and part.whole else fitting)
        body += pieces[-1]
    return pieces


def cut_to(text: str, characters: int, tokens: int) -> str:
    """The text, or as much of its beginning as both ceilings allow, with a mark at the end; else nothing."""
    cut = text if len(text) <= characters else text[: max(characters - 1, 0)] + "…"
    while len(cut) > SHORTEST_PIECE and estimate_tokens(cut) > tokens:
        cut = text[: len(cut) * 9 // 10 - 1] + "…"
    return cut if len(cut) > SHORTEST_PIECE or (cut == text and estimate_tokens(cut) <= tokens) else ""


def kept_query(query: str) -> str:
    """A query as a receipt keeps it: its beginning."""
    query = query.strip()
    return query if len(query) <= LONGEST_QUERY else query[:LONGEST_QUERY] + "…"


def emptied(why: str, *, receipt_id: str, repository: str, session: str, host: str, now: float) -> Receipt:
    """The record that a session no longer has before it what it was given."""
    left_out: list[dict[str, object]] = [{"id": "", "why": why}]
    return Receipt(receipt_id, session, 0, host, repository, now, "", 0, [], left_out)


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
    return Receipt(
        receipt_id=receipt_id,
        session=session,
        turn=turn,
        host=host,
        repository=repository,
        created=now,
        query=kept_query(recall.query),
        tokens=tokens,
        entries=[
            {
                "id": recalled.entry.entry_id,
                "score": round(recalled.score, 4),
                "parts": {name: round(value, 4) for name, value in recalled.parts._asdict().items()},
                "relevance": round(recalled.relevance, 4),
                "floor": recall.floor,
                "tokens": recalled.tokens,
                "check": recalled.check,
                "because": recalled.because,
                "line": line_mark(entry_line(recalled.entry, recalled.check)),
            }
            for recalled in recall.entries
        ],
        left_out=[
            {"id": out.entry_id, "why": out.why, "relevance": round(out.relevance, 4), "floor": recall.floor}
            if out.relevance
            else {"id": out.entry_id, "why": out.why}
            for out in recall.left_out
        ],
    )
