"""Export and load: everything out, everything back, the same."""

from __future__ import annotations

from recollect.errors import UsageError
from recollect.memory.bounds import require_bounds
from recollect.memory.exports import LISTS, VERSION, entry_json, entry_of
from recollect.memory.loading import checked
from recollect.memory.neighbours import DEAD
from recollect.memory.profile import load_profile, require_room
from recollect.memory.trust import out_of_profile, taken_as_document, taken_as_own
from recollect.model.board import CAPACITY, BoardItem
from recollect.model.entries import Citation
from recollect.model.record import Record
from recollect.model.sessions import Session, ToolUse, Turn
from recollect.model.suggestions import Suggestion
from recollect.model.tasks import Project, Task
from recollect.store.changes import LOAD, LOAD_OWN
from recollect.store.work_changes import WorkAudit
from recollect.text.clean import clean_value
from recollect.text.language.statements import statement_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from recollect.flows.writes.writers import Writer
    from recollect.model.entries import Entry
    from recollect.store.store import Store

    Wanted = Callable[[dict[str, Any], bool], "WantedSettings"]  # what an export sets, and whether it is one's own


class Loaded(Record):
    """What a load brought, and how many entries were already here."""

    entries: int
    skipped: int
    tasks: int
    projects: int
    mine: bool  # taken as the person's own, whole; otherwise as what a document says
    moved: int  # entries that rest on tools or documents and are in L1 instead of the profile
    settings: dict[str, Any]  # those of the export that are to be set here
    left_out: dict[str, Any]  # settings of the export that nobody granted
    sessions: int = 0
    active: int = 0  # of the entries; only these can be undone


class WantedSettings(Record):
    """The settings of an export that are to be set here, and those that nobody granted."""

    set_here: dict[str, Any]
    left_out: dict[str, Any]


class Fresh(Record):
    """Ids of what is new here: entries, and tasks and projects."""

    entries: set[str]
    work: set[str]


def export(store: Store, *, settings: dict[str, Any]) -> dict[str, Any]:
    """Everything as one document, as it was at one moment."""
    with store.read():
        return _document(store, settings)


def _document(store: Store, settings: dict[str, Any]) -> dict[str, Any]:
    # By id, not by row: what was loaded from either format exports the same again.
    stored = sorted(store.entries.listed({}), key=lambda one: one.entry_id)
    return {
        "version": VERSION,
        **{name: [] for name in LISTS},
        "entries": [{**entry_json(one.entry), "votes": store.votes.of_entry(one.entry_id)} for one in stored],
        "audit": _audit(store),
        "tasks": [task._asdict() for task in sorted(store.tasks.tasks(), key=lambda task: task.task_id)],
        "projects": [one._asdict() for one in sorted(store.tasks.projects(), key=lambda one: one.project_id)],
        "conflicts": [
            {"newer": newer, "older": older, "created": created} for newer, older, created in store.conflicts.all()
        ],
        "repositories": store.repositories.export(),
        "board": [one._asdict() for one in store.board.all()],
        "suggestions": [_suggestion(one) for one in store.suggestions.every()],
        "sessions": [_session(*whole) for whole in store.sessions.whole()],
        "settings": settings,
    }


def _audit(store: Store) -> list[dict[str, Any]]:
    """Every change with what it did to entries, tasks and projects, in the order of their numbers."""
    changes: dict[int, dict[str, Any]] = {}
    for audit in store.changes.all_audits():
        if audit.change.action == LOAD_OWN:
            continue
        change = changes.setdefault(audit.change.change_id, {**audit.change._asdict(), "entries": [], "work": []})
        change["entries"].append({"id": audit.entry_id, "before": audit.before, "after": audit.after})
    for work in store.work_changes.all():
        if work.change_id not in changes:
            changes[work.change_id] = {**store.changes.get(work.change_id)._asdict(), "entries": [], "work": []}
        changes[work.change_id]["work"].append({"id": work.work_id, "before": work.before, "after": work.after})
    return [changes[number] for number in sorted(changes)]


def _session(session: Session, digested: float, turns: list[tuple[str, Turn]]) -> dict[str, Any]:
    return {
        **session._asdict(),
        "digested": digested,
        "turns": [{"repository": repository, **_turn(turn)} for repository, turn in turns],
    }


