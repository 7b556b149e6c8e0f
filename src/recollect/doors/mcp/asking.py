"""Asking a person through the client's own prompt, and what their answer means.

A client of the older era is asked while the call waits. In the newer era a server may not ask: the call ends with the
question, and the client makes it again with the answer. The key of an answer is made from its question, so that it can
answer no other."""

from __future__ import annotations

import hashlib
from contextvars import ContextVar
from typing import TYPE_CHECKING

from recollect.doors.mcp.threads import from_thread

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping
    from typing import Any

    from recollect.model.permissions import Answer, Question

    Elicit = Callable[[str, dict[str, Any]], Coroutine[Any, Any, "Elicited | None"]]

ANSWER = "answer"
CHOICES: tuple[Answer, ...] = ("once", "session", "location", "reject")
FORM: dict[str, Any] = {
    "type": "object",
    "properties": {
        ANSWER: {
            "type": "string",
            "title": "May this be done?",
            "description": "once; for this session; for this location (repository), from now on; or reject",
            "enum": list(CHOICES),
        }
    },
    "required": [ANSWER],
}


# Codex declines by itself where approvals are off, and what comes back does not say who it was. A person can still
# choose `reject` in the form.
DECLINING_ALONE = frozenset({"codex"})


class Elicited:
    """What came back: accept, decline or cancel, and the fields of the form."""

    def __init__(self, action: str, content: Mapping[str, object] | None = None) -> None:
        self.action = action
        self.content = content or {}


class Unanswered(Exception):
    """The call cannot go on before the client has answered this question."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(key)
        self.key = key
        self.message = message


class Asker:
    """How the person behind one call can be asked; not at all, unless the client can and is no agent's shell."""

    def __init__(
        self,
        *,
        elicit: Elicit | None = None,
        answers: Mapping[str, Elicited] | None = None,
        wait: Callable[[], None],
        host: str = "",
    ) -> None:
        self._elicit = elicit
        self._answers = answers
        self._wait = wait
        self._declines_alone = host in DECLINING_ALONE

    def ask(self, question: Question) -> Answer:
        """The person's answer; `nobody` when there is none to be had."""
        if self._elicit is not None:
            self._wait()
            return self._meaning(from_thread(self._elicit, question.text, FORM))
        if self._answers is None:
            return "nobody"
        key = key_of(question)
        if key not in self._answers:
            raise Unanswered(key, question.text)
        return self._meaning(self._answers[key])

    def _meaning(self, elicited: Elicited | None) -> Answer:
        if self._declines_alone and elicited is not None and elicited.action == "decline":
            return "nobody"
        return meaning(elicited)


_asker: ContextVar[Asker | None] = ContextVar("recollect_asker", default=None)


def set_asker(asker: Asker) -> None:
    """In this thread's call: this is how a person is asked."""
    _asker.set(asker)


def ask(question: Question) -> Answer:
    """ports.Ask for every opened: asks the person behind the call that is being worked on."""
    asker = _asker.get()
    return asker.ask(question) if asker else "nobody"


def key_of(question: Question) -> str:
    """The name of a question; another question has another name."""
    return "approval-" + hashlib.sha256(repr(tuple(question)).encode("utf-8", "replace")).hexdigest()[:24]


def meaning(elicited: Elicited | None) -> Answer:
    """A closed prompt is no answer; a refused one is a no; anything that was not offered is no answer either."""
    if elicited is None or elicited.action not in ("accept", "decline"):
        return "nobody"
    if elicited.action == "decline":
        return "reject"
    chosen = elicited.content.get(ANSWER)
    return next((choice for choice in CHOICES if choice == chosen), "nobody")
