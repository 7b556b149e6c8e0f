"""How recall and receipts look."""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING

from recollect.doors.cli.printing.output import counted, on_terminal, put, put_json, put_row, say, short_ids
from recollect.doors.cli.printing.times import ago, local
from recollect.text.cutting import cut_short
from recollect.text.ids import short_id
from recollect.text.rendering import citation_label

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from recollect.app import Recollect
    from recollect.model.receipts import Recall, Recalled, Receipt

MOST_CITED = 2
MOST_SHOWN = 5  # of what was left out
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


def _why_nothing(found: Recall) -> str:
    limit = next((out.why for out in found.left_out if out.by_limit), "")
    if limit:
        return f"Something matched, but a limit kept it out: {limit}. Raise it with --k, --tokens or the settings."
    if found.left_out:
        return "The matches are too weak to inject; see `recollect why`."
    return 'No match. Add one with `recollect remember "..."`.'


def _recall_page(found: Recall, receipt_id: str) -> None:
    from recollect.doors.cli.printing.terminal import Page, check_look, join

    page = Page()
    rows = []
    for number, one in enumerate(found.entries, 1):
        cited = ", ".join(citation_label(citation) for citation in one.entry.citations[:MOST_CITED])
        below = join(
            short_id(one.entry.entry_id),
            "" if one.entry.layer == "L1" else one.entry.layer,
            "newer" if _is_before_its_turn(one, found.entries[number:]) else "",
            f"matched {one.because}",
            on_the_scale(one.relevance, found.floor),
            check_look(one.check),
            cited,
        )
        rows.append((f"{number}", one.entry.content, below, f"score {one.score:.2f}"))
    page.items(rows)
    if found.entries:
        cost = f"{counted(len(rows), 'entry', 'entries')}, {counted(found.tokens, 'token')}"
        page.line(f"\n{cost} · receipt {short_id(receipt_id)}", "dim")
    if found.left_out:
        page.line(left_out_line(out.why for out in found.left_out), "dim")
        rows_out = [(out.entry_id, out.relevance, found.floor, out.content) for out in found.left_out if out.content]
        page.table([_left_out_row(*row) for row in rows_out[:MOST_SHOWN]])


def _is_before_its_turn(one: Recalled, following: Sequence[Recalled]) -> bool:
    """Does it stand before an older entry with a higher score, because the later word on a thing stands first?"""
    return any(
        other.score > one.score and other.entry.layer == one.entry.layer and other.entry.created < one.entry.created
        for other in following
    )


def on_the_scale(relevance: float, floor: float) -> str:
    """How relevant something is, beside what it takes to come."""
    return f"relevance {relevance:.2f}, floor {floor:.2f}" if relevance else ""


def _left_out_row(entry_id: str, relevance: float, floor: float, content: str) -> tuple[str, str, str]:
    shown = cut_short(" ".join(content.split()), LONGEST_SHOWN)
    # What was left out although it is relevant enough has another reason, which is told.
    return short_id(entry_id), on_the_scale(relevance, floor) if relevance < floor else "", shown


def left_out_line(reasons: Iterable[str]) -> str:
    """Why how many were left out, on one line."""
    counts = Counter(short_ids(why) for why in reasons)
    return "left out: " + ", ".join(
        f"{number} {_several(why) if number > 1 else why}" for why, number in counts.items()
    )


def _several(why: str) -> str:
    """A reason for more than one; each is written for one."""
    return why.replace("archive entry", "archive entries").replace("to see it)", "to see them)")


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
            put_row(("left out", out["id"], out["why"], scale, out.get("content", "")))


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
            on_the_scale(entry.get("relevance", 0.0), entry.get("floor", 0.0)),
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
            page.line(join(name, short_ids(out["why"]), scale))
            if text:
                page.indented(text, "dim")
    page.line(f"\n{counted(receipt.tokens, 'token')} in all", "dim")
