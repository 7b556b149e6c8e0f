"""config.yml in the home: the settings in the form in which other agents keep theirs. Never read by a hook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.errors import SettingsError

if TYPE_CHECKING:
    Path = tuple[str, ...]


def parse_yaml(text: str, path: str) -> tuple[dict[str, object], dict[Path, int]]:
    """What a file says, and the line of each of its keys. Plain values only."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        found = YAML(typ="rt", pure=True).load(text)
    except (YAMLError, ValueError, RecursionError) as error:
        place = getattr(error, "problem_mark", None)
        line = f" line {place.line + 1}" if place is not None else ""
        raise SettingsError(f"{path}{line}: not valid YAML") from error
    if found is None:
        return {}, {}
    if not isinstance(found, dict):
        raise SettingsError(f"{path}: is not a table of settings")
    lines: dict[Path, int] = {}
    return _plain(found, (), lines, path), lines


def _plain(table: object, above: Path, lines: dict[Path, int], path: str) -> dict[str, object]:
    plain: dict[str, object] = {}
    for key, value in table.items():  # type: ignore[attr-defined]
        name = (*above, str(key))
        lines[name] = table.lc.key(key)[0] + 1  # type: ignore[attr-defined]
        plain[str(key)] = _plain(value, name, lines, path) if isinstance(value, dict) else _value(value)
    return plain


def _value(value: object) -> object:
    """Without the classes that remember how a value was written."""
    if isinstance(value, list):
        return [_value(one) for one in value]
    for kind in (bool, int, float, str):
        if isinstance(value, kind):
            return kind(value)
    return value
