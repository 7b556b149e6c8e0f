"""An export as somebody hands it in: every value is looked at before anything is stored, for the file may be damaged,
or written by hand, or by somebody else."""

from __future__ import annotations

from math import isfinite

from recollect.errors import StoreDamaged, UsageError
from recollect.memory.exports import LISTS, VERSION
from recollect.model.board import SOURCES as BOARD_SOURCES
from recollect.model.board import BoardItem
from recollect.model.entries import LAYERS, ORIGINS, SCOPES, SOURCES, STATUSES, Citation, Entry
from recollect.model.sessions import Session, ToolUse, Turn
from recollect.model.suggestions import ACTIONS, TARGET_TYPES
from recollect.model.suggestions import STATUSES as SUGGESTION_STATUSES
from recollect.model.tasks import PROJECT_STATUSES, TASK_STATUSES, Project, Task
from recollect.store.rows import COLUMN_TYPES, COLUMNS, load_list
from recollect.text.patterns import lazy
from recollect.text.unseen import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Fields = dict[str, Any]

LARGEST = 2**53
_ID = lazy(r"[A-Za-z0-9_-]{1,64}")
_CHOICES = {"layer": LAYERS, "scope": SCOPES, "source": SOURCES, "origin": ORIGINS, "status": STATUSES}
_COLUMN = dict(zip(COLUMNS, COLUMN_TYPES, strict=True))
_SUGGESTED = (
    "repository", "fact", "target_type", "target", "action", "after", "why", "place", "fingerprint", "status", "note",
)  # fmt: skip
_SEEN = ("content", "subject", "reason")  # what is shown to a person and to models


def checked(document: object) -> Fields:
    """The document with every value of its kind; UsageError, naming the place, when it is no export."""
    if not isinstance(document, dict) or type(document.get("version")) is not int:
        raise UsageError("That file is not an export of Recollect: it has no version.")
    if document["version"] > VERSION:
        version = document["version"]
        raise UsageError(f"That export has version {version}, and this Recollect reads version {VERSION}: upgrade it.")
    found = {**document, "settings": _fields(document.get("settings", {}), "settings")}
    for name in LISTS:
        check = _CHECKS.get(name)
        items = _list(document.get(name, []), name)
        found[name] = [check(item, f"{name}[{number}]") for number, item in enumerate(items)] if check else items
    return found


def _entry(item: object, where: str) -> Fields:
    given = _fields(item, where)
    values: Fields = {"id": _text(given.get("id"), f"{where}.id")}
    if not _ID.fullmatch(values["id"]):
        raise _damaged(f"{where}.id", "it is not an id")
    for name in Entry._fields[1:]:
        if name not in given and name not in Entry._field_defaults:
            raise _damaged(f"{where}.{name}", "it is missing")
        if name in given:
            values[name] = _entry_field(name, given[name], f"{where}.{name}")
    if not values["content"].strip():
        raise _damaged(f"{where}.content", "it is empty")
    if (values["scope"] == "repository") != bool(values.get("repository")):
        raise _damaged(f"{where}.repository", "an entry of a repository names it, and one of the user names none")
    values["votes"] = [_vote(one, f"{where}.votes[{n}]") for n, one in enumerate(_list(given.get("votes", []), where))]
    return values


def _entry_field(name: str, value: object, where: str) -> object:
    if name in _CHOICES:
        return _choice(value, _CHOICES[name], where)
    if name in ("aliases", "tags"):
        return [visible(text) for text in _texts(value, where)]
    if name == "citations":
        return [_citation(one, f"{where}[{n}]") for n, one in enumerate(_list(value, where))]
    found = _value(value, _COLUMN[name], where)
    return visible(str(found)) if name in _SEEN else found


def _citation(item: object, where: str) -> Fields:
    known = {name: value for name, value in _fields(item, where).items() if name in Citation._fields}
    if "kind" not in known:
        raise _damaged(where, "it has no kind")
    return {
        name: _value(value, type(Citation._field_defaults.get(name, "")), f"{where}.{name}")
        for name, value in known.items()
    }


def _vote(item: object, where: str) -> Fields:
    given = _fields(item, where)
    return {
        "direction": _choice(given.get("direction"), ("up", "down"), f"{where}.direction"),
        "reason": _text(given.get("reason"), f"{where}.reason"),
        "actor": _text(given.get("actor"), f"{where}.actor"),
        "created": _value(given.get("created"), float, f"{where}.created"),
    }


