"""Answers that a person types at a terminal: what is none of them is asked for again, with a word on what to type."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import click

from recollect.doors.cli.printing.output import say

if TYPE_CHECKING:
    from collections.abc import Mapping

Answered = TypeVar("Answered")

_YES_OR_NO = {"y": True, "yes": True, "n": False, "no": False, "": False}


def confirmed(question: str, *, err: bool = True) -> bool:
    """Does the person say yes? Enter alone is no; click.Abort when they break off."""
    return until_one(f"{question} [y/N]", _YES_OR_NO, "Type y or n.", default="", err=err)


def until_one(
    question: str, answers: Mapping[str, Answered], hint: str, *, default: str | None = None, err: bool = True
) -> Answered:
    """What the answer stands for; click.Abort when the person breaks off."""
    while True:
        answer = str(click.prompt(question, default=default, show_default=bool(default), err=err)).strip().casefold()
        if answer in answers:
            return answers[answer]
        say(hint)