def _suggestion(one: Suggestion) -> dict[str, Any]:
    """Without where its file is and how to undo it: both are known only here."""
    values = {name: value for name, value in one._asdict().items() if name not in ("root", "undo", "told")}
    citations = [citation.filled() for citation in one.citations]
    return {"id": values.pop("suggestion_id"), **values, "fact_ids": list(one.fact_ids), "citations": citations}


def _load_suggestions(items: list[dict[str, Any]], store: Store, *, now: float) -> None:
    """Those that are not here yet, by id or by what they propose. Nobody is told of them again."""
    known = {one.suggestion_id for one in store.suggestions.every()}
    for item in items:
        values = {name: value for name, value in item.items() if name in Suggestion._fields}
        values["fact_ids"] = tuple(item["fact_ids"])
        values["citations"] = tuple(Citation(**one) for one in item["citations"])
        one = Suggestion(suggestion_id=item["id"], told=now, **values)
        if one.suggestion_id not in known and store.suggestions.known(one.repository, one.fingerprint) is None:
            store.suggestions.add(one)


def _turn(turn: Turn) -> dict[str, Any]:
    tools = [{**tool._asdict(), "paths": list(tool.paths)} for tool in turn.tools]
    return {**turn._asdict(), "tools": tools, "compactions": list(turn.compactions)}


def read_document(document: object) -> dict[str, Any]:
    """The document with every value of its kind, without secrets; UsageError when it is no export, or too large."""
    require_bounds(document)
    try:
        return checked(clean_value(document))
    except RecursionError as error:
        raise UsageError("That file is not an export of Recollect: it is nested too deeply.") from error


def without_known(document: dict[str, Any], store: Store) -> dict[str, Any]:
    """What of a read document would be new here."""
    entries = [one for one in document["entries"] if not store.entries.has(one["id"])]
    new, known, here = {one["id"] for one in entries}, _known_work(store), _document(store, {})
    return {
        **{name: [one for one in document[name] if one not in here[name]] for name in LISTS},
        "entries": entries,
        "audit": [
            change
            for change in document["audit"]
            if new.intersection(one["id"] for one in change["entries"]) or {one["id"] for one in change["work"]} - known
        ],
        "tasks": [one for one in document["tasks"] if one["task_id"] not in known],
        "projects": [one for one in document["projects"] if one["project_id"] not in known],
        "conflicts": [one for one in document["conflicts"] if new & {one["newer"], one["older"]}],
        "sessions": [one for one in document["sessions"] if _name_of(one) not in map(_name_of, here["sessions"])],
    }


def _name_of(session: dict[str, Any]) -> tuple[str, str, str]:
    return session["host"], session["native_id"], session.get("agent", "")


def load(document: dict[str, Any], writer: Writer, *, settings: Wanted, mine: bool) -> Loaded:
    """Load an export. What is here already, by id or name, stays as it is; a damaged export changes nothing, and
    neither does one whose profile has no room here. One that is not `mine` brings what a document says."""
    read = read_document(document)
    document = taken_as_own(read, now=writer.now) if mine else taken_as_document(read, now=writer.now)
    moved = out_of_profile(read, document) if mine else 0
    wanted = settings(read["settings"], mine)
    store, limit = writer.store, int(str(wanted.set_here.get("profile.max_characters", writer.profile_characters)))
    with store.write():
        before = load_profile(store, limit_characters=limit)
        if not mine:
            document["entries"] = _not_retired(document["entries"], store)
        fresh = _load_entries(document["entries"], store)
        known = _known_work(store)
        tasks, projects = _load_work(document, known, store)
        work = {item["id"] for change in document["audit"] for item in change["work"]} - known
        _load_audit(document["audit"], Fresh(set(fresh), work), store)
        # Behind the trail that came with it: it is the newest change, which an undo takes back.
        change_id = store.changes.begin(LOAD_OWN if mine else LOAD, writer.actor, now=writer.now)
        in_force = [entry_id for entry_id, entry in fresh.items() if entry.status not in DEAD]
        store.changes.load_audits(change_id, [(entry_id, {}, {}) for entry_id in in_force])
        store.changes.drop_if_empty(change_id)
        for pair in document["conflicts"]:
            if store.entries.has(pair["newer"]) and store.entries.has(pair["older"]):
                store.conflicts.add(pair["newer"], pair["older"], now=pair.get("created", writer.now))
        store.repositories.load(document["repositories"])
        sessions = _load_sessions(document["sessions"], store)
        _load_board(document["board"], store)
        _load_suggestions(document["suggestions"], store, now=writer.now)
        require_room(store, before=before)
    skipped = len(document["entries"]) - len(fresh)
    counts = (len(fresh), skipped, len(tasks), len(projects))
    active = sum(entry.status == "active" for entry in fresh.values())
    return Loaded(*counts, mine, moved, wanted.set_here, wanted.left_out, sessions, active)


