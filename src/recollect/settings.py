"""One Settings for the whole program, and the one place that reads the environment.

Files are read elsewhere and come in as FileValues, so that deciding which value holds stays free of disk access."""

from __future__ import annotations

import os

from recollect.errors import SettingsError
from recollect.model.record import Record
from recollect.settings_table import ROWS, SECTIONS, Row, Settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from recollect.settings_rows import Value

    Chosen = dict[str, tuple[Value, str]]  # by name: the value and its origin

PREFIX = "RECOLLECT_"
# Ours, but not settings.
SPECIAL_VARIABLES = frozenset({"RECOLLECT_HOME", "RECOLLECT_TOKEN", "RECOLLECT_PARENT_SESSION", "RECOLLECT_ENGAGEMENT"})
# Variables that an agent sets for the commands it runs, and that people have no reason to set for themselves.
AGENT_VARIABLES = {
    "CLAUDECODE": "Claude Code",
    "CLAUDE_CODE_ENTRYPOINT": "Claude Code",
    "CODEX_SANDBOX": "Codex",
    "CODEX_SANDBOX_NETWORK_DISABLED": "Codex",
    "CODEX_THREAD_ID": "Codex",
    "COPILOT_AGENT_SESSION_ID": "Copilot",
    "COPILOT_CLI": "Copilot",
    "CURSOR_AGENT": "Cursor",
    "GEMINI_CLI": "Gemini CLI",
    "OPENCODE": "opencode",
    "OPENCODE_SESSION_ID": "opencode",
    "PI_CODING_AGENT": "pi",
    "GOOSE_TERMINAL": "goose",
    "CLINE_ACTIVE": "Cline",
    "AUGMENT_AGENT": "Augment",
    "ANTIGRAVITY_AGENT": "Antigravity",
    "AI_AGENT": "the agent",
}
SESSION_VARIABLES = (
    "CLAUDE_CODE_SESSION_ID",
    "CODEX_THREAD_ID",
    "COPILOT_AGENT_SESSION_ID",
    "GEMINI_SESSION_ID",
    "OPENCODE_SESSION_ID",
)
# Numbers that earlier versions accepted: a file that has one goes on working.
MOST_ONCE = {"profile.max_characters": 8_000}
WORDS = {"true": True, "1": True, "yes": True, "on": True, "false": False, "0": False, "no": False, "off": False}


class FileValues(Record):
    """What a settings file says, unchecked: (dotted name, value, line) for each of its keys."""

    path: str
    items: tuple[tuple[str, object, int], ...] = ()


def environment() -> Mapping[str, str]:
    """The environment of this process. Everything that depends on it takes it as an argument."""
    return os.environ


def inside_agent(environ: Mapping[str, str]) -> str:
    """The name of the coding agent that this process runs inside, or an empty text for a person's own terminal."""
    return next((name for variable, name in AGENT_VARIABLES.items() if environ.get(variable)), "")


def agent_session(environ: Mapping[str, str]) -> str:
    """The session of the agent that this process runs inside, or an empty text when it does not say."""
    return next((environ[name] for name in SESSION_VARIABLES if environ.get(name)), "")


def load(
    environ: Mapping[str, str],
    *,
    user: FileValues | None = None,
    user_yaml: FileValues | None = None,
    repository: FileValues | None = None,
    flags: Mapping[str, object] | None = None,
    warnings: tuple[str, ...] = (),
) -> Settings:
    """Settings from every source, the later winning: defaults, user files, repository file, environment, flags.

    Raises SettingsError for the first thing that is unknown or does not fit; a repository's file, which may be
    anyone's, only ever gives warnings."""
    chosen: Chosen = {}
    for file in filter(None, (user_yaml, user)):
        fitting, lowered = _lowered(file)
        warnings += lowered
        chosen.update((at.name, (value, origin)) for at, value, origin in _from_user(fitting))
    if repository:
        warnings += _take_from_repository(repository, chosen)
    for at, value, origin in _from_environment(environ):
        if at.files_only and value:
            warnings += (f"{origin} is ignored, because an agent could set it; use `recollect settings set {at.name}`",)
            continue
        # A rule that denies is never lifted by a variable, which an agent can set for the commands that it runs.
        held = chosen[at.name][0] if at.repository == "add" and at.name in chosen else ()
        chosen[at.name] = (_together(value, held), origin)
    chosen.update((at.name, (value, "flag")) for at, value in _from_flags(flags or {}))
    return Settings.of(
        {name: value for name, (value, _) in chosen.items()},
        origins={name: origin for name, (_, origin) in chosen.items()},
        warnings=warnings,
    )


