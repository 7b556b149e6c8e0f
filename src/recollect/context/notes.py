"""What a continuing agent needs of a conversation, found by rules: one note a fact, with how much it matters."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recollect.context.file_changes import what_changed
from recollect.context.requests import is_request, is_system, typed
from recollect.context.task_lists import KEEPS_TASKS, find_tasks
from recollect.context.tool_actions import CHANGE, COMMAND, READ, ToolAction, error_lines, tool_actions
from recollect.model.record import Record
from recollect.text.cutting import cut_short

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from recollect.model.messages import Message

ASKED = "What was asked to be kept"
RULES = "What the user ruled"
STANDING = "Where things stand"
TASKS = "The agent's task list"
CHANGED = "Files changed"
COMMANDS = "Commands and how they ended"
ERRORS = "Errors and what fixed them"
DECISIONS = "Decisions"
REFERENCES = "References the user gave"
ANSWERS = "What the agent answered, turn by turn"
READ_FILES = "Files read"
DETAILS = "Details, in order: what was said, run, written and printed"
MENTIONS = "Names met, by where they stood"
QUOTED = "Rules in text that programs put in (skills, reminders), not typed by the user"
SECTIONS = (
    ASKED,
    RULES,
    TASKS,
    STANDING,
    ANSWERS,
    CHANGED,
    COMMANDS,
    ERRORS,
    DECISIONS,
    REFERENCES,
    READ_FILES,
    DETAILS,
    MENTIONS,
    QUOTED,
)

ANSWERED = "the last request has been answered, with:"
FIRST, NEEDED, USEFUL, NICE = -1, 0, 1, 2  # first, or any number below it, is what somebody asked to keep
LONGEST_LINE = 400
LONGEST_COMMAND = 500  # of a longer command line the first line is told
LONGEST_ERROR_LINE = 600
SHOWN_ERROR_LINES = 5
LONGEST_TEXT = 60_000  # characters of one user message that are searched for rules
MOST_COMMANDS = 40
LONGEST_SEARCHED = 2_000  # characters of a command line that say what kind of command it is

_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|\n+")
_WRAPPED = re.compile(r"(?<=[^\n]{60})(?<=[\w,;—–-])[ ]*\n[ ]*(?=[a-z(`])")  # a line broken at the width of a page
_BULLET = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+")
_QUESTION = ("?", "？")
# Names what was not done.
_REJECTED = re.compile(
    r"\b(?:reject(?:ed|s)?|discarded|ruled out|considered|rather not|decided against|not (?:going|worth)|dropped"
    r"|would have|could (?:have|also)|alternative|option [A-Z\d])\b|^#",
    re.IGNORECASE,
)
_OPTION = re.compile(r"^\W*[A-H][.)](?=\W).*$", re.MULTILINE)  # one of several that were put forward
_RULE = re.compile(
    r"\b(?:must(?:n['’]?t)?|never|always|do(?:es)?n['’]?t|do not|only|instead|shouldn['’]?t|should not|avoid|make sure"
    r"|ensure|no longer|not allowed|forbidden|rather than|without|nie|immer|niemals|nur|nunca|siempre|jamais|toujours"
    r"|seulement)\b"
    r"|不要|必须|只能|禁止|总是|务必|しないで|必ず|ないでください",
    re.IGNORECASE,
)
_DECISION = re.compile(
    r"\b(?:decided|decision|instead of|rather than|we(?:['’]ll| will) (?:use|keep|go)|going with|settled on"
    r"|switch(?:ed|ing) to|chose|opted|agreed|root cause|the (?:fix|cause|problem|reason) (?:is|was))\b",
    re.IGNORECASE,
)
# What the agent is about to do next is not a decision.
_NARRATION = re.compile(
    r"\s*(?:[-*>]\s+)?(?:(?:so|now|next|first|then|ok(?:ay)?|great|good|perfect),?\s+)*"
    r"(?:I['’]?(?:ll|m| am| will)\b|let me\b|let['’]?s\b)",
    re.IGNORECASE,
)
_REFERENCE = re.compile(
    r"https?://[^\s<>\"'`)\]]+[^\s<>\"'`)\].,;:!?*]"
    r"|(?<![\w#&/])(?:[\w.-]+/[\w.-]+)?#\d{1,7}\b"
    r"|\b(?:issue|pr|pull request|bug|ticket|discussion)s?\s+#?\d{1,7}\b"
    r"|\b(?-i:[A-Z][A-Z0-9]{1,9})-\d{1,6}\b"
    r"|\b[a-z]{2,10}-[a-z0-9]{2,5}(?:\.\d+)+\b"
    r"|\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b",
    re.IGNORECASE,
)
_LINTERS = r"(?:mypy|ruff|eslint|prettier|golangci-lint|black|gofmt|biome|clippy|stylelint|markdownlint\S*)\b"
_RUNNERS = (
    r"(?:pytest|unittest|tox|nox|jest|vitest|mocha|playwright|cypress|phpunit|rspec|ctest"
    r"|tsc|webpack|turbo|gradlew?|mvnw?|make|cmake|ninja|bazel|msbuild|swift (?:test|build)"
    r"|(?:go|cargo|dotnet|deno|bun|npm|pnpm|yarn|rake|mix|zig|flutter)\s+(?:run\s+|x\s+)?[\w:-]*"
    r"(?:test|build|check|lint|vet|typecheck|verify|ci)[\w:-]*)\b"
)
_LAUNCHERS = (
    r"(?:sudo|time|timeout \S+|npx|bunx|uvx?(?: run)?|poetry run|pipenv run|pnpm exec|bundle exec"
    r"|python[\d.]* -m|py -m)"
)
_START = rf"(?:^|[;&|(\n])\s*(?:\w+=\S*\s+)*(?:{_LAUNCHERS}\s+)*"
# At the start of a simple command, or the word anywhere: `git commit -m "make it fast"` is only the second.
CHECK = re.compile(rf"{_START}(?!test\s)[\w./\\~-]*?(?:\b{_RUNNERS}|[\w-]*(?:test|build)[\w.-]*(?=\s|$))")
_LINT = re.compile(rf"{_START}[\w./\\~-]*?\b{_LINTERS}")
TEST_OR_BUILD = re.compile(rf"\b(?:{_RUNNERS}|{_LINTERS}|build|tests?\b)", re.IGNORECASE)
_PREAMBLE = re.compile(r"^\s*(?:(?:cd|pushd) [^&;|\n]+(?:&&|;)\s*)+")
# Looking around leaves nothing behind that would have to be remembered.
_LOOKING = re.compile(
    r"^\s*(?:ls|cat|head|tail|grep|rg|find|pwd|echo|wc|which|command -v|tree|stat|sed -n|awk|nl|type|Get-\w+|Select-\w+"
    r"|git (?:-C \S+ )?(?:status|log|diff|show|branch|remote|blame|rev-parse)|gh \w+ (?:view|list|diff|status))\b"
    r"|.*\s--(?:help|version)\b"
)
LONGEST_ANSWER = 240
LONGEST_WHOLE_ANSWER = 6_000
WHOLE_ANSWERS = 4
_BLANK_LINES = re.compile(r"\n\s*\n")
_NUMBERS = re.compile(r"\d+(?:\.\d+)?")
_FENCED = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)


class Note(Record):
    """One fact, and where in the conversation it was found (-1: an earlier compaction found it)."""

    section: str
    text: str
    tier: int
    position: int
    short: str = ""  # what to say instead when there is little room


def find_notes(messages: Sequence[Message]) -> list[Note]:
    """All notes on a conversation, in order; choosing among them is the summary's."""
    done = list(tool_actions(messages))
    return [
        *_rules(messages),
        *_tasks(messages),
        *_standing(messages, done),
        *_answers(messages),
        *_changes(done),
        *_commands(done),
        *_errors(done),
        *_decisions(messages),
        *_references(messages),
        *_reads(done),
    ]


