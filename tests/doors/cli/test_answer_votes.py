"""Votes on answers in a host's log move the confidence of what was learned from those turns."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from recollect import Recollect
from recollect.model.entries import Citation, Entry
from recollect.suggestions.facts import PROMOTED, confidence_of, with_answer_votes
from tests.command_line import Run
from tests.suggestions.repositories import make_case

TYPED = "We never mock the payment gateway in tests, we run it in docker."
DOWN, UP = 0, 1


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    make_case("web", tmp_path / "app", tmp_path / "user")
    return tmp_path / "app"


@pytest.fixture
def window(tmp_path: Path, repository: Path) -> Path:
    """The folder in which VS Code keeps what belongs to a window on the repository."""
    window = tmp_path / "user/.config/Code/User/workspaceStorage/3fa1"
    (window / "chatSessions").mkdir(parents=True)
    (window / "workspace.json").write_text(json.dumps({"folder": repository.as_uri()}))
    return window


def request(number: int, vote: int | None) -> dict[str, object]:
    """A request in which the fact was typed, as VS Code writes it; it has a vote only if there is one."""
    voted = {} if vote is None else {"vote": vote, **({"voteDownReason": "other"} if vote == DOWN else {})}
    return {
        "requestId": f"request_{number}",
        "timestamp": 1_793_523_601_000 + number,
        "modelId": "copilot/gpt-x",
        "message": {"text": TYPED, "parts": []},
        "variableData": {"variables": []},
        "response": [{"value": "Understood."}],
        "result": {"metadata": {}},
        **voted,
    }


def written(log: Path, votes: tuple[int | None, ...]) -> None:
    """A chat with a request for each of these votes."""
    requests = [request(number, vote) for number, vote in enumerate(votes)]
    whole = {"version": 3, "sessionId": "one", "creationDate": 1_793_523_600_000, "responderUsername": "GitHub Copilot"}
    log.write_text(json.dumps({**whole, "requests": requests}))


def confidence(cli: Run, window: Path, *votes: int | None) -> float | None:
    """How sure the suggestion is that is made of the fact after so many requests; None when there is none."""
    log = window / "chatSessions/one.json"
    written(log, votes)
    assert cli("import", str(log)).code == 0
    assert cli("suggest", "reconcile").code == 0
    found = [one["confidence"] for one in cli("suggest", "list", "--json").json if "gateway" in one["fact"]]
    return found[0] if found else None


def test_votes_on_answers_move_the_suggestions_of_what_was_learned_there(cli: Run, window: Path) -> None:
    cli("settings", "set", "suggestions.mode", "manual")  # a reconcile looks through new sessions first
    without = confidence(cli, window, None)
    assert without is not None
    assert confidence(cli, window, UP) == pytest.approx(without + 0.1), "it was given after the import"
    assert confidence(cli, window, DOWN) == pytest.approx(without - 0.1), "the user changed their mind"


def test_a_vote_that_was_taken_back_counts_no_longer(repository: Path, window: Path, tmp_path: Path) -> None:
    log = window / "chatSessions/one.json"
    with Recollect.open(str(tmp_path / "home"), folder=str(repository), environ={"HOME": str(tmp_path)}) as memory:
        told = []
        for votes in ((None, UP), (DOWN, UP), (DOWN, None)):
            written(log, votes)
            memory.sessions.import_logs(memory.sessions.logs([str(log)])[0])
            told.append(sorted((number, vote) for (_, number), vote in memory.opened.store.sessions.votes().items()))
    assert told == [[(2, 1)], [(1, -1), (2, 1)], [(1, -1)]]


def test_what_was_voted_down_falls_below_what_is_suggested() -> None:
    cited = tuple(Citation("turn", session="s_1", turn=number) for number in (1, 2, 2))
    entry = Entry("e_1", "L1", "repository", TYPED, citations=cited, confidence=0.7)
    votes = {("s_1", 1): -1, ("s_1", 2): -1, ("s_2", 1): 1}
    assert confidence_of(entry) >= PROMOTED > confidence_of(with_answer_votes(entry, votes))