def _change(item: object, where: str) -> Fields:
    given = _fields(item, where)
    kinds = {"change_id": int, "action": str, "actor": str, "created": float, "undone_by": int}
    change = {name: _value(given.get(name), kind, f"{where}.{name}") for name, kind in kinds.items()}
    entries, work = _list(given.get("entries"), f"{where}.entries"), _list(given.get("work", []), f"{where}.work")
    return {
        **change,
        "entries": [_audit(one, f"{where}.entries[{n}]", _columns) for n, one in enumerate(entries)],
        "work": [_audit(one, f"{where}.work[{n}]", _work_fields) for n, one in enumerate(work)],
    }


def _audit(item: object, where: str, check: Callable[[object, str], Fields]) -> Fields:
    given = _fields(item, where)
    return {
        "id": _text(given.get("id"), f"{where}.id"),
        "before": check(given.get("before"), f"{where}.before"),
        "after": check(given.get("after"), f"{where}.after"),
    }


def _work_fields(item: object, where: str) -> Fields:
    """Fields of a task or project as a change left them."""
    found = {}
    for name, value in _fields(item, where).items():
        if name not in Task._fields and name not in Project._fields:
            raise _damaged(f"{where}.{name}", "no task or project has that")
        kind = type(Task._field_defaults.get(name, Project._field_defaults.get(name, "")))
        found[name] = _value(value, kind, f"{where}.{name}")
    return found


def _columns(item: object, where: str) -> Fields:
    """Columns of an entry as a change left them: an undo puts them back."""
    found = {}
    for name, value in _fields(item, where).items():
        if name not in _COLUMN:
            raise _damaged(f"{where}.{name}", "no entry has that")
        found[name] = _value(value, _COLUMN[name], f"{where}.{name}")
        if name in _CHOICES:
            _choice(value, _CHOICES[name], f"{where}.{name}")
        if name in ("aliases", "citations", "tags"):
            _as_stored(name, found[name], f"{where}.{name}")
    return found


def _as_stored(name: str, text: str, where: str) -> None:
    try:
        _entry_field(name, load_list(text), where)
    except StoreDamaged as error:
        raise _damaged(where, "it is not a list") from error


def _conflict(item: object, where: str) -> Fields:
    given = _fields(item, where)
    pair = {name: _text(given.get(name), f"{where}.{name}") for name in ("newer", "older")}
    return {**pair, **({"created": _value(given["created"], float, where)} if "created" in given else {})}


def _repository(item: object, where: str) -> Fields:
    given = _fields(item, where)
    kinds = {"repository": str, "remote": str, "common_directory": str, "created": float, "updated": float}
    found = {name: _value(given.get(name), kind, f"{where}.{name}") for name, kind in kinds.items()}
    return {**found, "aliases": _texts(given.get("aliases"), f"{where}.aliases")}


def _task(item: object, where: str) -> Fields:
    return _work(item, where, Task, TASK_STATUSES)


def _project(item: object, where: str) -> Fields:
    return _work(item, where, Project, PROJECT_STATUSES)


def _work(item: object, where: str, kind: type[Task] | type[Project], statuses: tuple[str, ...]) -> Fields:
    found = _record(item, where, kind._fields, kind._field_defaults)
    for name in kind._fields[:2]:
        if not found[name].strip():
            raise _damaged(f"{where}.{name}", "it is empty")
    _choice(found.get("status", "active"), statuses, f"{where}.status")
    return found


def _session(item: object, where: str) -> Fields:
    given = _fields(item, where)
    turns = _list(given.get("turns"), f"{where}.turns")
    return {
        **_record(item, where, Session._fields, Session._field_defaults),
        "digested": _value(given.get("digested"), float, f"{where}.digested"),
        "turns": [_turn(one, f"{where}.turns[{n}]") for n, one in enumerate(turns)],
    }


def _turn(item: object, where: str) -> Fields:
    given = _fields(item, where)
    tools = _list(given.get("tools", []), f"{where}.tools")
    plain = {name: value for name, value in given.items() if name not in ("tools", "compactions")}
    names = tuple(name for name in Turn._fields if name not in ("tools", "compactions"))
    return {
        **_record(plain, where, names, Turn._field_defaults, {"number": int}),
        "repository": _text(given.get("repository", ""), f"{where}.repository"),
        "compactions": _texts(given.get("compactions", []), f"{where}.compactions"),
        "tools": [_tool(one, f"{where}.tools[{n}]") for n, one in enumerate(tools)],
    }


