"""The Python in the docs runs, links lead somewhere, and a newcomer can copy every line."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from recollect.model.hosts import HOSTS
from tests.command_line import clean_environment, process, shown
from tests.paths import ROOT
from tests.screens import COLOURS, too_wide

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FOR_NEWCOMERS = ("README", "tour", "install", "data", "privacy", "uninstall", "troubleshooting", "beside")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_python_of_a_page_runs(page: Path, tmp_path: Path) -> None:
    for block in re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL):
        environ = {**os.environ, "RECOLLECT_HOME": str(tmp_path / "home"), "HOME": str(tmp_path / "user")}
        subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
        for _ in range(2):  # whoever tries it tries it again
            done = subprocess.run([sys.executable, "-c", block], cwd=tmp_path, env=environ, capture_output=True, text=True, check=False)  # fmt: skip
            assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text()):
        assert page.parent.joinpath(target).exists(), target


def anchors(page: Path) -> set[str]:
    """What links to the headings of a page end with."""
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_to_a_heading_find_it(page: Path) -> None:
    for target, anchor in re.findall(r"\]\((?!https?:)([^)#]*)#([^)]+)\)", page.read_text()):
        assert anchor in anchors(page.parent / target if target else page), (target, anchor)


@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "words.md"], ids=lambda page: page.name)
def test_no_page_installs_the_other_recollect_from_pypi(page: Path) -> None:
    """It would be somebody else's package: every line installs from the source folder or from an address."""
    assert not re.search(r"(?<!un)install\s+(?:-\S+\s+)*['\"]?recollect(?![-\w@])", page.read_text())


@pytest.mark.parametrize("look", ["pipe", "colour", "no colour"])
@pytest.mark.parametrize("name", FOR_NEWCOMERS)
def test_a_newcomer_can_copy_every_line_of_a_page(name: str, look: str, repository: Path, tmp_path: Path) -> None:
    (tmp_path / "user").mkdir()
    # A session of an agent that takes no hooks, so that `doctor` misses nothing and `up` needs no samples.
    (repository / ".aider.chat.history.md").write_text(
        "# aider chat started at 2026-11-01 09:00:00\n\n#### Never push to main here.\n\nI will not.\n"
    )
    environ = clean_environment(tmp_path / "home", tmp_path / "user")
    page = PAGES[0] if name == "README" else ROOT / "docs" / f"{name}.md"
    blocks = re.findall(r"^ *```sh\n(.*?)```", page.read_text(), re.DOTALL | re.MULTILINE)
    lines = [line.strip() for block in blocks for line in block.splitlines() if line.strip().startswith("recollect")]
    assert lines
    for line in lines:
        if line.startswith("recollect up --sample"):
            continue  # takes seconds, and docs/commands.md has the same line: see doors/cli/test_docs.py
        if look == "pipe":
            done = process(line, repository, environ)
            assert done.code == 0, (line, done)
            continue
        code, screen = shown(line, repository, environ, colour=look == "colour")
        assert code == 0, (line, screen.raw)
        assert look == "colour" or not COLOURS.search(screen.raw), line
        assert too_wide(screen) == [], line


def test_the_index_leads_to_every_page() -> None:
    linked = set(re.findall(r"\]\(([\w-]+\.md)", (ROOT / "docs" / "README.md").read_text()))
    assert linked == {page.name for page in (ROOT / "docs").glob("*.md")} - {"README.md"}


def test_the_pages_name_and_count_the_agents_whose_sessions_are_imported() -> None:
    other = ("acp", "recollect", "specstory", "messages")  # a protocol, ourselves, a tool that saves chats, a format
    agents = [host.title for host in HOSTS if host.name not in other]
    listed = (ROOT / "docs" / "hosts.md").read_text().partition("## Whose past sessions")[2].partition("\n## ")[0]
    assert f"of {len(agents)} agents" in " ".join(listed.split())
    assert [title for title in agents if title not in listed] == []
    assert f"| imports past sessions | of {len(agents)} agents |" in (ROOT / "docs" / "comparison.md").read_text()


def test_what_troubleshooting_quotes_is_what_recollect_says() -> None:
    source = "\n".join(path.read_text() for path in (ROOT / "src" / "recollect").rglob("*.py"))
    rows = [line for line in (ROOT / "docs" / "troubleshooting.md").read_text().splitlines() if line.startswith("| ")]
    quoted = [quote for row in rows for quote in re.findall(r'"([^"]+)"', row.split(" | ")[0])]
    assert quoted
    assert [quote for quote in quoted if quote not in source] == []
