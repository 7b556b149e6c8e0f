"""Commands that write entries: remember, correct, edit, vote."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from recollect.doors.cli.asking import can_ask, which_are_meant
from recollect.doors.cli.opening import from_editor, from_stdin, joined, opened, say_if_off
from recollect.doors.cli.options import A_PROJECT, PLACES, WHERE, WORDS, Command, id_argument, json_option
from recollect.doors.cli.printing.outcomes import (
    exit_if_refused,
    print_correction,
    print_edit,
    print_remembered,
    print_vote,
)
from recollect.errors import Refused, UsageError
from recollect.flows.writes.actors import Person
from recollect.model.drafts import Outcome

if TYPE_CHECKING:
    from recollect.app import Recollect
    from recollect.model.drafts import Draft
    from recollect.model.entries import Layer, Scope

# What `correct` takes for an id when more words follow; the alphabet is that of ids.
_ID = re.compile(r"e_[0-9a-z]*")

text_argument = click.argument("text", metavar="TEXT", nargs=-1, required=True, type=WORDS)
tag_option = click.option("--tag", "tags", metavar="T", multiple=True, type=WORDS, help="A label; may be repeated.")


@click.command("remember", cls=Command, example='recollect remember "This repository uses pnpm, not npm."')
@text_argument
@click.option("--layer", type=click.Choice(["L0", "L1"]), help="L0 is the profile, L1 knowledge.  [default: L1]")
@click.option(
    "--scope",
    metavar="here|everywhere",
    type=PLACES,
    help=f"Where it holds: {WHERE}.  [default: here, in a repository]",
)
@tag_option
@click.option("--cite", metavar="PATH[:A-B]", multiple=True, help="A file that supports it; may be repeated.")
@click.option("--reason", metavar="R", default="", type=WORDS, help="Why it is worth remembering.")
@click.option("--subject", metavar="S", default="", type=WORDS, help="What it is about, in a word or two.")
@click.option("--alias", "aliases", metavar="A", multiple=True, type=WORDS, help="Another name for the subject.")
@click.option("--project", metavar="P", default="", type=WORDS, help=f"The project it belongs to: {A_PROJECT}.")
@click.option("--section", metavar="NAME", default="", type=WORDS, help="The section of the profile (L0).")
@json_option
def remember(
    text: tuple[str, ...],
    layer: Layer | None,
    scope: Scope | None,
    tags: tuple[str, ...],
    cite: tuple[str, ...],
    reason: str,
    subject: str,
    aliases: tuple[str, ...],
    project: str,
    section: str,
    as_json: bool,
) -> None:
    """Store one entry.

    TEXT is a sentence or two that will still make sense in a year; - reads it from stdin.
    """
    layer = layer or ("L0" if section else "L1")
    if section and layer != "L0":
        raise UsageError("Only the profile has sections: use --layer L0 with --section.")
    statement = joined(text)
    with opened(changes=True, creates=True) as memory:
        say_if_off(memory)
        try:
            draft = memory.entries.draft(
                statement,
                layer=layer,
                scope=scope,
                tags=[*_section_tags(section), *tags],
                cite=cite,
                reason=reason,
                subject=subject,
                aliases=aliases,
                project=project,
            )
            outcome = memory.writes().store(draft)
        except Refused as refusal:
            if not as_json or isinstance(refusal, UsageError):
                raise
            outcome = Outcome("refused", why=str(refusal))
        print_remembered(outcome, memory, layer=layer, as_json=as_json)
    exit_if_refused(outcome)


@click.command("correct", cls=Command, example='recollect correct "The deploy target is Render."')
@click.argument("words", metavar="[ID] TEXT", nargs=-1, required=True, type=WORDS)
@json_option
def correct(words: tuple[str, ...], as_json: bool) -> None:
    """Say what is right, in your own words; it replaces what was wrong.

    With an ID, that entry says TEXT from now on. Without one, Recollect finds the entry you mean; if a value or a name
    has changed, only that part changes. If several entries could be meant, you are asked: one, all or none of them.
    """
    named = _ID.fullmatch(words[0]) is not None
    text = words[1:] if named else words
    if not named and any(" " in word for word in words[1:]):
        raise UsageError(f"{words[0]!r} is not an id; put the whole text in quotes.")
    if not text:
        raise UsageError(f"Say what is right after the id: `recollect correct {words[0]} TEXT`.")
    statement = joined(text)
    with opened(changes=True) as memory:
        say_if_off(memory)
        draft = memory.entries.draft(statement)
        chosen = None if named or as_json else _chosen(draft, memory)
        if chosen is None:
            outcome = memory.writes().correct(draft, entry_id=words[0] if named else "")
        else:
            outcome = memory.writes(Person()).correct(draft, chosen=chosen)
        print_correction(outcome, memory, as_json=as_json)
    exit_if_refused(outcome)


@click.command("edit", cls=Command, example='recollect edit e_x7k2m9qf --text "This repository uses pnpm 9."')
@id_argument
@click.option("--text", metavar="T", type=WORDS, help="The new text; - reads it from stdin.")
@click.option(
    "--tag",
    "tags",
    metavar="T",
    multiple=True,
    type=WORDS,
    help='Its new tags: repeat it for several, "" removes them.',
)
@click.option("--subject", metavar="S", type=WORDS, help="What it is about.")
@click.option(
    "--alias",
    "aliases",
    metavar="A",
    multiple=True,
    type=WORDS,
    help='Its new aliases: repeat it for several, "" removes them.',
)
@click.option("--reason", metavar="R", type=WORDS, help="Why it is worth remembering.")
@json_option
def edit(
    entry_id: str,
    text: str | None,
    tags: tuple[str, ...],
    subject: str | None,
    aliases: tuple[str, ...],
    reason: str | None,
    as_json: bool,
) -> None:
    """Change what an entry says or how it is labelled.

    Without options its text opens in your editor. The old version stays in the history.
    """
    if text == "-":
        text = from_stdin()
    with opened(changes=True) as memory:
        if text is None and subject is None and reason is None and not tags and not aliases:
            text = from_editor(memory.entries.get(entry_id).content)
        draft = memory.entries.edited(
            entry_id, text=text, tags=tags or None, subject=subject, aliases=aliases or None, reason=reason
        )
        if memory.entries.is_same(entry_id, draft):
            raise Refused("Nothing was changed: the entry already says that.")
        outcome = memory.writes().replace(entry_id, draft)
        print_edit(outcome, as_json=as_json)
    exit_if_refused(outcome)


@click.command("vote", cls=Command, example='recollect vote e_x7k2m9qf up --reason "saved me a failed install"')
@id_argument
@click.argument("direction", type=click.Choice(["up", "down"]))
@click.option("--reason", metavar="R", required=True, type=WORDS, help="Why.")
@json_option
def vote(entry_id: str, direction: str, reason: str, as_json: bool) -> None:
    """Say that an entry was useful (up) or wrong (down), and why."""
    with opened(changes=True) as memory:
        outcome = memory.writes().vote(entry_id, direction, reason)
        if outcome.is_done:
            print_vote(memory.entries.get(entry_id), direction, as_json=as_json)
        else:
            print_remembered(outcome, memory, layer="L1", as_json=as_json)
    exit_if_refused(outcome)


def _chosen(draft: Draft, memory: Recollect) -> tuple[str, ...] | None:
    """Which entries a correction replaces, as the person says; None where it is clear, or where nobody can be asked."""
    if not can_ask():
        return None
    writes = memory.writes(Person())
    choices = [(entry, writes.would_say(draft, entry)) for entry in writes.unclear(draft)]
    return which_are_meant(choices) if choices else None


def _section_tags(section: str) -> list[str]:
    from recollect.text.sections import SECTION_TAG

    return [SECTION_TAG + section.strip()] if section.strip() else []
