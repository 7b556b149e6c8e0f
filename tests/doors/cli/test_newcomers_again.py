"""What somebody stumbled over who followed the README and the docs from the first line to the last."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect import Recollect
from recollect.model.drafts import Draft
from tests.command_line import RECOLLECT, Run, clean_environment
from tests.terminals import Terminal


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "user").mkdir(exist_ok=True)
    return clean_environment(tmp_path / "home", tmp_path / "user", TERM="xterm")


def shown(words: list[str], folder: Path, environ: dict[str, str], *, columns: int = 80) -> str:
    """What a person sees at a terminal."""
    terminal = Terminal([RECOLLECT, *words], folder, environ, columns=columns)
    terminal.end()
    return terminal.shown


@pytest.mark.parametrize("question", ["Should we use yarn?", "?", "Is it (still) npm?)"])
def test_a_question_is_not_remembered(cli: Run, question: str) -> None:
    done = cli("remember", question)
    assert (done.code, done.out) == (1, "")
    assert "That is a question, so nothing was stored. Write it as a statement" in done.err
    assert cli("remember", question, "--json").json["status"] == "refused"
    assert cli("list", "--json").json == []


@pytest.mark.parametrize("statement", ["Always ask: is it tested?", "The list is at /items?page=2 since May."])
def test_a_statement_with_a_question_mark_is_remembered(cli: Run, statement: str) -> None:
    assert cli("remember", statement).code == 0


def test_whoever_writes_a_secret_is_told_that_it_was_removed(cli: Run) -> None:
    key = "sk-ant-api03-" + "a1B2" * 23 + "x-AA"
    done = cli("remember", f"The API key of the billing service is {key}")
    assert "A secret was removed from the text before it was stored." in done.err
    assert key not in done.out + done.err
    assert "secret" in cli("correct", f"The API key of staging is {key}", "--json").json["why"]


def test_what_a_person_does_by_hand_works_with_memory_off_and_says_so(cli: Run) -> None:
    cli("settings", "set", "enabled", "false")
    for words in (("remember", "We use pnpm here."), ("recall", "pnpm")):
        done = cli(*words)
        assert (done.code, done.err.count("Memory is off: agents get nothing.")) == (0, 1)
    assert len(cli("recall", "pnpm", "--json").json["entries"]) == 1


def test_a_place_is_here_or_everywhere(cli: Run, repository: Path, environ: dict[str, str]) -> None:
    for where, scope in (
        ("everywhere", "user"),
        ("here", "repository"),
        ("user", "user"),
        ("repository", "repository"),
    ):
        entry_id = cli("remember", f"This one holds {where} for sure.", "--scope", where, "--json").json["id"]
        assert cli("show", entry_id, "--json").json["scope"] == scope
    assert "scope: everywhere" in cli("show", cli("list", "--scope", "everywhere", "--json").json[0]["id"]).out
    assert "write `here` or `everywhere`" in cli("remember", "x", "--scope", "nowhere").err


def test_a_list_says_whose_words_and_which_repository(
    memory: Recollect, cli: Run, repository: Path, environ: dict[str, str], tmp_path: Path
) -> None:
    write = memory.opened.writer("system")
    from recollect.flows.writes.write import add_many

    drafts = [
        Draft("Tests run with make.", repository="github.com/owner/shop", source="system", origin="typed"),
        Draft("Request: mend it. Outcome: mended.", layer="L2", repository="github.com/owner/app", source="system"),
    ]
    add_many([one._replace(scope="repository") for one in drafts], write)
    page = shown(["list", "--all"], repository, environ)
    assert "from what you typed · in shop" in page
    assert "Outcome" not in page
    assert "see it with `recollect list --layer L2 --all`" in " ".join(page.split())
    assert "Outcome" in shown(["list", "--layer", "L2"], repository, environ)
    assert len(cli("list", "--all", "--json").json) == 1, "programs get the same"
    assert len(cli("list", "--all", "--layer", "L2", "--json").json) == 1
    assert "No entry here contains “deploys”." in cli("list", "deploys").err


def test_a_correction_is_cited_in_its_own_words(cli: Run) -> None:
    cli("remember", "We use pnpm for the web app and the docs.")
    said = "we moved from pnpm to bun for the web app and the docs"
    corrected = cli("correct", said, "--json").json["id"]
    whole = cli("show", corrected).out + cli("export", "--format", "markdown").out
    assert "turn 0" not in whole
    assert "said outside a session" in whole


def test_a_home_that_is_named_and_not_there_is_not_made_by_reading(cli: Run, tmp_path: Path) -> None:
    typo = tmp_path / "tpyo"
    for words in (["list"], ["recall", "pnpm"], ["status", "--json"]):
        done = cli(*words, "--home", str(typo))
        assert (done.code, typo.exists()) == (1, False)
        assert f"There is no home at {typo}." in done.err
        assert f"`recollect --home {typo} up`" in done.err
    assert cli("remember", "We use pnpm.", "--home", str(typo)).code == 0


def test_rules_are_for_both_roles_unless_one_is_named(cli: Run) -> None:
    cli("models", "use", "claude:haiku", "--role", "smol")
    cli("models", "use", "rules", "--role", "default")
    assert [one["model"] for one in cli("models", "--json").json["roles"]] == ["rules", "claude:haiku"]
    cli("models", "use", "rules")
    assert [one["model"] for one in cli("models", "--json").json["roles"]] == ["rules", "rules"]


def test_a_home_alone_shows_its_state_as_no_words_do(cli: Run, tmp_path: Path) -> None:
    cli("remember", "We use pnpm.")
    alone = cli("--home", str(tmp_path / "home"))
    assert (alone.code, alone.err) == (0, "")
    assert alone.out.startswith("Recollect remembers 1 entry")
    assert cli("--debug").out == cli().out


def test_without_logs_and_sessions_nothing_goes_round_in_circles(cli: Run) -> None:
    assert "No session logs were found." in cli("import").err
    assert "`recollect up` reads its sessions" in cli("session", "list").err


def test_a_log_without_a_session_is_no_log(cli: Run, tmp_path: Path) -> None:
    log = tmp_path / "user" / ".codex" / "sessions" / "2026" / "10" / "01" / "rollout-2026-10-01T00-00-00-1.jsonl"
    log.parent.mkdir(parents=True)
    log.write_text("")
    for _ in range(2):
        assert "No session logs were found." in cli("import").err


def test_several_that_were_left_out_are_told_as_several() -> None:
    from recollect.doors.cli.printing.recalls import left_out_line

    why = "archive entry"
    assert left_out_line([why], advice=True) == "left out: 1 archive entry (add `--layer L1,L2` to see it)"
    assert left_out_line([why] * 2, advice=True) == "left out: 2 archive entries (add `--layer L1,L2` to see them)"
    kept_by_an_older_version = "archive entry (add `--layer L2` to see it)"
    assert left_out_line([kept_by_an_older_version] * 2) == "left out: 2 archive entries"


def test_a_board_outside_git_names_no_branch_and_says_once_that_it_is_empty(
    cli: Run, tmp_path: Path, environ: dict[str, str]
) -> None:
    (tmp_path / "plain").mkdir()
    page = shown(["board", "list"], tmp_path / "plain", environ)
    assert page.startswith("The board of this folder is empty.")
    assert page.count("empty") == 1


def test_a_repository_may_be_named_by_any_part_of_its_name(cli: Run) -> None:
    cli("remember", "We use pnpm here.")
    assert len(cli("list", "--repository", "owner/a", "--json").json) == 1
    assert "No repository is known as 'quay'" in cli("list", "--repository", "quay").err


def test_help_is_a_word_too_and_no_line_of_it_is_cut(cli: Run) -> None:
    assert cli("help").out == cli("--help").out
    assert cli("help", "recall").out == cli("recall", "--help").out
    for group in ("agents", "suggest", "session", "board", "memory"):
        assert "..." not in cli(group, "--help").out.partition("Commands:")[2].partition("Example:")[0]
    assert "'abc' is not a whole number" in cli("recall", "x", "--k", "abc").err


def test_a_command_that_finds_nothing_to_do_says_so(cli: Run) -> None:
    assert "No suggestion is pending, so nothing was changed." in cli("suggest", "apply", "--all").err
    assert "there is nothing to trust" in cli("agents", "trust").err


def test_what_was_stored_and_undone_is_gone_and_the_way_back_is_named(cli: Run) -> None:
    cli("remember", "We use pnpm here.")
    undone = cli("undo").err
    assert "is gone: “We use pnpm here.”" in undone
    number = undone.partition("`recollect undo ")[2].partition("`")[0]
    assert cli("undo", number).code == 0
    assert [one["content"] for one in cli("list", "--json").json] == ["We use pnpm here."]
