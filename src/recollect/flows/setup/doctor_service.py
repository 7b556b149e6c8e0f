"""How the memory service stands, where agents' facts go to one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.flows.writes.strategies import make_strategy
from recollect.model.findings import Finding
from recollect.strategies.gates import SERVICE, choose
from recollect.strategies.prompts import Prompts
from recollect.strategies.service import ServiceMemory

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recollect.files.home import Home
    from recollect.model.repositories import Repository
    from recollect.settings import Settings

CHECK = "memory service"
REMEDY = (
    "Check agentic_memory.url and RECOLLECT_TOKEN, or run `recollect settings set agentic_memory.disabled true`: "
    "then agents write to your own store."
)


def examine_service(home: Home, settings: Settings, environ: Mapping[str, str], tree: Repository) -> list[Finding]:
    """Does it answer, and take our token? It is asked what a session is told at its start."""
    if not settings.enabled:
        return []
    choice = choose(settings, repository=tree.repository, root=tree.root)
    if choice.name != SERVICE:
        wanted = settings.agentic_memory.enabled and not settings.agentic_memory.disabled
        missing = wanted and not settings.agentic_memory.url
        return [Finding(CHECK, False, "agentic_memory.url is not set.", REMEDY)] if missing else []
    service = make_strategy(
        SERVICE,
        settings,
        home=home,
        repository=tree.repository,
        root=tree.root,
        prompts=Prompts(),
        token=environ.get("RECOLLECT_TOKEN", ""),
        new_id=str,
        log=lambda sentence: None,
    )
    assert isinstance(service, ServiceMemory)
    why = service.why_off
    return [
        Finding(CHECK, not why, f"{why}." if why else f"{settings.agentic_memory.url} answers", REMEDY if why else "")
    ]
