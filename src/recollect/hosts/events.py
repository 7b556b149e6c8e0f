"""What holds for the events of every reader."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.model.sessions import Answered, Began, Called, Compacted, Returned, Said, Titled
from recollect.text.fences import strip_fences

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from recollect.model.sessions import Event


def unfenced(events: Iterable[Event]) -> Iterator[Event]:
    """The events without anything that Recollect itself had injected, whoever repeats it."""
    for event in events:
        match event:
            case Said() | Answered():
                kept = strip_fences(event.text)
                if kept is event.text:
                    yield event
                elif kept.strip():
                    yield event._replace(text=kept)
            case Called():
                yield event._replace(arguments={name: _unfenced(value) for name, value in event.arguments.items()})
            case Began() | Titled() if event.title:
                yield event._replace(title=strip_fences(event.title))
            case Compacted():
                yield event._replace(summary=strip_fences(event.summary))
            case Returned():
                yield event._replace(output=strip_fences(event.output))
            case _:
                yield event


def _unfenced(value: object) -> object:
    return strip_fences(value) if isinstance(value, str) else value
