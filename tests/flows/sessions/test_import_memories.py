"""Moving in from another memory: each of its statements waits, with where it came from, unless the person typed it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from recollect.memory.foreign import facts_in
from tests.command_line import Run
from tests.conftest import make_repository
from tests.flows.sessions.test_folders import codex_log

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
CODEX = """v1
# Task Group: shop checkout
scope: cart and checkout, and what money is rounded to
applies_to: cwd=/home/me/shop; reuse_rule=safe in this folder

## Task 1: Fix the totals, success
### rollout_summary_files
- rollout_summaries/2026-10-01-abc.md (cwd=/home/me/shop, success)
### keywords
- rounding, cents, totals

## Reusable knowledge
- Money is kept as whole cents. [Task 1][Task 2]
"""
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
        (
            "claude-md",
            "This file provides guidance to Claude Code (claude.ai/code) when working with code in this repository.\n\n"
            "Commands:\n- Run make lint first.\n\nNever do these:\n\n1. Push to main.\n   - Not even a typo:\n"
            "     - in the docs folder\n2. Edit the lock file.\n\nThe API base is /v2.\n",
            [
                "Run make lint first.",
                "Never do these: Push to main.",
                "Never do these: Not even a typo: in the docs folder",
                "Never do these: Edit the lock file.",
                "The API base is /v2.",
            ],
        ),
        ("cursor-rules", "Example:\n```ts\nlet a = 1\n```\n- Prefer named exports.\n", ["Prefer named exports."]),
        ("claude-md", "# Rules\n\n* Use tabs in Go files.\n1. Run make lint first.\n", ["Use tabs in Go files.", "Run make lint first."]),
        ("cursor-rules", "---\nglobs: '*.ts'\n---\n- Prefer named exports.\n", ["Prefer named exports."]),
        ("codex-memory", CODEX, ["Money is kept as whole cents."]),
        ("codex-memory", "- The API base is /v2.\n", ["The API base is /v2."]),
        ("copilot-memory", COPILOT, ["Use fetch, not axios."]),
        ("basic-memory", BASIC, ["Use Postgres for the ledger"]),
        ("mem0", MEM0, ["Prefers short answers."]),
    ],
)  # fmt: skip
def test_each_memory_is_read_in_its_own_format(kind: str, text: str, wanted: list[str]) -> None:
    assert [fact.text for fact in facts_in(kind, text).facts] == wanted


def test_what_claude_code_remembered_waits_with_where_it_came_from(cli: Run, tmp_path: Path, repository: Path) -> None:
    slug = "".join(letter if letter.isalnum() else "-" for letter in str(repository))
    folder = tmp_path / "user" / ".claude" / "projects" / slug / "memory"
    folder.mkdir(parents=True)
    (folder / "deploys.md").write_text(CLAUDE)
    done = cli("import", "--from", "claude-memory")
    assert done.out == "Read 1 file: 2 waiting for your review.\n", done
    assert cli("list", "--json").json == []
    waiting = cli("pending", "--json").json
    assert {one["what"] for one in waiting} == {fact.text for fact in facts_in("claude-memory", CLAUDE).facts}
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
    (repository / "CLAUDE.md").write_text(
        "- This repository uses pnpm, not npm.\n- The staging panel takes password = hunter2hunter2XQ9\n"
    )
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
    assert (done.code, done.err) == (1, "recollect: Found nothing from mem0 here; name its file or folder.\n")
    assert cli("import", "--typed").code == 2
    assert "leave it out" in cli("import", "--from", "mem0", "--host", "codex").err
    assert cli("import", "--from", "mem0", "--exclude", "*/private/*").code == 2


def test_a_reason_stays_with_the_fact_before_it(cli: Run, tmp_path: Path) -> None:
    (tmp_path / "node.md").write_text(
        "Use Node 22 here.\n\n**Why:** vite 7 dropped Node 18.\n**How to apply:** run `nvm use` first.\n"
    )
    assert "1 waiting" in cli("import", "--from", "claude-memory", str(tmp_path / "node.md")).out
    [waiting] = cli("pending", "--json").json
    assert waiting["what"] == "Use Node 22 here."
    assert waiting["reason"] == (
        "Why: vite 7 dropped Node 18. How to apply: run `nvm use` first. From Claude Code's memory (node.md)."
    )


def test_a_rule_about_some_files_names_them_and_where_it_is_from(cli: Run, repository: Path) -> None:
    rules = repository / ".claude" / "rules"
    rules.mkdir(parents=True)
    (rules / "api.md").write_text('---\npaths:\n  - "src/api/**/*.ts"\n---\n- Validate every request body.\n')
    assert "1 stored" in cli("import", "--from", "claude-md", "--typed").out
    [entry] = cli("list", "--json").json
    assert entry["content"] == "In src/api/: Validate every request body."
    assert cli("show", entry["id"], "--json").json["reason"] == "From Claude Code's rules (.claude/rules/api.md)."


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ("globs: src/components/**/*.tsx", "In src/components/: Buttons are blue."),
        ("globs: src/ui/**, **/*.css", "In src/ui/ and *.css files: Buttons are blue."),
        ('globs:\n  - "**/components/**"\n  - test_*.py', "In components/ and test_*.py files: Buttons are blue."),
        ("globs: ['{app,lib}/**']", "In {app,lib}/: Buttons are blue."),
        ("paths:\nglobs: src/ui/**", "In src/ui/: Buttons are blue."),
        ("globs: '**'", "Buttons are blue."),
        ("globs: src/ui/**\nalwaysApply: true", "Buttons are blue."),
    ],
)
@pytest.mark.parametrize("kind", ["cursor-rules", "claude-md"])
def test_the_files_that_a_rule_is_about_come_with_it_however_they_are_written(
    cli: Run, repository: Path, kind: str, header: str, said: str
) -> None:
    rules = repository / (".cursor" if kind == "cursor-rules" else ".claude") / "rules"
    rules.mkdir(parents=True)
    (rules / "a.md").write_text(f"---\n{header}\n---\n- Buttons are blue.\n")
    assert "1 stored" in cli("import", "--from", kind, "--typed").out
    assert [entry["content"] for entry in cli("list", "--json").json] == [said]


def test_what_a_fact_of_copilot_rests_on_comes_with_it(cli: Run, repository: Path) -> None:
    (repository / "http.ts").write_text("export const get = fetch\n")
    fact = {"fact": "Use fetch, not axios.", "citations": ["http.ts:1", "said in a review"]}
    (repository / "facts.jsonl").write_text(json.dumps(fact) + "\nnot json\n{}\n")
    done = cli("import", "--from", "copilot-memory", str(repository / "facts.jsonl"), "--typed", "--json").json
    assert (done["stored"], done["skipped"]) == (
        1,
        [
            {"what": "facts.jsonl", "why": "line 2 is not valid JSON"},
            {"what": "facts.jsonl", "why": "line 3 has no fact"},
        ],
    )
    [entry] = cli("list", "--json").json
    cited = cli("show", entry["id"], "--json").json["citations"]
    assert [one.get("path") or one["quote"] for one in cited] == ["http.ts", "said in a review"]


@pytest.mark.parametrize("mark", [", ", "; ", ","])
def test_several_files_that_copilot_cites_in_one_text_are_checked_one_by_one(
    cli: Run, repository: Path, mark: str
) -> None:
    (repository / "src").mkdir()
    (repository / "src" / "a.py").write_text("\n".join(f"limit_{number} = {number}" for number in range(1, 12)))
    facts = [
        {"fact": "The limits stand in one file.", "citations": mark.join(("src/a.py:3-5", "src/a.py:9"))},
        {"fact": "Retries are capped at three.", "citations": ["src/gone.py:4"]},
        {"fact": "The team meets on Mondays.", "citations": "said by Ann, who leads it"},
    ]
    (repository / "facts.jsonl").write_text("\n".join(map(json.dumps, facts)))
    assert "3 stored" in cli("import", "--from", "copilot-memory", str(repository / "facts.jsonl"), "--typed").out
    shown = {one["content"]: cli("show", one["id"], "--json").json for one in cli("list", "--json").json}
    limits = shown["The limits stand in one file."]["citations"]
    assert [(one["path"], one["start"], one["end"]) for one in limits] == [("src/a.py", 3, 5), ("src/a.py", 9, 9)]
    [gone] = shown["Retries are capped at three."]["citations"]
    assert (gone["path"], gone["start"]) == ("src/gone.py", 4)
    assert shown["Retries are capped at three."]["check"] == "gone"
    [said] = shown["The team meets on Mondays."]["citations"]
    assert said["quote"] == "said by Ann, who leads it"


@pytest.mark.parametrize(
    ("kind", "name", "text", "why"),
    [
        ("mem0", "bad.json", '{"results": [', "can't be read as mem0: it is not valid JSON"),
        ("mem0", "CLAUDE.md", "- Use tabs.\n", "can't be read as mem0: it is not valid JSON"),
        ("mem0", "other.json", '{"version": 1}', "can't be read as mem0: it is not a list of memories"),
        ("copilot-memory", "CLAUDE.md", "- Use tabs.\n", "no line is a JSON record with a fact"),
        ("claude-md", "facts.json", "[]", "is not Markdown"),
    ],
)
def test_a_file_of_another_kind_is_refused_by_name(
    cli: Run, tmp_path: Path, kind: str, name: str, text: str, why: str
) -> None:
    (tmp_path / name).write_text(text)
    done = cli("import", "--from", kind, str(tmp_path / name))
    assert (done.code, done.out) == (1, "")
    assert f"{tmp_path / name} " in done.err
    assert why in done.err
    assert len(done.err.splitlines()) == 1


def test_one_undo_takes_back_a_whole_import_and_it_can_come_again(cli: Run, repository: Path) -> None:
    (repository / "CLAUDE.md").write_text("- Use tabs in Go files.\n- Run make lint first.\n- The API base is /v2.\n")
    done = cli("import", "--from", "claude-md", "--typed")
    assert "3 stored" in done.out
    assert "recollect undo" in done.err
    assert cli("undo").code == 0
    assert cli("list", "--json").json == []
    assert "3 stored" in cli("import", "--from", "claude-md", "--typed").out
    assert len(cli("list", "--json").json) == 3


def test_an_undo_of_many_names_some_of_them(cli: Run, repository: Path) -> None:
    (repository / "CLAUDE.md").write_text("".join(f"- Service {n} listens on port {8000 + n}.\n" for n in range(14)))
    assert "14 stored" in cli("import", "--from", "claude-md", "--typed").out
    undone = cli("undo")
    assert undone.err.count(" is gone: ") == 10
    assert "... and 4 more" in undone.err


def test_what_waited_before_it_was_stored_as_typed_waits_again_after_an_undo(cli: Run, repository: Path) -> None:
    (repository / "CLAUDE.md").write_text("- Use tabs in Go files.\n")
    assert "1 waiting" in cli("import", "--from", "claude-md").out
    (repository / "CLAUDE.md").write_text("- Use tabs in Go files.\n- Run make lint first.\n")
    assert "2 stored" in cli("import", "--from", "claude-md", "--typed").out
    assert cli("pending", "--json").json == []
    assert cli("undo").code == 0
    assert [one["what"] for one in cli("pending", "--json").json] == ["Use tabs in Go files."]
    again = cli("import", "--from", "claude-md")
    assert again.out == "Read 1 file: 1 waiting for your review, 1 already proposed.\n"
    waiting = cli("pending", "--json").json
    assert {one["what"] for one in waiting} == {"Use tabs in Go files.", "Run make lint first."}
    for one in waiting:
        done = cli("approve", one["id"])
        assert done.code == 0, done
    assert len(cli("list", "--json").json) == 2


def test_the_same_rule_in_another_repository_is_not_known_there(
    cli: Run, tmp_path: Path, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop = make_repository(tmp_path / "shop", remote="git@github.com:owner/shop.git")
    for folder in (repository, shop):
        (folder / "CLAUDE.md").write_text("- Use tabs in Go files.\n")
    assert cli("import", "--from", "claude-md").out == "Read 1 file: 1 waiting for your review.\n"
    assert "1 stored" in cli("import", "--from", "claude-md", "--typed").out
    monkeypatch.chdir(shop)
    assert cli("import", "--from", "claude-md").out == "Read 1 file: 1 waiting for your review.\n"
    assert "1 stored" in cli("import", "--from", "claude-md", "--typed").out
    assert cli("import", "--from", "claude-md").out == "Read 1 file: 1 already stored.\n"
    found = [one["repository"] for one in cli("list", "--all", "--json").json]
    assert sorted(found) == ["github.com/owner/app", "github.com/owner/shop"]


def test_what_codex_noted_about_one_project_holds_only_there(cli: Run, tmp_path: Path, repository: Path) -> None:
    shop = make_repository(tmp_path / "shop", remote="git@github.com:owner/shop.git")
    groups = (
        f"# Task Group: here\nscope: this\napplies_to: cwd={repository}; reuse_rule=safe\n- Money is kept in cents.\n",
        f"# Task Group: shop\napplies_to: cwd={shop}; reuse_rule=safe\n- Deploys run with `make ship` and need VPN.\n"
        f"```\n# a comment\n```\n- Releases are tagged on Fridays.\n",
        "# Task Group: gone\napplies_to: cwd=/nowhere/ledger; reuse_rule=safe\n- The ledger runs on port 7001.\n",
        "# Task Group: sessions\n### rollout_summary_files\n- rollout_summaries/a.md (cwd=/nowhere/crm, success)\n"
        "## Reusable knowledge\n- The CRM is written in Elixir.\n",
        "# General tips\n- The user prefers short answers.\n",
    )
    (tmp_path / "MEMORY.md").write_text("\n".join(groups))
    assert "6 stored" in cli("import", "--from", "codex-memory", str(tmp_path / "MEMORY.md"), "--typed").out
    found = {one["content"]: one["repository"] for one in cli("list", "--all", "--json").json}
    assert found == {
        "Money is kept in cents.": "github.com/owner/app",
        "Deploys run with `make ship` and need VPN.": "github.com/owner/shop",
        "Releases are tagged on Fridays.": "github.com/owner/shop",
        "The ledger runs on port 7001.": "path:/nowhere/ledger",
        "The CRM is written in Elixir.": "path:/nowhere/crm",
        "The user prefers short answers.": "",
    }
    assert "make ship" not in cli("recall", "how do deploys run?").out


def test_quotes_and_callouts_are_statements_and_what_is_left_out_is_counted(cli: Run, repository: Path) -> None:
    (repository / "CLAUDE.md").write_text(
        "# Rules\nSee @README.md for the overview.\n\nThe API base is /v2.\n> Note: migrations are run by CI.\n\n"
        "> [!WARNING]\n> Never run `terraform destroy`.\n> ```sh\n> terraform destroy -auto-approve\n> ```\n\n"
        "| a | b |\n|---|---|\n| 1 | 2 |\n\n- [ ] TODO: move to Go\n- [x] Rename the service\n- Be kind\n"
    )
    done = cli("import", "--from", "claude-md")
    assert done.out == "Read 1 file: 3 waiting for your review.\n", done
    assert done.err.splitlines()[0] == "Left out: 1 code block, 1 table, 2 to-dos, 1 short line."
    assert {one["what"] for one in cli("pending", "--json").json} == {
        "The API base is /v2.",
        "Note: migrations are run by CI.",
        "Never run `terraform destroy`.",
    }
    left = cli("import", "--from", "claude-md", "--json").json["left_out"]
    assert left == {"code block": 1, "table": 1, "to-do": 2, "short line": 1}


def test_checkboxes_are_no_observations_of_basic_memory(cli: Run, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(
        "- [ ] buy milk and bread\n- [x] done with the move\n- [-] dropped the idea\n- [tip] Deploys run on Mondays.\n"
    )
    assert "1 waiting" in cli("import", "--from", "basic-memory", str(tmp_path / "a.md")).out
    assert [one["what"] for one in cli("pending", "--json").json] == ["Deploys run on Mondays."]


def test_notes_of_codex_on_a_folder_that_is_gone_belong_where_its_sessions_do(
    cli: Run, tmp_path: Path, repository: Path
) -> None:
    codex_log(tmp_path / "logs", "a", "/gone/shop", "https://github.com/owner/shop.git")
    assert cli("import", "--host", "codex", str(tmp_path / "logs")).code == 0
    (tmp_path / "MEMORY.md").write_text(CODEX.replace("/home/me/shop", "/gone/shop"))
    assert "1 stored" in cli("import", "--from", "codex-memory", str(tmp_path / "MEMORY.md"), "--typed").out
    [entry] = cli("list", "--all", "--json").json
    assert entry["repository"] == "github.com/owner/shop"
