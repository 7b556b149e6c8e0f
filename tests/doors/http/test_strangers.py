"""What somebody tries who wants more of the service than they were given: addresses, headers, versions, streams."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import anyio
import pytest

from recollect.doors.http.api.events import MOST_EACH, Streams
from recollect.doors.http.serving import Served
from tests.command_line import Run, clean_environment
from tests.services import Service

HOST = (b"host", b"127.0.0.1:8377")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    made = Service(tmp_path_factory.mktemp("strangers"))
    yield made
    made.close()


def asked(
    service: Service,
    method: str,
    path: str,
    headers: list[tuple[bytes, bytes]],
    received: list[dict[str, Any]],
    **more: Any,
) -> list[dict[str, Any]]:
    """What the application sends to a client that says exactly this."""
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return received.pop(0) if received else {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        if more.get("is_gone"):
            raise OSError("the client is gone")
        sent.append(message)

    async def ask() -> None:
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "scheme": "http",
            "path": path, "raw_path": path.encode(), "query_string": b"", "root_path": "", "headers": [HOST, *headers],
            "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 8377), "state": {},
        }  # fmt: skip
        try:
            await service.app(scope, receive, send)
        except OSError:
            assert more.get("is_gone")

    anyio.run(ask)
    return sent


def token(service: Service, scope: str) -> tuple[bytes, bytes]:
    return b"authorization", f"Bearer {service.secrets[scope]}".encode()


# -- addresses and headers


@pytest.mark.parametrize("name", ["a\rSet-Cookie: x=1", "日本/語", "who?is=it#here", "a>b c"])
def test_a_repository_of_any_name_has_a_next_page_that_can_be_followed(service: Service, name: str) -> None:
    for text in ("The editor is Helix.", "The shell is fish."):
        service.store(text, scope="user")
    first = service.reader.get(f"/v1/repositories/{quote(name, safe='')}/memories?limit=1")
    assert first.status_code == 200
    link = first.headers["link"]
    assert link.isascii()
    assert "set-cookie" not in first.headers
    following = service.reader.get(link.partition(">")[0].lstrip("<"))
    assert (following.status_code, len(following.json())) == (200, 1)
    assert following.json() != first.json()


def test_a_body_that_was_cut_off_is_not_acted_on(service: Service) -> None:
    memory_id = service.store("The bundler is esbuild.")
    headers = [token(service, "admin"), (b"content-length", b"100")]
    received = [{"type": "http.request", "body": b"{", "more_body": True}]
    assert asked(service, "DELETE", f"/v1/memories/{memory_id}", headers, received) == []
    assert service.memory.entries.get(memory_id).status == "active"


def test_a_length_that_is_not_a_number_is_refused(service: Service) -> None:
    sent = asked(service, "POST", "/v1/recall", [token(service, "read"), (b"content-length", b"\xb2")], [])
    assert sent[0]["status"] == 413


def test_a_program_cannot_choose_the_address_that_the_log_shows(tmp_path: Path, repository: Path) -> None:
    """Nor get a new allowance of requests with every address that it makes up."""
    served = Served(clean_environment(tmp_path / "home", tmp_path), folder=str(repository), host="127.0.0.1", port=0)
    served.close()
    assert not served.config.proxy_headers
    assert served.config.ws == "none"
    assert served.config.limit_concurrency


def test_what_comes_through_a_proxy_is_not_the_person_in_the_panel(service: Service) -> None:
    person = service.person()
    assert person.get("/v1/memories").status_code == 200
    for name in ("X-Forwarded-For", "Forwarded"):
        assert person.get("/v1/memories", headers={name: "192.0.2.1"}).status_code == 401
        assert person.get("/", headers={name: "192.0.2.1"}).status_code == 401


# -- tokens


def test_no_token_is_named_as_the_person_is(cli: Run) -> None:
    done = cli("token", "add", "user", "--scope", "write")
    assert (done.code, "choose another name" in done.err) == (2, True)


# -- versions


@pytest.mark.parametrize("seen", ["", '""', '"', "x", 'W/""'])
def test_a_version_that_nobody_saw_is_not_any_version(service: Service, seen: str) -> None:
    memory_id = service.store(f"The registry is number {len(seen)} of {seen!r}.")
    path = f"/v1/memories/{memory_id}"
    assert service.person().patch(path, json={"tags": ["x"]}, headers={"If-Match": seen}).status_code == 412
    assert service.person().delete(path, headers={"If-Match": seen}).status_code == 412


def test_any_of_several_versions_will_do_and_a_star_stands_for_all(service: Service) -> None:
    memory_id = service.store("The mirror is in Zurich.")
    path = f"/v1/memories/{memory_id}"
    now = service.reader.get(path).headers["etag"]
    for known in (f'"old", {now}', f"W/{now}", "*"):
        assert service.reader.get(path, headers={"If-None-Match": known}).status_code == 304
    person = service.person()
    changed = person.patch(path, json={"tags": ["x"]}, headers={"If-Match": f'"old", {now}'})
    assert changed.status_code == 200
    assert person.delete(changed.headers["location"], headers={"If-Match": "*"}).status_code == 200


def test_whoever_asks_again_is_not_told_a_version_that_they_did_not_see(service: Service) -> None:
    memory_id = service.store("The queue runs on port 5672.")
    path, person = f"/v1/memories/{memory_id}", service.person()
    first = person.patch(path, json={"tags": ["mine"]}, headers={"Idempotency-Key": "edit"})
    service.memory.edit(first.json()["id"], tags=["theirs"])
    again = person.patch(path, json={"tags": ["mine"]}, headers={"Idempotency-Key": "edit"})
    assert (again.json(), again.headers["etag"]) == (first.json(), first.headers["etag"])
    late = person.patch(first.headers["location"], json={"tags": []}, headers={"If-Match": again.headers["etag"]})
    assert late.status_code == 412


def test_a_list_of_what_says_exactly_this_keeps_to_its_filters(service: Service) -> None:
    fact = "The pager is Opsgenie."
    memory_id = service.store(fact, tags=["ops"])

    def found(**filters: str) -> list[str]:
        return [one["id"] for one in service.reader.get("/v1/memories", params={"fact": fact, **filters}).json()]

    assert found() == found(tag="ops", layer="L1", source="user", status="any") == [memory_id]
    assert found(tag="other") == found(layer="L0") == found(source="agent") == found(status="tombstone") == []


# -- streams and connections


def test_a_listener_that_is_gone_before_it_hears_anything_leaves_its_place(service: Service) -> None:
    streams: Streams = service.app.state.streams
    asked(service, "GET", "/v1/events", [token(service, "read")], [], is_gone=True)
    assert streams.number == 0


def test_no_program_takes_the_streams_of_all_others() -> None:
    streams = Streams()
    assert [streams.enter("token a") for _ in range(MOST_EACH + 1)] == [True] * MOST_EACH + [False]
    assert streams.enter("user")
    streams.leave("token a")
    assert streams.enter("token a")


def test_however_many_repositories_are_asked_for_the_database_is_opened_once(service: Service) -> None:
    here = service.memories.at()
    stores = {id(service.memories.at(f"github.com/owner/number{number}").opened.store) for number in range(20)}
    assert stores == {id(here.opened.store)}
    assert service.memories.at("github.com/owner/number1").repository.root == ""


# -- what is private


def test_mcp_shows_no_private_session_and_no_receipt_of_one(service: Service) -> None:
    from recollect.doors.mcp.reading import answer_read
    from recollect.errors import NotFound
    from tests.paths import SOURCE

    memory = service.memory
    memory.sessions.import_logs(memory.sessions.logs([str(SOURCE / "sample")])[0])
    session = memory.sessions.listed()[0][0]
    at_home = service.memories.at(session.repository)
    given = at_home.recall("which editor is it?", session=session.native_id).receipt
    addresses = (f"memory://sessions/{session.session_id}", f"memory://receipts/{given}")
    for address in addresses:
        assert answer_read(address, "", at_home).text
    memory.sessions.set_private(session.session_id)
    for address in addresses:
        with pytest.raises(NotFound):
            answer_read(address, "", at_home)


# -- what is noted


def test_the_log_tells_a_refused_change_apart_from_one_that_was_made(service: Service) -> None:
    memory_id = service.store("The tracker is Linear.")
    service.reader.delete(f"/v1/memories/{memory_id}")
    [*_, last] = [json.loads(line) for line in (service.home / "logs" / "http.log").read_text().splitlines()]
    assert (last["who"], last["method"], last["status"], last["from"]) == ("read", "DELETE", 403, "testclient")
