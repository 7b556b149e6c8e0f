"""Sessions in folders that are gone belong to the repository that the folder was part of, as far as that is known."""

from __future__ import annotations

import json
from pathlib import Path

from recollect import Recollect
from tests.conftest import OpenMemory, make_repository
from tests.flows.sessions.test_importing import bring, claude_line


def claude_log(folder: Path, name: str, *places: tuple[str, str]) -> Path:
    """A log of Claude Code whose messages were typed in these folders, on these branches."""
    lines = [
        claude_line("user", number, f"message {number} of {name}", cwd=cwd, gitBranch=branch, sessionId=name, uuid=f"{name}{number}")
        for number, (cwd, branch) in enumerate(places, 1)
    ]  # fmt: skip
    path = folder / f"{name}.jsonl"
    folder.mkdir(exist_ok=True)
    path.write_text("".join(lines))
    return path


def codex_log(folder: Path, name: str, cwd: str, remote: str) -> Path:
    git = {"git": {"branch": "main", "repository_url": remote}} if remote else {}
    lines = [
        {"type": "session_meta", "payload": {"id": name, "cwd": cwd, **git}},
        {"type": "event_msg", "payload": {"type": "user_message", "message": f"a message of {name}"}},
    ]
    path = folder / f"rollout-{name}.jsonl"
    folder.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps({"timestamp": "2026-11-01T09:00:00Z", **line}) + "\n" for line in lines))
    return path


def repositories(memory: Recollect) -> dict[str, list[str]]:
    """The repositories of the turns, by the session's own id."""
    document = memory.transfer.export()
    return {
        one["native_id"]: list(dict.fromkeys(turn["repository"] for turn in one["turns"]))
        for one in document["sessions"]
    }


def test_a_worktree_that_is_gone_belongs_to_the_checkout_it_was_below(open_memory: OpenMemory, tmp_path: Path) -> None:
    checkout = make_repository(tmp_path / "shop", remote="git@github.com:owner/shop.git")
    memory = open_memory()
    for number, below in enumerate((".worktrees/fix-a", "trees/deep/fix-b/src", ".claude/worktrees/fix-c")):
        bring(memory, claude_log(tmp_path / "logs", f"s{number}", (f"{checkout}/{below}", "fix")))
    assert repositories(memory) == {f"s{number}": ["github.com/owner/shop"] for number in range(3)}


def test_a_folder_below_a_checkout_that_a_log_knows_by_its_remote_is_that_repository(
    open_memory: OpenMemory, tmp_path: Path
) -> None:
    memory = open_memory()
    logs = tmp_path / "logs"
    codex_log(logs, "a", "/gone/shop", "https://github.com/owner/shop.git")
    claude_log(logs, "b", ("/gone/shop/.trees/fix", "fix"))
    claude_log(logs, "c", ("/gone/shop2", "main"))
    bring(memory, logs)
    assert repositories(memory) == {
        "a": ["github.com/owner/shop"],
        "b": ["github.com/owner/shop"],
        "c": ["path:/gone/shop2"],
    }


def test_a_session_with_a_remote_is_that_repository_wherever_its_worktree_was(
    open_memory: OpenMemory, tmp_path: Path
) -> None:
    memory = open_memory()
    logs = tmp_path / "logs"
    for number in range(3):
        codex_log(logs, f"w{number}", f"/gone/shop__worktrees/w{number}", "git@github.com:owner/shop.git")
    bring(memory, logs)
    assert {one for found in repositories(memory).values() for one in found} == {"github.com/owner/shop"}


def test_folders_of_one_checkout_without_a_remote_are_one_project(open_memory: OpenMemory, tmp_path: Path) -> None:
    memory = open_memory()
    logs = tmp_path / "logs"
    claude_log(logs, "a", ("/gone/shop", "main"), ("/gone/shop/src", "main"), ("/gone/shop/web/img", "main"))
    claude_log(logs, "b", ("/gone/shop/src", "main"))
    claude_log(logs, "c", ("D:\\shop", "main"), ("D:\\shop\\src", "main"))
    bring(memory, logs)
    assert repositories(memory) == {"a": ["path:/gone/shop"], "b": ["path:/gone/shop"], "c": ["path:D:\\shop"]}


def test_projects_below_a_folder_that_is_not_a_checkout_stay_apart(open_memory: OpenMemory, tmp_path: Path) -> None:
    memory = open_memory()
    logs = tmp_path / "logs"
    home = tmp_path / "user"
    claude_log(logs, "a", ("/gone/projects", ""))
    claude_log(logs, "b", ("/gone/projects/one", "main"))
    claude_log(logs, "c", ("/gone/projects/two", "main"))
    claude_log(logs, "d", (str(home), "main"))
    claude_log(logs, "e", (f"{home}/three", "main"))
    bring(memory, logs)
    found = repositories(memory)
    assert found["b"] != found["c"]
    assert found["d"] == [""]
    assert found["e"] == [f"path:{home}/three"]


def test_a_recorded_remote_that_names_no_repository_says_nothing(open_memory: OpenMemory, tmp_path: Path) -> None:
    memory = open_memory()
    bring(memory, codex_log(tmp_path / "logs", "a", "/gone/shop", "https://github.com/..git"))
    assert repositories(memory) == {"a": ["path:/gone/shop"]}
