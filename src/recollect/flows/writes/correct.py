"""Correct: find what the correction contradicts, supersede that and nothing else, and let it stay dead."""

from __future__ import annotations

from recollect.errors import Refused
from recollect.flows.turns.announcements import quoted
from recollect.flows.writes.inherit import inherit
from recollect.flows.writes.require_correction import as_typed, require_correction, require_whole, said_straight
from recollect.flows.writes.write import epitaph, store_new, write_prepared
from recollect.memory.correcting.alternatives import says_only_that, swap_in
from recollect.memory.correcting.meant import Meant, Statement, find_changed, find_meant
from recollect.memory.correcting.reword import edited, loses, reworded
from recollect.memory.correcting.tidying import is_fragment
from recollect.memory.drafts import prepare
from recollect.memory.gapfill.dating import dated
from recollect.memory.neighbours import OPPOSED, SearchArea, decide, find_neighbours, said_later
from recollect.memory.profile import load_profile, require_room
from recollect.memory.rank import CORRECTION_TAG
from recollect.memory.versions import require_active
from recollect.model.drafts import Add, Outcome
from recollect.model.recall import Budget
from recollect.text.language.statements import statement_key, subject_key
from recollect.text.terms import query_terms, terms

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

NOTHING_FOUND = "There was nothing to correct, so it was stored as a new fact."
MEANT_POSTINGS = 1_000
MOST_READ = 60
MOST_ASKED = 9  # entries that a person chooses from


def correct(
    draft: Draft, writer: Writer, *, entry_id: str = "", chosen: Sequence[str] | None = None, session: str = ""
) -> Outcome:
    """Store what somebody says is right: in the place of the entry named, as it is worded; else in the place of those
    that they chose when they were asked, or of what they mean, with the part changed that is different."""
    ready = prepare(draft if entry_id else said_straight(draft))
    with writer.store.write():
        if not writer.may_revive and (buried := _buried(ready, writer)):
            return Outcome("refused", buried.entry_id, epitaph(buried))
        if entry_id:
            return correct_prepared(ready, writer, entry_id=entry_id, session=session)
        require_correction(ready.content)
        if chosen is None:
            meant = meant_by(ready, writer.store)
            return _whole(_correct(ready, writer, session=session, meant=meant, tells=True), writer)
        if not chosen:
            return write_prepared([Add(ready)], writer, action="correct")[0]
        neighbours = find_neighbours(ready, writer.store, anywhere=True)
        outcome = _put_in_place(ready, [_named(one, writer) for one in chosen], neighbours, writer)
        return _whole(outcome, writer)


def _whole(outcome: Outcome, writer: Writer) -> Outcome:
    if outcome.status == "stored":
        require_whole(writer.store.entries.get(outcome.entry_id).entry.content)
    return outcome


def _buried(draft: Prepared, writer: Writer) -> Stored | None:
    """What a person took out, and this would say again."""
    near = find_neighbours(draft, writer.store, anywhere=True)
    return decide(near, by_user=False, vote_out_downs=writer.vote_out_downs).buried


def unclear(draft: Draft, writer: Writer, *, session: str = "") -> list[Entry]:
    """The entries of which a correction may be about any, or none: whoever is there is asked."""
    ready, store = prepare(said_straight(draft)), writer.store
    require_correction(ready.content)
    with store.read():
        neighbours = find_neighbours(ready, store, anywhere=True)
        meant = _surely(ready, meant_by(ready, store), neighbours, writer, session=session)
        active = [one for one in neighbours if _is_active(one)]
        if meant.replaced or any(one.relation == "same" for one in active):
            return []
        likely = [store.entries.get(entry_id).entry for entry_id in meant.likely] or _likely(active)
        return _tellable(ready, likely, writer)[:MOST_ASKED]


def _tellable(draft: Prepared, likely: list[Entry], writer: Writer) -> list[Entry]:
    """Those in the place of which the correction says something by itself; Refused where that is none of them."""
    told = [would_say(draft, entry, writer) for entry in likely]
    found = [entry for entry, text in zip(likely, told, strict=True) if not is_fragment(text)]
    if told and not found:
        require_whole(told[0])
    return found


def would_say(draft: Draft, entry: Entry, writer: Writer) -> str:
    """What would stand in the place of an entry if a correction is about it."""
    old = writer.store.entries.get(entry.entry_id)
    return _corrected(prepare(said_straight(draft)), old, [old], writer.now).content


