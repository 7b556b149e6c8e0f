"""Commits that a session made in its own repository and did not take back. Pure."""

from __future__ import annotations

import re

from recollect.sessions.commands import checkout_of, inside
from recollect.sessions.shell import passed, steps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from recollect.model.sessions import ToolUse, Turn

COMMITS = re.compile(r"^git (?:-\S+ (?:[^-\s]\S* )?)*commit\b")
_TOLD = re.compile(r"^\[[^\]\n]{1,120}? (?:\(root-commit\) )?[0-9a-f]{7,40}\] (.+)$", re.MULTILINE)
_MESSAGE = re.compile(r"\s(?:-[a-z]*m|--message)[ =](?:\"([^\"\n]+)|'([^'\n]+))")
# The same where the message is a text of several lines, in a shell of Unix or of Windows.
_LONG_MESSAGE = re.compile(
    r"(?:^|[;&\n]\s*)git (?:-\S+ (?:[^-\s]\S* )?)*commit\b[^\n]*(?:<<-?\s*['\"]?\w+['\"]?|@['\"])\n([^\n]+)"
)
_PLACE = re.compile(r"(?:^|[;&|(\s])(?:(?:cd|pushd|Set-Location) |git -C )[\"']?([^\s\"';&|]+)")
_DRIVE = re.compile(r"^/([A-Za-z])/")  # as a shell of Unix names a drive of Windows
_TAKEN_BACK = re.compile(r"\bgit reset (?:--\w+ )*(?:HEAD|@)(?:~(\d*)|\^)")
_REVERT = re.compile(r"^Revert \"(.+)\"$")


def committed(turns: Iterable[Turn], cwd: str = "") -> list[str]:
    """The subjects of the commits, oldest first; empty commits and those of other repositories are not among them."""
    subjects: list[str] = []
    for turn in turns:
        for tool in turn.tools:
            if tool.ok is not False and is_here(tool, turn, cwd):
                _take(tool, subjects)
    return list(dict.fromkeys(subjects))


def is_here(tool: ToolUse, turn: Turn, cwd: str) -> bool:
    """Did the line run in the checkout of the session, or another one of the same repository?"""
    went = _PLACE.findall(tool.target) if tool.kind == "command" and cwd else []
    if not went:
        return True
    place = _DRIVE.sub(r"\1:/", went[-1]) if cwd[1:2] == ":" else went[-1]
    return inside(place, turn.cwd or cwd, [checkout_of(cwd)]) is not None


def _take(tool: ToolUse, subjects: list[str]) -> None:
    """What a call adds to the commits, or takes from them."""
    if tool.name == "commit" and tool.kind == "other" and " " in tool.target:
        subjects.append(tool.target.split(" ", 1)[1].strip())
    if tool.kind != "command":
        return
    back = _TAKEN_BACK.search(tool.target)
    if back and subjects:
        del subjects[-int(back[1] or 1) :]
    if "--allow-empty" in tool.target or "rebase" in tool.target:
        return
    made = _made(tool)
    if made and "--amend" in tool.target and subjects:
        subjects.pop()
    for subject in made:
        reverted = _REVERT.match(subject)
        if not reverted:
            subjects.append(subject)
        elif reverted[1] in subjects:
            subjects.remove(reverted[1])


def _made(tool: ToolUse) -> list[str]:
    """The subjects as git prints them; of a quiet commit that passed, as its message says."""
    if not any(word in tool.target for word in ("commit", "cherry-pick", "revert")):
        return []
    told = [subject.strip() for subject in _TOLD.findall(tool.output)]
    if told:
        return told
    quiet = [step.command for step in steps(tool.target, passed(tool)) if step.passed and COMMITS.match(step.command)]
    said = [found[1] or found[2] for found in map(_MESSAGE.search, quiet) if found]
    return said or ([one.strip() for one in _LONG_MESSAGE.findall(tool.target)] if passed(tool) else [])
