"""How what `doctor` found looks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.doors.cli.printing.output import counted, fitted, on_terminal, plain, put_json, put_row
from recollect.doors.cli.printing.program import as_called

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.doors.cli.printing.terminal import Page
    from recollect.model.findings import Finding


OVERLONG_INDENT = 5  # of a path or command that does not fit beside its label


def print_findings(findings: Sequence[Finding], *, as_json: bool) -> None:
    """JSON, a page, or lines with tabs: `ok` or `fix`, what, how it is, what helps."""
    findings = [one._replace(detail=as_called(one.detail), remedy=as_called(one.remedy)) for one in findings]
    if as_json:
        put_json([finding._asdict() for finding in findings])
    elif on_terminal():
        _page(findings)
    else:
        for finding in findings:
            put_row(("ok" if finding.ok else "fix", finding.check, finding.detail, finding.remedy))


def _row(finding: Finding, wide: int, page: Page) -> None:
    """A mark, what was looked at, how it is, and what helps. A path or command that is too long has its own line."""
    from rich.text import Text

    mark = Text("✓", style="green") if finding.ok else Text("✗", style="red")
    label = Text(finding.check.ljust(wide), style="" if finding.ok else "bold")
    left = Text("  ").append_text(mark).append("  ").append_text(label).append("  ")
    indent = len(left)
    room = page.columns - indent
    lines = [(line, "") for line in fitted(plain(finding.detail), room)]
    if finding.remedy:
        quiet = "dim" if finding.ok else "yellow"
        arrow = "" if finding.ok else "→ "
        first, *more = fitted(f"{arrow}{plain(finding.remedy)}", room)
        lines += [(first, quiet), *((line, quiet) for line in more)]
    for number, (line, style) in enumerate(lines):
        before = left if not number else Text(" " * indent)
        if len(line) <= room:
            page.line(before + Text(line, style=style))
        else:
            if not number:
                page.line(left)
            page.whole(line.lstrip(), style, indent=OVERLONG_INDENT)


def _page(findings: Sequence[Finding]) -> None:
    from recollect.doors.cli.printing.terminal import Page

    page = Page()
    wide = max((len(finding.check) for finding in findings), default=0)
    for finding in findings:
        _row(finding, wide, page)
    wrong = sum(not finding.ok for finding in findings)
    page.line()
    page.line(f"{counted(wrong, 'thing needs', 'things need')} your attention." if wrong else "All is well.", "bold")
