"""The entries of a memory, as somebody looks at them: listed, one by one, with their checks, and as drafts."""

from __future__ import annotations

from recollect.flows.views.choices import chosen, several
from recollect.flows.views.name_repository import name_repository
from recollect.flows.writes.citing import citations_of
from recollect.model.drafts import Draft
from recollect.text.times import moment

EDITABLE = ("content", "subject", "aliases", "tags", "reason")

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import Any

    from recollect.flows.opened import Opened
    from recollect.flows.views.show import Details
    from recollect.memory.checks import Checked
    from recollect.model.entries import Citation, Entry, Layer, Scope

    Entries = list[Entry]
    Pairs = list[tuple[Entry, Entry]]
    Verdicts = list[Checked]


class EntryList:
    """What is stored. Nothing here changes it."""

    def __init__(self, memory: Opened) -> None:
        self._memory = memory
        memory.take_in()

    def get(self, entry_id: str) -> Entry:
        """The entry with this id, or a unique beginning or end of one."""
        return self._memory.store.entries.get(entry_id).entry

    def list(
        self,
        *,
        text: str = "",
        since: float | str = 0.0,
        layer: str | Sequence[str] | None = None,
        status: str | Sequence[str] | None = "active",
        scope: str | Sequence[str] | None = None,
        source: str | Sequence[str] | None = None,
        origin: str | Sequence[str] | None = None,
        repository: str | None = None,
        project: str | None = None,
        task: str | None = None,
        subject: str | None = None,
        session: str | None = None,
        tag: str | None = None,
        everywhere: bool = False,
        before: str = "",
        limit: int = 0,
    ) -> Entries:
        """Entries, newest first: the active ones of this repository and the user, unless you ask for others.

        `text`: those that have all its words. `since`: a time as for `recall`. `status`: another one, or "any".
        `scope`: "here" or "everywhere". `repository`: by its name or its folder. `everywhere`: of every repository.
        `project`, `task`: by id or title. `before`: the last one of the page before. `limit`: at most so many; 0 is
        all of them."""
        store, since = self._memory.store, moment(since, now=self._memory.now)
        asked = {
            "layer": chosen("layer", layer),
            "status": chosen("status", status),
            "scope": chosen("scope", scope),
            "source": chosen("source", source),
            "origin": chosen("origin", origin),
            "repository": name_repository(repository, self._memory) if repository else "",
            "project": self._memory.project_id(project or ""),
            "task": self._memory.task_id(task or ""),
            "subject": subject,
            "session": session,
        }
        where: dict[str, Any] = {name: value for name, value in asked.items() if value}
        if not (everywhere or repository):
            where["repository"] = ["", self._memory.repository.repository]
        before = store.entries.get(before).entry_id if before else ""
        words = text.casefold().split()
        narrow, most = bool(tag or words or since), limit if limit > 0 else -1
        found = [stored.entry for stored in store.entries.listed(where, limit=-1 if narrow else most, before=before)]
        if narrow:
            found = [one for one in found if one.created >= since and (not tag or tag in one.tags) and _has(one, words)]
        return found if limit <= 0 else found[:limit]

    def saying(self, text: str) -> Entries:
        """Active entries of this repository and the user that say exactly this."""
        here = ("", self._memory.repository.repository, *self._memory.repository.aliases)
        from recollect.text.language.statements import statement_key  # only here: a list reads no English

        found = [stored.entry for stored in self._memory.store.entries.saying(statement_key(text))]
        return [entry for entry in found if entry.status == "active" and entry.repository in here]

    def count_elsewhere(
        self,
        query: str,
        *,
        seen: Collection[str] = (),
        layers: Sequence[str] = (),
        since: float = 0.0,
        tags: Sequence[str] = (),
        project: str = "",
    ) -> int:
        """How many entries of other repositories would answer this, but for those already `seen`; `recall` with
        `everywhere` and the same filters brings them."""
        from recollect.flows.turns.answer_question import count_elsewhere

        filters = self._memory.filters()._replace(
            layers=tuple(layers), since=since, tags=tuple(tags), project=self._memory.project_id(project)
        )
        return count_elsewhere(query, self._memory, filters._replace(everywhere=True), seen=seen)

    def show(self, entry_id: str) -> Details:
        """An entry with its check, its trail, what it replaced, its votes and the receipts that name it."""
        from recollect.flows.views.show import show

        store, checker = self._memory.store, self._memory.checker(patient=True)
        return show(store.entries.get(entry_id), store=store, checker=checker, now=self._memory.now)

    def conflicts(self, *, everywhere: bool = True) -> Pairs:
        """Pairs (newer, older) of active entries that contradict each other; else only of this repository and of what
        holds everywhere."""
        from recollect.memory.conflicts import open_conflicts

        here = (self._memory.repository.repository, "")
        pairs = open_conflicts(self._memory.store)
        return [pair for pair in pairs if everywhere or all(entry.repository in here for entry in pair)]

    def checks(self, entries: Sequence[Entry], *, patient: bool = False) -> Verdicts:
        """Whether what each entry cites still holds here, one verdict per entry; within what a turn may take, unless
        there is more time."""
        return self._memory.checker(patient=patient).check(entries, now=self._memory.now)

    def counts(self) -> dict[str, int]:
        """Active entries by layer."""
        return {"L0": 0, "L1": 0, "L2": 0, **self._memory.store.entries.counts()}

    def draft(
        self,
        text: str,
        *,
        layer: Layer = "L1",
        scope: Scope | None = None,
        tags: Sequence[str] = (),
        cite: Sequence[str | Citation] = (),
        reason: str = "",
        subject: str = "",
        aliases: Sequence[str] = (),
        project: str = "",
        task: str = "",
    ) -> Draft:
        """An entry that is not stored yet, of this place. A project and a task are named by id or title."""
        memory = self._memory
        project, task = memory.work_ids(project, task)
        return Draft(
            text,
            layer=layer,
            scope=scope or memory.scope_for(layer),
            repository=memory.repository.repository,
            subject=subject,
            aliases=several(aliases),
            reason=reason,
            citations=citations_of(several(cite), memory),
            tags=several(tags),
            project=project,
            task=task,
        )

    def edited(
        self,
        entry_id: str,
        *,
        text: str | None = None,
        tags: Sequence[str] | None = None,
        subject: str | None = None,
        aliases: Sequence[str] | None = None,
        reason: str | None = None,
    ) -> Draft:
        """An entry with some of it changed, not stored yet."""
        from recollect.memory.drafts import edited

        return edited(
            self.get(entry_id),
            text=text,
            tags=None if tags is None else several(tags),
            subject=subject,
            aliases=None if aliases is None else several(aliases),
            reason=reason,
        )

    def is_same(self, entry_id: str, draft: Draft) -> bool:
        """Would this draft change nothing of the entry?"""
        from recollect.memory.drafts import prepare

        entry, wanted = self.get(entry_id), prepare(draft)
        return all(getattr(entry, name) == getattr(wanted, name) for name in EDITABLE)


def _has(entry: Entry, words: Sequence[str]) -> bool:
    """Does it have all these words, in what it says or in how it is labelled?"""
    text = " ".join((entry.content, entry.subject, *entry.aliases, *entry.tags)).casefold()
    return all(word in text for word in words)
