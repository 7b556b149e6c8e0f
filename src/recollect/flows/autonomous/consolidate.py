"""Consolidate: claim -> select -> unchanged? stop -> model or rules -> validate -> still ours? -> swap."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from recollect.autonomous.blocks import HISTORY, PAST, Block, Document, Passage, keys_of, rendered, with_ids
from recollect.autonomous.keeping import Baseline, baseline_of, edited_skills, kept, mark, removed_skills
from recollect.autonomous.skills import Skill, chosen, parsed_skill
from recollect.autonomous.summaries import summary_lines, summary_text
from recollect.autonomous.validating import MEMORY, SUMMARY, require_valid
from recollect.errors import ArtifactsInvalid, OutsideRoot, ProviderError, ReplyInvalid
from recollect.files import artifacts
from recollect.flows.autonomous.blocks_by_model import OUTPUT_TOKENS, PURPOSE, ROLE, SCHEMA, Answer, ask, question
from recollect.flows.autonomous.blocks_by_rules import blocks_by_rules, skills_by_rules
from recollect.flows.autonomous.clearing import forget_cleared
from recollect.flows.autonomous.due import leave_consolidation
from recollect.flows.autonomous.failures import forget_failure, has_failed, note_failure
from recollect.flows.autonomous.gathering import gather
from recollect.model.artifacts import FOLDER, UNDONE
from recollect.model.record import Record
from recollect.text.secrets.redacting import redact

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from recollect.flows.autonomous.gathering import Inputs
    from recollect.flows.opened import Opened

MOST_BLOCKS = 150
NOTHING_YET = "no session has left anything to write about yet"
PREAMBLE = (
    "# Memory of {name}\n\nWhat past sessions left, with what each thing rests on. Change what you like, add blocks of "
    "your own, or delete some: what you change stays as you left it."
)


class Consolidated(Record):
    """What came of a consolidation."""

    version: str = ""  # of the set that was published
    blocks: int = 0
    skills: int = 0
    tokens: int = 0
    made_by: str = "rules"
    why: str = ""  # why nothing was published


class _Held(Record):
    """The set that is current."""

    version: str
    files: dict[str, str]
    baseline: Baseline

    @property
    def skills(self) -> dict[str, str]:
        """The skills by name."""
        return {name.split("/")[1]: text for name, text in self.files.items() if name.startswith("skills/")}

    @property
    def is_edited(self) -> bool:
        """Did somebody change a file since it was written?"""
        return self.baseline.files != {name: mark(text) for name, text in self.files.items()}


class _Made(Record):
    """What is to be published."""

    blocks: list[Block]
    skills: list[Skill]
    lead: str = ""
    tokens: int = 0
    made_by: str = "rules"


def consolidate(
    repository: str,
    memory: Opened,
    *,
    forced: bool = False,
    by_rules: bool = False,
    require_ours: Callable[[], None] = lambda: None,
) -> Consolidated:
    """Bring the artifacts of a repository up to date. As often as one likes; what did not change asks no model.

    ProviderError when the model fails and rules may not take its place: then the old set stays as it is."""
    store = memory.store
    project = artifacts.project_folder(memory.home.projects, repository)
    held = _held(project)
    inputs = gather(repository, memory)
    if not inputs.memories and not held.version:
        return Consolidated(why=NOTHING_YET)
    _note_folder(repository, project, memory)
    if not forced and _is_known(inputs, held, memory):
        return Consolidated(held.version, why="nothing changed")
    rules = _Made(blocks_by_rules(inputs), skills_by_rules(inputs))
    made, files = rules, _files(rules, inputs, held, memory)
    if inputs.memories and not by_rules and memory.models.is_there(ROLE):
        question_mark = _question_mark(inputs, held, memory)
        if not forced and has_failed(repository, question_mark, memory):
            return Consolidated(held.version, why="the model's last answer to the same input could not be used")
        try:
            made = _asked(inputs, held, memory, rules)
            files = _files(made, inputs, held, memory)
        except (ReplyInvalid, ArtifactsInvalid) as error:
            note_failure(repository, question_mark, str(error), memory)
            raise
    staged = artifacts.stage(project, files)
    try:
        with store.write():
            # The answer holds until the pointer is replaced: nobody claims a job while this write is open.
            require_ours()
            why = _changed_meanwhile(project, inputs, held, memory, forced=forced)
            version = "" if why else _publish(project, staged, inputs, held, memory)
    except BaseException:
        artifacts.discard(staged)
        raise
    if why:
        artifacts.discard(staged)
        return Consolidated(held.version, tokens=made.tokens, made_by=made.made_by, why=why)
    return Consolidated(version, len(made.blocks), len(made.skills), made.tokens, made.made_by)


def _changed_meanwhile(project: str, inputs: Inputs, held: _Held, memory: Opened, *, forced: bool) -> str:
    """Why what was made may not be published any more; it is left to be done again unless a person cleared it. Needs a
    write()."""
    live = {one.session_id for one in memory.store.extractions.of_repository(inputs.repository)}
    if not live.issuperset(inputs.sessions):
        return "what it was made from is no longer there"
    now = _held(project)
    if now == held:
        return ""
    if now.version:
        leave_consolidation(inputs.repository, memory.folder, memory.store, forced=forced, now=memory.now)
    return "the files have changed in the meantime"


def _publish(project: str, staged: str, inputs: Inputs, held: _Held, memory: Opened) -> str:
    """Let a staged set be the current one; returns its version. Needs a write(), in which what is old goes as well:
    whoever publishes next has not begun then."""
    memory.store.set_home_value(UNDONE + inputs.repository, "")
    forget_failure(inputs.repository, memory)
    version = artifacts.publish(project, staged)
    forget_cleared(inputs.repository, memory)
    artifacts.prune(project, keep=(version, *_to_go_back_to(held, memory)))
    return version


def _to_go_back_to(held: _Held, memory: Opened) -> tuple[str, ...]:
    """The version that undo leads to; none when it holds what a session said that has been made private since."""
    private = {one.session_id for one, _ in memory.store.sessions.listed() if one.privacy}
    return () if private.intersection(held.baseline.sessions) or not held.version else (held.version,)


def _note_folder(repository: str, project: str, memory: Opened) -> None:
    """Where the artifacts are, for a hook, which hashes nothing."""
    store, name = memory.store, os.path.basename(project)
    if store.home_value(FOLDER + repository) != name:
        with store.write():
            store.set_home_value(FOLDER + repository, name)


def _held(project: str) -> _Held:
    version = artifacts.version(project)
    files = artifacts.read_all(artifacts.current_folder(project)) if version else {}
    baseline = baseline_of(files.pop(artifacts.BASELINE, ""))
    return _Held(version, files, baseline)


def _question_mark(inputs: Inputs, held: _Held, memory: Opened) -> str:
    """The same as long as a model would be asked the same: this one, with this input and these files."""
    files = sorted((name, mark(text)) for name, text in held.files.items())
    return mark(f"{memory.models.spec(ROLE)} {inputs.mark} {files}")


def _is_known(inputs: Inputs, held: _Held, memory: Opened) -> bool:
    if memory.store.home_value(UNDONE + inputs.repository) == inputs.mark:
        return True
    return bool(held.version) and held.baseline.inputs == inputs.mark and not held.is_edited


def _asked(inputs: Inputs, held: _Held, memory: Opened, rules: _Made) -> _Made:
    """The blocks and skills as the model of the role smol makes them."""
    previous = held.files.get(MEMORY, "")
    text = question(inputs, previous, held.baseline, is_edited=held.is_edited)
    begun = memory.models.begin(PURPOSE, expected_tokens=_expected(text, memory), role=ROLE)
    try:
        answer = ask(text, inputs, begun, previous)
    except ProviderError:
        if not memory.settings.memories.fallback:
            raise
        return rules
    return _with_answer(answer, rules, str(memory.models.spec(ROLE)))


def expected_tokens(repository: str, memory: Opened) -> int:
    """What a consolidation would take of a model, about, with what is known now; 0 when rules do it."""
    if not memory.models.is_there(ROLE):
        return 0
    try:
        held = _held(artifacts.project_folder(memory.home.projects, repository))
    except OutsideRoot:
        held = _Held("", {}, Baseline())  # damaged: whoever rebuilds mends it
    return _expected(
        question(gather(repository, memory), held.files.get(MEMORY, ""), held.baseline, is_edited=False), memory
    )


def _expected(text: str, memory: Opened) -> int:
    return memory.models.expected_tokens(text, SCHEMA, answer=OUTPUT_TOKENS // 2)


def _with_answer(answer: Answer, rules: _Made, made_by: str) -> _Made:
    """What commits say and what was done stays as logs have it; a model judges what was said."""
    logged = [one for one in rules.blocks if one.section in (HISTORY, PAST)]
    return _Made([*answer.blocks, *logged], list(answer.skills), answer.lead, answer.tokens, made_by)


def _files(made: _Made, inputs: Inputs, held: _Held, memory: Opened) -> dict[str, str]:
    """The whole set, validated, with its baseline."""
    limit = memory.settings.memories.summary_injection_token_limit
    name = inputs.repository.removeprefix("path:") or "this user"
    blocks = _chosen([one._replace(uses=inputs.uses.get(one.block_id, 0)) for one in _named(made, held)])
    passages = {one.block_id: redact(rendered(one)) for one in blocks}
    document = Document(
        PREAMBLE.format(name=name),
        tuple(Passage(one.section, passages[one.block_id], one.block_id) for one in blocks),
    )
    whole, removed = kept(document, held.files.get(MEMORY, ""), held.baseline)
    shown = {one.block_id for one in whole.passages}
    own = edited_skills(held.skills, held.baseline) if held.version else {}
    gone = removed_skills(held.skills, held.baseline) if held.version else set()
    wanted = [one for one in made.skills if one.name not in gone]
    skills = [one for one in chosen(wanted, held.skills) if one.name not in own]
    written = [*skills, *(found._replace(name=skill) for skill, text in own.items() if (found := parsed_skill(text)))]
    lines = summary_lines(name, [one for one in blocks if one.block_id in shown], written, limit_tokens=limit - 200)
    if made.lead:
        lines.insert(2, made.lead)
    summary = summary_text(lines, held.files.get(SUMMARY, ""), held.baseline, limit_tokens=limit)
    files = {MEMORY: redact(whole.text()), SUMMARY: redact(summary)}
    files |= {f"skills/{one.name}/SKILL.md": redact(one.text()) for one in skills}
    files |= {f"skills/{skill}/SKILL.md": redact(text) for skill, text in own.items()}
    require_valid(files, limit_tokens=limit, own=[f"skills/{skill}/SKILL.md" for skill in own])
    baseline = _baseline(made, inputs, files, passages, blocks, held, memory.now)
    baseline = baseline._replace(
        removed=_with_skills(removed, gone), summary=tuple(map(mark, lines)), preamble=mark(document.preamble)
    )
    skill_marks = {one.name: mark(files[f"skills/{one.name}/SKILL.md"]) for one in skills}
    return {**files, artifacts.BASELINE: baseline._replace(skills=skill_marks).text()}


def _with_skills(removed: tuple[str, ...], skills: set[str]) -> tuple[str, ...]:
    blocks = {one for one in removed if not one.startswith("skills/")}
    return tuple(sorted({*blocks, *(f"skills/{name}" for name in skills)}))


def _named(made: _Made, held: _Held) -> list[Block]:
    return with_ids(made.blocks, {name: set(keys) for name, keys in held.baseline.keys.items()})


def _chosen(blocks: list[Block]) -> list[Block]:
    """As many as there may be: what is used and new stays, in the order it had."""
    best = sorted(blocks, key=lambda one: (-one.uses, -one.at, one.block_id))[:MOST_BLOCKS]
    names = {one.block_id for one in best}
    return [one for one in blocks if one.block_id in names]


def _baseline(
    made: _Made,
    inputs: Inputs,
    files: Mapping[str, str],
    passages: Mapping[str, str],
    blocks: list[Block],
    held: _Held,
    now: float,
) -> Baseline:
    return Baseline(
        inputs=inputs.mark,
        sessions=inputs.sessions,
        blocks={name: mark(text) for name, text in passages.items()},
        keys={one.block_id: keys_of(one) for one in blocks},
        files={name: mark(text) for name, text in files.items()},
        made_by=made.made_by,
        at=now,
        tokens=made.tokens,
        previous=held.version,
    )
