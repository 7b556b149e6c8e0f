"""`recollect doctor`."""

from __future__ import annotations

import os
import time

import click

from recollect.doors.cli.opening import environ
from recollect.doors.cli.options import Command, json_option
from recollect.doors.cli.printing.findings import print_findings


@click.command("doctor", cls=Command, example="recollect doctor")
@json_option
@click.pass_context
def doctor(context: click.Context, as_json: bool) -> None:
    """Check everything that could be wrong, and say how to fix it.

    Exits with 0 if all is well, with 1 if something needs your attention. Nothing is changed.
    """
    from recollect.files.home import Home, home_directory
    from recollect.flows.setup.doctor import examine

    around = environ()
    findings = examine(Home(home_directory(around)), around, folder=os.getcwd(), now=time.time())
    print_findings(findings, as_json=as_json)
    if not all(finding.ok for finding in findings):
        context.exit(1)
