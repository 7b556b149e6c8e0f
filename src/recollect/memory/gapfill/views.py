"""A clause with what its signs are read from, and the small questions that all signs ask."""

from __future__ import annotations

from recollect.memory.gapfill import phrases as p
from recollect.model.record import Record
from recollect.text.language import grammar as g
from recollect.text.language import lexicon
from recollect.text.language.clauses import Clause


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
    return frozenset(_head(clause))


def noun_of(clause: Clause) -> str:
    """The last of them: what the subject is, "database" for "the staging database in Paris"."""
    head = [word for word in _head(clause) if word not in g.ADVERBS]
    return head[-1] if head else ""


def _head(clause: Clause) -> list[str]:
    words = [token.word for token in clause.tokens[: clause.subject_end]]
    stop = next((at for at, word in enumerate(words) if at and word in g.PREPOSITIONS), len(words))
    return words[:stop]
