"""Write: additions, updates and removals as one change, judged on their final size."""

from __future__ import annotations

from recollect.errors import Refused
from recollect.flows.turns.announcements import quoted
from recollect.flows.writes.citing import cited_anew
from recollect.flows.writes.writers import contradiction
from recollect.memory.conflicts import standing_in_for
from recollect.memory.drafts import merged, prepare, to_entry
from recollect.memory.history import is_taken_back
from recollect.memory.later import by_person
from recollect.memory.neighbours import DEAD, decide, find_neighbours, nearest
from recollect.memory.profile import load_profile, require_room, told_of_section
from recollect.memory.versions import require_active
from recollect.model.drafts import Add, Outcome, Remove, Update
from recollect.text.language.statements import statement_key
from recollect.text.sections import named_section

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.flows.writes.writers import Writer
    from recollect.memory.neighbours import Neighbour, Verdict
    from recollect.model.drafts import Draft
    from recollect.model.entries import Entry
    from recollect.store.entries import Stored


def write(operations: Sequence[Add | Update | Remove], writer: Writer, *, action: str = "write") -> list[Outcome]:
    """Do all of it or, when the profile would not fit, none of it."""
    return write_prepared([_prepared(operation) for operation in operations], writer, action=action)


def write_prepared(
    operations: Sequence[Add | Update | Remove],
    writer: Writer,
    *,
    action: str,
    neighbours: Sequence[Neighbour] | None = None,
) -> list[Outcome]:
    """As write, with prepared drafts; `neighbours` are those of its one draft, found anywhere under this lock."""
    store = writer.store
    with store.write():
        before = load_profile(store, limit_characters=writer.profile_characters)
        change_id = store.changes.begin(action, writer.actor, now=writer.now)
        outcomes = []
        for operation in operations:
            match operation:
                case Add(draft=draft):
                    outcomes.append(_add(draft, writer, change_id, neighbours))
                case Update(entry_id=entry_id, draft=draft):
                    outcomes.append(_update(entry_id, draft, writer, change_id, neighbours))
                case Remove(entry_id=entry_id):
                    outcomes.append(retire(store.entries.get(entry_id), writer, change_id))
        require_room(store, before=before)
        store.changes.drop_if_empty(change_id)
    return outcomes


def add_many(drafts: Sequence[Draft], writer: Writer, *, batch: int = 4_000) -> list[Outcome]:
    """Store many drafts fast: redacted, without exact repeats; near repeats are not looked for, and a missing subject
    only where the text names a choice: reading every statement would halve the speed, and its words find it as well."""
    from recollect.text.language.choices import names_choice
    from recollect.text.secrets.pieces import redact_again

    outcomes: list[Outcome] = []
    for start in range(0, len(drafts), batch):
        part = drafts[start : start + batch]
        ready = [prepare(draft, guess_subject=names_choice(draft.content), redacted=redact_again) for draft in part]
        outcomes += _add_batch(ready, writer)
    return outcomes


def _prepared(operation: Add | Update | Remove) -> Add | Update | Remove:
    return operation if isinstance(operation, Remove) else operation._replace(draft=prepare(operation.draft))


def _add(draft: Draft, writer: Writer, change_id: int, neighbours: Sequence[Neighbour] | None) -> Outcome:
    near = find_neighbours(draft, writer.store) if neighbours is None else nearest(neighbours, draft)
    by_user = draft.source == "user" and writer.may_revive
    verdict = decide(near, by_user=by_user, vote_out_downs=writer.vote_out_downs)
    if verdict.revive and draft.source != "user" and is_taken_back(verdict.revive, writer.store):
        verdict = verdict._replace(buried=verdict.revive)
    if verdict.buried:
        return Outcome("refused", verdict.buried.entry.entry_id, epitaph(verdict.buried))
    if verdict.revive and by_user and not _is_said_again(verdict.revive.entry, draft):
        verdict = verdict._replace(revive=None)
    if verdict.duplicate or verdict.revive:
        return _merge(draft, verdict, writer, change_id)
    return _store_again(draft, near, verdict, writer, change_id)


