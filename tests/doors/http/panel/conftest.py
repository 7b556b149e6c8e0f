"""One server and one browser for the tests of the panel in a process."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from recollect import Recollect
from recollect.doors.http.serving import Served
from tests.command_line import clean_environment
from tests.conftest import make_repository
from tests.doors.http.panel.lab import CHROMIUM, OUTSIDE_AGENTS, a_browser, fill
from tests.services import running

WAIT_MILLISECONDS = 20_000


class Panel:
    """A running panel: its address, its memory, the ids of what is in it, and browsers that are let in."""

    def __init__(self, served: Served, memory: Recollect, ids: dict[str, str], repository: Path, browser: Any) -> None:
        self.served, self.memory, self.ids, self.repository = served, memory, ids, repository
        self._browser = browser
        self.contexts: list[Any] = []

    def open(self, path: str = "/", **options: Any) -> Any:
        """A page of a browser of its own that came in through a one-time link."""
        context = self._browser.new_context(**options)
        self.contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(WAIT_MILLISECONDS)
        page.problems = problems = []
        page.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("dialog", lambda dialog: problems.append(dialog.message))
        page.goto(f"{self.served.address}/open?token={self.served.sessions.new_link()}")
        page.goto(self.served.address + path)
        return page

    def close_pages(self) -> None:
        while self.contexts:
            self.contexts.pop().close()


@pytest.fixture(scope="package")
def outside_agents() -> Iterator[None]:
    """The tests may run inside a coding agent; the person at the panel does not."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in OUTSIDE_AGENTS.items():
            patch.setattr(f"recollect.flows.writes.actors.{name}", value)
        yield


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    assert os.path.exists(CHROMIUM), "chromium is not installed; `make test` installs it"
    from playwright.sync_api import expect

    expect.set_options(timeout=WAIT_MILLISECONDS)  # the machine may be busy
    with a_browser() as one:
        yield one


Started = Callable[..., Panel]


@pytest.fixture(scope="package")
def started(
    browser: Any, outside_agents: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[..., Panel]]:
    """Start a panel on a new home, filled or empty."""
    with ExitStack() as stack:

        def start(*, full: bool = True) -> Panel:
            folder = tmp_path_factory.mktemp("panel")
            (folder / "user").mkdir()
            repository = make_repository(folder / "app")
            environ = clean_environment(folder / "home", folder / "user")
            memory = Recollect.open(str(folder / "home"), folder=str(repository), environ=environ)
            stack.callback(memory.close)
            ids = fill(memory, repository) if full else {}
            served = stack.enter_context(running(repository, environ))
            return Panel(served, memory, ids, repository, browser)

        yield start


@pytest.fixture(scope="package")
def shared(started: Started) -> Panel:
    return started()


@pytest.fixture
def panel(shared: Panel) -> Iterator[Panel]:
    """The panel with something of everything, for tests that change only what they name."""
    yield shared
    shared.close_pages()
