"""What the service says at the start of a session elsewhere: profile, preferences, and what holds in its repository."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.flows.turns.session_start import preferences
from recollect.memory.inject import Part, block_of, fitting_pieces, profile_part
from recollect.model.record import Record
from recollect.model.turns import Recipient
from recollect.text.rendering import entry_line

if TYPE_CHECKING:
    from recollect.flows.opened import Opened
    from recollect.model.entries import Entry

LOOKED_AT = 200  # of the newest facts of a repository


class ServicePrompt(Record):
    """Text for the system prompt, and how much is known."""

    text: str
    repository: int = 0  # active memories of the repository
    user: int = 0  # and of the user


def service_prompt(memory: Opened) -> ServicePrompt:
    """What a session in this repository is told at its start; no text when nothing is known or memory is off."""
    if not memory.settings.enabled:
        return ServicePrompt("")
    to, here, entries = Recipient(), memory.repository.repository, memory.store.entries
    profile = memory.profile()
    wishes = "\n".join(entry_line(entry, check) for entry, check, _ in preferences(memory, to, profile))
    parts = [
        profile_part(profile),
        Part("Preferences", wishes),
        Part("What holds in this repository", "\n".join(map(entry_line, _facts(memory))), by_line=True),
    ]
    limits = {"limit_characters": memory.limit_characters(to), "limit_tokens": memory.limit_tokens(to)}
    text = block_of(fitting_pieces(parts, **limits))
    return ServicePrompt(text, entries.count_in(here) if here else 0, entries.count_in(""))


def _facts(memory: Opened) -> list[Entry]:
    """The newest facts of the repository, those that were used most first."""
    here = memory.repository.repository
    where = {"layer": "L1", "status": "active", "repository": here}
    found = [stored.entry for stored in memory.store.entries.listed(where, limit=LOOKED_AT)] if here else []
    held = [entry for entry in found if not entry.valid_to or entry.valid_to > memory.now]
    return sorted(held, key=lambda entry: entry.recall_count, reverse=True)
