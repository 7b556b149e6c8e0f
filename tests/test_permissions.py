"""Who may change memory: rules, approvals, risk, and what waits for a person."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect import Recollect
from recollect.errors import NotFound, Refused
from recollect.flows.turns.announcements import announcements
from recollect.flows.upkeep.put_in_order import put_in_order
from recollect.flows.writes.actors import Agent
from recollect.flows.writes.gate import Gate
from recollect.model.drafts import DONE, Outcome
from recollect.model.entries import LAYERS, ORIGINS, SCOPES, SOURCES, Entry
from recollect.model.permissions import ANSWERS, MEMORY, Approval, Question, Rules
from recollect.permissions import decide, kind_of, risk_of_removal, risk_of_text, rules_of
from recollect.settings import FileValues, load
from tests.command_line import clean_environment
from tests.conftest import Clock, OpenMemory, contents

SPELLINGS = ["memory", "store_memory", "vote_memory", "memory_write", "store-memory", "VoteMemory", " memory "]
names = st.lists(st.sampled_from([*SPELLINGS, "shell", "write", ""]), max_size=4).map(tuple)


class Person:
    """Somebody who answers what they were told to, and remembers what they were asked."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.asked: list[Question] = []

    def __call__(self, question: Question) -> Any:
        self.asked.append(question)
        return self.answers.pop(0) if self.answers else "nobody"


# -- laws


@given(names, names, st.booleans(), st.booleans(), st.booleans(), names, names)
def test_a_deny_rule_wins_over_everything(deny, allow, allow_all, session, location, allow_tools, deny_tools) -> None:
    rules = rules_of(deny=deny, allow=allow, allow_all=allow_all, allow_tools=allow_tools, deny_tools=deny_tools)
    decision = decide(MEMORY, rules, session=session, location=location)
    denied = any(kind_of(name) == MEMORY for name in (*deny, *deny_tools))
    allowed = allow_all or session or location or any(kind_of(name) == MEMORY for name in (*allow, *allow_tools))
    assert decision == ("deny" if denied else "allow" if allowed else "ask")


@pytest.mark.parametrize("name", SPELLINGS)
def test_the_names_of_the_tools_mean_the_kind(name: str) -> None:
    assert kind_of(name) == MEMORY
    assert kind_of("shell(git:*)") == "shell(git:*)"


entries = st.builds(
    Entry,
    entry_id=st.just("e_1"),
    layer=st.sampled_from(LAYERS[:2]),
    scope=st.sampled_from(SCOPES),
    content=st.just("x"),
    source=st.sampled_from(SOURCES),
    origin=st.sampled_from(ORIGINS),
)


@given(st.sampled_from(ORIGINS), st.sampled_from(("L0", "L1")), st.sampled_from(SCOPES), st.lists(entries, max_size=3))
def test_only_typed_words_and_an_agents_own_words_about_a_repository_apply_themselves(
    origin, layer, scope, old
) -> None:
    risk = risk_of_text(origin=origin, layer=layer, scope=scope, contradicts=old)
    own = origin == "assistant" and (layer, scope) == ("L1", "repository")
    harmless = all(
        entry.source != "user" and entry.origin != "typed" and (entry.layer, entry.scope) == ("L1", "repository")
        for entry in old
    )
    assert risk.waits == (origin != "typed" and not (own and harmless))
    assert bool(risk.why) == risk.waits


@given(entries, st.booleans())
def test_what_a_person_said_is_not_retired_without_their_word(entry: Entry, typed: bool) -> None:
    risk = risk_of_removal(entry, typed=typed)
    mine = entry.source == "user" or entry.origin == "typed"
    assert risk.waits == (not typed and (mine or entry.layer == "L0" or entry.scope == "user"))


FACTS = st.sampled_from(
    [
        "The deploy target is Render.",
        "The deploy target is Fly.io.",
        "The tests run with pytest.",
        "The user likes tabs.",
    ]
)
WAYS = st.sampled_from(["repository", "user", "L0", "document", "tool"])


@pytest.fixture
def fresh(open_memory: OpenMemory, repository: Path) -> Recollect:
    return open_memory(repository)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25, deadline=None)
