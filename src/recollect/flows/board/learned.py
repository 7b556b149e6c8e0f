"""What past sessions of one board prove: commands that work, errors with what fixed them, corrections."""

from __future__ import annotations

import os
import re
import time

from recollect.autonomous.lasting import lasting
from recollect.board.distilling import SAID, Learned
from recollect.board.rules import slug, title
from recollect.files.git.evidence import git_evidence
from recollect.files.repositories import identify
from recollect.flows.sessions.prove import COMMAND_TAG, COMMIT_TAG, NEED_TAG, is_proven
from recollect.model.board import BRANCH
from recollect.model.record import Record
from recollect.sessions.eligible import kept_out
from recollect.sessions.failures import missing_programs, resolved_failures
from recollect.sessions.workflows import workflows
from recollect.text.fences import in_quotes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from recollect.flows.opened import Opened
    from recollect.model.board import BoardPlace
    from recollect.model.commits import GitEvidence
    from recollect.model.entries import Entry
    from recollect.model.sessions import Session, Turn
    from recollect.sessions.failures import Missing


MOST_TURNS = 2_000
MOST_SAID, MOST_FIXES, MOST_PAIRS, MOST_REVERTS = 8, 8, 6, 5
LEAST_SESSIONS = 2  # in which something has to happen again
LEAST_STEPS = 2
COMMANDS, HABITS, TOGETHER, REVERTED, BEFORE = (
    "commands-that-work", "commit-habits", "change-together", "reverted-before", "before-a-commit",
)  # fmt: skip


# Words by which somebody says what holds from now on, not what is to be done next.
_FOR_GOOD = re.compile(
    r"\b(?:always|never|must|do(?:es)? not|don['’]t|doesn['’]t|no longer|instead of|only|not|should(?:n['’]t)?)\b", re.I
)
_ADDRESSED = re.compile(r"^(?:in \S+(?: \S+)? (?:mention|add|write|say|note)|make sure)\b", re.I)
_SENTENCE = re.compile(r"(?<=[.!])\s+(?=[A-Z\"'`(])")
_POINTS_BACK = re.compile(r"\b(?:it|its|they|them|their|this|that|these|those|there)\b", re.I)  # to the sentence before


class History(Record):
    """One session with its turns on one branch."""

    session: Session
    turns: list[Turn]
    is_here: bool = True  # on the branch of the board


def learned_at(place: BoardPlace, memory: Opened) -> list[Learned]:
    """Everything that rules know for this board, the most useful first. What came again may have come again on another
    branch, but nothing comes from other branches alone."""
    every = histories(place, memory)
    past = [one for one in every if one.is_here]
    if not past:
        return []
    entries = memory.store.entries.listed({"layer": "L1", "status": "active", "repository": place.repository})
    proven = [one.entry for one in entries if is_proven(one.entry)]
    newest = max(one.session.ended or one.session.started for one in past)
    git = _git(past)
    found = [
        *_commands(proven, newest),
        *_said(said_for_good([one.entry for one in entries]), past),
        *_fixes(past),
        *_missing(every),
        *_before_a_commit(past),
        *_habits(proven, newest),
        *_together(git),
        *_reverted(git),
    ]
    return list({one.name: one for one in reversed(found)}.values())[::-1]


def histories(place: BoardPlace, memory: Opened) -> list[History]:
    """The past sessions of a repository, oldest first, sub-agents' included, branch by branch; a session whose log does
    not say the branch counts for the default branch."""
    default = memory.repository.default_branch or BRANCH
    found: dict[tuple[str, str], History] = {}
    for session, turn in memory.store.sessions.recent_turns(place.repository, limit=MOST_TURNS):
        branch = turn.branch or session.branch or default
        if not kept_out(session, memory.settings.exclude):
            one = History(session, [], branch == place.branch)
            found.setdefault((session.session_id, branch), one).turns.append(turn)
    return list(found.values())


