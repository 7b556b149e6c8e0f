"""`recollect worker`: the background jobs, once or for as long as one likes."""

from __future__ import annotations

import os
import sys
import threading

import click

from recollect.doors.cli.opening import environ, require_home
from recollect.doors.cli.options import Command, json_option
from recollect.doors.cli.printing.output import put_json, say

BACKGROUND_NICENESS = 10


@click.command("worker", cls=Command, example="recollect worker --once")
@click.option("--once", is_flag=True, help="Do the work that is due, then exit.")
@click.option("--retry", is_flag=True, help="Retry jobs that were given up after several failures.")
@json_option
def worker(once: bool, retry: bool, as_json: bool) -> None:
    """Do the background work that hooks queue.

    Hooks start it at the end of a turn; without --once it runs until Ctrl-C.
    """
    from recollect.worker import Worker

    require_home()
    if is_detached():
        _yield_to_others()
    working = Worker(environ())
    if retry:
        working.retry()
    if not once:
        say("recollect: working until Ctrl-C.")
        working.stay(threading.Event())
        return
    shift = working.once()
    if as_json:
        put_json({"done": shift.done, "failed": shift.failed, "why": shift.why})
    elif not is_detached():
        say(_told(shift.done, shift.failed, working.waiting(), shift.why))


def is_detached() -> bool:
    """Did a hook start this, with nobody at either end?"""
    return not any(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))


def _yield_to_others() -> None:
    if hasattr(os, "nice"):
        try:
            os.nice(BACKGROUND_NICENESS)
        except OSError:
            return  # as low as it can be already


def _told(done: int, failed: int, left: int, why: str) -> str:
    jobs = f"{done} done, {failed} to be tried again"
    if not done and not failed:
        jobs = f"nothing to do now, {left} to be tried again later" if left else "nothing to do"
    return f"recollect: {jobs}{f' ({why})' if why else ''}."
