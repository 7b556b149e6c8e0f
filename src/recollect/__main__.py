"""The entry point: `recollect`, and `python -m recollect`."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    # `hook` is dispatched here, first: a host waits for it at every turn, and importing click would cost more than
    # the whole answer. What stands above this line is all that a hook may import before its own door.
    if words[:1] == ["hook"] and not any(word == "-h" or word.startswith(("--help", "--home")) for word in words):
        from recollect.doors.hook import run as run_hook

        return run_hook(words[1:])
    if words == ["--version"]:
        from recollect.version import __version__

        sys.stdout.write(f"recollect {__version__}\n")
        return 0
    try:
        from recollect.doors.cli.running import run

        return run(words)
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
