"""The way into the panel: a link that works once, a cookie, and forms of one's own pages."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from fastapi import FastAPI, Request
from starlette.testclient import TestClient

from recollect.doors.http.application import build
from recollect.doors.http.memories import Memories
from recollect.doors.http.panel_sessions import LINK_SECONDS, PanelSessions
from recollect.doors.http.visitors import PanelPerson
from tests.conftest import Clock, make_repository

HERE = "http://127.0.0.1:8377"


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FastAPI]:
    folder = tmp_path_factory.mktemp("panel")
    repository = make_repository(folder / "app")
    memories = Memories({"HOME": str(folder)}, folder=str(repository), home=str(folder / "home"))
    built = build(memories)

    @built.post("/change")
    def change(visitor: PanelPerson) -> str:
        return visitor.name

    @built.get("/form")
    def form(visitor: PanelPerson) -> str:
        return visitor.form_token

    @built.get("/cookie")
    def cookie(request: Request) -> dict[str, str]:
        return request.cookies

    yield built
    memories.close()


def browser(app: FastAPI, base: str = HERE) -> TestClient:
    return TestClient(app, base_url=base, follow_redirects=False)


def opened(app: FastAPI) -> TestClient:
    client = browser(app)
    assert client.get("/open", params={"token": app.state.panel_sessions.new_link()}).status_code == 303
    return client


def test_a_link_opens_the_panel_once(app: FastAPI) -> None:
    client, token = browser(app), app.state.panel_sessions.new_link()
    assert client.get("/").status_code == 401
    first = client.get("/open", params={"token": token})
    assert (first.status_code, first.headers["location"]) == (303, "/")
    assert {"httponly", "samesite=strict", "path=/"} <= set(first.headers["set-cookie"].lower().split("; "))
    assert client.get("/").status_code == 200
    stranger = browser(app)
    assert stranger.get("/open", params={"token": token}).status_code == 401
    assert stranger.get("/").status_code == 401


def test_a_link_that_nobody_used_expires(clock: Clock) -> None:
    sessions = PanelSessions(clock)
    token = sessions.new_link()
    clock.now += LINK_SECONDS
    assert sessions.open(token) == ""


def test_a_change_has_to_come_from_a_page_of_the_session(app: FastAPI) -> None:
    client = opened(app)
    token = client.get("/form").json()
    assert client.post("/change").status_code == 403
    assert client.post("/change", data={"csrf": "other"}).status_code == 403
    assert client.post("/change", data={"csrf": opened(app).get("/form").json()}).status_code == 403
    assert client.post("/change", data={"csrf": token}).json() == "user"
    assert client.post("/change", headers={"X-CSRF-Token": token}).json() == "user"


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "http://localhost:3000", "null", "http://127.0.0.1:8377.evil.example"]
)
def test_a_page_of_another_site_gets_nowhere_even_with_the_cookie(app: FastAPI, origin: str) -> None:
    client = opened(app)
    headers = {"Origin": origin, "X-CSRF-Token": client.get("/form").json()}
    assert client.post("/change", headers=headers).status_code == 403
    assert client.post("/change", headers={**headers, "Origin": HERE}).status_code == 200


@pytest.mark.parametrize(
    "name", ["evil.example", "127.0.0.1.evil.example:8377", "[::1].evil.example", "localhost:x", ""]
)
def test_a_server_on_loopback_answers_to_its_own_names_only(app: FastAPI, name: str) -> None:
    assert browser(app).get("/healthz", headers={"Host": name}).status_code == 421


@pytest.mark.parametrize("name", ["localhost:8377", "127.0.0.1", "[::1]:8377", "LOCALHOST:80"])
def test_every_name_of_loopback_is_one_of_its_own(app: FastAPI, name: str) -> None:
    assert browser(app).get("/healthz", headers={"Host": name}).status_code == 200


def test_answers_allow_no_script_of_others_and_are_not_kept(app: FastAPI) -> None:
    headers = browser(app).get("/").headers
    assert "script-src 'self';" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["cache-control"] == "no-store"
    assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize("path", ["/static/..%2f..%2f__init__.py", "/static/%2e%2e/__init__.py", "/static//etc/passwd"])
def test_static_files_are_of_one_folder(app: FastAPI, path: str) -> None:
    assert browser(app).get(path).status_code == 404


def test_a_body_that_is_too_long_is_refused_however_it_comes(app: FastAPI) -> None:
    client = browser(app)
    long = b"x" * 10_000_001
    assert client.post("/change", content=long).status_code == 413
    assert client.post("/change", content=iter([long])).status_code == 413


def test_the_memory_of_a_request_is_that_of_the_folder(app: FastAPI) -> None:
    memories: Memories = app.state.memories
    here = memories.at()
    assert here.repository.root == os.path.realpath(memories.folder)
    assert memories.at(here.repository.repository) is here
    elsewhere = memories.at("github.com/other/thing")
    assert (elsewhere.repository.repository, elsewhere.repository.root) == ("github.com/other/thing", "")
    assert memories.at("").repository.repository == ""
