"""Deciding together: `recollect review` at a real terminal, key by key, and what approve, reject and undo say."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect import Recollect
from recollect.flows.writes.actors import Agent
from recollect.model.candidates import Candidate
from recollect.model.drafts import Draft
from recollect.model.entries import Citation
from tests.codex_logs import CodexLog
from tests.command_line import RECOLLECT, Run, clean_environment, process
from tests.terminals import Terminal

KEYS = "q quit"


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "user").mkdir(exist_ok=True)
    return clean_environment(tmp_path / "home", tmp_path / "user", TERM="xterm")


@pytest.fixture
def memory(environ: dict[str, str], tmp_path: Path, repository: Path) -> Iterator[Recollect]:
    with Recollect.open(str(tmp_path / "home"), folder=str(repository), environ=environ) as opened:
        yield opened


def offer(memory: Recollect, *texts: str, kind: str = "fact") -> None:
    """Let these wait, the first one first."""
    repository = memory.repository.repository
    with memory.opened.store.write():
        for number, text in enumerate(texts):
            cited = (Citation("turn", session="s_1", turn=3, quote=f"hey, {text.lower()}"),)
            candidate = Candidate(
                f"c_{kind}{number}", kind, Draft(text, repository=repository, citations=cited, source="system"), text,
                why="typed in codex, turn 3", confidence=0.7 - number / 100, expires=9e9,
            )  # fmt: skip
            memory.opened.store.candidates.offer(candidate, text, most_waiting=20)


def contents(memory: Recollect) -> list[str]:
    return sorted(entry.content for entry in memory.entries.list(everywhere=True, layer=["L0", "L1"], status="active"))


def waiting(memory: Recollect) -> list[str]:
    return sorted(one.what for one in memory.pending.everything())


def reviewing(environ: dict[str, str], repository: Path) -> Terminal:
    return Terminal([RECOLLECT, "review"], repository, environ)


def press(terminal: Terminal, keys: str) -> None:
    """Each key once its card is there."""
    for key in keys:
        terminal.until(KEYS)
        terminal.press(key)


def test_each_thing_is_shown_with_its_quote_and_decided_with_one_key(memory, environ, repository) -> None:
    offer(memory, "The zone is in dns.tf.", "Tests need the stub.", "Releases go out on Tuesdays.")
    terminal = reviewing(environ, repository)
    card = terminal.until(KEYS)
    assert "1 of 3" in card
    assert "The zone is in dns.tf." in card
    assert "“hey, the zone is in dns.tf.”" in card
    assert "why        Typed in codex, turn 3" in card
    terminal.press("y")
    press(terminal, "nl")
    assert terminal.end() == 0
    assert "Kept 1, dropped 1; 1 item still waiting" in terminal.shown
    assert contents(memory) == ["The zone is in dns.tf."]
    assert waiting(memory) == ["Releases go out on Tuesdays."]


def test_a_text_is_edited_and_its_scope_changed_before_it_is_kept(memory, environ, repository) -> None:
    offer(memory, "The zone is in dns.tf.")
    terminal = reviewing(environ, repository)
    press(terminal, "e")
    terminal.until("> The zone is in dns.tf.")
    terminal.press("\x15The zone is in zone.tf.\r")
    assert "The zone is in zone.tf." in terminal.until(KEYS)
    terminal.press("s")
    assert "everywhere" in terminal.until(KEYS)
    terminal.press("y")
    assert terminal.end() == 0
    [entry] = memory.entries.list(everywhere=True, status="active")
    assert (entry.content, entry.scope, entry.repository) == ("The zone is in zone.tf.", "user", "")
    assert not waiting(memory)


def test_back_takes_the_last_decision_back(memory, environ, repository) -> None:
    offer(memory, "The zone is in dns.tf.", "Tests need the stub.")
    terminal = reviewing(environ, repository)
    press(terminal, "ybnbq")
    assert terminal.end() == 0
    assert contents(memory) == []
    assert waiting(memory) == ["Tests need the stub.", "The zone is in dns.tf."]


def test_what_was_moved_before_it_was_taken_back_does_not_come_back(memory, environ, repository) -> None:
    offer(memory, "Drop support for the MSI Windows package.", "Tests need the stub.")
    terminal = reviewing(environ, repository)
    press(terminal, "sybyq")
    terminal.end()
    [entry] = memory.entries.list(everywhere=True, status="active")
    assert (entry.scope, entry.repository) == ("repository", memory.repository.repository)


def test_all_of_a_kind_are_kept_when_the_person_says_so_twice(memory, environ, repository) -> None:
    offer(memory, "The zone is in dns.tf.", "Tests need the stub.")
    offer(memory, "Prefers short answers.", kind="preference")
    terminal = reviewing(environ, repository)
    press(terminal, "a")
    terminal.until("y for yes")
    terminal.press("n")
    terminal.until(KEYS)
    terminal.press("a")
    terminal.until("Keep all 2 of this kind (fact)? y for yes")
    terminal.press("y")
    press(terminal, "q")
    assert terminal.end() == 0
    assert contents(memory) == ["Tests need the stub.", "The zone is in dns.tf."]
    assert waiting(memory) == ["Prefers short answers."]


def test_back_takes_all_of_a_kind_back_together(memory, environ, repository) -> None:
    offer(memory, "The zone is in dns.tf.", "Tests need the stub.", "The log is in var/log.")
    offer(memory, "Prefers short answers.", kind="preference")
    terminal = reviewing(environ, repository)
    press(terminal, "a")
    terminal.until("y for yes")
    terminal.press("y")
    press(terminal, "b")
    terminal.until("Undone: 3 are waiting again.")
    press(terminal, "q")
    assert terminal.end() == 0
    assert contents(memory) == []
    assert len(waiting(memory)) == 4


def test_a_question_is_not_kept_and_many_findings_come_with_a_word_about_their_order(
    memory, environ, repository
) -> None:
    offer(memory, *[f"The port of service {number} is {8000 + number}." for number in range(15)])
    terminal = reviewing(environ, repository)
    assert "15 items, the surest first: press q once they are no longer worth it." in terminal.until(KEYS)
    terminal.press("e")
    terminal.until("> The port of service 0 is 8000.")
    terminal.press("\x15Should we delete it?\r")
    terminal.until(KEYS)
    terminal.press("y")
    assert "That is a question, so nothing was stored." in " ".join(terminal.until(KEYS).split())
    terminal.press("q")
    assert terminal.end() == 0
    assert contents(memory) == []


def test_what_an_agent_wants_to_change_is_decided_here_too_and_not_edited(memory, environ, repository) -> None:
    memory.remember("The zone is in dns.tf.", scope="repository")
    [entry] = memory.entries.list()
    memory.writes(Agent("A")).memory_write("remove", "L1", target_id=entry.entry_id)
    terminal = reviewing(environ, repository)
    card = terminal.until(KEYS)
    assert "A wants to forget this" in card
    assert "e edit" not in card
    terminal.press("e")
    press(terminal, "y")
    assert terminal.end() == 0
    assert contents(memory) == []


def test_a_client_is_called_by_its_own_name(memory, environ, repository) -> None:
    memory.writes(Agent("mcp")).memory_write("add", "L0", "The user is called Ada.")
    terminal = reviewing(environ, repository)
    assert "mcp wants to remember this" in terminal.until(KEYS)
    terminal.press("q")
    assert terminal.end() == 0


def test_an_imported_statement_is_reworded_and_moved_before_it_is_kept(
    memory, environ, repository, tmp_path: Path
) -> None:
    notes = tmp_path / "notes.md"
    notes.write_text("- Deploys go out from main.\n  Why: the tag is cut there.\n")
    imported = Terminal([RECOLLECT, "import", "--from", "claude-memory", str(notes)], repository, environ)
    assert imported.end() == 0
    listed = Terminal([RECOLLECT, "pending"], repository, environ)
    assert listed.end() == 0
    shown = " ".join(listed.shown.split())
    assert "from Claude Code's memory (notes.md), " in shown
    assert "the tag is cut there.”; it is waiting because nobody can tell who wrote it" in shown
    assert "Holds in " in shown
    terminal = reviewing(environ, repository)
    card = " ".join(terminal.until(KEYS).split())
    assert "the tag is cut there.”" in card
    assert "holds in " in card
    terminal.press("e")
    terminal.until("> Deploys go out from main.")
    terminal.press("\x15Deploys go out from release.\r")
    assert "Deploys go out from release." in terminal.until(KEYS)
    terminal.press("s")
    assert "everywhere" in terminal.until(KEYS)
    terminal.press("y")
    assert terminal.end() == 0
    assert "Kept 1, dropped 0" in terminal.shown
    [entry] = memory.entries.list(everywhere=True, status="active")
    assert (entry.content, entry.scope, entry.repository) == ("Deploys go out from release.", "user", "")
    assert entry.source == "user"
    assert not waiting(memory)


def test_what_an_agent_wants_to_remember_is_reworded_and_one_undo_lets_it_wait_again(
    memory, environ, repository
) -> None:
    memory.writes(Agent("A")).memory_write("add", "L0", "The user is called Ada.")
    terminal = reviewing(environ, repository)
    press(terminal, "e")
    terminal.until("> The user is called Ada.")
    terminal.press("\x15The user is called Ada Byron.\r")
    press(terminal, "y")
    assert terminal.end() == 0
    assert contents(memory) == ["The user is called Ada Byron."]
    memory.undo()
    assert contents(memory) == []
    assert waiting(memory) == ["The user is called Ada."]


def test_keys_typed_ahead_are_not_lost(memory, environ, repository) -> None:
    offer(memory, "The zone is in dns.tf.", "Tests need the stub.", "Releases go out on Tuesdays.")
    terminal = reviewing(environ, repository)
    terminal.until(KEYS)
    terminal.press("yny")
    assert terminal.end() == 0
    assert contents(memory) == ["Releases go out on Tuesdays.", "The zone is in dns.tf."]


@pytest.mark.parametrize("key", ["\x03", "\x04", "q"])
def test_whoever_has_had_enough_leaves_with_one_key(key: str, memory, environ, repository) -> None:
    offer(memory, "The zone is in dns.tf.")
    terminal = reviewing(environ, repository)
    press(terminal, key)
    assert terminal.end() == 0
    assert waiting(memory) == ["The zone is in dns.tf."]


def test_without_a_terminal_what_waits_is_listed_and_nothing_decided(memory, environ, repository) -> None:
    offer(memory, "The zone is in dns.tf.")
    done = process([RECOLLECT, "review"], repository, environ, stdin="y")
    assert done.code == 0
    assert "The zone is in dns.tf." in done.out
    assert "at a terminal" in done.err
    assert waiting(memory) == ["The zone is in dns.tf."]


def test_up_offers_the_review_at_its_end(environ, repository, tmp_path, memory) -> None:
    CodexLog(tmp_path / "user", str(repository), 1).typed("mend the parser").answered("The parser is mended.").write()
    offer(memory, "The zone is in dns.tf.")
    terminal = Terminal([RECOLLECT, "up"], repository, environ)
    terminal.until("now? [y/n]")
    terminal.press("y")
    press(terminal, "y")
    terminal.until("/open?token=")
    assert terminal.interrupt() == 0
    assert contents(memory) == ["The zone is in dns.tf."]


def test_ctrl_c_at_that_offer_ends_the_program(environ, repository, tmp_path, memory) -> None:
    CodexLog(tmp_path / "user", str(repository), 1).typed("mend the parser").answered("The parser is mended.").write()
    offer(memory, "The zone is in dns.tf.")
    terminal = Terminal([RECOLLECT, "up"], repository, environ)
    terminal.until("now? [y/n]")
    assert terminal.interrupt() == 130
    assert "/open?token=" not in terminal.shown
    assert waiting(memory) == ["The zone is in dns.tf."]


# -- approve, reject, undo


def test_approve_and_reject_show_the_text(memory, cli: Run) -> None:
    offer(memory, "The zone is in dns.tf.", "Tests need the stub.")
    done = cli("approve", "c_fact0")
    assert done.out.startswith("stored e_")
    assert "The zone is in dns.tf." in done.err
    assert "Tests need the stub." in cli("reject", "c_fact1").err


def test_undo_of_an_approval_makes_it_wait_again(memory, cli: Run) -> None:
    offer(memory, "The zone is in dns.tf.")
    cli("approve", "c_fact0")
    assert not cli("pending", "--json").json
    undone = cli("undo")
    assert (undone.code, "Waiting for your review again: c_fact0.\n" in undone.err) == (0, True)
    assert [one["what"] for one in cli("pending", "--json").json] == ["The zone is in dns.tf."]
    assert not cli("list", "--json").json
    assert cli("approve", "c_fact0").code == 0
    assert [one["content"] for one in cli("list", "--json").json] == ["The zone is in dns.tf."]


def test_undo_of_a_rejection_makes_it_wait_again(memory, cli: Run) -> None:
    offer(memory, "The zone is in dns.tf.")
    assert "`recollect undo c_fact0`" in cli("reject", "c_fact0").err
    assert not cli("pending", "--json").json
    assert "The zone is in dns.tf." in cli("undo", "c_fact0").err
    assert [one["what"] for one in cli("pending", "--json").json] == ["The zone is in dns.tf."]
    again = cli("undo", "c_fact0")
    assert (again.code, "c_fact0 was not rejected." in again.err) == (1, True)


@pytest.mark.parametrize(("keys", "hint"), [("yn", "undo c_fact1`"), ("nyl", "undo`"), ("nll", "undo c_fact0`")])
def test_the_end_names_the_command_that_undoes_the_last_decision(
    keys: str, hint: str, memory, environ, repository
) -> None:
    offer(memory, *["The zone is in dns.tf.", "Tests need the stub.", "Releases go out on Tuesdays."][: len(keys)])
    terminal = reviewing(environ, repository)
    press(terminal, keys)
    assert terminal.end() == 0
    assert f"Undo the last one with `recollect {hint}." in " ".join(terminal.shown.split())


def test_an_approval_that_is_undone_and_brought_again_is_settled(memory, cli: Run) -> None:
    offer(memory, "The zone is in dns.tf.")
    cli("approve", "c_fact0")
    undone = cli("undo", "--json").json
    assert undone["waiting"] == ["c_fact0"]
    assert "Waiting" not in cli("undo", str(undone["undone_by"])).err
    assert not cli("pending", "--json").json
    assert [one["content"] for one in cli("list", "--json").json] == ["The zone is in dns.tf."]


def test_undo_of_what_an_agent_wanted_makes_it_wait_again(memory, cli: Run) -> None:
    staged = memory.writes(Agent("A")).memory_write("add", "L0", "The user is called Ada.").entry_id
    cli("approve", staged)
    assert f"Waiting for your review again: {staged}.\n" in cli("undo").err
    assert [one["id"] for one in cli("pending", "--json").json] == [staged]


def test_each_key_says_what_it_did_and_enter_decides_nothing(memory, environ, repository) -> None:
    memory.remember("The zone is in dns.tf.", scope="repository")
    [entry] = memory.entries.list()
    agent = memory.writes(Agent("A"))
    agent.memory_write("remove", "L1", target_id=entry.entry_id)
    agent.memory_write("add", "L0", "The user is called Ada.")
    terminal = reviewing(environ, repository)
    press(terminal, "\r")
    assert "drop it; it is not proposed again" in terminal.until(KEYS), "Enter explains the keys"
    assert contents(memory) == ["The zone is in dns.tf."]
    terminal.press("a")
    terminal.until("the only one of this kind")
    terminal.until(KEYS)
    terminal.press("n")
    shown = terminal.until(KEYS)
    assert "Dropped." in shown
    assert "Retire this?" in shown, "what would be retired comes last"
    terminal.press("y")
    assert terminal.end() == 0
    assert "Retired." in terminal.shown
    assert "Kept 0, dropped 1, approved 1, rejected 0; nothing else is waiting." in terminal.shown
    assert contents(memory) == []


def test_a_printed_command_names_the_home_that_the_command_line_named(memory, environ, repository, tmp_path) -> None:
    offer(memory, f"The zone {'is in a file that has a long name ' * 4}dns.tf.")
    home = str(tmp_path / "home")
    terminal = Terminal([RECOLLECT, "review", "--home", home], repository, {**environ, "RECOLLECT_HOME": "elsewhere"})
    card = terminal.until(KEYS)
    assert all(line.startswith("  ") for line in card.splitlines()[2:]), "every line of the text stands two columns in"
    terminal.press("y")
    assert terminal.end() == 0
    assert f"`recollect --home {home} undo`" in " ".join(terminal.shown.split())
