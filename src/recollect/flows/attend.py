"""Attend to a hook: settings -> switch -> seen before? -> memory and repository -> the event -> text for the host."""

from __future__ import annotations

import os
import time

from recollect.errors import RecollectError, SettingsError
from recollect.files.config import load_settings
from recollect.files.repositories import working_tree
from recollect.files.seen import first_to_see, forget_seen
from recollect.hosts.abilities import ability
from recollect.model.hooks import OTHER, PRE_COMPACT, PROMPT, SESSION_END, SESSION_START, STOP
from recollect.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from recollect.files.home import Home
    from recollect.flows.occasion import Occasion
    from recollect.model.hooks import HookCall
    from recollect.settings import Settings
    from recollect.store.store import Store

DEFAULT_MILLISECONDS = 300
TOO_LATE = "past its time; nothing was injected"


class Attended(Record):
    """What came of a call: text for the host, whether a worker has to be started, and how it went in a word."""

    text: str = ""
    start_worker: bool = False
    outcome: str = "answered"
    why: str = ""


class Clock:
    """How long there is still time; the limit is a setting, so it is known only after a while."""

    def __init__(self, limit_seconds: float = DEFAULT_MILLISECONDS / 1000, *, spent: float = 0.0) -> None:
        self._began = time.monotonic() - spent
        self._rung = False
        self.limit_seconds = limit_seconds

    def ring(self) -> None:
        """The time is over, somebody else says."""
        self._rung = True

    def late(self) -> bool:
        """Is the time over?"""
        return self._rung or time.monotonic() - self._began > self.limit_seconds

    @property
    def left_seconds(self) -> float:
        """How much of it is left."""
        return self.limit_seconds - self.spent_seconds

    @property
    def spent_seconds(self) -> float:
        """How long it has been."""
        return time.monotonic() - self._began


def attend(
    call: HookCall,
    *,
    home: Home,
    environ: Mapping[str, str],
    clock: Clock,
    now: float,
    limit: Callable[[int], None] = lambda milliseconds: None,
) -> Attended:
    """Answer one call. What is wrong with settings or store costs the memory, never the answer."""
    if call.event == OTHER:
        return Attended(outcome="not ours")
    call = call._replace(cwd=_folder(call.cwd))
    try:
        tree = working_tree(call.cwd, home=environ.get("HOME"))
        settings = load_settings(environ, home, working_tree=tree)
    except SettingsError as problem:
        return Attended(outcome="no memory", why=str(problem))
    if not settings.enabled:
        return Attended(outcome="switched off")
    limit(settings.hook.limit_milliseconds)
    if call.event in (STOP, SESSION_END):
        return _leave(call, settings, home=home, clock=clock, now=now)
    if call.session and not first_to_see(home.spool, _words(call), now=now):
        return Attended(outcome="seen before")
    try:
        attended = _remember(call, settings, home=home, environ=environ, clock=clock, now=now)
    except RecollectError as problem:
        attended = Attended(outcome="no memory", why=str(problem))
    return attended._replace(text="", outcome="too late", why=TOO_LATE) if clock.late() else attended


def _remember(
    call: HookCall, settings: Settings, *, home: Home, environ: Mapping[str, str], clock: Clock, now: float
) -> Attended:
    from recollect.flows.occasion import occasion, open_store_for_hook

    store = open_store_for_hook(home, settings, clock.late)
    at = occasion(call, ability=ability(call.host), home=home, settings=settings, store=store, environ=environ, now=now)
    text = _text(at)
    if call.event == PRE_COMPACT:
        return Attended(text, _note(call, store, settings, home=home, now=now))
    if call.event == SESSION_START:
        forget_seen(home.spool, now=now)
    return Attended(text)


def _text(at: Occasion) -> str:
    """What this event gets. Imported here: a prompt needs little of the others."""
    event = at.call.event
    if event == PROMPT:
        from recollect.flows.hook_prompt import hook_prompt

        return hook_prompt(at)
    if event == SESSION_START:
        from recollect.flows.session_start import session_start

        return session_start(at)
    if event == PRE_COMPACT:
        from recollect.flows.pre_compact import pre_compact

        return pre_compact(at)
    return ""


def _leave(call: HookCall, settings: Settings, *, home: Home, clock: Clock, now: float) -> Attended:
    """A note for the worker, in the database or beside it."""
    from recollect.flows.occasion import open_store_for_hook

    store: Store | None = None
    why = ""
    try:
        store = open_store_for_hook(home, settings, clock.late)
    except RecollectError as problem:
        why = str(problem)
    start = _note(call, store, settings, home=home, now=now)
    forget_seen(home.spool, now=now)
    return Attended(start_worker=start, outcome="noted", why=why)


def _note(call: HookCall, store: Store | None, settings: Settings, *, home: Home, now: float) -> bool:
    from recollect.flows.leave import leave

    return leave(call, store=store, home=home, wait_seconds=settings.hook.wait_milliseconds / 1000, now=now)


def _words(call: HookCall) -> str:
    """What makes two calls the same one. Not the host's spelling: several hosts' files may fire for one event."""
    asked = call.turn_id or call.prompt
    return "\0".join((call.session, call.event, call.source, "whole" if call.whole else "", asked))


def _folder(cwd: str) -> str:
    if cwd and os.path.isabs(cwd):
        return cwd
    try:
        return os.getcwd()
    except OSError:
        return os.path.expanduser("~")
