"""Which stored entries a new statement has to do with: the same, nearly the same, the opposite."""

from __future__ import annotations

import re
from itertools import permutations

from recollect.memory.rank import words_of
from recollect.model.entries import SHELF_TAG
from recollect.model.recall import Budget, Places
from recollect.model.record import Record
from recollect.text.language.corrections import corrects, gives_value_of, other_choices
from recollect.text.language.restatements import restates
from recollect.text.language.statements import relation, statement_key, subject_key
from recollect.text.lookalikes import skeleton
from recollect.text.subjects import guessed_subject
from recollect.text.terms import name_token, query_terms, topic_token

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

    from recollect.model.drafts import Draft
    from recollect.model.entries import Entry
    from recollect.store.entries import Stored
    from recollect.store.store import Store

MOST_NEIGHBOURS = 20
MOST_CORRECTED = 60  # a correction shares fewer words with what it corrects
BUDGET_POSTINGS = 1_000
SHORT_STATEMENT = 8  # words; shorter ones may be opposites and have hardly one in common
SHARED_WORDS = 0.4
_REASON = re.compile(r"\b(because|since)\b", re.IGNORECASE)  # what follows may differ where the statement does not
DEAD = ("superseded", "tombstone")
OPPOSED = ("opposite", "corrected")  # one of the two is no longer so


class Neighbour(Record):
    """A stored entry and how it relates to the new statement."""

    stored: Stored
    relation: str  # same | near | restated | opposite | corrected | related
    same_subject: bool

    @property
    def repeats(self) -> bool:
        """Does it say the same, perhaps in other words? Of what is retired any words that come to the same will do."""
        return self.relation in ("same", "near", "restated")


class SearchArea:
    """Where the neighbours of a statement can be.

    What was retired for the user is retired in every repository, and what was retired in the profile in knowledge."""

    def __init__(self, draft: Draft, *, anywhere: bool) -> None:
        both = tuple(dict.fromkeys(("", draft.repository)))
        known = ("L2",) if draft.layer == "L2" else ("L0", "L1")
        self.anywhere = anywhere
        self.places = Places(
            known if anywhere else (draft.layer,), both if anywhere else (draft.repository,), known, both
        )

    def holds(self, entry: Entry) -> bool:
        """Is this entry in it?"""
        layers, repositories, dead_layers, dead_repositories = self.places
        if entry.status in DEAD:
            return entry.layer in dead_layers and entry.repository in dead_repositories
        return entry.layer in layers and entry.repository in repositories


class Verdict(Record):
    """What is to be done with a new statement."""

    duplicate: Stored | None = None  # merge into this one
    buried: Stored | None = None  # it was retired: only the user may say it again
    revive: Stored | None = None  # it had only fallen asleep
    conflicts: tuple[Stored, ...] = ()


def find_neighbours(draft: Draft, store: Store, *, anywhere: bool = False) -> list[Neighbour]:
    """Entries of any status that the statement may repeat or contradict: of its own layer and scope, or, for a
    correction, of the profile, the user and the repository alike. What is retired is looked for there too."""
    area = SearchArea(draft, anywhere=anywhere)
    found = [stored for stored in store.entries.saying(statement_key(draft.content)) if area.holds(stored.entry)]
    seen = {stored.entry.entry_id for stored in found}
    if draft.layer != "L2":
        similar = [entry_id for entry_id in _similar(draft, store, area) if entry_id not in seen]
        found += store.entries.by_ids(similar).values()
    subject = subject_key(draft.subject)
    neighbours = []
    for stored in found:
        if _is_shelved(stored.entry) and not (anywhere and stored.entry.status == "active"):
            continue  # a program's text is no statement: only a correction reaches into it
        kind: str = relation(draft.content, stored.entry.content)
        same_subject = bool(subject) and subject == subject_key(stored.entry.subject)
        if kind in ("related", "unrelated"):
            if stored.entry.status != "active":
                kind = "restated" if restates(draft.content, stored.entry.content) else kind
            elif anywhere and not said_later(stored.entry, draft):
                kind = "corrected" if _is_corrected(draft, stored.entry, same_subject) else kind
            elif _differ(draft, stored.entry):
                kind = "corrected"
        if kind != "unrelated" or same_subject:
            neighbours.append(Neighbour(stored, "related" if kind == "unrelated" else kind, same_subject))
    return neighbours


