"""Asking the person at the terminal what a file may bring: whose it is, and each setting that matters."""

from __future__ import annotations

from recollect.doors.cli.answers import confirmed
from recollect.doors.cli.printing.output import asked, counted, one_line, say
from recollect.doors.cli.printing.settings import literal
from recollect.errors import Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.memory.trust import Claims
    from recollect.settings_rows import Row, Value

MOST_LINES = 40  # of a profile, which has no room for many more


def confirm_own(claims: Claims) -> bool:
    """Is this file the person's own? Nothing is asked where it makes no difference; Refused when it is to be loaded
    neither as their own nor as somebody else's."""
    if not claims:
        return False
    if claims.profile:
        say("It would add this to your profile, which every session receives:")
        for line in claims.profile[:MOST_LINES]:
            say(f"  - {one_line(line)}")
        if len(claims.profile) > MOST_LINES:
            say(f"  ... and {len(claims.profile) - MOST_LINES:,} more")
    words = counted(claims.words, "entry", "entries")
    if confirmed(asked(f"Is this your own export? If so, {words} will count as your own words.")):
        return True
    if not confirmed("Load it as statements from a document instead?"):
        raise Refused("Nothing was loaded.")
    return False


def confirm_setting(row: Row, value: Value) -> bool:
    """May the file set this?"""
    say(f"{row.name} = {one_line(literal(value))}")
    say(f"  {row.meaning}")
    return confirmed("Set it?")
