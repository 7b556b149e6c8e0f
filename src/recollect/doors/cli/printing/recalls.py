"""How recall and receipts look."""

from __future__ import annotations

import time
from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING

from recollect.doors.cli.printing.output import counted, on_terminal, put, put_json, put_row, say, short_ids
from recollect.doors.cli.printing.times import ago, local
from recollect.model.receipts import ARCHIVED
from recollect.text.cutting import cut_short
from recollect.text.ids import short_id
from recollect.text.rendering import citation_label

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from rich.text import Text

    from recollect.app import Recollect
    from recollect.model.receipts import Recall, Recalled, Receipt

MOST_CITED = 2
MOST_SHOWN = 5  # of what was left out
KINDS = ("Knowledge", "Archive of past sessions", "Turns of past sessions")
AROUND = "the frame around them"
LONGEST_SHOWN = 90  # characters of it


def print_recall(found: Recall, receipt_id: str, *, as_json: bool) -> None:
    """What a turn would get; in a pipe one entry per line: id, score, check, what matched, content."""
    if as_json:
        from recollect.doors.shapes import recall_json

        put_json(recall_json(found, receipt_id))
    elif on_terminal() and (found.entries or found.left_out):
        _recall_page(found, receipt_id)
    else:
        for one in found.entries:
            put_row((one.entry.entry_id, f"{one.score:.2f}", one.check, one.because, one.entry.content))
    if not found.entries and not as_json:
        say(_why_nothing(found))


def print_elsewhere(matches: int) -> None:
    """How many matches there are in other repositories, if any."""
    if matches == 1:
        say("1 match in another repository (add `--all` to see it).")
    elif matches:
        say(f"{matches} matches in other repositories (add `--all` to see them).")


def print_how_to_see(receipt: Receipt, elsewhere: int, is_here: Callable[[str], bool]) -> None:
    """The command that brings what this turn did not get: matches in other repositories, and the archive's."""
    if elsewhere:
        where = "another repository" if elsewhere == 1 else "other repositories"
        found = f"{counted(elsewhere, 'match', 'matches')} in {where}"
        say(f"{found}: `recollect recall --all {_typed_again(receipt.query)}`")
    archived = [str(out["id"]) for out in receipt.left_out if str(out.get("why", "")).startswith(ARCHIVED)]
    if archived:
        everywhere = "" if all(map(is_here, archived)) else "--all "
        say(f"With the archive: `recollect recall {everywhere}--layer L1,L2 {_typed_again(receipt.query)}`")


def _typed_again(query: str) -> str:
    """A text as one would type it in a shell; of one that is long, only where it goes."""
    is_simple = len(query) <= LONGEST_SHOWN and query.isprintable() and not set(query) & set('"$`!\\')
    return f'"{query}"' if is_simple else '"..."'


def _why_nothing(found: Recall) -> str:
    limit = next((out.why for out in found.left_out if out.by_limit), "")
    if limit:
        return f"Something matched, but a limit kept it out: {limit}. Raise it with --k, --tokens or the settings."
    if found.left_out:
        return "The matches are too weak to inject; see `recollect why`."
    return 'No match. Add one with `recollect remember "..."`.'


def _recall_page(found: Recall, receipt_id: str) -> None:
    from recollect.doors.cli.printing.terminal import Page

    page = Page()
    numbered = list(enumerate(found.entries, 1))
    groups = [(kind, list(some)) for kind, some in groupby(numbered, key=lambda one: _kind(one[1]))]
    for kind, some in groups:
        if len(groups) > 1:
            page.heading(KINDS[kind])
        page.items([_recalled_row(number, one, found) for number, one in some])
    if found.entries:
        cost = f"{counted(len(numbered), 'entry', 'entries')}, {counted(found.tokens, 'token')}"
        page.line(f"\n{cost} without {AROUND} · receipt {short_id(receipt_id)}", "dim")
    if found.left_out:
        page.line(left_out_line((out.why for out in found.left_out), advice=True), "dim")
        rows_out = [(out.entry_id, out.relevance, found.floor, out.content) for out in found.left_out if out.content]
        page.table([_left_out_row(*row) for row in rows_out[:MOST_SHOWN]])
        more = len(found.left_out) - min(len(rows_out), MOST_SHOWN)
        if more:
            page.hint(f"  and {more} more: `recollect why --receipt {short_id(receipt_id)}`")


def _recalled_row(number: int, one: Recalled, found: Recall) -> tuple[str, str, Text, str]:
    from recollect.doors.cli.printing.terminal import check_look, join

    cited = ", ".join(citation_label(citation) for citation in one.entry.citations[:MOST_CITED])
    later = _later_than(one, number, found.entries)
    below = join(
        short_id(one.entry.entry_id),
        "" if one.entry.layer == "L1" else one.entry.layer,
        f"said later than {later}, so it comes first" if later else "",
        f"matched {one.because}",
        "" if later else given_scale(one.relevance, found.floor),
        check_look(one.check),
        cited,
    )
    return f"{number}", one.entry.content, below, f"score {one.score:.2f}"


