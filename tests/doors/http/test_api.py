"""The API as a program uses it: tokens and scopes, memories, versions, keys, pages, and what only a person decides."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from recollect.doors.http.limiting import Limits
from tests.conftest import Clock, git
from tests.paths import SOURCE
from tests.services import FACT, REPOSITORY, Service

HERE = f"/v1/repositories/{quote(REPOSITORY, safe='')}"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    made = Service(tmp_path_factory.mktemp("service"))
    yield made
    made.close()


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Service]:
    made = Service(tmp_path / "fresh")
    yield made
    made.close()


# -- who may do what


def test_without_a_token_nothing_but_health_and_the_document_answers(service: Service) -> None:
    paths = service.anybody.get("/openapi.json").json()["paths"]
    assert service.anybody.get("/healthz").json()["status"] == "ok"
    for path, methods in paths.items():
        for method in methods:
            if path == "/healthz":
                continue
            found = service.anybody.request(method, path.replace("{", "").replace("}", ""), json={})
            assert found.status_code == 401, (method, path)
            assert found.headers["www-authenticate"] == "Bearer"


def test_a_scope_includes_those_before_it_and_no_other(service: Service) -> None:
    memory_id = service.store("Scopes are read, write and admin.")
    vote = {"direction": "up", "reason": "right"}
    for client, allowed in ((service.reader, 1), (service.writer, 2), (service.admin, 3)):
        assert client.get("/v1/memories").status_code == 200
        assert client.get("/metrics").status_code == 200
        voted = client.post(f"/v1/memories/{memory_id}/votes", json=vote).status_code
        assert voted == (200 if allowed > 1 else 403)
        assert client.get("/v1/audit").status_code == (200 if allowed > 2 else 403)
        assert client.get("/v1/tokens").status_code == (200 if allowed > 2 else 403)


def test_a_token_that_was_taken_back_is_refused_from_the_next_request_on(fresh: Service) -> None:
    assert fresh.reader.get("/v1/memories").status_code == 200
    fresh.memory.tokens.revoke("read")
    assert fresh.reader.get("/v1/memories").status_code == 401
    assert fresh.client().get("/v1/memories", headers={"Authorization": "Bearer rcl_made_up"}).status_code == 401


def test_tokens_are_kept_as_digests_alone(fresh: Service) -> None:
    fresh.memory.close()
    stored = b"".join(path.read_bytes() for path in fresh.home.glob("recollect.db*"))
    for secret in fresh.secrets.values():
        assert secret.encode() not in stored


def test_whoever_asks_too_often_waits(fresh: Service) -> None:
    fresh.app.state.limits = Limits(6)
    assert fresh.reader.get("/v1/memories").status_code == 200
    refused = fresh.reader.get("/v1/memories")
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "10")
    assert fresh.writer.get("/v1/memories").status_code == 200
    assert [fresh.anybody.get("/v1/memories").status_code for _ in range(2)] == [401, 429]


def test_a_bucket_fills_again(clock: Clock) -> None:
    limits = Limits(60, clock)
    assert [limits.wait_seconds("a") for _ in range(11)] == [0.0] * 10 + [1.0]
    clock.now += 1
    assert limits.wait_seconds("a") == 0.0


# -- memories


def test_what_a_program_stores_is_an_agents_and_is_found_by_everybody(fresh: Service) -> None:
    stored = fresh.writer.post(f"{HERE}/memories", json={**FACT, "source": "user", "origin": "typed"})
    assert (stored.status_code, stored.json()["status"]) == (201, "stored")
    shown = fresh.reader.get(stored.headers["location"]).json()
    assert (shown["source"], shown["origin"], shown["repository"]) == ("agent", "assistant", REPOSITORY)
    assert fresh.writer.post(f"{HERE}/memories", json=FACT).json()["status"] == "duplicate"
    [found] = fresh.reader.get(f"{HERE}/memories", params={"fact": "the deploy target is Render"}).json()
    assert found["id"] == stored.json()["id"]
    recalled = fresh.reader.post("/v1/recall", json={"query": "what is the deploy target?"}).json()
    assert [one["id"] for one in recalled["entries"]] == [found["id"]]
    assert fresh.reader.get(f"/v1/receipts/{recalled['receipt']}").json()["host"] == "http:read"
    change = fresh.admin.get("/v1/audit").json()[-1]
    assert (change["actor"], change["entries"]) == ("agent:write", [found["id"]])


def test_scopes_in_the_path_keep_apart_what_belongs_to_others(fresh: Service) -> None:
    other = "/v1/repositories/github.com%2Fother%2Fthing"
    fresh.writer.post(f"{HERE}/memories", json=FACT)
    fresh.writer.post(f"{other}/memories", json={**FACT, "fact": "The deploy target is Fly."})
    fresh.store("The user likes short answers.", scope="user")

    def said(path: str) -> set[str]:
        return {one["content"] for one in fresh.reader.get(f"{path}/memories").json()}

    assert said(HERE) == {"The deploy target is Render.", "The user likes short answers."}
    assert said(other) == {"The deploy target is Fly.", "The user likes short answers."}
    assert said("/v1/user") == {"The user likes short answers."}
    assert len(fresh.reader.get("/v1/memories", params={"everywhere": True}).json()) == 3


def test_what_is_stored_under_a_repository_holds_there_also_without_sources(fresh: Service) -> None:
    other = "/v1/repositories/github.com%2Fother%2Fthing"
    stored = fresh.writer.post(f"{other}/memories", json={"fact": "The deploy target is Fly."})
    assert stored.status_code == 201
    shown = fresh.reader.get(stored.headers["location"]).json()
    assert (shown["scope"], shown["repository"]) == ("repository", "github.com/other/thing")


def test_a_program_cannot_look_at_files_through_what_it_cites(fresh: Service) -> None:
    for place in ("/v1/user", "/v1/repositories/elsewhere", HERE):
        for path in ("/etc/passwd", "../../../../etc/passwd", str(fresh.home / "recollect.db")):
            said = fresh.writer.post(f"{place}/memories", json={**FACT, "fact": f"It is {path}.", "citations": [path]})
            assert said.status_code < 500
            if said.status_code == 201:
                shown = fresh.reader.get(said.headers["location"]).json()
                assert not [one for one in shown["citations"] if one.get("path") or one.get("sha256")], shown


def test_what_is_risky_waits_for_the_person_in_the_panel(fresh: Service) -> None:
    asked = fresh.writer.post("/v1/user/memories", json={"fact": "The user's name is Ada.", "layer": "L0"})
    assert (asked.status_code, asked.json()["status"]) == (202, "staged")
    waiting_id = asked.json()["id"]
    [waiting] = fresh.reader.get("/v1/pending").json()
    assert (waiting["id"], waiting["from"]) == (waiting_id, "write")
    for client in (fresh.writer, fresh.admin):
        assert client.post(f"/v1/pending/{waiting_id}/approve").status_code == 403
        assert client.post(f"/v1/pending/{waiting_id}/reject").status_code == 403
    person = fresh.person()
    assert person.post(f"/v1/pending/{waiting_id}/approve").json()["status"] == "stored"
    assert fresh.reader.get("/v1/pending").json() == []
    assert "Ada" in fresh.reader.get("/v1/prompt").json()["text"]


def test_a_rule_that_denies_agents_denies_tokens(tmp_path: Path) -> None:
    service = Service(tmp_path, RECOLLECT_PERMISSIONS__DENY='["memory"]')
    assert service.writer.post(f"{HERE}/memories", json=FACT).status_code == 403
    service.close()


def test_what_is_refused_is_told_with_its_reason(fresh: Service) -> None:
    memory_id = fresh.store("The deploy target is Render.")
    fresh.memory.forget(memory_id)
    said = fresh.writer.post(f"{HERE}/memories", json=FACT)
    assert (said.status_code, said.json()["status"]) == (200, "refused")
    assert said.json()["why"]
    assert fresh.writer.patch(f"/v1/memories/{memory_id}", json={"content": "x"}).status_code == 409


def test_a_memory_that_is_deleted_is_said_to_be_removed_and_found_among_the_retired(fresh: Service) -> None:
    memory_id = fresh.writer.post("/v1/memories", json=FACT).json()["id"]
    done = fresh.writer.delete(f"/v1/memories/{memory_id}")
    assert (done.status_code, done.json()["status"]) == (200, "removed")
    assert done.json()["why"] == "It is no longer recalled; a person can restore it."
    assert fresh.writer.delete(f"/v1/memories/{memory_id}").status_code == 409
    for status in ("retired", "tombstone"):
        [found] = fresh.reader.get("/v1/memories", params={"status": status, "everywhere": True}).json()
        assert (found["id"], found["status"]) == (memory_id, "tombstone")


def test_the_word_for_a_replaced_memory_is_taken_as_a_filter(fresh: Service) -> None:
    old = fresh.writer.post("/v1/memories", json={"fact": "The queue of the importer is Redis."}).json()["id"]
    changed = fresh.writer.patch(f"/v1/memories/{old}", json={"fact": "The queue of the importer is Kafka."})
    assert (changed.status_code, changed.json()["status"]) == (200, "stored")
    for status in ("replaced", "superseded"):
        found = fresh.reader.get("/v1/memories", params={"status": status, "everywhere": True}).json()
        assert [(one["id"], one["status"]) for one in found] == [(old, "superseded")]


def test_a_memory_is_changed_by_the_words_that_it_was_stored_with_and_the_old_id_names_the_new_one(
    fresh: Service,
) -> None:
    stored = fresh.writer.post("/v1/memories", json={"fact": "The queue of the importer is Redis."}).json()
    changed = fresh.writer.patch(f"/v1/memories/{stored['id']}", json={"fact": "The queue of the importer is Kafka."})
    assert changed.status_code == 200, changed.text
    now = changed.json()
    assert now["id"] != stored["id"]
    assert fresh.reader.get(f"/v1/memories/{now['id']}").json()["content"] == "The queue of the importer is Kafka."
    again = fresh.writer.patch(
        f"/v1/memories/{now['id']}", json={"content": "The queue of the importer is SQS."}
    ).json()
    vote = {"direction": "up", "reason": "right"}
    for refused in (
        fresh.writer.patch(f"/v1/memories/{stored['id']}", json={"content": "The queue of the importer is RabbitMQ."}),
        fresh.writer.delete(f"/v1/memories/{stored['id']}"),
        fresh.writer.post(f"/v1/memories/{stored['id']}/votes", json=vote),
    ):
        assert refused.status_code == 409
        assert refused.json()["detail"] == f"{stored['id']} was replaced by {again['id']}; use that one instead."


def test_a_body_or_a_token_that_is_wrong_is_told_what_is_wrong_with_it(fresh: Service) -> None:
    memory_id = fresh.store("The deploy target is Render.")
    unknown = fresh.writer.patch(f"/v1/memories/{memory_id}", json={"text": "x"})
    assert (unknown.status_code, unknown.json()) == (
        422,
        {"detail": "text is not a field here; /openapi.json lists the fields."},
    )
    for body in (["a"], "a", 1):
        listed = fresh.writer.post("/v1/memories", json=body)
        assert listed.json() == {"detail": "The body must be a JSON object, sent as application/json."}
    assert fresh.writer.post("/v1/memories", json={}).json() == {"detail": "fact is missing."}
    assert fresh.reader.get("/v1/receipts").json() == {"detail": "The query parameter session is missing."}
    many = fresh.reader.get("/v1/memories", params={"limit": 0})
    assert many.json() == {"detail": "The query parameter limit must be greater than or equal to 1."}
    broken = fresh.writer.post("/v1/memories", content="{oops", headers={"Content-Type": "application/json"})
    assert broken.status_code == 422
    assert broken.json()["detail"].startswith("The body is not valid JSON: Expecting property name")
    assert "A token is needed" in fresh.anybody.get("/v1/memories").json()["detail"]
    fresh.memory.tokens.revoke("read")
    made_up = fresh.client().get("/v1/memories", headers={"Authorization": "Bearer rcl_made_up"})
    for answer in (fresh.reader.get("/v1/memories"), made_up):
        assert answer.status_code == 401
        assert answer.json()["detail"].startswith("That token is unknown or was revoked; ")


# -- versions and keys


def test_two_who_edit_one_memory_lose_nothing(service: Service) -> None:
    memory_id = service.store("The queue is Redis.")
    person, other = service.person(), service.person()
    seen = person.get(f"/v1/memories/{memory_id}").headers["etag"]
    assert other.get(f"/v1/memories/{memory_id}", headers={"If-None-Match": seen}).status_code == 304
    first = person.patch(
        f"/v1/memories/{memory_id}", json={"content": "The queue is Kafka."}, headers={"If-Match": seen}
    )
    assert first.status_code == 200
    late = other.patch(f"/v1/memories/{memory_id}", json={"content": "The queue is SQS."}, headers={"If-Match": seen})
    assert late.status_code == 412
    assert other.delete(f"/v1/memories/{memory_id}", headers={"If-Match": seen}).status_code == 412
    now = other.get(first.headers["location"])
    assert (now.json()["content"], now.headers["etag"]) == ("The queue is Kafka.", first.headers["etag"])
    again = other.delete(first.headers["location"], headers={"If-Match": now.headers["etag"]})
    assert (again.status_code, other.get(first.headers["location"]).json()["status"]) == (200, "tombstone")


def test_being_used_is_no_new_version(service: Service) -> None:
    memory_id = service.store("The broker is NATS.")
    before = service.reader.get(f"/v1/memories/{memory_id}").headers["etag"]
    service.reader.post("/v1/recall", json={"query": "which broker is it, NATS?"})
    service.writer.post(f"/v1/memories/{memory_id}/votes", json={"direction": "up", "reason": "right"})
    assert service.reader.get(f"/v1/memories/{memory_id}").headers["etag"] == before


def test_a_request_with_a_key_is_done_once_however_often_it_is_made(service: Service) -> None:
    memory_id = service.store("The cache is memcached.")
    path, vote = f"/v1/memories/{memory_id}/votes", {"direction": "up", "reason": "right"}
    answers = [service.writer.post(path, json=vote, headers={"Idempotency-Key": "one"}) for _ in range(3)]
    assert len({(one.status_code, one.text) for one in answers}) == 1
    assert service.reader.get(f"/v1/memories/{memory_id}").json()["votes"]["up"] == 1
    other = service.writer.post(path, json={**vote, "reason": "other"}, headers={"Idempotency-Key": "one"})
    assert other.status_code == 422
    assert service.admin.post(path, json=vote, headers={"Idempotency-Key": "one"}).status_code == 200
    assert service.reader.get(f"/v1/memories/{memory_id}").json()["votes"]["up"] == 2


def test_a_key_of_a_write_that_was_refused_may_be_used_again(fresh: Service) -> None:
    key = {"Idempotency-Key": "k"}
    wrong = fresh.writer.post(f"{HERE}/memories", json={**FACT, "reason": ""}, headers=key)
    assert wrong.status_code == 422
    assert fresh.writer.post(f"{HERE}/memories", json=FACT, headers=key).status_code == 201


# -- lists


def test_lists_come_page_by_page_and_leave_nothing_out(fresh: Service) -> None:
    stored = {fresh.store(f"Fact number {number} is about topic{number}.") for number in range(7)}
    seen: list[str] = []
    path = "/v1/memories?limit=3"
    while path:
        page = fresh.reader.get(path)
        seen += [one["id"] for one in page.json()]
        path = page.headers.get("link", "").partition(">")[0].lstrip("<")
    assert (len(seen), set(seen)) == (7, stored)
    assert fresh.reader.get("/v1/memories", params={"before": "e_gone"}).status_code == 404
    first, rest = (fresh.admin.get("/v1/audit", params={"limit": 4, "before": before}).json() for before in (0, 4))
    assert [one["id"] for one in first + rest] == [7, 6, 5, 4, 3, 2, 1]


def test_a_private_session_is_for_the_person_alone(fresh: Service) -> None:
    from tests.paths import SOURCE

    fresh.memory.sessions.import_logs(fresh.memory.sessions.logs([str(SOURCE / "sample")])[0])
    [newest, *_] = fresh.reader.get("/v1/sessions").json()
    assert fresh.reader.get(f"/v1/sessions/{newest['id']}").json()["turns"]
    fresh.memory.sessions.set_private(newest["id"])
    assert newest["id"] not in [one["id"] for one in fresh.admin.get("/v1/sessions").json()]
    assert fresh.admin.get(f"/v1/sessions/{newest['id']}").status_code == 404
    assert fresh.admin.get("/v1/receipts", params={"session": newest["native_id"]}).status_code == 404
    assert fresh.person().get(f"/v1/sessions/{newest['id']}").status_code == 200


# -- the board


ITEM = {"name": "run-tests", "description": "How to run the tests", "content": "make test"}


@pytest.mark.parametrize("place", ["/v1/board", f"{HERE}/board", "/v1/repositories/github.com%2Fother%2Fthing/board"])
def test_a_program_keeps_agents_items_on_the_board_and_leaves_the_persons_alone(fresh: Service, place: str) -> None:
    assert fresh.reader.post(place, json=ITEM).status_code == 403
    added = fresh.writer.post(place, json=ITEM)
    assert (added.status_code, added.json()["src"], added.json()["made_by"]) == (201, "agent", "write")
    assert fresh.writer.post(place, json={**ITEM, "content": "make check"}).status_code == 200
    person = fresh.person()
    assert person.post(place, json=ITEM).json()["src"] == "user"
    assert [one["src"] for one in fresh.reader.get(place).json()] == ["user", "agent"]
    assert fresh.reader.get(f"{place}/run-tests", params={"src": "agent"}).json()["content"] == "make check"
    assert fresh.writer.delete(f"{place}/run-tests").json()["src"] == "agent"
    assert fresh.writer.delete(f"{place}/run-tests").status_code == 409
    assert [one["src"] for one in fresh.reader.get(place).json()] == ["user"]
    assert person.delete(f"{place}/run-tests").status_code == 200
    assert fresh.reader.get(f"{place}/run-tests").status_code == 404
    assert fresh.writer.post(place, json=ITEM).status_code == 409  # the person took it off


def test_boards_are_apart_by_repository_and_branch_and_a_key_adds_once(fresh: Service) -> None:
    key = {"Idempotency-Key": "one"}
    first = fresh.writer.post("/v1/board?branch=feature", json=ITEM, headers=key)
    again = fresh.writer.post("/v1/board?branch=feature", json=ITEM, headers=key)
    assert (first.status_code, first.json()["branch"]) == (201, "feature")
    assert (again.status_code, again.json()) == (201, first.json())
    assert fresh.writer.post("/v1/board", json=ITEM, headers=key).status_code == 422
    assert fresh.reader.get("/v1/board").json() == []
    assert len(fresh.reader.get("/v1/board?branch=feature").json()) == 1
    assert fresh.reader.get("/v1/repositories/elsewhere/board?branch=feature").json() == []
    wrong = fresh.writer.post("/v1/board", json={**ITEM, "name": "Not A Name"})
    assert (wrong.status_code, "run-tests" in wrong.json()["detail"]) == (422, True)


# -- what is noted


def test_the_log_says_who_changed_and_who_was_refused_what(fresh: Service) -> None:
    fresh.writer.post(f"{HERE}/memories", json=FACT)
    fresh.anybody.get("/v1/memories")
    fresh.reader.get("/v1/memories")
    lines = [json.loads(line) for line in (fresh.home / "logs" / "http.log").read_text().splitlines()]
    assert [(one["who"], one["method"], one["status"]) for one in lines] == [("write", "POST", 201), ("", "GET", 401)]


def test_sub_agents_are_counted_apart_in_the_panel_and_in_the_metrics(fresh: Service) -> None:
    past = fresh.memory.sessions
    past.import_logs(past.logs([str(SOURCE / "sample" / "claude")])[0])
    [said] = re.findall(r"from (\d+) sessions and (\d+) sub-agents?", fresh.person().get("/").text)
    metrics = fresh.admin.get("/metrics").text
    assert [f"recollect_sessions {said[0]}" in metrics, f"recollect_subagents {said[1]}" in metrics] == [True, True]


def test_metrics_are_numbers_with_their_kind(fresh: Service) -> None:
    fresh.store("The deploy target is Render.")
    text = fresh.reader.get("/metrics").text
    assert 'recollect_entries{layer="L1"} 1\n' in text
    assert "# TYPE recollect_http_requests_total counter\n" in text
    assert 'recollect_http_requests_total{method="GET",status="200"} 1' in fresh.reader.get("/metrics").text


# -- a remote that comes while the service runs


def test_what_is_stored_after_a_repository_got_a_remote_holds_under_it(tmp_path: Path) -> None:
    made = Service(tmp_path / "plain", remote="")
    try:
        person = made.person()
        git(made.repository, "remote", "add", "origin", "git@github.com:jo/notes.git")
        assert person.get("/").status_code == 200
        assert made.memories.at().repository.repository == "github.com/jo/notes"
        made.memories.at().remember("Meeting notes are archived every Friday.", scope="repository")
        assert "Meeting notes" in made.reader.get("/v1/repositories/github.com%2Fjo%2Fnotes/memories").text
    finally:
        made.close()
