"""Preview: what the next session start and a prompt would be given, byte for byte, and why; nothing is kept."""

from __future__ import annotations

from recollect.errors import UsageError
from recollect.flows.opened import Opened
from recollect.flows.setup.install import INSTALLABLE
from recollect.flows.setup.installed import inspect
from recollect.flows.turns.questions import require_question
from recollect.flows.turns.session_start import gather
from recollect.flows.turns.turn import answer_to
from recollect.hosts.abilities import ABILITIES, ability
from recollect.model.hosts import did_you_mean
from recollect.model.receipts import LeftOut
from recollect.model.record import Record
from recollect.model.turns import Recipient
from recollect.text import ids
from recollect.text.rendering import entry_line, line_mark
from recollect.text.tokens import estimate_tokens

USUAL_HOST = "claude-code"


class PreviewPart(Record):
    """One part of what is given: a section of the start, or an entry."""

    name: str  # the heading of a section, the id of an entry
    text: str
    tokens: int
    why: str


class Previewed(Record):
    """One text that an agent would be given; empty where it would be given nothing."""

    text: str
    tokens: int
    parts: tuple[PreviewPart, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    why: str = ""  # why there is nothing


class Preview(Record):
    """What the next session of a host would be given."""

    host: str
    title: str
    repository: str
    start: Previewed
    prompt: str = ""
    turn: Previewed | None = None  # with a prompt
    note: str = ""  # how else this host comes by memory, where no hook is installed into it


def preview(memory: Opened, prompt: str = "", *, host: str = "") -> Preview:
    """What the next session here starts with, and what this as its first prompt gets. Only the id of the receipt is
    another one each time."""
    to = recipient(memory, host)
    if prompt:
        require_question(prompt, None, None, ())
    memory = as_hook(memory)
    off = "" if memory.settings.enabled else "memory is switched off (`recollect settings set enabled true`)"
    start, given = _start(memory, to, off)
    turn = _turn(prompt, memory, to, given, off) if prompt else None
    return Preview(to.host, to.ability.title, memory.repository.repository, start, prompt, turn, _note(to))


def recipient(memory: Opened, host: str) -> Recipient:
    """The host that is named, else the first that is connected; UsageError for one that is not supported."""
    if host and host not in ABILITIES:
        meant = did_you_mean(host, ABILITIES)
        raise UsageError(f'"{host}" is not a supported host.{meant} Hosts: {", ".join(ABILITIES)}.')
    name = host or _connected(memory)
    return Recipient(name, ability=ability(name))


def _note(to: Recipient) -> str:
    if to.host in INSTALLABLE:
        return ""
    title, own = to.ability.title, f"what a hook of your own gets from `recollect hook --host {to.host}`"
    told = f"Recollect installs no hooks into {title}, which reads AGENTS.md: `recollect install {to.host} --agents-md`"
    return f"{told}. This is {own}." if to.takes_at_start else f"{told}."


def _connected(memory: Opened) -> str:
    project = memory.repository.root
    for one in INSTALLABLE:
        if inspect(one, home=memory.home, environ=memory.environ, project=project).installed:
            return one
    return USUAL_HOST


def as_hook(memory: Opened) -> Opened:
    """The same memory as a hook opens it, which reads no file of the repository."""
    return Opened(
        memory.home,
        memory.settings,
        memory.store,
        memory.repository,
        folder=memory.folder,
        environ=memory.environ,
        lookup=memory.lookup,
        clock=memory.clock,
        is_hook=True,
    )


def _start(memory: Opened, to: Recipient, off: str) -> tuple[Previewed, dict[str, str]]:
    """What the start gets, and which entries the session has before it from then on."""
    if off or not to.takes_at_start:
        return Previewed("", 0, why=off or f"{to.ability.title} accepts no memory at the start of a session"), {}
    given = gather(memory, to, tells=False)
    parts = tuple(
        PreviewPart(part.heading, piece.strip("\n"), estimate_tokens(piece), part.why)
        for part, piece in given.parts
        if piece
    )
    known = {entry.entry_id: line_mark(entry_line(entry, check)) for entry, check, _ in given.entries}
    return Previewed(given.text, estimate_tokens(given.text), parts), known


def _turn(prompt: str, memory: Opened, to: Recipient, given: dict[str, str], off: str) -> Previewed:
    if off:
        return Previewed("", 0, why=off)
    found, text = answer_to(prompt, memory, to, memory.checker(), memory.new_id(ids.RECEIPT), lambda: given)
    parts = tuple(
        PreviewPart(one.entry.entry_id, entry_line(one.entry, one.check), one.tokens, f"matched {one.because}")
        for one in found.entries
    )
    why = "" if text else _why_nothing(found.left_out)
    return Previewed(text, estimate_tokens(text), parts, found.left_out, why)


def _why_nothing(left_out: tuple[LeftOut, ...]) -> str:
    told = next((out.why for out in left_out if not out.entry_id), "")
    return told or ("what matched was left out" if left_out else "nothing stored matches this prompt")