def rules_in(text: str) -> Iterator[str]:
    """The lines of a text that rule something, wrapped ones put together; of a long line the sentences that do. A
    question rules nothing."""
    for line in _WRAPPED.sub(" ", text[:LONGEST_TEXT]).splitlines():
        if not _RULE.search(line):
            continue
        bare = line.strip()
        pieces = [bare] if len(bare) <= LONGEST_LINE and "? " not in bare else _SENTENCE.split(bare)
        for piece in pieces:
            if _RULE.search(piece) and not piece.rstrip().endswith(_QUESTION):
                rule = _BULLET.sub("", piece).strip()
                yield rule if len(rule) <= 4 * LONGEST_LINE else rule[: 4 * LONGEST_LINE] + " …"


def references_in(text: str) -> list[str]:
    """Addresses, issues and commits that a text names, each once."""
    return list(dict.fromkeys(_REFERENCE.findall(text[:LONGEST_TEXT])))


def _rules(messages: Sequence[Message]) -> Iterator[Note]:
    for at, message in enumerate(messages):
        if not is_request(message):
            continue
        own = typed(message.text)
        for rule in rules_in(own):
            yield Note(RULES, rule, NEEDED, at)
        if own != message.text.strip():
            for rule in rules_in(message.text):
                if rule not in own:
                    yield Note(QUOTED, rule, NICE, at)


