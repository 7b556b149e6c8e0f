"""Turn: prompt -> recall -> fit the ceiling -> fence -> receipt, by whichever door the prompt came in."""

from __future__ import annotations

from recollect.flows.turns.recall import recall
from recollect.flows.turns.waiting_receipts import last_turn
from recollect.memory.inject import kept_query, receipt_of, turn_block
from recollect.memory.queries import own_words
from recollect.model.receipts import Injection, LeftOut, Recall
from recollect.text import ids
from recollect.text.secrets.redacting import redact
from recollect.text.tokens import estimate_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.flows.opened import Opened
    from recollect.memory.checking import Checker
    from recollect.model.turns import Recipient

SAME_TURN_SECONDS = 60.0  # a host may tell of one prompt twice, before and after it was transformed


def turn(
    prompt: str, memory: Opened, to: Recipient, *, typed: bool = True, may_repeat: bool = False, number: int = 0
) -> Injection:
    """What this prompt gets from memory. The receipt is kept also when nothing was found, or could be taken.

    `typed`: did a person type it? `may_repeat`: may it have been told before? `number`: which turn a typed prompt is,
    where the caller knows: after a rewind one number comes again."""
    if not memory.settings.enabled:
        return Injection("")
    number = (typed and number) or turn_number(prompt, memory, to, typed=typed, may_repeat=may_repeat)
    checker = memory.checker()
    receipt_id = memory.new_id(ids.RECEIPT)
    found, text = answer_to(prompt, memory, to, checker, receipt_id, lambda: memory.in_window(to, number))
    if memory.settings.subconscious.enabled and to.session and to.takes_at_prompt and to.has_tools:
        from recollect.flows.sidekicks.tell import with_notice

        text = with_notice(text, memory, to)
    receipt = receipt_of(
        found,
        receipt_id=receipt_id,
        repository=memory.repository.repository,
        session=to.session,
        turn=number,
        host=to.host,
        tokens=estimate_tokens(text),
        now=memory.now,
    )
    memory.keep_receipt(receipt, checker)
    return Injection(text, receipt_id, receipt.tokens)


def turn_number(prompt: str, memory: Opened, to: Recipient, *, typed: bool, may_repeat: bool) -> int:
    """Which turn of its session this is; 0 for a prompt that nobody typed, so that it never passes for the user's."""
    if not typed:
        return 0
    last = last_turn(to.session, store=memory.store, spool_folder=memory.home.spool) if to.session else None
    if last is None:
        return 1
    number, query, created = last
    told_before = may_repeat and memory.now - created < SAME_TURN_SECONDS
    return number if told_before and query == kept_query(redact(own_words(prompt))) else number + 1


def answer_to(
    prompt: str,
    memory: Opened,
    to: Recipient,
    checker: Checker,
    receipt_id: str,
    given: Callable[[], dict[str, str]],
) -> tuple[Recall, str]:
    """What memory has for this prompt, and the text of it; nothing is kept. `given`: what the session still has."""
    found = recalled(prompt, memory, to, checker, given) if to.takes_at_prompt else not_taken(prompt, to)
    return within_ceiling(found, memory, to, receipt_id)


def recalled(
    prompt: str, memory: Opened, to: Recipient, checker: Checker, given: Callable[[], dict[str, str]]
) -> Recall:
    """What memory has for this prompt."""
    filters, limits = memory.filters(), memory.limits(to=to)
    return recall(
        prompt,
        store=memory.store,
        filters=filters,
        limits=limits,
        checker=checker,
        given=given,
        near=memory.near,
        now=memory.now,
    )


def not_taken(prompt: str, to: Recipient) -> Recall:
    """Nothing, because it could not be taken here; what was typed is still known."""
    why = f"{to.ability.title} accepts no memory with a prompt"
    return Recall(redact(own_words(prompt)), (), (LeftOut("", why),))


def within_ceiling(found: Recall, memory: Opened, to: Recipient, receipt_id: str) -> tuple[Recall, str]:
    """As many of the entries as one injection may hold, and their block; the last go first."""
    while True:
        text = turn_block(found, receipt_id)
        fits = len(text) <= memory.limit_characters(to) and estimate_tokens(text) <= memory.limit_tokens(to)
        if fits or not found.entries:
            return found, text
        found = without_last(found)


def without_last(found: Recall) -> Recall:
    """The recall without the last of its entries, which goes to what was left out."""
    last = found.entries[-1]
    out = LeftOut(last.entry.entry_id, "over the ceiling of one injection", last.relevance, last.entry.content)
    return found._replace(
        entries=found.entries[:-1], left_out=(out, *found.left_out), tokens=found.tokens - last.tokens
    )