def _commands(proven: Sequence[Entry], at: float) -> Iterator[Learned]:
    ran = [one for one in proven if COMMAND_TAG in one.tags]
    needs = [one for one in proven if NEED_TAG in one.tags]
    if not (ran or needs):
        return
    lines = [f"- {one.content} {one.reason}".rstrip() for one in (*ran, *needs)]
    purposes = dict.fromkeys(one.subject.partition(" ")[0] for one in ran)
    named = f"Commands that passed here: {', '.join(purposes)}" if ran else "What commands need first"
    yield Learned(COMMANDS, named + ("; and what they need first" if ran and needs else ""), "\n".join(lines), at=at)


def said_for_good(entries: Sequence[Entry]) -> dict[str, tuple[str, Entry]]:
    """What the user said for good, in sentences that a stranger understands: by the name of its item, newest first."""
    typed = sorted((one for one in entries if one.origin == "typed"), key=lambda one: -one.created)
    told = ((_one_thing(lasting(one.content)), one) for one in typed)
    kept = [(text, one) for text, one in told if _FOR_GOOD.search(text) and not _ADDRESSED.match(text)]
    named: dict[str, tuple[str, Entry]] = {}
    for text, one in reversed(kept):
        name = title(text, SAID)
        is_others = name in named and former_name(named[name][0]) != former_name(text)
        named[former_name(text) if is_others else name] = (text, one)
    return named


def former_name(text: str) -> str:
    """The longer name that the item of a statement had in earlier versions; still used where two share a title."""
    return SAID + slug(text)


def _one_thing(text: str) -> str:
    """The first sentence that says something for good, with those behind it that need it; nothing else rides along."""
    spoken = _SENTENCE.split(text)
    first = next((at for at, one in enumerate(spoken) if _FOR_GOOD.search(one) or _needs_next(spoken, at)), len(spoken))
    kept = spoken[first : first + 1]
    for one in spoken[first + 1 :]:
        if not _POINTS_BACK.search(one):
            break
        kept.append(one)
    return " ".join(kept)


def _needs_next(spoken: Sequence[str], at: int) -> bool:
    """Is it what the next sentence, which says something for good, points back to?"""
    return any(_POINTS_BACK.search(one) and _FOR_GOOD.search(one) for one in spoken[at + 1 : at + 2])


def still_said(place: BoardPlace, memory: Opened) -> dict[str, str]:
    """The names of items whose statement still holds in this repository, whichever branch it was said on, each with its
    former one."""
    found = memory.store.entries.listed({"layer": "L1", "status": "active", "repository": place.repository})
    said = said_for_good([one.entry for one in found])
    return {name: former_name(text) for name, (text, _) in said.items()}


def _said(said: Mapping[str, tuple[str, Entry]], past: Sequence[History]) -> Iterator[Learned]:
    sessions = {name for one in past for name in (one.session.session_id, one.session.native_id)}
    here = [(name, text, one) for name, (text, one) in said.items() if one.session in sessions]
    for name, text, one in here[::-1][:MOST_SAID]:
        content = f"{text}\n\nThe user said so on {_day(one.created)}."
        yield Learned(name, text, content, "typed", one.session, one.created, former_name(text))


def _fixes(past: Sequence[History]) -> Iterator[Learned]:
    """Failures after which exactly one command was run before it passed; those that came again first."""
    seen: dict[tuple[str, str], list[tuple[str, float, str]]] = {}
    for one in past:
        for found in resolved_failures(one.turns):
            error = found.error.removeprefix("Output: ").strip()
            seen.setdefault((found.command, found.remedy), []).append((error, found.at, one.session.session_id))
    ordered = sorted(seen.items(), key=lambda pair: (-len(pair[1]), -pair[1][-1][1]))
    for (command, remedy), times in ordered[:MOST_FIXES]:
        error, at, session = times[-1]
        often = f" It happened in {len(times)} sessions." if len(times) > 1 else ""
        content = (
            f"`{command}` failed with {in_quotes(error)}\nand passed after `{remedy}`, with nothing else changed in "
            f"between; last on {_day(at)}.{often}"
        )
        told = f"`{command}` fails with {in_quotes(error[:80])}: `{remedy}` helped"
        yield Learned(f"fix-{slug(f'{command} {remedy}')}", told, content, "tool", session, at)


