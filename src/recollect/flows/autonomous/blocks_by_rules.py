"""Phase 2 without a model: lines grouped, the same once, the later word standing, and what logs and commits prove."""

from __future__ import annotations

from collections import Counter

from recollect.autonomous import raw
from recollect.autonomous.amending import amended
from recollect.autonomous.blocks import HERE, HISTORY, PAST, WORK, Block, Evidence
from recollect.autonomous.dates import day
from recollect.autonomous.skills import Succeeded, skills_of
from recollect.flows.sessions.prove import COMMIT_TAG
from recollect.sessions.summary import plain
from recollect.text.fences import in_quotes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from recollect.autonomous.raw import RawMemory, Task
    from recollect.autonomous.skills import Skill
    from recollect.flows.autonomous.gathering import Inputs
    from recollect.model.entries import Entry

MOST_PAST = 12
MOST_PAIRS = 5
MOST_REVERTS = 5
LONGEST_PAST, LONGEST_TITLE, SHORTEST_WORD = 420, 80, 2
# Blocks of which there is one each.
STYLE, TOGETHER, REVERTED = "Commit messages", "Files that change together", "Reverted"
# Without proof there is no word for it.
_ENDED = {raw.SUCCESS: ", done", raw.PARTIAL: ", partly done", raw.FAIL: ", not done", raw.UNCERTAIN: ""}


def blocks_by_rules(inputs: Inputs) -> list[Block]:
    """Everything that is known about a project, in a stable order."""
    return [
        *amended(inputs.lines),
        *_shown(inputs),
        *_history(inputs),
        *_past(inputs.memories),
    ]


def work_by_rules(inputs: Inputs) -> list[Block]:
    """What logs show about commands: it stays as it is, whoever judges what was said."""
    return [one for one in _shown(inputs) if one.section == WORK]


def skills_by_rules(inputs: Inputs) -> list[Skill]:
    """Workflows that succeeded in several sessions."""
    return skills_of(succeeded(inputs))


def succeeded(inputs: Inputs) -> list[Succeeded]:
    """Every workflow that ended well."""
    return [
        Succeeded(line.text, line.steps[:-1], line.steps[-1], one.session_id, line.turn, line.at)
        for one in inputs.memories
        for line in one.lines
        if line.kind == raw.WORKFLOW and len(line.steps) > 1
    ]


def proof_of(entry: Entry, at: float) -> tuple[Evidence, ...]:
    """What a proven entry rests on: the turns that it cites, else logs that are not one turn."""
    cited = [one for one in entry.citations if one.kind == "turn"]
    evidence = tuple(Evidence(one.session, one.turn, at, raw.LOGGED) for one in cited)
    return evidence or (Evidence("", 0, at, raw.LOGGED),)


def _shown(inputs: Inputs) -> list[Block]:
    proven = sorted(inputs.proven, key=lambda one: (one[0].subject, one[0].content))
    return [_proven(*one) for one in proven]


def _proven(entry: Entry, at: float) -> Block:
    section = HISTORY if COMMIT_TAG in entry.tags else WORK
    title = entry.subject[:1].upper() + entry.subject[1:]
    applies = "every commit" if section == HISTORY else ""
    return Block(
        section,
        title,
        f"{entry.content} {entry.reason}".strip(),
        proof_of(entry, at),
        applies=applies,
        name=entry.subject,
    )


def _is_plain(path: str) -> bool:
    """Can a path stand in backticks? A repository may hold names with line breaks, to write headings of its own."""
    return path.isprintable() and "`" not in path


def _history(inputs: Inputs) -> Iterator[Block]:
    """What the commits say; a stranger may have written them, so their words are quoted."""
    git = inputs.git
    newest = git.commits[0].at if git.commits else 0.0
    proof = (Evidence("", 0, newest, "commits"),)
    known = {entry.content for entry, _ in inputs.proven}
    if git.style and git.style not in known:
        yield Block(HISTORY, STYLE, git.style, proof, applies="every commit", name=STYLE)
    together = [one for one in git.together if all(map(_is_plain, one.paths))]
    if together:
        pairs = "; ".join(
            f"`{one.paths[0]}` and `{one.paths[1]}` ({one.times} of {one.of})" for one in together[:MOST_PAIRS]
        )
        yield Block(HISTORY, TOGETHER, f"Changed in the same commits: {pairs}.", proof, name=TOGETHER)
    if git.reverts:
        told = Counter(one.subject for one in git.reverts)
        when = {one.subject: one.at for one in reversed(git.reverts)}
        listed = "; ".join(f"{in_quotes(name)} ({day(when[name])})" for name in list(told)[:MOST_REVERTS])
        text = f"Taken back: {listed}. Find out why before trying it again."
        yield Block(HISTORY, REVERTED, text, proof, name=REVERTED)


def _ending(task: Task) -> str:
    """What git has of it as it is, and what an agent said at the end in quotes; two words say nothing."""
    left = f" {plain(task.left, LONGEST_PAST)}." if task.left else ""
    says = plain(task.says, LONGEST_PAST).rstrip(".")
    return f"{left} It ended with {in_quotes(says)}." if len(says.split()) > SHORTEST_WORD else left


def _past(memories: tuple[RawMemory, ...]) -> Iterator[Block]:
    """The last sessions, a block each: what was to be done, how it ended, and where it touched."""
    newest = sorted((one for one in memories if one.tasks), key=lambda one: (-one.at, one.session_id))[:MOST_PAST]
    for one in newest:
        task = one.tasks[0]
        paths = [f"`{path}`" for path in task.files if _is_plain(path)]
        files = f" Changed: {', '.join(paths)}." if paths else ""
        title = plain(task.title, LONGEST_TITLE)
        text = f"{day(one.at)}, {in_quotes(title)}{_ENDED[task.outcome]}.{_ending(task)}{files}"
        evidence = (Evidence(one.session_id, task.turn, one.at, raw.LOGGED),)
        applies = "questions about earlier work"
        yield Block(PAST, title, text, evidence, scope=HERE, applies=applies, name=one.session_id)
