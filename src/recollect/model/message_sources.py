"""Who a message in the user's name comes from: the `source` of a `user.message` in the log of our own sessions.

The source alone decides whether a message begins a turn, never its text, so that whoever counts turns counts the same.
"""

from __future__ import annotations

USER = "user"  # whoever a program calls the user; the same as no source
TERMINAL = "terminal"  # a person, who typed it at our own terminal
HEARD = "terminal, heard"  # the mark of a turn whose words were kept as they were typed: no digest looks at them again
INBOX = "inbox"  # a notice of what sidekicks found

COMMAND = "command"  # what a slash command says to the model


def begins_turn(source: object) -> bool:
    """Does such a message begin a turn? One from anywhere else (inbox, command, hook ...) is a notice within a turn."""
    return source is None or source in ("", USER, TERMINAL)