def _references(messages: Sequence[Message]) -> Iterator[Note]:
    for at, message in enumerate(messages):
        if is_request(message):
            for reference in references_in(typed(message.text)):
                yield Note(REFERENCES, reference, NEEDED, at)


def _changes(done: Sequence[ToolAction]) -> Iterator[Note]:
    sure = {path for action in done if action.kind == CHANGE for path in action.paths}
    worked = {path for action in done if action.failed is not True for path in action.paths}
    last = {path: action.failed for action in done if action.kind != READ for path in action.paths}
    told = what_changed(done)
    for action in done:
        if action.kind == READ or not action.paths:
            continue
        for path in action.paths:
            failed = f"{path} (the {'last ' if path in worked else ''}change failed)"
            how = f"{path} ({told[path]})" if path in told else path
            text = failed if last[path] or path not in worked else how
            short = "" if text in (failed, path) else path
            yield Note(CHANGED, text, NEEDED if path in sure else USEFUL, action.position, short)


def _reads(done: Sequence[ToolAction]) -> Iterator[Note]:
    for action in done:
        if action.kind == READ:
            for path in action.paths:
                yield Note(READ_FILES, path, NICE, action.position)


def _commands(done: Sequence[ToolAction]) -> Iterator[Note]:
    """The last check that passed is needed; other checks are useful, the rest is nice to have."""
    run = [action for action in done if action.kind == COMMAND and action.failed is not None]
    ended = [
        action
        for action in run
        if not (action.failed and action.sure) and TEST_OR_BUILD.search(action.target[:LONGEST_SEARCHED])
    ]
    checks = [action for action in ended if CHECK.search(action.target[:LONGEST_SEARCHED])]
    lints = [action for action in ended if _LINT.search(action.target[:LONGEST_SEARCHED])]
    sure = [action for action in checks if not action.failed and action.sure]
    passed = list(dict.fromkeys([*sure[-2:], *checks[-1:], *lints[-1:], *ended[-1:]]))
    for action in passed:
        yield Note(COMMANDS, f"{_how(action)}: {shown(action.target)}", NEEDED, action.position)
    last: dict[str, ToolAction] = {}
    for action in run:
        key = shown(action.target, 160)
        last.pop(key, None)
        last[key] = action
    for key, action in list(last.items())[-MOST_COMMANDS:]:
        told = action.failed and error_lines(action.output)  # among the errors
        if action not in passed and not told and (action.failed or not _LOOKING.match(key)):
            tier = USEFUL if TEST_OR_BUILD.search(action.target[:LONGEST_SEARCHED]) else NICE
            yield Note(COMMANDS, f"{_how(action)}: {key}", tier, action.position)


