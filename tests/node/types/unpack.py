"""Bring the published types of the hosts from npm into node_modules: pinned, without their dependencies, and no code
but TypeScript's own. `make test` runs it; the fixture in tests/host_schemas.py too, when it has not been run."""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
READY = HERE / "node_modules" / ".unpacked.json"
KEPT = (".d.ts", ".d.mts", ".d.cts", "/package.json", ".schema.json")
CODE = "lib/typescript.js"  # the compiler


def wanted() -> dict[str, str]:
    """The packages and their versions."""
    found: dict[str, str] = json.loads((HERE / "package.json").read_text())["unpacked"]
    return found


def is_ready() -> bool:
    """Is what is wanted there already?"""
    return READY.is_file() and json.loads(READY.read_text()) == wanted()


def unpack() -> None:
    """Fetch what is wanted, unless it is there."""
    if is_ready():
        READY.touch()
        return
    with tempfile.TemporaryDirectory() as folder:
        names = [f"{name}@{version}" for name, version in wanted().items()]
        command = ["npm", "pack", "--json", "--ignore-scripts", "--pack-destination", folder, *names]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"npm could not fetch the types of the hosts:\n{done.stderr}")
        rows = json.loads(done.stdout)
        for row in rows.values() if isinstance(rows, dict) else rows:
            archive = Path(folder) / row["filename"].replace("@", "").replace("/", "-")
            _extract(archive, HERE / "node_modules" / row["name"])
    READY.write_text(json.dumps(wanted()))


def _extract(archive: Path, target: Path) -> None:
    with tarfile.open(archive) as packed:
        for member in packed:
            name = "/" + member.name.partition("/")[2]
            if not member.isfile() or ".." in name or not name.endswith((*KEPT, CODE)):
                continue
            source = packed.extractfile(member)
            assert source is not None
            place = target / name.lstrip("/")
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(source.read())


if __name__ == "__main__":
    unpack()
