"""Text as it may be shown, stored and sent: nothing in it that nobody sees, and no secret."""

from __future__ import annotations

from recollect.text.secrets.redacting import redact, redact_value
from recollect.text.unseen import visible


def clean(text: str) -> str:
    """The text without what cannot be seen, then without secrets: one in pieces is a secret too."""
    return redact(visible(text))


def clean_value(value: object) -> object:
    """JSON-like data with all its strings cleaned; a key such as `password` tells what its value is."""
    return redact_value(_visible_value(value))


def _visible_value(value: object) -> object:
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, dict):
        return {_visible_value(key): _visible_value(item) for key, item in value.items()}
    return [_visible_value(item) for item in value] if isinstance(value, list) else value
