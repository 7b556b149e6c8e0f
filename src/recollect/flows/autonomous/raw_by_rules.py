"""Phase 1 without a model: what was typed for good, which failures were resolved how, what was run before a commit."""

from __future__ import annotations

import re

from recollect.autonomous import raw
from recollect.autonomous.dates import absolute
from recollect.autonomous.lasting import LEAST_WISH, lasting
from recollect.autonomous.raw import RawLine, RawMemory, Task, slug_of
from recollect.flows.writes.find_typed import is_typed
from recollect.memory.gapfill.finding import find_durable
from recollect.sessions.commands import inside
from recollect.sessions.endings import DONE, FAILED, UNKNOWN, last_word, proven_end
from recollect.sessions.failures import missing_programs, resolved_failures
from recollect.sessions.outcomes import outcome
from recollect.sessions.summary import FIXED, plain, summarise
from recollect.sessions.workflows import workflows
from recollect.text.fences import in_quotes
from recollect.text.language.decisions import sentences_of
from recollect.text.language.moments import is_said_for_now
from recollect.text.language.statements import statement_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from recollect.memory.gapfill.finding import Found
    from recollect.model.sessions import Session, Turn
    from recollect.sessions.summary import Summary

LONGEST_BEFORE = 2_000  # of what the assistant had just said
MOST_FILES = 6
LONGEST_TITLE = 80
SHORTEST_REQUEST = 3  # words; whoever typed no more said hello, or yes
# Words alone: no address, path or output of a shell.
_REQUEST = re.compile(r"(?!Traceback\b|\w*Error\b)[A-Za-z][^/\\@<>|]*(?<!:)$")
_HOW = {DONE: raw.SUCCESS, FAILED: raw.FAIL, UNKNOWN: raw.UNCERTAIN}
KIND = {"correction": raw.DECISION, "preference": raw.PREFERENCE, "fact": raw.FACT}


def raw_by_rules(session: Session, turns: Sequence[Turn]) -> RawMemory:
    """What a session leaves, as far as rules can tell. Nothing worth keeping is a good answer."""
    lines = [*_said(session, turns), *_failures(turns), *_workflows(turns)][: raw.MOST_LINES]
    summary = summarise(session, turns)
    task = _task(session, summary, turns)
    title = session.title or summary.title
    return RawMemory(
        session.session_id,
        session.repository,
        summary.text[: raw.LONGEST_SYNOPSIS],
        slug_of(title),
        tuple(lines),
        (task,) if task else (),
        session.ended or session.started,
    )


def _said(session: Session, turns: Sequence[Turn]) -> Iterator[RawLine]:
    """What was typed and will still be true: only what both readers of gap-fill are sure of, and a stranger follows."""
    before = ""
    for turn in turns:
        if turn.user and is_typed(session, turn):
            for found in find_durable(turn.user, before=before[-LONGEST_BEFORE:]):
                text = lasting(found.statement) if _stays(found, turn.user) else ""
                if text:
                    key, scope = statement_key(found.statement), found.scope if session.repository else "user"
                    text = absolute(text, turn.at)
                    yield RawLine(KIND[found.kind], text, turn.number, turn.at, raw.TYPED, scope, key)
        before = turn.assistant


def _stays(found: Found, typed: str) -> bool:
    """Is it more than a wish for the task at hand?"""
    is_wish = found.kind == "preference" and found.scope != "user"
    is_likely = found.sure and (not is_wish or found.confidence >= LEAST_WISH)
    return is_likely and not is_said_for_now(typed, found.start, found.end)


def _failures(turns: Sequence[Turn]) -> Iterator[RawLine]:
    for one in resolved_failures(turns):
        error = one.error.removeprefix("Output: ").removesuffix(FIXED)
        text = f"`{one.command}` failed with {in_quotes(error)}; it passed after `{one.remedy}`."
        yield RawLine(raw.FAILURE, text, one.turn, one.at, raw.LOGGED)
    for missing in missing_programs(turns):
        text = f"`{missing.program}` is not installed where the work was done: the shell did not find it."
        yield RawLine(raw.PITFALL, text, missing.turn, missing.at, raw.LOGGED)


def _workflows(turns: Sequence[Turn]) -> Iterator[RawLine]:
    newest = {one.goal: one for one in workflows(turns)}
    for one in newest.values():
        yield RawLine(raw.WORKFLOW, one.goal, one.turn, one.at, raw.LOGGED, steps=(*one.steps, one.last))


def _task(session: Session, summary: Summary, turns: Sequence[Turn]) -> Task | None:
    """What the session was for and how it ended, as far as its log proves it.

    A session that has no title and made no commit here is not told: its first and its last words are of two things.
    Nor is one of which nothing is known but the message of its commit: git says that."""
    ended = outcome(turns, session.cwd)
    left = " ".join(ended._replace(says="").lines())
    title = session.title if _is_title(session.title) else _title(ended.commits, turns) if ended.commits else ""
    files = [path for path in (inside(one, session.cwd, [session.cwd]) for one in summary.files) if path]
    says = last_word(turns)
    is_all_in_git = [title] == list(ended.commits) and not (files or says)
    if not title or not (left or files) or is_all_in_git:
        return None
    first = next((turn.number for turn in turns if turn.user), 1)
    how = _HOW[proven_end(turns, session.cwd)]
    return Task(" ".join(title.split()), how, first, says, tuple(files[:MOST_FILES]), left)


def _is_title(text: str) -> bool:
    """A name that a host gave, not the words of a prompt."""
    return 3 < len(text) <= LONGEST_TITLE and "://" not in text and not text.startswith(("/", "<", "@"))


def _title(commits: Sequence[str], turns: Sequence[Turn]) -> str:
    """The message of the only commit; of several, what was asked for first, if it reads by itself."""
    asked = next((turn.user for turn in turns if len(turn.user.split()) > SHORTEST_REQUEST), "")
    request = " ".join(next(iter(sentences_of(asked)), asked).split())
    if len(commits) != 1 and _REQUEST.match(request):
        return plain(request.rstrip("."), LONGEST_TITLE)
    return next(iter(commits), "")
