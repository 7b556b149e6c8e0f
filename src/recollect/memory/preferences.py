"""Standing preferences: what the user wants everywhere, whatever is asked. Pure.

They come at the start of every session, so only what a person said is among them: never an agent's words, nor what a
tool printed or a document says, whoever accepted it."""

from __future__ import annotations

from recollect.text.language.orders import is_order
from recollect.text.patterns import lazy
from recollect.text.similarity import normalise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from recollect.model.entries import Entry

PREFERENCE_TAG = "preference"
OFTEN = 10  # turns that asked for a preference make it worth a place in the profile
_LIFTED = ("tool", "document")
_WANTS = lazy(
    r"(?i)\b(?:I|the user|we)(?:['’]d| would)? (?:(?:always|never|generally|usually|really|strongly|only|do not"
    r"|don['’]?t|does not|doesn['’]t|keeps?) )*(?:prefers?|wants?|likes?|loves?|hates?|dislikes?|wish(?:es)?|asking)\b"
    r"|\b(?:my|the user['’]s) preference\b|^no \w|\b(?:should|must|answers?|repl(?:y|ies)|responses?|explanations?)\b"
)


def is_standing(entry: Entry) -> bool:
    """Is it a preference that holds everywhere, in a person's words?"""
    return entry.layer == "L1" and entry.scope == "user" and said_by_person(entry) and _is_wish(entry)


def said_by_person(entry: Entry) -> bool:
    """Did a person type it or vouch for it? What a tool or a document says stays theirs."""
    return entry.origin not in _LIFTED and (entry.origin == "typed" or entry.source == "user")


def standing(entries: Iterable[Entry], *, profile: Sequence[Entry]) -> list[Entry]:
    """The standing preferences among these, in their order, without what the profile says already."""
    known = {normalise(entry.content) for entry in profile}
    return [entry for entry in entries if is_standing(entry) and normalise(entry.content) not in known]


def is_worth_profile(entry: Entry) -> bool:
    """Has it been needed so often that a person should be asked whether it belongs into the profile?"""
    return entry.recall_count >= OFTEN and entry.votes_down == 0


def _is_wish(entry: Entry) -> bool:
    return PREFERENCE_TAG in entry.tags or _WANTS.search(entry.content) is not None or is_order(entry.content)
