"""What agents' tools are given: without secrets, checked, and with what an entry keeps of the one that it replaces."""

from __future__ import annotations

from recollect.memory.drafts import LONGEST, edited, names_after
from recollect.model.record import Record
from recollect.text.clean import clean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.model.drafts import Draft
    from recollect.model.entries import Entry

ACTIONS = ("add", "update", "remove")


class Work(Record):
    """What an entry is put under, by id; empty for nothing."""

    project: str = ""
    task: str = ""

    @property
    def given(self) -> bool:
        """Is there anything to put it under?"""
        return bool(self.project or self.task)


def inheriting(draft: Draft, entry: Entry) -> Draft:
    """A new version keeps the place of the old one and its names as far as they are still right, unless it changes the
    layer; the tags and the work that are not given it keeps in any case. Without words of its own it is the old one,
    put under something."""
    if not draft.content:
        return edited(entry)._replace(project=draft.project or entry.project, task=draft.task or entry.task)
    draft = draft._replace(
        tags=draft.tags or entry.tags,
        project=draft.project or entry.project,
        task=draft.task or entry.task,
    )
    if draft.layer != entry.layer:
        return draft
    subject, aliases = names_after(entry, draft.content)
    return draft._replace(scope=entry.scope, repository=entry.repository, subject=subject, aliases=aliases)


def redacted(value: object) -> str:
    """A value from a tool call as tidy text without secrets and what nobody sees; empty for what is no text."""
    return clean(value).strip() if isinstance(value, str) else ""


def store_problem(subject: str, fact: str, citations: Sequence[str], reason: str) -> str:
    """What is wrong with a call of store_memory; empty when nothing is."""
    values = {"subject": subject, "fact": fact, "citations": citations, "reason": reason}
    missing = [name for name, value in values.items() if not value]
    if missing:
        return f"store_memory needs {', '.join(missing)}."
    if len(fact) > LONGEST["L1"]:
        return (
            f"A fact may have at most {LONGEST['L1']:,} characters; this has {len(fact):,}. Store the facts one by one."
        )
    return ""


def write_problem(action: str, layer: str, content: str, target_id: str, *, attaches: bool) -> str:
    """What is wrong with a call of memory_write; empty when nothing is. `attaches`: it names a project or a task."""
    if action not in ACTIONS:
        return f"The action must be add, update or remove, not {str(action)[:40]!r}."
    if layer not in ("L0", "L1"):
        return "The layer must be L0 (the profile) or L1 (knowledge); only the system writes to the archive."
    if action != "remove" and not content and not (attaches and action == "update"):
        return f"To {action}, say what the entry says: content is empty."
    if action != "add" and not target_id:
        return f"To {action}, name the entry: target_id is empty."
    return ""
