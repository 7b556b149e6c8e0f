"""The git and ssh commands, for what files do not say cheaply. Never on the way of a hook."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def run_git(git_directory: str, *arguments: str, limit_seconds: float) -> bytes | None:
    """What git prints, or None: it failed, is not installed or took too long. Asks nothing and fetches nothing."""
    # Inside a git hook these variables would point git at another repository.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment |= {"GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0"}
    command = ["git", "--no-replace-objects", "--literal-pathspecs", f"--git-dir={git_directory}", *arguments]
    return run(command, limit_seconds=limit_seconds, environment=environment)


def run(command: Sequence[str], *, limit_seconds: float, environment: Mapping[str, str] | None = None) -> bytes | None:
    """What a command prints, or None: it failed, is not installed or took too long."""
    if limit_seconds <= 0:
        return None
    import subprocess

    try:
        done = subprocess.run(  # noqa: S603 - arguments are a list, no shell reads them
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=limit_seconds,
            env=environment,
            check=False,
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    return done.stdout if done.returncode == 0 else None
