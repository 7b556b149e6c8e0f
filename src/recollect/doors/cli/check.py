"""`recollect check`: what customization files and shared facts name, against the working tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from recollect.doors.cli.opening import opened
from recollect.doors.cli.options import Command, json_option
from recollect.doors.cli.printing.output import (
    counted,
    on_terminal,
    one_line,
    put,
    put_json,
    put_row,
    put_text,
    say,
)
from recollect.doors.suggestion_shapes import finding_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.flows.suggestions.checking import Finding

LEVELS = {"gone": "error", "changed": "warning"}


@click.command("check", cls=Command, example="recollect check --ci")
@click.option("--ci", is_flag=True, help="Write annotations that GitHub shows beside the lines.")
@json_option
def check(ci: bool, as_json: bool) -> None:
    """Check that what customization files and shared facts refer to still exists.

    Checks paths, functions such as `load()`, and commands such as `npm run lint` or `make test`. Exits with 1 if
    something is gone.
    """
    with opened() as memory:
        found = memory.suggestions.check()
    bad = [one for one in found if one.check in LEVELS]
    if as_json:
        put_json([finding_json(one) for one in found])
    elif ci:
        for one in bad:
            put(annotation(one))
    else:
        _print(bad)
    if not as_json:
        gone = sum(one.check == "gone" for one in bad)
        say(f"{counted(len(found), 'reference')} checked: {gone} gone, {len(bad) - gone} changed.")
    if any(one.check == "gone" for one in bad):
        click.get_current_context().exit(1)


def _print(bad: Sequence[Finding]) -> None:
    for one in bad:
        if not on_terminal():
            put_row((one.check, f"{one.file}:{one.line}", one.kind, one.what, one.why))
            continue
        put_text(f"{one.check}  " + one_line(f"{one.file}:{one.line} {one.kind} {one.what}"))
        put_text(f"    {one_line(one.why)}")


def annotation(one: Finding) -> str:
    """A line that GitHub shows beside the line of the file."""
    message = one_line(f"{one.kind} {one.what}: {one.why}").replace("%", "%25")
    return f"::{LEVELS[one.check]} file={one.file},line={one.line},title={one.check}::{message}"