def correct_said(draft: Prepared, writer: Writer, meant: Meant, *, tells: bool = False) -> Outcome:
    """Put what a person said, and nobody called a correction, in the place of what it is about, as found before."""
    return _correct(draft, writer, session=draft.session, meant=meant, tells=tells)


def _correct(draft: Prepared, writer: Writer, *, session: str, meant: Meant, tells: bool) -> Outcome:
    """`tells`: what may be meant as well is marked as a conflict, for a person to settle."""
    store = writer.store
    with store.write():
        neighbours = find_neighbours(draft, store, anywhere=True)
        meant = _surely(draft, meant, _said_before(draft, neighbours), writer, session=session)
        replaced = [store.entries.get(entry_id) for entry_id in meant.replaced]
        if replaced and not any(one.relation == "same" for one in neighbours):
            whole = [one for one in replaced if not loses(draft.content, one.entry.content)]
            return _put_in_place(draft, whole, neighbours, writer) if whole else _put_beside(draft, replaced, writer)
        wrong: list[Stored] | None = None if replaced else []
        outcome = correct_prepared(draft, writer, session=session, neighbours=neighbours, wrong=wrong)
        return _told_of(meant, outcome, writer) if tells and not outcome.superseded else outcome


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


def _contradicted(draft: Draft, neighbours: Sequence[Neighbour], replaced: Sequence[Stored]) -> list[Stored]:
    """What still stands and says otherwise: by its own words, about the same subject, or because it was said later."""
    gone, subject = {one.entry_id for one in replaced}, subject_key(draft.subject)
    found = []
    for near in neighbours:
        entry = near.stored.entry
        if not _is_active(near) or entry.entry_id in gone:
            continue
        is_same = bool(subject) and subject == subject_key(entry.subject)
        if near.relation == "opposite" or (near.relation == "corrected" and (is_same or said_later(entry, draft))):
            found.append(near.stored)
    return found


def _is_active(near: Neighbour) -> bool:
    return near.stored.entry.status == "active"


def _surely(draft: Prepared, meant: Meant, neighbours: Sequence[Neighbour], writer: Writer, *, session: str) -> Meant:
    """What it contradicts outright, else what it is about by its words, else the one likely neighbour."""
    active = [near for near in neighbours if _is_active(near)]
    opposite = [n.stored.entry.entry_id for n in active if n.relation == "opposite" and n.same_subject]
    if opposite:
        return Meant(tuple(opposite))
    if meant.replaced:
        return meant
    seen = _given(session, writer)
    wrong = tuple(one.entry_id for one in _wrong(active, seen=seen) or _of_another_tool(draft, active))
    if not wrong:
        opposed = tuple(near.stored.entry_id for near in active if near.relation in OPPOSED)
        return meant if meant.likely else Meant(likely=opposed)
    [one, *_] = [near for near in active if near.stored.entry_id in wrong]
    guessed = one.relation == "corrected" and one.stored.entry_id not in seen
    if guessed and len(meant.likely) > 1 and not _names_subject(draft, one.stored.entry):
        return Meant(likely=tuple(dict.fromkeys((*wrong, *meant.likely))))
    return meant._replace(replaced=wrong)


def _names_subject(draft: Draft, entry: Entry) -> bool:
    """Does it say whose value is meant: of "the dev server" more than "the server"?"""
    return set(terms(entry.subject)) <= set(terms(draft.content))


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
    """Each old statement with its part changed; what has no such part goes for the first, and those that say the same
    then become one."""
    store = writer.store
    before = load_profile(store, limit_characters=writer.profile_characters)
    change_id = store.changes.begin("correct", writer.actor, now=writer.now)
    outcomes: list[Outcome] = []
    for gone in _by_new_text(draft, replaced, writer.now):
        new = _corrected(draft, gone[0], gone, writer.now)
        near = neighbours if new.content == draft.content else find_neighbours(new, store, anywhere=True)
        same = [one.stored for one in near if one.relation == "same" and _is_active(one)]
        gone += [one for one in same if _place(one) == _place(gone[0]) and one not in replaced]
        conflicts = _contradicted(new, near, replaced)
        outcomes.append(store_new(new, writer, change_id, conflicts=conflicts, replaces=gone))
    require_room(store, before=before)
    first, *others = outcomes
    superseded = tuple(entry_id for outcome in outcomes for entry_id in outcome.superseded)
    conflicting = tuple(dict.fromkeys(entry_id for outcome in outcomes for entry_id in outcome.conflicts))
    why = next((outcome.why for outcome in outcomes if outcome.why), "")
    also = tuple(outcome.entry_id for outcome in others)
    return first._replace(why=why, conflicts=conflicting, superseded=superseded, also=also)


