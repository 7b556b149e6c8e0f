"""The first hour, continued: two commands at once, narrow terminals, whole ids, limits, and calls that are wrong."""

from __future__ import annotations

import json
import subprocess
import tomllib
from pathlib import Path

import pytest

from recollect import Recollect
from recollect.errors import SettingsError, UsageError
from recollect.files import config
from recollect.locks import lock
from recollect.text.ids import short_id
from tests.command_line import RECOLLECT, Run, clean_environment, process
from tests.doors.cli.test_process import ESCAPES, cells, on_terminal

PNPM = "This repository uses pnpm."


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "user").mkdir(exist_ok=True)
    return clean_environment(tmp_path / "home", tmp_path / "user")


@pytest.fixture
def pnpm(cli: Run) -> str:
    """The id of a stored entry."""
    return str(cli("remember", PNPM, "--json").json["id"])


# -- settings


def test_settings_that_are_set_at_the_same_time_are_all_there(repository, environ, tmp_path) -> None:
    names = ("max_entries", "max_archive", "floor", "check_milliseconds", "max_tokens", "budget_postings")
    for number in range(100, 103):
        children = [
            subprocess.Popen(
                [RECOLLECT, "settings", "set", f"recall.{name}", str(number)],
                cwd=repository, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            )
            for name in names
            if number == 100 or name in ("max_tokens", "check_milliseconds", "budget_postings")
        ]  # fmt: skip
        for child in children:
            _, said = child.communicate(timeout=60)
            assert (child.returncode, said) == (0, "")
    written = tomllib.loads((tmp_path / "home" / "config.toml").read_text())["recall"]
    assert written == {
        "max_entries": 100, "max_archive": 100, "floor": 100.0,
        "check_milliseconds": 102, "max_tokens": 102, "budget_postings": 102,
    }  # fmt: skip


def test_whoever_waits_too_long_for_the_settings_is_told_and_writes_nothing(tmp_path, monkeypatch) -> None:
    path = str(tmp_path / "config.toml")
    monkeypatch.setattr(config, "WAIT_SECONDS", 0.01)
    with lock(path + config.LOCK_SUFFIX, wait_seconds=0), pytest.raises(SettingsError, match="another process"):
        config.set_value(path, "enabled", False)
    assert not Path(path).exists()


def test_where_a_setting_comes_from_is_readable_on_eighty_columns(cli, repository, environ) -> None:
    (repository / ".recollect.toml").write_text("[recall]\nmax_entries = 3\n")
    cli("settings", "set", "exclude", "/srv/clients/alpha/*, */a/long/name/of/a/folder/*")
    variable = "RECOLLECT_COMPACTION__BUFFER_EXHAUSTION_THRESHOLD"
    shown = ESCAPES.sub("", on_terminal(["settings", "list"], repository, {**environ, variable: "0.9"}).out)
    words = shown.split()
    assert "from config.toml line 1 " in shown
    assert "from .recollect.toml line 2 " in shown
    assert "from the environment " in shown
    assert variable in words
    assert max(map(cells, shown.splitlines())) <= 80
    assert f"{repository}/.recollect.toml line 2" in cli("settings", "list").out


# -- messages


def test_messages_end_between_words_on_a_terminal_and_are_whole_in_a_pipe(cli, repository, environ, pnpm) -> None:
    (repository / ".recollect.toml").write_text("exclude = ['x']\n")
    told = cli("list").err
    assert told.count("\n") == 1
    shown = ESCAPES.sub("", on_terminal(["show", "e_nobody"], repository, environ, columns=50).out)
    warning = shown.partition("recollect: No entry")[0]
    assert warning.split() == told.split()
    lines = shown.splitlines()
    assert len(lines) > 3
    assert all(cells(line) <= 50 or " " not in line for line in lines)


def test_wide_letters_count_twice_and_what_is_indented_stays_so() -> None:
    from recollect.doors.cli.printing.output import _wrapped

    assert _wrapped("日本語 日本語 ab", 10) == "日本語\n日本語 ab"
    assert _wrapped("  one two three", 9) == "  one two\n  three"
    assert _wrapped("a\n\n" + "x" * 30 + " b", 10) == "a\n\n" + "x" * 30 + "\nb"


# -- ids and words


def test_ids_are_whole_in_a_pipe(cli, pnpm) -> None:
    second = cli("correct", pnpm, "This repository uses bun.").out.split()[1]
    assert f"replaced by {second}" in cli("history", pnpm).out
    assert f"replaced by {second}" in cli("show", pnpm).out
    undone = cli("undo").err
    assert f"{pnpm} is active" in undone
    assert f"{second} is gone" in undone
    cli("forget", pnpm)
    cli("undo")
    cli("restore", second)
    refused = cli("undo", "3")
    assert refused.code == 1
    assert f"recollect history {second}" in refused.err or f"recollect history {pnpm}" in refused.err


