"""Facts: which entries suggestions are made from, what they are about, and what may never become one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recollect.model.entries import SHELF_TAG
from recollect.model.suggestions import CATEGORIES, Fact
from recollect.suggestions.globs import code_spans, named_paths
from recollect.suggestions.wording import head_of
from recollect.text.language.orders import is_order
from recollect.text.language.statements import is_hedged
from recollect.text.secrets.examples import carries_credential
from recollect.text.similarity import plain_words, root

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from recollect.model.entries import Citation, Entry, Scope

PROMOTED = 0.6  # lower confidence is kept, but never suggested
TYPED = 0.7
MENTION, VOTE, HEDGE = 0.05, 0.1, 0.25
# Not a version (pnpm@9.1.0), and not where a repository is (git@host:owner/name).
_EMAIL = re.compile(r"[\w.+-]+@(?:[\w-]+\.)+[^\W\d_]{2,}(?![\w-]|\.\w|:[\w.~-]*/)")
_CREDENTIAL_URL = re.compile(
    r"\w+://[^\s/@:]+:[^\s/@]+@|\w+://\S*[?&#](?:token|key|secret|sig|signature|password|auth|access_token|api_key)=",
    re.IGNORECASE,
)
_TRANSIENT = re.compile(
    r"\b(?:right now|at the moment|currently (?:failing|broken|down)|for now|today|yesterday|this morning|just now|"
    r"(?:is|are) (?:failing|broken|down|red)|not working|im Moment|gerade|heute)\b",
    re.IGNORECASE,
)
_SAYS_LITTLE = "` works here."  # proof of a command whose purpose nobody knows
_TOOLS = re.compile(
    r"\b(?:CI|env(?:ironment)? variables?|pipeline|docker|npm|pnpm|yarn|pip|uv|poetry|cargo|make|gradle|maven|bazel|"
    r"webpack|vite|eslint|prettier|ruff|mypy|pytest|jest|vitest|terraform|kubernetes|helm|repository|codebase|project)\b"
    r"|\b[A-Z][A-Z0-9]+_[A-Z0-9_]+\b"
)
# Words that put a fact into a category; the first that is met decides, testing before tooling.
_WORDS = {
    "testing": "test tests testing vitest jest pytest fixture fixtures mock mocks coverage e2e flaky tests timers",
    "workflow": "commit commits branch branches merge merging squash rebase release releases pr review reviews "
    "reviewing reviewers deploy deploys deployment changelog tag tagging ticket tickets push pull",
    "tooling": "install build builds lint linter format formatter compile compiler ci docker npm pnpm yarn pip uv "
    "cargo make gradle dependency dependencies package packages tool tools toolchain cli script scripts env port types "
    "typecheck cross lints",
    "architecture": "module modules layer layers service services component components package api endpoint endpoints "
    "handler handlers state database schema migration migrations queue cache configured architecture "
    "retry retries client requests folder directory",
    "style": "style name names naming indent indentation tabs spaces quotes semicolons imports exports import export "
    "comment comments type any unknown async await prefer function functions class classes line lines exceptions code "
    "errors logging log docstring docstrings kommentare einrücken unsafe",
}
_BY_ROOT = {root(word): name for name, words in reversed(_WORDS.items()) for word in words.split()}
_COMMAND = re.compile(r"[\w./@-]+ \S")
_PATH = re.compile(r"`?(?:[\w@.*-]+/)+[\w@.*-]*`?")
_RULE = re.compile(r"(?:use|prefer|avoid|never|always|do not|don't)\b", re.IGNORECASE)


def fact_of(entry: Entry, *, command: str = "", former: tuple[str, ...] = ()) -> Fact | None:
    """An entry as a fact, or None when nothing may be suggested from it: it rests on documents or tool output, is an
    order that nobody typed, is not knowledge, or has something in it that belongs in no file."""
    if entry.layer != "L1" or entry.status != "active" or SHELF_TAG in entry.tags or rejected(entry.content):
        return None
    if (
        entry.content.endswith(_SAYS_LITTLE)
        or entry.origin in ("tool", "document")
        or (entry.origin != "typed" and is_order(entry.content))
    ):
        return None
    return Fact(
        entry.entry_id,
        entry.content,
        entry.reason,
        entry.citations,
        entry.scope,
        confidence_of(entry),
        category_of(entry.content, entry.tags),
        command,
        entry.session,
        entry.created,
        former,
    )


def rejected(content: str) -> str:
    """Why a text may not be a fact at all; empty when it may."""
    if _CREDENTIAL_URL.search(content):
        return "it has an address in it that looks like a credential"
    if _EMAIL.search(content):
        return "it has an e-mail address in it"
    if carries_credential(content):
        return "it has a key, token or password in it, or an example of one"
    if _TRANSIENT.search(content):
        return "it describes a temporary state"
    return ""


def scope_of(content: str, citations: Iterable[Citation] = ()) -> Scope:
    """Where a fact holds when nobody says so: in the repository if it names a file, a tool, CI or a variable."""
    cited = any(citation.kind == "file" for citation in citations)
    names = named_paths(content) or code_spans(content) or _TOOLS.search(content)
    return "repository" if cited or names else "user"


def confidence_of(entry: Entry) -> float:
    """How sure a fact is: more mentions and votes raise it, hedged words and votes down lower it.

    What was kept of the user's own words was sure enough to be kept unasked, whatever number the rules gave it."""
    mentions = len({(one.session, one.turn) for one in entry.citations if one.kind == "turn"})
    kept = entry.source == "system" and entry.origin == "typed"
    sure = (
        max(entry.confidence, TYPED if kept else 0.0)
        + MENTION * max(mentions - 1, 0)
        + VOTE * (entry.votes_up - entry.votes_down)
    )
    return round(min(max(sure - (HEDGE if is_hedged(entry.content) else 0.0), 0.0), 0.99), 3)


def with_answer_votes(entry: Entry, votes: Mapping[tuple[str, int], int]) -> Entry:
    """The entry, counting the votes on the answers of the turns that it was learned from like votes on itself."""
    learned = {(one.session, one.turn) for one in entry.citations if one.kind == "turn"}
    given = [votes[place] for place in learned if place in votes]
    ups, downs = given.count(1), given.count(-1)
    return entry._replace(votes_up=entry.votes_up + ups, votes_down=entry.votes_down + downs) if given else entry


def category_of(content: str, tags: Iterable[str] = ()) -> str:
    """What a fact is about: the category in its tags, or the one that most of its words belong to."""
    named = next((tag for tag in tags if tag in CATEGORIES), "")
    if named:
        return named
    counted = {"tooling": 2} if any(_COMMAND.match(span) for span in code_spans(content)) else {}
    first = head_of(content)
    if first in _BY_ROOT:
        counted[_BY_ROOT[first]] = counted.get(_BY_ROOT[first], 0) + 1  # what it is about counts twice
    for word in plain_words(_PATH.sub(" ", content)):
        for part in (root(word), *(root(one) for one in re.split(r"[^\w]+", word))):
            if part in _BY_ROOT:
                counted[_BY_ROOT[part]] = counted.get(_BY_ROOT[part], 0) + 1
                break
    if "style" in counted and _RULE.match(content):
        counted["style"] += 1
    order = [*_WORDS]
    return max(counted, key=lambda name: (counted[name], -order.index(name)), default="domain")


def united(first: Iterable[Citation], more: Iterable[Citation]) -> tuple[Citation, ...]:
    """The citations of two facts that say the same: all of them once, the earliest first."""
    return tuple(dict.fromkeys((*first, *more)))