def _is_said_again(entry: Entry, draft: Draft) -> bool:
    """In the same words and for the same place? Otherwise a person means what they say now."""
    same_place = (entry.layer, entry.repository) == (draft.layer, draft.repository)
    return same_place and statement_key(entry.content) == statement_key(draft.content)


def _store_again(draft: Draft, near: Sequence[Neighbour], verdict: Verdict, writer: Writer, change_id: int) -> Outcome:
    """Store a draft. If it was replaced before, it contradicts what stands in its place, in whatever words that is."""
    repeated = [one.stored for one in near if one.repeats]
    standing = [one for old in repeated if (one := standing_in_for(old, writer.store)) is not None]
    conflicts = {one.entry_id: one for one in (*verdict.conflicts, *standing)}
    outcome = store_new(draft, writer, change_id, conflicts=tuple(conflicts.values()))
    if not standing:
        return outcome
    newest = quoted(standing[0].entry.content)
    return outcome._replace(why=f"You had replaced this with {newest}; both are active now. {outcome.why}")


def epitaph(stored: Stored) -> str:
    """Why what was retired is not stored again."""
    entry = stored.entry
    if entry.status in DEAD:
        replaced = entry.status == "superseded" and entry.superseded_by
        how = f"replaced by {entry.superseded_by}" if replaced else "retired"
    else:
        how = "voted out" if entry.votes_down > entry.votes_up else "undone"
    return (
        f"{entry.entry_id} said this and was {how}; only the user can bring it back, in their own terminal"
        f" (`recollect restore {entry.entry_id}`)."
    )


def _merge(draft: Draft, verdict: Verdict, writer: Writer, change_id: int) -> Outcome:
    stored = verdict.duplicate or verdict.revive
    assert stored is not None
    after = merged(stored.entry, draft, now=writer.now)
    if verdict.revive:
        after = after._replace(status="active", valid_to=0.0)
    writer.store.entries.update(stored, after, statement_key(after.content), change_id=change_id)
    _say_again(stored, draft, writer)
    merged_too = "; its citations and confidence were updated" if after != stored.entry else ""
    why = f"It already says that{merged_too}." if verdict.duplicate else "It is active again."
    where = told_of_section(stored.entry, after, named_section(draft.tags))
    return Outcome("duplicate", stored.entry.entry_id, f"{why} {where}".rstrip())


def _say_again(stored: Stored, draft: Draft, writer: Writer) -> None:
    """What a person says again, later than what contradicts it, is the newer word of the two."""
    if not by_person(draft):
        return
    said = draft.created or writer.now
    conflicts = writer.store.conflicts
    for newer, older in conflicts.against([stored.entry_id]):
        if older == stored.entry_id and writer.store.entries.get(newer).entry.created <= said:
            conflicts.turn_round(newer, older)


def store_new(
    draft: Draft, writer: Writer, change_id: int, *, conflicts: Sequence[Stored] = (), replaces: Sequence[Stored] = ()
) -> Outcome:
    """Store a draft as a new entry, superseding what it replaces and noting what it contradicts."""
    store = writer.store
    current = cited_anew(draft, writer) if replaces else draft
    entry = to_entry(current, entry_id=writer.new_id(), now=writer.now)
    store.entries.add([entry], [statement_key(entry.content)], change_id=change_id)
    for old in replaces:
        supersede(old, entry.entry_id, writer, change_id)
    replaced = {old.entry_id for old in replaces}
    contradicted = [other for other in conflicts if other.entry_id not in replaced]
    for other in contradicted:
        # What was said later counts as the newer one, whichever of them was read first.
        is_newer = other.entry.created > entry.created
        newer, older = (other.entry_id, entry.entry_id) if is_newer else (entry.entry_id, other.entry_id)
        store.conflicts.add(newer, older, now=writer.now)
    return Outcome(
        "stored",
        entry.entry_id,
        contradiction(entry.repository, writer.here) if contradicted else "",
        conflicts=tuple(other.entry.entry_id for other in contradicted),
        superseded=tuple(old.entry.entry_id for old in replaces),
    )