def _how(action: ToolAction) -> str:
    if not action.failed:
        return "passed" if action.sure else "ended, exit status not known"
    return "failed" if action.sure else "ended, with errors in its output"


def _errors(done: Sequence[ToolAction]) -> Iterator[Note]:
    """What failed and why, each reason once, and whether the same command passed later."""
    told = {shown(action.target, 160) for action in _last_failures(done)}
    reasons: dict[str, Note] = {}
    for action in done:
        key = shown(action.target, 160)
        why = " / ".join(line[:160] for line in error_lines(action.output))
        if action.kind == COMMAND and action.failed and why and key not in told:
            reason = _NUMBERS.sub("0", why)
            reasons.pop(reason, None)
            fixed = " (passed later)" if _passed_later(action, done) else ""
            reasons[reason] = Note(ERRORS, f"{key}: {why}{fixed}", USEFUL, action.position)
    yield from {note.text.partition(": ")[0]: note for note in reasons.values()}.values()


def _last_failures(done: Sequence[ToolAction]) -> list[ToolAction]:
    """The last command that failed, the last check, and the last that said so itself."""
    failures = [action for action in done if action.kind == COMMAND and action.failed]
    checks = [action for action in failures if CHECK.search(action.target[:LONGEST_SEARCHED])]
    sure = [action for action in failures if action.sure]
    return list(dict.fromkeys([*checks[-1:], *failures[-1:], *sure[-1:]]))


def _passed_later(action: ToolAction, done: Sequence[ToolAction]) -> bool:
    """Whether the last known end of the same command is a good one."""
    key = shown(action.target, 160)
    later = [one for one in done if one.position > action.position and one.sure and one.failed is not None]
    same = [one for one in later if one.kind == COMMAND and shown(one.target, 160) == key]
    return bool(same) and not same[-1].failed


def _standing(messages: Sequence[Message], done: Sequence[ToolAction]) -> Iterator[Note]:
    """What is open: failures that nothing has mended yet, in full, and what was said last."""
    said = [(at, message.text) for at, message in enumerate(messages) if message.role == "assistant" and message.text]
    asked = [at for at, message in enumerate(messages) if is_request(message)]
    for action in _last_failures(done):
        section = STANDING if _is_open(action, messages, done) else ERRORS
        yield Note(section, _failure(action, done), NEEDED, action.position)
    answer = _final_answer(messages, asked)
    if answer is not None:
        at, text = answer
        yield Note(STANDING, f"{ANSWERED} {_whole(text)}", NEEDED, at, f"{ANSWERED} {plain(text, 700)}")
        return
    for at, text in said[-2:]:
        if not any(later > at for later in asked):  # else it is told among the answers, or was narration
            yield Note(STANDING, f"the agent said: {_whole(text)}", USEFUL, at, f"the agent said: {plain(text, 700)}")
    if asked and (not said or said[-1][0] < asked[-1]) and not any(action.position > asked[-1] for action in done):
        yield Note(STANDING, "the last request has not been answered yet", USEFUL, asked[-1])


def _is_open(action: ToolAction, messages: Sequence[Message], done: Sequence[ToolAction]) -> bool:
    """Is this failure the last that is known? A test or a build is open until it passes; any other command until the
    agent has answered without mending it: a search that found nothing leaves nothing to do."""
    if _passed_later(action, done):
        return False
    if TEST_OR_BUILD.search(action.target[:LONGEST_SEARCHED]):
        return True
    later = messages[action.position + 1 :]
    return not any(message.role == "assistant" and message.text.strip() and not message.calls for message in later)


