"""Propose: from facts and the files that are there to changes of these files. Pure: nothing is read and written."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING

from recollect.files.edits.jsonc import NotJson, parse
from recollect.model.record import Record
from recollect.model.suggestions import Fact, Proposal
from recollect.suggestions.customizations import problems_of
from recollect.suggestions.facts import PROMOTED, category_of, united
from recollect.suggestions.hooks import event_of, runs_already, with_hook
from recollect.suggestions.new_files import NewFile, Workflow, filled, new_file_for, skill_file
from recollect.suggestions.outline import outline
from recollect.suggestions.placing import MERGE, place, stands_against, units
from recollect.suggestions.ruled_out import uses_ruled_out
from recollect.suggestions.said import Text, where_said
from recollect.suggestions.spoken import is_event, statements, unsaid, written
from recollect.suggestions.stale import outdated
from recollect.suggestions.targets import Target, candidates
from recollect.text.language.statements import statement_key
from recollect.text.similarity import features, similarity
from recollect.text.voices import in_first_person, in_third_person

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence, Set

    from recollect.files.git.merging import Gone
    from recollect.suggestions.customizations import Customization

    # Chooses among the files that the rules allow: the number of one of them.
    Choose = Callable[[Fact, Sequence[Target]], int]

FILE_CHARACTERS = 16_000


class Ground(Record):
    """What proposals are made on: the customizations, what else the repository says, and which paths are gone."""

    files: tuple[Customization, ...]
    texts: tuple[Text, ...] = ()
    gone: Mapping[str, Gone] = {}
    most_characters: int = FILE_CHARACTERS


def propose(
    facts: Sequence[Fact],
    ground: Ground,
    choose: Choose | None = None,
    *,
    refused: Set[tuple[str, str]] = frozenset(),
) -> list[Proposal]:
    """What a maintainer could do with these facts, surest first, and what the files themselves have too much of.
    `refused` are new files that nobody wanted, each with the id of a fact that is not proposed for it again."""
    said = [part for fact in _distinct(facts) for part in as_written(fact)]
    found = [one for one in (proposal_for(fact, ground, choose) for fact in said) if one is not None]
    found = [one for one in found if one.action != "create" or (one.target, one.fact_ids[0]) not in refused]
    found = list(_one_new_file_each(found))
    for file in ground.files:
        found += [] if file.is_users else outdated(file, ground.gone)
    sound = [one for one in found if is_sound(one)]
    return sorted(sound, key=lambda one: (-one.confidence, one.target, one.place))


def as_written(fact: Fact) -> list[Fact]:
    """A fact as it would be written down, one statement at a time: in the user's own file in their voice."""
    said = in_first_person(fact.content) if fact.scope == "user" else in_third_person(fact.content)
    command = f"`{fact.command}`"
    if fact.command and command not in said:
        said = said.replace(fact.command, command, 1)
    parts = [written(part) for part in statements(written(said))]
    if parts == [fact.content]:
        return [fact]
    return [fact._replace(content=part, category=_category(fact, part)) for part in parts]


def _category(fact: Fact, part: str) -> str:
    """The category of a part of a fact: one that a person gave holds for all of them."""
    return category_of(part) if fact.category == category_of(fact.content) else fact.category


def proposal_for(fact: Fact, ground: Ground, choose: Choose | None = None) -> Proposal | None:
    """What to do with one fact; None when it is not sure enough, is said already, or has no place."""
    if fact.confidence < PROMOTED or _runs_somewhere(fact, ground):
        return None
    told = is_event(fact.content)  # a manifest may have the new version while a file still gives the old one
    texts = [] if told else _said_by(fact, ground)
    if where_said(fact, texts):
        return None
    left, beside = unsaid(fact.content, lambda sentence: where_said(fact._replace(content=sentence), texts))
    if not left:
        return None
    fact = fact._replace(content=left)
    against = _contradicted(fact, ground)
    if told and against is None:
        return None  # what was done is history; how it is now is what a file says
    found = [against] if against else candidates(fact, ground.files)
    found = _with_the_rest(beside, ground) + found
    found = [one for one in found if against or _has_room(one.file, fact, ground)]
    if choose is not None and len(found) > 1:
        chosen = found.pop(choose(fact, found))
        found.insert(0, chosen)
    for target in found:
        made = _placed(fact, target)
        if made is not None:
            return made
    return None if fact.scope == "user" else _created(fact, ground)


def skill_for(workflow: Workflow, files: Sequence[Customization]) -> Proposal | None:
    """A new skill from a workflow that was proven; None when a skill of that name is there."""
    made = skill_file(workflow, files)
    if not workflow.steps or any(one.path == made.path for one in files):
        return None
    why = "these steps were done more than once, and worked"
    return Proposal(
        workflow.description, workflow.fact_ids, "skill", made.path, "create", None, made.head, workflow.confidence, why
    )


def fingerprint(one: Proposal) -> str:
    """What makes two proposals the same: what is done to which file with which statement. A dismissed one is known by
    it however the file looks by then."""
    return mark_of(one.fact, one.target, removes=one.action == "remove")


