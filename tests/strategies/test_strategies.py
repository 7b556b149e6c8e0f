"""Where agents' facts go: our own store, a service, a file of the repository, a list for tests."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect import Recollect
from recollect.errors import FileError
from recollect.flows.writes.actors import Agent
from recollect.flows.writes.agent_writes import AgentWrites
from recollect.model.drafts import Outcome
from recollect.ports import NewMemory, PromptMemory
from recollect.settings import load
from recollect.strategies.gates import choose
from recollect.strategies.injected import InjectedMemory
from recollect.strategies.local import LocalMemory, Shared
from recollect.strategies.optimising import checked, optimised
from recollect.strategies.prompts import Prompts
from recollect.strategies.requests import Service, ServiceError
from recollect.text.language.statements import statement_key
from tests.conftest import OpenMemory, contents

FACT = "The deploy target is Render."


def store(agent: AgentWrites, fact: str = FACT, **more: Any) -> Any:
    return agent.store_memory("deploy target", fact, ["render.yaml"], "asked twice", **more)


# -- gates


def chosen(repository: str = "r", root: str = "/r", **environ: str) -> Any:
    values = {f"RECOLLECT_{name}": value for name, value in environ.items()}
    return choose(load(values), repository=repository, root=root)


def test_each_memory_has_its_gate_and_our_own_store_is_the_default() -> None:
    service = {"AGENTIC_MEMORY__ENABLED": "on", "AGENTIC_MEMORY__URL": "http://127.0.0.1:1"}
    assert chosen().name == "own"
    assert chosen(**service).name == "service"
    assert chosen(**service, AGENTIC_MEMORY__DISABLED="on").name == "own"
    assert chosen(LOCAL_MEMORY__ENABLED="on").name == "local"
    assert chosen(**service, LOCAL_MEMORY__ENABLED="on").name == "service"
    assert chosen(**service, LOCAL_MEMORY__ENABLED="on", INJECTED_MEMORY__TEXT="x").name == "injected"


def test_what_is_passed_over_says_why() -> None:
    service = {"AGENTIC_MEMORY__ENABLED": "on", "AGENTIC_MEMORY__URL": "http://127.0.0.1:1"}
    nowhere = chosen("", "", **service, LOCAL_MEMORY__ENABLED="on")
    assert nowhere.name == "own"
    assert "no repository is known here and agentic_memory.user_scope is off" in nowhere.skipped[0]
    assert "there is no repository here" in nowhere.skipped[1]
    assert chosen("", "", **service, AGENTIC_MEMORY__USER_SCOPE="on").name == "service"
    assert "agentic_memory.url is not set" in chosen(AGENTIC_MEMORY__ENABLED="on").skipped[0]


def test_the_flags_of_the_seed_are_accepted_as_spellings(open_memory: OpenMemory, repository, tmp_path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "config.toml").write_text("copilot_swe_agent_memory_in_repo_store = true\n")
    assert open_memory(repository).settings.local_memory.enabled
    (tmp_path / "home" / "config.toml").write_text("copilot-feature-agentic-memory = true\n")
    assert open_memory(repository).settings.agentic_memory.enabled


def test_the_master_switch_is_over_all_of_them(open_memory: OpenMemory, repository) -> None:
    for name in ("LOCAL_MEMORY__ENABLED", "AGENTIC_MEMORY__ENABLED", "INJECTED_MEMORY__TEXT"):
        memory = open_memory(repository, **{f"RECOLLECT_{name}": "on", "RECOLLECT_ENABLED": "off"})
        agent = memory.writes(Agent(client="A"))
        assert store(agent).status == "no_client"
        assert agent.vote_memory(FACT, "upvote", "x").status == "no_client"
        assert agent.memory_write("add", "L1", FACT).status == "no_client"
        assert not agent.can_vote
        agent.close()
    assert not (repository / ".github").exists()


def test_our_own_store_is_the_default_and_counts_votes(memory: Recollect) -> None:
    agent = memory.writes(Agent(client="A"))
    assert store(agent).status == "stored"
    assert contents(memory, "what is the deploy target?") == [FACT]
    assert agent.can_vote
    assert agent.vote_memory(FACT, "upvote", "it helped").status == "voted"
    assert "declarative" in agent.store_instructions


# -- injected


def test_injected_memory_tells_its_text_and_keeps_what_it_is_given(open_memory: OpenMemory, repository) -> None:
    memory = open_memory(repository, RECOLLECT_INJECTED_MEMORY__TEXT="Deploys go to Render.")
    agent = memory.writes(Agent(client="A"))
    assert agent.prompt_context == "Deploys go to Render."
    assert store(agent).status == "stored"
    assert store(agent).status == "duplicate"
    assert not agent.can_vote
    assert agent.vote_memory(FACT, "upvote", "x").status == "refused"
    assert memory.entries.list() == []
    voting = open_memory(repository, RECOLLECT_INJECTED_MEMORY__TEXT="x", RECOLLECT_INJECTED_MEMORY__VOTE="on")
    assert voting.writes(Agent()).can_vote
    assert voting.writes(Agent()).vote_memory(FACT, "downvote", "x").status == "voted"
    handed = InjectedMemory("")
    handed.close()
    assert (handed.closed, handed.prompt().counts) == (True, {"injected": 0})


# -- the repository's file


@pytest.fixture
def local(open_memory: OpenMemory, repository: Path) -> Recollect:
    return open_memory(repository, RECOLLECT_LOCAL_MEMORY__ENABLED="on")


def lines(repository: Path) -> list[dict[str, Any]]:
    text = (repository / ".github" / "copilot-memories.jsonl").read_text()
    return [json.loads(line) for line in text.splitlines()]


def test_facts_are_written_to_the_repositorys_file_when_the_session_ends(local: Recollect, repository) -> None:
    agent = local.writes(Agent(client="Codex"))
    written = store(agent)
    assert written.status == "stored"
    assert not (repository / ".github").exists()
    assert not agent.can_vote
    assert agent.vote_memory(FACT, "upvote", "x").status == "refused"
    assert store(agent, "The user likes tabs.", scope="user").status == "invalid_scope"
    assert "nothing personal" in agent.store_instructions
    agent.close()
    agent.close()
    assert lines(repository) == [
        {
            "id": written.entry_id,
            "subject": "deploy target",
            "fact": FACT,
            "citations": ["render.yaml"],
            "reason": "asked twice",
            "source": {"agent": "Codex", "origin": "assistant"},
        }
    ]
    assert local.entries.list() == []


def test_what_others_wrote_meanwhile_stays(local: Recollect, repository) -> None:
    first, second = local.writes(Agent(client="A")), local.writes(Agent(client="B"))
    store(first, "The tests run with pytest.")
    store(second, "The linter is ruff.")
    (repository / ".github").mkdir()
    shared = repository / ".github" / "copilot-memories.jsonl"
    kept = '{"id": "1", "subject": "ci", "fact": "CI runs on push.", "extra": [1]}\n'
    shared.write_text(kept + "not json\n{}\n")
    first.close()
    second.close()
    rows = shared.read_text().splitlines()
    assert rows[:2] == ["not json", "{}"]
    assert [json.loads(row)["fact"] for row in rows[2:]] == [
        "CI runs on push.",
        "The tests run with pytest.",
        "The linter is ruff.",
    ]
    assert json.loads(rows[2])["extra"] == [1]


def test_a_later_fact_takes_the_place_of_what_it_contradicts(local: Recollect, repository) -> None:
    agent = local.writes(Agent(client="A"))
    agent.store_memory("package manager", "This repository uses npm.", "package.json", "x")
    agent.close()
    agent.store_memory("package manager", "This repository uses pnpm.", ["pnpm-lock.yaml"], "x")
    agent.store_memory("ci", "CI runs on push.", ["ci.yml"], "x")
    agent.store_memory("CI", "CI runs on push", ["other.yml"], "x")
    agent.close()
    assert [line["fact"] for line in lines(repository)] == ["This repository uses pnpm.", "CI runs on push."]


def test_a_link_in_place_of_the_file_is_refused_and_what_was_collected_is_not_lost(local, repository, tmp_path) -> None:
    outside = tmp_path / "outside.jsonl"
    outside.write_text("mine\n")
    (repository / ".github").mkdir()
    shared = repository / ".github" / "copilot-memories.jsonl"
    agent = local.writes(Agent(client="A"))
    assert store(agent).status == "stored"
    shared.symlink_to(outside)
    agent.close()
    assert outside.read_text() == "mine\n"
    log = Path(local.home.logs) / "strategies.log"
    assert "were not written" in log.read_text()
    shared.unlink()
    agent.close()
    assert [line["fact"] for line in lines(repository)] == [FACT]


def test_a_folder_that_leads_outside_is_refused(local: Recollect, repository, tmp_path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (repository / ".github").symlink_to(tmp_path / "elsewhere")
    agent = local.writes(Agent(client="A"))
    store(agent)
    agent.close()
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_file_too_large_to_read_is_not_replaced(local: Recollect, repository) -> None:
    (repository / ".github").mkdir()
    shared = repository / ".github" / "copilot-memories.jsonl"
    shared.write_text("x" * 2_100_000)
    agent = local.writes(Agent(client="A"))
    store(agent)
    agent.close()
    assert shared.stat().st_size == 2_100_000


def test_secrets_never_reach_the_repositorys_file(local: Recollect, repository) -> None:
    agent = local.writes(Agent(client="A"))
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2
    store(agent, f"The deploy token is {secret}.")
    agent.close()
    assert secret not in (repository / ".github" / "copilot-memories.jsonl").read_text()


def test_what_rests_on_a_document_waits_before_it_reaches_the_file_and_is_stored_on_approval(local, repository) -> None:
    agent = local.writes(Agent(client="A"))
    asked = agent.store_memory("deploy", FACT, ["https://example.com/post"], "x")
    assert asked.status == "staged"
    agent.close()
    assert not (repository / ".github").exists()
    assert local.pending.approve(asked.entry_id).status == "stored"
    assert [line["fact"] for line in lines(repository)] == [FACT]
    assert local.pending.everything() == []


def fake_file(tmp_path: Path) -> tuple[Shared, list[str]]:
    written: list[str] = []
    file = Shared(lambda: written[-1] if written else None, written.append, lock_path=str(tmp_path / "lock"))
    return file, written


def make_local(tmp_path: Path, optimiser: Any = None) -> tuple[LocalMemory, list[str], list[str]]:
    file, written = fake_file(tmp_path)
    said: list[str] = []
    numbers = iter(range(100))
    memory = LocalMemory(file, new_id=lambda: f"m_{next(numbers)}", log=said.append, optimiser=optimiser)
    return memory, written, said


def test_a_model_may_tidy_the_file_and_may_not_invent_anything(tmp_path: Path) -> None:
    def last_only(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{**found[-1], "fact": found[-1]["fact"] + " It is fast."}]

    memory, written, _ = make_local(tmp_path, last_only)
    memory.store(NewMemory("ci", "CI runs on push.", ("ci.yml",), "x", "repository"))
    memory.store(NewMemory("lint", "The linter is ruff.", ("x",), "x", "repository"))
    memory.close()
    assert [json.loads(row)["fact"] for row in written[-1].splitlines()] == ["The linter is ruff. It is fast."]
    for nonsense in (None, [], ["x"], [{"id": "m_9", "subject": "x", "fact": "new"}], [{"id": "m_0"}]):
        memory, written, said = make_local(tmp_path, lambda found, answer=nonsense: answer)
        memory.store(NewMemory("ci", "CI runs on push.", ("ci.yml",), "x", "repository"))
        memory.close()
        assert [json.loads(row)["fact"] for row in written[-1].splitlines()] == ["CI runs on push."]
        assert "did not tidy" in said[0]


def test_a_model_that_fails_changes_nothing(tmp_path: Path) -> None:
    def fails(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
        raise FileError("no model today")

    memory, written, said = make_local(tmp_path, fails)
    memory.store(NewMemory("ci", "CI runs on push.", ("ci.yml",), "x", "repository"))
    memory.close()
    assert len(written[-1].splitlines()) == 1
    assert "no model today" in said[0]


facts = st.sampled_from(
    [
        "CI runs on push.",
        "ci runs on push",
        "This repository uses npm.",
        "This repository uses pnpm.",
        "The linter is ruff.",
    ]
)
records = st.lists(facts, max_size=12).map(
    lambda said: [
        {"id": str(n), "subject": fact.split()[0], "fact": fact, "citations": [str(n)]} for n, fact in enumerate(said)
    ]
)


@given(records)
def test_tidying_twice_changes_nothing_more_and_no_fact_is_said_twice(found: list[dict[str, Any]]) -> None:
    once = optimised(found)
    assert optimised(once) == once
    keys = [statement_key(line["fact"]) for line in once]
    assert len(keys) == len(set(keys))
    assert {line["id"] for line in once} <= {line["id"] for line in found}
    assert checked(once, once) == (once or [])
    if found:
        assert statement_key(found[-1]["fact"]) in keys, "the last word stays"


# -- the service


class Pretended(ThreadingHTTPServer):
    """A memory service on this machine, with the faults a test asks for."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Requests)
        self.fault = ""
        self.wait_seconds = 0.0
        self.asked: list[tuple[str, str, Any, str]] = []
        self.vote_offered = True
        self.memories: dict[str, dict[str, Any]] = {}

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Requests(BaseHTTPRequestHandler):
    server: Pretended
    FAULTS: ClassVar[dict[str, bytes]] = {
        "garbage": b"\x00\xff nonsense\r\n\r\n",
        "no json": b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
        "wrong json": b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n[1, 2]",
        "wrong fields": b'HTTP/1.1 200 OK\r\nContent-Length: 27\r\n\r\n{"text": 7, "counts": [1]} ',
        "cut off": b'HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{"text": "x',
        "redirect": b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n",
        "error": b"HTTP/1.1 500 Internal Server Error\r\nContent-Length: 2\r\n\r\n{}",
        "closed": b"",
        "too long": b"HTTP/1.1 200 OK\r\nContent-Length: 3000000\r\n\r\n" + b" " * 3_000_000,
    }

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass

    def do_GET(self) -> None:
        self._answer(None)

    def do_POST(self) -> None:
        self._answer(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

    def _answer(self, body: Any) -> None:
        server = self.server
        server.asked.append((self.command, self.path, body, self.headers.get("Authorization", "")))
        time.sleep(server.wait_seconds)
        if server.fault == "hang":
            time.sleep(3)
        elif server.fault == "drip":
            for _ in range(30):
                self.wfile.write(b"H")
                self.wfile.flush()
                time.sleep(0.1)
        elif server.fault:
            self.wfile.write(self.FAULTS[server.fault])
        else:
            self._send(self._result(body))
            return
        self.close_connection = True

    def _result(self, body: Any) -> Any:
        parts = urlsplit(self.path)
        if parts.path.endswith("/prompt"):
            tools: dict[str, Any] = {"store_memory": {"instructions": "Store what lasts.", "version": 1}}
            if self.server.vote_offered:
                tools["vote_memory"] = {"version": 1}
            return {"text": "Deploys go to Render.", "counts": {"repository": 2}, "tools": tools}
        if parts.path.endswith("/votes"):
            return {"id": parts.path.split("/")[3]}
        if self.command == "POST":
            name = f"x{len(self.server.memories)}"
            self.server.memories[name] = {"id": name, "content": body["fact"], "path": parts.path}
            return {"id": name, "status": "stored", "why": ""}
        fact = parse_qs(parts.query)["fact"][0]
        return [one for one in self.server.memories.values() if one["content"] == fact and one["path"] == parts.path]

    def _send(self, answer: Any) -> None:
        data = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


@pytest.fixture
def service() -> Iterator[Pretended]:
    with Pretended() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield server
        server.shutdown()


@pytest.fixture
def open_served(open_memory: OpenMemory, repository: Path, service: Pretended) -> Callable[..., Recollect]:
    """A memory whose agents write to the service."""

    def open_it(folder: Path | None = repository, **environ: str) -> Recollect:
        values = {"AGENTIC_MEMORY__ENABLED": "on", "AGENTIC_MEMORY__URL": service.url, **environ}
        values.setdefault("AGENTIC_MEMORY__TIMEOUT_SECONDS", "0.5")
        return open_memory(folder, **{f"RECOLLECT_{name}": value for name, value in values.items()})

    return open_it


def log_of(memory: Recollect) -> str:
    log = Path(memory.home.logs) / "strategies.log"
    return log.read_text() if log.exists() else ""


def test_facts_and_votes_go_to_the_service_and_its_words_become_the_tools(open_served, service) -> None:
    memory = open_served(TOKEN="opensesame")
    agent = memory.writes(Agent(client="Codex"))
    assert agent.prompt_context == "Deploys go to Render."
    assert agent.store_instructions == "Store what lasts."
    assert agent.can_vote
    assert store(agent) == Outcome("stored", "x0")
    assert agent.vote_memory(FACT, "upvote", "it helped").status == "voted"
    assert agent.vote_memory("Nobody said this.", "upvote", "it helped").status == "invalid"
    assert memory.entries.list() == []
    asked = [(method, unquote(urlsplit(path).path)) for method, path, _, _ in service.asked]
    place = f"/v1/repositories/{memory.repository.repository}"
    assert asked[:4] == [
        ("GET", f"{place}/prompt"),
        ("POST", f"{place}/memories"),
        ("GET", f"{place}/memories"),
        ("POST", "/v1/memories/x0/votes"),
    ]
    assert {token for _, _, _, token in service.asked} == {"Bearer opensesame"}
    assert service.asked[1][2] == {
        "subject": "deploy target",
        "fact": FACT,
        "citations": ["render.yaml"],
        "reason": "asked twice",
        "source": "Codex",
        "origin": "assistant",
    }


def test_a_vote_is_offered_only_where_the_service_counts_votes(open_served, service) -> None:
    service.vote_offered = False
    agent = open_served().writes(Agent(client="A"))
    assert not agent.can_vote
    assert agent.vote_memory(FACT, "upvote", "x").status == "refused"


@pytest.mark.parametrize("fault", [*_Requests.FAULTS, "hang", "drip"])
def test_a_service_that_fails_is_asked_once_and_memory_is_off_for_that_build(open_served, service, fault) -> None:
    service.fault = fault
    memory = open_served()
    agent = memory.writes(Agent(client="A"))
    began = time.monotonic()
    assert (agent.prompt_context, agent.store_instructions, agent.can_vote) == ("", "", False)
    written = store(agent)
    assert time.monotonic() - began < 2.5
    assert written.status == "no_client"
    assert len(service.asked) == 1, "no retry"
    assert "memory is off for this build" in log_of(memory)
    assert memory.entries.list() == [], "and nothing goes elsewhere instead"
    agent.close()
    service.fault = ""
    assert memory.writes(Agent(client="A")).prompt_context == "Deploys go to Render.", "the next build tries again"


def test_a_service_that_fails_only_when_storing_says_so(open_served, service) -> None:
    memory = open_served()
    agent = memory.writes(Agent(client="A"))
    assert agent.prompt_context
    service.fault = "error"
    written = store(agent)
    assert written.status == "failed"
    assert "500" in written.why
    assert agent.vote_memory(FACT, "upvote", "x").status == "failed"
    assert "500" in log_of(memory)


def test_nobody_there_is_a_reason_too(open_memory: OpenMemory, repository) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}"
    values = {"RECOLLECT_AGENTIC_MEMORY__ENABLED": "on", "RECOLLECT_AGENTIC_MEMORY__URL": address}
    agent = open_memory(repository, **values).writes(Agent(client="A"))
    assert store(agent).status == "no_client"