def _final_answer(messages: Sequence[Message], asked: Sequence[int]) -> tuple[int, str] | None:
    """Where the agent answered the last request, with what: the last message, when it calls no tool."""
    at = max((at for at, message in enumerate(messages) if not is_system(message)), default=-1)
    if not asked or at <= asked[-1] or messages[at].role != "assistant" or messages[at].calls:
        return None
    return (at, messages[at].text) if messages[at].text.strip() else None


def _tasks(messages: Sequence[Message]) -> Iterator[Note]:
    for task in find_tasks(messages):
        yield Note(TASKS, task.shown, NEEDED, task.position)


def _answers(messages: Sequence[Message]) -> Iterator[Note]:
    """What came of each request: the last words of a turn, the latest ones whole. Words before a call are narration."""
    ends: list[tuple[int, str]] = []
    last: tuple[int, str] | None = None
    for at, message in enumerate(messages):
        if any(not KEEPS_TASKS.search(call.name) for call in message.calls):
            last = None
        elif message.role == "assistant" and message.text.strip():
            last = (at, message.text)
        elif last and is_request(message) and typed(message.text):
            ends.append(last)
            last = None
    for number, (at, text) in enumerate(ends, 1):
        short = plain(text, LONGEST_ANSWER)
        whole = _whole(text) if number > len(ends) - WHOLE_ANSWERS else short
        yield Note(ANSWERS, whole, USEFUL, at, short if short != whole else "")


def _failure(action: ToolAction, done: Sequence[ToolAction]) -> str:
    raw = [line.strip()[:LONGEST_ERROR_LINE] for line in action.body.splitlines() if line.strip()][:SHOWN_ERROR_LINES]
    named = [line[:LONGEST_ERROR_LINE] for line in error_lines(action.output)]
    again = _passed_later(action, done)
    lines = dict.fromkeys([*raw, *named])
    return f"failed{' (and passed later)' if again else ''}: {shown(action.target)}" + "".join(f"\n{x}" for x in lines)


def _decisions(messages: Sequence[Message]) -> Iterator[Note]:
    for at, message in enumerate(messages):
        if is_system(message) or message.role not in ("user", "assistant"):
            continue
        own = typed(message.text) if message.role == "user" else _FENCED.sub(" ", message.text)
        rules = set(rules_in(own)) if message.role == "user" else ()
        for sentence in _SENTENCE.split(_WRAPPED.sub(" ", _OPTION.sub("", own[:LONGEST_TEXT]))):
            if 20 < len(sentence) < LONGEST_LINE and _is_decision(sentence):
                decision = plain(_BULLET.sub("", sentence), LONGEST_LINE)
                if decision not in rules:
                    yield Note(DECISIONS, decision, USEFUL, at)


def _is_decision(sentence: str) -> bool:
    """Does it settle something? A question, the agent's next step and a variant that was turned down do not."""
    is_aside = sentence.rstrip().endswith(_QUESTION) or _NARRATION.match(sentence) or _REJECTED.search(sentence)
    return _DECISION.search(sentence) is not None and not is_aside


def shown(command: str, longest: int = LONGEST_COMMAND) -> str:
    """A command line for reading; what follows its first lines is cut when it is long."""
    command = command.strip() if longest >= LONGEST_COMMAND else " ".join(_PREAMBLE.sub("", command[:4_000]).split())
    return command if len(command) <= longest else command.splitlines()[0][:longest].rstrip() + " …"


def plain(text: str, longest: int) -> str:
    """A text on one line, cut at a word."""
    return cut_short(" ".join(text.split()), longest)


def _whole(text: str) -> str:
    return cut_short(_BLANK_LINES.sub("\n", text.strip()), LONGEST_WHOLE_ANSWER)


def once(notes: Iterable[Note]) -> list[Note]:
    """Notes without repeats: of two that say the same the later place and the higher rank count."""
    kept: dict[tuple[str, str], Note] = {}
    for note in notes:
        key = (note.section, note.text)
        before = kept.pop(key, None)
        kept[key] = note if before is None else note._replace(tier=min(before.tier, note.tier))
    return list(kept.values())
