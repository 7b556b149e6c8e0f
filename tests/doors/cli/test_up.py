"""What `up` ends with: forty lines that a person is glad to read, on a terminal of 80 columns and in a pipe."""

from __future__ import annotations

import re
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.codex_logs import CodexLog
from tests.command_line import RECOLLECT, Run, clean_environment, process
from tests.terminals import Terminal

MOST_LINES = 40
SECTIONS = (
    "How the work is done",
    "What you told your agents",
    "Waiting for your review",
    "Contradictions",
    "Try asking",
    "Next",
)


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "user").mkdir()
    return clean_environment(tmp_path / "home", tmp_path / "user", TERM="xterm")


def test_at_a_terminal_of_eighty_columns_it_fits_on_forty_lines(environ: dict[str, str], tmp_path: Path) -> None:
    terminal = Terminal([RECOLLECT, "up", "--sample", "--no-serve"], tmp_path, environ, columns=80)
    assert terminal.end() == 0
    # The bar that shows how far it is takes its own lines back.
    lines = [line for line in terminal.shown.rstrip().split("\n") if "━" not in line]
    assert len(lines) <= MOST_LINES, terminal.shown
    assert not [line for line in lines if len(line.rstrip()) > 80]
    for section in SECTIONS:
        assert section in terminal.shown
    assert "`pnpm test` runs the tests (11 of 14 times, 8 sessions)" in terminal.shown


def test_what_was_told_is_shown_in_whole_sentences_the_rules_first(environ: dict[str, str], tmp_path: Path) -> None:
    done = process([RECOLLECT, "up", "--sample", "--no-serve"], tmp_path, environ)
    told = done.out.partition("What you told your agents\n")[2].partition("\n\n")[0].splitlines()
    assert all(line.endswith(".") for line in told)
    for kept in (
        "Never force-push to main.",
        "We release the shop on Tuesdays and Thursdays only.",
        "All database timestamps are UTC, only PDFs show local time.",
        "We always apply DNS changes to staging before production.",
    ):
        assert [line for line in told if line.endswith(kept)], kept


def test_an_order_of_the_day_is_never_shown_as_told(cli: Run, tmp_path: Path, repository: Path) -> None:
    log = CodexLog(tmp_path / "user", str(repository), 1)
    log.typed("alright, createa full plan in docs/plan.md, it has to cover everything we always want").answered("Done.")
    log.typed("We deploy from tags only, never from a branch.").answered("Understood.").write()
    shown = cli("up", "--no-serve").out
    assert "We deploy from tags only, never from a branch." in shown
    assert "full plan" not in shown.partition("What you told your agents")[2].partition("\n\n")[0]


def test_in_a_pipe_it_says_the_same_in_as_many_lines(environ: dict[str, str], tmp_path: Path) -> None:
    done = process([RECOLLECT, "up", "--sample", "--no-serve"], tmp_path, environ)
    assert done.code == 0
    assert len(done.out.rstrip().split("\n")) <= MOST_LINES, done.out
    assert "\x1b" not in done.out
    for section in SECTIONS:
        assert section in done.out


def test_at_a_terminal_it_ends_with_the_panel_open(environ: dict[str, str], tmp_path: Path) -> None:
    terminal = Terminal([RECOLLECT, "up", "--sample"], tmp_path, environ, columns=200)
    address = re.search(r"http://[\d.:]+(?=;)", terminal.until("press Ctrl-C to stop."))
    terminal.until("/open?token=")
    link = f"/open?token={terminal.until(chr(10)).strip()}"
    assert address
    panel = HTTPConnection(address[0].removeprefix("http://"), timeout=20)
    panel.request("GET", link)
    opened = panel.getresponse()
    opened.read()
    assert opened.status == 303
    panel.request("GET", "/", headers={"Cookie": (opened.getheader("set-cookie") or "").split(";")[0]})
    assert panel.getresponse().status == 200
    panel.close()
    terminal.press("\n")
    terminal.until("/open?token=")
    assert terminal.interrupt() == 0


