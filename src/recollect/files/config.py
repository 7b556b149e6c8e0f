"""Settings files: config.toml in the home, and .recollect.toml at the root of a working tree.

A hook reads them through a JSON cache, without tomllib. `set_value` changes one key and no other byte."""

from __future__ import annotations

import os
import stat
import time

from recollect.errors import FileError, RecollectError, SettingsError, StoreBusy
from recollect.settings import FileValues, coerce, find, load, require
from recollect.settings_table import SECTIONS
from recollect.text.quick_json import dumps, loads
from recollect.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from recollect.files.home import Home
    from recollect.settings_rows import Row, Value
    from recollect.settings_table import Settings

    Path = tuple[str, ...]

REPOSITORY_FILE = ".recollect.toml"
LIMIT_BYTES = 64_000
REPOSITORY_LIMIT_BYTES = 8_000  # anyone may have written it, and tomllib can be made to take the square of its size
CACHED_FILES = 50
DEEPEST_NAME = 4  # longer than the name of any setting; what lies deeper is not told apart
# Two writes so close together can carry the same time stamp; a file is cached once it is older than this.
SETTLE_SECONDS = 2.0
LOCK_SUFFIX = ".lock"
WAIT_SECONDS = 5.0  # for whoever else is changing the same file


def load_settings(
    environ: Mapping[str, str],
    home: Home,
    *,
    working_tree: str = "",
    flags: Mapping[str, object] | None = None,
    clock: Callable[[], float] = time.time,
    is_hook: bool = False,
) -> Settings:
    """The settings that hold here and now; `working_tree` is the folder whose .recollect.toml counts. A hook takes a
    config.yml as others have read it."""
    cache = _Cache(home.config_cache, clock)
    user = cache.read(home.config)
    user_yaml = cache.read(home.config_yaml, only_cached=is_hook)
    repository: FileValues | None = None
    warnings: tuple[str, ...] = ()
    if working_tree:
        try:
            repository = cache.read(os.path.join(working_tree, REPOSITORY_FILE), own=False)
        except SettingsError as problem:
            warnings = (f"{problem} (file ignored)",)
    settings = load(environ, user=user, user_yaml=user_yaml, repository=repository, flags=flags, warnings=warnings)
    cache.save()
    return settings


def read_values(path: str, *, limit_bytes: int = LIMIT_BYTES) -> FileValues:
    """What a settings file says, in the order of its lines. Raises SettingsError, naming the line where it can."""
    from recollect.files.toml_lines import key_lines

    text = _read_text(path, limit_bytes)
    if path.endswith(".yml"):
        from recollect.files.yaml_settings import parse_yaml

        parsed, lines = parse_yaml(text, path)
    else:
        parsed, lines = _parse(text, path), key_lines(text, deepest=DEEPEST_NAME)
    found = [(".".join(name), value, _line(name, lines)) for name, value in _flatten(parsed, ())]
    return FileValues(path, tuple(sorted(found, key=lambda item: item[2])))


def _line(name: Path, lines: Mapping[Path, int]) -> int:
    """The line of a key; of one in an inline table, the line where that starts."""
    return next((lines[name[:end]] for end in range(len(name), 0, -1) if name[:end] in lines), 1)


def set_value(path: str, name: str, value: object) -> Value:
    """Set one setting in a file and return the value written. A text is read as the setting's type.

    Raises SettingsError, with nothing written, when the name or the value is not valid or the file is not TOML."""
    from recollect.files.writing import make_private_directory
    from recollect.locks import lock

    setting = require(name)
    checked = coerce(setting, value)
    make_private_directory(os.path.dirname(path))
    try:
        # From reading to writing: of two who change the file at once, the second would take the first one's key away.
        with lock(path + LOCK_SUFFIX, wait_seconds=WAIT_SECONDS):
            _write_value(path, setting, checked)
    except StoreBusy as error:
        raise SettingsError(f"{path}: another process is changing it; try again in a moment") from error
    return checked


def unset_value(path: str, name: str) -> bool:
    """Take one setting out of a file; False when the file does not set it. Raises SettingsError as set_value does."""
    from recollect.files.edits.toml_settings import remove_key
    from recollect.files.writing import write_atomic
    from recollect.locks import lock

    setting = require(name)
    target = os.path.realpath(path)
    if not os.path.lexists(target):
        return False
    try:
        with lock(path + LOCK_SUFFIX, wait_seconds=WAIT_SECONDS):
            text = _read_text(target, LIMIT_BYTES)
            after = {key: value for key, value in _named(text, path).items() if key != setting.name}
            edited = remove_key(text, is_mine=lambda one: find(".".join(one[:DEEPEST_NAME])) is setting)
            if not _says(edited, after):
                raise SettingsError(f"{path}: '{setting.name}' cannot be removed; correct the file by hand first")
            if edited != text:
                write_atomic(os.path.dirname(target), target, edited.encode())
            return edited != text
    except StoreBusy as error:
        raise SettingsError(f"{path}: another process is changing it; try again in a moment") from error
    except FileError as error:
        raise SettingsError(f"'{setting.name}' was not removed: {error}") from error


def _write_value(path: str, setting: Row, checked: Value) -> None:
    target = os.path.realpath(path)  # a config.toml kept elsewhere and linked here is the user's own choice
    text = _read_text(target, LIMIT_BYTES) if os.path.lexists(target) else ""
    after = {**_named(text, path), setting.name: repr(list(checked) if isinstance(checked, tuple) else checked)}
    edited = _edited(text, setting, checked)
    if not _says(edited, after):
        raise SettingsError(f"{path}: '{setting.name}' cannot be added to the file; correct the file by hand first")
    if edited != text:
        from recollect.files.writing import write_atomic

        write_atomic(os.path.dirname(target), target, edited.encode())