@given(st.lists(st.tuples(FACTS, WAYS), max_size=5))
def test_when_nobody_answers_nothing_risky_is_ever_stored_and_the_writer_never_approves(
    fresh: Recollect, wanted
) -> None:
    with fresh.opened.store.write():
        for stored in fresh.opened.store.entries.listed({}):
            fresh.opened.store.entries.erase(stored)
    agent = fresh.writes(Agent(client="A", session="s", ask=Person()))
    for fact, way in wanted:
        if way == "L0":
            agent.memory_write("add", "L0", fact)
        elif way == "user":
            agent.store_memory("x", fact, ["chat"], "x", scope="user")
        else:
            cited = {"document": "https://example.com", "tool": "tool output: x"}.get(way, "render.yaml")
            agent.store_memory("x", fact, [cited], "x")
    for entry in fresh.entries.list(status="active", everywhere=True):
        assert (entry.layer, entry.scope, entry.origin, entry.source) == ("L1", "repository", "assistant", "agent")


# -- asking


RISKY = ("editor", "The user edits with vim.", ["chat"], "asked twice", "user")


def test_a_person_is_asked_with_all_there_is_to_know(memory: Recollect) -> None:
    person = Person("once")
    agent = memory.writes(Agent(client="Codex", session="s1", ask=person))
    assert agent.store_memory(*RISKY).status == "stored"
    [question] = person.asked
    assert (question.kind, question.action, question.scope, question.client) == ("memory", "store", "user", "Codex")
    assert question.citations == ("chat",)
    for part in (
        "Codex wants to remember: The user edits with vim.",
        "Reason: asked twice",
        "Citations: chat",
        "typed",
    ):
        assert part in question.text
    mine = memory.remember("The deploy target is Render.").entry_id
    agent.store_memory("deploy target", "The deploy target is Fly.io.", ["fly.toml"], "x")
    assert "In place of: The deploy target is Render." in person.asked[1].text
    agent.vote_memory("The deploy target is Render.", "downvote", "it moved")
    assert "Vote: down" in person.asked[2].text
    agent.memory_write("remove", "L1", target_id=mine)
    assert "wants to forget: The deploy target is Render." in person.asked[3].text


def test_once_is_once_a_session_is_a_session_and_a_location_is_a_repository(open_memory, repository, tmp_path) -> None:
    from tests.conftest import make_repository

    memory = open_memory(repository)
    person = Person("once", "session")
    agent = memory.writes(Agent(client="A", session="s1", ask=person))
    for fact in ("The user edits with vim.", "The user likes tabs.", "The user speaks German."):
        assert agent.store_memory("x", fact, ["chat"], "x", "user").status == "stored"
    assert len(person.asked) == 2
    assert (
        memory.writes(Agent(session="s1")).store_memory("x", "The user is tall.", ["chat"], "x", "user").status
        == "stored"
    )
    assert (
        memory.writes(Agent(session="s2")).store_memory("x", "The user is old.", ["chat"], "x", "user").status
        == "staged"
    )
    somebody = Person("location")
    assert (
        memory.writes(Agent(session="s2", ask=somebody))
        .store_memory("x", "The user is kind.", ["c"], "x", "user")
        .is_done
    )
    assert (
        memory.writes(Agent(session="s3")).store_memory("x", "The user is wise.", ["chat"], "x", "user").status
        == "stored"
    )
    other = open_memory(make_repository(tmp_path / "other", remote="git@github.com:owner/other.git"))
    assert (
        other.writes(Agent(session="s3")).store_memory("x", "The user is shy.", ["chat"], "x", "user").status
        == "staged"
    )


def test_a_session_without_a_name_is_this_agent_and_no_other(memory: Recollect) -> None:
    agent = memory.writes(Agent(ask=Person("session")))
    assert agent.store_memory(*RISKY).status == "stored"
    assert agent.store_memory("x", "The user likes tabs.", ["chat"], "x", "user").status == "stored"
    assert memory.writes(Agent()).store_memory("x", "The user likes tea.", ["chat"], "x", "user").status == "staged"
    assert memory.permissions.listed() == []


def test_a_location_without_a_repository_counts_for_the_session(open_memory: OpenMemory, tmp_path) -> None:
    memory = open_memory(tmp_path / "user")
    agent = memory.writes(Agent(session="s1", ask=Person("location")))
    assert agent.store_memory(*RISKY).status == "stored"
    assert [(one.reach, one.place) for one in memory.permissions.listed()] == [("session", "s1")]


def test_a_no_is_a_no_and_leaves_nothing_behind(memory: Recollect) -> None:
    agent = memory.writes(Agent(ask=Person("reject")))
    assert agent.store_memory(*RISKY) == Outcome("denied", why="The user said no.")
    assert memory.pending.everything() == []
    assert memory.entries.list() == []