def _tool(item: object, where: str) -> Fields:
    given = _fields(item, where)
    texts = {name: _text(given.get(name, ""), f"{where}.{name}") for name in ("name", "kind", "target", "output")}
    ok, code = given.get("ok"), given.get("exit_code")
    if ok not in (None, True, False):
        raise _damaged(f"{where}.ok", "it is neither true nor false")
    code = None if code is None else _value(code, int, f"{where}.exit_code")
    assert set(ToolUse._fields) == {*texts, "ok", "exit_code", "paths"}
    return {**texts, "ok": ok, "exit_code": code, "paths": _texts(given.get("paths", []), f"{where}.paths")}


def _board_item(item: object, where: str) -> Fields:
    found = _record(item, where, BoardItem._fields, BoardItem._field_defaults)
    _choice(found["src"], BOARD_SOURCES, f"{where}.src")
    _choice(found.get("origin", "assistant"), ORIGINS, f"{where}.origin")
    return {**found, **{name: visible(found[name]) for name in ("name", "description", "content")}}


def _record(
    item: object, where: str, names: tuple[str, ...], defaults: Fields, kinds: dict[str, type] | None = None
) -> Fields:
    """The fields of a record: texts, unless a default or `kinds` says otherwise."""
    given = _fields(item, where)
    found = {}
    for name in names:
        kind = (kinds or {}).get(name) or type(defaults.get(name, ""))
        if name in given:
            found[name] = _value(given[name], kind, f"{where}.{name}")
        elif name not in defaults:
            raise _damaged(f"{where}.{name}", "it is missing")
    return found


def _value(value: object, kind: type, where: str) -> Any:
    if kind is str:
        return _text(value, where)
    if type(value) not in (int, float) or (kind is int and type(value) is not int):
        raise _damaged(where, "it is not a number")
    assert isinstance(value, (int, float))
    if not isfinite(value) or abs(value) > LARGEST:
        raise _damaged(where, "it is not a possible number")
    return kind(value)


def _text(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise _damaged(where, "it is not text")
    return value


def _texts(value: object, where: str) -> list[str]:
    return [_text(one, f"{where}[{number}]") for number, one in enumerate(_list(value, where))]


def _choice(value: object, allowed: tuple[str, ...], where: str) -> str:
    if value not in allowed:
        raise _damaged(where, f"it is not one of {', '.join(allowed)}")
    return str(value)


def _list(value: object, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise _damaged(where, "it is not a list")
    return value


def _fields(value: object, where: str) -> Fields:
    if not isinstance(value, dict):
        raise _damaged(where, "it has no fields")
    return value


def _suggestion(item: object, where: str) -> Fields:
    """One that waits or was decided; where its file is, and how to undo it, is known only where it was made."""
    given = _fields(item, where)
    values: Fields = {name: _text(given.get(name), f"{where}.{name}") for name in _SUGGESTED}
    values["id"] = _text(given.get("id"), f"{where}.id")
    choices = (("target_type", TARGET_TYPES), ("action", ACTIONS), ("status", SUGGESTION_STATUSES))
    if not _ID.fullmatch(values["id"]) or any(values[name] not in known for name, known in choices):
        raise _damaged(where, "it is not a suggestion")
    values["before"] = None if given.get("before") is None else _text(given["before"], f"{where}.before")
    values["edited"] = bool(given.get("edited"))
    values["fact_ids"] = [_text(one, where) for one in _list(given.get("fact_ids", []), where)]
    values["citations"] = [_citation(one, where) for one in _list(given.get("citations", []), where)]
    for name in ("confidence", "created", "updated"):
        values[name] = _value(given.get(name, 0.0), float, f"{where}.{name}")
    return values


def _damaged(where: str, why: str) -> UsageError:
    return UsageError(
        f"That export is damaged at {where} ({why}), so nothing was loaded; export it again where it came from."
    )


_CHECKS: dict[str, Callable[[object, str], Fields]] = {
    "entries": _entry,
    "audit": _change,
    "tasks": _task,
    "projects": _project,
    "conflicts": _conflict,
    "repositories": _repository,
    "sessions": _session,
    "board": _board_item,
    "suggestions": _suggestion,
}