class _Cache:
    """Parsed settings files by path, each with the stamp of the file it was parsed from."""

    def __init__(self, path: str, clock: Callable[[], float]) -> None:
        self.path = path
        self.clock = clock
        self.entries: dict[str, object] | None = None
        self.changed = False

    def read(self, path: str, *, own: bool = True, only_cached: bool = False) -> FileValues | None:
        """What the file says, or None when it does not exist, or only the cache is asked and does not have it. One that
        is not the user's own may not be a link."""
        status = _status(path, follow=own)
        if status is None:
            return None
        stamp = [status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino]
        if self.entries is None:
            self.entries = _read_cache(self.path)
        items = _cached_items(self.entries.get(path), stamp)
        if items is not None:
            return FileValues(path, items)
        if only_cached:
            return None
        values = read_values(path, limit_bytes=LIMIT_BYTES if own else REPOSITORY_LIMIT_BYTES)
        if self.clock() - max(status.st_mtime, status.st_ctime) > SETTLE_SECONDS and _is_plain(values.items):
            self.entries.pop(path, None)
            self.entries[path] = {"stamp": stamp, "items": values.items}
            self.changed = True
        return values

    def save(self) -> None:
        """Write what is new. A cache that cannot be written is only slower."""
        if not self.changed or not self.entries:
            return
        kept = dict(list(self.entries.items())[-CACHED_FILES:])
        data = dumps({"version": __version__, "files": kept}).encode()
        try:
            from recollect.files.writing import write_atomic

            write_atomic(os.path.dirname(self.path), self.path, data)
        except (OSError, RecollectError):
            return


def _read_cache(path: str) -> dict[str, object]:
    try:
        with open(path, "rb") as file:
            cached = loads(file.read())
        return dict(cached["files"]) if cached["version"] == __version__ else {}
    except (OSError, LookupError, TypeError, ValueError, RecursionError):
        return {}


def _cached_items(entry: object, stamp: list[int]) -> tuple[tuple[str, object, int], ...] | None:
    if not isinstance(entry, dict) or entry.get("stamp") != stamp:
        return None
    try:
        return tuple((str(name), value, int(line)) for name, value, line in entry["items"])
    except (LookupError, TypeError, ValueError):
        return None


def _is_plain(items: tuple[tuple[str, object, int], ...]) -> bool:
    """Whether JSON gives the items back as they are: a date does not come back."""
    try:
        dumps(items)
    except (TypeError, ValueError, RecursionError):
        return False
    return True


def _status(path: str, *, follow: bool) -> os.stat_result | None:
    try:
        status = os.stat(path, follow_symlinks=follow)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return None
    except OSError as error:
        raise SettingsError(f"{path}: cannot be read: {error.strerror}") from error
    if not stat.S_ISREG(status.st_mode):
        raise SettingsError(f"{path}: is not a regular file")
    return status


def _read_text(path: str, limit_bytes: int) -> str:
    _status(path, follow=True)
    try:
        with open(path, "rb") as file:
            data = file.read(limit_bytes + 1)
    except (OSError, ValueError) as error:
        raise SettingsError(f"{path}: cannot be read: {error}") from error
    if len(data) > limit_bytes:
        raise SettingsError(f"{path}: is larger than {limit_bytes} bytes")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise SettingsError(f"{path} line {line}: is not UTF-8 text") from error


def _parse(text: str, path: str) -> dict[str, object]:
    import tomllib

    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except RecursionError as error:
        raise SettingsError(f"{path}: is nested too deeply") from error
    except ValueError as error:  # TOMLDecodeError is one; a number of a thousand digits gives a plain one
        what, _, place = str(error).partition(" (at ")
        if place.startswith("end of document"):
            line = f" line {text.count(chr(10)) + 1}"
        else:
            line = " " + place.partition(",")[0] if place.startswith("line ") else ""
        raise SettingsError(f"{path}{line}: not valid TOML: {what[:100]}") from error


def _flatten(table: Mapping[str, object], above: Path) -> Iterator[tuple[Path, object]]:
    """Every key with its value. An empty table counts unless it is one of our sections, so that a typo shows."""
    for key, value in table.items():
        name = (*above, key)
        if isinstance(value, dict) and value and len(name) < DEEPEST_NAME:
            yield from _flatten(value, name)
        elif value != {} or ".".join(name) not in SECTIONS:
            yield name, value


def _named(text: str, path: str) -> dict[str, str]:
    """What a text says by the settings it sets, to compare: repr, as nan is not equal to itself."""
    named = {}
    for key, value in _flatten(_parse(text, path), ()):
        setting = find(".".join(key))
        try:
            named[setting.name if setting else ".".join(key)] = repr(value)
        except (RecursionError, ValueError) as error:
            raise SettingsError(f"{path}: the value of '{key[0]}' is too large") from error
    return named


def _says(text: str, named: Mapping[str, str]) -> bool:
    try:
        return _named(text, "") == named
    except SettingsError:
        return False


def _edited(text: str, setting: Row, value: Value) -> str:
    """The text with one setting changed, or added where it belongs."""
    from recollect.files.edits.toml_settings import set_key

    def is_mine(path: Path) -> bool:
        return find(".".join(path[:DEEPEST_NAME])) is setting

    try:
        return set_key(text, setting.name, value, is_mine=is_mine)
    except FileError as error:
        raise SettingsError(f"'{setting.name}' was not set: {error}") from error


__all__ = ["REPOSITORY_FILE", "load_settings", "read_values", "set_value", "unset_value"]