def mark_of(statement: str, target: str, *, removes: bool = False) -> str:
    """The fingerprint of what is done with a statement to a file."""
    return sha256(json.dumps([removes, target, statement_key(statement)]).encode()).hexdigest()[:32]


def is_sound(one: Proposal) -> bool:
    """Would the host still read the file after the change, as well as before it?"""
    if one.before == one.after:
        return False
    if one.target.endswith(".json"):
        try:
            return parse(one.after) is not None
        except NotJson:
            return False
    worse = set(problems_of(one.target, one.after)) - set(problems_of(one.target, one.before or ""))
    return not worse


def _distinct(facts: Sequence[Fact]) -> Iterator[Fact]:
    """Each statement once, the surest; citations of those that say the same are united, the earliest first."""
    kept: dict[tuple[str, str], Fact] = {}
    for fact in sorted(facts, key=lambda one: one.created):
        key = (fact.scope, statement_key(fact.content))
        known = kept.get(key)
        if known is None:
            kept[key] = fact
        else:
            sure = max(known.confidence, fact.confidence)
            former = tuple(dict.fromkeys((*known.former, *fact.former)))
            citations = united(known.citations, fact.citations)
            kept[key] = known._replace(citations=citations, confidence=sure, former=former)
    yield from kept.values()


def _said_by(fact: Fact, ground: Ground) -> list[Text]:
    """What may say a fact already: for the user's own, only their own files."""
    own = [one for one in ground.files if one.kind != "hook" and one.is_users == (fact.scope == "user")]
    written = [Text(one.path, one.text) for one in own]
    return written if fact.scope == "user" else [*written, *ground.texts]


def _contradicted(fact: Fact, ground: Ground) -> Target | None:
    """The file with a line that cannot hold beside the fact, or that says nearly all of it."""
    best: tuple[float, Target] | None = None
    for file in ground.files:
        if file.kind == "hook" or file.is_users != (fact.scope == "user"):
            continue
        for unit in units(outline(file.text)):
            if stands_against(fact, unit.text) or uses_ruled_out(fact.content, unit.text):
                return Target(file, "a line there says otherwise")
            score = similarity(fact.content, unit.text)
            more = features(unit.text) <= features(fact.content)
            if score >= MERGE and more and (best is None or score > best[0]):
                best = (score, Target(file, "a line there says part of it"))
    return best[1] if best else None


def _with_the_rest(path: str, ground: Ground) -> list[Target]:
    """The customization that says the rest of a fact: what is left of it belongs there too."""
    return [Target(one, "it says the rest of it") for one in ground.files if path and one.path == path]


def _has_room(file: Customization, fact: Fact, ground: Ground) -> bool:
    return len(file.text) + len(fact.content) <= ground.most_characters


def _placed(fact: Fact, target: Target) -> Proposal | None:
    file = target.file
    if file.kind == "hook":
        after = with_hook(file.path, file.text, fact)
        if after is None:
            return None
        return _proposal(fact, file, "add", after, target.why, "hooks")
    placed = place(fact, file.text, file.kind)
    return _proposal(fact, file, placed.action, placed.after, f"{target.why}; {placed.why}", placed.place)


def _proposal(fact: Fact, file: Customization, action: str, after: str, why: str, where: str) -> Proposal:
    return Proposal(
        fact.content,
        (fact.fact_id,),
        file.kind,
        file.path,
        action,  # type: ignore[arg-type]
        file.text,
        after,
        fact.confidence,
        why,
        where,
        fact.citations,
    )


def _runs_somewhere(fact: Fact, ground: Ground) -> bool:
    """Does a hook do already what the fact says is to be done at that moment?"""
    return bool(fact.command and event_of(fact.content)) and any(
        one.kind == "hook" and runs_already(one.text, fact.command) for one in ground.files
    )


def _created(fact: Fact, ground: Ground) -> Proposal:
    made = new_file_for(fact.category, ground.files)
    why = "no customization of this repository fits"
    text = filled(made, [fact.content])
    return Proposal(
        fact.content, (fact.fact_id,), "newFile", made.path, "create", None, text, fact.confidence, why,
        citations=fact.citations,
    )  # fmt: skip


def _one_new_file_each(proposals: Sequence[Proposal]) -> Iterator[Proposal]:
    """Facts for the same new file come as one proposal: two could not both make it."""
    made: dict[str, list[Proposal]] = {}
    for one in proposals:
        if one.action == "create" and one.target_type == "newFile":
            made.setdefault(one.target, []).append(one)
        else:
            yield one
    for several in made.values():
        first = several[0]
        yield first._replace(
            fact="\n".join(one.fact for one in several),
            fact_ids=tuple(dict.fromkeys(name for one in several for name in one.fact_ids)),
            after=first.after + filled(NewFile(first.target, ""), [one.fact for one in several[1:]]),
            confidence=min(one.confidence for one in several),
            citations=tuple(citation for one in several for citation in one.citations),
        )
