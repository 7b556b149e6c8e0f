"""How the sessions of real logs ended, as their summaries tell it: for a person to read and judge.

    python -m benchmarks.outcomes FOLDER [--sample 60] [--seed 1] [--json]

Whether an outcome is one only reading tells: it has to say what was done, found or decided at the end of the session,
or what it left in git, and never what somebody was about to do. Beside each stand the first request, the last one, the
first words of the last answer, which is what a summary without rules would tell. The figures that need no reader: how
many sessions tell an outcome at all, and in how many of those git or the host confirms it with a commit or a request.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from typing import Any

from benchmarks.data_sets import data_set
from recollect import Recollect
from recollect.model.sessions import Turn
from recollect.sessions.outcomes import outcome

WORDS = 160


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=data_set)
    parser.add_argument("--sample", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found = measure(options.folder)
    shown = random.Random(options.seed).sample(found["sessions"], min(options.sample, len(found["sessions"])))
    print(json.dumps({**found, "sessions": shown}, indent=2) if options.json else table({**found, "sessions": shown}))


def measure(folder: str) -> dict[str, Any]:
    """The outcome of every session of a person below the folder."""
    with tempfile.TemporaryDirectory() as home, Recollect.open(home, folder=home, environ={"HOME": home}) as memory:
        past = memory.sessions
        past.import_logs(past.logs([folder])[0])
        sessions = [_told(past.show(session.session_id).turns) for session, _ in past.listed()]
    told = [one for one in sessions if one["outcome"]]
    confirmed = [one for one in told if one["confirmed"]]
    return {"count": len(sessions), "told": len(told), "confirmed": len(confirmed), "sessions": sessions}


def _told(turns: list[Turn]) -> dict[str, Any]:
    ended = outcome(turns)
    typed = [" ".join(turn.user.split())[:WORDS] for turn in turns if turn.user] or [""]
    answer = next((turn.assistant for turn in reversed(turns) if turn.assistant), "")
    return {
        "first": typed[0],
        "last": typed[-1],
        "outcome": ended.lines(),
        "confirmed": bool(ended.commits or ended.requests or ended.merged),
        "first_words": " ".join(answer.split())[:WORDS],
    }


def table(found: dict[str, Any]) -> str:
    """The figures, then each session for reading."""
    lines = [f"{found['count']} sessions, {found['told']} tell an outcome, {found['confirmed']} confirmed by git", ""]
    for number, one in enumerate(found["sessions"], 1):
        lines += [f"{number}. {one['first']}", f"   last: {one['last']}"]
        lines += [f"   => {line}" for line in one["outcome"]] or ["   => (none)"]
        lines.append(f"   first words of the last answer: {one['first_words']}")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
