"""Commands from the settings around a compaction: JSON on their input, a time limit, their output to the summary."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from typing import TYPE_CHECKING, Any

from recollect.context.compaction_options import Hooks, Thresholds
from recollect.model.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recollect.context.compaction import CompactionResult
    from recollect.settings_table import Settings

PRE_COMPACT, POST_COMPACT = "preCompact", "postCompact"
TIMEOUT_SECONDS = 30.0
MOST_OUTPUT = 20_000  # characters of one command that reach the summary


class HookCommand(Record):
    """A command line and how long it may take."""

    command: str
    timeout_seconds: float = TIMEOUT_SECONDS


class HookSession(Record):
    """What hooks are told about the session."""

    session_id: str = ""
    cwd: str = ""
    transcript_path: str = ""


def compaction_hooks(
    before: Sequence[HookCommand],
    after: Sequence[HookCommand],
    *,
    place: HookSession,
    now: Callable[[], float],
    report: Callable[[str], None] = lambda problem: None,
) -> Hooks:
    """Hooks that run these commands in order. One that fails is reported and changes nothing."""

    def told(name: str, trigger: str, **more: Any) -> dict[str, Any]:
        return {
            "hookEventName": name,
            "sessionId": place.session_id,
            "timestamp": int(now() * 1000),
            "cwd": place.cwd,
            "transcriptPath": place.transcript_path,
            "trigger": trigger,
            **more,
        }

    def run_before(trigger: str, instructions: str) -> str:
        value = told(PRE_COMPACT, trigger, customInstructions=instructions)
        return "\n".join(filter(None, (run_hook(one, value, cwd=place.cwd, report=report) for one in before)))

    def run_after(trigger: str, result: CompactionResult) -> None:
        value = told(
            POST_COMPACT,
            trigger,
            status=result.status,
            summary=result.summary,
            tokensRemoved=result.tokens_removed,
            messagesRemoved=result.messages_removed,
        )
        for one in after:
            run_hook(one, value, cwd=place.cwd, report=report)

    return Hooks(run_before, run_after)


def configured_thresholds(settings: Settings) -> Thresholds:
    """When to compact, as the settings say."""
    section = settings.compaction
    return Thresholds(
        background=section.background_threshold,
        exhaustion=section.buffer_exhaustion_threshold,
        minimum_messages=section.minimum_messages,
        wait_seconds=section.wait_seconds,
    )


def configured_fallback(settings: Settings) -> bool | None:
    """Whether rules write the summary when a model fails; None where they do so unless its answer is empty."""
    return {"always": True, "never": False}.get(settings.compaction.fallback)


def configured_hooks(
    settings: Settings, *, place: HookSession, now: Callable[[], float], report: Callable[[str], None]
) -> Hooks:
    """The commands that the settings name."""
    section = settings.compaction
    before = [HookCommand(command, section.hook_seconds) for command in section.pre_commands]
    after = [HookCommand(command, section.hook_seconds) for command in section.post_commands]
    return compaction_hooks(before, after, place=place, now=now, report=report)


def run_hook(hook: HookCommand, value: dict[str, Any], *, cwd: str, report: Callable[[str], None]) -> str:
    """What a command prints; empty, and reported, when it fails or takes too long."""
    try:
        process = subprocess.Popen(  # noqa: S602 the user's own setting
            hook.command,
            shell=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
            cwd=cwd or None,
            start_new_session=True,
        )
    except OSError as problem:
        report(f"{hook.command}: {problem}")
        return ""
    try:
        printed, complained = process.communicate(json.dumps(value), timeout=hook.timeout_seconds)
    except subprocess.TimeoutExpired:
        _end(process)
        report(f"{hook.command}: took longer than {hook.timeout_seconds:g} s")
        return ""
    if process.returncode:
        report(f"{hook.command}: ended with {process.returncode}: {complained.strip()[:200]}")
        return ""
    return printed.strip()[:MOST_OUTPUT]


def _end(process: subprocess.Popen[str]) -> None:
    """End a command with all it started: what holds its output open would be waited for."""
    if hasattr(os, "killpg"):
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    else:
        process.kill()
    process.communicate()
