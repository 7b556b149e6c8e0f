"""Who is writing: a person or an agent. What only a person decides is refused to others here, whatever the door."""

from __future__ import annotations

from itertools import dropwhile

from recollect.errors import Refused
from recollect.files.processes import environments_above, is_cut_loose, is_piped, lineage, parents, sits
from recollect.hosts.programs import agent_of, is_editor
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
    is_there: bool = True  # False: the command runs without a terminal, or was cut loose from whoever sits at it
    is_piped: bool = False  # something else than a terminal speaks to it


class Agent(Record):
    """A coding agent: what it writes is its own; what is risky is asked, or waits for a person."""

    client: str = ""  # its name, which it chose itself
    session: str = ""
    host: str = ""
    ask: Ask | None = None  # how the person behind it is asked; None: nobody can be
    allow_tools: Sequence[str] = ()
    deny_tools: Sequence[str] = ()
    stays_here: bool = False  # what it stores is kept here, whatever other memory agents of this home use


if TYPE_CHECKING:
    Actor = Person | Agent


def caller(environ: Mapping[str, str]) -> Actor:
    """Who runs this process: the agent that its variables or its parents name, else a person."""
    agent = agent_here(environ)
    return Agent(agent, agent_session(environ)) if agent else Person(is_there=not is_cut_loose(), is_piped=is_piped())


def agent_here(environ: Mapping[str, str]) -> str:
    """The coding agent that this process runs inside; empty for a person. What one process was made to forget, those
    that started it still know."""
    above = (inside_agent(one) for one in environments_above())
    return inside_agent(environ) or agent_of(parents()) or next(filter(None, above), "")


def require_person(actor: Actor, what: str, *, reads_stdin: bool = False, away: bool = False) -> None:
    """Refuse anybody else what only a person decides; `what` begins the sentence. A person who said --yes in a command
    may be away from it; an agent never passes."""
    match actor:
        case Agent(client=client):
            raise Refused(f"{what} needs a person: run it in your own terminal, outside {client}.")
        case Person() if away:
            return
        case Person(is_there=False):
            raise Refused(f"{what} needs a person: run it in your own terminal; there is no terminal here.")
        case Person(is_piped=True) if not reads_stdin:
            raise Refused(f"{what} needs a person: run it in your own terminal, with nothing piped into it.")


def has_person_behind(environ: Mapping[str, str]) -> bool:
    """Can a person be behind the client that started this server? Only then are its answers theirs.

    Somebody has to sit where it was started: at a terminal that the server or one of its parents belongs to, or at an
    editor. A client that was cut loose answers for itself."""
    found = lineage()
    if is_agents_shell(environ, [one.words for one in found[1:]]) or any(map(_is_shells, environments_above())):
        return False
    if not found:
        return not is_cut_loose()
    return any(sits(found[at:]) for at in range(len(found))) or any(is_editor(one.program) for one in found[1:])


def is_agents_shell(environ: Mapping[str, str], parents: Sequence[Sequence[str]] = ()) -> bool:
    """Was this server started from an agent's shell, where the agent itself could be the client that answers?

    A host starts its servers itself: then it is the nearest parent, or a few of its processes in a row are. An agent
    further up means that a command of its shell stands in between, whatever that calls itself."""
    if _is_shells(environ):
        return True
    others = dropwhile(lambda words: bool(agent_of([words])), parents)
    return bool(agent_of(others))


def _is_shells(environ: Mapping[str, str]) -> bool:
    return bool(inside_agent({name: value for name, value in environ.items() if name != _OF_SERVERS_TOO}))
