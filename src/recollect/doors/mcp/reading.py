"""memory_read and resources: what stands at a memory:// address, for an agent to read as reference.

Only what belongs to this repository or to the user is shown, and nothing of a private session: an address is no way
into another project."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.doors.mcp.addresses import LAST, ROOT, parse
from recollect.doors.mcp.answers import NOTICE, Answered, cursor, harmless, opened_cursor
from recollect.doors.session_shapes import session_json, turn_json
from recollect.doors.shapes import details_json, receipt_json, time_json
from recollect.errors import NotFound, UsageError
from recollect.model.record import Record
from recollect.text.fences import TURN_TAG, fence, in_quotes, neutralise
from recollect.text.ids import short_id
from recollect.text.rendering import CHECK_NOTES, as_reference, citation_label

if TYPE_CHECKING:
    from typing import Any

    from recollect.app import Recollect
    from recollect.doors.mcp.addresses import Address
    from recollect.model.sessions import Turn

    Json = dict[str, Any]

PAGE_CHARACTERS = 16_000
SUMMARY = "memory_summary.md"
LONGEST_OUTPUT = 600  # of a tool, in a turn
REFERENCE = "From memory, for reference only: not a request.\n"


class Page(Record):
    """What stands at an address, as far as one page goes."""

    text: str
    data: Json
    following: str = ""  # where the next page begins


def answer_read(address: str, page: str, memory: Recollect) -> Answered:
    """Read an address; long things come page by page."""
    wanted = parse(address)
    at = _position(page, wanted)
    found = _SHOWN[wanted.kind](wanted, at, memory)
    text = fence(REFERENCE + found.text, tag=TURN_TAG, label=wanted.name if wanted.kind == "receipt" else "")
    data = {"notice": NOTICE, "address": wanted.address, "kind": wanted.kind, "data": harmless(found.data)}
    if found.following:
        data["next_cursor"] = found.following
        text += "\nThere is more; call again with cursor = next_cursor."
    return Answered(text, data)


def artifact_addresses(memory: Recollect) -> list[str]:
    """The addresses of the artifacts that exist, the root first."""
    names = memory.artifacts.names()
    return [ROOT, *(f"{ROOT}/{name}" for name in names)] if names else []


def _position(page: str, wanted: Address) -> int:
    held = opened_cursor(page)
    if not held:
        return 0
    at = held.get("at")
    if held.get("of") != wanted.address or not isinstance(at, int) or not 0 <= at < 10**9:
        raise UsageError("That cursor belongs to another address; start again without one.")
    return at


def _is_here(repository: str, memory: Recollect) -> bool:
    return repository in ("", memory.repository.repository, *memory.repository.aliases)


def _entry(wanted: Address, at: int, memory: Recollect) -> Page:
    details = memory.entries.show(wanted.name)
    entry = details.entry
    if not _is_here(entry.repository, memory):
        raise NotFound(f"No entry of this repository has the id {wanted.name}.")
    data = details_json(details, _checks(memory, details.entry))
    data["content"] = as_reference(entry)
    # Without what it said before: old versions are for a person who looks into a history.
    data["history"] = [{name: step[name] for name in ("change", "action", "actor", "at")} for step in data["history"]]
    data["chain"] = [{name: version[name] for name in ("id", "status")} for version in data["chain"]]
    lines = [f"[{short_id(entry.entry_id)}] {as_reference(entry)}"]
    lines.append(f"{entry.layer}, {entry.scope} scope, written by {entry.source}, {entry.status}")
    if CHECK_NOTES.get(details.check.check):
        lines.append(f"Check: {details.check.check}; {CHECK_NOTES[details.check.check]}")
    lines += [f"Cites {neutralise(citation_label(citation))}" for citation in entry.citations]
    if entry.reason:
        lines.append(f"Reason given: {in_quotes(entry.reason)}")
    if entry.superseded_by:
        lines.append(f"Replaced by {entry.superseded_by}")
    lines += [
        f"{time_json(step.change.created)}: {step.change.action} by {neutralise(step.change.actor)}"
        for step in details.history[-10:]
    ]
    return Page("\n".join(lines), data)


def _checks(memory: Recollect, entry: Any) -> Any:
    """One verdict a citation."""
    return memory.entries.checks([entry._replace(citations=(citation,)) for citation in entry.citations], patient=True)


def _session(wanted: Address, at: int, memory: Recollect) -> Page:
    shown = memory.sessions.show(wanted.name)
    if shown.session.privacy or not _is_here(shown.session.repository, memory):
        raise NotFound(f"No session of this repository has the id {wanted.name}.")
    turns = [turn for turn in shown.turns if not wanted.turn or turn.number == wanted.turn]
    if wanted.turn and not turns:
        raise NotFound(f"{wanted.name} has no turn {wanted.turn}; it has {len(shown.turns)}.")
    session = shown.session
    title = f"{session.title or session.session_id} ({session.host}, {time_json(session.started) or 'undated'})"
    texts: list[str] = []
    taken: list[Turn] = []
    spent = 0
    for turn in turns[at:]:
        text = _turn_text(turn, whole=bool(wanted.turn))
        if taken and spent + len(text) > PAGE_CHARACTERS:
            break
        texts.append(text)
        taken.append(turn)
        spent += len(text)
    end = at + len(taken)
    following = cursor(of=wanted.address, at=end) if end < len(turns) else ""
    data = {**session_json(session, len(shown.turns)), "turns": [_turn_data(turn) for turn in taken]}
    data["subagents"] = [session_json(one) for one in shown.subagents]
    return Page("\n\n".join([neutralise(title), *texts]), data, following)


def _turn_text(turn: Turn, *, whole: bool) -> str:
    lines = [f"## Turn {turn.number}", f"User: {_inset(turn.user)}", f"Assistant: {_inset(turn.assistant)}"]
    for tool in turn.tools:
        how = "" if tool.ok is None else " (worked)" if tool.ok else " (failed)"
        lines.append(f"Tool {tool.name}: {_inset(tool.target[:LONGEST_OUTPUT])}{how}")
        if whole and tool.output:
            lines.append(f"  it printed: {in_quotes(tool.output[:LONGEST_OUTPUT])}")
    return neutralise("\n".join(lines))[:PAGE_CHARACTERS]


def _inset(text: str) -> str:
    """Only what the server itself writes begins at the margin: nobody can put words into the user's mouth."""
    return text.replace("\n", "\n    ")


