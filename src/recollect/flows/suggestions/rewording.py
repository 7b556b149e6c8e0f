"""A suggestion in a person's own words: their sentence, placed in the file as it is now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.errors import Refused
from recollect.files.customizations import read_exactly
from recollect.flows.suggestions.facts import FactList
from recollect.suggestions.customizations import USER, read_customization
from recollect.suggestions.facts import rejected
from recollect.suggestions.new_files import NewFile, filled
from recollect.suggestions.placing import place
from recollect.text.ids import short_id

if TYPE_CHECKING:
    from recollect.flows.opened import Opened
    from recollect.model.suggestions import Suggestion

EDIT_ITSELF = (
    "This change cannot be reworded as one sentence, because {why}. "
    "Edit the file itself: `recollect suggest edit {name}` opens it."
)


def reworded(one: Suggestion, text: str, memory: Opened) -> Suggestion:
    """The change with another sentence in the place of the one it had, in its file as it is now."""
    if not text.strip():
        raise Refused("Give the new sentence.")
    why = rejected(text)
    if why:
        raise Refused(f"That cannot be suggested: {why}.")
    if one.before is None:
        return one._replace(fact=text, after=_reworded_file(one, text))
    now = file_now(one)
    made = placed_in(one, one.before if now is None else now, text, memory)
    if made is None:
        why = "it removes something" if one.action == "remove" else "the file does not consist of sentences"
        raise Refused(EDIT_ITSELF.format(why=why, name=short_id(one.suggestion_id)))
    return made


def can_reword(one: Suggestion) -> bool:
    """Is the change one sentence, so that another one can take its place?"""
    if one.before is None:
        return one.target_type == "newFile" and len(one.fact_ids) < 2
    return one.action != "remove" and one.target_type != "hook"


def to_be_edited(one: Suggestion, memory: Opened) -> Suggestion:
    """The change on its file as it is now, for a person who edits the whole of it."""
    now = file_now(one)
    if one.before is None or now is None or now == one.before:
        return one
    return placed_in(one, now, one.fact, memory) or one._replace(before=now, after=now)


def placed_in(one: Suggestion, text: str, sentence: str, memory: Opened) -> Suggestion | None:
    """The change that puts a sentence into this text of its file; None where that takes more than a sentence."""
    file = read_customization(one.target, text)
    if file is None or file.kind == "hook" or one.action == "remove":
        return None
    placed = place(FactList(memory).worded(one, sentence), text, file.kind)
    return one._replace(fact=sentence, before=text, after=placed.after, action=placed.action, place=placed.place)


def placed_anew(one: Suggestion, text: str, memory: Opened) -> Suggestion | None:
    """The person's own sentence, placed in another text of its file; None where they edited the file as a whole."""
    before = placed_in(one, one.before, one.fact, memory) if one.before is not None else None
    return placed_in(one, text, one.fact, memory) if before is not None and before.after == one.after else None


def file_now(one: Suggestion) -> str | None:
    """The text of its file; None when it is not there."""
    return read_exactly(one.root, one.target.removeprefix(USER))


def _reworded_file(one: Suggestion, text: str) -> str:
    """A new file with another sentence in the place of its only one."""
    item = filled(NewFile(one.target, ""), [one.fact])
    if one.target_type != "newFile" or len(one.fact_ids) > 1 or not one.after.endswith(item):
        why = "it is made of several facts" if len(one.fact_ids) > 1 else "it is a whole new file"
        raise Refused(EDIT_ITSELF.format(why=why, name=short_id(one.suggestion_id)))
    return filled(NewFile(one.target, one.after.removesuffix(item)), [text])
