"""What agents may do, in words."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from recollect.doors.cli.printing.output import on_terminal, put_done, put_json, put_row, say
from recollect.doors.cli.printing.times import ago
from recollect.doors.shapes import time_json
from recollect.text.ids import short_id

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from recollect.model.permissions import Approval
    from recollect.settings import Settings

RULES = ("deny", "allow", "allow_all")


Named = Callable[[str], str]  # a repository as people know it
REACHES = {"location": "this repository", "session": "this session"}


def print_permissions(settings: Settings, approvals: Sequence[Approval], named: Named, *, as_json: bool) -> None:
    """The approvals, newest first, and the rules."""
    rules = {name: settings.get(f"permissions.{name}") for name in RULES}
    if as_json:
        put_json({"rules": rules, "approvals": [_approval_json(one) for one in approvals]})
        return
    said = {name: ", ".join(value) if isinstance(value, tuple) else str(value).lower() for name, value in rules.items()}
    if on_terminal():
        _page(said, settings, approvals, named)
    else:
        for name, value in said.items():
            put_row(("rule", name, value or "none", settings.origin(f"permissions.{name}")))
        for one in approvals:
            put_row((one.approval_id, one.kind, one.reach, named(one.place)))
    if not approvals:
        say("No standing approvals.")


def _page(rules: dict[str, str], settings: Settings, approvals: Sequence[Approval], named: Named) -> None:
    from recollect.doors.cli.printing.terminal import Page

    page = Page()
    if approvals:
        page.line("You allowed agents to change memory", "bold")
        now = time.time()
        page.items(
            [
                (short_id(one.approval_id), named(one.place), f"{REACHES[one.reach]}, {ago(one.created, now=now)}", "")
                for one in approvals
            ]
        )
        page.hint("Revoke one with `recollect permissions revoke ID`.\n")
    page.line("Rules in your settings", "bold")
    origins = {name: settings.origin(f"permissions.{name}") for name in rules}
    page.fields(
        [
            (name, (value or "none") + ("" if origins[name] == "default" else f"  ({origins[name]})"))
            for name, value in rules.items()
        ]
    )


def print_allowed(approval: Approval, named: Named, *, as_json: bool) -> None:
    """What is allowed now."""
    place, name = named(approval.place), approval.approval_id
    sentence = f"Agents may change memory in {place} without asking, until you revoke {name}."
    _print(approval, sentence, f"allowed {approval.approval_id}", as_json=as_json)


def print_revoked(approval: Approval, named: Named, *, as_json: bool) -> None:
    """What is asked again from now on."""
    _print(
        approval, f"Agents ask again in {named(approval.place)}.", f"revoked {approval.approval_id}", as_json=as_json
    )


def _print(approval: Approval, sentence: str, plainly: str, *, as_json: bool) -> None:
    if as_json:
        put_json(_approval_json(approval))
    elif on_terminal():
        put_done(sentence)
    else:
        put_row((plainly,))
        say(sentence)


def _approval_json(approval: Approval) -> dict[str, Any]:
    return {
        "id": approval.approval_id,
        "kind": approval.kind,
        "reach": approval.reach,
        "place": approval.place,
        "created": time_json(approval.created),
    }
