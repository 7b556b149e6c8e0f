"""The user's words: what was said for good is kept at once, then memory is asked, then the words are recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.errors import RecollectError
from recollect.flows.chat.happenings import Kept, Notice, Recalled
from recollect.flows.sessions.digest import Keeper, fill_gaps
from recollect.flows.sessions.own_sessions import session_of, turns_of
from recollect.flows.turns.turn import turn
from recollect.model.message_sources import TERMINAL
from recollect.model.messages import Message, Text
from recollect.model.sessions import Turn
from recollect.sidekicks.inbox import lines_of
from recollect.text import ids

if TYPE_CHECKING:
    from recollect.flows.chat.happenings import Tell
    from recollect.flows.opened import Opened
    from recollect.flows.sessions.own_session import OwnSession
    from recollect.flows.sessions.terminal import Terminal
    from recollect.model.turns import Recipient


def hear(
    text: str, session: OwnSession, memory: Opened, to: Recipient, *, typed_at: Terminal | None, tell: Tell
) -> None:
    """Take in one message. A memory that cannot be used costs the memory, never the message."""
    block, heard = "", False
    try:
        if typed_at is not None:
            heard = keep_said(text, session, memory, tell)
        number = session.turn + 1 if typed_at is not None else 0
        block = recalled(text, memory, to, number=number, tell=tell)
    except RecollectError as error:
        tell(Notice(f"Memory could not be used: {error}"))
    parts = (Text(block), Text(text)) if block else (Text(text),)
    if heard:
        session.add(Message("user", parts), typed_at=typed_at, heard=True)
    else:
        session.add(Message("user", parts), typed_at=typed_at)


def keep_said(text: str, session: OwnSession, memory: Opened, tell: Tell) -> bool:
    """Store what the user said for good, and correct what it contradicts, before anything else happens."""
    if not memory.settings.enabled:
        return False
    said = Turn(session.turn + 1, text, at=memory.now, ended=memory.now, mark=TERMINAL)
    turns = [*turns_of(session), said]
    keeper = Keeper(memory.writer("system"), lambda: memory.new_id(ids.CANDIDATE))
    fresh = [False] * (len(turns) - 1) + [True]
    stored, waiting = fill_gaps(session_of(session), turns, keeper, fresh=fresh)
    for entry_id in stored:
        tell(_kept(entry_id, memory))
    if waiting:
        tell(Notice(f"{waiting} more to review: /review."))
    return True


def recalled(text: str, memory: Opened, to: Recipient, *, number: int, tell: Tell) -> str:
    """What memory has for this message; the one-line receipt is told. `number` is that of its turn, 0 when nobody typed
    it."""
    given = turn(text, memory, to, typed=bool(number), number=number)
    if not given.receipt_id:
        return ""
    for line in lines_of(given.text):
        tell(Notice(f"Inbox: {line}"))
    receipt = next(one for one in reversed(memory.receipts(to.session)) if one.receipt_id == given.receipt_id)
    count = len(receipt.entries)
    if count:
        things = "1 memory" if count == 1 else f"{count} memories"
        tell(Recalled(f"{things}, {given.tokens} tokens (/why)", given.receipt_id, count, given.tokens))
    return given.text


def _kept(entry_id: str, memory: Opened) -> Kept:
    store = memory.store
    entry = store.entries.get(entry_id).entry
    change = store.changes.of_entry(entry_id)[-1].change.change_id
    corrects = bool(store.entries.superseded_by(entry_id))
    return Kept(
        f"{'Corrected' if corrects else 'Remembered'}: {' '.join(entry.content.split())}", entry_id, corrects, change
    )