def _missing(every: Sequence[History]) -> Iterator[Learned]:
    """Programs that the shell did not find in several sessions."""
    programs: dict[str, list[tuple[History, Missing]]] = {}
    for one in every:
        for found in missing_programs(one.turns):
            programs.setdefault(found.program, []).append((one, found))
    for name, times in _again(programs):
        last, found = times[-1]
        count = len({one.session.session_id for one, _ in times})
        content = f"`{name}` is not installed here: the shell did not find it in {count} sessions, last on "
        told = f"`{name}` is not installed here"
        yield Learned(
            f"missing-{slug(name)}", told, f"{content}{_day(found.at)}.", "tool", last.session.session_id, found.at
        )


def _again(seen: Mapping[str, list[tuple[History, Missing]]]) -> list[tuple[str, list[tuple[History, Missing]]]]:
    """What happened in several sessions, at least once on this branch."""
    return [
        (key, times)
        for key, times in seen.items()
        if len({one.session.session_id for one, _ in times}) >= LEAST_SESSIONS and any(one.is_here for one, _ in times)
    ]


def _before_a_commit(past: Sequence[History]) -> Iterator[Learned]:
    """What was run before commits, in the same order in several sessions."""
    seen: dict[tuple[str, ...], dict[str, float]] = {}
    for one in past:
        for found in workflows(one.turns):
            if found.goal == "commit-a-change" and len(found.steps) >= LEAST_STEPS:
                seen.setdefault(found.steps, {})[one.session.session_id] = found.at
    often = [(steps, where) for steps, where in seen.items() if len(where) >= LEAST_SESSIONS]
    if often:
        steps, where = max(often, key=lambda pair: (len(pair[1]), max(pair[1].values())))
        lines = "\n".join(f"{number}. `{step}`" for number, step in enumerate(steps, 1))
        content = f"Before commits these passed, in this order, in {len(where)} sessions:\n{lines}"
        yield Learned(BEFORE, f"What passed before commits: {', '.join(f'`{one}`' for one in steps)}", content,
                      at=max(where.values()))  # fmt: skip


def _habits(proven: Sequence[Entry], at: float) -> Iterator[Learned]:
    habits = [one for one in proven if COMMIT_TAG in one.tags]
    if habits:
        content = "\n".join(f"- {one.content} {one.reason}".rstrip() for one in habits)
        yield Learned(HABITS, habits[0].content, content, at=at)


def _together(git: GitEvidence) -> Iterator[Learned]:
    pairs = [one for one in git.together if all(path.isprintable() and "`" not in path for path in one.paths)]
    if pairs:
        lines = [f"- `{one.paths[0]}` and `{one.paths[1]}` ({one.times} of {one.of} commits)" for one in pairs]
        told = f"Files that change together, such as `{pairs[0].paths[0]}` and `{pairs[0].paths[1]}`"
        yield Learned(TOGETHER, told, "\n".join(lines[:MOST_PAIRS]), "document", at=git.commits[0].at)


def _reverted(git: GitEvidence) -> Iterator[Learned]:
    if git.reverts:
        lines = [f"- {in_quotes(one.subject)} ({_day(one.at)})" for one in git.reverts[:MOST_REVERTS]]
        told = f"Changes that were taken back, such as {in_quotes(git.reverts[0].subject[:80])}"
        yield Learned(REVERTED, told, "\n".join(lines), "document", at=git.commits[0].at)


def _git(past: Sequence[History]) -> GitEvidence:
    """What the commits say, where a checkout of the repository is on this machine."""
    folders = dict.fromkeys(one.session.cwd for one in past)
    here = next((folder for folder in folders if folder and os.path.isdir(folder)), "")
    return git_evidence(identify(here).common_directory if here else "")


def _day(at: float) -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(at))
