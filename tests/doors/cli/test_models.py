"""`recollect models`, and what a failing model looks like to a person."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from recollect.flows.models.cases import CASES
from recollect.flows.models.testing import graded, question
from tests.command_line import RECOLLECT, Run, process
from tests.fake_clis import Clis, case_answers, right_answers
from tests.model_servers import Act, Server, serving


@pytest.fixture
def clis(tmp_path: Path, cli: Run, monkeypatch: pytest.MonkeyPatch) -> Clis:
    """CLIs that are found before any other, on a machine that has none of its own."""
    made = Clis(tmp_path / "clis")
    monkeypatch.setenv("PATH", f"{made.folder}{os.pathsep}/usr/bin:/bin")
    return made


@pytest.fixture
def server(cli: Run, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    with serving("openai") as one:
        monkeypatch.setenv("OPENAI_API_KEY", "sk-nobody")
        yield one


def finding(cli: Run) -> dict[str, Any]:
    (found,) = [one for one in cli("doctor", "--json").json if one["check"] == "model"]
    return dict(found)


def test_a_fresh_home_asks_no_model(cli: Run) -> None:
    listed = cli("models", "--json").json
    assert [(role["role"], role["model"], role["ready"]) for role in listed["roles"]] == [
        ("default", "rules", True),
        ("smol", "rules", True),
    ]
    assert listed["tokens_today"] == 0
    assert cli("status", "--json").json["model"] == "rules"
    assert finding(cli)["ok"]


def test_the_list_shows_what_was_found_and_the_words_that_use_it(clis: Clis, cli: Run, monkeypatch) -> None:
    clis.make("claude", "")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-nobody")
    found = {one["name"]: one for one in cli("models", "--json").json["found"]}
    assert found["claude"]["use"] == "claude"
    assert found["anthropic"] == {"name": "anthropic", "where": "ANTHROPIC_API_KEY", "use": "anthropic:MODEL"}
    assert "sk-ant-nobody" not in cli("models").out


def test_a_cli_is_used_from_now_on_and_tried_in_one_round_trip(clis: Clis, cli: Run) -> None:
    clis.make("claude", right_answers())
    assert cli("models", "use", "claude", "--json").json["ready"]
    tried = cli("models", "test", "--json").json
    assert tried["passed"]
    assert tried["cases"] == len(CASES) == 24
    assert (tried["input_tokens"], tried["output_tokens"], tried["cost_usd"]) == (14, 5, 0.00014)
    assert len(clis.runs) == 1
    listed = cli("models", "--json").json
    assert listed["roles"][0]["passed"]
    assert listed["roles"][1]["model"] == "claude"  # smol falls back to default
    assert listed["tokens_today"] == 19


def test_smol_can_have_a_model_of_its_own(clis: Clis, cli: Run) -> None:
    clis.make("claude", right_answers())
    assert "recollect models test --role smol" in cli("models", "use", "claude:haiku", "--role", "smol").out
    assert [role["model"] for role in cli("models", "--json").json["roles"]] == ["rules", "claude:haiku"]
    cli("models", "test", "--role", "smol")
    assert "haiku" in clis.runs[0]["words"]


def test_a_command_may_stand_in_a_folder_with_a_blank_in_its_name(clis: Clis, cli: Run, tmp_path: Path) -> None:
    clis.make("my-model", right_answers())
    (tmp_path / "my tools").symlink_to(clis.folder)
    assert cli("models", "use", f'command:"{tmp_path}/my tools/my-model" --quiet', "--json").json["ready"]
    assert cli("models", "test", "--json").json["passed"]
    assert clis.runs[0]["words"] == ["--quiet"]


def test_a_model_that_gets_too_many_wrong_does_not_pass(clis: Clis, cli: Run) -> None:
    clis.make("claude", right_answers(scope="user"))
    cli("models", "use", "claude")
    tried = cli("models", "test", "--json").json
    assert not tried["passed"]
    assert tried["right"]["kind"] == {"right": 24, "of": 24}
    assert tried["right"]["scope"]["right"] < tried["right"]["scope"]["of"]
    assert "Failed: it got too many" in cli("models", "test").out


def test_a_model_never_takes_more_than_was_said_before_it_was_asked(cli: Run) -> None:
    cli("models", "use", "command:cat")
    tried = cli("models", "test")
    assert tried.code == 1
    most = int(re.search(r"at most about ([\d,]+) tokens", tried.err)[1].replace(",", ""))  # type: ignore[index]
    took = cli("models", "--json").json["tokens_today"]
    assert 5_000 < took <= most < 20_000, "an answer that repeats the question is asked for a second time"


def test_a_quote_that_nobody_typed_is_wrong() -> None:
    wrong = graded(case_answers(quote="We use pnpm, as everybody knows."))
    assert wrong["quote"] == (0, 12)
    assert graded(case_answers())["quote"] == (12, 12)
    assert graded([])["durable"][0] == 0


def test_the_cases_cover_every_kind_and_their_answers_stand_in_them() -> None:
    assert {case.kind for case in CASES} == {"rule", "fact", "preference", "order", "question", "status", "chat"}
    assert all(case.quote in case.text for case in CASES)
    assert all(case.text in question() for case in CASES)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("gpt-5", "does not name a model"),
        ("openai", "needs a model"),
        ("rules:x", "takes nothing after it"),
        ("openai:m@http://example.com/v1", "unencrypted"),
        ("openai:m@https://me:secret@example.com/v1", "an address must look like"),
        ("openai:@http://127.0.0.1/v1", "no model before the address"),
        ("claude:--dangerously-skip-permissions", "is not the name of a model"),
        ('command:"my-model', "cannot be read: No closing quotation"),
    ],
)
def test_what_names_no_model_is_refused_and_nothing_is_written(name: str, says: str, cli: Run) -> None:
    done = cli("models", "use", name)
    assert done.code == 1
    assert says in done.err
    assert cli("models", "--json").json["roles"][0]["model"] == "rules"


def test_a_model_that_is_not_here_is_chosen_with_a_warning(cli: Run, clis: Clis) -> None:
    done = cli("models", "use", "codex")
    assert done.code == 0
    assert done.out.startswith("! The role default now uses codex, but it cannot be asked yet: codex was not\n  found.")
    clis.make("codex", right_answers())
    assert cli("models", "use", "codex").out.startswith("✓ The role default now uses codex.")


def test_a_missing_key_is_one_sentence_with_the_line_that_mends_it(cli: Run, monkeypatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    used = cli("models", "use", "anthropic:claude-haiku-4-5", "--json").json
    assert (used["ready"], used["why"]) == (False, "anthropic needs a key.")
    assert used["remedy"] == "Run: export ANTHROPIC_API_KEY=... with your key"
    assert finding(cli)["remedy"] == used["remedy"]
    done = cli("models", "test")
    assert (done.code, done.err) == (1, f"recollect: {used['why']} {used['remedy']}\n")
    assert cli("models", "--json").json["roles"][0]["last_failure"] == "", "it is said once"


def test_a_missing_extra_is_one_sentence_with_the_line_that_mends_it(cli: Run, monkeypatch) -> None:
    monkeypatch.setattr("recollect.providers.vendors.PACKAGES", ("a_package_that_nobody_has",))
    used = cli("models", "use", "openai:gpt-5-mini", "--json").json
    assert used["why"] == "openai needs the extra `models`."
    assert used["remedy"].startswith("In the folder of Recollect, run `.venv/bin/pip install -e '.[models]'`")


def test_nothing_was_asked_without_a_model(cli: Run) -> None:
    done = cli("models", "test")
    assert done.code == 1
    assert "recollect models use NAME" in done.err
    cli("settings", "set", "enabled", "false")
    assert "recollect settings set enabled true" in cli("models", "test").err


@pytest.mark.parametrize(
    ("act", "says", "remedy"),
    [
        (Act(status=401), "refused the key (HTTP 401)", "Check the key"),
        (Act(status=529), "overloaded or broken (HTTP 529)", "Wait a while"),
        (Act(cut=True), "connection was lost", "models test"),
        (Act("Gladly!"), "not valid JSON", "models test"),
    ],
)
def test_doctor_has_one_clear_line_for_a_failing_model(
    act: Act, says: str, remedy: str, server: Server, cli: Run
) -> None:
    server.will(act)
    cli("models", "use", server.spec)
    failed = cli("models", "test")
    assert failed.code == 1
    assert says in failed.err
    found = finding(cli)
    assert not found["ok"]
    assert says in found["detail"]
    assert remedy in found["remedy"]
    assert "\n" not in found["detail"] + found["remedy"]
    server.will(Act(right_answers()))
    cli("models", "test")
    assert finding(cli)["ok"]


def test_a_local_server_needs_no_key(server: Server, cli: Run, monkeypatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    server.will(Act(right_answers()))
    assert cli("models", "use", server.spec, "--json").json["ready"]
    assert cli("models", "test", "--json").json["passed"]


def test_a_script_answers_from_a_file(cli: Run, repository: Path) -> None:
    rows = [{"when": "nobody says this", "fail": "wrong"}, {"say": json.loads(right_answers())}]
    (repository / "answers.json").write_text(json.dumps(rows))
    used = cli("models", "use", "scripted:answers.json", "--json").json
    assert used["model"] == f"scripted:{repository}/answers.json"
    assert cli("models", "test", "--json").json["passed"]


def test_an_agent_does_not_choose_a_model(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    done = cli("models", "use", "command:curl https://example.com")
    assert done.code == 1
    assert cli("models", "--json").json["roles"][0]["model"] == "rules"


def test_a_repository_does_not_choose_a_model(cli: Run, repository: Path) -> None:
    (repository / ".recollect.toml").write_text(
        '[models]\ndefault = "command:curl https://example.com"\nday_tokens = 10\n'
    )
    listed = cli("models", "--json").json
    assert listed["roles"][0]["model"] == "rules"
    assert listed["ceilings"]["models.day_tokens"] == 10


# -- compaction


def talk(folder: Path) -> Path:
    turns = [
        {"role": role, "content": f"{number}: {words}"}
        for number in range(12)
        for role, words in (("user", "Please look at the login. " * 40), ("assistant", "I looked at the login. " * 60))
    ]
    path = folder / "talk.json"
    path.write_text(json.dumps(turns))
    return path


SUMMARY = """## Goal
Mend the login.

