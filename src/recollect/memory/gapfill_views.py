"""A clause with what its signs are read from, and the small questions that all signs ask."""

from __future__ import annotations

from recollect.memory import gapfill_phrases as p
from recollect.model.record import Record
from recollect.text import grammar as g
from recollect.text import lexicon
from recollect.text.clauses import Clause


class View(Record):
    """A clause with what its signs are read from."""

    clause: Clause
    words: frozenset[str]
    plain: str
    object_: tuple[str, ...]  # the words behind the verb
    kinds: frozenset[str]  # of the tokens behind the verb
    before: Clause | None
    after: Clause | None
    second: bool  # the second clause of its sentence


def holding(*pairs: tuple[str, object]) -> set[str]:
    return {name for name, holds in pairs if holds}


def groups(word: str) -> tuple[str, ...]:
    return lexicon.groups_of(lexicon.canonical(word))


def with_lead(clause: Clause) -> str:
    return f"{clause.lead} {' '.join(clause.words())}"


def is_contrast(view: View) -> bool:
    """This, not that."""
    if p.OVER.search(view.plain):
        return True
    words = view.clause.words()
    return any(
        word in ("not", "no")
        and at > 1
        and words[at - 1] not in g.AUXILIARIES
        and words[at + 1] not in ("sure", "yet", "only", "just")
        for at, word in enumerate(words[:-1])
    )


def head_of(clause: Clause) -> frozenset[str]:
    """The words of the subject up to its first preposition; "name of" keeps its name."""
    words = [token.word for token in clause.tokens[: clause.subject_end]]
    stop = next((at for at, word in enumerate(words) if at and word in g.PREPOSITIONS), len(words))
    return frozenset(words[:stop])
