"""The arguments of a call: taken by name and kind; whatever does not fit is one sentence that says what would."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recollect.doors.mcp.tools import Declared

LONGEST = 100_000  # characters
MOST_TEXTS = 100


class Arguments:
    """What a client gave for one tool. Raises UsageError; never guesses at what was meant."""

    def __init__(self, tool: Declared, given: Mapping[str, object] | None) -> None:
        self._tool = tool
        self._given = {name: value for name, value in (given or {}).items() if value is not None}
        known = tool.takes["properties"]
        for name in self._given:
            if name not in known:
                raise UsageError(f"{tool.name} has no argument {shortened(name)!r}; it takes {', '.join(known)}.")
        for name in tool.takes["required"]:
            if name not in self._given:
                raise UsageError(f"{tool.name} needs the argument {name}.")

    def text(self, name: str) -> str:
        """A text, storable; empty when it was not given. One of the choices where there are any."""
        value = self._given.get(name, "")
        if not isinstance(value, str):
            raise UsageError(f"{self._of(name)} must be a string.")
        return self._fitting(name, value, self._tool.takes["properties"][name])

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of texts; one text alone is a list of one."""
        value = self._given.get(name, ())
        found = [value] if isinstance(value, str) else value
        if not isinstance(found, (list, tuple)) or not all(isinstance(one, str) for one in found):
            raise UsageError(f"{self._of(name)} must be a list of strings.")
        if len(found) > MOST_TEXTS:
            raise UsageError(f"{self._of(name)} may have at most {MOST_TEXTS} items.")
        return tuple(self._fitting(name, one, self._tool.takes["properties"][name]["items"]) for one in found)

    def number(self, name: str) -> int | None:
        """A whole number within its limits, also when it was written as a text; None when it was not given."""
        value = self._given.get(name)
        if value is None:
            return None
        if isinstance(value, str) and value.strip().isdecimal() and len(value) < 12:
            value = int(value)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        schema = self._tool.takes["properties"][name]
        low, high = schema["minimum"], schema["maximum"]
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise UsageError(f"{self._of(name)} must be a whole number from {low} to {high}.")
        return value

    def _fitting(self, name: str, value: str, schema: Mapping[str, object]) -> str:
        if len(value) > LONGEST:
            raise UsageError(f"{self._of(name)} may have at most {LONGEST:,} characters.")
        choices = schema.get("enum")
        if isinstance(choices, list) and value and value not in choices:
            raise UsageError(f"{self._of(name)} must be {' or '.join(choices)}.")
        # Half a character (a lone surrogate) cannot be stored by anybody.
        return value.encode("utf-8", "replace").decode("utf-8")

    def _of(self, name: str) -> str:
        return f"The argument {name} of {self._tool.name}"


def shortened(text: str, most: int = 40) -> str:
    """A text that somebody else wrote, in a sentence of ours."""
    return text if len(text) <= most else text[:most] + "…"
