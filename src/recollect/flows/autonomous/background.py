"""Extraction and consolidation as a worker does them: within the day's share of tokens, and not again and again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.autonomous.keeping import baseline_of
from recollect.errors import CeilingReached, NotFound
from recollect.files import artifacts
from recollect.flows.autonomous.blocks_by_model import ROLE
from recollect.flows.autonomous.clearing import forget_cleared
from recollect.flows.autonomous.consolidate import NOTHING_YET, Consolidated, consolidate
from recollect.flows.autonomous.due import leave_consolidation
from recollect.flows.autonomous.extract import ROLE as EXTRACTION_ROLE
from recollect.flows.autonomous.extract import expected_tokens, extract

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from recollect.flows.autonomous.extract import Extracted
    from recollect.flows.opened import Opened


def may_run(payload: Mapping[str, Any], memory: Opened) -> bool:
    """Is it switched on, or did a person ask for this job?"""
    return memory.settings.memories.enabled or bool(payload.get("forced"))


def extract_in_background(
    session_id: str, memory: Opened, *, forced: bool = False, require_ours: Callable[[], None]
) -> Extracted:
    """Extract a session, and let its repository be consolidated."""
    session = memory.store.sessions.get(session_id)
    if expected_tokens(session, memory):
        require_share(memory, EXTRACTION_ROLE)
    done = extract(session, memory, require_ours=require_ours)
    if not done.was_cleared:
        leave_consolidation(session.repository, session.cwd, memory.store, forced=forced, now=memory.now)
    return done


def consolidate_in_background(
    payload: Mapping[str, Any], memory: Opened, *, require_ours: Callable[[], None]
) -> Consolidated:
    """Consolidate a repository; by a model not more often than the cooldown lets it, unless somebody asked for it."""
    repository, forced = str(payload.get("repository") or ""), bool(payload.get("forced"))
    if memory.models.is_there(ROLE):
        require_share(memory, ROLE)
        wait = cooldown_ends(repository, memory)
        if wait > memory.now and not forced:
            cwd = str(payload.get("cwd") or "")
            leave_consolidation(repository, cwd, memory.store, due=wait, now=memory.now)
            return Consolidated(why="cooling down")
    done = consolidate(repository, memory, forced=forced, require_ours=require_ours)
    if done.why == NOTHING_YET:
        with memory.store.write():
            require_ours()
            forget_cleared(repository, memory)
    return done


def cooldown_ends(repository: str, memory: Opened) -> float:
    """When a model may consolidate this repository again."""
    folder = artifacts.current_folder(artifacts.project_folder(memory.home.projects, repository))
    try:
        baseline = baseline_of(artifacts.read(folder, artifacts.BASELINE))
    except NotFound:
        return 0.0
    by_rules = baseline.made_by in ("", "rules")
    return 0.0 if by_rules else baseline.at + memory.settings.memories.cooldown_hours * 3_600


def require_share(memory: Opened, role: str) -> None:
    """Raise CeilingReached when the background has used up its share of the day: the rest is for the person."""
    if not memory.models.is_there(role):
        return
    models, share = memory.settings.models, memory.settings.memories.max_day_share
    if memory.models.ledger.spent_today() >= models.day_tokens * share:
        raise CeilingReached(
            f"Models took {share:.0%} of today's {models.day_tokens:,} tokens; the rest is kept for you.",
            remedy="Wait until tomorrow, or run `recollect memory rebuild --now`.",
        )
