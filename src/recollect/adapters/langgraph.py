"""A LangGraph `BaseStore` on Recollect: items are entries of a place of their own, searched as recall searches.

What a graph puts here is the program's own data: no permission is asked, no other project recalls it, and every change
can be taken back (`recollect undo`). Secrets are taken out before anything is stored.
"""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from recollect.adapters.missing import missing
from recollect.errors import UsageError
from recollect.flows.shelves.change_texts import Sheet
from recollect.text.secrets.redacting import redact_value
from recollect.text.terms import query_terms

try:
    from langgraph.store.base import (
        BaseStore,
        GetOp,
        Item,
        ListNamespacesOp,
        PutOp,
        SearchItem,
        SearchOp,
        get_text_at_path,
        validate_op_namespace,
    )
except ImportError as error:
    raise missing("langgraph", error) from error

if TYPE_CHECKING:
    from collections.abc import Iterable

    from langgraph.store.base import MatchCondition, Op, Result, TTLConfig

    from recollect.app import Recollect
    from recollect.store.entries import Stored

ACTOR = "program"
# Labels have no dot and are never empty, so that the first two dots in a row end the namespace, whatever the key is.
_BETWEEN, _END = ".", ".."


class RecollectStore(BaseStore):
    """Items of a graph, kept in a Recollect home. `name` tells the stores of one home apart.

    A search with a query brings what matches first, scored, then the rest; `fields` are the paths that are looked at.
    """

    supports_ttl = True

    def __init__(
        self,
        memory: Recollect,
        *,
        name: str = "store",
        fields: list[str] | None = None,
        ttl: TTLConfig | None = None,
    ) -> None:
        self.memory = memory
        self.repository = f"langgraph:{name}"
        self.fields = fields
        self.ttl_config = ttl
        self._shelf = memory.shelf(self.repository, origin="document", actor=ACTOR)

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Do all of it: what is read is the state before, what is written is one change."""
        operations = list(ops)
        for op in operations:
            validate_op_namespace(op)
        puts = {_address(op.namespace, op.key): op for op in operations if isinstance(op, PutOp)}
        sheets = [self._sheet(address, op) for address, op in puts.items()]
        used: list[Stored] = []
        with self.memory.store.read():
            results = [self._read(op, used) for op in operations]
        self._refresh(used)
        if sheets:
            self._shelf.put(sheets, action="store")
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """The same, beside the event loop."""
        return await asyncio.to_thread(self.batch, list(ops))

    def sweep_ttl(self) -> int:
        """Retire what has expired, which is no longer seen anyway; how many items that were."""
        return self._shelf.sweep()

    def _read(self, op: Op, used: list[Stored]) -> Result:
        match op:
            case GetOp():
                return self._get(op, used)
            case SearchOp():
                found: Result = self._search(op, used)
                return found
            case ListNamespacesOp():
                return self._namespaces(op)
            case PutOp():
                return None
        raise ValueError(f"Unknown operation type: {type(op)}")

    def _get(self, op: GetOp, used: list[Stored]) -> Item | None:
        found = self._shelf.at(_address(op.namespace, op.key))[:1]
        used += found if op.refresh_ttl else []
        return Item(**_fields(found[0])) if found else None

    def _search(self, op: SearchOp, used: list[Stored]) -> list[SearchItem]:
        prefix = _BETWEEN.join(op.namespace_prefix) + _BETWEEN if op.namespace_prefix else ""
        if op.filter or op.query:
            found = [one for one in self._shelf.under(prefix) if _passes(_value(one), op.filter or {})]
            ranked = self._ranked(found, op.query or "")[op.offset : op.offset + op.limit]
        else:
            page = self._shelf.under(prefix, limit=max(op.limit, 0), offset=max(op.offset, 0))
            ranked = [(one, None) for one in page]
        used += [one for one, _ in ranked] if op.refresh_ttl else []
        return [SearchItem(**_fields(one), score=score) for one, score in ranked]

    def _ranked(self, found: list[Stored], query: str) -> list[tuple[Stored, float | None]]:
        scores = self._shelf.search(query) if query else {}
        scored = [
            (one, scores[one.entry.entry_id])
            for one in found
            if one.entry.entry_id in scores and self._says(one, query)
        ]
        ids = {one.entry.entry_id for one, _ in scored}
        # Of equals the one that came first stays first.
        best = sorted(scored, key=lambda pair: -pair[1])
        return [*best, *((one, None) for one in found if one.entry.entry_id not in ids)]

    def _says(self, stored: Stored, query: str) -> bool:
        """Does the query meet what is to be searched in this item?"""
        paths = _options(stored).get("index", self.fields)
        if paths is None or "$" in (paths or ()):
            return True
        texts = [text for path in paths or () for text in get_text_at_path(_value(stored), path)]
        return not set(query_terms(query)).isdisjoint(query_terms("\n".join(texts)))

    def _sheet(self, address: str, op: PutOp) -> Sheet:
        if op.value is None:
            return Sheet(address, ())
        options: dict[str, Any] = {}
        if op.index is not None:
            options["index"] = op.index
        if op.ttl is not None:
            options["ttl_minutes"] = op.ttl
        text = _json(redact_value(_plain(op.value)))
        lasts_seconds = None if op.ttl is None else op.ttl * 60
        return Sheet(address, (text,), _json(options) if options else "", lasts_seconds)

    def _refresh(self, found: list[Stored]) -> None:
        minutes = {one.entry_row: _options(one).get("ttl_minutes") for one in found}
        seconds = {row: lasts * 60 for row, lasts in minutes.items() if lasts is not None}
        if seconds:
            self._shelf.keep_for(seconds)

    def _namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        known = {_split(address)[0] for address in self._shelf.addresses()}
        matching = [one for one in known if all(_matches(condition, one) for condition in op.match_conditions or ())]
        cut = matching if op.max_depth is None else {one[: op.max_depth] for one in matching}
        return sorted(cut)[op.offset : op.offset + op.limit]


def _address(namespace: tuple[str, ...], key: str) -> str:
    return _BETWEEN.join(namespace) + _END + key


def _split(address: str) -> tuple[tuple[str, ...], str]:
    labels, _, key = address.partition(_END)
    return tuple(labels.split(_BETWEEN)) if labels else (), key


def _fields(stored: Stored) -> dict[str, Any]:
    entry = stored.entry
    namespace, key = _split(entry.subject)
    return {
        "namespace": namespace,
        "key": key,
        "value": _value(stored),
        "created_at": datetime.fromtimestamp(entry.created, UTC),
        "updated_at": datetime.fromtimestamp(entry.updated, UTC),
    }


def _value(stored: Stored) -> dict[str, Any]:
    """What was put; or, where a person rewrote the entry in words, those."""
    try:
        value = json.loads(stored.entry.content)
    except ValueError:
        value = None
    return value if isinstance(value, dict) else {"text": stored.entry.content}


def _options(stored: Stored) -> dict[str, Any]:
    try:
        options = json.loads(stored.entry.reason or "{}")
    except ValueError:
        return {}
    return options if isinstance(options, dict) else {}


def _plain(value: Any) -> Any:
    try:
        return json.loads(_json(dict(value)))
    except (TypeError, ValueError, RecursionError) as error:
        raise UsageError(f"An item's value is JSON: {error}.") from error


def _json(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:  # half a character, which only the escaped form can carry
        return json.dumps(value)
    return text


def _matches(condition: MatchCondition, namespace: tuple[str, ...]) -> bool:
    path = condition.path
    if condition.match_type not in ("prefix", "suffix"):
        raise ValueError(f"Unsupported match type: {condition.match_type}")
    if len(namespace) < len(path):
        return False
    part = namespace[: len(path)] if condition.match_type == "prefix" else namespace[len(namespace) - len(path) :]
    return all(wanted in ("*", label) for label, wanted in zip(part, path, strict=True))


def _passes(value: Any, conditions: dict[str, Any]) -> bool:
    return all(_fits(value.get(key), wanted) for key, wanted in conditions.items())


def _fits(value: Any, wanted: Any) -> bool:
    match wanted:
        case dict() if any(key.startswith("$") for key in wanted):
            return all(_compares(value, operator, operand) for operator, operand in wanted.items())
        case dict():
            return isinstance(value, dict) and _passes(value, wanted)
        case list() | tuple():
            return isinstance(value, list) and len(value) == len(wanted) and all(map(_fits, value, wanted))
    return bool(value == wanted)


def _compares(value: Any, operator: str, operand: Any) -> bool:
    if operator == "$eq":
        return bool(value == operand)
    if operator == "$ne":
        return bool(value != operand)
    if operator not in ("$gt", "$gte", "$lt", "$lte"):
        raise ValueError(f"Unsupported operator: {operator}")
    try:
        left, right = float(value), float(operand)
    except (TypeError, ValueError):
        return False  # what is no number is neither more nor less
    return {"$gt": left > right, "$gte": left >= right, "$lt": left < right, "$lte": left <= right}[operator]
