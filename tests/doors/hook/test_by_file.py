"""Before a tool touches a file, a session hears what is known of it: once, and little."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from recollect import Recollect
from recollect.memory.paths import concerns, parts_of
from recollect.text.tokens import estimate_tokens
from tests.hook_calls import answered, heard, launched, pre_compact, prompt, session_start, taken

HOSTS = ("claude-code", "codex", "cursor", "cline")
RULE = "Never touch the legacy/ folder."


def tool(host: str, cwd: Path, path: str, session: str = "S", **more: Any) -> dict[str, Any]:
    """A tool that is about to change a file, as the host tells it."""
    start = session_start(host, cwd, session)
    start.pop("source", None)
    if host == "codex":
        patch = f"*** Begin Patch\n*** Update File: {path}\n@@\n-a\n+b\n*** End Patch"
        return {**start, "hook_event_name": "PreToolUse", "tool_name": "apply_patch", "tool_input": {"command": patch}}
    if host == "cline":
        inner = {"toolName": "write_to_file", "parameters": {"path": path, "content": "x"}}
        del start["taskStart"]
        return {**start, "hookName": "PreToolUse", "preToolUse": inner}
    name = "preToolUse" if host == "cursor" else "PreToolUse"
    return {**start, "hook_event_name": name, "tool_name": "Edit", "tool_input": {"file_path": path}, **more}


@pytest.fixture
def homes(memory: Recollect, tmp_path: Path) -> tuple[Path, Path]:
    return tmp_path / "home", tmp_path / "user"


@pytest.mark.parametrize("host", HOSTS)
def test_a_rule_about_a_folder_comes_before_a_tool_touches_a_file_below_it(
    memory: Recollect, repository: Path, homes: tuple[Path, Path], host: str
) -> None:
    memory.remember(RULE)
    path = str(repository / "legacy" / "foo.py")
    assert RULE in taken(host, answered(tool(host, repository, path), *homes, host=host))


def test_a_real_process_says_it_once_for_each_session_and_path(
    memory: Recollect, repository: Path, homes: tuple[Path, Path]
) -> None:
    memory.remember(RULE)
    (homes[0] / "config.toml").write_text("[hook]\nlimit_milliseconds = 10000\n")
    path = str(repository / "legacy" / "foo.py")
    first = launched(tool("claude-code", repository, path), *homes)
    assert RULE in first.out.decode()
    assert launched(tool("claude-code", repository, path), *homes).out.strip() == b"{}"
    assert RULE in launched(tool("claude-code", repository, path, "T"), *homes).out.decode()


def test_what_a_session_was_given_for_one_file_does_not_come_again_for_the_next(
    memory: Recollect, repository: Path, homes: tuple[Path, Path]
) -> None:
    memory.remember(RULE)
    assert RULE in taken("claude-code", answered(tool("claude-code", repository, "legacy/a.py"), *homes))
    assert answered(tool("claude-code", repository, "legacy/b.py"), *homes) == {}
    assert answered(prompt("claude-code", repository, "refactor legacy/a.py"), *homes) == {}


def test_after_a_compaction_it_is_due_again(memory: Recollect, repository: Path, homes: tuple[Path, Path]) -> None:
    memory.remember(RULE)
    call = tool("claude-code", repository, "legacy/a.py")
    assert answered(call, *homes) != {}
    heard(pre_compact("claude-code", repository), *homes)
    assert RULE in taken("claude-code", answered(call, *homes))


def test_the_setting_turns_it_off(memory: Recollect, repository: Path, homes: tuple[Path, Path]) -> None:
    memory.remember(RULE)
    (homes[0] / "config.toml").write_text("[injection]\nby_file = false\n")
    assert answered(tool("claude-code", repository, "legacy/a.py"), *homes) == {}


@pytest.mark.parametrize("path", ["src/app.py", "", "/etc/legacy/hosts"])
def test_with_nothing_to_say_nothing_is_said_and_no_receipt_is_kept(
    memory: Recollect, repository: Path, homes: tuple[Path, Path], path: str
) -> None:
    memory.remember(RULE)
    assert answered(tool("claude-code", repository, path), *homes) == {}
    assert memory.receipts("S") == []


def test_a_tool_without_a_path_opens_nothing(repository: Path, tmp_path: Path) -> None:
    call = {**tool("claude-code", repository, "x"), "tool_name": "Bash", "tool_input": {"command": "ls"}}
    assert answered(call, tmp_path / "nowhere", tmp_path / "user") == {}
    assert not (tmp_path / "nowhere").exists()


def test_it_stays_within_three_hundred_tokens_and_the_file_itself_comes_first(
    memory: Recollect, repository: Path, homes: tuple[Path, Path]
) -> None:
    for number in range(12):
        memory.remember(f"Rule {number} for billing/: {'keep the amounts in cents as they are ' * 4}{number}.")
    memory.remember("billing/tax.py rounds half to even.")
    text = taken("claude-code", answered(tool("claude-code", repository, "billing/tax.py"), *homes))
    assert estimate_tokens(text) <= 300
    assert "rounds half to even" in text.split("- [")[1]


def test_the_later_of_two_rules_about_a_file_comes(
    memory: Recollect, repository: Path, homes: tuple[Path, Path], clock: Any
) -> None:
    memory.remember("The config file is config.yaml.")
    clock.pass_days(1)
    memory.remember("The config file is settings.toml.")
    text = taken("claude-code", answered(tool("claude-code", repository, "config.yaml"), *homes, now=clock.now))
    assert "settings.toml" in text
    assert "config.yaml" not in text.split("- [")[1]


def test_the_receipt_says_which_file_it_was(memory: Recollect, repository: Path, homes: tuple[Path, Path]) -> None:
    memory.remember(RULE)
    answered(tool("claude-code", repository, "legacy/foo.py"), *homes)
    [receipt] = memory.receipts("S")
    assert receipt.query == "legacy/foo.py"
    assert receipt.turn == 0
    assert [entry["because"] for entry in receipt.entries] == ["touches legacy/foo.py"]


@pytest.mark.parametrize(
    ("statement", "path", "is_about"),
    [
        ("Never touch the legacy/ folder", "legacy/foo.py", True),
        ("Never touch the legacy folder", "packages/legacy/src/foo.py", True),
        ("packages/legacy-checkout is frozen", "packages/legacy-checkout/src/a.ts", True),
        ("Run `make gen` after `api/schema.graphql` changes.", "api/schema.graphql", True),
        ("settings.py is read by Nora alone.", "app/settings.py", True),
        ("*.sql files are written by hand.", "db/one.sql", True),
        ("`infra\\prod\\` belongs to Ines.", "infra/prod/main.tf", True),
        ("The legacy client asked for it.", "legacy/foo.py", False),
        ("apps/admin is Kim's.", "apps/checkout/a.ts", False),
        ("api/v2/users is deprecated.", "api/v1/users.py", False),
        ("See https://example.com/legacy/ for more.", "legacy/foo.py", False),
        ("We use Next.js and Node.", "src/next.config.js", False),
        ("The src folder holds it.", "src", False),
    ],
)
def test_which_files_a_statement_is_about(statement: str, path: str, is_about: bool) -> None:
    assert bool(concerns(statement, parts_of(path))) is is_about
