"""run: a command in the user's shell, bounded in time and in what it may print, and gone when the turn is cancelled."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from typing import TYPE_CHECKING

from recollect.flows.chat.toolbox import RUN, Planned, Tool, ToolAnswer, an_object, number, text
from recollect.model.permissions import Question

if TYPE_CHECKING:
    from recollect.flows.chat.toolbox import Work
    from recollect.model.messages import Json

LIMIT_SECONDS = 120
MOST_SECONDS = 3_600
MOST_CHARACTERS = 30_000
LOOK_SECONDS = 0.02
_POSIX = os.name == "posix"


def plan_run(arguments: Json, work: Work) -> Planned:
    """A person is asked about every command."""
    command = arguments["command"]
    return Planned(
        " ".join(command.split()),
        Question("run", command, "it would run a command; [s] and [l] allow every command.", kind=RUN),
    )


def run(arguments: Json, work: Work) -> ToolAnswer:
    """Run it to its end, to its time limit, or until the turn is cancelled."""
    limit = int(arguments.get("seconds", LIMIT_SECONDS))
    process = subprocess.Popen(  # noqa: S602 a person permitted it
        arguments["command"],
        shell=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=work.folder,
        # What it starts is the agent's: no command of ours takes it for a person.
        env={**work.memory.environ, "AI_AGENT": "recollect"},
        start_new_session=_POSIX,
    )
    printed: list[bytes] = []
    reading = threading.Thread(target=_read, args=(process, printed), daemon=True)
    reading.start()
    ended = _why_ended(process, time.monotonic() + limit, work)
    if ended:
        _end(process)
    reading.join(1.0)
    if process.poll() is None:
        _end(process)
    output = _shortened(b"".join(printed).decode("utf-8", "replace"))
    code = process.wait()
    told = ended or f"exit status {code}"
    return ToolAnswer(f"{output.rstrip()}\n[{told}]".lstrip("\n"), failed=bool(ended or code), exit_code=code)


def _why_ended(process: subprocess.Popen[bytes], until: float, work: Work) -> str:
    """Wait for its end; why it had to be ended before."""
    while process.poll() is None:
        if work.cancelled():
            return "cancelled by the user"
        if time.monotonic() >= until:
            return "ended: it took too long"
        time.sleep(LOOK_SECONDS)
    return ""


def _read(process: subprocess.Popen[bytes], printed: list[bytes]) -> None:
    assert process.stdout
    size = 0
    while part := process.stdout.read1(1 << 16):  # type: ignore[attr-defined]
        size += len(part)
        if size <= 40 * MOST_CHARACTERS:
            printed.append(part)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End it with all it started."""
    if _POSIX:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass
    else:
        process.kill()
    process.wait()


def _shortened(output: str) -> str:
    if len(output) <= MOST_CHARACTERS:
        return output
    half = MOST_CHARACTERS // 2
    return f"{output[:half]}\n… {len(output) - 2 * half:,} characters cut …\n{output[-half:]}"


TOOLS = (
    Tool(
        "run",
        RUN,
        "Run a shell command in the working folder, without input. The user is asked first.",
        an_object(
            ("command",), command=text(), seconds=number(1, MOST_SECONDS, f"time limit, {LIMIT_SECONDS} by default")
        ),
        run,
        plan_run,
    ),
)
