"""How entries look inside a prompt: one line each, with an id to cite, and what the check said."""

from __future__ import annotations

from time import gmtime, strftime

from recollect.text.fences import in_quotes, neutralise
from recollect.text.ids import short_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.model.entries import Citation, Entry

CHECK_NOTES = {
    "verified": "",
    "cited": "not confirmed by what it cites",
    "unchecked": "",
    "changed": "what it cites has changed since; verify first",
    "gone": "what it cites is not in this working tree; verify first",
}
_PRIME = 2**61 - 1  # what differs stays apart; nothing that a hook would have to load
_LAST_MOMENT = 1e11  # beyond that no log was written
QUOTED_ORIGINS = {"tool": "tool output", "document": "a document"}


def citation_label(citation: Citation, *, whole: bool = False) -> str:
    """`path:10-20`, `path#symbol`, or `turn 3 of s_...`, with the whole id if asked for; else the words themselves."""
    if citation.kind == "turn":
        if not citation.session:
            return f"“{citation.quote}”, said outside a session" if citation.quote else "said outside a session"
        turn = f"turn {citation.turn} of " if citation.turn else ""
        return turn + (citation.session if whole else short_id(citation.session))
    label = citation.path
    if citation.symbol:
        return f"{label}#{citation.symbol}"
    if citation.start:
        label += f":{citation.start}"
        if citation.end > citation.start:
            label += f"-{citation.end}"
    return label


def as_reference(entry: Entry) -> str:
    """What an entry says, for an agent to read: our fences harmless, and what is not the user's own quoted."""
    if "#" in entry.entry_id:
        return f"{_past_session(entry)}: {in_quotes(entry.content)}"
    if entry.origin in QUOTED_ORIGINS:
        # What a tool or a document said is quoted: it is a report, never a request.
        return f"{QUOTED_ORIGINS[entry.origin]} said: {in_quotes(entry.content)}"
    if entry.source != "user" and entry.origin != "typed" and _needs_a_person(entry.content):
        # An agent's own words neither tell anybody what to do nor speak for the user before a person accepted them.
        return f"an agent noted: {in_quotes(entry.content)}"
    return neutralise(" ".join(entry.content.split()))


def _past_session(entry: Entry) -> str:
    known = 0 < entry.created < _LAST_MOMENT
    return "a past session" + (f" on {strftime('%Y-%m-%d', gmtime(entry.created))}" if known else "")


def entry_line(entry: Entry, check: str = "unchecked") -> str:
    """One entry as reference for an agent."""
    content = as_reference(entry)
    files = [citation for citation in entry.citations if citation.kind == "file"]
    notes = [neutralise(" ".join(citation_label(citation).split())) for citation in files[:2]]
    if CHECK_NOTES[check]:
        notes.append(CHECK_NOTES[check])
    elif files and check == "unchecked":
        notes.append("not checked against the file as it is now")
    if entry.superseded_by:
        notes.append(f"older than [{short_id(entry.superseded_by)}]")
    return f"- [{short_id(entry.entry_id)}] {content}" + (f" ({'; '.join(notes)})" if notes else "")


def line_mark(line: str) -> str:
    """A short mark of a line: another one says something else."""
    return f"{int.from_bytes(line.encode('utf-8', 'surrogatepass'), 'big') % _PRIME:x}"


def _needs_a_person(text: str) -> bool:
    # Imported here: most of what a turn gets was typed.
    from recollect.text.language.consent import speaks_for_user
    from recollect.text.language.orders import is_order

    return is_order(text) or speaks_for_user(text)
