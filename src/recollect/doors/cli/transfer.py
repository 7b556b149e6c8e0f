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
@click.option("--out", metavar="F", help="Write to this file instead of stdout.")
@yes_option
@json_option
def export(kind: str | None, out: str | None, yes: bool, as_json: bool) -> None:
    """Write everything out, as JSON or Markdown.

    Both formats come back whole with `recollect load --mine`. An existing file is overwritten only with your consent.
    """
    from recollect.flows.views.transfer import as_text

    if as_json and kind == "markdown" and not out:
        raise UsageError("--json and --format markdown exclude each other on stdout; choose one, or add --out F.")
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


@click.command("load", cls=Command, example="recollect load memory.md")
@click.argument("file", metavar="F")
@click.option("--mine", is_flag=True, help="It is your own export: take it whole, as your own words.")
@json_option
def load(file: str, mine: bool, as_json: bool) -> None:
    """Bring an export back.

    F is a file of either format, or - for stdin. What is here already stays as it is. An export that is not yours
    brings its entries as what a document says; settings that matter are asked for one by one.
    """
    from recollect.flows.views.transfer import LARGEST_FILE_BYTES, as_document, nobody_grants

    document = as_document(from_file(file, limit_bytes=LARGEST_FILE_BYTES))
    asks = not as_json and sys.stdin.isatty() and sys.stderr.isatty()
    with opened(changes=True) as memory:
        transfer = memory.for_person("Loading an export").transfer
        mine = mine or (asks and confirm_own(transfer.claims(document)))
        loaded = transfer.load(document, mine=mine, grant=confirm_setting if asks else nobody_grants)
        print_loaded(loaded, as_json=as_json)
