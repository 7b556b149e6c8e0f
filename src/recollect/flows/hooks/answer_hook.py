"""Attend to a hook: settings -> switch -> seen before? -> memory and repository -> the event -> text for the host."""

from __future__ import annotations

import os
import time

from recollect.errors import RecollectError, SettingsError
from recollect.files.config import load_settings
from recollect.files.hook_bundle import load_ahead
from recollect.files.repeated_calls import forget_old_calls, is_first_call
from recollect.files.repositories import working_tree
from recollect.files.suggestion_notices import take_notice
from recollect.files.touched_paths import forget_old_touches, forget_touches, is_first_touch, note_touch
from recollect.hosts.abilities import ability
from recollect.model.hooks import BEFORE_TOOL, OTHER, PRE_COMPACT, PROMPT, SESSION_END, SESSION_START, STOP
from recollect.model.receipts import CLEARED, LOST
from recollect.model.record import Record
from recollect.model.turns import Recipient

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from recollect.files.home import Home
    from recollect.flows.opened import KeptStore, Opened
    from recollect.model.hooks import HookCall
    from recollect.settings import Settings
    from recollect.store.store import Store

COMPACTED, RESUMED = "compact", "resume"  # why a session starts again
DEFAULT_MILLISECONDS = 300
QUIET = "nothing to say"
TOO_LATE = "past its time; nothing was injected"


class HookAnswer(Record):
    """What came of a call: text for the host, whether a worker has to be started, and how it went in a word."""

    text: str = ""
    start_worker: bool = False
    outcome: str = "answered"
    why: str = ""
    notice: str = ""  # for the person, where the host shows such things


class Clock:
    """How long there is still time; the limit is a setting, so it is known only after a while."""

    def __init__(
        self, limit_seconds: float = DEFAULT_MILLISECONDS / 1000, *, spent: float = 0.0, began: float = 0.0
    ) -> None:
        self._began = began or time.monotonic() - spent
        self._rung = False
        self.limit_seconds = limit_seconds

    def ring(self) -> None:
        """The time is over, somebody else says."""
        self._rung = True

    def late(self) -> bool:
        """Is the time over?"""
        return self._rung or time.monotonic() - self._began > self.limit_seconds

    @property
    def began(self) -> float:
        """When it started, on the clock that all processes share."""
        return self._began

    @property
    def left_seconds(self) -> float:
        """How much of it is left."""
        return self.limit_seconds - self.spent_seconds

    @property
    def spent_seconds(self) -> float:
        """How long it has been."""
        return time.monotonic() - self._began


def answer_hook(
    call: HookCall,
    *,
    home: Home,
    environ: Mapping[str, str],
    clock: Clock,
    now: float,
    limit: Callable[[int], None] = lambda milliseconds: None,
    stores: KeptStore | None = None,
) -> HookAnswer:
    """Answer one call. What is wrong with settings or store costs the memory, never the answer."""
    if call.event == OTHER:
        return HookAnswer(outcome="not ours")
    if call.event == BEFORE_TOOL and not _is_worth_asking(call, home):
        return HookAnswer(outcome=QUIET)
    call = call._replace(cwd=_folder(call.cwd))
    try:
        tree = working_tree(call.cwd, home=environ.get("HOME"))
        settings = load_settings(environ, home, working_tree=tree, is_hook=True)
    except SettingsError as problem:
        return HookAnswer(outcome="no memory", why=str(problem))
    if not settings.enabled:
        return HookAnswer(outcome="switched off")
    limit(settings.hook.limit_milliseconds)
    if call.event in (STOP, SESSION_END):
        return _leave(call, settings, home=home, clock=clock, now=now)
    if call.event == BEFORE_TOOL and not settings.injection.by_file:
        return HookAnswer(outcome=QUIET)
    if call.event != BEFORE_TOOL and call.session and not is_first_call(home.spool, _words(call), now=now):
        return HookAnswer(outcome="seen before")
    try:
        answered = _remember(call, settings, home=home, environ=environ, clock=clock, now=now, stores=stores)
    except RecollectError as problem:
        answered = HookAnswer(outcome="no memory", why=str(problem))
    return answered._replace(text="", outcome="too late", why=TOO_LATE) if clock.late() else answered