@pytest.mark.parametrize("url", ["ftp://x", "nonsense", "http://", "http://u:p@x", "http://[::1", "http://x:99999"])
def test_an_address_that_is_none_is_told(url: str) -> None:
    with pytest.raises(ServiceError, match=r"agentic_memory\.url"):
        Service(url).request("GET", "/v1/prompt")


def test_a_token_is_not_sent_in_the_clear_to_another_machine() -> None:
    with pytest.raises(ServiceError, match="unencrypted"):
        Service("http://memory.example.com", "secret").request("GET", "/v1/user/prompt")


def test_what_holds_everywhere_goes_there_only_when_that_is_switched_on(open_served, service, tmp_path) -> None:
    assert store(open_served().writes(Agent()), scope="user").status == "invalid_scope"
    memory = open_served(AGENTIC_MEMORY__USER_SCOPE="on")
    waits = store(memory.writes(Agent(client="A")), scope="user")
    assert waits.status == "staged", "an agent's own words that would hold everywhere"
    assert memory.pending.approve(waits.entry_id).status == "stored"
    assert service.memories["x0"]["path"] == "/v1/user/memories"
    (tmp_path / "nowhere").mkdir()
    outside = open_served(tmp_path / "user")
    assert outside.writes(Agent(client="A")).prompt_context == ""
    assert "no repository is known here" in log_of(outside)
    assert open_served(tmp_path / "user", AGENTIC_MEMORY__USER_SCOPE="on").writes(Agent()).prompt_context


