"""What agents may do with which kind of tool: rules, approvals, and the risk of changing memory. Pure.

The order is fixed: a deny rule wins over everything, then allow-all and allow rules, then what a person allowed for the
session, then for the repository; what is left is asked. Low risk is not asked at all, unless it is denied.
"""

from __future__ import annotations

from recollect.model.permissions import MEMORY, Rules
from recollect.model.record import Record
from recollect.text.language.consent import speaks_for_user
from recollect.text.language.orders import is_order

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.model.entries import Entry, Origin
    from recollect.model.permissions import Decision

# Names that people write into rules, in any spelling, and the kind of tool that each means.
KINDS = {
    **dict.fromkeys(("memory", "storememory", "votememory", "memorywrite"), MEMORY),
    **dict.fromkeys(("read", "readfile", "list", "search"), "read"),
    **dict.fromkeys(("edit", "write"), "edit"),
    **dict.fromkeys(("run", "shell", "bash"), "run"),
}
EVERY_KIND = tuple(dict.fromkeys(KINDS.values()))


class Risk(Record):
    """Whether a write may apply itself, and why not."""

    waits: bool
    why: str = ""


LOW = Risk(False)
ORDERS = Risk(True, "it tells its reader what to do, and the user did not type it.")
SPEAKS_FOR_USER = Risk(True, "it says what the user allowed or said, and the user did not type it.")
RELABELS = Risk(True, "it would change how something that the user said is named and found.")


def kind_of(name: str) -> str:
    """The kind of permission that a tool's name means; the name itself when it is none of ours."""
    return KINDS.get(name.strip().replace("_", "").replace("-", "").lower(), name.strip())


def rules_of(
    *,
    deny: Sequence[str] = (),
    allow: Sequence[str] = (),
    allow_all: bool = False,
    deny_tools: Sequence[str] = (),
    allow_tools: Sequence[str] = (),
) -> Rules:
    """Rules from settings, and from the flags `--deny-tool` and `--allow-tool`, as kinds."""
    return Rules(
        deny=tuple(dict.fromkeys(map(kind_of, (*deny, *deny_tools)))),
        allow=tuple(dict.fromkeys(map(kind_of, (*allow, *allow_tools)))),
        allow_all=allow_all,
    )


def decide(kind: str, rules: Rules, *, session: bool, location: bool) -> Decision:
    """What the rules and earlier approvals say. `session` and `location`: was it approved there?"""
    if kind in rules.deny:
        return "deny"
    if rules.allow_all or kind in rules.allow:
        return "allow"
    if session or location:
        return "allow"
    return "ask"


def risk_of_text(text: str = "", *, origin: Origin, layer: str, scope: str, contradicts: Sequence[Entry] = ()) -> Risk:
    """The risk of storing a statement, given what it says, what it rests on and what it would take the place of."""
    if origin == "typed":
        return LOW
    if origin == "tool":
        return Risk(True, "it rests on what a tool printed.")
    if origin == "document":
        return Risk(True, "it rests on a document.")
    if is_order(text):
        return ORDERS
    if speaks_for_user(text):
        return SPEAKS_FOR_USER
    if layer == "L0":
        return Risk(True, "it would go into the profile and was not found in what was typed.")
    if scope == "user":
        return Risk(True, "it would hold everywhere and was not found in what was typed.")
    if any(is_users_own(entry) for entry in contradicts):
        return Risk(True, "it contradicts what the user said, and no typed correction was found.")
    if any(entry.layer == "L0" or entry.scope == "user" for entry in contradicts):
        return Risk(True, "it would replace something that holds everywhere.")
    return LOW


def risk_of_removal(entry: Entry, *, typed: bool) -> Risk:
    """The risk of retiring an entry, or of voting it down; `typed`: the user said that it should go."""
    if typed:
        return LOW
    if is_users_own(entry):
        return Risk(True, "the user said it and has not taken it back.")
    if entry.layer == "L0" or entry.scope == "user":
        return Risk(True, "it holds everywhere, and the user has not taken it back.")
    return LOW


def is_users_own(entry: Entry) -> bool:
    """Did a person write it, vouch for it, or type what it rests on?"""
    return entry.source == "user" or entry.origin == "typed"