def find(name: str) -> Row | None:
    """The row of a setting by its name, an alias, or its name in another case (`recall.maxEntries`)."""
    return ROWS.get(name) or _spellings().get(_fold(name))


def require(name: str, *, where: str = "") -> Row:
    """The row of a setting, or SettingsError with the nearest name."""
    at = find(name)
    if at:
        return at
    if name in SECTIONS:
        first = next(iter(SECTIONS[name].rows.values()))
        raise SettingsError(f"{_at(where)}'{name}' is a section; set one of its keys, such as '{first.name}'")
    unknown = f"{where}: unknown" if where else "Unknown"
    raise SettingsError(f"{unknown} setting '{_shown(name)}'; {_hint(name, list(ROWS))}")


def check(at: Row, value: object, *, where: str = "") -> Value:
    """The value as the setting holds it, or SettingsError when its type or range is wrong."""
    fitted = _fit(at, value)
    if fitted is None:
        raise SettingsError(f"{_at(where)}'{at.name}' must be {at.allowed}, not {_shown_value(value)}")
    return fitted


def coerce(at: Row, value: object, *, where: str = "") -> Value:
    """As check, for a value that a person may have typed: a text is first read as the setting's type."""
    if isinstance(value, str) and not isinstance(at.default, str):
        parsed = _parse(at, value.strip())
        return check(at, value if parsed is None else parsed, where=where)
    return check(at, value, where=where)


def _lowered(file: FileValues) -> tuple[FileValues, tuple[str, ...]]:
    """The file with values that were allowed once brought down to the most that is allowed now, and what to say."""
    items, warnings = [], []
    for name, value, line in file.items:
        at = find(name)
        most = MOST_ONCE.get(at.name, 0) if at else 0
        if at and isinstance(value, int) and at.high < value <= most:
            warnings.append(f"{file.path} line {line}: '{at.name}' is at most {at.high} now (used instead of {value})")
            value = int(at.high)
        items.append((name, value, line))
    return file._replace(items=tuple(items)), tuple(warnings)


def _from_user(file: FileValues) -> Iterator[tuple[Row, Value, str]]:
    lines: dict[str, int] = {}
    for name, value, line in file.items:
        where = f"{file.path} line {line}"
        at = require(name, where=where)
        if at.name in lines:
            raise SettingsError(f"{where}: '{at.name}' was already set on line {lines[at.name]}; keep one of the two")
        lines[at.name] = line
        yield at, check(at, value, where=where), where


def _take_from_repository(file: FileValues, chosen: Chosen) -> tuple[str, ...]:
    """Add to `chosen` what a repository may ask for; returns a sentence for each of the other keys."""
    warnings: list[str] = []
    for name, value, line in file.items:
        where = f"{file.path} line {line}"
        try:
            at = require(name, where=where)
            checked = check(at, value, where=where)
        except SettingsError as problem:
            warnings.append(f"{problem} (ignored)")
            continue
        now = chosen[at.name][0] if at.name in chosen else at.default
        refusal = _refusal(at, now, checked)
        if refusal:
            warnings.append(f"{where}: {refusal} (ignored)")
        else:
            chosen[at.name] = (_together(now, checked) if at.repository == "add" else checked, where)
    return tuple(warnings)


def _together(now: Value, more: Value) -> Value:
    """A list with what a repository adds to it; it takes nothing away."""
    if isinstance(now, tuple) and isinstance(more, tuple):
        return tuple(dict.fromkeys((*now, *more)))
    return now


def _refusal(at: Row, now: Value, value: Value) -> str:
    if not at.repository:
        return f"a repository's file may not set '{at.name}'"
    if isinstance(now, (int, float)) and isinstance(value, (int, float)):
        if at.repository == "lower" and value > now:
            if isinstance(now, bool):
                return f"a repository's file may not turn on '{at.name}'"
            return f"a repository's file may not set '{at.name}' above {now}"
        if at.repository == "raise" and value < now:
            return f"a repository's file may not set '{at.name}' below {now}"
    return ""


