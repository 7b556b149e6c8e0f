"""Session start: profile, task, what waits, what is new here, guidance; the same bytes for as long as it lasts."""

from __future__ import annotations

from recollect.flows.turns.announcements import announcements
from recollect.flows.turns.keep_receipt import keep_block
from recollect.memory.inject import Part, filled_block, profile_part
from recollect.memory.profile import load_profile
from recollect.memory.rendering import entry_line
from recollect.memory.tasks import active_task, render_task
from recollect.model.receipts import Receipt
from recollect.model.record import Record
from recollect.prompts import render
from recollect.text import ids
from recollect.text.tokens import estimate_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.flows.hooks.occasion import Occasion
    from recollect.model.entries import Entry

COMPACTED = "compact"


class Given(Record):
    """What a session is given at its start, and which entries are in it, with why."""

    text: str
    entries: tuple[tuple[Entry, str, str], ...] = ()  # the entry, its check, and why it is here


def session_start(at: Occasion) -> str:
    """The block for the system prompt. After a compaction it is made anew, with what this session was given before."""
    if not (at.call.takes_text and at.ability.injects_at_start):
        return ""
    session = at.call.session
    compacted = at.call.source == COMPACTED
    known = at.store.receipts.kept_block(session) if session and not compacted else ""
    given = Given(known) if known else gather(at, compacted=compacted)
    if session and not known:
        text = keep_block(session, given.text, store=at.store, wait_seconds=at.wait_seconds, now=at.now, anew=compacted)
        given = given._replace(text=text)
    if given.text:
        at.keep(start_receipt(at, given))
    return given.text


def gather(at: Occasion, *, compacted: bool) -> Given:
    """Everything in the order in which the ceiling is filled; what comes last is the first to stay out."""
    profile = load_profile(at.store, limit_characters=at.settings.profile.max_characters)
    task = active_task(at.store, at.repository.repository)
    waits = announcements(at.store, repository=at.repository.repository, now=at.now)
    again = given_before(at) if compacted else []
    recent = newest_words(at) if not at.ability.injects_at_prompt else []
    parts = [
        profile_part(profile),
        Part("Task", render_task(task) if task else ""),
        Part("What waits", "\n".join(f"- {line}" for line in waits)),
        Part("Given earlier in this session", "\n".join(entry_line(entry, check) for entry, check, _ in again)),
        Part("Newest corrections and wishes", "\n".join(entry_line(entry, check) for entry, check, _ in recent)),
        # The summary of past sessions and the board stand here once there are such things.
        Part("", guidance(at), whole=True),
    ]
    text = filled_block(parts, limit_characters=at.limit_characters, limit_tokens=at.limit_tokens)
    used = [(entry, "unchecked", "profile") for entry in profile.entries]
    return Given(text, tuple(one for one in (*used, *again, *recent) if one[2] == "profile" or _shows(text, one[0])))


def guidance(at: Occasion) -> str:
    """What an agent should know about writing to this memory."""
    return render("guidance", profile_characters=f"{at.settings.profile.max_characters:,}")


def newest_words(at: Occasion) -> list[tuple[Entry, str, str]]:
    """What the user said or corrected last, for a host that takes no memory with a prompt: newest first."""
    here = ["", at.repository.repository, *at.repository.aliases]
    found = at.store.entries.newest_typed(list(dict.fromkeys(here)), limit=4 * at.limits.max_entries, now=at.now)
    return _within(at, found, "new, and this host takes no memory with a prompt")


def given_before(at: Occasion) -> list[tuple[Entry, str, str]]:
    """What turns of this session were given before a compaction took it out of sight: the last first."""
    names: dict[str, None] = {}
    for receipt in reversed(at.receipts()):
        for entry in receipt.entries:
            if entry.get("because") != "profile":
                names[str(entry["id"])] = None
    found = at.store.entries.active([name for name in names if "#" not in name][: 4 * at.limits.max_entries])
    return _within(at, found, "given earlier in this session")


def _within(at: Occasion, entries: list[Entry], why: str) -> list[tuple[Entry, str, str]]:
    """As many as one recall may bring, without those whose evidence is gone."""
    chosen: list[tuple[Entry, str, str]] = []
    left = at.limits.max_tokens
    for entry, verdict in zip(entries, at.checker().check(entries, now=at.now), strict=True):
        tokens = estimate_tokens(entry_line(entry, verdict.check))
        if verdict.gone_everywhere or tokens > left:
            continue
        if len(chosen) == at.limits.max_entries:
            break
        chosen.append((entry, verdict.check, why))
        left -= tokens
    return chosen


def _shows(text: str, entry: Entry) -> bool:
    return entry_line(entry)[:20] in text


def start_receipt(at: Occasion, given: Given) -> Receipt:
    """The record of what a session was given at its start; it is no turn, so it has no number."""
    return Receipt(
        receipt_id=at.new_id(ids.RECEIPT),
        session=at.call.session,
        turn=0,
        host=at.call.host,
        repository=at.repository.repository,
        created=at.now,
        query="",
        tokens=estimate_tokens(given.text),
        entries=[
            {
                "id": entry.entry_id,
                "score": 1.0,
                "parts": {},
                "tokens": estimate_tokens(entry_line(entry, check)),
                "check": check,
                "because": why,
            }
            for entry, check, why in given.entries
        ],
        left_out=[],
    )
