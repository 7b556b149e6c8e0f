"""`recollect agents`: list, trust."""

from __future__ import annotations

import click

from recollect.doors.cli.opening import opened
from recollect.doors.cli.options import Command, Group, json_option
from recollect.doors.cli.printing.boards import print_agents
from recollect.doors.cli.printing.output import say
from recollect.flows.sidekicks.definitions import REPOSITORY


@click.group("agents", cls=Group, default="list", example="recollect agents")
def agents() -> None:
    """Show background agents, and trust those of a repository.

    Your own are YAML files in the folder `agents` of the home; a repository keeps its own in `.recollect/agents`.
    """


@agents.command("list", cls=Command, example="recollect agents list")
@json_option
def list_agents(as_json: bool) -> None:
    """List every agent definition and whether it is used."""
    with opened() as memory:
        found = memory.background.list()
        print_agents([(one, memory.background.is_on(one)) for one in found], as_json=as_json)


@agents.command("trust", cls=Command, needs_person=True, example="recollect agents trust")
@json_option
def trust(as_json: bool) -> None:
    """Use the agents of this repository as they are now; if one changes, you are asked again."""
    with opened() as memory:
        found = memory.for_person("Trusting the agents of a repository").background.trust()
        if not (as_json or any(one.agent and one.agent.source == REPOSITORY for one in found)):
            say("This repository has no agents of its own, so there is nothing to trust.")
            return
        print_agents([(one, memory.background.is_on(one)) for one in found], as_json=as_json)
