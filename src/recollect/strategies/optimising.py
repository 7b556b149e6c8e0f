"""Records of a memory file in order: said twice is kept once, what a later one contradicts goes. Rules, no model."""

from __future__ import annotations

from recollect.text.language.statements import relation, statement_key, subject_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    Line = dict[str, Any]
    Optimiser = Callable[[list[Line]], list[Line]]

FIELDS = ("id", "subject", "fact", "citations", "reason", "source")


def optimised(lines: Sequence[Line]) -> list[Line]:
    """Each fact once, with all its citations, in the place where it was first said; the last word on a subject wins."""
    kept: list[Line] = []
    for line in lines:
        kept = _with(kept, line)
    return kept


def checked(answer: object, lines: Sequence[Line]) -> list[Line] | None:
    """What a model made of the records, if they are still records and none is invented; else None."""
    if not isinstance(answer, list) or (lines and not answer):
        return None
    known = {line["id"] for line in lines}
    for line in answer:
        if not isinstance(line, dict) or line.get("id") not in known:
            return None
        if not all(isinstance(line.get(name), str) and line[name].strip() for name in ("subject", "fact")):
            return None
    return answer if len({line["id"] for line in answer}) == len(answer) else None


def without(lines: Sequence[Line], drops: Sequence[tuple[int, int, str]]) -> list[Line] | None:
    """The records without those that a model names: the number of each, of the one that stays for it, and why (`same`
    or `outdated`). Words are never changed. None when one of these does not hold: then nothing may go.

    What a person typed goes only for what a person typed, and only a later record makes an earlier one outdated."""
    kept = {number: dict(line) for number, line in enumerate(lines, 1)}
    leaving = [drop for drop, _, _ in drops]
    if len(set(leaving)) != len(leaving):
        return None
    for drop, keep, why in drops:
        if not {drop, keep} <= kept.keys() or keep in leaving or (why == "outdated" and keep < drop):
            return None
        if _is_typed(lines[drop - 1]) and not _is_typed(lines[keep - 1]):
            return None
        if why == "same":
            kept[keep]["citations"] = _united(kept[keep].get("citations"), lines[drop - 1].get("citations"))
    return [line for number, line in kept.items() if number not in leaving]


def _is_typed(line: Line) -> bool:
    source = line.get("source")
    return isinstance(source, dict) and source.get("origin") == "typed"


def _with(kept: list[Line], line: Line) -> list[Line]:
    fact, subject = str(line["fact"]), subject_key(str(line.get("subject", "")))
    after: list[Line] = []
    said = False
    for old in kept:
        if statement_key(str(old["fact"])) == statement_key(fact):
            after.append({**old, "citations": _united(old.get("citations"), line.get("citations"))})
            said = True
            continue
        same = bool(subject) and subject == subject_key(str(old.get("subject", "")))
        how = relation(fact, str(old["fact"]))
        if (how == "opposite" and same) or how == "near":
            continue
        after.append(old)
    return after if said else [*after, line]


def _united(first: object, second: object) -> list[str]:
    found: list[str] = []
    for value in (first, second):
        found += [value] if isinstance(value, str) else [str(one) for one in value] if isinstance(value, list) else []
    return list(dict.fromkeys(found))
