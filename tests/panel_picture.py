"""The picture in docs/panel.md: the first page with the sample sessions. `python -m tests.panel_picture` draws it anew."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from recollect import Recollect
from tests.command_line import clean_environment
from tests.conftest import make_repository
from tests.doors.http.panel.lab import OUTSIDE_AGENTS, a_browser, fill
from tests.paths import ROOT
from tests.services import running

PICTURE = ROOT / "docs" / "panel.png"
SIZE = {"width": 1280, "height": 860}


def draw(picture: Path) -> None:
    """Take a picture of the first page."""
    with tempfile.TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch, a_browser() as browser:
        for what, value in OUTSIDE_AGENTS.items():
            patch.setattr(f"recollect.flows.writes.actors.{what}", value)
        folder = Path(name)
        (folder / "user").mkdir()
        repository = make_repository(folder / "shop", remote="git@github.com:acme/shop.git")
        environ = clean_environment(folder / "home", folder / "user")
        memory = Recollect.open(str(folder / "home"), folder=str(repository), environ=environ)
        past = memory.sessions
        past.import_logs(past.logs([str(ROOT / "src" / "recollect" / "sample")])[0])
        past.digest()
        fill(memory, repository)
        with running(repository, environ) as served:
            page = browser.new_page(viewport=SIZE, color_scheme="light")
            page.goto(f"{served.address}/open?token={served.sessions.new_link()}")
            page.screenshot(path=str(picture))
        memory.close()


if __name__ == "__main__":
    draw(PICTURE)