def _put_beside(draft: Prepared, meant: Sequence[Stored], writer: Writer) -> Outcome:
    """What would lose a part that nobody spoke of stays, and a person is told that the two go against each other."""
    outcome = correct_prepared(draft, writer, wrong=[])
    return _told_of(Meant(likely=tuple(one.entry_id for one in meant)), outcome, writer)


def _by_new_text(draft: Prepared, replaced: Sequence[Stored], now: float) -> list[list[Stored]]:
    """What is replaced, by what it says from now on and where that holds."""
    first = replaced[0]
    groups: dict[tuple[str, ...], list[Stored]] = {}
    for one in replaced:
        like = one if one is first or edited(draft.content, one.entry.content) else first
        text = _corrected(draft, like, [like], now).content
        groups.setdefault((statement_key(text), *_place(like)), []).append(one)
    return list(groups.values())


def _place(stored: Stored) -> tuple[str, str]:
    return stored.entry.layer, stored.entry.repository


def _corrected(draft: Prepared, old: Stored, gone: Sequence[Stored], now: float) -> Draft:
    """The correction as it is kept, with the words it was said in."""
    text = dated(reworded(draft.content, old.entry.content), draft.created or now)
    if text != draft.content:
        cited = draft.citations or (as_typed(draft),)
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
    wrong: list[Stored] | None = None,
) -> Outcome:
    """Store a correction as it is worded; what it corrects is the entry named, or the one it contradicts, or none.

    `neighbours` are what was found anywhere under this lock, `wrong` what is known to be corrected."""
    store = writer.store
    with store.write():
        before = load_profile(store, limit_characters=writer.profile_characters)
        found = find_neighbours(draft, store, anywhere=True) if neighbours is None else neighbours
        neighbours = [n for n in found if _is_active(n)]
        if entry_id:
            wrong = [_named(entry_id, writer)]
        elif wrong is None:
            wrong = _wrong(_said_before(draft, neighbours), seen=_given(session, writer))
        right = next((n.stored for n in neighbours if n.relation == "same"), None)
        change_id = store.changes.begin("correct", writer.actor, now=writer.now)
        if right and (not wrong or right in wrong):
            store.changes.drop_if_empty(change_id)
            return Outcome("duplicate", right.entry.entry_id, "That is already stored.")
        new = inherit(_tagged(draft, corrects=bool(wrong or _likely(neighbours))), wrong)
        replaces = [*wrong, *([right] if right else [])]
        conflicts = _contradicted(new, neighbours, replaces)
        outcome = store_new(new, writer, change_id, conflicts=conflicts, replaces=replaces)
        require_room(store, before=before)
    return outcome if wrong else outcome._replace(why=_nothing_found(neighbours, outcome))


def _tagged(draft: Draft, *, corrects: bool) -> Draft:
    """A person's correction is trusted more than what a person said before. What a person called one and corrects
    nothing is a statement like others; in a session they corrected what an agent said."""
    by_person = draft.source == "user" or draft.origin == "typed"
    tag = (CORRECTION_TAG,) if by_person and (corrects or draft.source != "user") else ()
    return draft._replace(tags=tuple(dict.fromkeys((*draft.tags, *tag))))


def _named(entry_id: str, writer: Writer) -> Stored:
    stored = writer.store.entries.get(entry_id)
    if stored.entry.layer == "L2":
        raise Refused("Archive entries belong to the system; you can forget them, but not rewrite them.")
    require_active(stored.entry, writer.store, f"`recollect show {entry_id}` shows its versions")
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


def _likely(neighbours: Sequence[Neighbour]) -> list[Entry]:
    """What a correction may be about, where none of it is sure."""
    return [n.stored.entry for n in neighbours if n.relation in ("opposite", "near", "corrected") or n.same_subject]


def _nothing_found(neighbours: Sequence[Neighbour], outcome: Outcome) -> str:
    return _may_correct(_likely(neighbours)) or outcome.why or NOTHING_FOUND


def _may_correct(likely: Sequence[Entry]) -> str:
    if not likely:
        return ""
    if len(likely) == 1:
        [one] = likely
        return f"It may correct {quoted(one.content)}; if so, run `recollect correct {one.entry_id} TEXT`."
    names = ", ".join(entry.entry_id for entry in likely)
    return f"It could correct any of {names}; choose one with `recollect correct ID TEXT`."
