"""Everything out, everything back: export, load."""

from __future__ import annotations

import os
import sys

import click

from recollect.doors.cli.granting import confirm_own, confirm_setting
from recollect.doors.cli.opening import from_file, opened, require_consent
from recollect.doors.cli.options import Command, json_option, yes_option
from recollect.doors.cli.printing.transfers import print_exported, print_loaded
from recollect.errors import UsageError


@click.command("export", cls=Command, example="recollect export --format markdown --out memory.md")
@click.option("--format", "kind", type=click.Choice(["json", "markdown"]), help="[default: json]")
@click.option("--out", metavar="FILE", help="Write to this file instead of stdout.")
@yes_option
@json_option
def export(kind: str | None, out: str | None, yes: bool, as_json: bool) -> None:
    """Export everything as JSON or Markdown.

    Load either one again with `recollect load --mine`. You are asked before a file is overwritten.
    """
    from recollect.flows.views.transfer import as_text

    if as_json and kind == "markdown" and not out:
        raise UsageError("--json and --format markdown cannot be combined on stdout; choose one, or add --out F.")
    if out and os.path.lexists(out):
        require_consent(f"{out} exists. Overwrite it?", yes=yes)
    with opened() as memory:
        document = memory.transfer.export()
        text = as_text(document, kind or "json")
        if not out:
            # As it is: an export is for a file or a pipe, and has to come back byte for byte.
            sys.stdout.buffer.write(text.encode("utf-8", "replace"))
            return
        from recollect.files.writing import write_atomic

        path = os.path.abspath(out)
        write_atomic(os.path.dirname(path), path, text, follow=False)
        print_exported(document, path, kind=kind or "json", as_json=as_json)


@click.command("load", cls=Command, needs_person=True, example="recollect load memory.md")
@click.argument("file", metavar="FILE")
@click.option("--mine", is_flag=True, help="This is your own export: load all of it as your own words.")
@json_option
def load(file: str, mine: bool, as_json: bool) -> None:
    """Load an export.

    FILE is an export in either format, or - for stdin. Nothing that is already here is changed. Entries from someone
    else's export count as statements from a document; you are asked about each setting that matters.
    """
    from recollect.flows.views.transfer import LARGEST_FILE_BYTES, as_document, nobody_grants

    document = as_document(from_file(file, limit_bytes=LARGEST_FILE_BYTES))
    asks = not as_json and sys.stdin.isatty() and sys.stderr.isatty()
    with opened(changes=True, creates=True) as memory:
        transfer = memory.for_person("Loading an export", reads_stdin=file == "-").transfer
        mine = mine or (asks and confirm_own(transfer.claims(document)))
        loaded = transfer.load(document, mine=mine, grant=confirm_setting if asks else nobody_grants)
        print_loaded(loaded, as_json=as_json)
