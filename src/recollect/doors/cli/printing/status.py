"""How the state of a home looks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.doors.cli.printing.output import counted, on_terminal, put, put_json

if TYPE_CHECKING:
    from typing import Any


def print_status(document: dict[str, Any], *, as_json: bool) -> None:
    """The same facts for everyone: JSON, a page, or `name: value` lines."""
    if as_json:
        put_json(document)
    elif on_terminal():
        _status_page(document)
    else:
        for name, value in document.items():
            for key, inner in value.items() if isinstance(value, dict) else ((name, value),):
                dotted = f"{name}.{key}" if isinstance(value, dict) else name
                put(f"{dotted}: {str(inner).lower() if isinstance(inner, bool) else inner}")


def _status_page(document: dict[str, Any]) -> None:
    from rich.text import Text

    from recollect.doors.cli.printing.terminal import Page, bar

    page = Page()
    entries, profile, ceilings = document["entries"], document["profile"], document["ceilings"]
    if not document["enabled"]:
        page.line("Switched off: `recollect settings set enabled true` switches it on.\n", "yellow")
    share = bar(profile["share"]).append(f"  {profile['characters']:,}/{profile['limit']:,} characters", style="dim")
    page.fields(
        [
            ("home", document["home"]),
            ("repository", document["repository"] or "none here"),
            ("profile", share),
            ("entries", f"{entries['L0']:,} profile, {entries['L1']:,} knowledge, {entries['L2']:,} archive"),
            ("sessions", counted(document["sessions"], "session")),
            ("waiting", f"{document['pending']} to approve, {counted(document['suggestions'], 'suggestion')}"),
            ("hosts", ", ".join(document["hosts"]) or "none"),
            ("model", "none needed (rules)" if document["model"] == "rules" else document["model"]),
            (
                "a turn gets",
                Text(f"at most {ceilings['recall.max_entries']} entries, {ceilings['recall.max_tokens']:,} tokens"),
            ),
        ]
    )