@pytest.mark.parametrize("answer", [*ANSWERS, "yes", "", None, True])
def test_only_the_answers_that_were_offered_let_anything_pass(memory: Recollect, answer: Any) -> None:
    written = memory.writes(Agent(ask=Person(answer))).store_memory(*RISKY)
    assert written.is_done == (answer in ("once", "session", "location"))


def test_what_changed_while_a_person_was_thinking_is_not_overwritten(memory: Recollect) -> None:
    mine = memory.remember("The deploy target is Render.").entry_id

    def slow(question: Question) -> Any:
        memory.edit(mine, text="The deploy target is Heroku.")
        return "once"

    written = memory.writes(Agent(ask=slow)).memory_write("remove", "L1", target_id=mine)
    assert written.status == "refused"
    assert "has changed since" in written.why
    assert contents(memory, "what is the deploy target?") == ["The deploy target is Heroku."]


def answered(typed: str, **environ: str) -> str:
    """What a person's answer on a real terminal means."""
    import pty
    import subprocess
    import sys

    script = (
        "from recollect.doors.cli.asking import on_terminal; from recollect.model.permissions import Question; "
        "import sys; print(on_terminal(Question('store', 'x\\x1b[2J', 'because')), file=sys.stdout)"
    )
    parent, child = pty.openpty()
    os.write(parent, typed.encode())
    kept = clean_environment(Path("/nowhere"), Path("/nowhere"), **environ)
    done = subprocess.run(
        [sys.executable, "-c", script],
        stdin=child,
        stderr=child,
        stdout=subprocess.PIPE,
        env=kept,
        timeout=60,
        check=True,
    )
    shown = os.read(parent, 10_000)
    os.close(parent)
    os.close(child)
    assert b"\x1b[2J" not in shown
    return done.stdout.decode().strip()


@pytest.mark.parametrize(
    ("typed", "answer"),
    [("y\n", "once"), ("s\n", "session"), ("l\n", "location"), ("what\nn\n", "reject"), ("\x04", "nobody")],
)
def test_a_person_answers_on_the_terminal(typed: str, answer: str) -> None:
    assert answered(typed) == answer


def test_an_agents_terminal_answers_nothing_and_neither_does_a_pipe() -> None:
    from recollect.doors.cli.asking import on_terminal

    assert answered("y\n", CLAUDECODE="1") == "nobody"
    assert on_terminal(Question("store", "x", "y")) == "nobody"


# -- rules from settings


def test_rules_come_from_the_users_file_and_flags(open_memory: OpenMemory, repository, tmp_path) -> None:
    (tmp_path / "home").mkdir()
    config = tmp_path / "home" / "config.toml"
    for text, status in (
        ('[permissions]\ndeny = ["store_memory"]\nallow_all = true\n', "denied"),
        ("[permissions]\nallow_all = true\n", "stored"),
        ('[permissions]\nallow = ["vote_memory"]\n', "stored"),
        ('[permissions]\nallow = ["shell"]\n', "staged"),
    ):
        config.write_text(text)
        fact = f"The user said: {text.split()[-1]}."
        assert open_memory(repository).writes(Agent()).store_memory("x", fact, ["c"], "x", "user").status == status, (
            text
        )
    config.write_text("")
    memory = open_memory(repository)
    assert memory.writes(Agent(deny_tools=["memory"])).store_memory("x", "CI is slow.", ["c"], "x").status == "denied"
    assert memory.writes(Agent(allow_tools=["memory"])).store_memory(*RISKY).status == "stored"


def test_a_repositorys_file_may_only_tighten(open_memory: OpenMemory, repository, tmp_path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "config.toml").write_text('[permissions]\nallow_all = true\ndeny = ["shell"]\n')
    (repository / ".recollect.toml").write_text('[permissions]\ndeny = ["memory"]\n')
    memory = open_memory(repository)
    assert memory.settings.permissions.deny == ("shell", "memory")
    assert memory.writes(Agent()).memory_write("add", "L1", "CI is slow.").status == "denied"
    user = FileValues("config.toml", (("permissions.deny", ["memory"], 1),))
    theirs = FileValues(
        ".recollect.toml",
        (("permissions.deny", [], 1), ("permissions.allow", ["memory"], 2), ("permissions.allow_all", True, 3)),
    )
    held = load({}, user=user, repository=theirs)
    assert (held.permissions.deny, held.permissions.allow, held.permissions.allow_all) == (("memory",), (), False)
    assert len(held.warnings) == 2


