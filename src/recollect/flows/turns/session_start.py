"""Session start: profile, preferences, task, what waits, what is new, guidance, summary, board; the same bytes as long
as it lasts."""

from __future__ import annotations

from recollect.errors import RecollectError
from recollect.flows.turns.announcements import announcements
from recollect.flows.turns.keep_receipt import keep_block
from recollect.flows.turns.settle import uncontradicted
from recollect.memory.inject import Part, block_of, cut_to, fitting_pieces, profile_part
from recollect.memory.preferences import standing
from recollect.memory.tasks import told_task
from recollect.model.artifacts import FOLDER, HEADER
from recollect.model.receipts import COMPACTED, PREFERENCE, PROFILE, Receipt
from recollect.model.record import Record
from recollect.prompts import render
from recollect.text import ids
from recollect.text.fences import neutralise
from recollect.text.rendering import entry_line, line_mark
from recollect.text.tokens import estimate_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.flows.opened import Opened
    from recollect.memory.profile import Profile
    from recollect.model.board import BoardPlace
    from recollect.model.entries import Entry
    from recollect.model.turns import Recipient


LOOKED_AT = 200  # of what the user said for everywhere, the most used


class Given(Record):
    """What a session is given at its start, and which entries are in it, with why."""

    text: str
    entries: tuple[tuple[Entry, str, str], ...] = ()  # the entry, its check, and why it is here
    parts: tuple[tuple[Part, str], ...] = ()  # each part, and what of it there was room for
    board: BoardPlace | None = None  # the context board that is shown in it


def session_start(memory: Opened, to: Recipient, *, compacted: bool = False, resumed: bool = False) -> str:
    """The block for the system prompt. After a compaction it is made anew, with what this session was given before;
    nothing when the session is resumed and still has it."""
    if not (memory.settings.enabled and to.takes_at_start):
        return ""
    known = memory.store.receipts.kept_block(to.session) if to.session and not compacted else ""
    if known and resumed and to.ability.keeps_start:
        return ""
    given = Given(known) if known else gather(memory, to, compacted=compacted)
    if to.session and not known:
        given = given._replace(text=kept(given, memory, to, anew=compacted))
    if given.text:
        memory.keep_receipt(start_receipt(given, memory, to, compacted=compacted))
    return given.text


def gather(memory: Opened, to: Recipient, *, compacted: bool = False, tells: bool = True) -> Given:
    """Everything in the order in which the ceiling is filled; what comes last is the first to stay out.

    `tells`: does a session hear it? Then what is announced once is not announced again."""
    profile = memory.profile()
    waits = announcements(memory.store, repository=memory.repository.repository, now=memory.now, mark=tells)
    wishes = preferences(memory, to, profile)
    again = given_before(memory, to) if compacted and to.session else []
    recent = newest_words(memory, to) if not to.ability.injects_at_prompt else []
    told = {entry.entry_id for entry, _, _ in wishes}
    again, recent = ([one for one in some if one[0].entry_id not in told] for some in (again, recent))
    parts = [
        profile_part(profile),
        Part("Preferences", _lines(wishes), why="your preferences everywhere, most used first"),
        Part("Task", told_task(memory.store, memory.repository.repository), why="it is in progress here"),
        Part(
            "Waiting for your review",
            "\n".join(f"- {line}" for line in waits),
            why="repeated until you decide; reports of changes appear once",
        ),
        Part("Given earlier in this session", _lines(again), why="a compaction removed it from the conversation"),
        Part("From the memory that is in use here", strategy_text(memory), why="a setting names that memory"),
        Part("Newest corrections and wishes", _lines(recent), why="this host accepts no memory with a prompt"),
        Part("", guidance(memory, to), whole=True, why="how an agent uses this memory"),
    ]
    characters, tokens = memory.limit_characters(to), memory.limit_tokens(to)
    summary = memory_guidance(memory)
    pieces = fitting_pieces(parts, limit_characters=characters, limit_tokens=tokens)
    if summary:
        # Behind everything else, which never gives way to it.
        characters, tokens = memory.start_limits(to)
        parts.append(Part("", summary, by_line=True, why="this project's memory of past sessions"))
        pieces = fitting_pieces(parts, limit_characters=characters, limit_tokens=tokens)
    board = None
    if memory.settings.subconscious.enabled:
        from recollect.flows.board.show_board import board_part

        table, board = board_part(parts, memory, (characters, tokens), begins=tells)
        parts.append(table)
        pieces = fitting_pieces(parts, limit_characters=characters, limit_tokens=tokens)
    text = block_of(pieces)
    used = [(entry, "unchecked", PROFILE) for entry in profile.entries]
    shown = [one for one in (*wishes, *again, *recent) if _shows(text, one[0])]
    return Given(text, (*used, *shown), tuple(zip(parts, pieces, strict=True)), board)


