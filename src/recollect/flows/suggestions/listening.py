"""Who wants to know what happens to facts and suggestions in this process."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from recollect.flows.opened import Opened


class Listeners:
    """The listeners of one room of an opened memory; they stay as long as that is open."""

    def __init__(self, memory: Opened, room: str) -> None:
        self._pairs: list[tuple[Callable[[Any], None] | None, Callable[[], None] | None]]
        self._pairs = memory.listeners.setdefault(room, [])

    def subscribe(self, added: Callable[[Any], None] | None, changed: Callable[[], None] | None) -> Callable[[], None]:
        """Call these from now on; returns what ends it."""
        pair = (added, changed)
        self._pairs.append(pair)

        def end() -> None:
            if pair in self._pairs:
                self._pairs.remove(pair)

        return end

    def tell_added(self, things: Iterable[Any]) -> None:
        """Say what is new, one by one, and then that something changed."""
        found = list(things)
        for added, _ in list(self._pairs):
            for one in found if added else ():
                added(one)  # type: ignore[misc]
        if found:
            self.tell_changed()

    def tell_changed(self) -> None:
        """Say that something changed."""
        for _, changed in list(self._pairs):
            if changed:
                changed()
