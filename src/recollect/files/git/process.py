"""The git and ssh commands, for what files do not say cheaply. Never on the way of a hook."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def run_git(
    git_directory: str,
    *arguments: str,
    limit_seconds: float,
    limit_bytes: int = 0,
    settings: Mapping[str, str] | None = None,
) -> bytes | None:
    """What git prints, or None: it failed, is not installed or took too long. Asks nothing and fetches nothing.

    `settings` go before those of the repository and the user."""
    # Inside a git hook these variables would point git at another repository.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment |= {"GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0"}
    environment["GIT_ALLOW_PROTOCOL"] = "none"  # an older git would fetch what a partial clone lacks
    # Not as arguments: the name of a setting may hold an equals sign.
    quiet = {"core.fsmonitor": "false", **(settings or {})}
    environment["GIT_CONFIG_COUNT"] = str(len(quiet))
    for number, (name, value) in enumerate(quiet.items()):
        environment[f"GIT_CONFIG_KEY_{number}"], environment[f"GIT_CONFIG_VALUE_{number}"] = name, value
    command = ["git", "--no-replace-objects", "--literal-pathspecs", f"--git-dir={git_directory}", *arguments]
    return run(command, limit_seconds=limit_seconds, limit_bytes=limit_bytes, environment=environment)


def run(
    command: Sequence[str],
    *,
    limit_seconds: float,
    limit_bytes: int = 0,
    environment: Mapping[str, str] | None = None,
) -> bytes | None:
    """What a command prints, up to a limit if there is one, or None: it failed, is not installed or took too long."""
    if limit_seconds <= 0:
        return None
    import subprocess
    from threading import Timer

    try:
        process = subprocess.Popen(  # noqa: S603 - arguments are a list, no shell reads them
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    timer = Timer(limit_seconds, process.kill)
    timer.daemon = True
    timer.start()
    with process:
        assert process.stdout
        printed = process.stdout.read(limit_bytes or -1)
        is_cut = bool(limit_bytes) and len(printed) == limit_bytes
        if is_cut:
            process.kill()
    timer.cancel()
    return printed if is_cut or process.returncode == 0 else None
