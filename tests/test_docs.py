"""The Python in the docs runs, and links lead somewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_python_of_a_page_runs(page: Path, tmp_path: Path) -> None:
    for block in re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL):
        (tmp_path / "package.json").write_text("{}\n")
        environ = {**os.environ, "RECOLLECT_HOME": str(tmp_path / "home"), "HOME": str(tmp_path / "user")}
        subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
        done = subprocess.run([sys.executable, "-c", block], cwd=tmp_path, env=environ, capture_output=True, text=True, check=False)  # fmt: skip
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text()):
        assert page.parent.joinpath(target).exists(), target
