# ruff: noqa: F811 fixtures are imported by their names
"""What a memory service or injected memory says at the start reaches the session, whichever door it came in by."""

from __future__ import annotations

import json
from pathlib import Path

from recollect import Recollect
from recollect.doors.mcp import tools
from recollect.doors.mcp.server import INSTRUCTIONS, Door
from recollect.flows.sidekicks.run import starting
from recollect.flows.writes.actors import Agent
from recollect.flows.writes.start_texts import known, last_said
from recollect.ports import ToolWords
from tests.command_line import RECOLLECT, clean_environment, process
from tests.conftest import OpenMemory, make_repository
from tests.services import Service, running
from tests.strategies.test_strategies import open_served, service  # noqa: F401 fixtures
from tests.test_worker import Desk

INJECTED = "The harbour tests need the tide table."


def started(folder: Path, environ: dict[str, str]) -> str:
    """What a real hook process gives a session at its start."""
    call = {"hook_event_name": "SessionStart", "session_id": "s1", "cwd": str(folder), "source": "startup"}
    return process([RECOLLECT, "hook", "--host", "claude-code"], folder, environ, stdin=json.dumps(call)).out


def test_injected_memory_is_told_by_hook_library_and_mcp(open_memory: OpenMemory, repository, tmp_path) -> None:
    environ = clean_environment(tmp_path / "home", tmp_path / "user", RECOLLECT_INJECTED_MEMORY__TEXT=INJECTED)
    memory = open_memory(repository, RECOLLECT_INJECTED_MEMORY__TEXT=INJECTED)
    assert INJECTED in memory.start_session("a")
    assert INJECTED in started(repository, environ)
    door = Door(environ, folder=str(repository), has_person=False)
    assert door.instructions().startswith(INSTRUCTIONS)
    assert INJECTED in door.instructions()


def test_our_own_store_adds_nothing_to_the_instructions(repository, tmp_path) -> None:
    environ = clean_environment(tmp_path / "home", tmp_path / "user")
    assert Door(environ, folder=str(repository), has_person=False).instructions() == INSTRUCTIONS


def test_what_a_service_says_is_told_and_a_hook_tells_what_it_said_last(
    open_served, service, repository, tmp_path
) -> None:
    memory = open_served()
    assert "Deploys go to Render." in memory.start_session("a")
    assert last_said(memory.opened).counts == {"repository": 2}
    environ = clean_environment(
        tmp_path / "home",
        tmp_path / "user",
        RECOLLECT_AGENTIC_MEMORY__ENABLED="on",
        RECOLLECT_AGENTIC_MEMORY__URL=service.url,
    )
    asked = len(service.asked)
    assert "Deploys go to Render." in started(repository, environ)
    assert len(service.asked) == asked, "a hook has no time to ask"
    assert "Deploys go to Render." in Door(environ, folder=str(repository), has_person=False).instructions()


def test_where_only_hooks_run_the_end_of_a_session_asks_for_the_next_one(service, tmp_path, clock) -> None:
    desk = Desk(tmp_path, clock)
    desk.environ |= {"RECOLLECT_AGENTIC_MEMORY__ENABLED": "on", "RECOLLECT_AGENTIC_MEMORY__URL": service.url}
    desk.says("Go on.")
    desk.stop("session_end")
    desk.work()
    with desk.open() as memory:
        assert known(memory.opened).text == "Deploys go to Render."


def test_what_a_service_holds_counts_for_the_launch_of_a_sidekick(open_served) -> None:
    memory = open_served(SUBCONSCIOUS__ENABLED="on", SUBCONSCIOUS__GITHUB_CONTEXT="on")
    assert "github-context" not in [one.name for one in starting(memory.opened)]
    memory.start_session("a")
    assert "github-context" in [one.name for one in starting(memory.opened)]


def test_a_service_that_fails_takes_nothing_from_the_session(open_served, service) -> None:
    service.fault = "error"
    memory = open_served()
    text = memory.start_session("a")
    assert text
    assert "Render" not in text


def test_a_scope_is_offered_only_where_there_is_a_choice(open_served, memory) -> None:
    def fields(scopes: tuple[str, ...]) -> set[str]:
        [declared] = [one for one in tools.offered(can_vote=True, scopes=scopes) if one.name == tools.STORE]
        return set(declared.takes["properties"])

    assert "scope" in fields(memory.writes(Agent(client="A")).scopes)
    served = open_served().writes(Agent(client="A"))
    assert served.scopes == ("repository",)
    assert "scope" not in fields(served.scopes)


def test_the_services_own_description_schema_and_version_are_shown() -> None:
    fact = {"type": "string", "description": "at most 200 characters"}
    words = {tools.STORE: ToolWords("Keep a fact for the crew.", "3", {"type": "object", "properties": {"fact": fact}})}
    [declared] = [one for one in tools.offered(can_vote=False, words=words) if one.name == tools.STORE]
    assert declared.description == "Keep a fact for the crew. (version 3)"
    assert declared.takes["properties"]["fact"] == fact
    assert set(declared.takes["required"]) <= set(declared.takes["properties"])


def test_a_token_that_is_missing_or_wrong_is_named_by_the_tool_and_by_doctor(tmp_path: Path) -> None:
    served = Service(tmp_path / "team")
    folder = make_repository(tmp_path / "app")
    place = {"home": tmp_path / "home", "user": tmp_path / "user"}
    with running(served.repository, served.environ) as server:
        address = f"http://127.0.0.1:{server.port}"
        wanted = {"RECOLLECT_AGENTIC_MEMORY__ENABLED": "on", "RECOLLECT_AGENTIC_MEMORY__URL": address}
        for token, why in (
            ("", f"the memory service at {address} needs a token in RECOLLECT_TOKEN"),
            ("rcl_wrong", f"the memory service at {address} does not accept the token in RECOLLECT_TOKEN"),
            (served.secrets["write"], ""),
        ):
            environ = clean_environment(place["home"], place["user"], **wanted, RECOLLECT_TOKEN=token)
            with Recollect.open(folder=str(folder), environ=environ) as memory:
                agent = memory.writes(Agent(client="A"))
                told = agent.store_memory("deploy", "The deploy target is Render.", ["render.yaml"], "asked twice")
                assert (why in told.why, told.status == "no_client") == (True, bool(why)), told
            assert service_of(folder, environ) == (not why, f"{why}." if why else f"{address} answers")
    ok, why = service_of(folder, environ)
    assert not ok
    assert f"{address} did not answer" in why


def service_of(folder: Path, environ: dict[str, str]) -> tuple[bool, str]:
    """What a real `recollect doctor` says of the service."""
    told = process([RECOLLECT, "doctor", "--json"], folder, environ).out
    [line] = [one for one in json.loads(told) if one["check"] == "memory service"]
    assert line["ok"] or "RECOLLECT_TOKEN" in line["remedy"]
    return line["ok"], line["detail"]