def _not_retired(items: list[dict[str, Any]], store: Store) -> list[dict[str, Any]]:
    """Without what says what a person has retired here: somebody else's file does not bring it back."""
    retired = {statement_key(one.entry.content) for one in store.entries.listed({"status": "tombstone"})}
    return [one for one in items if statement_key(one["content"]) not in retired]


def _load_entries(items: list[dict[str, Any]], store: Store) -> dict[str, Entry]:
    """Bring entries back with their votes; returns those that are new here, by their ids."""
    fresh: dict[str, tuple[Any, list[dict[str, Any]]]] = {}
    for values in items:
        entry = entry_of(values)
        if not store.entries.has(entry.entry_id):
            fresh[entry.entry_id] = (entry, values.get("votes", []))
    entries = [entry for entry, _ in fresh.values()]
    store.entries.add(entries, [statement_key(entry.content) for entry in entries], change_id=0)
    for entry_id, (_, votes) in fresh.items():
        for vote in votes:
            store.votes.add(entry_id, vote["direction"], vote["reason"], vote["actor"], now=vote["created"])
    return {entry_id: entry for entry_id, (entry, _) in fresh.items()}


def _load_audit(changes: list[dict[str, Any]], fresh: Fresh, store: Store) -> None:
    """The trail of what is new here, under its old numbers where those are free."""
    kept = []
    for change in changes:
        entries = [item for item in change["entries"] if item["id"] in fresh.entries]
        work = [item for item in change["work"] if item["id"] in fresh.work]
        if entries or work:
            kept.append((change, entries, work))
    numbers = store.changes.load([(c["change_id"], c["action"], c["actor"], c["created"]) for c, _, _ in kept])
    for change, entries, work in kept:
        number = numbers[change["change_id"]]
        if change["undone_by"] in numbers:
            store.changes.mark_undone(number, by=numbers[change["undone_by"]])
        store.changes.load_audits(number, [(one["id"], one["before"], one["after"]) for one in entries])
        store.work_changes.add([WorkAudit(number, one["id"], one["before"], one["after"]) for one in work])


def _load_sessions(items: list[dict[str, Any]], store: Store) -> int:
    """Sessions that are not here yet, with their turns; how many."""
    fresh = 0
    known = {(session.host, session.native_id, session.agent) for session, _, _ in store.sessions.whole()}
    for item in items:
        session = Session(**{name: item[name] for name in Session._fields if name in item})
        if (session.host, session.native_id, session.agent) in known:
            continue
        fresh += 1
        session_id = store.sessions.save(session)
        turns = [_turn_of({name: turn[name] for name in Turn._fields if name in turn}) for turn in item["turns"]]
        store.sessions.add_turns(session_id, turns, [turn["repository"] for turn in item["turns"]])
        store.sessions.set_digested(session_id, item["digested"])
    return fresh


def _load_board(items: list[dict[str, Any]], store: Store) -> None:
    """Board items that are not here yet, as far as their boards have room."""
    for values in items:
        item = BoardItem(**values)
        if store.board.item(item.place, item.src, item.name) is None and store.board.count(item.place) < CAPACITY:
            store.board.save(item)


def _turn_of(values: dict[str, Any]) -> Turn:
    tools = tuple(ToolUse(**{**tool, "paths": tuple(tool["paths"])}) for tool in values["tools"])
    return Turn(**{**values, "tools": tools, "compactions": tuple(values["compactions"])})


def _known_work(store: Store) -> set[str]:
    """Tasks and projects that are here, or were before they were taken back."""
    here = [task.task_id for task in store.tasks.tasks()] + [one.project_id for one in store.tasks.projects()]
    return {*here, *(audit.work_id for audit in store.work_changes.all())}


def _load_work(document: dict[str, Any], known: set[str], store: Store) -> tuple[list[Task], list[Project]]:
    """Tasks and projects that are not here yet."""
    tasks = [Task(**task) for task in document["tasks"] if task["task_id"] not in known]
    projects = [Project(**one) for one in document["projects"] if one["project_id"] not in known]
    for task in tasks:
        store.tasks.save_task(task)
    for project in projects:
        store.tasks.save_project(project)
    return tasks, projects
