"""Strategies: from a name to the memory that agents' tools write to."""

from __future__ import annotations

import os
from datetime import UTC, datetime

from recollect.errors import FileError, RecollectError
from recollect.files.trees import read_cited
from recollect.files.writing import append_line, write_atomic
from recollect.strategies.gates import INJECTED, LOCAL, SERVICE, choose

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.files.home import Home
    from recollect.flows.opened import Opened
    from recollect.ports import Strategy
    from recollect.settings import Settings
    from recollect.strategies.local import Shared
    from recollect.strategies.prompts import Prompts

RECORD = "m_"  # a record of a repository's memory file
LOG = "strategies.log"


class Strategies:
    """The memories that agents' tools can write to here."""

    def __init__(self, memory: Opened) -> None:
        self._memory = memory
        self._root = memory.repository.root if memory.repository.repository else ""  # whose files may be shared

    def chosen(self) -> Strategy | None:
        """The memory that holds here; None for our own store."""
        memory = self._memory
        choice = choose(memory.settings, repository=memory.repository.repository, root=self._root)
        for sentence in choice.skipped:
            self._log(sentence)
        return self.named(choice.name)

    def named(self, name: str) -> Strategy | None:
        """The memory of this name; None when it is not in use here."""
        memory = self._memory
        return make_strategy(
            name,
            memory.settings,
            home=memory.home,
            repository=memory.repository.repository,
            root=self._root,
            prompts=memory.service_prompts,
            token=memory.environ.get("RECOLLECT_TOKEN", ""),
            new_id=memory.new_id,
            log=self._log,
        )

    def shared(self) -> Shared | None:
        """The repository's memory file; None where another memory is in use."""
        memory = self._memory
        choice = choose(memory.settings, repository=memory.repository.repository, root=self._root)
        return shared_file(self._root, memory.home) if memory.settings.enabled and choice.name == LOCAL else None

    def _log(self, sentence: str) -> None:
        log_line(self._memory.home, sentence, now=self._memory.now)


def make_strategy(
    name: str,
    settings: Settings,
    *,
    home: Home,
    repository: str,
    root: str,
    prompts: Prompts,
    token: str,
    new_id: Callable[[str], str],
    log: Callable[[str], None],
) -> Strategy | None:
    """The strategy of this name; None for our own store, and for one that is switched off or has no place here."""
    if not settings.enabled:
        return None
    given = settings.agentic_memory
    if name == SERVICE and given.url and given.enabled and not given.disabled:
        from recollect.strategies.requests import Service
        from recollect.strategies.service import ServiceMemory

        service = Service(given.url, token, given.timeout_seconds)
        return ServiceMemory(service, prompts, repository=repository, user_scope=given.user_scope, log=log)
    if name == LOCAL and root and settings.local_memory.enabled:
        from recollect.strategies.local import LocalMemory

        return LocalMemory(shared_file(root, home), new_id=lambda: new_id(RECORD), log=log)
    if name == INJECTED and settings.injected_memory.text:
        from recollect.strategies.injected import InjectedMemory

        return InjectedMemory(settings.injected_memory.text, can_vote=settings.injected_memory.vote)
    return None


def shared_file(root: str, home: Home) -> Shared:
    """The memory file of a repository."""
    from recollect.strategies.local import PATH, Shared

    return Shared(
        lambda: _read_shared(root, PATH),
        lambda text: _write_shared(root, PATH, text),
        lock_path=os.path.join(home.spool, "local-memory.lock"),
    )


def log_line(home: Home, sentence: str, *, now: float) -> None:
    """Write one line to the log of strategies; a full disk takes the line, not the session."""
    at = datetime.fromtimestamp(now, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    try:
        append_line(os.path.join(home.logs, LOG), f"{at} {' '.join(sentence.split())}")
    except RecollectError:
        return


def _read_shared(root: str, path: str) -> str | None:
    if os.path.islink(os.path.dirname(os.path.join(root, path))):
        raise FileError(f"{path} could not be read: its folder is a link.")
    text = read_cited(root, path)
    if text is None and os.path.lexists(os.path.join(root, path)):
        # Not the same as empty: what cannot be read must not be replaced.
        raise FileError(f"{path} could not be read: it is a link, too large, or no text.")
    return text


def _write_shared(root: str, path: str, text: str) -> None:
    # Everybody who has the repository may read it; a link is refused, wherever it leads.
    write_atomic(root, path, text, mode=0o644)