def _kind(one: Recalled) -> int:
    """What a score can be compared with: knowledge, the archive, and turns each have their own."""
    return 2 if "#" in one.entry.entry_id else int(one.entry.layer == "L2")


def _later_than(one: Recalled, number: int, entries: Sequence[Recalled]) -> int:
    """The number of the first that would stand before it, had it not been said earlier; 0 when there is none."""
    for behind, other in enumerate(entries[number:], number + 1):
        if (_kind(other), -other.score) < (_kind(one), -one.score) and other.entry.created < one.entry.created:
            return behind
    return 0


def on_the_scale(relevance: float, floor: float) -> str:
    """How relevant something is, beside what it takes to come."""
    return f"relevance {relevance:.2f}, floor {floor:.2f}" if relevance else ""


def _left_out_row(entry_id: str, relevance: float, floor: float, content: str) -> tuple[str, str, str]:
    shown = cut_short(" ".join(content.split()), LONGEST_SHOWN)
    # What was left out although it is relevant enough has another reason, which is told.
    return short_id(entry_id), on_the_scale(relevance, floor) if relevance < floor else "", shown


def given_scale(relevance: float, floor: float) -> str:
    """The same for what came; what is weaker than the floor came because its layer was asked for."""
    if 0 < relevance < floor:
        return f"weak (relevance {relevance:.2f}), but its layer was asked for"
    return on_the_scale(relevance, floor)


def left_out_line(reasons: Iterable[str], *, advice: bool = False) -> str:
    """Why how many were left out, on one line; with advice for somebody who can ask `recall` again."""
    counts = Counter(short_ids(_reason(why)) for why in reasons)
    return "left out: " + ", ".join(
        f"{number} {_counted_reason(why, number, advice=advice)}" for why, number in counts.items()
    )


def _reason(why: str) -> str:
    """A reason without the advice that receipts of older versions keep with it."""
    return ARCHIVED if why.startswith(ARCHIVED) else why


def _counted_reason(why: str, number: int, *, advice: bool) -> str:
    """A reason for so many; each is written for one."""
    if why != ARCHIVED:
        return why
    said, them = (ARCHIVED, "it") if number == 1 else ("archive entries", "them")
    return f"{said} (add `--layer L1,L2` to see {them})" if advice else said


def print_why(receipt: Receipt, memory: Recollect, *, as_json: bool) -> None:
    """The receipt of a turn, with what its entries say now."""
    from recollect.doors.shapes import receipt_json

    document = receipt_json(receipt, memory)
    if as_json:
        put_json(document)
    elif on_terminal():
        _why_page(receipt, document)
    else:
        put(f"receipt: {receipt.receipt_id}")
        put(f"at: {local(receipt.created)}")
        put(f"query: {' '.join(receipt.query.split())}")
        for entry in document["entries"]:
            put_row(
                ("given", entry["id"], f"{entry['score']:.2f}", entry["tokens"], entry["because"], entry["content"])
            )
        for out in document["left_out"]:
            scale = on_the_scale(out.get("relevance", 0.0), out.get("floor", 0.0))
            put_row(("left out", out["id"], _reason(out["why"]), scale, out.get("content", "")))


def _why_page(receipt: Receipt, document: dict[str, Any]) -> None:
    from recollect.doors.cli.printing.terminal import Page, check_look, join, status_look

    page = Page()
    page.line(receipt.query or "At the start of a session", "bold")
    turn = f"turn {receipt.turn} of" if receipt.turn else "in"
    where = f"{turn} {short_id(receipt.session)}" if receipt.session else ""
    page.line(join(short_id(receipt.receipt_id), ago(receipt.created, now=time.time()), receipt.host, where))
    page.line()
    rows = []
    for number, entry in enumerate(document["entries"], 1):
        factors = " × ".join(f"{name} {value:.2f}" for name, value in entry["parts"].items() if value != 1)
        below = join(
            short_id(entry["id"]),
            f"matched {entry['because']}",
            check_look(entry["check"]),
            status_look(entry["status"]),
            given_scale(entry.get("relevance", 0.0), entry.get("floor", 0.0)),
            factors,
            counted(entry["tokens"], "token"),
        )
        rows.append((f"{number}", entry["content"], below, f"score {entry['score']:.2f}"))
    page.items(rows)
    if not rows:
        page.line("This turn got no memories.")
    if document["left_out"]:
        page.heading("Left out")
        for out in document["left_out"]:
            name, scale, text = _left_out_row(
                out["id"], out.get("relevance", 0.0), out.get("floor", 0.0), out.get("content", "")
            )
            page.line(join(name, short_ids(_reason(out["why"])), scale))
            if text:
                page.indented(text, "dim")
    around = receipt.tokens - sum(entry["tokens"] for entry in document["entries"])
    said = f", {around:,} of them for {AROUND}" if rows and around > 0 else ""
    page.line(f"\n{counted(receipt.tokens, 'token')} in all{said}", "dim")
