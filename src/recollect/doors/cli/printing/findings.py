"""How what `doctor` found looks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.doors.cli.printing.output import counted, on_terminal, put_json, put_row
from recollect.doors.cli.printing.program import as_called

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.model.findings import Finding


def print_findings(findings: Sequence[Finding], *, as_json: bool) -> None:
    """JSON, a page, or lines with tabs: `ok` or `fix`, what, how it is, what helps."""
    if as_json:
        put_json([finding._asdict() for finding in findings])
    elif on_terminal():
        _page(findings)
    else:
        for finding in findings:
            put_row(("ok" if finding.ok else "fix", finding.check, finding.detail, finding.remedy))


def _page(findings: Sequence[Finding]) -> None:
    from rich.text import Text

    from recollect.doors.cli.printing.terminal import Page

    page = Page()
    rows = []
    for finding in findings:
        mark = Text("✓", style="green") if finding.ok else Text("✗", style="red")
        body = Text(finding.detail)
        if finding.remedy:
            body.append(f"\n→ {as_called(finding.remedy)}", style="dim" if finding.ok else "yellow")
        rows.append((mark, Text(finding.check, style="" if finding.ok else "bold"), body))
    page.table(rows)
    wrong = sum(not finding.ok for finding in findings)
    page.line()
    page.line(f"{counted(wrong, 'thing needs', 'things need')} your attention." if wrong else "All is well.", "bold")