def _update(
    entry_id: str, draft: Draft, writer: Writer, change_id: int, neighbours: Sequence[Neighbour] | None
) -> Outcome:
    old = writer.store.entries.get(entry_id)
    if old.entry.layer == "L2":
        raise Refused("Archive entries belong to the system; you can forget them, but not rewrite them.")
    require_active(old.entry, writer.store, "restore it first, or add a new entry")
    placed = (old.entry.layer, old.entry.scope, old.entry.repository) == (draft.layer, draft.scope, draft.repository)
    if placed and statement_key(draft.content) == statement_key(old.entry.content):
        after = old.entry._replace(
            content=draft.content,
            tags=draft.tags,
            subject=draft.subject,
            aliases=draft.aliases,
            reason=draft.reason,
            citations=draft.citations,
            project=draft.project or old.entry.project,
            task=draft.task or old.entry.task,
            updated=writer.now,
        )
        writer.store.entries.update(old, after, statement_key(after.content), change_id=change_id)
        return Outcome("stored", old.entry.entry_id, told_of_section(old.entry, after, ""))
    near = find_neighbours(draft, writer.store) if neighbours is None else nearest(neighbours, draft)
    others = [one for one in near if one.stored.entry_id != old.entry_id]
    by_user = draft.source == "user" and writer.may_revive
    verdict = decide(others, by_user=by_user, vote_out_downs=writer.vote_out_downs)
    if verdict.buried:
        return Outcome("refused", verdict.buried.entry.entry_id, epitaph(verdict.buried))
    if verdict.revive and by_user and not _is_said_again(verdict.revive.entry, draft):
        verdict = verdict._replace(revive=None)
    if verdict.duplicate:
        outcome = _merge(draft, verdict, writer, change_id)
        supersede(old, outcome.entry_id, writer, change_id)
        return outcome._replace(superseded=(old.entry.entry_id,))
    return store_new(draft, writer, change_id, conflicts=verdict.conflicts, replaces=[old])


def supersede(old: Stored, entry_id: str, writer: Writer, change_id: int) -> None:
    """Put another entry in the place of an old one, which stays in the trail."""
    after = old.entry._replace(status="superseded", superseded_by=entry_id, updated=writer.now, valid_to=writer.now)
    writer.store.entries.update(old, after, statement_key(after.content), change_id=change_id)


def retire(stored: Stored, writer: Writer, change_id: int) -> Outcome:
    """Take an entry out for good; what remains of it is its tombstone."""
    if stored.entry.status == "tombstone":
        name = stored.entry.entry_id
        raise Refused(f"{name} is retired already; `recollect forget --hard {name}` would erase it.")
    after = stored.entry._replace(status="tombstone", updated=writer.now, valid_to=writer.now)
    writer.store.entries.update(stored, after, statement_key(after.content), change_id=change_id)
    return Outcome("stored", stored.entry.entry_id, "It is no longer recalled; a person can restore it.")


def _add_batch(drafts: Sequence[Draft], writer: Writer) -> list[Outcome]:
    store = writer.store
    keys = [statement_key(draft.content) for draft in drafts]
    outcomes: list[Outcome] = []
    entries, entry_keys = [], []
    with store.write():
        change_id = store.changes.begin("add many", writer.actor, now=writer.now)
        known = store.entries.known_statements(keys)
        for draft, key in zip(drafts, keys, strict=True):
            place = (key, draft.layer, draft.repository)
            if place in known:
                outcomes.append(Outcome("duplicate", why="It already says that."))
                continue
            known.add(place)
            entry = to_entry(draft, entry_id=writer.new_id(), now=writer.now)
            entries.append(entry)
            entry_keys.append(key)
            outcomes.append(Outcome("stored", entry.entry_id))
        store.entries.add(entries, entry_keys, change_id=change_id)
        store.changes.drop_if_empty(change_id)
    return outcomes
