"""Correct: find what the correction contradicts, supersede that and nothing else, and let it stay dead."""

from __future__ import annotations

from recollect.errors import Refused
from recollect.flows.turns.announcements import quoted
from recollect.flows.writes.write import store_new
from recollect.memory.correcting.alternatives import says_only_that, swap_in
from recollect.memory.correcting.meant import Meant, Statement, find_changed, find_meant, is_question, says_nothing
from recollect.memory.correcting.reword import edited, reworded
from recollect.memory.drafts import names_after, prepare
from recollect.memory.gapfill.dating import dated
from recollect.memory.neighbours import SearchArea, find_neighbours, said_later
from recollect.memory.origins import LONGEST_QUOTE
from recollect.memory.profile import load_profile, require_room
from recollect.memory.rank import CORRECTION_TAG
from recollect.model.drafts import Outcome
from recollect.model.entries import Citation, status_word
from recollect.model.recall import Budget
from recollect.text.terms import query_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.flows.writes.writers import Writer
    from recollect.memory.drafts import Prepared
    from recollect.memory.neighbours import Neighbour
    from recollect.model.drafts import Draft
    from recollect.model.entries import Entry
    from recollect.model.recall import Frequencies
    from recollect.store.entries import Stored
    from recollect.store.store import Store

MEANT_POSTINGS = 1_000
MOST_READ = 60


def correct(draft: Draft, writer: Writer, *, entry_id: str = "", session: str = "") -> Outcome:
    """Store what somebody says is right, in the place of the entry named, or of what they mean."""
    ready = prepare(draft)
    if entry_id:
        return correct_prepared(ready, writer, entry_id=entry_id, session=session)
    if is_question(ready.content):
        raise Refused("That is a question, so nothing was changed; say what is right, as a statement.")
    if says_nothing(ready.content):
        raise Refused("That does not say what is right, so nothing was changed; say it as a statement.")
    return correct_meant(ready, writer, session=session)


def correct_said(draft: Prepared, writer: Writer, meant: Meant, *, tells: bool = False) -> Outcome:
    """Put what a person said, and nobody called a correction, in the place of what it is about, as found before."""
    return _correct(draft, writer, session=draft.session, meant=meant, tells=tells)


def correct_meant(draft: Prepared, writer: Writer, *, session: str = "") -> Outcome:
    """Find what a person means, and put their correction in its place."""
    with writer.store.write():
        return _correct(draft, writer, session=session, meant=meant_by(draft, writer.store), tells=True)


def _correct(draft: Prepared, writer: Writer, *, session: str, meant: Meant, tells: bool) -> Outcome:
    """`tells`: what may be meant as well is marked as a conflict, for a person to settle."""
    store = writer.store
    with store.write():
        neighbours = find_neighbours(draft, store, anywhere=True)
        meant = _surely(draft, meant, _said_before(draft, neighbours), writer, session=session)
        replaced = [store.entries.get(entry_id) for entry_id in meant.replaced]
        if not replaced or any(one.relation == "same" for one in neighbours):
            outcome = correct_prepared(draft, writer, session=session, neighbours=neighbours)
            return _told_of(meant, outcome, writer) if tells and not outcome.superseded else outcome
        return _put_in_place(draft, replaced, neighbours, writer)


def meant_by(draft: Draft, store: Store, *, asked: bool = True) -> Meant:
    """What a correction is about, among what is known of the user and of the repository."""
    return find_meant(draft.content, *_near(draft, store), asked=asked)


def changed_by(draft: Prepared, store: Store) -> Meant:
    """What is no longer so when somebody says in passing that something is different now."""
    meant = find_changed(draft.content, *_near(draft, store))
    if meant.likely:
        return meant
    near = _said_before(draft, find_neighbours(draft, store, anywhere=True))
    other = _of_another_tool(draft, [one for one in near if one.stored.entry.status == "active"])
    return Meant(tuple(one.entry_id for one in other))


def _near(draft: Draft, store: Store) -> tuple[list[Statement], Frequencies]:
    places = SearchArea(draft, anywhere=True).places
    wanted = query_terms(draft.content)
    found = store.similar_entries(wanted, places, Budget(MEANT_POSTINGS, 0, 2 * MOST_READ, MOST_READ))
    frequencies = store.search_entries(places).frequencies(wanted)
    stored = store.entries.by_ids([one.entry_id for one in found]).values()
    statements = [
        Statement(one.entry.entry_id, one.entry.content)
        for one in stored
        if one.entry.status == "active" and not (draft.created and one.entry.created > draft.created)
    ]
    return statements, frequencies


