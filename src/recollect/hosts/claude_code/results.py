"""What the results of Claude Code's tools tell: exit codes, and what the user typed into the host's own dialogs.

Why a call was refused and the answers to a question stand where all else comes from programs. So only the host's own
words around them count, only from its own tools, and of an answer only what was not picked from the options, which
the assistant wrote.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recollect.hosts.reading import dict_of, list_of, str_of
from recollect.hosts.wrappers import typed_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recollect.hosts.reading import Json

QUESTION_TOOL = "AskUserQuestion"
FOREIGN = "mcp__"  # tools of other programs, whose errors may say anything
# The host's own tools that hand on what a program, a page or another agent says, also as an error.
RUNS_OTHERS = frozenset("Bash BashOutput PowerShell Monitor Task TaskOutput Agent AgentOutputTool WebFetch".split())
_EXIT_CODE = re.compile(r"(?:Error: )?Exit code (-?\d{1,9})\b")
_REFUSED = "The user doesn't want to proceed with this tool use."
_SAID = "the user said:"
_NOTE = "\n\nNote: The user's next message may contain a correction or preference."


def was_refused(record: Json) -> bool:
    """Does the host itself say that the user refused this call? The result of a foreign tool cannot."""
    results = list_of(dict_of(record.get("message")).get("content"))
    said = record.get("toolDenialKind") == "user-rejected" or record.get("toolUseResult") == "User rejected tool use"
    return said and sum("tool_use_id" in dict_of(block) for block in results) == 1


def reason_in(output: str) -> str:
    """What the user typed when refusing a call; empty when nothing was."""
    if not output.startswith(_REFUSED):
        return ""
    opening, said, reason = output.partition(_SAID)
    # The host's sentence is short; further down it would be a quotation.
    return typed_text(reason.partition(_NOTE)[0]) if said and len(opening) < 300 else ""


def answers_in(result: Json) -> Iterator[tuple[str, str]]:
    """The questions with what the user typed in answer, not what was picked."""
    notes = dict_of(result.get("annotations"))
    options = {
        str_of(question.get("question")): {
            str_of(dict_of(one).get("label")) for one in list_of(question.get("options"))
        }
        for question in map(dict_of, list_of(result.get("questions")))
    }
    for question, answer in dict_of(result.get("answers")).items():
        if question not in options:
            continue
        given = [str_of(one) for one in answer] if isinstance(answer, list) else [str_of(answer)]
        typed = [one for text in given for one in _not_picked(text, options[question])]
        typed.append(str_of(dict_of(notes.get(question)).get("notes")))
        text = typed_text("\n".join(dict.fromkeys(filter(None, typed))))
        if text:
            yield question, text


def _not_picked(answer: str, labels: set[str]) -> list[str]:
    """The answer, unless it is an option or several of them in a row."""
    rest = answer.strip()
    for label in sorted(filter(None, labels), key=len, reverse=True):
        rest = rest.replace(label, "")
    return [answer] if rest.strip(" ,") else []


def exit_code(output: str, result: Json, ok: bool) -> int | None:
    """The exit code of a command, as far as its result says."""
    if not ok:
        found = _EXIT_CODE.match(output)
        return int(found[1]) if found else None
    unknown = "backgroundTaskId" in result or "returnCodeInterpretation" in result
    return 0 if "stdout" in result and not unknown else None