def _from_environment(environ: Mapping[str, str]) -> Iterator[tuple[Row, Value, str]]:
    """Aliases first, so that our own spelling wins. An empty variable counts as not set."""
    for at in ROWS.values():
        for alias in at.aliases:
            if alias.isupper() and environ.get(alias):
                where = f"environment variable {alias}"
                yield at, coerce(at, environ[alias], where=where), where
    for variable in sorted(key for key in environ if key.startswith(PREFIX) and key not in SPECIAL_VARIABLES):
        where = f"environment variable {variable}"
        named = ROWS.get(variable.removeprefix(PREFIX).lower().replace("__", "."))
        if named is None or named.variable != variable:
            known = [row.variable for row in ROWS.values()]
            raise SettingsError(f"Unknown setting in {_shown(where)}; {_hint(variable, known)}")
        if environ[variable]:
            yield named, coerce(named, environ[variable], where=where), where


def _from_flags(flags: Mapping[str, object]) -> Iterator[tuple[Row, Value]]:
    """A flag that is None was not given."""
    for name, value in flags.items():
        if value is not None:
            at = require(name, where="flag")
            yield at, coerce(at, value, where="flag")


def _fit(at: Row, value: object) -> Value | None:
    default = at.default
    if isinstance(default, bool) or isinstance(value, bool):
        return value if isinstance(default, bool) and isinstance(value, bool) else None
    if isinstance(default, (int, float)):
        if not isinstance(value, (int, float)) or not at.low <= value <= at.high:
            return None
        if isinstance(default, float):
            return float(value)
        return value if isinstance(value, int) else None
    if isinstance(default, tuple):
        if not isinstance(value, (list, tuple)) or not all(_is_text(part) for part in value):
            return None
        return tuple(value)
    if isinstance(value, str) and _is_text(value) and (not at.choices or value in at.choices):
        return value
    return None


def _is_text(value: object) -> bool:
    """Text that can be written down: an undecodable name from the environment cannot."""
    if not isinstance(value, str):
        return False
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _parse(at: Row, text: str) -> object:
    """What a person typed, as the type of the setting; None when it cannot be that."""
    if isinstance(at.default, bool):
        return WORDS.get(text.lower())
    if isinstance(at.default, tuple):
        return _parse_list(text)
    try:
        return int(text) if isinstance(at.default, int) else float(text)
    except ValueError:
        return None


def _parse_list(text: str) -> list[object]:
    """Texts with commas between them, or a JSON list where a text has a comma in it."""
    if text.startswith("["):
        import json

        try:
            parsed = json.loads(text)
        except (ValueError, RecursionError):
            parsed = None
        if isinstance(parsed, list):
            return parsed
    return [part.strip() for part in text.split(",") if part.strip()]


def _spellings() -> dict[str, Row]:
    spellings = {_fold(name): at for name, at in ROWS.items()}
    for at in ROWS.values():
        spellings.update((_fold(alias), at) for alias in at.aliases if not alias.isupper())
    return spellings


def _fold(name: str) -> str:
    return name.replace("_", "").replace("-", "").lower()


def _hint(name: str, known: list[str]) -> str:
    import difflib

    # What all of them begin with says nothing about what was meant.
    own = {one.removeprefix(PREFIX): one for one in known}
    near = difflib.get_close_matches(name[:80].removeprefix(PREFIX), list(own), n=1, cutoff=0.5)
    return f"did you mean '{own[near[0]]}'?" if near else "`recollect settings list` shows them all"


def _at(where: str) -> str:
    return f"{where}: " if where else ""


def _shown(text: str) -> str:
    """Short and on one line: it may come from a file that a stranger wrote."""
    plain = "".join(c if c.isprintable() else "?" for c in text[:61])
    return plain if len(plain) < 61 else plain[:60] + "..."


def _shown_value(value: object) -> str:
    try:
        return _shown(repr(value))
    except (RecursionError, ValueError):  # nested too deeply, or a number with thousands of digits
        return "a value of that size"


__all__ = [
    "FileValues",
    "Settings",
    "agent_session",
    "check",
    "coerce",
    "environment",
    "find",
    "inside_agent",
    "load",
    "require",
]
