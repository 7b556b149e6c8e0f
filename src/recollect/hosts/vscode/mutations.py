"""VS Code's log of changes to one object: a first state, then values set, pushed and deleted at paths in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.hosts.reading import dict_of, list_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeGuard

    from recollect.hosts.reading import Json


def replay(entries: Iterable[Json]) -> Json:
    """The object after all changes; one that does not fit what is there is passed over."""
    state: Json = {}
    for entry in entries:
        path = list_of(entry.get("k"))
        match entry.get("kind"):
            case 0:
                state = dict_of(entry.get("v"))
            case 1 if "v" in entry:
                _put(state, path, entry["v"])
            case 2:
                _push(state, path, entry.get("v"), entry.get("i"))
            case 1 | 3:
                _delete(state, path)
    return state


def _put(state: Json, path: list[object], value: object) -> None:
    holder, key = _holder(state, path)
    if isinstance(holder, dict) and isinstance(key, str):
        holder[key] = value
    elif isinstance(holder, list) and _is_index(key, len(holder) + 1):
        holder[key : key + 1] = [value]


def _push(state: Json, path: list[object], values: object, keep: object) -> None:
    holder, key = _holder(state, path)
    if isinstance(holder, dict) and isinstance(key, str):
        items = holder.setdefault(key, [])
    elif isinstance(holder, list) and _is_index(key, len(holder)):
        items = holder[key]
    else:
        return
    if isinstance(items, list):
        if _is_index(keep, len(items) + 1):
            del items[keep:]
        items.extend(list_of(values))


def _delete(state: Json, path: list[object]) -> None:
    holder, key = _holder(state, path)
    if isinstance(holder, dict) and isinstance(key, str):
        holder.pop(key, None)
    elif isinstance(holder, list) and _is_index(key, len(holder)):
        holder[key] = None


def _holder(state: Json, path: list[object]) -> tuple[object, object]:
    """The object or list that holds a path's last step, and that step."""
    if not path:
        return None, None
    holder: object = state
    for step in path[:-1]:
        if isinstance(holder, dict) and isinstance(step, str):
            holder = holder.get(step)
        elif isinstance(holder, list) and _is_index(step, len(holder)):
            holder = holder[step]
        else:
            return None, None
    return holder, path[-1]


def _is_index(step: object, length: int) -> TypeGuard[int]:
    return isinstance(step, int) and not isinstance(step, bool) and 0 <= step < length
