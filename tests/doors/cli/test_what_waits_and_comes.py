"""What a newcomer expects of what waits, of recall and why, of ids, of `--home`, and of exit codes."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from recollect import Recollect
from tests.command_line import RECOLLECT, Run, clean_environment, process
from tests.terminals import Terminal

COMMAND = re.compile(r"`(recollect [^`]+)`")
QUESTION = "Which package manager does saltmarsh-shop use?"


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "user").mkdir(exist_ok=True)
    return clean_environment(tmp_path / "home", tmp_path / "user", TERM="xterm")


@pytest.fixture
def sample(cli: Run) -> str:
    """The home of the samples, as `up` leaves it."""
    return str(cli("up", "--sample", "--no-serve", "--json").json["home"])


def at_terminal(words: list[str], folder: Path, environ: dict[str, str], *answers: str) -> str:
    """What a person sees, with every line break a space; each answer is typed at its question."""
    terminal = Terminal([RECOLLECT, *words], folder, environ)
    for answer in answers:
        terminal.until("[y/N]")
        terminal.press(f"{answer}\n")
    terminal.end()
    return " ".join(terminal.shown.split())


# -- what waits


def test_who_approves_a_retirement_reads_that_it_retires_and_why(
    cli: Run, sample: str, repository: Path, environ: dict[str, str]
) -> None:
    home = ["--home", sample]
    listed = at_terminal([*home, "pending"], repository, environ)
    assert "Retire: We always keep checkout sessions for 30 minutes." in listed
    *others, _ = cli(*home, "pending", "--json").json  # what would be retired comes last
    for other in others:
        assert cli(*home, "reject", other["id"]).code == 0
    rejected = at_terminal([*home, "reject"], repository, environ, "n")
    assert "Reject the proposal to retire “We always keep checkout sessions for 30 minutes.” (w_" in rejected
    approved = at_terminal([*home, "approve"], repository, environ, "y")
    why = "Recollect suggests retiring this: you later said “We always keep checkout sessions for 20 minutes.”"
    assert why in approved
    assert "Retire “We always keep checkout sessions for 30 minutes.” (w_" in approved
    [back] = COMMAND.findall(approved)
    done = process(shlex.split(back), repository, environ)
    assert (done.code, "Restored (it was retired)" in done.err) == (0, True)


def test_a_worker_finds_nothing_that_up_did_not_count(cli: Run, sample: str) -> None:
    counted = len(cli("--home", sample, "pending", "--json").json)
    assert cli("--home", sample, "worker", "--once").code == 0
    assert cli("--home", sample, "status", "--json").json["pending"] == counted


def test_what_begins_to_wait_during_a_review_is_reviewed_too(
    sample: str, repository: Path, environ: dict[str, str]
) -> None:
    terminal = Terminal([RECOLLECT, "--home", sample, "review"], repository, environ)
    with Recollect.open(sample, folder=str(repository), environ=environ) as memory:
        waiting = len(memory.pending.everything())
        terminal.until("q quit")
        from recollect.flows.writes.actors import Agent

        memory.writes(Agent("A")).memory_write("add", "L0", "The user is called Ada.")
        terminal.press("l")
        for _ in range(waiting - 1):
            terminal.until("q quit")
            terminal.press("l")
        assert f"{waiting + 1} of {waiting + 1}" in terminal.until("q quit")
        terminal.press("q")
        terminal.end()
    assert f"{waiting + 1} items still waiting" in " ".join(terminal.shown.split())


# -- recall, why and preview


def test_why_names_a_command_for_what_it_did_not_bring_and_only_then(cli: Run, sample: str) -> None:
    home = ("--home", sample)
    cli(*home, "recall", QUESTION)
    told = cli(*home, "why").err
    assert f'recall --all "{QUESTION}"`' in told
    cli(*home, "recall", "--all", QUESTION)
    told = cli(*home, "why").err
    assert "another repository" not in told
    [command] = COMMAND.findall(told)
    words = shlex.split(command)
    assert words[3:] == ["recall", "--all", "--layer", "L1,L2", QUESTION]
    layers = {one["layer"] for one in cli(*words[1:], "--json").json["entries"]}
    assert layers == {"L1", "L2"}, "the answer stays"


def test_what_recall_shows_stands_in_the_order_of_its_scores(
    cli: Run, sample: str, repository: Path, environ: dict[str, str]
) -> None:
    words = ["--home", sample, "recall", "--all", "--layer", "L1,L2", QUESTION]
    turns = [one for one in cli(*words, "--json").json["entries"] if one["kind"] == "turn"]
    scores = [one["score"] for one in turns]
    assert len(scores) > 2
    assert scores == sorted(scores, reverse=True)
    page = at_terminal(words, repository, environ)
    assert page.index("Knowledge") < page.index("Archive of past sessions") < page.index("Turns of past sessions")
    assert "but its layer was asked for" in page, "weaker than what a prompt would get"


def test_a_turn_that_comes_first_because_it_is_later_says_so(
    cli: Run, sample: str, repository: Path, environ: dict[str, str]
) -> None:
    page = at_terminal(
        ["--home", sample, "recall", "--all", "--layer", "L2", "How long do we keep checkout sessions?"],
        repository,
        environ,
    )
    assert "so it comes first" in page


def test_what_was_left_out_is_counted_to_the_last_one(sample: str, repository: Path, environ: dict[str, str]) -> None:
    page = at_terminal(["--home", sample, "recall", "--all", QUESTION], repository, environ)
    [archived, below] = map(int, re.findall(r"(\d+) (?:archive|below)", page))
    [more] = re.findall(r"and (\d+) more: `recollect [^`]*why --receipt r_\w+`", page)
    assert "(add `--layer L1,L2` to see them)" in page
    assert archived + below == 5 + int(more)


def test_the_tokens_of_a_preview_add_up(cli: Run) -> None:
    cli("remember", "We use pnpm here, not npm.")
    told = cli("preview", "do we use pnpm or npm here?").err
    for block in re.split(r"(?m)^(?=Claude Code)", told)[1:]:
        total, *parts = (int(found.replace(",", "")) for found in re.findall(r"([\d,]+) tokens", block))
        assert total == sum(parts)
    assert "the frame around them" in told


# -- ids and printed commands


def test_an_id_of_another_kind_is_told_with_the_command_for_it(cli: Run, sample: str) -> None:
    home = ("--home", sample)
    waiting = cli(*home, "pending", "--json").json[-1]["id"]
    session = cli(*home, "session", "list", "--all", "--json").json[0]["id"]
    for verb in ("show", "forget", "history", "undo"):
        done = cli(*home, verb, session)
        assert (done.code, "is a session, not an entry; use" in done.err) == (1, True), verb
        [command] = COMMAND.findall(done.err)
        assert cli(*shlex.split(command)[1:]).code == 0
    assert waiting in cli(*home, "show", waiting).out
    for verb in ("history", "forget"):
        assert (
            f"is something that is waiting for your review, not an entry; use `recollect --home {sample} approve"
            in (cli(*home, verb, waiting).err)
        )
    assert "is an entry, not a session" in cli(*home, "session", "show", "e_abcd").err
    assert "Give the ID of an entry, task or project, the number of a change" in cli(*home, "undo", "abc").err


def test_a_command_that_names_what_to_do_next_works_as_it_is_printed(cli: Run, sample: str) -> None:
    home = ("--home", sample)
    name = cli(*home, "list", "--all", "--json").json[0]["id"]
    cli(*home, "forget", name)
    [erases] = COMMAND.findall(cli(*home, "forget", name).err)
    assert shlex.split(erases)[-3:] == ["forget", "--hard", name]
    session = cli(*home, "session", "list", "--all", "--json").json[0]["id"]
    for verb in ("replay", "compact", "rewind"):
        [shows] = COMMAND.findall(cli(*home, "session", verb, session).err)
        assert cli(*shlex.split(shows)[1:]).code == 0


def test_undo_goes_back_change_by_change_and_names_the_way_forward(cli: Run) -> None:
    assert "There is nothing to undo yet." in cli("undo").err
    for text in ("We use pnpm here.", "Deploys run on Friday."):
        cli("remember", text)
    for _ in range(2):
        assert cli("undo").code == 0
    done = cli("undo")
    assert (done.code, "There is nothing left to undo." in done.err) == (1, True)
    [forward] = COMMAND.findall(done.err)
    assert cli(*shlex.split(forward)[1:]).code == 0
    assert [one["content"] for one in cli("list", "--json").json] == ["We use pnpm here."]


def test_the_lists_that_messages_name_show_what_is_hidden_by_default(cli: Run) -> None:
    cli("task", "add", "Port the parser")
    cli("task", "archive", "Port the parser")
    [command] = COMMAND.findall(cli("task", "show", "Another").err)
    assert "Port the parser" in cli(*shlex.split(command)[1:]).out
    missing = cli("show", "e_nothing").err
    assert "`recollect list --all --status any --limit 0` lists all but the archive" in missing


def test_a_search_without_a_match_keeps_its_words_in_the_next_command(cli: Run, sample: str) -> None:
    told = cli("--home", sample, "list", "--all", "coupons").err
    assert "No entry contains “coupons”." in told
    [command] = COMMAND.findall(told)
    assert "coupons" in cli(*shlex.split(command)[1:]).out


# -- --home


@pytest.mark.parametrize(
    "words",
    [
        ["review"], ["pending"], ["approve"], ["reject"], ["undo"], ["forget", "e_abcd"], ["correct", "e_abcd", "x"],
        ["vote", "e_abcd", "up", "--reason", "x"], ["worker", "--once"], ["suggest", "reconcile"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_a_home_that_was_mistyped_is_refused_and_not_made(cli: Run, tmp_path: Path, words: list[str]) -> None:
    typo = tmp_path / "tpyo"
    done = cli("--home", str(typo), *words)
    assert (done.code, typo.exists()) == (1, False)
    assert f"There is no home at {typo}." in done.err


@pytest.mark.parametrize("words", [["remember", "x is y"], ["task", "add", "Port it"], ["import"]], ids=" ".join)
def test_what_adds_something_makes_the_home_it_is_told(cli: Run, tmp_path: Path, words: list[str]) -> None:
    fresh = tmp_path / "fresh"
    assert cli("--home", str(fresh), *words).code == 0
    assert fresh.is_dir()


# -- exit codes


@pytest.mark.parametrize(
    "words",
    [
        ["remember", ""], ["remember", " ", "--json"], ["correct", ""], ["task", "add", ""], ["project", "add", ""],
        ["recall", ""], ["import", "/nope"], ["blame", "nofile"], ["load", "nofile"],
        ["compact", "nofile", "--window", "99"], ["truncate", "nofile", "--window", "99"],
        ["remember", "x", "--cite", "nofile"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_an_empty_text_and_a_missing_file_are_wrong_usage(cli: Run, words: list[str]) -> None:
    cli("remember", "We use pnpm here.")
    done = cli(*words)
    assert (done.code, done.out) == (2, "")
    assert len(done.err.splitlines()) == 1


def test_what_failed_says_so_with_its_exit_code(cli: Run, repository: Path) -> None:
    (repository / "package.json").write_text('{"name": "x"}')
    done = cli("import", "package.json")
    assert (done.code, "not a log of any host" in done.err) == (1, True)
    messages = [{"role": "system", "content": "Be kind to all."}, {"role": "user", "content": "Fix the login now."}]
    (repository / "m.json").write_text(json.dumps(messages))
    done = cli("truncate", "m.json", "--window", "5")
    assert (done.code, "alone do not fit" in done.err) == (1, True)
    assert cli("truncate", "m.json", "--window", "5000").code == 0