def test_corrections_that_came_more_than_once_are_counted(cli: Run, tmp_path: Path, repository: Path) -> None:
    for number, day in ((1, "2026-10-01"), (2, "2026-10-02"), (3, "2026-10-03")):
        log = CodexLog(tmp_path / "user", str(repository), number, day=day).typed("add a route for coupons")
        log.answered("I ran npm install.").typed("no, we use pnpm here, not npm").answered(
            "The route is added."
        ).write()
    assert cli("up", "--no-serve", "--json").json["corrections"] == {"times": 3, "repeated": 1}
    told = cli("up")
    assert "You corrected your agents 3 times; one of those corrections came more than once." in told.out
    assert "Open the panel with `recollect serve`." in told.err, "without a terminal nothing is served"
    [entry] = cli("list", "--tag", "correction", "--json").json
    assert len(cli("show", entry["id"], "--json").json["history"]) == 1, "to say it again is no change of what is known"


def test_a_prompt_of_late_is_shown_with_what_memory_would_have_added(
    cli: Run, tmp_path: Path, repository: Path
) -> None:
    user = tmp_path / "user"
    said = CodexLog(user, str(repository), 1, day="2026-10-01").typed("We use pnpm here, not npm.")
    said.answered("pnpm is used from now on.").write()
    asked = CodexLog(user, str(repository), 2, day="2026-10-02").typed("install the dependencies with npm please")
    asked.answered("They are installed.").write()
    [example] = cli("up", "--no-serve", "--json").json["examples"]
    assert example["question"] == "install the dependencies with npm please"
    assert "pnpm" in example["answers"][0]


def test_the_commands_that_the_sample_prints_work_as_printed(environ: dict[str, str], tmp_path: Path) -> None:
    outside = {**environ, "PATH": "/usr/bin:/bin"}  # as after `make run`: nothing put the program on the PATH
    done = process([RECOLLECT, "up", "--sample", "--no-serve"], tmp_path, outside, afresh=True)
    lines = done.out.replace("\\\n", "").splitlines()
    [ask] = [line for line in lines if " recall " in line]
    assert '"Which package manager does saltmarsh-shop use?"' in ask
    found = process(ask, tmp_path, outside)
    assert (found.code, "pnpm" in found.out) == (0, True), found
    [listed] = [line for line in lines if " list " in line]
    assert len(process(listed, tmp_path, outside).out.splitlines()) > 10


def test_a_second_run_says_what_is_new(cli: Run, tmp_path: Path, repository: Path) -> None:
    user = tmp_path / "user"
    CodexLog(user, str(repository), 1, day="2026-10-01").typed("We use pnpm here, not npm.").answered("Yes.").write()
    first = cli("up", "--no-serve").out
    assert "Read 1 session" in first
    assert "New since" not in first
    assert "Nothing new since 20" in cli("up", "--no-serve").out
    CodexLog(user, str(repository), 2, day="2026-10-02").typed("We never deploy on Fridays.").answered("Yes.").write()
    third = cli("up", "--no-serve").out
    assert third.partition("New since")[2].splitlines()[1].startswith("  + We never deploy on Fridays")
    assert cli("up", "--no-serve", "--json").json["since"]


def test_up_status_and_the_list_count_sessions_alike_and_sub_agents_apart(cli: Run) -> None:
    done = cli("up", "--sample", "--no-serve").out
    [said] = re.findall(r"Read (\d+ sessions and \d+ sub-agents?) with", done)
    home = re.findall(r"--home (\S+)", done)[0]
    sessions, below = (int(number) for number in re.findall(r"\d+", said))
    assert (sessions, below) == (16, 4)
    state = cli("--home", home, "status", "--json").json
    assert (state["sessions"], state["subagents"]) == (sessions, below)
    assert sum(state["hosts"].values()) == sessions
    assert f" from {said}.\n" in cli("--home", home).out
    assert len(cli("--home", home, "session", "list", "--all", "--json").json) == sessions


def test_what_you_told_your_agents_is_shown_in_your_own_voice(cli: Run, tmp_path: Path, repository: Path) -> None:
    said = ("from now on explain things to me in simple words", "I prefer tabs over spaces in my code, always")
    for number, text in enumerate(said, 1):
        CodexLog(tmp_path / "user", str(repository), number).typed(text).answered("Yes.").write()
    told = cli("up", "--no-serve").out.partition("What you told your agents\n")[2].partition("\n\n")[0]
    assert "Explain things to me in simple words." in told
    assert "I prefer tabs over spaces in my code, always." in told
    assert "the user" not in told