def _remember(
    call: HookCall,
    settings: Settings,
    *,
    home: Home,
    environ: Mapping[str, str],
    clock: Clock,
    now: float,
    stores: KeptStore | None,
) -> HookAnswer:
    load_ahead("recollect.flows.opened")
    from recollect.flows.opened import open_for_hook

    memory = open_for_hook(
        home, settings, folder=call.cwd, environ=environ, clock=lambda: now, late=clock.late, stores=stores
    )
    to = Recipient(call.host, call.session, ability(call.host), call.takes_text, call.has_tools)
    text = _text(call, memory, to)
    if text and clock.late():
        _give_back(text, memory, to)
    elif call.event == BEFORE_TOOL:
        note_touch(home.spool, call.session, call.paths.splitlines())
    if call.event == PRE_COMPACT:
        return HookAnswer(text, _note(call, memory.store, settings, home=home, now=now))
    if call.event == SESSION_START:
        forget_old_calls(home.spool, now=now)
        forget_old_touches(home.spool, now=now)
    if call.event == PROMPT and settings.subconscious.enabled:
        from recollect.flows.sidekicks.leave_message import leave_message

        if leave_message(call, memory):
            return HookAnswer(text, True, notice=_notice(call, memory))
    notice = _notice(call, memory)
    if call.event == SESSION_START and call.source != COMPACTED:
        return HookAnswer(text, _note_start(call, memory.store, settings, home=home, now=now), notice=notice)
    return HookAnswer(text, outcome="answered" if text or call.event != BEFORE_TOOL else QUIET, notice=notice)


def _give_back(text: str, memory: Opened, to: Recipient) -> None:
    """The text comes too late: what was in it is due again."""
    memory.empty_window(to, LOST)
    if memory.settings.subconscious.enabled and to.session:
        from recollect.flows.sidekicks.inbox import Inbox

        Inbox(memory, host=to.host, session=to.session).untell(text)


def _notice(call: HookCall, memory: Opened) -> str:
    return take_notice(memory.home.spool, memory.repository.repository) if _may_tell(call) else ""


def _may_tell(call: HookCall) -> bool:
    """Is this a moment, and a host, at which a person sees a message?"""
    return call.event in (PROMPT, SESSION_START) and ability(call.host).shows_messages


def _text(call: HookCall, memory: Opened, to: Recipient) -> str:
    """What this event gets. Imported here: a prompt needs little of the others."""
    if call.event == PROMPT:
        load_ahead("recollect.flows.turns.turn")
        from recollect.flows.turns.turn import turn

        return turn(call.prompt, memory, to, typed=call.typed, may_repeat=bool(call.whole)).text
    if call.event == BEFORE_TOOL:
        from recollect.flows.turns.by_file import by_file

        return by_file(call.paths.splitlines(), memory, to).text
    if call.event == SESSION_START:
        from recollect.flows.turns.session_start import session_start

        if call.source == "clear":
            memory.empty_window(to, CLEARED)
        elif call.source == COMPACTED:
            forget_touches(memory.home.spool, call.session)
        return session_start(memory, to, compacted=call.source == COMPACTED, resumed=call.source == RESUMED)
    if call.event == PRE_COMPACT:
        from recollect.flows.hooks.pre_compact import pre_compact

        return pre_compact(memory, to, transcript=call.transcript)
    return ""


def _is_worth_asking(call: HookCall, home: Home) -> bool:
    """Does a tool touch a file for the first time in its session? Nothing of ours is opened to see it."""
    return bool(call.paths and call.session) and is_first_touch(home.spool, call.session, call.paths.splitlines())


def _leave(call: HookCall, settings: Settings, *, home: Home, clock: Clock, now: float) -> HookAnswer:
    """A note for the worker, in the database or beside it."""
    from recollect.flows.opened import store_for_hook

    store: Store | None = None
    why = ""
    try:
        store = store_for_hook(home, settings, clock.late)
    except RecollectError as problem:
        why = str(problem)
    start = _note(call, store, settings, home=home, now=now)
    forget_old_calls(home.spool, now=now)
    return HookAnswer(start_worker=start, outcome="noted", why=why)


def _note(call: HookCall, store: Store | None, settings: Settings, *, home: Home, now: float) -> bool:
    from recollect.flows.hooks.note_session_end import note_session_end

    return note_session_end(call, store=store, home=home, wait_seconds=settings.hook.wait_milliseconds / 1000, now=now)


def _note_start(call: HookCall, store: Store, settings: Settings, *, home: Home, now: float) -> bool:
    """Leave what is due, where that is switched on; True when a worker is to be started."""
    from recollect.flows.hooks.note_session_end import note_session_start, waits_for_worker

    if not settings.memories.enabled:
        return waits_for_worker(store, now=now)
    wait = settings.hook.wait_milliseconds / 1000
    return note_session_start(call, store=store, home=home, wait_seconds=wait, now=now)


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