def _said_before(draft: Draft, neighbours: Sequence[Neighbour]) -> list[Neighbour]:
    """Without what was said later: a correction that comes in late takes the place of nothing newer."""
    return [near for near in neighbours if not said_later(near.stored.entry, draft)]


def _contradicted(draft: Draft, neighbours: Sequence[Neighbour]) -> list[Stored]:
    """What stands and says otherwise: by its own words, or because it was said later."""
    return [
        near.stored
        for near in neighbours
        if near.stored.entry.status == "active"
        and (near.relation == "opposite" or (near.relation == "corrected" and said_later(near.stored.entry, draft)))
    ]


def _surely(draft: Prepared, meant: Meant, neighbours: Sequence[Neighbour], writer: Writer, *, session: str) -> Meant:
    """What it contradicts outright, else what it is about by its words, else the one likely neighbour."""
    active = [near for near in neighbours if near.stored.entry.status == "active"]
    opposite = [n.stored.entry.entry_id for n in active if n.relation == "opposite" and n.same_subject]
    if opposite:
        return Meant(tuple(opposite))
    if meant.replaced:
        return meant
    wrong = _wrong(active, seen=_given(session, writer)) or _of_another_tool(draft, active)
    return meant._replace(replaced=tuple(one.entry.entry_id for one in wrong))


def _of_another_tool(draft: Prepared, active: Sequence[Neighbour]) -> list[Stored]:
    """The one statement about a tool of the same kind, where nothing else is said: "back to pnpm"."""
    found = []
    for near in active:
        swap = swap_in(draft.content, near.stored.entry.content)
        if swap and swap.told and says_only_that(draft.content, swap):
            found.append(near.stored)
    return found if len(found) == 1 else []


def _put_in_place(
    draft: Prepared, replaced: Sequence[Stored], neighbours: Sequence[Neighbour], writer: Writer
) -> Outcome:
    """Each old statement with its part changed; what has no such part goes for the first."""
    store, said = writer.store, draft.content
    before = load_profile(store, limit_characters=writer.profile_characters)
    change_id = store.changes.begin("correct", writer.actor, now=writer.now)
    conflicts = _contradicted(draft, neighbours)
    first, *others = replaced
    kept = [one for one in others if edited(said, one.entry.content)]
    gone = [first, *(one for one in others if one not in kept)]
    outcome = store_new(
        _corrected(draft, first, gone, writer.now), writer, change_id, conflicts=conflicts, replaces=gone
    )
    for one in kept:
        store_new(_corrected(draft, one, [one], writer.now), writer, change_id, replaces=[one])
    require_room(store, before=before)
    return outcome._replace(superseded=tuple(one.entry.entry_id for one in replaced))


def _corrected(draft: Prepared, old: Stored, gone: Sequence[Stored], now: float) -> Draft:
    """The correction as it is kept, with the words it was said in."""
    text = dated(reworded(draft.content, old.entry.content), draft.created or now)
    if text != draft.content:
        quote = Citation("turn", session=draft.session, quote=draft.content[:LONGEST_QUOTE])
        cited = draft.citations or (quote,)
        draft = prepare(draft._replace(content=text, subject="", citations=cited))
    tags = tuple(dict.fromkeys((*draft.tags, CORRECTION_TAG)))
    return inherit(draft._replace(tags=tags), gone)


def _told_of(meant: Meant, outcome: Outcome, writer: Writer) -> Outcome:
    """A correction that may be about something else that is stored: both stand, and a person is told."""
    if outcome.status != "stored" or not meant.likely:
        return outcome
    old = writer.store.entries.get(meant.likely[0])
    new = writer.store.entries.get(outcome.entry_id)
    writer.store.conflicts.add(new.entry_id, old.entry_id, now=writer.now)
    likely = [writer.store.entries.get(entry_id).entry for entry_id in meant.likely]
    return outcome._replace(why=_may_correct(likely), conflicts=tuple(entry.entry_id for entry in likely))


