"""`recollect profile`: show, edit, set."""

from __future__ import annotations

import sys

import click

from recollect.doors.cli.opening import from_editor, from_stdin, opened
from recollect.doors.cli.options import WORDS, Command, Group, json_option
from recollect.doors.cli.printing.profiles import print_profile, print_profile_change

EDITING = "Editing the profile"
BLANK_PROFILE = "## About\n- \n\n## Preferences\n- \n"


@click.group("profile", cls=Group, default="show", example="recollect profile")
def profile() -> None:
    """Show and change the profile (L0).

    The profile goes into the system prompt of every session, so it is short: 1,000 characters by default.
    """


@profile.command("show", cls=Command, example="recollect profile show")
@json_option
def show(as_json: bool) -> None:
    """Show the profile and how much of its limit is used."""
    with opened() as memory:
        print_profile(memory.profile.show(), as_json=as_json)


@profile.command("edit", cls=Command, needs_person=True, example="recollect profile edit < profile.md")
@json_option
def edit(as_json: bool) -> None:
    """Replace the whole profile, in your editor or from stdin."""
    with opened(changes=True, creates=True) as memory:
        memory = memory.for_person(EDITING, reads_stdin=True)
        text = from_editor(memory.profile.show().text or BLANK_PROFILE) if sys.stdin.isatty() else from_stdin()
        outcomes = memory.profile.rewrite(text, may_empty=False)
        code = print_profile_change(outcomes, memory.profile.show(), as_json=as_json)
    click.get_current_context().exit(code)


@profile.command(
    "set",
    cls=Command,
    needs_person=True,
    example='recollect profile set Preferences "Answers in short sentences." "No emojis."',
)
@click.argument("section", type=WORDS)
@click.argument("text", nargs=-1, required=True, type=WORDS)
@json_option
def set_section(section: str, text: tuple[str, ...], as_json: bool) -> None:
    """Replace one section; an empty TEXT removes it.

    Each TEXT is one statement; if it has several lines, each line is one. - reads them from stdin.
    """
    with opened(changes=True, creates=True) as memory:
        person = memory.for_person(EDITING, reads_stdin=text == ("-",))
        outcomes = person.profile.set_section(section, from_stdin() if text == ("-",) else "\n".join(text))
        code = print_profile_change(outcomes, memory.profile.show(), as_json=as_json)
    click.get_current_context().exit(code)
