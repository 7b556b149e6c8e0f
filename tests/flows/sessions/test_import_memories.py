"""Moving in from another memory: each of its statements waits, with where it came from, unless the person typed it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from recollect.memory.foreign import facts_in
from tests.command_line import Run

CLAUDE = """---
name: deploys
description: how deploys work
---
# Deploys
- **Deploys** run from the main branch
  only, never from a laptop.
- [Testing](testing.md) — see there
```sh
- not a statement
```
The staging database is rebuilt every night.
"""
BASIC = """---
title: Coffee
permalink: coffee
---
## Observations
- [decision] Use Postgres for the ledger #database #ledger (from the meeting)
## Relations
- relates_to [[Ledger]]
"""
COPILOT = (
    json.dumps({"id": "1", "fact": "Use fetch, not axios.", "subject": "http", "reason": "smaller"}) + "\nbroken\n"
)
MEM0 = json.dumps({"results": [{"id": "1", "memory": "Prefers short answers.", "categories": ["style"]}, {"id": "2"}]})


@pytest.mark.parametrize(
    ("kind", "text", "wanted"),
    [
        (
            "claude-memory",
            CLAUDE,
            [
                "Deploys run from the main branch only, never from a laptop.",
                "The staging database is rebuilt every night.",
            ],
        ),
        ("claude-md", "# Rules\n\n* Use tabs in Go files.\n1. Run make lint first.\n", ["Use tabs in Go files.", "Run make lint first."]),
        ("cursor-rules", "---\nglobs: '*.ts'\n---\n- Prefer named exports.\n", ["Prefer named exports."]),
        ("codex-memory", "- The API base is /v2.\n", ["The API base is /v2."]),
        ("copilot-memory", COPILOT, ["Use fetch, not axios."]),
        ("basic-memory", BASIC, ["Use Postgres for the ledger"]),
        ("mem0", MEM0, ["Prefers short answers."]),
        ("mem0", "not json", []),
    ],
)  # fmt: skip
def test_each_memory_is_read_in_its_own_format(kind: str, text: str, wanted: list[str]) -> None:
    assert [fact.text for fact in facts_in(kind, text)] == wanted


def test_what_claude_code_remembered_waits_with_where_it_came_from(cli: Run, tmp_path: Path, repository: Path) -> None:
    slug = "".join(letter if letter.isalnum() else "-" for letter in str(repository))
    folder = tmp_path / "user" / ".claude" / "projects" / slug / "memory"
    folder.mkdir(parents=True)
    (folder / "deploys.md").write_text(CLAUDE)
    done = cli("import", "--from", "claude-memory")
    assert done.out == "Read 1 file: 2 waiting for your review.\n", done
    assert cli("list", "--json").json == []
    waiting = cli("pending", "--json").json
    assert {one["what"] for one in waiting} == {fact.text for fact in facts_in("claude-memory", CLAUDE)}
    assert {(one["from"], one["why"]) for one in waiting} == {("Claude Code's memory", "nobody can tell who wrote it.")}
    assert all(one["reason"].endswith("From Claude Code's memory (deploys.md).") for one in waiting)
    assert cli("approve", waiting[0]["id"]).code == 0
    assert cli("reject", waiting[1]["id"]).code == 0
    [entry] = cli("list", "--json").json
    assert "from:claude-memory" in entry["tags"]
    assert cli("import", "--from", "claude-memory", "--json").json["known"] == 2, (
        "what was decided is not offered again"
    )


def test_what_the_person_typed_there_is_stored_at_once(cli: Run, repository: Path) -> None:
    (repository / "CLAUDE.md").write_text("- This repository uses pnpm, not npm.\n- password = hunter2hunter2XQ9\n")
    assert "2 waiting" in cli("import", "--from", "claude-md").out
    again = cli("import", "--from", "claude-md")
    assert again.out == "Read 1 file: 2 already proposed.\n"
    assert "recollect review" in again.err
    assert "2 stored" in cli("import", "--from", "claude-md", "--typed").out, "it was only waiting"
    assert cli("pending", "--json").json == []
    found = cli("list", "--json").json
    assert any(one["source"] == "user" and "pnpm" in one["content"] for one in found)
    assert "hunter2" not in json.dumps(found)


def test_where_there_is_nothing_it_says_so(cli: Run) -> None:
    done = cli("import", "--from", "mem0")
    assert (done.code, done.err) == (1, "recollect: mem0 was not found here; name its file or folder.\n")
    assert cli("import", "--typed").code == 2
