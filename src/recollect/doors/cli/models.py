"""`recollect models`: list, test, use."""

from __future__ import annotations

import click

from recollect.doors.cli.opening import environ, opened
from recollect.doors.cli.options import WORDS, Command, Group, json_option
from recollect.doors.cli.printing.models import print_models, print_trial, print_used
from recollect.doors.cli.printing.output import say

ROLES = ("default", "smol")
role_option = click.option(
    "--role", type=click.Choice(ROLES), default="default", show_default=True, help="The role it is for."
)
one_role = click.option("--role", type=click.Choice(ROLES), help="The role it is for.  [default: default]")


@click.group("models", cls=Group, default="list", example="recollect models use claude")
def models() -> None:
    """Show, test and choose the model for each role."""


@models.command("list", cls=Command, example="recollect models list")
@json_option
def list_models(as_json: bool) -> None:
    """Show the roles, the models found on this machine, and today's cost.

    No model is called.
    """
    from recollect.flows.models.found import find_models

    with opened() as memory:
        found = list(find_models(memory.opened.environ, memory.settings))
        print_models(memory.models, memory.settings, found, as_json=as_json)


@models.command("test", cls=Command, example="recollect models test")
@role_option
@json_option
def test(role: str, as_json: bool) -> None:
    """Test a model on two dozen cases with known answers, in one request.

    An invalid answer is asked for once more. Shows time, tokens and cost. A model that passes is trusted with more:
    phrasing, scope, corrections.
    """
    from recollect.flows.models.testing import OUTPUT_TOKENS, SCHEMA, question, try_model

    with opened() as memory:
        asked = memory.models
        if asked.is_on(role) and asked.ready(role).ok:
            most = asked.most_tokens(question(), SCHEMA, answer=OUTPUT_TOKENS)
            say(f"Asking {asked.spec(role)}: at most about {most:,} tokens, two tries included.")
        print_trial(try_model(asked, role), as_json=as_json)


@models.command("use", cls=Command, needs_person=True, example="recollect models use claude")
@click.argument("name", type=WORDS)
@one_role
@json_option
def use(name: str, role: str | None, as_json: bool) -> None:
    """Use this model for a role from now on.

    NAME is a CLI (claude, codex, gemini, copilot, opencode, with `:MODEL` if you like), `anthropic:MODEL`,
    `openai:MODEL` or `openai:MODEL@ADDRESS`, `command:LINE`, `sampling`, or `rules` for no model. Without
    --role, `rules` applies to both roles, so that no model is called.
    """
    from recollect.flows.models.use_model import use_model

    ready = use_model(name, role=role, environ=environ())
    print_used(ready, as_json=as_json)
