"""The launcher that hosts call: a small script in the home. Its name never changes, its content follows the install.

It starts the plain interpreter under this program's environment, without site packages, on a stub that knows where the
package is. Hosts that trust a command by its text keep trusting it; an upgrade rewrites only the file."""

from __future__ import annotations

import os
import sys

from recollect.files.hook_bundle import NAME as BUNDLE_NAME
from recollect.files.hook_bundle import is_current as is_current_bundle
from recollect.files.writing import write_atomic
from recollect.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.files.home import Home

NAME = "recollect-hook"  # also the mark by which our entries in hosts' files are found
STUB_NAME = "recollect-hook.py"
CACHE_FOLDER = "bytecode"
PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-:\\@%+=,~")
# What a hook may load; the rest of the package has no need to be compiled ahead.
COMPILED = ("", "doors", "flows", "memory", "hosts", "store", "files", "prompts", "text", "model")

BUNDLING = """\
import sys
sys.path.append(sys.argv[1])
from recollect.files.hook_bundling import write_bundle
write_bundle(sys.argv[2])
"""
STUB = """\
# Written by Recollect {version} for {python}; rewritten at upgrades.
import gc
import sys

gc.disable()
try:
    sys.path.append({package!r})
    from recollect.files.hook_bundle import load_ahead, use_bundle

    use_bundle({bundle!r})
    load_ahead("recollect.doors.hook_crowd")
    from recollect.doors.hook_crowd import main
except BaseException:
    import os

    os.write(1, b"{{}}\\n")
    os._exit(0)
main(sys.argv[1:], home={home!r}, worker={worker!r})
"""

SHELL = """\
#!/bin/sh
# Written by Recollect {version}; rewritten at upgrades, the name stays.
# Where the program is gone, the host gets an empty object.
exec 2>/dev/null
[ -x {python} ] && [ -r {stub} ] && exec {python} {flags} {stub} "$@"
echo '{{}}'
now=$(date +%s)
echo '{{"at":'"$now"',"event":"no answer","why":"the interpreter or the stub is gone"}}' >>{log}
exit 0
"""

BATCH = """\
@echo off\r
rem Written by Recollect {version}; rewritten at upgrades, the name stays.\r
"{python}" {flags} "{stub}" %* 2>nul && exit /b 0\r
echo {{}}\r
exit /b 0\r
"""


def ensure_launcher(home: Home) -> str:
    """Write the launcher for this interpreter and package, compile what it loads, and return its path."""
    prefix = _cache_prefix(home)
    for name, text, mode in _files(home, prefix):
        if read_text(os.path.join(home.bin, name)) != text:
            write_atomic(home.bin, name, text, mode=mode)
            if os.name == "posix":
                os.chmod(os.path.join(home.bin, name), mode)
    _compile(prefix)
    if not is_current_bundle(os.path.join(home.bin, BUNDLE_NAME)):
        _bundle(home, prefix)
    return launcher_path(home)


def renew_launcher(home: Home) -> bool:
    """Rewrite a launcher that an upgrade or another interpreter made stale; says whether it was. None is made."""
    stub = read_text(os.path.join(home.bin, STUB_NAME))
    if not stub:
        return False
    if _is_current(stub, home):
        if is_current_bundle(os.path.join(home.bin, BUNDLE_NAME)):
            return False
        _bundle(home, _cache_prefix(home))
        return True
    if _is_newer(stub) and not _is_gone(stub):
        return False  # a newer install of the same user owns it
    ensure_launcher(home)
    return True


def launcher_state(home: Home) -> str:
    """`missing`, `stale` when an upgrade or a move left it behind, or `current`; a newer install's is current too."""
    stub = read_text(os.path.join(home.bin, STUB_NAME))
    if not stub or not os.path.exists(launcher_path(home)):
        return "missing"
    if _is_gone(stub):
        return "stale"
    return "current" if _is_current(stub, home) or _is_newer(stub) else "stale"


def launcher_path(home: Home, *, platform: str = sys.platform) -> str:
    """Where the launcher is, or will be."""
    return os.path.join(home.bin, NAME + (".cmd" if platform == "win32" else ""))


def hook_command(home: Home, host: str = "", *, platform: str = sys.platform) -> str:
    """The exact text for a host's file; the same for every version. With a host, for files that one host owns."""
    path = launcher_path(home, platform=platform)
    return quoted(path) + (f" --host {host}" if host else "")


def quoted(path: str) -> str:
    """A path as one word of a command line; in double quotes where they do, since cmd knows no others."""
    if path and all(letter in PLAIN for letter in path):
        return path
    if not any(letter in path for letter in '"$`\\!') or os.name == "nt":
        return f'"{path}"'
    import shlex

    return shlex.quote(path)


