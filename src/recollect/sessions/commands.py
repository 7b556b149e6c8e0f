"""Commands that work: what they are for, how often and in how many sessions they passed, and what one needed first."""

from __future__ import annotations

import re

from recollect.model.record import Record
from recollect.sessions.shell import passed, steps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from recollect.model.sessions import Session, Turn
    from recollect.sessions.shell import Step

LEAST_PASSED = 3
LEAST_SESSIONS = 2  # of one session a command may be a whim,
OFTEN = 6  # unless it passed that often in it
MOST_TASKS = 5  # of a repository's own that are none of the purposes
MOST_PLACES = 2  # folders in which the same is done by other commands
OUT_OF_USE_SECONDS = 30 * 86_400.0
LONGEST_COMMAND = 100

# What commands are for, and the words of which the names of tasks are made that do it.
PURPOSES = {
    "test": ("test", "tests", "spec", "e2e", "unittest"),
    "build": ("build", "compile", "bundle", "assemble", "package"),
    "format": ("format", "fmt"),
    "types": ("typecheck", "types", "tsc"),
    "lint": ("lint", "eslint", "vet", "clippy", "style"),
    "check": ("check", "verify", "ci", "checks"),
    "install": ("install", "setup", "bootstrap", "sync", "restore", "deps"),
    "run": ("run", "start", "dev", "serve", "preview"),
}
# Programs that do one thing.
_TOOLS = {
    "test": "pytest unittest tox nox vitest jest mocha rspec phpunit ctest gotestsum ava playwright",
    "build": "webpack rollup esbuild",
    "lint": "ruff eslint biome flake8 pylint golangci-lint rubocop stylelint shellcheck markdownlint markdownlint-cli2",
    "types": "mypy pyright tsc",
    "format": "prettier black gofmt",
}
_TOOL_PURPOSE = {name: purpose for purpose, names in _TOOLS.items() for name in names.split()}
# Programs whose first word says what they do.
_VERBS = frozenset(
    "go cargo dotnet swift zig dart flutter deno bun mvn mvnw gradle gradlew mix npm pnpm yarn uv poetry".split()
)
# Programs that run the repository's own tasks: after one of these words comes the name of a task.
_RUNNERS = {
    **dict.fromkeys(("npm", "pnpm", "yarn", "bun"), ("run", "run-script")),
    **dict.fromkeys(("mise", "turbo", "moon"), ("run", "r")),
    **dict.fromkeys(("hatch", "pdm", "nx", "composer"), ("run",)),
    **dict.fromkeys(("just", "make", "gmake", "task", "rake", "poe", "invoke", "ant", "mage"), ("",)),
    "deno": ("task",),
}
_BARE = frozenset(("pnpm", "yarn", "turbo", "mise", "nx"))  # take the name of a task without a word before it
_TAKES_VALUE = (
    "--filter",
    "-F",
    "-C",
    "--dir",
    "--cwd",
    "--prefix",
    "-f",
    "-p",
    "--package",
    "--workspace",
    "-e",
    "-s",
)
# What only says where the program is.
_BEFORE = re.compile(
    r"^(?:(?:uv|poetry|pdm|hatch|pipenv|rye) run (?:-\S+ )*|bundle exec |npx (?:-y |--yes )?|bunx |(?:pnpm|yarn) exec "
    r"|mise (?:exec|x) -- |(?:\S*/)?python3? -m )"
)
# What is about this one call, not about how the thing is done here.
_ONE_OFF = re.compile(
    r"[$`*\"'{}|;&<>\n]|(?:^|\s)(?:/|~|[A-Za-z]:[\\/])|/tmp/|::|\s(?:-k|-t|-run|--run|--grep|-h|--help|--version"
    r"|--watch|-w|-u)\b"
    r"|\s(?!Makefile|manage\.py)\S+\.[A-Za-z]{1,5}(?=\s|$)|=|^\w+=|\s\d+(?=\s|$)|\s--$"
)
_NEVER_FAILS = ("gofmt",)  # with these options, whatever it finds
_LOOKS_ONLY = frozenset(("-l", "-d", "--check", "--list-different", "--diff", "--dry-run"))
# Hosts that start every command in the folder of the session; the shell of others stays where it went.
_FRESH_SHELLS = ("codex", "pi", "gemini-cli", "opencode")
_GOES = re.compile(r"(?:^|[;&|(\s])(?:cd|pushd|popd|Set-Location|sl|chdir)\b")
# Where other checkouts of a repository are by custom: inside it, as hosts do it, or beside it.
_WORKTREE = re.compile(r"^(?:/\.(?:claude|codex|cursor)/worktrees|[._-]{1,2}worktrees)/[^/]+")
_IN_WORKTREE = re.compile(r"(?:/\.(?:claude|codex|cursor)/worktrees|[._-]{1,2}worktrees)/.*$")
# Leave everything as it is.
_READING = re.compile(
    r"^(?:ls|cat|head|tail|grep|rg|find|wc|which|pwd|echo|sleep|ps|stat|tree|jq|sed -n"
    r"|git (?:status|diff|log|show|branch|rev-parse|ls-files|remote))\b"
)


