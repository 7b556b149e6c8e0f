"""Commands of Codex that go on after their call has returned: how they end stands in a later call that looks at them.

A command also runs in a folder of its own choice, which no line says; it is written before the command, as a person
would type it.
"""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

from recollect.hosts.codex.calls import TOOLS
from recollect.hosts.reading import str_of
from recollect.hosts.tools import target_text
from recollect.model.sessions import Called, Returned

if TYPE_CHECKING:
    from collections.abc import Iterator

_RUNNING = re.compile(r"\nProcess running with session ID (\d{1,12})\n")
LOOK = "write_stdin"
MOST_RUNNING = 200


class Running:
    """Which calls are still running, and which of the later calls look at them."""

    def __init__(self) -> None:
        self._calls: dict[str, Returned] = {}  # what was heard so far, by the number of the process
        self._looks: dict[str, str] = {}  # the number of the process, by the call that looks at it

    def call(self, call: Called) -> None:
        """Note a call that looks at a running command."""
        number = str(call.arguments.get("session_id", ""))
        if call.name == LOOK and number in self._calls:
            self._looks[call.call_id] = number

    def end(self, returned: Returned, output: str) -> Iterator[Returned]:
        """The end of a running command, when this result tells it: the result of its own call, once more and whole."""
        number = self._looks.pop(returned.call_id, "")
        if returned.exit_code is None:
            found = _RUNNING.search(output, 0, 500)
            if found and not number and len(self._calls) < MOST_RUNNING:
                self._calls[found[1]] = returned
        elif number in self._calls:
            begun = self._calls.pop(number)
            text = f"{begun.output}\n{returned.output}".strip()
            yield returned._replace(call_id=begun.call_id, output=text)


def in_its_folder(call: Called, cwd: str) -> Called:
    """The call of a command, with the folder before it where that is not the session's."""
    kind, field = TOOLS.get(call.name, ("", ""))
    folder = str_of(call.arguments.get("workdir"))
    command = target_text(call.arguments.get(field)) if kind == "command" else ""
    if not command or not folder or folder == cwd or "*** Begin Patch" in command:
        return call
    return call._replace(arguments={**call.arguments, field: f"cd {shlex.quote(folder)} && {command}"})