def test_ids_are_short_on_a_terminal(cli, pnpm, repository, environ) -> None:
    second = cli("correct", pnpm, "This repository uses bun.").out.split()[1]
    shown = ESCAPES.sub("", on_terminal(["history", pnpm], repository, environ).out)
    assert short_id(second) in shown
    assert second not in shown


def test_a_correction_says_in_a_pipe_what_it_takes_the_place_of(cli, pnpm) -> None:
    done = cli("correct", pnpm, "This repository uses bun.")
    assert f"replacing:\n{pnpm}  “{PNPM}”\n" in done.err


def test_words_for_what_became_of_an_entry_are_words(cli, pnpm) -> None:
    cli("forget", pnpm)
    assert cli("restore", pnpm).err.startswith("Restored (it was retired): ")
    cli("forget", pnpm)
    cli("undo")
    assert f"{pnpm} is retired: " in cli("undo", pnpm).err


def test_an_entry_was_recalled_once_or_so_many_times(cli, pnpm) -> None:
    assert "recalled: never\n" in cli("show", pnpm).out
    cli("recall", "pnpm")
    assert "recalled: once, 20" in cli("show", pnpm).out
    cli("recall", "pnpm")
    assert "recalled: 2 times, last 20" in cli("show", pnpm).out


def test_how_often_an_entry_was_recalled_agrees_with_the_turns_below_it(cli, repository: Path, tmp_path: Path) -> None:
    name = cli("remember", "Always answer in short sentences.", "--scope", "everywhere", "--json").json["id"]

    def told(event: str, **more: str) -> None:
        call = {"hook_event_name": event, "session_id": "one", "cwd": str(repository), "transcript_path": "x", **more}
        environ = clean_environment(tmp_path / "home", tmp_path / "user")
        assert process([RECOLLECT, "hook", "--host", "claude-code"], repository, environ, json.dumps(call)).code == 0

    told("SessionStart", source="startup")
    shown = cli("show", name).out
    assert "recalled: never for a prompt; given at session starts\n" in shown
    assert [line.partition(", ")[2] for line in shown.splitlines() if line.startswith("receipt: ")] == [
        "at the start, as a standing preference"
    ]
    assert cli("worker", "--once").code == 0  # the one that the first hook started is done, and holds no lock
    told("UserPromptSubmit", prompt="may answers have long sentences, or short ones?")
    shown = cli("show", name).out
    assert "recalled: once, 20" in shown
    ways = [one["how"] for one in cli("show", name, "--json").json["receipts"]]
    assert ways == ["known", "preference"]


# -- recall


@pytest.mark.parametrize(
    ("limit", "why"), [("--k=0", "beyond the limit of 0"), ("--tokens=5", "over the ceiling of 5 tokens")]
)
def test_a_limit_that_leaves_nothing_is_named(cli, pnpm, limit, why) -> None:
    assert f"a limit kept it out: {why}." in cli("recall", "pnpm", limit).err
    assert "a limit" not in cli("recall", "the colour of the sky", limit).err


def test_of_several_tags_one_is_enough_and_the_help_says_so(cli) -> None:
    for tag in ("build", "deploy"):
        cli("remember", f"The {tag} runs on Fly.", "--tag", tag)
    assert len(cli("recall", "what runs on Fly?", "--tag", "build", "--tag", "deploy").out.splitlines()) == 2
    assert "one match is enough" in " ".join(cli("recall", "--help").out.split())


# -- from Python


