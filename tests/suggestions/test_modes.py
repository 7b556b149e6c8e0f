"""The modes, as the worker and hooks drive them: when suggestions are made, and what a person is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect import Recollect
from recollect.errors import Refused
from recollect.flows.suggestions.after_turn import leave_reconcile, tell
from recollect.model.jobs import RECONCILE
from recollect.model.suggestions import Suggestion
from recollect.suggestions.modes import is_due, notices
from recollect.worker import Worker
from recollect.worker_runs import run_reconcile
from tests.codex_logs import CodexLog
from tests.conftest import Clock
from tests.hook_calls import answered, prompt
from tests.suggestions.repositories import make_case, tree

TYPED = (
    "From now on, never edit files in `src/generated` by hand.",
    "Always put feature flags in `src/flags.ts`.",
    "We always write commit subjects in lower case.",
    "Remember: staging deploys run from the `deploy` branch.",
    "Never log customer names in `src/api`.",
)


class Desk:
    """A user with a repository whose sessions end, turn by turn."""

    def __init__(self, tmp_path: Path, clock: Clock, mode: str = "") -> None:
        self.user, self.repository, self.clock = tmp_path / "user", tmp_path / "app", clock
        self.user.mkdir()
        self.prompts = 0
        make_case("web", self.repository, self.user)
        self.environ = {"HOME": str(self.user), "RECOLLECT_HOME": str(tmp_path / "home")}
        self.log = CodexLog(self.user, str(self.repository), 1)
        self.set_mode(mode)

    def set_mode(self, mode: str) -> None:
        """Switch the mode in the file, as `recollect settings set` does."""
        with self.open() as memory:
            if mode:
                Path(memory.home.config).write_text(f'[suggestions]\nmode = "{mode}"\n')

    def open(self) -> Recollect:
        return Recollect.open(folder=str(self.repository), environ=self.environ, clock=self.clock)

    def turn(self, *texts: str, event: str = "stop", host: str = "codex") -> None:
        """A turn in which this was learned is over; a worker sees to what is left of it."""
        with self.open() as memory:
            for text in texts:
                memory.remember(text)
            leave_reconcile(memory.opened, host=host, ended=event == "session_end")
        Worker(self.environ, clock=self.clock, runs={RECONCILE: run_reconcile}).once()

    def whole_turn(self, text: str) -> None:
        """Somebody types this; the hook leaves its note, and a worker reads the log."""
        self.log.typed(text).answered("Understood.")
        self.log.write()
        payload = {
            "host": "codex", "session": self.log.session, "transcript": str(self.log.path), "cwd": str(self.repository),
            "event": "stop",
        }  # fmt: skip
        with self.open() as memory:
            memory.opened.store.jobs.add("session_end", "s", payload, now=self.clock())
        Worker(self.environ, clock=self.clock).once()

    def suggestions(self) -> list[Suggestion]:
        with self.open() as memory:
            return memory.suggestions.list()

    def told(self) -> str:
        """The message that the next prompt's hook shows."""
        self.prompts += 1
        said = prompt("codex", self.repository, f"go on {self.prompts}")
        answer = answered(said, Path(self.environ["RECOLLECT_HOME"]), self.user, host="codex", limit=60.0)
        return str(answer.get("systemMessage", ""))


