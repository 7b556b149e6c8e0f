"""Who is writing: a person or an agent. What only a person decides is refused to others here, whatever the door."""

from __future__ import annotations

from itertools import dropwhile

from recollect.errors import Refused
from recollect.files.processes import is_cut_loose, parents
from recollect.hosts.programs import agent_of
from recollect.model.record import Record
from recollect.settings import agent_session, inside_agent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recollect.ports import Ask

# Claude Code gives this one to its servers too, and not only to the commands of its shell.
_OF_SERVERS_TOO = "CLAUDE_CODE_ENTRYPOINT"


class Person(Record):
    """Somebody who writes in their own name, or a program that writes in it."""

    name: str = "user"  # what the trail calls them: user, or another source that a program names
    is_there: bool = True  # False: the command runs without a terminal, cut loose from whoever started it


class Agent(Record):
    """A coding agent: what it writes is its own; what is risky is asked, or waits for a person."""

    client: str = ""  # its name, which it chose itself
    session: str = ""
    host: str = ""
    ask: Ask | None = None  # how the person behind it is asked; None: nobody can be
    allow_tools: Sequence[str] = ()
    deny_tools: Sequence[str] = ()


if TYPE_CHECKING:
    Actor = Person | Agent


def caller(environ: Mapping[str, str]) -> Actor:
    """Who runs this process: the agent that its variables or its parents name, else a person."""
    agent = agent_here(environ)
    return Agent(agent, agent_session(environ)) if agent else Person(is_there=not is_cut_loose())


def agent_here(environ: Mapping[str, str]) -> str:
    """The coding agent that this process runs inside; empty for a person."""
    return inside_agent(environ) or agent_of(parents())


def require_person(actor: Actor, what: str) -> None:
    """Refuse anybody else what only a person decides; `what` begins the sentence."""
    match actor:
        case Agent(client=client):
            raise Refused(f"{what} is for a person to decide: do it in your own terminal, outside {client}.")
        case Person(is_there=False):
            raise Refused(
                f"{what} is for a person to decide: do it in your own terminal; this command runs without one."
            )


def is_agents_shell(environ: Mapping[str, str], parents: Sequence[Sequence[str]] = ()) -> bool:
    """Was this server started from an agent's shell, where the agent itself could be the client that answers?

    A host starts its servers itself: then it is the nearest parent, or a few of its processes in a row are. An agent
    further up means that a command of its shell stands in between, whatever that calls itself."""
    if inside_agent({name: value for name, value in environ.items() if name != _OF_SERVERS_TOO}):
        return True
    others = dropwhile(lambda words: bool(agent_of([words])), parents)
    return bool(agent_of(others))