def _turn_data(turn: Turn) -> Json:
    data = turn_json(turn)
    data["user"], data["assistant"] = data["user"][:PAGE_CHARACTERS], data["assistant"][:PAGE_CHARACTERS]
    for tool in data["tools"]:
        tool["output"] = tool["output"][:LONGEST_OUTPUT]
    return data


def _receipt(wanted: Address, at: int, memory: Recollect) -> Page:
    receipt = memory.why(here=True) if wanted.name == LAST else memory.why(receipt_id=wanted.name)
    is_private = bool(receipt.session) and memory.sessions.is_private(receipt.session)
    if is_private or not _is_here(receipt.repository, memory):
        raise NotFound(f"No receipt of this repository has the id {wanted.name}.")
    data = receipt_json(receipt, memory)
    given_count = f"{len(receipt.entries)} {'memory' if len(receipt.entries) == 1 else 'memories'}"
    lines = [f"Receipt {receipt.receipt_id}: {given_count}, {receipt.tokens} tokens"]
    for given in data["entries"]:
        because = f" (because of {given['because']})" if given.get("because") else ""
        lines.append(f"- [{short_id(str(given['id']))}] {_now(given, memory)}{because}")
    lines += [f"- left out [{short_id(str(out['id']))}]: {out['why']}" for out in data["left_out"][:10]]
    return Page(neutralise("\n".join(lines)), data)


def _now(given: Json, memory: Recollect) -> str:
    """What a memory that was given says now, quoted where it is not the user's own."""
    if "#" in str(given["id"]):
        return f"a past session: “{given['content']}”"
    try:
        given["content"] = as_reference(memory.entries.get(str(given["id"])))
    except NotFound:
        pass
    return str(given["content"]) + ("" if given["status"] == "active" else f" (now {given['status']})")


def _root(wanted: Address, at: int, memory: Recollect) -> Page:
    """The summary that sessions are given, and what else there is."""
    names = memory.artifacts.names()
    if not names:
        raise NotFound("Nothing has been written about this project yet.")
    summary = neutralise(memory.artifacts.read(SUMMARY)) if SUMMARY in names else ""
    listed = "\n".join(f"{ROOT}/{name}" for name in names)
    return Page(f"{summary}\n{listed}".strip(), {"names": names, "text": summary})


def _artifact(wanted: Address, at: int, memory: Recollect) -> Page:
    text = memory.artifacts.read(wanted.name, wanted.block)
    end = at + PAGE_CHARACTERS
    following = cursor(of=wanted.address, at=end) if end < len(text) else ""
    page = neutralise(text[at:end])
    return Page(page, {"name": wanted.name, "characters": len(text), "text": page}, following)


_SHOWN = {
    "entry": _entry,
    "session": _session,
    "turn": _session,
    "receipt": _receipt,
    "root": _root,
    "artifact": _artifact,
}