def correct_prepared(
    draft: Prepared,
    writer: Writer,
    *,
    entry_id: str = "",
    session: str = "",
    neighbours: Sequence[Neighbour] | None = None,
) -> Outcome:
    """Store a correction as it is worded; what it corrects is the entry named, or the one it contradicts, or none.

    `neighbours` are what was found anywhere under this lock."""
    # Only a person's correction is trusted more than what a person said before.
    tag = (CORRECTION_TAG,) if draft.source == "user" or draft.origin == "typed" else ()
    draft = draft._replace(tags=tuple(dict.fromkeys((*draft.tags, *tag))))
    store = writer.store
    with store.write():
        before = load_profile(store, limit_characters=writer.profile_characters)
        found = find_neighbours(draft, store, anywhere=True) if neighbours is None else neighbours
        neighbours = [n for n in found if n.stored.entry.status == "active"]
        before_it = _said_before(draft, neighbours)
        wrong = [_named(entry_id, writer)] if entry_id else _wrong(before_it, seen=_given(session, writer))
        right = next((n.stored for n in neighbours if n.relation == "same"), None)
        change_id = store.changes.begin("correct", writer.actor, now=writer.now)
        conflicts = _contradicted(draft, neighbours)
        if right and (not wrong or right in wrong):
            store.changes.drop_if_empty(change_id)
            return Outcome("duplicate", right.entry.entry_id, "That is already stored.")
        outcome = store_new(
            inherit(draft, wrong),
            writer,
            change_id,
            conflicts=conflicts,
            replaces=[*wrong, *([right] if right else [])],
        )
        require_room(store, before=before)
    return outcome if wrong else outcome._replace(why=_nothing_found(neighbours, outcome))


def _named(entry_id: str, writer: Writer) -> Stored:
    stored = writer.store.entries.get(entry_id)
    if stored.entry.layer == "L2":
        raise Refused("Archive entries belong to the system; you can forget them, but not rewrite them.")
    if stored.entry.status != "active":
        status = status_word(stored.entry.status)
        raise Refused(f"{entry_id} is {status} already; `recollect show {entry_id}` shows its versions.")
    return stored


def _wrong(neighbours: Sequence[Neighbour], *, seen: set[str]) -> list[Stored]:
    """What the correction is about: all that says the opposite about the same subject, else the one likely entry.

    Several equally likely ones are left for the user to choose from, and so is what only has the same subject, unless
    this session was given it."""
    opposite = [n for n in neighbours if n.relation == "opposite"]
    about = [n.stored for n in opposite if n.same_subject]
    if about:
        return about
    given = [n for n in neighbours if n.stored.entry.entry_id in seen]
    for likely in (
        opposite,
        [n for n in neighbours if n.relation == "near"],
        [n for n in neighbours if n.relation == "corrected"],
        [n for n in given if n.relation == "related" and n.same_subject],
    ):
        if len(likely) > 1:
            # What this session was given only breaks the tie.
            likely = [n for n in likely if n in given]
            return [likely[0].stored] if len(likely) == 1 else []
        if likely:
            return [likely[0].stored]
    return []


def _given(session: str, writer: Writer) -> set[str]:
    receipts = writer.store.receipts.of_session(session) if session else []
    return {str(entry["id"]) for receipt in receipts for entry in receipt.entries}


def inherit(draft: Draft, wrong: Sequence[Stored]) -> Draft:
    """The correction keeps the place of what it corrects, and its names as far as they are still right."""
    if not wrong:
        return draft
    old = wrong[0].entry
    subject, aliases = names_after(old, draft.content)
    return draft._replace(
        layer=old.layer,
        scope=old.scope,
        repository=old.repository,
        subject=subject or old.subject,
        aliases=tuple(dict.fromkeys((*draft.aliases, *aliases))),
        tags=tuple(dict.fromkeys((*old.tags, *draft.tags))),
        project=draft.project or old.project,
        task=draft.task or old.task,
    )


def _nothing_found(neighbours: Sequence[Neighbour], outcome: Outcome) -> str:
    likely = [n.stored.entry for n in neighbours if n.relation in ("opposite", "near", "corrected") or n.same_subject]
    return _may_correct(likely) or outcome.why or "It was added as a new entry; nothing like it is stored."


def _may_correct(likely: Sequence[Entry]) -> str:
    if not likely:
        return ""
    if len(likely) == 1:
        [one] = likely
        return f"It may correct {quoted(one.content)}; if so, run `recollect correct {one.entry_id} TEXT`."
    names = ", ".join(entry.entry_id for entry in likely)
    return f"It could correct any of {names}; choose one with `recollect correct ID TEXT`."
