"""The block for AGENTS.md, for hosts that take nothing from hooks. The same bytes while nothing changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.flows.turns.settle import uncontradicted
from recollect.flows.views.entries import EntryList
from recollect.prompts import render
from recollect.text.fences import neutralise
from recollect.text.secrets.examples import carries_credential

if TYPE_CHECKING:
    from recollect.flows.opened import Opened

MOST_ENTRIES = 10
MOST_CHARACTERS = 1_500


def agents_block(memory: Opened) -> str:
    """The profile and the newest entries of this repository that rest on what a person typed; of two that
    contradict each other, the one that is used, and none whose file says otherwise by now."""
    profile = memory.profile()
    entries = EntryList(memory).list(status="active", layer="L1")
    typed = [entry for entry in entries if entry.origin == "typed" and entry.layer == "L1" and entry.repository]
    typed = [entry for entry in typed if not carries_credential(entry.content)]  # the file is everybody's
    typed = uncontradicted(typed, memory.store, memory.filters(), memory.now)
    checks = memory.checker(patient=True).check(typed, now=memory.now)
    typed = [entry for entry, found in zip(typed, checks, strict=True) if found.check not in ("changed", "gone")]
    lines: list[str] = []
    for entry in sorted(typed, key=lambda entry: (-entry.updated, entry.entry_id))[:MOST_ENTRIES]:
        line = f"- {neutralise(' '.join(entry.content.split()))} [{entry.entry_id}]"
        if sum(map(len, lines)) + len(line) > MOST_CHARACTERS:
            break
        lines.append(line)
    parts = []
    if profile.text:
        parts.append("### The user\n\n" + f"\n{profile.text}".replace("\n## ", "\n#### ").strip())
    if lines:
        parts.append("### This repository\n\n" + "\n".join(lines))
    body = "\n\n".join(parts) or "Nothing is known yet."
    # A comment mark in an entry must not end the block.
    return render("agents_block", body=body.replace("<!--", "< !--"))