## Rules and decisions
none

## Done
Looked at it.

## Open
The last request.

## Errors
none

## Facts
none"""


def test_a_model_writes_the_summary_of_a_compaction(server: Server, cli: Run, tmp_path: Path) -> None:
    server.will(Act(SUMMARY))
    cli("models", "use", server.spec)
    done = cli("compact", str(talk(tmp_path)), "--window", "4000", "--model", "smol", "--json").json
    assert done["status"] == "compacted"
    assert "Mend the login." in done["summary"]
    assert len(server.asked) >= 1


def test_a_summary_that_no_model_wrote_is_written_by_rules_and_says_so(
    server: Server, cli: Run, tmp_path: Path
) -> None:
    server.will(Act(status=401))
    cli("models", "use", server.spec)
    path = str(talk(tmp_path))
    done = cli("compact", path, "--window", "4000", "--model", "default", "--json").json
    assert done["why"].startswith("by rules, because the model failed")
    assert done["summary"] == cli("compact", path, "--window", "4000", "--json").json["summary"]
    assert "refused the key" in finding(cli)["detail"]


@pytest.mark.parametrize(
    ("act", "fallback", "status"),
    [
        (Act(""), "errors", "failed"),
        (Act(""), "always", "compacted"),
        (Act(status=401), "errors", "compacted"),
        (Act(status=401), "never", "failed"),
    ],
)
def test_the_settings_say_whether_rules_write_a_summary_that_the_model_did_not(
    act: Act, fallback: str, status: str, server: Server, cli: Run, tmp_path: Path
) -> None:
    server.will(act)
    cli("models", "use", server.spec)
    assert cli("settings", "set", "compaction.fallback", fallback).code == 0
    done = cli("compact", str(talk(tmp_path)), "--window", "4000", "--model", "default", "--json")
    assert (done.json["status"], done.code) == (status, 1 if status == "failed" else 0)
    assert done.json["why"]
    assert "Traceback" not in done.err


# -- rules really means no call


@pytest.mark.parametrize("off", [{"models.default": "rules"}, {"enabled": "false"}], ids=["rules", "enabled"])
def test_with_rules_or_the_switch_off_no_model_is_ever_called(
    off: dict[str, str], server: Server, cli: Run, tmp_path: Path
) -> None:
    cli("models", "use", server.spec)
    for name, value in off.items():
        assert cli("settings", "set", name, value).code == 0
    log = tmp_path / "user" / ".claude" / "projects" / "-app" / "caed6a65-b8af-42f5-821d-599025de524e.jsonl"
    log.parent.mkdir(parents=True)
    row = {"type": "user", "uuid": "u1", "sessionId": log.stem, "cwd": os.getcwd(), "timestamp": "2026-11-01T09:00:00.000Z", "message": {"role": "user", "content": "Please always use pnpm in this repository."}}  # fmt: skip
    log.write_text(json.dumps(row) + "\n")
    for words in (
        ["up", "--no-serve"], ["import"], ["remember", "We use pnpm."], ["recall", "pnpm"], ["worker", "--once"],
        ["status"], ["doctor"], ["models"], ["models", "test"],
        ["compact", str(talk(tmp_path)), "--window", "4000"],
        ["compact", str(talk(tmp_path)), "--window", "4000", "--model", "default"],
    ):  # fmt: skip
        cli(*words)
    hook = {"session_id": "s1", "hook_event_name": "UserPromptSubmit", "prompt": "which package manager?", "cwd": os.getcwd()}  # fmt: skip
    process([RECOLLECT, "hook", "--host", "claude-code"], Path.cwd(), os.environ, json.dumps(hook))
    assert server.connections == 0
