"""Questions that a person would ask, and that this memory answers: what a newcomer is shown to try."""

from __future__ import annotations

from recollect.flows.turns.recall import recall
from recollect.flows.views.name_repository import short_name
from recollect.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.flows.opened import Opened

# Each with what the subject of an entry contains that answers it: one that only shares words may say anything.
QUESTIONS = (
    ("Which package manager does {name} use?", "package manager"),
    ("How do I run the tests in {name}?", "test"),
    ("Where is {name} deployed?", "deploy"),
    ("How are dependencies installed in {name}?", "install"),
)
MOST_ANSWERS = 2


class Question(Record):
    """A question about a repository, and what memory says to it."""

    repository: str
    text: str
    answers: tuple[str, ...]


def answered_question(repositories: Sequence[str], memory: Opened) -> Question | None:
    """The first question that memory has an answer to; each repository is asked in turn. No receipt is kept."""
    for template, about in QUESTIONS:
        for repository in repositories:
            text = template.format(name=short_name(repository, memory.store))
            found = recall(
                text,
                store=memory.store,
                filters=memory.filters(repository)._replace(layers=("L1",)),
                limits=memory.limits(),
                checker=memory.checker(),
                now=memory.now,
            )
            here = [one.entry for one in found.entries if one.entry.repository]
            answers = [entry.content for entry in here if about in entry.subject.lower()]
            if answers:
                return Question(repository, text, tuple(answers[:MOST_ANSWERS]))
    return None
