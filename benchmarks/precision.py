"""PrecisionMemBench through the product's own remember and recall: what must come, and what must not.

Mapping: canonical name = subject, aliases = aliases, content and why = content and reason, scopes = tags that filter.
Universal beliefs are the profile (L0). Superseded beliefs are superseded entries. The pinned and the open-question
tiers are left out, and the slots that pinned beliefs take are taken from the budget.
"""

from __future__ import annotations

import json
import os
import sqlite3
import tempfile
from dataclasses import dataclass, field
from typing import Any

from recollect import Recollect
from recollect.flows.writes.actors import Person
from recollect.model.drafts import Draft, Update

UNIVERSAL = "user:universal"
USER = "test-user"


@dataclass
class Score:
    """What one system did with the cases."""

    name: str
    exact: int = 0
    cases: int = 0
    right: int = 0
    given: int = 0
    wanted: int = 0
    failures: list[dict[str, Any]] = field(default_factory=list)

    def add(self, case: dict[str, Any], given: set[str]) -> None:
        """Count one case: exact when just what should come came and nothing came that must not."""
        expected = case["expect"]["relevantBeliefs"]
        wanted = set(expected.get("shouldOnlyInclude", given - set(expected.get("mustExclude", ()))))
        excluded = set(expected.get("mustExclude", ()))
        exact = given == wanted and not given & excluded
        self.cases += 1
        self.exact += exact
        self.right += len(given & wanted)
        self.given += len(given)
        self.wanted += len(wanted)
        if not exact:
            self.failures.append(
                {"case": case["caseId"], "query": case["query"], "given": sorted(given), "wanted": sorted(wanted)}
            )

    @property
    def precision(self) -> float:
        """The share of what came that should have come."""
        return self.right / self.given if self.given else 1.0

    @property
    def recall(self) -> float:
        """The share of what should have come that came."""
        return self.right / self.wanted if self.wanted else 1.0


def read(folder: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Beliefs and cases of a folder; cases that say nothing about recalled beliefs are left out."""
    with open(os.path.join(folder, "beliefs.seed.json"), encoding="utf-8") as file:
        beliefs = json.load(file)
    with open(os.path.join(folder, "retrieval.cases.json"), encoding="utf-8") as file:
        cases = json.load(file)
    return beliefs, [case for case in cases if "relevantBeliefs" in case["expect"]]


def run(folder: str, *, without_aliases: bool = False) -> list[Score]:
    """Ours and plain FTS5 on the same cases; also with no name that somebody thought of by hand but the subject."""
    beliefs, cases = read(folder)
    if without_aliases:
        beliefs = [belief | {"aliases": []} for belief in beliefs]
    return [_ours(beliefs, cases), _plain(beliefs, cases)]


def _is_recalled(belief: dict[str, Any]) -> bool:
    return not belief["pinned"] and belief["type"] != "open_question"


def _budget(case: dict[str, Any], beliefs: list[dict[str, Any]]) -> int | None:
    if "budget" not in case:
        return None
    pinned: int = sum(
        belief["pinned"] and belief["type"] != "open_question" and bool(set(belief["scope"]) & set(case["scope"]))
        for belief in beliefs
        if belief["user_id"] == case.get("userId", USER)
    )
    return max(0, int(case["budget"]["maxBeliefs"]) - pinned)


def _draft(belief: dict[str, Any]) -> Draft:
    return Draft(
        belief["content"],
        layer="L0" if UNIVERSAL in belief["scope"] else "L1",
        scope="user",
        subject=belief["canonical_name"],
        aliases=tuple(belief["aliases"]),
        reason=belief["why_it_matters"],
        tags=tuple(belief["scope"]),
        confidence=belief["confidence"],
    )


def _fill(memory: Recollect, beliefs: list[dict[str, Any]]) -> dict[str, str]:
    """Belief ids by entry id. What was superseded is stored first and then replaced, as it happened."""
    names: dict[str, str] = {}
    entries: dict[str, str] = {}
    for belief in sorted(beliefs, key=lambda one: one["superseded_by"] is None):
        if not (_is_recalled(belief) or belief["superseded_by"]):
            continue
        predecessor = next((b["_id"] for b in beliefs if b["superseded_by"] == belief["_id"]), None)
        draft = _draft(belief)
        if predecessor in entries:
            outcome = memory.writes(Person("user")).batch([Update(entries[predecessor], draft)])[0]
        else:
            outcome = memory.remember(
                draft.content,
                layer=draft.layer,
                scope="user",
                subject=draft.subject,
                aliases=draft.aliases,
                reason=draft.reason,
                tags=draft.tags,
                confidence=draft.confidence,
            )
        entries[belief["_id"]] = outcome.entry_id
        names[outcome.entry_id] = belief["_id"]
    for belief in beliefs:
        entry_id = entries.get(belief["_id"], "")
        if belief["superseded_by"] and entry_id and memory.entries.get(entry_id).status == "active":
            memory.forget(entry_id)
    return names


def _ours(beliefs: list[dict[str, Any]], cases: list[dict[str, Any]]) -> Score:
    score = Score("recollect")
    with tempfile.TemporaryDirectory() as folder:
        homes: dict[str, tuple[Recollect, dict[str, str]]] = {}
        for case in cases:
            user = case.get("userId", USER)
            if user not in homes:
                memory = Recollect.open(os.path.join(folder, user), folder=folder, environ={"HOME": folder})
                homes[user] = (memory, _fill(memory, [b for b in beliefs if b["user_id"] == user]))
            memory, names = homes[user]
            found = memory.recall(case["query"], tags=case["scope"], k=_budget(case, beliefs)).found
            score.add(case, {names[one.entry.entry_id] for one in found.entries})
        for memory, _ in homes.values():
            memory.close()
    return score


def _plain(beliefs: list[dict[str, Any]], cases: list[dict[str, Any]]) -> Score:
    """FTS5 with porter stems over names, aliases and content; scope, status and user as filters; the best eight."""
    score = Score("plain FTS5")
    base = sqlite3.connect(":memory:")
    base.execute("CREATE VIRTUAL TABLE texts USING fts5 (names, content, tokenize = 'porter unicode61')")
    kept = [b for b in beliefs if _is_recalled(b) and not b["superseded_by"] and UNIVERSAL not in b["scope"]]
    for row, belief in enumerate(kept):
        names = " ".join([belief["canonical_name"].replace("_", " "), *belief["aliases"]])
        base.execute("INSERT INTO texts (rowid, names, content) VALUES (?, ?, ?)", (row, names, belief["content"]))
    for case in cases:
        words = "".join(c if c.isalnum() else " " for c in case["query"]).split()
        match = " OR ".join(f'"{word}"' for word in words)
        matching = "SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY rank"
        rows = base.execute(matching, (match,)).fetchall() if words else []
        allowed = [
            kept[row]["_id"]
            for (row,) in rows
            if set(kept[row]["scope"]) & set(case["scope"]) and kept[row]["user_id"] == case.get("userId", USER)
        ]
        budget = _budget(case, beliefs)
        score.add(case, set(allowed[: 8 if budget is None else budget]))
    return score