class Run(Record):
    """A step of a command line, with where and when it ran."""

    session: str
    step: Step
    at: float
    turn: int


class Proven(Record):
    """A command that works, and how that is known."""

    purpose: str  # one of PURPOSES, or the name of a task of the repository's own
    command: str
    folder: str  # inside the repository; empty for its root
    passed: int
    failed: int
    sessions: int  # in which it passed
    last: float
    session: str = ""  # in which it passed last, with the turn
    turn: int = 0


class Needed(Record):
    """A command that failed, and passed after another one, with nothing else changed in between."""

    command: str
    first: str
    folder: str
    sessions: int
    last: float


def runs(turns: Iterable[tuple[Session, Turn]], roots: Sequence[str]) -> list[Run | None]:
    """The steps of all commands in their order, as far as they ran inside the repository, whose checkouts are `roots`;
    None where something was changed in between, or may have been."""
    found: list[Run | None] = []
    moved: set[str] = set()  # sessions whose shell stayed in a folder that an earlier line went to
    for session, turn in turns:
        for tool in turn.tools:
            known = steps(tool.target, passed(tool)) if tool.kind == "command" else []
            for step in known:
                lost = session.session_id in moved and not _is_absolute(step.folder)
                place = None if lost else inside(step.folder, turn.cwd, roots)
                if place is None:
                    found.append(None)
                else:
                    step = step._replace(command=" ".join(step.command.split()), folder=place)
                    found.append(Run(session.session_id, step, turn.ended, turn.number))
            if not known and tool.kind in ("command", "change"):
                found.append(None)
            if tool.kind == "command" and session.host not in _FRESH_SHELLS and _GOES.search(tool.target):
                moved.add(session.session_id)
    return found


def proven_commands(ran: Iterable[Run | None]) -> list[Proven]:
    """For each purpose and folder the command that passed in most sessions of those still in use, and further tasks of
    the repository's own; the surest first."""
    counted: dict[tuple[str, str], Proven] = {}
    where: dict[tuple[str, str], set[str]] = {}
    used: dict[tuple[str, str], dict[str, set[str]]] = {}  # by purpose and folder: the sessions of each command
    for run in filter(None, ran):
        key = (run.step.command, run.step.folder)
        purpose = purpose_of(run.step.command)
        if purpose and run.step.passed is not False:
            used.setdefault((purpose, key[1]), {}).setdefault(key[0], set()).add(run.session)
        if not purpose or run.step.passed is None:
            continue
        known = counted.get(key, Proven(purpose, *key, 0, 0, 0, 0.0))
        if run.step.passed:
            where.setdefault(key, set()).add(run.session)
            known = known._replace(passed=known.passed + 1)
            if run.at >= known.last:
                known = known._replace(last=run.at, session=run.session, turn=run.turn)
        else:
            known = known._replace(failed=known.failed + 1)
        counted[key] = known._replace(sessions=len(where.get(key, ())))
    enough = [one for one in counted.values() if _is_proven(one) and _is_usual(one, used[one.purpose, one.folder])]
    enough.sort(key=lambda one: (-one.sessions, -one.passed, -one.last))
    chosen: list[Proven] = []
    for one in enough:
        same = [other for other in chosen if other.purpose == one.purpose]
        if _is_in_use(one, enough) and one.folder not in [other.folder for other in same] and len(same) < MOST_PLACES:
            chosen.append(one)
    own = [one for one in chosen if one.purpose not in PURPOSES]
    return [one for one in chosen if one.purpose in PURPOSES or one in own[:MOST_TASKS]]


def _is_proven(one: Proven) -> bool:
    return one.passed >= LEAST_PASSED and (one.sessions >= LEAST_SESSIONS or one.passed >= OFTEN)


def _is_usual(one: Proven, used: dict[str, set[str]]) -> bool:
    """Is no other command used in more sessions for the same thing, however that one ended?"""
    return len(used[one.command]) >= max(map(len, used.values()))


def _is_in_use(one: Proven, others: Sequence[Proven]) -> bool:
    """Has nothing else taken its place since?"""
    rivals = [other for other in others if (other.purpose, other.folder) == (one.purpose, one.folder)]
    return all(one.last > other.last - OUT_OF_USE_SECONDS for other in rivals)


