"""How the profile looks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.doors.cli.printing.output import on_terminal, put, put_json, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.memory.profile import Profile
    from recollect.model.drafts import Outcome


def print_profile(profile: Profile, *, as_json: bool) -> None:
    """The Markdown as it is, and how much of its limit is used; in a pipe the latter is a message."""
    if as_json:
        from recollect.doors.shapes import profile_json

        put_json(profile_json(profile))
    elif on_terminal():
        _profile_page(profile)
    else:
        if profile.text:
            put(profile.text)
        say(profile.usage)


def _profile_page(profile: Profile) -> None:
    from recollect.doors.cli.printing.terminal import Page, bar

    page = Page()
    for line in profile.text.splitlines():
        page.line(line, "bold" if line.startswith("#") else "")
    if not profile.text:
        page.hint('The profile is empty. Start it with `recollect profile set About "…"`.')
    page.line()
    page.line(bar(profile.share).append(f"  {profile.usage}", style="dim"))


def print_profile_change(outcomes: Sequence[Outcome], profile: Profile, *, as_json: bool) -> int:
    """What became of a change, and the profile after it; returns the exit code."""
    refused = [outcome for outcome in outcomes if outcome.status == "refused"]
    if as_json:
        from recollect.doors.shapes import outcome_json, profile_json

        put_json({**profile_json(profile), "changes": [outcome_json(outcome) for outcome in outcomes]})
    else:
        print_profile(profile, as_json=False)
        if not outcomes:
            say("The profile already says that.")
        _say_more(outcomes, profile)
    for outcome in refused:
        say(f"recollect: {outcome.why}")
    return 1 if refused else 0


def _say_more(outcomes: Sequence[Outcome], profile: Profile) -> None:
    """What else to know of the lines that stand in the profile now, such as that one has moved."""
    lines = {entry.entry_id: " ".join(entry.content.split()) for entry in profile.entries}
    for outcome in outcomes:
        if outcome.why and outcome.status != "refused" and outcome.entry_id in lines:
            say(f"“{lines[outcome.entry_id]}”: {outcome.why}")