@pytest.fixture(autouse=True)
def waited(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    pauses: list[float] = []
    monkeypatch.setattr("recollect.worker_runs.pause", pauses.append)
    return pauses


def test_eager_suggests_after_each_turn_and_tells_of_each_once(tmp_path, clock, waited) -> None:
    desk = Desk(tmp_path, clock, "eager")
    desk.whole_turn(TYPED[0])
    [one] = desk.suggestions()
    assert 0.3 <= sum(waited) <= 0.5
    message = desk.told()
    assert message.startswith("Recollect learned: '")
    assert one.fact in message
    assert f"recollect suggest show {one.suggestion_id}" in message
    assert desk.told() == ""
    assert [other.status for other in desk.suggestions()] == ["pending"]


def test_occasional_waits_for_the_interval_and_tells_of_five_together(tmp_path, clock) -> None:
    desk = Desk(tmp_path, clock)
    desk.turn(TYPED[0])
    first = len(desk.suggestions())
    assert (first, desk.told()) == (1, "")
    clock.now += 14 * 60
    desk.turn(TYPED[1])
    assert len(desk.suggestions()) == first, "the interval is not over"
    clock.now += 2 * 60
    desk.turn(*TYPED[2:])
    assert len(desk.suggestions()) == 5
    assert desk.told().startswith("Recollect has 5 suggestions to improve your customizations.")


def test_occasional_tells_of_what_there_is_when_a_session_ends(tmp_path, clock) -> None:
    desk = Desk(tmp_path, clock)
    desk.turn(TYPED[0], event="session_end")
    assert desk.told().startswith("Recollect has a suggestion to improve your customizations.")


def test_a_host_that_shows_no_messages_tells_at_the_next_session_start(tmp_path, clock) -> None:
    desk = Desk(tmp_path, clock)
    desk.turn(TYPED[0], event="session_end", host="codex")
    desk.told()
    with desk.open() as memory:
        [one] = memory.suggestions.list()
        with memory.opened.store.write():
            memory.opened.store.suggestions.save(one._replace(told=0.0))
        tell(memory.opened, host="cursor", ended=True)
        assert "Recollect has a suggestion" in memory.start_session("S", host="cursor")


def test_manual_keeps_facts_tells_nothing_and_suggests_when_asked(tmp_path, clock) -> None:
    desk = Desk(tmp_path, clock, "manual")
    desk.turn(*TYPED, event="session_end")
    assert desk.suggestions() == []
    with desk.open() as memory:
        assert len(memory.facts.list()) == 5
        assert memory.facts.last_extraction() == clock.now
        assert len(memory.suggestions.reconcile().added) == 5
    assert desk.told() == ""


def test_off_writes_nothing_at_all_and_says_how_to_enable_it(tmp_path, clock) -> None:
    desk = Desk(tmp_path, clock, "off")
    before = tree(desk.repository)
    desk.turn(*TYPED, event="session_end")
    assert desk.suggestions() == []
    with desk.open() as memory:
        assert memory.facts.last_extraction() == 0.0
        assert [job.kind for job in memory.opened.store.jobs.listed("done") if job.kind == "reconcile"] == []
        with pytest.raises(Refused, match=r"disabled.*suggestions\.mode occasional"):
            memory.suggestions.reconcile()
        with pytest.raises(Refused, match="mode is off"):
            memory.facts.add("Deploys go through `deploy.sh`.")
    assert tree(desk.repository) == before
    assert desk.told() == ""


def test_the_mode_can_be_switched_while_a_program_runs(tmp_path, clock) -> None:
    desk = Desk(tmp_path, clock, "off")
    with desk.open() as memory:
        assert memory.suggestions.mode == "off"
        Path(memory.home.config).write_text('[suggestions]\nmode = "manual"\n')
        memory.remember(TYPED[0])
        assert memory.suggestions.mode == "manual"
        assert len(memory.suggestions.reconcile().added) == 1


def test_the_seeds_spelling_of_the_setting_is_understood(tmp_path, clock) -> None:
    desk = Desk(tmp_path, clock)
    with desk.open() as memory:
        Path(memory.home.config).write_text('"chat.memory.suggestionMode" = "eager"\n')
        assert memory.suggestions.mode == "eager"


@pytest.mark.parametrize(
    ("mode", "last", "ended", "due"),
    [("off", 0, True, False), ("manual", 0, True, False), ("eager", 99, False, True), ("occasional", 99, False, False),
     ("occasional", 99, True, True), ("occasional", 0, False, True)],
)  # fmt: skip
def test_when_a_run_is_due(mode: str, last: float, ended: bool, due: bool) -> None:
    assert is_due(mode, interval_seconds=50, last=last, ended=ended, now=100) is due


def test_many_at_once_are_told_of_together_even_when_eager() -> None:
    one = Suggestion("g_1", "", "A.", (), "instructions", "AGENTS.md", "add", "", "a", 0.9, "", "", (), "f")
    assert len(notices([one] * 3, "eager", batch=5, ended=False)) == 3
    [told] = notices([one] * 4, "eager", batch=5, ended=False)
    assert told.text.startswith("Recollect has 4 suggestions")
    assert notices([one] * 4, "occasional", batch=5, ended=False) == []
