"""How the work of a session ended: a word only where the log proves it, and what was said last about it."""

from __future__ import annotations

import pytest

from recollect.model.sessions import ToolUse, Turn
from recollect.sessions.committed import committed
from recollect.sessions.endings import DONE, FAILED, UNKNOWN, last_word, proven_end

CWD = "/w/app"
EDIT = ToolUse("Edit", "change", "/w/app/a.py", ok=True, paths=("/w/app/a.py",))
ELSEWHERE = ToolUse("Edit", "change", "/tmp/note.md", ok=True, paths=("/tmp/note.md",))


def ran(command: str, code: int | None = 0, output: str = "") -> ToolUse:
    return ToolUse("Bash", "command", command, output, None if code is None else code == 0, code)


COMMIT = ran("git commit -qam 'fix: the cart'")


@pytest.mark.parametrize(
    ("tools", "ended"),
    [
        ((EDIT, COMMIT), DONE),
        ((EDIT, ran("pytest", 1), COMMIT, ELSEWHERE), DONE),
        ((EDIT, ran("pytest")), DONE),
        ((EDIT, ran("pytest", 1), EDIT, ran("pytest")), DONE),
        ((EDIT, COMMIT, ran("npm publish", 1)), FAILED),
        ((EDIT, ran("make lint"), ran("terraform workspace select live && terraform apply", 1)), FAILED),
        ((EDIT, ran("pytest", 1)), FAILED),
        ((EDIT,), UNKNOWN),
        ((EDIT, COMMIT, EDIT), UNKNOWN),
        ((EDIT, ran("pytest", None)), UNKNOWN),
        ((EDIT, ran("pytest | tail -3")), UNKNOWN),
        ((EDIT, ran("pytest && ruff check . | head", 1)), UNKNOWN),
        ((EDIT, ran("cd /w/other && git commit -m 'docs: page'")), UNKNOWN),
        ((), UNKNOWN),
    ],
)
def test_a_status_is_told_only_where_the_log_proves_it(tools: tuple[ToolUse, ...], ended: str) -> None:
    assert proven_end([Turn(1, "mend the cart", "The cart is mended.", tools)], CWD) == ended


def test_a_session_that_breaks_off_in_an_error_is_not_done() -> None:
    assert proven_end([Turn(1, "publish it", "Let me look at that.", (COMMIT, ran("ls dist", 2)))], CWD) == FAILED


def test_the_last_word_is_of_the_last_turn_with_work_and_says_what_is_left() -> None:
    worked = Turn(1, "mend it", "The run failed at first.", (EDIT,)), Turn(2, "and test", "All 12 tests pass.", (EDIT,))
    asked = Turn(3, "what is a coupon?", "A coupon takes something off the price.")
    assert last_word([*worked, asked]) == "All 12 tests pass."
    left = Turn(4, "ok, tomorrow", "Fine. Everything is in the working tree, nothing is committed yet.")
    assert last_word([*worked, asked, left]) == "Everything is in the working tree, nothing is committed yet."
    assert last_word([*worked, Turn(3, "push", "I'm waiting for the hook to finish.", (COMMIT,))]) == ""


def test_commits_that_were_empty_taken_back_or_made_elsewhere_do_not_count() -> None:
    tools = (
        ran("git commit --allow-empty -m 'checkpoint: review'", output="[main 3d6a048] checkpoint: review"),
        ran("git commit -m 'feat: cache'", output="[main 1d6a048] feat: cache"),
        ran("git revert --no-edit HEAD", output='[main 2d6a048] Revert "feat: cache"'),
        ran("git commit -m 'feat: one more'", output="[main 4d6a048] feat: one more"),
        ran("git reset --soft HEAD~1"),
        ran("cd /w/app-private && git commit -m 'evidence'", output="[main 5d6a048] evidence"),
        ran("git -C ../other commit -m 'other'", output="[main 6d6a048] other"),
        ran("cd /w/app.worktrees/cart && git commit -m 'fix: cart'", output="[cart 7d6a048] fix: cart"),
        ran("git commit --amend -m 'fix: the cart'", output="[cart 8d6a048] fix: the cart"),
        ran("git commit -qam 'docs: quiet' && git log --oneline -1", output="9d6a048 docs: quiet"),
    )
    assert committed([Turn(1, "go", "", tools)], CWD) == ["fix: the cart", "docs: quiet"]


def test_commits_are_known_by_messages_of_several_lines_and_drives_by_either_name() -> None:
    tools = (
        ran("git -C /d/app commit -m \"$(cat <<'EOF'\nfix: paths\n\nWhy.\nEOF\n)\""),
        ran("git add docs; git commit -m @'\ndocs: paths\n'@"),
        ran("git -C /d/other commit -m @'\ndocs: other\n'@"),
    )
    turn = Turn(1, "go", "", tools)
    assert committed([turn], "D:\\app") == ["fix: paths", "docs: paths"]
    assert proven_end([turn], "D:\\app") == DONE
