"""What the writing commands say when they are done."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from recollect.doors.cli.printing.output import (
    counted,
    on_terminal,
    put,
    put_done,
    put_json,
    say,
)
from recollect.doors.shapes import narrow_status, outcome_json
from recollect.flows.views.name_repository import place_name
from recollect.flows.writes.writers import contradiction
from recollect.model.entries import action_word, status_word
from recollect.text.ids import short_id

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.app import Recollect
    from recollect.flows.writes.undo import Undone
    from recollect.model.drafts import Outcome
    from recollect.model.entries import Entry

MOST_UNDONE = 10  # entries that are named, of those that an undo touched


def print_remembered(outcome: Outcome, memory: Recollect, *, layer: str, as_json: bool) -> None:
    """What became of a statement; for the profile, how full it is now."""
    usage = f"Profile {memory.profile.show().usage}" if layer == "L0" else ""
    if outcome.status in ("stored", "duplicate") and not as_json:
        usage = usage or where_it_holds(memory.entries.get(outcome.entry_id), memory)
    said = "."
    if outcome.status == "duplicate" and not as_json:
        said = f": {_quoted(memory.entries.get(outcome.entry_id).content)}"
    sentences = {
        "stored": f"Stored as {_name(outcome.entry_id)}.",
        "duplicate": f"Already stored as {_name(outcome.entry_id)}{said}",
        "staged": f"Waiting for approval as {_name(outcome.entry_id)}.",
    }
    _print_outcome(outcome, sentences.get(narrow_status(outcome), ""), usage, as_json=as_json)


def where_it_holds(entry: Entry, memory: Recollect) -> str:
    """Where an entry holds, and the name under which a prompt finds it."""
    repository = place_name(entry.repository, memory.opened.store)
    kind = "folder" if entry.repository.startswith("path:") else "repository"
    place = f"in this {kind} ({repository})" if repository else "everywhere"
    names = ", ".join(f"“{name}”" for name in dict.fromkeys((entry.subject, *entry.aliases)) if name)
    return f"It holds {place}" + (f" and is found under {names}." if names else ".")


def print_correction(outcome: Outcome, memory: Recollect, *, as_json: bool) -> None:
    """What a correction replaced."""
    names = " and ".join(_name(entry_id) for entry_id in (outcome.entry_id, *outcome.also))
    sentence = f"Stored as {names}."
    if outcome.status == "duplicate":
        sentence = f"Already stored as {names}."
    elif outcome.superseded:
        sentence = f"Stored as {names}, replacing:"
    _print_outcome(outcome, sentence, _replaced(outcome, memory), as_json=as_json)


def _replaced(outcome: Outcome, memory: Recollect) -> str:
    """What each entry that a correction made takes the place of, and what it says."""
    if not outcome.superseded:
        return ""
    lines = [] if on_terminal() else ["replacing:"]
    old = [memory.entries.get(entry_id) for entry_id in outcome.superseded]
    for entry_id in (outcome.entry_id, *outcome.also):
        mine = [one for one in old if one.superseded_by == entry_id or not outcome.also]
        lines += [f"{_name(one.entry_id)}  {_quoted(one.content)}" for one in mine]
        lines.append(f"It now says: {_quoted(memory.entries.get(entry_id).content, whole=True)}")
    return "\n".join(lines)


def print_edit(outcome: Outcome, *, as_json: bool) -> None:
    """Whether an edit made a new version."""
    sentence = f"Edited {_name(outcome.entry_id)}."
    if outcome.superseded:
        sentence = f"Edited: {_name(outcome.entry_id)} replaces {_name(outcome.superseded[0])}."
    _print_outcome(outcome, sentence, as_json=as_json)


def exit_if_refused(outcome: Outcome) -> None:
    """End the command with a failure when nothing was changed and nothing waits."""
    if outcome.is_refused:
        click.get_current_context().exit(1)


def _print_outcome(outcome: Outcome, sentence: str, detail: str = "", *, as_json: bool) -> None:
    if as_json:
        put_json(outcome_json(outcome))
    elif outcome.is_refused:
        say(f"recollect: {outcome.why}")
    elif on_terminal():
        # What a sentence announces with a colon follows it at once.
        parts = (detail, outcome.why) if sentence.endswith(":") else (outcome.why, detail)
        put_done(sentence, "\n".join(part for part in parts if part))
    else:
        for entry_id in (outcome.entry_id, *outcome.also):
            put(f"{narrow_status(outcome)} {entry_id}")
        for part in (outcome.why, detail):
            if part:
                say(part)


def print_vote(entry: Entry, direction: str, *, as_json: bool) -> None:
    """The votes an entry has now."""
    if as_json:
        votes = {"up": entry.votes_up, "down": entry.votes_down}
        put_json({"id": entry.entry_id, "vote": direction, "votes": votes, "status": entry.status})
        return
    _print_done(
        f"Voted {direction}: {_name(entry.entry_id)} has {entry.votes_up} up, {entry.votes_down} down.",
        f"voted {entry.entry_id}",
        _no_longer_recalled(entry),
    )


def _no_longer_recalled(entry: Entry) -> str:
    """Why no prompt gets an entry any more, and what can be done; empty for one that is active."""
    if entry.status == "active":
        return ""
    if entry.status == "superseded" and entry.superseded_by:
        newer = _name(entry.superseded_by)
        return f"It is no longer recalled: {newer} replaced it. See that one with `recollect show {newer}`."
    way_back = f"Bring it back with `recollect restore {_name(entry.entry_id)}`."
    return f"It is {status_word(entry.status)} and no longer recalled. {way_back}"


def print_forgotten(entry: Entry, *, hard: bool, as_json: bool, damaged: Sequence[str] = ()) -> None:
    """What was retired or erased; copies of a damaged database may still hold it."""
    status = "erased" if hard else "tombstone"
    if as_json:
        put_json({"id": entry.entry_id, "status": status})
    elif hard:
        left = []
        if damaged:
            left.append(f"A copy of a damaged database may still contain it; delete {', '.join(damaged)}.")
        if entry.superseded_by:
            newer = _name(entry.superseded_by)
            left.append(f"{newer} took its place and may still quote it; see `recollect show {newer}`.")
        if entry.session or any(citation.session for citation in entry.citations):
            left.append("The session that it came from is kept, with the words that were said there.")
        done = f"Erased {_name(entry.entry_id)}, its history and its earlier versions."
        _print_done(done, f"erased {entry.entry_id}", "\n".join(left))
    else:
        way_back = f"Bring it back with `recollect restore {_name(entry.entry_id)}`."
        _print_done(f"Retired: {_quoted(entry.content)}", f"retired {entry.entry_id}", way_back)


def print_restored(entry: Entry, memory: Recollect, *, before: str, as_json: bool) -> None:
    """What came back, and whether it contradicts something."""
    if as_json:
        put_json({"id": entry.entry_id, "status": entry.status, "before": before})
        return
    opposed = any(entry.entry_id in (newer.entry_id, older.entry_id) for newer, older in memory.entries.conflicts())
    hint = contradiction(entry.repository, memory.repository.repository) if opposed else ""
    _print_done(
        f"Restored (it was {status_word(before)}): {_quoted(entry.content, 40)}", f"restored {entry.entry_id}", hint
    )


def print_undone(undone: Undone, memory: Recollect, *, as_json: bool) -> None:
    """Which change was taken back, and what that means for what it had touched."""
    change, touched = undone.change, undone.entries
    if as_json:
        work = [{"id": one[0], "status": one.status, "title": one.title} for one in undone.work]
        put_json(
            {
                "change": change.change_id,
                "action": change.action,
                "undone_by": change.undone_by,
                "entries": [{"id": entry.entry_id, "status": entry.status} for entry in touched],
                **({"work": work} if work else {}),
                **({"waiting": list(undone.waiting)} if undone.waiting else {}),
            }
        )
        return
    sentence = f"Undid change {change.change_id} ({action_word(change.action)})"
    if touched:
        sentence += f", which touched {_count(touched)}"
    lines = [
        f"{_name(entry.entry_id)} is {_after_undo(entry, change.action)}: {_quoted(entry.content, 40)}"
        f"{_elsewhere(entry, memory)}"
        for entry in touched[:MOST_UNDONE]
    ]
    if len(touched) > MOST_UNDONE:
        lines.append(f"... and {len(touched) - MOST_UNDONE:,} more")
    lines += [f"{_name(one[0])} is {one.status}: {_quoted(one.title, 40)}" for one in undone.work]
    if undone.waiting:
        lines.append(f"Waiting for your review again: {', '.join(map(_name, undone.waiting))}.")
    if change.undone_by:
        lines.append(f"Undo this with `recollect undo {change.undone_by}`.")
    if undone.newer is not None:
        number, did = undone.newer.change_id, action_word(undone.newer.action)
        lines.append(
            f"A newer change ({did}) of another repository still holds; undo it with `recollect undo {number}`."
        )
    _print_done(f"{sentence}.", f"undone {change.change_id}", "\n".join(lines))


def _elsewhere(entry: Entry, memory: Recollect) -> str:
    """Where an entry of another repository holds."""
    is_here = entry.repository in ("", memory.repository.repository)
    return "" if is_here else f" (in {place_name(entry.repository, memory.opened.store)})"


def _after_undo(entry: Entry, action: str) -> str:
    """An entry whose storing was undone is gone, for all that a person cares."""
    return "gone" if entry.status == "inactive" and action != "restore" else status_word(entry.status)


def _print_done(sentence: str, plainly: str, detail: str = "") -> None:
    """For a person a sentence and what else to know; in a pipe two words, and the rest on stderr."""
    if on_terminal():
        put_done(sentence, detail)
        return
    put(plainly)
    say(sentence)
    if detail:
        say(detail)


def _name(whole_id: str) -> str:
    return short_id(whole_id) if on_terminal() else whole_id


def _quoted(content: str, longest: int = 60, *, whole: bool = False) -> str:
    text = " ".join(content.split())
    return f"“{text if whole or len(text) <= longest else text[: longest - 1] + '…'}”"


def _count(entries: list[Entry]) -> str:
    return counted(len(entries), "entry", "entries")
