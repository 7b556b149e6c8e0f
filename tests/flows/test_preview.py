"""A preview shows what the next session of a host will be given, and changes nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from recollect import Recollect
from recollect.errors import UsageError
from recollect.flows.views.preview import preview
from tests import hook_calls
from tests.command_line import Run
from tests.doors.test_every_door import through_hook, without_id

PROMPT = "How do I install the dependencies, and where is it deployed?"


@pytest.fixture
def filled(memory: Recollect, repository: Path) -> Recollect:
    """A memory with a profile, a preference, a task and two facts, one of them cited."""
    (repository / "fly.toml").write_text("app = 'harbour'\n")
    memory.profile.set_section("Preferences", "Answers in one sentence.")
    memory.remember("Always install dependencies with pnpm, I prefer it.", scope="user")
    memory.remember("Dependencies are installed with pnpm, not npm.")
    memory.remember("The deploy target is Fly.io.", cite=["fly.toml"])
    memory.tasks.add_task("Write the importer", state="Half done.")
    memory.recall("deploy target")  # and so the file is checked, for a hook to look up
    return memory


@pytest.mark.parametrize("host", ["claude-code", "codex", "cursor", "vscode", "goose"])
def test_a_preview_is_byte_for_byte_what_the_next_session_is_given(filled, repository, tmp_path, host) -> None:
    shown = preview(filled.opened, PROMPT, host=host)
    start = hook_calls.session_start(host, repository, session="s-next")
    prompt = hook_calls.prompt(host, repository, PROMPT, session="s-next")
    given = [through_hook(host, said, filled, tmp_path) for said in (start, prompt)]
    assert shown.turn
    assert [without_id(shown.start.text), without_id(shown.turn.text)] == [without_id(text) for text in given]
    assert all(given) == (host not in ("vscode", "goose"))


def test_its_parts_say_what_they_cost_and_why_they_are_there(filled) -> None:
    shown = preview(filled.opened, PROMPT, host="claude-code")
    assert [part.name.partition(" ")[0] for part in shown.start.parts] == ["Profile", "Preferences", "Task", ""]
    assert all(part.why and part.tokens and part.text in shown.start.text for part in shown.start.parts)
    assert shown.turn
    assert shown.turn.parts
    assert all(part.why.startswith("matched ") and part.text in shown.turn.text for part in shown.turn.parts)


def test_a_preview_stores_nothing_and_tells_nothing(filled) -> None:
    with filled.opened.store.write():
        filled.opened.store.announcements.add("Codex stored: “x”", repository="", now=1.0)
    receipts = filled.opened.receipts("")
    first = preview(filled.opened, PROMPT).start.text
    assert "Codex stored" in first
    assert preview(filled.opened, PROMPT).start.text == first, "what is announced once is still to be announced"
    assert filled.opened.receipts("") == receipts


def test_a_host_without_our_hooks_is_told_where_its_memory_comes_from(cli: Run) -> None:
    cli("remember", "Dependencies are installed with pnpm, not npm.")
    for host in ("cline", "goose"):
        told = cli("preview", "--host", host).err
        assert "which reads AGENTS.md" in told, host
        assert f"recollect install {host} --agents-md" in told, host
        assert cli("preview", "--host", host, "--json").json["note"]
    assert cli("preview", "--host", "codex", "--json").json["note"] == ""


def test_the_doctor_names_the_preview(cli: Run) -> None:
    cli("status")
    [last] = [one for one in cli("doctor", "--json").json if one["check"] == "last injection"]
    assert "recollect preview" in last["remedy"]


def test_a_switched_off_memory_says_so(filled, repository) -> None:
    with Recollect.open(
        filled.home.root, folder=str(repository), environ=filled.opened.environ, flags={"enabled": False}
    ) as off:
        shown = preview(off.opened, PROMPT)
    assert shown.start.text == ""
    assert "switched off" in shown.start.why


def test_a_host_that_is_not_supported_is_named(filled) -> None:
    with pytest.raises(UsageError, match='"vim" is not a supported host'):
        preview(filled.opened, host="vim")


def test_the_command_prints_the_bytes_on_stdout_and_the_reasons_on_stderr(cli: Run) -> None:
    cli("remember", "This repository uses pnpm, not npm.")
    document = cli("preview", "--host", "codex", "which package manager is used?", "--json").json
    done = cli("preview", "--host", "codex", "which package manager is used?")
    assert without_id(done.out) == without_id(f"{document['start']['text']}\n{document['turn']['text']}\n")
    assert "Codex, session start: " in done.err
    assert "matched " in done.err
    assert json.dumps(document)
    assert document["turn"]["parts"][0]["name"].startswith("e_")
    assert cli("preview", "--host", "vim").code == 2
