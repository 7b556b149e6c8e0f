"""What a developer's memory is asked to do: the facts that a prompt needs, and the facts that a correction replaces.

`python -m benchmarks.everyday FOLDER [--only prompts,corrections] [--semantic] [--show N] [--json]`
FOLDER holds JSON lines: `stores.jsonl` (store, repository, facts with key, text, scope), `prompts.jsonl` (store,
prompt, must, may, kind) and `corrections.jsonl` (store, said, replaces, becomes, kind). Every store has a home of its
own, every correction is said to a copy of it. Plain FTS5, one table and a floor, answers the same prompts.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections import Counter
from contextlib import suppress
from typing import Any

from benchmarks.data_sets import data_set
from recollect import Recollect
from recollect.errors import Refused
from recollect.flows.turns.near_entries import NearEntries, fill_entry_vectors
from recollect.providers.sentences import Sentences
from recollect.text.extras import install_line

PARTS = ("prompts", "corrections")
PLAIN_FLOOR = 8.0  # of BM25; a lower one finds more and answers every second trap
PLAIN_MOST = 8
LIKE_A_PERSON = 0.6  # overlap of words
MOST_LISTED = 500
Row = dict[str, Any]


class Home:
    """The memory of one store, filled with its facts."""

    def __init__(self, root: str, store: Row, sentences: Sentences | None = None) -> None:
        self.root = root
        self.sentences: Sentences | None = None
        self.facts = {fact["key"]: fact["text"] for fact in store["facts"]}
        folder = os.path.join(root, "repository")
        os.makedirs(folder)
        owner = store["repository"].split("/", 1)[1]
        for words in (["init", "-q"], ["remote", "add", "origin", f"git@github.com:{owner}.git"]):
            subprocess.run(["git", *words], cwd=folder, check=True)
        with self.opened() as memory:
            written = [(fact["key"], memory.remember(fact["text"], scope=fact["scope"])) for fact in store["facts"]]
        self.keys = {outcome.entry_id: key for key, outcome in written}
        self.sentences = sentences

    def opened(self, root: str = "") -> Recollect:
        """The memory itself, or a copy of it."""
        root = root or self.root
        folder = os.path.join(root, "repository")
        memory = Recollect.open(os.path.join(root, "home"), folder=folder, environ={"HOME": root})
        if self.sentences is not None:
            # As a server beside it would answer.
            fill_entry_vectors(memory.opened.store, self.sentences)
            memory.opened.near = NearEntries(memory.opened.store, self.sentences).nearness
        return memory

    def prompts(self, cases: list[Row]) -> list[Row]:
        """What each prompt gets."""
        rows = []
        with self.opened() as memory:
            for case in cases:
                found = memory.recall(case["prompt"], layers=("L1",)).found
                rows.append(answered(case, [self.keys.get(one.entry.entry_id, "?") for one in found.entries]))
        return rows

    def corrections(self, cases: list[Row]) -> list[Row]:
        """What each correction does to a copy."""
        rows = []
        for case in cases:
            copy = self.root + "-copy"
            shutil.copytree(self.root, copy, symlinks=True)
            with self.opened(copy) as memory:
                rows.append(self._corrected(case, memory))
            shutil.rmtree(copy)
        return rows

    def _corrected(self, case: Row, memory: Recollect) -> Row:
        before = active(memory)
        with suppress(Refused):  # a question corrects nothing
            memory.correct(case["said"])
        after = active(memory)
        flagged = {entry.entry_id for pair in memory.entries.conflicts() for entry in pair}
        new = [text for entry_id, text in after.items() if entry_id not in before]
        return {
            **case,
            "gone": {self.keys[one] for one in before.keys() - after.keys() if one in self.keys},
            "flagged": {self.keys[one] for one in flagged if one in self.keys},
            "like": max([overlap(case["becomes"], text) for text in new], default=0.0),
            "old_like": max([overlap(case["becomes"], self.facts[key]) for key in case["replaces"]], default=0.0),
        }


def active(memory: Recollect) -> dict[str, str]:
    """What every active entry says, by its id."""
    return {entry.entry_id: entry.content for entry in memory.entries.list(status="active", limit=MOST_LISTED)}


def answered(case: Row, got: list[str]) -> Row:
    """A prompt with what it got: which of that must come, and which neither must nor may."""
    hit = [key for key in case["must"] if key in got]
    return {**case, "hit": hit, "wrong": [key for key in got if key not in case["must"] and key not in case["may"]]}


def plain(store: Row, cases: list[Row]) -> list[Row]:
    """What each prompt gets from one FTS5 table with porter stems: the best above a floor."""
    base = sqlite3.connect(":memory:")
    base.execute("CREATE VIRTUAL TABLE facts USING fts5 (text, tokenize = 'porter unicode61')")
    base.executemany("INSERT INTO facts (text) VALUES (?)", [(fact["text"],) for fact in store["facts"]])
    rows = []
    for case in cases:
        words = re.findall(r"\w+", case["prompt"])
        match = " OR ".join(f'"{word}"' for word in words)
        best = "SELECT rowid FROM facts WHERE facts MATCH ? AND -bm25(facts) >= ? ORDER BY rank LIMIT ?"
        found = base.execute(best, (match, PLAIN_FLOOR, PLAIN_MOST)).fetchall() if words else []
        rows.append(answered(case, [store["facts"][row - 1]["key"] for (row,) in found]))
    base.close()
    return rows


def overlap(left: str, right: str) -> float:
    """How far two texts consist of the same words."""
    one, two = (Counter(re.findall(r"\w+", text.lower())) for text in (left, right))
    return 2 * (one & two).total() / max(1, one.total() + two.total())


def read(folder: str, name: str) -> list[Row]:
    """The lines of one file of a set."""
    with open(os.path.join(folder, f"{name}.jsonl"), encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def run(folder: str, only: list[str], sentences: Sentences | None = None) -> dict[str, list[Row]]:
    """Every case with what came of it, by system and part."""
    cases = {part: read(folder, part) for part in only}
    done: dict[str, list[Row]] = {name: [] for name in (*only, *(["plain FTS5"] if "prompts" in only else []))}
    with tempfile.TemporaryDirectory() as work:
        for store in read(folder, "stores"):
            own = {part: [case for case in cases[part] if case["store"] == store["store"]] for part in only}
            home = Home(os.path.join(work, store["store"]), store, sentences)
            if "prompts" in only:
                done["prompts"] += home.prompts(own["prompts"])
                done["plain FTS5"] += plain(store, own["prompts"])
            if "corrections" in only:
                done["corrections"] += home.corrections(own["corrections"])
    return done


def prompt_figures(rows: list[Row]) -> dict[str, Any]:
    """Of these prompts: facts that must come and do; those that get something wrong, of all and of those in need of
    nothing."""
    silent = [row for row in rows if not row["must"]]
    return {
        "must": share(sum(len(row["hit"]) for row in rows), sum(len(row["must"]) for row in rows)),
        "wrong": share(sum(bool(row["wrong"]) for row in rows), len(rows)),
        "wrong_of_silent": share(sum(bool(row["wrong"]) for row in silent), len(silent)),
    }


def correction_figures(rows: list[Row]) -> dict[str, Any]:
    """Of these corrections: exactly the right facts replaced where some are due, and these at least flagged; nothing
    replaced where nothing is due; a true fact lost; new text as a person would keep it."""
    due = [row for row in rows if row["replaces"]]
    idle = [row for row in rows if not row["replaces"]]
    replaced = [row for row in due if row["gone"] == set(row["replaces"])]
    noticed = [row for row in due if (row["gone"] | row["flagged"]) & set(row["replaces"])]
    like = [row for row in due if row["like"] >= LIKE_A_PERSON and row["like"] > row["old_like"]]
    return {
        "exact": share(len(replaced), len(due)),
        "noticed": share(len(noticed), len(due)),
        "left_alone": share(sum(not row["gone"] for row in idle), len(idle)),
        "lost": share(sum(bool(row["gone"] - set(row["replaces"])) for row in rows), len(rows)),
        "text": share(len(like), len(due)),
    }


def share(part: int, of: int) -> str:
    """So many of so many, and as a share."""
    return f"{part}/{of} = {part / of:.2f}" if of else "-"


def document(done: dict[str, list[Row]]) -> dict[str, Any]:
    """The figures of each system and part, of all and by kind."""
    return {
        name: by_kind(rows, correction_figures if name == "corrections" else prompt_figures)
        for name, rows in done.items()
    }


def by_kind(rows: list[Row], figures: Any) -> dict[str, Any]:
    """The figures of all and of each kind."""
    kinds = sorted({row["kind"] for row in rows})
    return {"all": figures(rows)} | {kind: figures([row for row in rows if row["kind"] == kind]) for kind in kinds}


def table(shown: dict[str, Any]) -> str:
    """The same for people."""
    lines = []
    for name, kinds in shown.items():
        lines.append(name)
        for kind, figures in kinds.items():
            lines.append(f"  {kind:<16}" + "  ".join(f"{what} {value:<16}" for what, value in figures.items()).rstrip())
    return "\n".join(lines)


def failures(done: dict[str, list[Row]], most: int) -> list[str]:
    """The first cases of each part that went wrong."""
    prompts, corrections = done.get("prompts", []), done.get("corrections", [])
    missed = [
        f"MISSED {row['kind']} {row['prompt'][:110]!r} {row['must']}"
        for row in prompts
        if row["must"] and not row["hit"]
    ]
    wrong = [f"WRONG {row['kind']} {row['prompt'][:110]!r} {row['wrong']}" for row in prompts if row["wrong"]]
    other = [
        f"CORRECTED {row['kind']} {row['said'][:110]!r} should {row['replaces']} did {sorted(row['gone'])}"
        for row in corrections
        if row["gone"] != set(row["replaces"])
    ]
    return [*missed[:most], *wrong[:most], *other[:most]]


def main(arguments: list[str] | None = None) -> int:
    """Run a set and print what came of it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.everyday", description=__doc__)
    parser.add_argument("folder", type=data_set)
    parser.add_argument("--only", default=",".join(PARTS), help="prompts, corrections, or both with a comma between")
    parser.add_argument("--semantic", action="store_true", help="with the sentence vectors of the extra")
    parser.add_argument("--show", type=int, default=0, help="how many cases that went wrong are listed, of each sort")
    parser.add_argument("--json", action="store_true", help="one JSON document instead of the table")
    options = parser.parse_args(arguments)
    only = options.only.split(",")
    if unknown := [part for part in only if part not in PARTS]:
        parser.error(f"{unknown[0]!r} is neither prompts nor corrections")
    sentences = Sentences.load() if options.semantic else None
    if options.semantic and sentences is None:
        parser.error(f"--semantic needs the extra: {install_line('semantic')}")
    done = run(options.folder, only, sentences)
    print(json.dumps(document(done), indent=2) if options.json else table(document(done)))
    print("\n".join(failures(done, options.show)), end="\n" if options.show else "")
    return 0


if __name__ == "__main__":
    sys.exit(main())
