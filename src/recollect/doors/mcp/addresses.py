"""memory:// addresses: what can be named, and nothing else. Ids and names are checked before anything is looked up."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recollect.errors import UsageError
from recollect.model.record import Record

if TYPE_CHECKING:
    from typing import Literal

    Kind = Literal["entry", "session", "turn", "receipt", "root", "artifact"]

SCHEME = "memory://"
ROOT = SCHEME + "root"
LAST = "last"
LONGEST = 300
KNOWN = (
    "memory://entries/ID, memory://sessions/ID, memory://sessions/ID/turns/N, memory://receipts/last, "
    "memory://receipts/ID, memory://root, memory://root/MEMORY.md and memory://root/skills/NAME/SKILL.md"
)
_ID = r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}"
_SHAPES: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("entry", re.compile(r"entries/(e_[0-9a-z]{1,30})")),
    ("turn", re.compile(rf"sessions/({_ID})/turns/(\d{{1,6}})")),
    ("session", re.compile(rf"sessions/({_ID})")),
    ("receipt", re.compile(r"receipts/(last|r_[0-9a-z]{1,30})")),
    ("root", re.compile(r"root/?()")),
    (
        "artifact",
        re.compile(r"root/(MEMORY\.md|memory_summary\.md|skills/[^/%\\]{1,64}/SKILL\.md)(?:#(m-[0-9a-f]{8}))?"),
    ),
)


class Address(Record):
    """What an address names."""

    kind: Kind
    name: str
    turn: int = 0
    address: str = ""
    block: str = ""  # of an artifact


def parse(address: str) -> Address:
    """The thing that an address names. UsageError for anything that is not one of ours."""
    wanted = address.strip()
    if wanted.startswith(SCHEME) and len(wanted) <= LONGEST:
        for kind, shape in _SHAPES:
            found = shape.fullmatch(wanted[len(SCHEME) :])
            if found:
                part = found[2] if shape.groups > 1 else ""
                turn = int(part) if kind == "turn" else 0
                return Address(kind, found[1], turn, wanted, part or "" if kind == "artifact" else "")
    raise UsageError(f"That is not an address in this memory; the addresses are {KNOWN}.")


def of_entry(entry_id: str) -> str:
    """The address of an entry, or of a turn that recall gave like one."""
    session, is_turn, number = entry_id.partition("#")
    return f"{SCHEME}sessions/{session}/turns/{number}" if is_turn else f"{SCHEME}entries/{entry_id}"