def _lines(entries: list[tuple[Entry, str, str]]) -> str:
    return "\n".join(entry_line(entry, check) for entry, check, _ in entries)


def strategy_text(memory: Opened) -> str:
    """What the memory says that is in use here instead of our own store; nearly always there is none."""
    settings = memory.settings
    if not (settings.injected_memory.text or settings.agentic_memory.enabled):
        return ""
    from recollect.flows.writes.start_texts import told_at_start

    return told_at_start(memory)


def memory_guidance(memory: Opened, *, anyway: bool = False) -> str:
    """What past sessions of this project left, and how far to trust it; nothing unless it was switched on."""
    settings, here = memory.settings.memories, memory.repository.repository
    name = memory.store.home_value(FOLDER + here) if here and (settings.enabled or anyway) else ""
    if not name:
        return ""
    from recollect.files import artifacts

    try:
        folder = artifacts.current_folder(f"{memory.home.projects}/{name}")
        text = artifacts.read(folder, artifacts.TOP[1])
    except RecollectError:
        return ""  # cleared, or being repaired: a session starts without it
    header, _, body = text.partition("\n")
    if header != HEADER:
        return ""
    fitting = cut_to(body.strip(), len(body), settings.summary_injection_token_limit)
    if fitting != body.strip():
        fitting = fitting.rpartition("\n")[0]
    return render("memories/read_path", memory_summary=neutralise(fitting)) if fitting else ""


def kept(given: Given, memory: Opened, to: Recipient, *, anew: bool) -> str:
    """What the session goes on being given: the same bytes for as long as it lasts."""
    wait, now = memory.wait_seconds, memory.now
    return keep_block(
        to.session, given.text, store=memory.store, wait_seconds=wait, now=now, anew=anew, board=given.board
    )


def guidance(memory: Opened, to: Recipient) -> str:
    """What an agent should know about this memory, and about writing to it where it can."""
    if not to.has_tools:
        return render("guidance_reading")
    return render("guidance", profile_characters=f"{memory.settings.profile.max_characters:,}")


def preferences(memory: Opened, to: Recipient, profile: Profile) -> list[tuple[Entry, str, str]]:
    """What the user wants everywhere, most used first; what the profile says already is not said twice."""
    said = memory.store.entries.most_used_everywhere(limit=LOOKED_AT, now=memory.now)
    return _within(memory, to, standing(said, profile=profile.entries), PREFERENCE)


def newest_words(memory: Opened, to: Recipient) -> list[tuple[Entry, str, str]]:
    """What the user said or corrected last, for a host that takes no memory with a prompt: newest first."""
    here = ["", memory.repository.repository, *memory.repository.aliases]
    limits = memory.limits(to=to)
    found = memory.store.entries.newest_typed(list(dict.fromkeys(here)), limit=4 * limits.max_entries, now=memory.now)
    return _within(memory, to, found, "new, and this host accepts no memory with a prompt")


def given_before(memory: Opened, to: Recipient) -> list[tuple[Entry, str, str]]:
    """What turns of this session were given before a compaction took it out of sight: the last first."""
    names: dict[str, None] = {}
    for receipt in reversed(memory.receipts(to.session)):
        for entry in receipt.entries:
            if entry.get("because") not in (PROFILE, PREFERENCE):
                names[str(entry["id"])] = None
    most = 4 * memory.limits(to=to).max_entries
    found = memory.store.entries.active([name for name in names if "#" not in name][:most])
    return _within(memory, to, found, "given earlier in this session")


def _within(memory: Opened, to: Recipient, entries: list[Entry], why: str) -> list[tuple[Entry, str, str]]:
    """As many as one recall may bring, without those whose evidence is gone and those that a later word contradicts."""
    entries = uncontradicted(entries, memory.store, memory.filters(), memory.now) if entries else []
    chosen: list[tuple[Entry, str, str]] = []
    limits = memory.limits(to=to)
    left = limits.max_tokens
    for entry, verdict in zip(entries, memory.checker().check(entries, now=memory.now), strict=True):
        tokens = estimate_tokens(entry_line(entry, verdict.check))
        if verdict.gone_everywhere or tokens > left:
            continue
        if len(chosen) == limits.max_entries:
            break
        chosen.append((entry, verdict.check, why))
        left -= tokens
    return chosen


def _shows(text: str, entry: Entry) -> bool:
    return entry_line(entry)[:20] in text


def start_receipt(given: Given, memory: Opened, to: Recipient, *, compacted: bool) -> Receipt:
    """The record of what a session was given at its start; it is no turn, so it has no number."""
    return Receipt(
        receipt_id=memory.new_id(ids.RECEIPT),
        session=to.session,
        turn=0,
        host=to.host,
        repository=memory.repository.repository,
        created=memory.now,
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
                "line": line_mark(entry_line(entry, check)),
            }
            for entry, check, why in given.entries
        ],
        left_out=[{"id": "", "why": COMPACTED}] if compacted else [],
    )