def test_the_service_is_asked_once_for_a_repository_however_many_ask(open_served, service) -> None:
    service.wait_seconds = 0.2
    memory = open_served()
    found: list[str] = []
    threads = [threading.Thread(target=lambda: found.append(memory.writes(Agent()).prompt_context)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == ["Deploys go to Render."] * 8
    assert len(service.asked) == 1
    assert memory.writes(Agent()).prompt_context
    assert len(service.asked) == 1, "and kept afterwards"
    store(memory.writes(Agent(client="A")))
    assert memory.writes(Agent()).prompt_context
    assert [method for method, *_ in service.asked] == ["GET", "POST", "GET"], "until something was stored"


def test_another_repository_is_asked_for_anew_and_gets_no_answer_of_the_old_one() -> None:
    prompts = Prompts()
    release = threading.Event()
    answers: dict[str, str] = {}

    def slow() -> PromptMemory:
        release.wait(5)
        return PromptMemory("of the first")

    first = threading.Thread(target=lambda: answers.update(a=prompts.get("a", slow, ServiceError).prompt.text))
    first.start()
    while prompts._answer is None:
        time.sleep(0.001)
    assert prompts.get("b", lambda: PromptMemory("of the second"), ServiceError).prompt.text == "of the second"
    release.set()
    first.join()
    assert answers == {"a": "of the first"}
    kept = prompts.get("b", lambda: PromptMemory("asked again"), ServiceError)
    assert kept.prompt.text == "of the second"
    assert prompts.get("a", lambda: PromptMemory("anew"), ServiceError).prompt.text == "anew"


def test_a_failure_is_shared_by_those_who_waited_and_then_forgotten() -> None:
    prompts = Prompts()

    def fails() -> PromptMemory:
        raise ServiceError("no luck")

    assert prompts.get("a", fails, ServiceError).why_off == "no luck"
    assert prompts.get("a", lambda: PromptMemory("luck"), ServiceError).prompt.text == "luck"
