"""Whoever wants to know what happens in a session hears of each event once it is written, in order."""

from __future__ import annotations

from collections import deque
from contextlib import ExitStack
from typing import TYPE_CHECKING

from recollect.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from recollect.sessions.events import Event

    Observer = Callable[[Event], object]


class Observers:
    """Callbacks by the kinds of events they want: `user.message`, or `tool.*` for a family; all when none is named."""

    def __init__(self) -> None:
        self._observers: list[tuple[Observer, tuple[str, ...]]] = []
        self._waiting: deque[Event] = deque()
        self._telling = False

    def subscribe(self, observer: Observer, kinds: Iterable[str] = ()) -> Callable[[], None]:
        """Tell the observer from now on; calling what is returned ends it."""
        if isinstance(kinds, str):
            raise UsageError("The kinds of events are a list, not one text.")
        entry = (observer, tuple(kinds))
        self._observers.append(entry)

        def end() -> None:
            self._observers = [one for one in self._observers if one is not entry]

        return end

    def tell(self, events: Iterable[Event]) -> None:
        """Tell everybody. An event that an observer causes comes after the one it is told of.

        An observer that fails keeps nobody else from hearing; its error is the caller's to see.
        """
        self._waiting.extend(events)
        if self._telling:
            return
        self._telling = True
        try:
            self._tell_all()
        finally:
            self._telling = False

    def _tell_all(self) -> None:
        try:
            while self._waiting:
                self._tell_one(self._waiting.popleft())
        finally:
            if self._waiting:
                self._tell_all()

    def _tell_one(self, event: Event) -> None:
        with ExitStack() as calls:
            wanted = [observer for observer, kinds in self._observers if wants(kinds, event.kind)]
            # The stack calls the last first, and every one even if another fails.
            for observer in reversed(wanted):
                calls.callback(observer, event)


def wants(kinds: tuple[str, ...], kind: str) -> bool:
    """Is this kind of event among those asked for?"""
    return not kinds or any(kind == one or (one.endswith("*") and kind.startswith(one[:-1])) for one in kinds)
