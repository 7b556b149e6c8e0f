"""Which memory the tools of an agent write to. Pure: settings and the place come in."""

from __future__ import annotations

from recollect.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.settings import Settings

OWN, SERVICE, LOCAL, INJECTED = "own", "service", "local", "injected"


class Choice(Record):
    """The strategy in use, and a sentence for the log on each that was passed over."""

    name: str
    skipped: tuple[str, ...] = ()


def choose(settings: Settings, *, repository: str, root: str) -> Choice:
    """Injected memory, then the service, then the repository's file, then our own store. Needs `enabled`."""
    skipped: list[str] = []
    if settings.injected_memory.text:
        return Choice(INJECTED)
    service = settings.agentic_memory
    if service.enabled and not service.disabled:
        why = _no_service(settings, repository)
        if not why:
            return Choice(SERVICE)
        skipped.append(f"the memory service is skipped: {why}")
    if settings.local_memory.enabled:
        if root:
            return Choice(LOCAL, tuple(skipped))
        skipped.append("the repository's memory file is skipped: there is no repository here")
    return Choice(OWN, tuple(skipped))


def _no_service(settings: Settings, repository: str) -> str:
    if not settings.agentic_memory.url:
        return "agentic_memory.url is not set"
    if not repository and not settings.agentic_memory.user_scope:
        return "no repository is known here and agentic_memory.user_scope is off"
    return ""
