"""Whoever wants to know what an agent does: at its start, at each message of the user, at its end."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recollect.flows.chat.agent import Agent
    from recollect.flows.chat.happenings import Tell


class Listener:
    """Somebody who wants to know: override what is needed. What a listener does must not hold up a turn."""

    def on_start(self, agent: Agent) -> None:
        """A session began, or was taken up again."""

    def on_user_message(self, agent: Agent, text: str) -> None:
        """The user's message was recorded; the model has not been asked yet."""

    def between_steps(self, agent: Agent, tell: Tell) -> None:
        """Tools have run and the model is asked again: the place for a notice within a turn."""

    def on_rewound(self, agent: Agent, before: str) -> None:
        """The conversation went back, or forward again; `before` is what it said until now."""

    def on_shutdown(self, agent: Agent) -> None:
        """The session ends; its log is complete."""
