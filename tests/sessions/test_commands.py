"""What command lines prove: which command works here, and what one needed first. Unknown is not passed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.model.sessions import Session, ToolUse, Turn
from recollect.sessions.commands import needed_first, proven_commands, purpose_of, runs
from recollect.sessions.edits import edited_most
from recollect.sessions.shell import Step, steps

CWD = "/w/app"


def ran(command: str, code: int | None = 0) -> ToolUse:
    return ToolUse("Bash", "command", command, "", None if code is None else code == 0, code)


def edited(path: str) -> ToolUse:
    return ToolUse("Edit", "change", path, ok=True, paths=(path,))


def work(*sessions: list[ToolUse], host: str = "codex") -> list[tuple[Session, Turn]]:
    return [
        (Session(f"s_{n}", host, f"N{n}", cwd=CWD), Turn(1, "x", tools=tuple(tools), ended=100.0 + n, cwd=CWD))
        for n, tools in enumerate(sessions)
    ]


def proven(*sessions: list[ToolUse], host: str = "codex") -> dict[str, tuple[str, str, int, int]]:
    found = proven_commands(runs(work(*sessions, host=host), [CWD]))
    return {one.purpose: (one.command, one.folder, one.passed, one.sessions) for one in found}


@pytest.mark.parametrize(
    ("line", "status", "expected"),
    [
        ("make test", True, [("make test", "", True)]),
        ("cd src && go test ./...", True, [("go test ./...", "src", True)]),
        ("cd src && go test ./...", False, [("go test ./...", "src", False)]),
        ("npm test 2>&1", True, [("npm test", "", True)]),
        ("npm test > out.txt 2>/dev/null", False, [("npm test", "", False)]),
        # a pipe hides the exit status, unless the line says otherwise
        ("npm test 2>&1 | tail -5", True, [("npm test", "", None)]),
        ("set -o pipefail; npm test | tail", True, [("npm test", "", True)]),
        ("set -euo pipefail\nnpm ci\nnpm test", True, [("npm ci", "", True), ("npm test", "", True)]),
        # of several, the status belongs to the last; of a chain to all when it is good
        ("npm run build; npm test", True, [("npm run build", "", None), ("npm test", "", True)]),
        ("npm run build && npm test", True, [("npm run build", "", True), ("npm test", "", True)]),
        ("npm run build && npm test", False, [("npm run build", "", None), ("npm test", "", None)]),
        ("npm test || true", True, [("npm test", "", None)]),
        ("npm run dev &", True, [("npm run dev", "", None)]),
        ("timeout 300 make test", True, [("make test", "", True)]),
        ("bash -lc 'make test'", True, [("make test", "", True)]),
        ('echo "a && b" && make lint', True, [("make lint", "", True)]),
        ("make test", None, [("make test", "", None)]),
        # more than a list of commands
        ("for d in a b; do make -C $d test; done", True, []),
        ("cat <<EOF\nmake test\nEOF", True, []),
        ("(cd a && make test)", True, []),
        ("echo $(make test)", True, []),
        ("make 'test", True, []),
    ],
)
def test_an_exit_status_says_no_more_about_a_step_than_it_can(
    line: str, status: bool | None, expected: list[tuple[str, str, bool | None]]
) -> None:
    assert steps(line, status) == [Step(*one) for one in expected]


@given(st.text(alphabet="ab \t\n'\"\\&|;<>$()`#12.-/", max_size=60), st.sampled_from([True, False, None]))
def test_no_line_breaks_the_reader_and_a_bad_status_proves_no_step(line: str, status: bool | None) -> None:
    assert not [step for step in steps(line, status) if step.passed and not status]


@pytest.mark.parametrize(
    ("command", "purpose"),
    [
        ("mise run test", "test"), ("mise test", "test"), ("just test", "test"), ("make lint", "lint"),
        ("tox", "test"), ("tox -e py311", "test"), ("uv run pytest -q", "test"), ("uv sync", "install"),
        ("bun run typecheck", "types"), ("bun test", "test"), ("cargo build --release", "build"),
        ("cargo clippy", "lint"), ("go vet ./...", "lint"), ("./gradlew assemble", "build"), ("npm run dev", "run"),
        ("npm test", "test"), ("npm ci", "install"), ("pnpm --filter web build", "build"), ("yarn lint", "lint"),
        ("python -m pytest", "test"), (".venv/bin/ruff format .", "format"), ("ruff format --check .", "lint"),
        ("gofmt -l .", ""), ("black --check .", "lint"), ("just docs", "docs"), ("npm run check", "check"),
        ("dotnet test", "test"),
    ],
)  # fmt: skip
def test_any_runner_is_known_by_what_it_is_told_to_do(command: str, purpose: str) -> None:
    assert purpose_of(command) == purpose


@pytest.mark.parametrize(
    "command",
    [
        "pytest tests/a.py::test_x", "npm test | tail", "git commit -m test", "pytest -k one", "bun test a/b.test.ts",
        "npm install left-pad", "ls test", "python build.py", "make test FILTER=x", "go test ./... -run TestX",
        "cat Makefile", "npm run", "cd src", "pytest /home/ada/app/tests",
    ],
)  # fmt: skip
def test_one_off_commands_have_no_purpose(command: str) -> None:
    assert purpose_of(command) == ""


def test_a_command_that_passed_in_several_sessions_is_proven_with_its_counts() -> None:
    found = proven(
        [ran("mise run test"), ran("mise run test", 1)], [ran("cd /w/app && mise run test 2>&1"), ran("mise run test")]
    )
    assert found == {"test": ("mise run test", "", 3, 2)}


def test_what_is_unknown_is_not_counted_as_passed() -> None:
    hidden = [ran("npm test | tail -3"), ran("npm test", None), ran("npm test; true"), ran("npm test || true")]
    assert not proven(hidden, hidden, hidden)


def test_one_session_proves_a_command_only_when_it_passed_often() -> None:
    assert not proven([ran("make test")] * 3)
    assert proven([ran("make test")] * 6)


def test_a_command_keeps_the_folder_that_it_needs() -> None:
    lines = [ran("cd src && go test ./...")] * 2
    assert proven(lines, lines) == {"test": ("go test ./...", "src", 4, 2)}


def test_work_elsewhere_proves_nothing_here_but_a_worktree_is_here() -> None:
    other = [ran("cd /w/other && make test")] * 3
    assert not proven(other, other)
    worktree = [ran("cd /w/app__worktrees/fix && make test"), ran("cd /w/app/.claude/worktrees/x && make test")]
    assert proven(worktree, worktree) == {"test": ("make test", "", 4, 2)}


def test_a_shell_that_stays_where_it_went_leaves_the_next_folder_unknown() -> None:
    lines = [ran("cd src && ls"), ran("go test ./..."), ran("go test ./...")]
    assert not proven(lines, lines, host="claude-code")
    assert proven(lines, lines, host="codex")


def test_a_command_that_another_took_the_place_of_is_no_longer_told() -> None:
    month = 31 * 86_400.0
    turns = work([ran("npm test")] * 5, [ran("npm test")] * 5, [ran("pnpm test")] * 2, [ran("pnpm test")] * 2)
    turns = [(session, turn._replace(ended=turn.ended + month * (n > 1))) for n, (session, turn) in enumerate(turns)]
    [found] = proven_commands(runs(turns, [CWD]))
    assert found.command == "pnpm test"


def test_what_a_failing_command_needed_is_told_when_nothing_else_can_have_been_it() -> None:
    needed = [ran("bun run test", 1), ran("ls node_modules", 1), ran("bun install"), ran("bun run test")]
    [found] = needed_first(runs(work(needed, needed), [CWD]))
    assert (found.command, found.first, found.sessions) == ("bun run test", "bun install", 2)
    for between in (edited("/w/app/a.ts"), ran("git pull"), ran("sed -i s/a/b/ a.ts"), ran("bun run build")):
        spoilt = [ran("bun run test", 1), between, ran("bun install"), ran("bun run test")]
        assert not needed_first(runs(work(spoilt, spoilt), [CWD])), between
    assert not needed_first(runs(work(needed), [CWD]))


def test_the_files_edited_most_are_counted_by_session() -> None:
    turns = work(
        [edited("/w/app/src/a.py"), edited("src/b.py")],
        [edited("/w/app__worktrees/x/src/a.py")],
        [edited("/etc/hosts")] * 9,
    )
    assert [(one.path, one.times, one.sessions) for one in edited_most(turns, [CWD])] == [("src/a.py", 2, 2)]