def test_a_filter_that_there_is_not_is_refused(memory: Recollect) -> None:
    with pytest.raises(TypeError, match="foo"):
        memory.entries.list(foo=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        memory.entries.list(**{"1 = 1 OR layer": "x"})  # type: ignore[arg-type]
    assert memory.entries.list(layer="L1", status=None, tag="") == []


@pytest.mark.parametrize(
    ("query", "options", "message"),
    [
        (None, {}, "must be text, not None"),
        ("x", {"k": -1}, "`k` must be a whole number, 0 or more, not -1"),
        ("x", {"k": "3"}, "`k` must be a whole number, 0 or more, not '3'"),
        ("x", {"tokens": -1}, "`tokens` must be a whole number, 0 or more, not -1"),
        ("x", {"layers": ["L9"]}, "'L9' is not a layer; give a list of L0, L1, L2"),
        ("x", {"layers": "L9"}, "'L9' is not a layer"),
    ],
)
def test_a_question_that_cannot_be_asked_is_refused_in_one_sentence(memory: Recollect, query, options, message) -> None:
    with pytest.raises(UsageError, match=message):
        memory.recall(query, **options)
    assert memory.recall("x", k=0, tokens=0, layers=["L0", "L1", "L2"]).entries == ()


# -- what a stranger met


def test_a_correction_that_could_be_about_several_things_is_about_what_is_stored(cli: Run) -> None:
    cli("remember", "This repository uses pnpm, not npm.")
    corrected = cli("correct", "This repository uses bun.", "--json").json
    assert len(corrected["superseded"]) == 1
    assert [one["content"] for one in cli("list", "--json").json] == ["This repository uses bun, not npm."]


def test_where_two_things_are_stored_the_user_is_asked_which_one_it_is_about(cli: Run) -> None:
    cli("remember", "We use pnpm here.")
    cli("remember", "We use node here.")
    corrected = cli("correct", "We use bun here.", "--json").json
    assert not corrected["superseded"]
    assert "choose one" in corrected["why"]


def test_after_an_erasure_undo_takes_nothing_else_back(cli: Run, pnpm: str) -> None:
    wrong = cli("remember", "Bananas are blue.", "--json").json["id"]
    cli("forget", wrong, "--hard", "--yes")
    refused = cli("undo")
    assert refused.code == 1
    assert "cannot be undone" in refused.err
    assert [one["id"] for one in cli("list", "--json").json] == [pnpm]
    cli("remember", "The queue is called kiwi.")
    cli("undo")
    assert cli("undo").code == 1, "what came after the erasure is taken back, and nothing before it"
    number = refused.err.split("recollect undo ")[1].split("`")[0]
    assert pnpm in cli("undo", number).err
    assert cli("list", "--json").json == []


def test_nothing_of_an_erased_entry_stays_in_a_receipt(cli: Run) -> None:
    entry = cli("remember", "It is marmalade.", "--subject", "Zanzibar vault code word", "--json").json["id"]
    cli("recall", "zanzibar vault code words")
    assert cli("why", "--json").json["entries"][0]["because"]
    cli("forget", entry, "--hard", "--yes")
    assert cli("why", "--json").json["entries"][0]["because"] == ""


def test_whoever_erases_hears_of_a_damaged_copy_that_may_hold_it(cli: Run, pnpm: str, tmp_path: Path) -> None:
    kept = tmp_path / "home" / "backups" / "recollect-damaged-20260101-000000.db"
    kept.parent.mkdir(exist_ok=True)
    kept.write_bytes(PNPM.encode())
    said = cli("forget", pnpm, "--hard", "--yes").err
    assert "no trace" not in said
    assert kept.name in said.replace("\n", "")


def test_a_vote_that_was_taken_back_comes_back_with_its_reason(cli: Run, pnpm: str) -> None:
    cli("vote", pnpm, "up", "--reason", "it was right")
    cli("undo", pnpm)
    assert cli("show", pnpm, "--json").json["votes"] == {"up": 0, "down": 0, "given": []}
    cli("undo", pnpm)
    [given] = cli("show", pnpm, "--json").json["votes"]["given"]
    assert given["reason"] == "it was right"


def test_a_deleted_folder_and_a_full_disk_are_told_in_a_sentence(environ: dict[str, str], tmp_path: Path) -> None:
    command = f"mkdir gone && cd gone && rmdir ../gone && {RECOLLECT} list"
    done = subprocess.run(["sh", "-c", command], cwd=tmp_path, env=environ, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert "was deleted" in done.stderr
    full = subprocess.run(
        ["sh", "-c", f"{RECOLLECT} settings > /dev/full"], cwd=tmp_path, env=environ, capture_output=True, text=True
    )
    assert full.returncode == 1
    assert "no space left" in full.stderr


def test_what_cannot_fit_is_said(cli: Run, tmp_path: Path) -> None:
    messages = tmp_path / "messages.json"
    messages.write_text('[{"role": "user", "content": "hello there, my friend, how are you?"}]')
    assert "do not fit a window of 3 tokens" in cli("truncate", str(messages), "--window", "3").err
    messages.write_text(json.dumps([{"role": role, "content": "yes"} for role in ("user", "assistant") * 6]))
    failed = cli("compact", str(messages), "--window", "20")
    assert (failed.code, failed.err[:6]) == (1, "Failed")
    told = cli("compact", str(messages), "--window", "20", "--json")
    assert (told.code, told.json["status"]) == (1, "failed")


def test_colours_of_a_terminal_are_not_stored(cli: Run) -> None:
    cli("remember", "The build prints \x1b[1;31mred\x1b[0m lines.")
    assert cli("list", "--json").json[0]["content"] == "The build prints red lines."


def test_a_prompt_that_is_no_text_is_refused_in_a_sentence(tmp_path: Path) -> None:
    memory = Recollect.open(str(tmp_path / "home"), folder=str(tmp_path), environ={"HOME": str(tmp_path)})
    with memory, pytest.raises(UsageError, match="must be text"):
        memory.inject(None)  # type: ignore[arg-type]


def test_text_that_begins_with_a_dash_is_told_where_to_go(cli: Run) -> None:
    refused = cli("remember", "- one fact")
    assert refused.code == 2
    assert "Put `--` before text that starts with a dash" in refused.err
    assert cli("remember", "--", "- one fact about parsers").code == 0


@pytest.mark.parametrize(
    "text",
    ["The test uses ghp_1234567890abcdefghijklmnopqrstuvwxyz.", "The form has password = swordfish."],
)
def test_what_is_plainly_an_example_stays_as_the_manual_says(cli: Run, text: str) -> None:
    cli("remember", text)
    assert cli("list", "--json").json[0]["content"] == text
