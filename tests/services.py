"""The service for tests: the application in this process, and a real server on a free port of loopback."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from recollect.doors.http.application import build
from recollect.doors.http.memories import Memories
from recollect.doors.http.serving import Served
from tests.command_line import clean_environment
from tests.conftest import make_repository

HERE = "http://127.0.0.1:8377"
REPOSITORY = "github.com/owner/app"
FACT = {"fact": "The deploy target is Render.", "subject": "deploy target", "citations": ["render.yaml"], "reason": "r"}


class Service:
    """An application with a home and a repository of its own, and a client for each kind of visitor."""

    def __init__(self, folder: Path, *, remote: str = "git@github.com:owner/app.git", **environ: str) -> None:
        (folder / "user").mkdir(parents=True)
        self.repository = make_repository(folder / "app", remote=remote)
        self.home = folder / "home"
        self.environ = clean_environment(self.home, folder / "user", **environ)
        self.memories = Memories(self.environ, folder=str(self.repository))
        self.memory = self.memories.at()
        self.app = build(self.memories)
        self.secrets = {scope: self.memory.tokens.add(scope, scope)[1] for scope in ("read", "write", "admin")}
        self.anybody = self.client()
        self.reader, self.writer, self.admin = (self.client(scope) for scope in ("read", "write", "admin"))

    def client(self, scope: str = "") -> TestClient:
        """A program with a token of this scope, or without one."""
        headers = {"Authorization": f"Bearer {self.secrets[scope]}"} if scope else {}
        return TestClient(
            self.app, base_url=HERE, follow_redirects=False, headers=headers, raise_server_exceptions=False
        )

    def person(self) -> TestClient:
        """A person who opened the panel, with the token of their forms in every request."""
        browser = self.client()
        sessions = self.app.state.panel_sessions
        assert browser.get("/open", params={"token": sessions.new_link()}).status_code == 303
        browser.headers["X-CSRF-Token"] = sessions.form_token(next(iter(browser.cookies.values())))
        return browser

    def store(self, text: str, **more: Any) -> str:
        """Store something as the person; returns its id."""
        return self.memory.remember(text, **more).entry_id

    def close(self) -> None:
        self.memories.close()


@contextmanager
def running(folder: Path, environ: dict[str, str], **more: Any) -> Iterator[Served]:
    """A real server in a thread, without its worker."""
    served = Served(environ, folder=str(folder), host="127.0.0.1", port=0, **more)
    thread = threading.Thread(target=served.run, kwargs={"works": False}, daemon=True)
    thread.start()
    try:
        yield served
    finally:
        served.stop()
        thread.join(10)
        assert not thread.is_alive()
