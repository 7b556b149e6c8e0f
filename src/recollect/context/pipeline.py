"""What happens to a request before it is sent: an ordered list of steps, each of which can be replaced.

The order is attachments, compaction, truncation, then what adds late content. Late content is counted by nobody, so
it should be small: compaction has had its chance by then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from recollect.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recollect.model.messages import Message

ATTACHMENTS, COMPACTION, TRUNCATION, LATE_CONTENT = "attachments", "compaction", "truncation", "late_content"
ORDER = (ATTACHMENTS, COMPACTION, TRUNCATION, LATE_CONTENT)


class Step(Protocol):
    """Takes the messages of a request and gives back those to send."""

    def process(self, messages: Sequence[Message], tools: Sequence[Any] = ()) -> Sequence[Message]: ...


class Function:
    """A plain function as a step."""

    def __init__(self, change: Callable[[Sequence[Message]], Sequence[Message]]) -> None:
        self._change = change

    def process(self, messages: Sequence[Message], tools: Sequence[Any] = ()) -> Sequence[Message]:
        """The messages as the function leaves them."""
        return self._change(messages)


class RequestPipeline:
    """Runs the steps in their order. Errors of the provider go to every step that learns from them."""

    def __init__(self, **steps: Step) -> None:
        self._steps: dict[str, Step] = {}
        for name, step in steps.items():
            self.replace(name, step)

    @property
    def names(self) -> tuple[str, ...]:
        """The steps that are there, in the order in which they run."""
        return tuple(name for name in ORDER if name in self._steps)

    def replace(self, name: str, step: Step | None) -> None:
        """Put a step in its place, or take it out."""
        if name not in ORDER:
            raise UsageError(f"There is no step {name!r}; the steps are {', '.join(ORDER)}.")
        if step is None:
            self._steps.pop(name, None)
        else:
            self._steps[name] = step

    def process(self, messages: Sequence[Message], tools: Sequence[Any] = ()) -> Sequence[Message]:
        """The request to send."""
        for name in self.names:
            messages = self._steps[name].process(messages, tools)
        return messages

    def on_error(self, error: object) -> bool:
        """Whether a retry makes sense: some step will make the next request smaller."""
        smaller = False
        for name in self.names:
            learn = getattr(self._steps[name], "on_error", None)
            smaller = (learn is not None and learn(error)) or smaller
        return smaller

    def on_success(self, reply: object = None) -> None:
        """A request went through; what the reply says about the provider's own compacting is recorded."""
        for name in self.names:
            heard = getattr(self._steps[name], "on_success", None)
            if heard is not None:
                heard(reply)
