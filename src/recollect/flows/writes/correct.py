"""Correct: find what the correction contradicts, supersede that and nothing else, and let it stay dead."""

from __future__ import annotations

from recollect.errors import Refused
from recollect.flows.turns.announcements import quoted
from recollect.flows.writes.write import store_new
from recollect.memory.drafts import prepare, renamed
from recollect.memory.neighbours import find_neighbours
from recollect.memory.profile import load_profile, require_room
from recollect.memory.rank import CORRECTION_TAG
from recollect.model.drafts import Outcome

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.flows.writes.write import Writer
    from recollect.memory.drafts import Prepared
    from recollect.memory.neighbours import Neighbour
    from recollect.model.drafts import Draft
    from recollect.store.entries import Stored


def correct(draft: Draft, writer: Writer, *, entry_id: str = "", session: str = "") -> Outcome:
    """Store the correction; what it corrects is the entry named, or the one it contradicts, or none."""
    return correct_prepared(prepare(draft), writer, entry_id=entry_id, session=session)


def correct_prepared(
    draft: Prepared,
    writer: Writer,
    *,
    entry_id: str = "",
    session: str = "",
    neighbours: Sequence[Neighbour] | None = None,
) -> Outcome:
    """As correct, with a prepared draft; `neighbours` are what was found anywhere under this lock."""
    # Only a person's correction is trusted more than what a person said before.
    tag = (CORRECTION_TAG,) if draft.source == "user" or draft.origin == "typed" else ()
    draft = draft._replace(tags=tuple(dict.fromkeys((*draft.tags, *tag))))
    store = writer.store
    with store.write():
        before = load_profile(store, limit_characters=writer.profile_characters)
        found = find_neighbours(draft, store, anywhere=True) if neighbours is None else neighbours
        neighbours = [n for n in found if n.stored.entry.status == "active"]
        wrong = [_named(entry_id, writer)] if entry_id else _wrong(neighbours, seen=_given(session, writer))
        right = next((n.stored for n in neighbours if n.relation == "same"), None)
        change_id = store.changes.begin("correct", writer.actor, now=writer.now)
        conflicts = [n.stored for n in neighbours if n.relation == "opposite"]
        if right and (not wrong or right in wrong):
            store.changes.drop_if_empty(change_id)
            return Outcome("duplicate", right.entry.entry_id, "That is what is stored already.")
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
        raise Refused("Archive entries are the system's; they can be forgotten, not rewritten.")
    if stored.entry.status != "active":
        raise Refused(f"{entry_id} is {stored.entry.status} already; `recollect show {entry_id}` tells the chain.")
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
    """The correction keeps the name and the place of what it corrects."""
    if not wrong:
        return draft
    old = wrong[0].entry
    return draft._replace(
        layer=old.layer,
        scope=old.scope,
        repository=old.repository,
        subject=renamed(old, draft),
        aliases=tuple(dict.fromkeys((*draft.aliases, *old.aliases))),
        tags=tuple(dict.fromkeys((*old.tags, *draft.tags))),
        project=draft.project or old.project,
        task=draft.task or old.task,
    )


def _nothing_found(neighbours: Sequence[Neighbour], outcome: Outcome) -> str:
    likely = [n.stored.entry for n in neighbours if n.relation in ("opposite", "near", "corrected") or n.same_subject]
    if len(likely) == 1:
        [one] = likely
        return f"It may correct {quoted(one.content)}; if so, say `recollect correct {one.entry_id} TEXT`."
    if likely:
        names = ", ".join(entry.entry_id for entry in likely)
        return f"It could correct any of {names}; say which with `recollect correct ID TEXT`."
    return outcome.why or "Nothing stored contradicts it; it was added as a new entry."