def interpreter() -> str:
    """The interpreter under this one's virtual environment. Not resolved further: links to it outlive its upgrades."""
    found = getattr(sys, "_base_executable", "") or sys.executable
    return found if os.access(found, os.X_OK) else sys.executable


def package_folder() -> str:
    """The folder that holds the package."""
    import recollect

    return os.path.dirname(os.path.dirname(os.path.abspath(recollect.__file__)))


def _files(home: Home, prefix: str) -> list[tuple[str, str, int]]:
    flags = "-I -S" + (f" -X pycache_prefix={quoted(prefix)}" if prefix else "")
    stub = os.path.join(home.bin, STUB_NAME)
    doubled = {"python": interpreter().replace("%", "%%"), "stub": stub.replace("%", "%%")}
    batch = BATCH.format(version=__version__, flags=flags.replace("%", "%%"), **doubled)
    shell = SHELL.format(
        version=__version__,
        python=single_quoted(interpreter()),
        flags="-I -S" + (f" -X pycache_prefix={single_quoted(prefix)}" if prefix else ""),
        stub=single_quoted(stub),
        log=single_quoted(os.path.join(home.logs, "hook.jsonl")),
    )
    files = [(STUB_NAME, _stub(home), 0o600), (NAME, shell, 0o700)]
    return [*files, (NAME + ".cmd", batch, 0o700)] if sys.platform == "win32" else files


def _stub(home: Home, worker: str = "") -> str:
    return STUB.format(
        version=__version__,
        python=interpreter(),
        package=package_folder(),
        home=home.root,
        worker=worker or sys.executable,
        bundle=os.path.join(home.bin, BUNDLE_NAME),
    )


def _is_current(stub: str, home: Home) -> bool:
    """Is this what would be written now? Another name of the same interpreter, as python and python3, is as good."""
    named = stub.rpartition("worker=")[2].partition(")\n")[0].strip("'\"")
    if not os.access(named, os.X_OK) or os.path.dirname(named) != os.path.dirname(sys.executable):
        return False
    return stub == _stub(home, worker=named)


def single_quoted(text: str) -> str:
    """A text as one word for the shell."""
    return "'" + text.replace("'", "'\\''") + "'"


def _cache_prefix(home: Home) -> str:
    """Where bytecode goes when it cannot lie beside the package."""
    beside = os.path.join(package_folder(), "recollect", "__pycache__")
    place = beside if os.path.isdir(beside) else os.path.dirname(beside)
    return "" if os.access(place, os.W_OK) else os.path.join(home.root, CACHE_FOLDER)


def _compile(prefix: str) -> None:
    """Compile ahead, so that no turn pays for it. A hook that finds no bytecode is only slower."""
    import subprocess

    folder = os.path.join(package_folder(), "recollect")
    command = [interpreter(), "-I", "-S", *([f"-Xpycache_prefix={prefix}"] if prefix else [])]
    if prefix:
        # The prefix holds for the standard library too: what a hook needs of it is loaded once and so compiled.
        subprocess.run([*command, "-c", "import sqlite3, json"], check=False, capture_output=True)  # noqa: S603
    rooms = [os.path.join(folder, room) for room in COMPILED]
    subprocess.run([*command, "-m", "compileall", "-q", "-l", *rooms[:1]], check=False, capture_output=True)  # noqa: S603
    subprocess.run([*command, "-m", "compileall", "-q", *rooms[1:]], check=False, capture_output=True)  # noqa: S603


def _bundle(home: Home, prefix: str) -> None:
    """All that a hook loads in one file, made by the interpreter that will read it; without it hooks are slower."""
    import subprocess

    flags = ["-I", "-S", "-Xno_debug_ranges", *([f"-Xpycache_prefix={prefix}"] if prefix else [])]
    subprocess.run(  # noqa: S603
        [interpreter(), *flags, "-c", BUNDLING, package_folder(), home.bin], check=False, capture_output=True
    )


def _is_newer(stub: str) -> bool:
    named = stub.partition("Written by Recollect ")[2].partition(" for ")[0]
    return _numbers(named) > _numbers(__version__)


def _is_gone(stub: str) -> bool:
    named = stub.partition("sys.path.append(")[2].partition(")\n")[0].strip("'\"")
    return not os.path.isdir(os.path.join(named, "recollect"))


def _numbers(version: str) -> list[int]:
    return [int(part) for part in version.split(".") if part.isdigit()]


def read_text(path: str) -> str:
    """What stands in a file; an empty text when it cannot be read."""
    try:
        with open(path, encoding="utf-8", errors="replace", newline="") as file:
            return file.read()
    except OSError:
        return ""
