"""What a service says at the start of a session, asked once: kept by repository, shared by all who ask meanwhile."""

from __future__ import annotations

import threading

from recollect.ports import PromptMemory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class Answer:
    """A request under way, and what came of it: an answer, or why there is none."""

    def __init__(self) -> None:
        self.done = threading.Event()
        self.prompt = PromptMemory()
        self.why_off = "the memory service did not answer"


class Prompts:
    """One answer at a time, of one repository. A failure is everybody's who waited for it, and is not kept."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._place = ""
        self._answer: Answer | None = None

    def get(self, place: str, load: Callable[[], PromptMemory], failure: type[Exception]) -> Answer:
        """What the service says for this place: from memory, from whoever is asking already, or by asking."""
        with self._lock:
            if place != self._place:
                # Who waits for the old repository still gets its answer; nobody else does.
                self._place, self._answer = place, None
            mine = self._answer is None
            answer = self._answer or Answer()
            self._answer = answer
        if mine:
            self._ask(answer, load, failure)
        else:
            answer.done.wait()
        return answer

    def forget(self) -> None:
        """Ask again next time."""
        with self._lock:
            self._answer = None

    def _ask(self, answer: Answer, load: Callable[[], PromptMemory], failure: type[Exception]) -> None:
        try:
            answer.prompt, answer.why_off = load(), ""
        except failure as error:
            answer.why_off = str(error)
        finally:
            if answer.why_off:
                with self._lock:
                    if self._answer is answer:
                        self._answer = None
            answer.done.set()