def nearest(neighbours: Sequence[Neighbour], draft: Draft) -> list[Neighbour]:
    """Of what was found anywhere, what would have been found in the statement's own layer and scope."""
    places = SearchArea(draft, anywhere=False).places
    found = []
    for near in neighbours:
        entry = near.stored.entry
        # A search for what is retired meets what sleeps or was voted out as well.
        layers, repositories = places[:2] if entry.status == "active" else places[2:]
        if entry.layer in layers and entry.repository in repositories and not _is_shelved(entry):
            found.append(near)
    return found


def _is_corrected(draft: Draft, entry: Entry, same_subject: bool) -> bool:
    if corrects(draft.content, entry.content):
        return True
    # A subject that somebody gave says what the text may leave out; a guessed one is only its first words.
    given = same_subject and subject_key(entry.subject) != subject_key(guessed_subject(entry.content))
    return given and gives_value_of(entry.subject, draft.content, entry.content)


def said_later(entry: Entry, draft: Draft) -> bool:
    """Was it said after what comes in only now?"""
    return bool(draft.created) and entry.created > draft.created


def _differ(draft: Draft, entry: Entry) -> bool:
    """Does one of them, as people word it, put another value in the place of the other's?"""
    return any(corrects(one, other, answers=False) for one, other in permutations((draft.content, entry.content)))


def _is_shelved(entry: Entry) -> bool:
    return any(tag.startswith(SHELF_TAG) for tag in entry.tags)


def decide(neighbours: Sequence[Neighbour], *, by_user: bool, vote_out_downs: int) -> Verdict:
    """Living twins first, then the dead, then what contradicts."""
    repeats = [neighbour for neighbour in neighbours if neighbour.repeats]
    for neighbour in repeats:
        if neighbour.stored.entry.status == "active":
            return Verdict(duplicate=neighbour.stored)
    asleep = None
    for neighbour in repeats:
        entry = neighbour.stored.entry
        voted_out = entry.votes_down - entry.votes_up >= vote_out_downs
        if entry.status in DEAD or voted_out:
            if not by_user:
                return Verdict(buried=neighbour.stored)
        elif neighbour.relation != "restated":
            asleep = neighbour.stored
    conflicts = tuple(
        neighbour.stored
        for neighbour in neighbours
        if neighbour.relation in OPPOSED and neighbour.stored.entry.status == "active"
    )
    return Verdict(revive=asleep, conflicts=conflicts)


def _similar(draft: Draft, store: Store, area: SearchArea) -> list[str]:
    """The ids of entries in the area that share enough words with the statement."""
    # A subject stands in the index as a name, or as a topic where it is a common word.
    named = [topic_token(draft.subject), *map(name_token, (draft.subject, *draft.aliases))]
    names = [token for token in named if token]
    wanted = [*names, *query_terms(skeleton(draft.content))]
    # "We moved to vitest" has no word in common with "tests run with jest".
    wanted = list(dict.fromkeys((*wanted, *query_terms(" ".join(other_choices(draft.content))))))
    most = MOST_CORRECTED if area.anywhere else MOST_NEIGHBOURS
    found = store.similar_entries(wanted, area.places, Budget(BUDGET_POSTINGS, 0, 2 * most, most))
    if not area.anywhere and draft.content.isascii() and not _REASON.search(draft.content):
        words, called = set(wanted).difference(names), set(names)
        found = [one for one in found if _is_worth_reading(one.tokens, words, called)]
    return [one.entry_id for one in found]


def _is_worth_reading(tokens: AbstractSet[str], words: set[str], names: set[str]) -> bool:
    """Could they have to do with each other? What repeats or denies a long statement shares many of its words."""
    if len(words) <= SHORT_STATEMENT or not names.isdisjoint(tokens):
        return True
    theirs = words_of(tokens)
    return len(words & theirs) >= SHARED_WORDS * min(len(words), len(theirs))
