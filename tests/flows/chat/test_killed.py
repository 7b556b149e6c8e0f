"""kill -9 at any moment: what was acknowledged is in the log, and the conversation goes on."""

from __future__ import annotations

import json
import os
import signal

import pytest

from recollect import Recollect
from recollect.flows.chat import happenings as told
from recollect.providers.scripted import GOOD_SUMMARY
from tests.flows.chat.agents import Watched, call
from tests.processes import Child

MOMENTS = (1, 2, 3, 5, 6, 8, 10, 12, 14, 17)  # of the happenings that are told: each in the middle of something else


def conversation(home: str, folder: str, die_at: int, output: int) -> None:
    """Talk until the moment comes; every happening is acknowledged on the pipe before it is over."""
    memory = Recollect.open(home, folder=folder, environ={"HOME": home})
    todos = [{"text": "change it", "status": "pending"}]
    steps = [
        call("todo", 1, todos=todos), call("edit", 2, path="a.py", old="one = 1", new="one = 2"), "Changed it. " * 200,
        call("run", 3, command="true"), "It passes. " * 200,
    ]  # fmt: skip

    def answer(prompt):
        return GOOD_SUMMARY if prompt.role == "smol" else steps.pop(0)

    chat = Watched(memory, [answer], yolo=True).start()
    os.write(output, f"session {chat.agent.session.session_id}\n".encode())
    count = [0]

    def hear(event) -> None:
        count[0] += 1
        os.write(output, (json.dumps([type(event).__name__, getattr(event, "text", "")]) + "\n").encode())
        if count[0] == die_at:
            os.kill(os.getpid(), signal.SIGKILL)

    chat.agent.prompt("change it", hear)
    chat.agent.prompt("and run it", hear)
    chat.agent.compact("", hear)
    raise AssertionError(f"it was never killed: {count[0]} happenings")


@pytest.fixture(scope="module", autouse=True)
def loaded():
    """What the children need is imported before they are forked."""
    import recollect.flows.chat.tools.servers
    import recollect.memory.gapfill.finding  # noqa: F401


@pytest.mark.parametrize("moment", MOMENTS)
def test_nothing_that_was_acknowledged_is_lost_when_it_is_killed(moment, repository, tmp_path) -> None:
    (repository / "a.py").write_text("one = 1\n")
    home = str(tmp_path / "home")
    Recollect.open(home, folder=str(repository), environ={"HOME": home}).close()
    child = Child(lambda output: conversation(home, str(repository), moment, output))
    first, *lines = child.read().decode().splitlines()
    assert child.wait() == -signal.SIGKILL
    assert len(lines) == moment
    memory = Recollect.open(home, folder=str(repository), environ={"HOME": home})
    again = Watched(memory, ["Going on."], yolo=True)
    session = again.agent.load(first.split()[1])
    said = "\n".join(message.text for message in session.messages()) + str(session.events())
    for kind, text in map(json.loads, lines):
        if kind in ("Said", "ToolFinished"):
            assert text[:40] in said
        elif kind == "TodosChanged":
            assert session.kept.todos == "- [ ] change it"
    assert "change it" in said
    assert again.agent.prompt("go on", told.nobody).text == "Going on."
    sent = again.provider.prompts[-1].messages
    calls = [one.call_id for message in sent for one in message.calls]
    results = [one.call_id for message in sent for one in message.results]
    assert sorted(calls) == sorted(results)
    again.agent.close()
    memory.close()
