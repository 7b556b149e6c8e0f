"""Which host an alias of the user's ssh configuration stands for. Commands and the worker ask `ssh -G`, which connects
to nothing, and keep the answer; a hook reads what is kept. A configuration that runs commands (`Match exec`) is not
asked: only connecting should run them."""

from __future__ import annotations

import json
import os
import time

from recollect.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

LIMIT_SECONDS = 2.0
AGAIN_SECONDS = 86_400.0  # files that the configuration includes may have changed
MOST = 200  # aliases; the oldest answers go first
PLAIN = frozenset("abcdefghijklmnopqrstuvwxyz0123456789._-")


class Answer(Record):
    """What ssh said of an alias, and when."""

    host: str = ""  # empty when the alias stands for nothing else
    changed_ns: int = 0  # of the configuration then
    size: int = -1
    asked: float = 0.0


def kept_host(alias: str, *, cache: str) -> str:
    """The host that was learned for an alias; empty when none was."""
    return _read(cache).get(alias, Answer()).host


def ask_host(alias: str, *, cache: str, home: str, clock: Callable[[], float] = time.time) -> str:
    """The host that ssh takes the alias for, empty when it is none; asked once for each state of the configuration.

    Where ssh does not answer, what was learned before holds."""
    config = os.path.join(home, ".ssh", "config")
    changed_ns, size = _state(config)
    answers, now = _read(cache), clock()
    kept = answers.get(alias, Answer())
    if (kept.changed_ns, kept.size) == (changed_ns, size) and (size < 0 or abs(now - kept.asked) < AGAIN_SECONDS):
        return kept.host
    host = _asked(alias, config) if size >= 0 and not _runs_commands(config) else ""
    answer = Answer(kept.host if host is None else host, changed_ns, size, now)
    answers.pop(alias, None)  # it goes to the end: the newest
    _write(cache, {**dict(list(answers.items())[1 - MOST :]), alias: answer})
    return answer.host


def _asked(alias: str, config: str) -> str | None:
    """What ssh says, or None when it does not answer. What could be an option or more than a name is not asked."""
    if not alias or alias[0] == "-" or not PLAIN.issuperset(alias):
        return ""
    from recollect.files.git.process import run

    # Without this, ssh may ask the network for the whole name.
    command = ("ssh", "-F", config, "-o", "CanonicalizeHostname=no", "-G", "--", alias)
    printed = run(command, limit_seconds=LIMIT_SECONDS)
    if printed is None:
        return None
    for line in printed.decode("utf-8", "replace").splitlines():
        keyword, _, value = line.partition(" ")
        if keyword.lower() == "hostname":
            host = value.strip().strip(".").lower()
            return host if host != alias and PLAIN.issuperset(host) else ""
    return ""


def _runs_commands(config: str) -> bool:
    """Does the configuration itself say `Match exec`? What it includes is the user's own too, but is not read here."""
    try:
        with open(config, encoding="utf-8", errors="replace") as file:
            lines = [line.split() for line in file]
    except OSError:
        return True
    return any(words[0].lower() == "match" and "exec" in map(str.lower, words) for words in lines if words)


def _state(path: str) -> tuple[int, int]:
    try:
        state = os.stat(path)
    except (OSError, ValueError):
        return 0, -1
    return state.st_mtime_ns, state.st_size


def _read(cache: str) -> dict[str, Answer]:
    try:
        with open(cache, "rb") as file:
            rows = json.loads(file.read())["hosts"]
        return {str(alias): Answer(str(row[0]), int(row[1]), int(row[2]), float(row[3])) for alias, row in rows.items()}
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return {}


def _write(cache: str, answers: dict[str, Answer]) -> None:
    """Keep them; where that fails, ssh is asked again."""
    from recollect.errors import RecollectError
    from recollect.files.writing import write_atomic

    try:
        write_atomic(os.path.dirname(cache), cache, json.dumps({"hosts": answers}) + "\n")
    except (OSError, RecollectError):
        return
