"""What a correction takes over from the entry that it corrects."""

from __future__ import annotations

from recollect.memory.drafts import names_after

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.model.drafts import Draft
    from recollect.model.entries import Citation, Entry
    from recollect.store.entries import Stored


def inherit(draft: Draft, wrong: Sequence[Stored]) -> Draft:
    """The correction keeps the place of what it corrects, and its names as far as they are still right."""
    if not wrong:
        return draft
    old = wrong[0].entry
    subject, aliases = names_after(old, draft.content)
    return draft._replace(
        layer=old.layer,
        scope=old.scope,
        repository=old.repository,
        subject=subject or old.subject,
        aliases=tuple(dict.fromkeys((*draft.aliases, *aliases))),
        tags=tuple(dict.fromkeys((*old.tags, *draft.tags))),
        citations=_still_cited(draft, old),
        project=draft.project or old.project,
        task=draft.task or old.task,
    )


def _still_cited(draft: Draft, old: Entry) -> tuple[Citation, ...]:
    """With the files that the old entry rested on, unless others are named: whether they say so too is checked."""
    if any(one.kind == "file" for one in draft.citations):
        return tuple(draft.citations)
    return (*draft.citations, *(one for one in old.citations if one.kind == "file"))
