"""rem by rules: which items what logs prove makes, and which items have had their time. Pure."""

from __future__ import annotations

from types import MappingProxyType

from recollect.board.calls import ADD, PRUNE, Call
from recollect.board.rules import LONGEST_CONTENT, LONGEST_DESCRIPTION, PRUNE_TO, WARN_AT
from recollect.model.board import AGENT, USER
from recollect.model.record import Record
from recollect.text.language.statements import statement_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from recollect.model.board import BoardItem, Pruned

RULES = "rules"
SAID = "user-said-"  # before the name of an item that holds the user's words: it goes when the statement does
UNREAD_SEEN = 10  # sessions that were shown an item which nobody ever fetched
UNREAD_SECONDS = 14 * 86_400.0
OLD_SECONDS = 60 * 86_400.0  # since it was last written or read


class Learned(Record):
    """Something that logs prove and that somebody who starts tomorrow would want to know."""

    name: str
    description: str
    content: str
    origin: str = "assistant"
    session: str = ""
    at: float = 0.0  # when that was seen last
    former: str = ""  # the name that its item had in earlier versions


def planned(
    items: Sequence[BoardItem],
    learned: Sequence[Learned],
    pruned: Sequence[Pruned],
    *,
    now: float,
    held: Mapping[str, str] = MappingProxyType({}),
) -> list[Call]:
    """The calls that bring a board up to date: first what goes, then what comes. The same twice changes nothing.

    What was learned comes with the most useful first; `held` are the names of statements of the user that hold, each
    with its former one. What is on the board under its former name, or was taken off under it, keeps that name."""
    taken = {one.name for one in items if one.src == AGENT} | {one.name for one in pruned}
    learned = [one._replace(name=one.former) if one.former in taken else one for one in learned]
    known = {one.name for one in learned} | {old if old in taken else name for name, old in held.items()}
    prunes = [Call(PRUNE, one.name, why=why) for one, why in _stale(items, known, now=now)]
    gone = {call.name for call in prunes}
    left = [one for one in items if one.src == USER or one.name not in gone]
    adds = [_add(one) for one in learned if one.name not in gone and _is_wanted(one, left, pruned)]
    names = {one.name for one in left if one.src == AGENT} | {call.name for call in adds}
    users = sum(one.src == USER for one in left)
    if users + len(names) >= WARN_AT:
        kept = _best(left, learned)[: max(PRUNE_TO - users, 0)]
        adds = [call for call in adds if call.name in kept]
        over = [one.name for one in left if one.src == AGENT and one.name not in kept]
        prunes += [Call(PRUNE, name, why="the board is nearly full") for name in over]
    return [*prunes, *adds]


def _best(items: Sequence[BoardItem], learned: Sequence[Learned]) -> list[str]:
    """Names of agents' items, the best first: what is read most, what was just learned, then the newest."""
    mine = [one for one in items if one.src == AGENT]
    read = sorted((one for one in mine if one.read_count), key=lambda one: -one.read_count)
    others = sorted(mine, key=lambda one: -max(one.updated, one.last_read))
    names = [*(one.name for one in read), *(one.name for one in learned), *(one.name for one in others)]
    return list(dict.fromkeys(names))


def _add(one: Learned) -> Call:
    description = " ".join(one.description.split())
    if len(description) > LONGEST_DESCRIPTION:
        description = description[: LONGEST_DESCRIPTION - 1] + "…"
    return Call(ADD, one.name, description, one.content[:LONGEST_CONTENT], one.origin, one.session)


def _is_wanted(one: Learned, items: Iterable[BoardItem], pruned: Iterable[Pruned]) -> bool:
    """Is it new or different, and did nobody take it off since it was seen?"""
    key = statement_key(one.content)
    if any(gone.name == one.name and (gone.pruned_by == USER or gone.at >= one.at) for gone in pruned):
        return False
    call = _add(one)
    for item in items:
        same_name = item.name == one.name and item.src == AGENT
        if same_name and (
            item.made_by != RULES or (item.content, item.description) == (call.context, call.description)
        ):
            return False  # as it is; or an agent has written it better since
        if not same_name and statement_key(item.content) == key:
            return False
    return True


def _stale(items: Sequence[BoardItem], known: AbstractSet[str], *, now: float) -> list[tuple[BoardItem, str]]:
    """Items of agents that nobody reads, that another one says, or whose statement was taken back."""
    found: list[tuple[BoardItem, str]] = []
    said: set[str] = {statement_key(one.content) for one in items if one.src == USER}
    for one in items:
        if one.src != AGENT:
            continue
        key = statement_key(one.content)
        last = max(one.updated, one.last_read)
        if key in said:
            found.append((one, "another item says the same"))
        elif one.made_by == RULES and one.name.startswith(SAID) and one.name not in known:
            found.append((one, "the user removed it"))
        elif one.name in known:
            pass  # seen again: whatever its age, it still holds
        elif not one.read_count and one.count >= UNREAD_SEEN and now - one.updated >= UNREAD_SECONDS:
            found.append((one, f"shown to {one.count} sessions and never read"))
        elif now - last >= OLD_SECONDS:
            found.append((one, "not read for 60 days"))
        said.add(key)
    return found