def test_the_permissions_command_shows_allows_and_revokes(cli, monkeypatch) -> None:
    allowed = cli("permissions", "allow", "--json").json
    assert (allowed["kind"], allowed["reach"]) == ("memory", "location")
    assert cli("permissions", "allow", "--json").json["id"] == allowed["id"]
    monkeypatch.setenv("CLAUDECODE", "1")
    assert cli("remember", "The user likes tabs.", "--scope", "user", "--json").json["status"] == "stored"
    monkeypatch.delenv("CLAUDECODE")
    shown = cli("permissions", "--json").json
    assert shown["rules"] == {"deny": [], "allow": [], "allow_all": False}
    assert [one["id"] for one in shown["approvals"]] == [allowed["id"]]
    assert cli("permissions", "revoke", allowed["id"][:12], "--json").json["id"] == allowed["id"]
    assert cli("permissions", "--json").json["approvals"] == []
    assert cli("permissions", "revoke", allowed["id"]).code == 1


# -- promise 8


def test_promise_8_approval_does_not_rot(memory: Recollect, clock: Clock) -> None:
    """Low risk applies itself, sensitive waits, waiting things are announced and expire, the writer never approves."""
    here = memory.repository.repository
    agent = memory.writes(Agent(client="Codex", session="s1"))
    memory.inject("No, we deploy to Render, not to Fly.io. And my name is Ada.", session="s1")
    stored = agent.store_memory("deploy target", "The deploy target is Render.", ["render.yaml"], "x")
    assert stored.status == "stored"
    assert agent.memory_write("add", "L0", "The user's name is Ada.").status == "stored", "typed, in any layer"
    waits = agent.memory_write("add", "L0", "The user hates meetings.")
    assert waits.status == "staged"

    told = memory.start_session()
    waiting = "One item is waiting for the user's decision; the user can run `recollect pending`."
    assert "The user hates meetings." not in told
    assert waiting in told
    assert f"Codex stored: {stored.entry_id} (undo: `recollect undo 1`)" in told
    assert "The deploy target is Render." not in told, "an agent's words are named, not repeated"
    assert "Codex on the user's word stored: “The user's name is Ada.” (undo: `recollect undo 2`)" in told
    assert announcements(memory.opened.store, repository=here, now=clock()) == [waiting], "what happened is told once"
    assert [one.content for one in memory.undo("1").entries] == ["The deploy target is Render."], "and can be undone"

    for _ in range(3):
        again = agent.memory_write("add", "L0", "The user hates meetings.")
        assert (again.status, again.entry_id) == ("staged", waits.entry_id), "asking again is not an answer"
    assert [one.staged_id for one in memory.pending.staged()] == [waits.entry_id]

    clock.pass_days(14.5)
    assert memory.pending.everything() == []
    with pytest.raises(Refused, match="expired"):
        memory.pending.approve(waits.entry_id)
    expired = announcements(memory.opened.store, repository=here, now=clock())
    assert expired == ["Something that Codex wanted to remember has expired: nobody decided on it."], (
        "not its words, which nobody accepted"
    )
    assert announcements(memory.opened.store, repository=here, now=clock()) == []


def test_promise_8_what_waits_is_done_exactly_as_it_was_asked_for_or_not_at_all(memory: Recollect) -> None:
    mine = memory.remember("The deploy target is Render.").entry_id
    agent = memory.writes(Agent(client="Codex", session="s1"))
    edit = agent.memory_write("update", "L1", "The deploy target is Fly.io.", target_id=mine)
    vote = agent.vote_memory("The deploy target is Render.", "downvote", "it moved")
    remove = agent.memory_write("remove", "L1", target_id=mine)
    assert {edit.status, vote.status, remove.status} == {"staged"}
    memory.edit(mine, text="The deploy target is Heroku.")
    for waiting in (edit, vote, remove):
        with pytest.raises(Refused, match="changed since"):
            memory.pending.approve(waiting.entry_id)
    assert contents(memory, "what is the deploy target?") == ["The deploy target is Heroku."]
    assert len(memory.pending.everything()) == 3, "they wait on, until somebody rejects them"
    memory.pending.reject(vote.entry_id)
    with pytest.raises(Refused, match="rejected already"):
        memory.pending.approve(vote.entry_id)


