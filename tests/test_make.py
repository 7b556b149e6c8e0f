"""make: what it says when Python is too old or npm fails, and that the next try starts over."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.paths import TESTS

MAKE = shutil.which("make") or ""
pytestmark = pytest.mark.skipif(not MAKE, reason="make is not installed")

# A Python that only knows its version, and what the Makefile asks of it. The programs it installs do nothing.
PYTHON = """#!/bin/sh
echo "$0 $*" >> {calls}
case "$1 $2" in
  "--version ") echo "Python {version}";;
  "-c "*) exit {too_old};;
  "-m venv")
    [ "$3" = --clear ] && rm -rf "$4" && shift
    mkdir -p "$3/bin" && cp "$0" "$3/bin/python";;
  "-m pip")
    [ -e {broken} ] && exit 1
    for name in recollect ruff mypy lint-imports; do printf '#!/bin/sh\\n' > .venv/bin/$name; chmod +x .venv/bin/$name; done;;
esac
exit 0
"""


class Checkout:
    """The Makefile in a folder of its own, and the programs that it finds."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "checkout"
        self.programs = folder / "programs"
        self.calls = folder / "calls"
        self.broken = folder / "pip is broken"
        self.programs.mkdir()
        types = self.folder / "tests" / "node" / "types" / "node_modules"
        types.mkdir(parents=True)
        shutil.copy(TESTS.parent / "Makefile", self.folder)
        for name in ("pyproject.toml", "tests/node/package.json", "tests/node/types/package.json"):
            (self.folder / name).touch()
        self.python("python3", "3.11.4")
        self.program("npm", "mkdir -p tests/node/node_modules")
        self.chromium, self.tmux = folder / "chromium", folder / "tmux"
        self.chromium.touch()
        self.tmux.touch()

    def program(self, name: str, script: str) -> None:
        path = self.programs / name
        path.write_text(script if script.startswith("#!") else f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def python(self, name: str, version: str) -> None:
        too_old = int(tuple(map(int, version.split("."))) < (3, 11))
        self.program(name, PYTHON.format(calls=self.calls, version=version, too_old=too_old, broken=f"'{self.broken}'"))

    def make(self, *words: str, **environ: str) -> tuple[int, str]:
        """How make ended, and what it said on stderr without its own last line."""
        path = f"{self.programs}{os.pathsep}/usr/bin{os.pathsep}/bin"
        self.calls.unlink(missing_ok=True)
        done = subprocess.run(
            [MAKE, *words],
            cwd=self.folder,
            env={"PATH": path, "CHROMIUM": str(self.chromium), "PROGRAMS": str(self.tmux), **environ},
            capture_output=True,
            text=True,
            check=False,
        )
        said = [line for line in done.stderr.splitlines() if not line.startswith("make")]
        return done.returncode, "\n".join(said)

    def made_venv(self) -> str:
        """Which Python made the virtual environment this time."""
        lines = self.calls.read_text().splitlines() if self.calls.exists() else []
        return " ".join(Path(line.split()[0]).name for line in lines if "-m venv" in line)


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


@pytest.mark.parametrize("target", ["run", "test"])
def test_an_old_python_gets_one_sentence_and_leaves_nothing_behind(checkout: Checkout, target: str) -> None:
    checkout.python("python3", "3.9.2")
    code, said = checkout.make(target)
    assert code != 0
    assert said == (
        f"Recollect needs Python 3.11 or newer, but python3 is Python 3.9.2; try: PYTHON=python3.12 make {target}"
    )
    assert not (checkout.folder / ".venv").exists()


def test_a_python_that_is_not_there_gets_one_sentence(checkout: Checkout) -> None:
    code, said = checkout.make("run", PYTHON="python3.99")
    assert code != 0
    assert said == "python3.99 was not found; try: PYTHON=python3.12 make run"


def test_after_a_failed_try_another_python_starts_over(checkout: Checkout) -> None:
    checkout.python("python3.12", "3.12.1")
    left = checkout.folder / ".venv" / "bin"
    left.mkdir(parents=True)
    shutil.copy(checkout.programs / "python3", left / "python")
    (left / "half made").touch()
    assert checkout.make("run", PYTHON="python3.12") == (0, "")
    assert checkout.made_venv() == "python3.12"
    assert not (left / "half made").exists()
    assert checkout.make("run") == (0, "")
    assert checkout.made_venv() == "", "what was made whole is kept"


def test_an_environment_with_an_old_python_is_made_anew(checkout: Checkout) -> None:
    left = checkout.folder / ".venv" / "bin"
    left.mkdir(parents=True)
    checkout.python("old", "3.9.2")
    shutil.copy(checkout.programs / "old", left / "python")
    (left / "recollect").touch()
    os.utime(left / "recollect", (1, 1))
    assert checkout.make("run") == (0, "")
    assert checkout.made_venv() == "python3"


def test_a_failed_installation_is_tried_from_the_beginning(checkout: Checkout) -> None:
    checkout.broken.touch()
    assert checkout.make("run")[0] != 0
    checkout.broken.unlink()
    assert checkout.make("run") == (0, "")
    assert checkout.made_venv() == "python3"


def test_when_npm_fails_it_says_what_failed_and_what_to_do(checkout: Checkout) -> None:
    checkout.program("npm", "echo 'npm error code ENOTFOUND' >&2; exit 1")
    code, said = checkout.make("test")
    assert code != 0
    assert said.splitlines() == [
        "npm error code ENOTFOUND",
        "npm could not install the packages in tests/node/package.json; see its message above.",
        "Check your network and registry (npm config get registry), then run make test again.",
    ]
    checkout.program("npm", "mkdir -p tests/node/node_modules")
    assert checkout.make("test") == (0, ""), "the next try starts over"


@pytest.mark.parametrize("works", [True, False])
@pytest.mark.parametrize("name", ["chromium", "tmux"])
def test_a_missing_program_is_installed_or_told_of_in_one_sentence(checkout: Checkout, name: str, works: bool) -> None:
    program = getattr(checkout, name)
    program.unlink()
    checkout.program("id", "echo 1000")
    checkout.program("sudo", f'echo "sudo $*" >> {checkout.calls}; ' + (f"touch '{program}'" if works else "exit 1"))
    code, said = checkout.make("test")
    assert (code == 0) == works
    assert "sudo -n apt-get -qq update" in checkout.calls.read_text()
    assert (f"{name}, which the tests need, could not be installed; install it" in said) != works


def test_make_run_leaves_the_path_alone_so_that_printed_commands_work_in_the_shell(checkout: Checkout) -> None:
    seen = checkout.folder / "path"
    script = checkout.folder / ".venv" / "bin" / "recollect"
    assert checkout.make("install") == (0, "")
    script.write_text(f'#!/bin/sh\necho "$PATH" > "{seen}"\n')
    assert checkout.make("run") == (0, "")
    assert str(script.parent) not in seen.read_text()


def test_an_install_ends_with_what_to_run(checkout: Checkout) -> None:
    done = subprocess.run(
        [MAKE, "install"],
        cwd=checkout.folder,
        env={"PATH": f"{checkout.programs}{os.pathsep}/usr/bin{os.pathsep}/bin"},
        capture_output=True,
        text=True,
        check=True,
    )
    last = done.stdout.splitlines()[-1]
    assert last.startswith("Installed. Run .venv/bin/recollect, or put it on your PATH: ")
    assert last.endswith(f'export PATH="{checkout.folder / ".venv" / "bin"}:$PATH"')
