"""Compare entries, once a week: what says the same twice, and what contradicts something, waits for a person.

Rules find what is plain. A model that has passed `recollect models test` is also asked about what only may be meant,
and has the last word on what rules found. Nothing is changed here."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from recollect.errors import ProviderError
from recollect.flows.writes.permitted_changes import WAIT_SECONDS
from recollect.flows.writes.wanted_changes import RemoveEntry, described, to_payload
from recollect.memory.drafts import draft_of
from recollect.memory.neighbours import find_neighbours
from recollect.model.entries import SHELF_TAG
from recollect.model.jobs import COMPARE
from recollect.model.permissions import COMPARISON, Staged
from recollect.model.record import Record
from recollect.permissions import is_users_own
from recollect.prompts import render
from recollect.text import ids
from recollect.text.ids import short_id

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recollect.flows.models.asking import AskedModels
    from recollect.flows.opened import Opened
    from recollect.model.entries import Entry
    from recollect.model.messages import Json
    from recollect.store.store import Store

SAME, CONTRADICT, DIFFERENT = "same", "contradict", "different"
MOST_ENTRIES = 500  # the newest
MOST_ASKED = 40  # pairs, in one question
MOST_PROPOSED = 10  # a week: a person has to read them
OUTPUT_TOKENS = 2_048
ONCE = 1  # a week has one state of input
_RULES = {"same": SAME, "near": SAME, "opposite": CONTRADICT}
_MAYBE = ("corrected", "related")  # how rules call what only a model can tell
_PAIR: Json = {
    "type": "object",
    "properties": {
        "pair": {"type": "integer"},
        "relation": {"type": "string", "enum": [SAME, CONTRADICT, DIFFERENT]},
    },
    "required": ["pair", "relation"],
    "additionalProperties": False,
}
SCHEMA: Json = {
    "type": "object",
    "properties": {"pairs": {"type": "array", "items": _PAIR, "maxItems": MOST_ASKED}},
    "required": ["pairs"],
    "additionalProperties": False,
}


class Pair(Record):
    """Two entries, and how they stand to each other; empty where rules cannot say."""

    one: Entry
    other: Entry
    relation: str


class Compared(Record):
    """What a comparison brought."""

    pairs: int
    proposed: int
    why: str = ""  # why no model was asked, where one is there


def leave_comparison(store: Store, *, now: float) -> None:
    """Leave the comparison of this week, once, and only where there are two entries to compare."""
    week = time.strftime("%G-W%V", time.gmtime(now))
    counts = store.entries.counts()
    if counts.get("L0", 0) + counts.get("L1", 0) > 1 and not store.jobs.knows_input(COMPARE, week, ONCE):
        with store.write(durable=False):
            store.jobs.add(COMPARE, week, {}, input_version=ONCE, now=now)


def compare_entries(
    memory: Opened, models: AskedModels, *, require_ours: Callable[[], None] = lambda: None
) -> Compared:
    """Find pairs, have them judged where a model is there, and let what can go wait for a person."""
    pairs, why = pairs_among(memory.store), ""
    if models.is_there() and models.has_passed():
        try:
            pairs = judged(pairs, models)
        except ProviderError as error:
            why = str(error)  # what rules found stands
    require_ours()
    found = [one for one in pairs if one.relation in (SAME, CONTRADICT)]
    return Compared(len(pairs), _propose(found, memory), why)


def compare_by_rules(memory: Opened) -> int:
    """What rules alone find waits from now on, so that who counts what waits counts it too; returns how much is new.

    Nothing where a model has the last word: it is asked in the background."""
    if memory.models.is_there() and memory.models.has_passed():
        return 0
    return _propose([one for one in pairs_among(memory.store) if one.relation in (SAME, CONTRADICT)], memory)


def pairs_among(store: Store) -> list[Pair]:
    """Entries that hold in the same place and have to do with each other, each pair once; the plain ones first."""
    found: dict[frozenset[str], Pair] = {}
    for stored in store.entries.listed({"layer": ["L0", "L1"], "status": "active"}, limit=MOST_ENTRIES):
        entry = stored.entry
        if any(tag.startswith(SHELF_TAG) for tag in entry.tags):
            continue  # a program's text, not a statement
        for near in find_neighbours(draft_of(entry), store):
            other = near.stored.entry
            key = frozenset((entry.entry_id, other.entry_id))
            known = near.relation in _RULES or near.relation in _MAYBE
            if known and other.status == "active" and len(key) == 2 and key not in found:
                found[key] = Pair(entry, other, _RULES.get(near.relation, ""))
    return sorted(found.values(), key=lambda pair: not pair.relation)


def judged(pairs: Sequence[Pair], models: AskedModels) -> list[Pair]:
    """The pairs as a model sees them. ProviderError when there is no whole answer."""
    asked = list(pairs[:MOST_ASKED])
    if not asked:
        return []
    text = render(
        "compare_entries",
        pairs="\n".join(f"{n}.\n- {pair.one.content}\n- {pair.other.content}" for n, pair in enumerate(asked, 1)),
    )
    expected = models.expected_tokens(text, SCHEMA, answer=OUTPUT_TOKENS // 4)
    begun = models.begin(COMPARISON, expected_tokens=expected)
    value = begun.ask(text, SCHEMA, max_output_tokens=OUTPUT_TOKENS).value
    told = {one["pair"]: one["relation"] for one in value["pairs"]}
    return [pair._replace(relation=told.get(number, pair.relation)) for number, pair in enumerate(asked, 1)]


def weaker(pair: Pair) -> tuple[Entry, Entry]:
    """Of two entries the one that can go, and the one that stays: what a person said stays before what anybody else
    did; then, of a contradiction, the later word, and of a repetition what was recalled more, or said first."""
    newer, older = sorted((pair.one, pair.other), key=lambda entry: (entry.created, entry.entry_id), reverse=True)
    if is_users_own(newer) != is_users_own(older):
        return (older, newer) if is_users_own(newer) else (newer, older)
    if pair.relation == CONTRADICT:
        return older, newer
    return (older, newer) if newer.recall_count > older.recall_count else (newer, older)


def _why(target: Entry, stays: Entry, relation: str) -> str:
    """What speaks for the entry that stays, as a sentence that goes on after a colon."""
    named = f"“{stays.content:.200}” [{short_id(stays.entry_id)}]"
    if relation == SAME:
        return f"{named} says the same."
    when = "later " if stays.created > target.created else ""
    is_yours = stays.origin == "typed" or is_users_own(stays)
    return f"you {when}said {named}." if is_yours else f"{when or 'another '}entry says otherwise: {named}."


def _propose(pairs: Sequence[Pair], memory: Opened) -> int:
    store, now, proposed = memory.store, memory.now, 0
    gone: set[str] = set()
    for pair in pairs:
        target, stays = weaker(pair)
        if proposed == MOST_PROPOSED:
            break
        # What a person turned down once is not proposed again; of three that say the same, one stays.
        if {target.entry_id, stays.entry_id} & gone or store.staged.was_wanted("remove", target.entry_id, COMPARISON):
            continue
        gone.add(target.entry_id)
        change = RemoveEntry(target)
        about = described(change)
        why = _why(target, stays, pair.relation)
        staged = Staged(
            memory.new_id(ids.STAGED),
            about.action,
            about.target_id,
            to_payload(change),
            about.what,
            why,
            client=COMPARISON,
            session="",
            repository=target.repository,
            created=now,
            expires=now + WAIT_SECONDS,
        )
        with store.write():
            store.staged.add(staged)
        proposed += 1
    return proposed