def needed_first(ran: Sequence[Run | None]) -> list[Needed]:
    """What a failing command needed before it passed, where that happened in several sessions and nothing else can
    have been the reason."""
    found: dict[tuple[str, str, str], Needed] = {}
    where: dict[tuple[str, str, str], set[str]] = {}
    failed: dict[tuple[str, str, str], list[str]] = {}  # what passed since each failure
    for run in ran:
        if run is None:
            failed.clear()
            continue
        step, place = run.step, (run.session, run.step.command, run.step.folder)
        purpose = purpose_of(step.command)
        if not purpose:
            if not only_reads(step.command):
                failed.clear()
        elif step.passed is False:
            failed[place] = []
        elif step.passed:
            between = sorted(set(failed.pop(place, ())))
            if len(between) == 1:
                key = (step.command, between[0], step.folder)
                where.setdefault(key, set()).add(run.session)
                found[key] = Needed(*key, len(where[key]), run.at)
            for (session, _, _), since in failed.items():
                if session == run.session and purpose in ("install", "build"):
                    since.append(step.command)
        else:
            failed.clear()
    return [one for one in found.values() if one.sessions >= LEAST_SESSIONS]


def only_reads(command: str) -> bool:
    """Does this command leave everything as it is?"""
    return _READING.match(command) is not None


def purpose_of(command: str) -> str:
    """What a command is for: one of PURPOSES, or the name of the repository's own task that it runs; empty for anything
    else and for one-off calls."""
    if len(command) > LONGEST_COMMAND or _ONE_OFF.search(command):
        return ""
    words = _BEFORE.sub("", command).split()
    program, rest = words[0].rpartition("/")[2], _without_options(words[1:])
    if program in _TOOL_PURPOSE:
        purpose = "format" if rest[:1] == ["format"] else _TOOL_PURPOSE[program]
    elif task := _task(program, rest):
        purpose = _purpose_of_name(task) or task
    else:
        purpose = _purpose_of_name(_verb(program, rest)) if program in _VERBS else ""
    if purpose != "format" or not _LOOKS_ONLY.intersection(words):
        return purpose
    return "" if program in _NEVER_FAILS else "lint"


def _task(program: str, rest: Sequence[str]) -> str:
    """The name of the repository's own task that is run; of several the last."""
    before = _RUNNERS.get(program, ())
    if before == ("",):
        return rest[-1] if rest else ""
    if rest and rest[0] in before:
        return rest[1] if len(rest) > 1 else ""
    is_task = program in _BARE and rest and _purpose_of_name(rest[0]) not in ("", "install", "run")
    return rest[0] if is_task else ""


def _verb(program: str, rest: Sequence[str]) -> str:
    """What the program is told to do. `npm install PACKAGE` is about this one call."""
    if program == "npm" and rest[:1] == ["ci"]:
        return "install"
    if not rest or rest[0] in _RUNNERS.get(program, ()):
        return ""
    return "" if _purpose_of_name(rest[0]) == "install" and len(rest) > 1 else rest[0]


def _without_options(words: Sequence[str]) -> list[str]:
    """The words that are neither options nor, for those that take one, their values."""
    kept: list[str] = []
    takes = False
    for word in words:
        if word.startswith("-"):
            takes = word in _TAKES_VALUE
        elif takes:
            takes = False
        else:
            kept.append(word)
    return kept


def _purpose_of_name(name: str) -> str:
    parts = re.split(r"[:._/-]", name.lower())
    for purpose, words in PURPOSES.items():
        if any(part in words for part in parts):
            return purpose
    return ""


def inside(path: str, cwd: str, roots: Sequence[str]) -> str | None:
    """The place of a folder or file inside the repository, empty for its root; None when it lies elsewhere."""
    where = _normal(_slashes(path) if _is_absolute(path) else f"{_slashes(cwd)}/{_slashes(path)}")
    for root in sorted(filter(None, (_normal(_slashes(one)) for one in roots)), key=len):
        if where is not None and where.startswith(root):
            rest = _WORKTREE.sub("", where[len(root) :])
            if rest[:1] in ("", "/"):
                return rest[1:]
    return None


def checkout_of(cwd: str) -> str:
    """The main checkout, where a folder is another one of the same repository inside or beside it."""
    return _IN_WORKTREE.sub("", _slashes(cwd))


def _is_absolute(folder: str) -> bool:
    return folder.startswith(("/", "\\", "~", "$")) or folder[1:2] == ":"


def _slashes(path: str) -> str:
    return path.replace("\\", "/").rstrip("/")


def _normal(path: str) -> str | None:
    if not path or path[0] in "~$":
        return None
    if path[0] == "/" and path[-1] != "/" and "//" not in path and "/." not in path and path[1:2] != ":":
        return path  # as nearly all are
    drive = re.match(r"/?([A-Za-z]):?/", path) if path[1:2] == ":" else None
    if drive:
        path = f"{drive[1].lower()}:{path[path.index('/') :]}"
    parts: list[str] = []
    for part in path.split("/"):
        if part == ".." and parts:
            parts.pop()
        elif part not in (".", "..") and (part or not parts):
            parts.append(part)
    return "/".join(parts)
