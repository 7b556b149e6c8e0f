"""What stands in a user's message without having been typed: wrappers of commands, environments, hooks and summaries.

Hosts put much of what they tell the model into messages of the user. `typed_text` gives back what a person typed.
"""

from __future__ import annotations

import re

from recollect.hosts.reading import clip
from recollect.text.fences import strip_fences
from recollect.text.openings import OPENINGS

# Removed wherever they stand: names that nobody types.
_INJECTED = """
system-reminder system_reminder system_notification system-notification task-notification
local-command-stdout local-command-stderr local-command-caveat bash-input bash-stdout bash-stderr
command-message command-contents user-prompt-submit-hook session-start-hook post-tool-use-hook pre-tool-use-hook
ide_selection ide_opened_file ide_diagnostics new-diagnostics teammate-message fork-boilerplate background-task-output
environment_context user_instructions INSTRUCTIONS turn_aborted user_shell_command user_action subagent_notification
skill-context skills_instructions apps_instructions plugins_instructions collaboration_mode goal_context hook_prompt
hook_context permissions_instructions model_switch personality_spec recommended_plugins
current_datetime sql_tables todo_status environment_info environment_details workspace_info agent_instructions
attached_files cursor_commands open_and_recently_viewed_files additional_data git_status
editorContext reminderInstructions repoContext session_context state_snapshot
""".split()
# Inside one of these stands all that was typed; the rest of the message is context.
_TYPED_IN = ("user_query", "userRequest", "user-memory-input")
_INTERRUPTION, _SUMMARIES = OPENINGS[0], OPENINGS[2:4]
# Commands that steer the host itself and ask the model for nothing.
_STEERING = frozenset(
    """add-dir agents bashes bug clear color compact config context cost doctor effort exit export fast help hooks ide
    install-github-app keybindings login logout mcp memory model output-style permissions plugin plugins
    privacy-settings quit release-notes reload-plugins remote-control rename resume rewind sandbox skills stats status
    statusline tasks terminal-setup theme todos upgrade usage vim voice""".split()
)
_OPEN = re.compile(rf"<({'|'.join(_INJECTED)})(?=[\s>])[^<>]*>")
_CLOSE = re.compile(rf"</(?:{'|'.join(_INJECTED)})>")
_REFERENCED = re.compile(r"\n*--- Content from referenced files ---.*?(?:--- End of content ---|\Z)", re.S)
_INTERRUPTED = re.compile(r"^\[Request interrupted by user[^\]\n]*\]\s*$", re.M)
_IDE_REQUEST = "## My request for Codex:"
# Lines that hosts add below what a sub-agent or a background command reports: what stands above them was not typed.
_POINTERS = re.compile(
    r"^[ \t]*(?:Full transcript available at|Read the output file to retrieve the result): [^\n]*(?:\n|\Z)", re.M
)
# What Claude Code says in the user's place when a turn ends before the tokens it was given are used up.
_BUDGET = re.compile(r"Stopped at \d+% of token target \([\d,. ]+/[\d,. ]+\)\.")


def typed_text(text: str) -> str:
    """What the user typed, without the wrappers around it; empty when nothing was typed."""
    if "<" in text:
        text = _unwrapped(strip_fences(text))
    if " available at: " in text or " retrieve the result: " in text:
        text = _POINTERS.split(text)[-1]
    text = text.strip()
    if text.startswith(OPENINGS):
        return _after_wrapper(text)
    if _BUDGET.match(text):
        return ""
    if "[Request interrupted" in text:
        text = _INTERRUPTED.sub("", text).strip()
    if text.startswith("# Context from my IDE setup:"):
        text = text.partition(_IDE_REQUEST)[2].strip()
    if "--- Content from referenced files ---" in text:
        text = _REFERENCED.sub("", text).strip()
    return text


def is_summary(text: str) -> bool:
    """Whether this message of a user is a compaction's summary that the host wrote in the user's name."""
    return text.lstrip().startswith(_SUMMARIES)


def tool_text(text: str, start: int = 0) -> str:
    """What a tool answered, from `start` on, clipped, without memory that Recollect itself had put there."""
    return clip(strip_fences(text[start:])) if "<memory-" in text else clip(text, start=start)


def inside(text: str, tag: str) -> str | None:
    """What stands between the last <tag> and its end (or the end of the text), or None without the tag."""
    ends = [opening.end() for opening in re.finditer(rf"<{re.escape(tag)}(?:\s[^<>]*)?>", text)]
    return text[ends[-1] :].partition(f"</{tag}>")[0].strip() if ends else None


def _unwrapped(text: str) -> str:
    for tag in _TYPED_IN:
        if f"<{tag}" in text and (typed := inside(text, tag)) is not None:
            return typed
    if "<command-name>" in text and text.lstrip().startswith("<command-"):
        return _typed_command(text)
    return _without_injected(text)


def steers_host(text: str) -> bool:
    """Is this a slash command for the host itself, as it was typed?"""
    name = text.partition(" ")[0]
    return name.startswith("/") and name[1:] in _STEERING


def is_command(text: str) -> bool:
    """Is this the record of a slash command that hands the model a text of its own?"""
    name = _command_name(text)
    return bool(name) and name not in _STEERING


def _command_name(text: str) -> str:
    if "<command-name>" not in text or not text.lstrip().startswith("<command-"):
        return ""
    return (inside(text, "command-name") or "").strip().lstrip("/")


def _typed_command(text: str) -> str:
    """A slash command as it was typed, if it came with words for the model."""
    name, words = _command_name(text), inside(text, "command-args") or ""
    return f"/{name} {words}" if words and name and name not in _STEERING else ""


def _without_injected(text: str) -> str:
    kept: list[str] = []
    unclosed: set[str] = set()
    position = 0
    spoken = False
    while (opening := _OPEN.search(text, position)) is not None:
        tag = opening[1]
        before = text[position : opening.start()]
        spoken = spoken or bool(before.strip())
        end = -1 if tag in unclosed else text.find(f"</{tag}>", opening.end())
        if end < 0 and not spoken:
            return ""
        if end < 0:
            unclosed.add(tag)
            before = text[position : opening.end()]
        kept.append(before)
        position = opening.end() if end < 0 else end + len(tag) + 3
    kept.append(text[position:])
    # A closing tag is left over when what was wrapped held one itself: the wrapper ends here, not where it seemed to.
    return _CLOSE.split("".join(kept))[-1]


def _after_wrapper(text: str) -> str:
    """What was typed in the same message below an interruption; every other opening takes the whole message."""
    if not text.startswith(_INTERRUPTION):
        return ""
    rest = _INTERRUPTED.sub("", text).strip()
    return "" if rest.startswith(OPENINGS) else rest