def test_an_accepted_change_replaces_what_it_was_about_and_is_vouched_for(memory: Recollect) -> None:
    mine = memory.remember("The deploy target is Render.").entry_id
    agent = memory.writes(Agent(client="Codex"))
    added = agent.store_memory("deploy target", "The deploy target is Fly.io.", ["fly.toml"], "x")
    outcome = memory.pending.approve(added.entry_id)
    assert (outcome.status, outcome.superseded) == ("stored", (mine,))
    entry = memory.entries.get(outcome.entry_id)
    assert (entry.source, entry.origin) == ("user", "assistant")
    assert contents(memory, "what is the deploy target?") == ["The deploy target is Fly.io."]
    voted = agent.vote_memory("The deploy target is Fly.io.", "downvote", "slow")
    assert memory.pending.approve(voted.entry_id).status == "voted"
    removed = agent.memory_write("remove", "L1", target_id=outcome.entry_id)
    assert memory.pending.approve(removed.entry_id).status == "removed"
    assert memory.entries.list(status="active") == []


def test_what_would_now_replace_more_than_was_shown_is_refused(memory: Recollect) -> None:
    memory.remember("The deploy target is Render.")
    added = memory.writes(Agent()).store_memory("deploy target", "The deploy target is Fly.io.", ["fly.toml"], "x")
    memory.remember("The deploy target is Heroku.", subject="deploy target")
    with pytest.raises(Refused, match="also replace"):
        memory.pending.approve(added.entry_id)


def test_what_the_user_types_later_settles_what_waits(memory: Recollect) -> None:
    agent = memory.writes(Agent(session="s1"))
    assert agent.memory_write("add", "L0", "The user's name is Ada.").status == "staged"
    memory.inject("my name is Ada", session="s1")
    assert agent.memory_write("add", "L0", "The user's name is Ada.").status == "stored"
    assert memory.pending.everything() == []


def test_a_prefix_of_an_id_is_enough_and_an_unknown_one_says_so(memory: Recollect) -> None:
    waits = memory.writes(Agent()).store_memory(*RISKY)
    assert memory.pending.approve(waits.entry_id[:20]).status == "stored"
    for name in ("w_nothing", "c_nothing", ""):
        with pytest.raises(NotFound):
            memory.pending.approve(name)


def test_an_erased_entry_leaves_no_trace_in_what_waits_or_is_announced(memory: Recollect) -> None:
    entry_id = memory.writes(Agent(client="A")).memory_write("add", "L1", "The zebra file is xylophone.cfg.").entry_id
    memory.remember("Another fact.")
    memory.writes(Agent(client="A")).vote_memory("The zebra file is xylophone.cfg.", "downvote", "x")
    memory.forget(entry_id, hard=True)
    memory.close()
    for path in Path(memory.home.root).rglob("*"):
        if path.is_file():
            assert b"xylophone" not in path.read_bytes(), path


def test_approvals_of_old_sessions_are_dropped_and_those_of_repositories_stay(memory: Recollect, clock: Clock) -> None:
    with memory.opened.store.write():
        for reach, place in (("session", "s1"), ("location", "r1")):
            memory.opened.store.approvals.add(Approval(f"a_{place}", MEMORY, reach, place, clock()))  # type: ignore[arg-type]
    clock.pass_days(31)
    put_in_order(memory.opened)
    assert [one.place for one in memory.permissions.listed()] == ["r1"]


def test_rules_are_plain_values() -> None:
    assert rules_of() == Rules()
    assert set(DONE) <= {"stored", "duplicate", "updated", "removed", "voted"}


# -- kinds of tools


def test_the_gate_tells_one_kind_of_tool_from_another(memory: Recollect, clock: Clock) -> None:
    place, rules = memory.repository.repository, rules_of(deny=["run"], allow=["read"])
    person = Person("session", "location", "reject", "nobody")
    agent = Agent("Codex", "s1", ask=person)
    gate = Gate(agent, place, rules, new_id=memory.opened.new_id, clock=clock)
    kinds = ("run", "read", "edit", "mcp", MEMORY)
    assert [gate.decide(kind, memory.opened.store) for kind in kinds] == ["deny", "allow", "ask", "ask", "ask"]
    answers = [
        gate.ask(Question("edit", "x", "y", kind=kind), memory.opened.store) for kind in ("edit", "mcp", MEMORY, MEMORY)
    ]
    assert answers == ["allow", "allow", "deny", "ask"]
    assert [gate.decide(kind, memory.opened.store) for kind in kinds] == ["deny", "allow", "allow", "allow", "ask"]
    approvals = {(one.kind, one.reach, one.place) for one in memory.permissions.listed()}
    assert approvals == {("edit", "session", "s1"), ("mcp", "location", place)}
    elsewhere = Gate(Agent("Codex", "s2"), "", rules, new_id=memory.opened.new_id, clock=clock)
    assert [elsewhere.decide(kind, memory.opened.store) for kind in ("edit", "mcp")] == ["ask", "ask"]
