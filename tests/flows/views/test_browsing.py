"""Pages of entries, what is cited then and now, and how a session filled its window."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect import Recollect
from recollect.errors import NotFound
from recollect.flows.sessions.past_sessions import SessionShown
from recollect.model.browsing import EntryFilter
from recollect.model.sessions import Session, ToolUse, Turn
from tests.conftest import Clock, git


def contents(memory: Recollect, **chosen: object) -> list[str]:
    return [one.content for one in memory.browsing.page(EntryFilter(**chosen)).entries]  # type: ignore[arg-type]


def test_a_page_has_fifty_entries_and_says_whether_there_are_more(memory: Recollect) -> None:
    memory.remember_many([f"Service {number} listens on port {number}." for number in range(120)])
    first, last = memory.browsing.page(EntryFilter()), memory.browsing.page(EntryFilter(), 3)
    assert (len(first.entries), first.total, first.has_more) == (50, 120, True)
    assert first.entries[0].content == "Service 119 listens on port 119."
    assert (len(last.entries), last.has_more) == (20, False)


@pytest.mark.parametrize("typed", ["pnpm", "pnp", "uses pnpm", "npm lock", "This reposit", 'pnpm" OR *'])
def test_words_are_found_while_they_are_typed(memory: Recollect, typed: str) -> None:
    memory.remember("This repository uses pnpm; npm breaks the lockfile.")
    memory.remember("Deploys go out on Tuesdays.")
    assert contents(memory, text=typed) == ["This repository uses pnpm; npm breaks the lockfile."]


def test_a_half_typed_word_that_no_stem_begins_with_is_found_by_its_letters(memory: Recollect) -> None:
    memory.remember("Indentation is four spaces.")
    assert contents(memory, text="indentati") == ["Indentation is four spaces."]
    assert contents(memory, text="100%") == []


def test_filters_narrow_a_page(memory: Recollect) -> None:
    memory.remember("Use tabs.", tags=["style"], scope="user")
    memory.remember("The port is 8080.", scope="repository")
    here = memory.repository.repository
    assert contents(memory, tag="style") == ["Use tabs."]
    assert contents(memory, tag="sty") == []
    assert contents(memory, repository=here) == ["The port is 8080."]
    assert contents(memory, repository="") == ["Use tabs."]
    assert contents(memory, layer="L0") == []
    memory.inject("which port is it?", session="s_1")
    assert contents(memory, never_used=True) == ["Use tabs."]


def test_stale_entries_cite_what_changed(memory: Recollect, repository: Path) -> None:
    (repository / "package.json").write_text('"pnpm@9"\n')
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "second")
    memory.remember("This repository uses pnpm 9.", cite=["package.json:1"])
    memory.remember("The readme begins with app.", cite=["README.md:1"])
    assert contents(memory, check="stale") == []
    (repository / "package.json").write_text('"pnpm@10"\n')
    [entry] = memory.browsing.page(EntryFilter(check="stale")).entries
    [cited] = memory.browsing.cited(entry)
    assert (cited.check, cited.now, cited.then) == ("changed", ('"pnpm@10"',), ('"pnpm@9"',))


def test_what_says_the_same_twice_is_shown_as_a_pair(memory: Recollect) -> None:
    memory.remember_many(["The deploy target is Render.", "Render is the deploy target."], scope="user")
    pairs = memory.browsing.duplicates()
    assert [len({pair.one.content, pair.other.content}) for pair in pairs] in ([], [2])


def test_insights_count_by_day_and_by_host(memory: Recollect, clock: Clock) -> None:
    memory.remember("The deploy target is Render.")
    memory.inject("what is the deploy target?", session="s_1", host="codex")
    clock.pass_days(1)
    memory.remember("The cache lives in Redis.")
    found = memory.browsing.insights(days=7)
    assert [one.stored for one in found.days][-2:] == [1, 1]
    assert [one.recalls for one in found.days][-2:] == [1, 0]
    assert [(one.host, one.asked, one.given) for one in found.hosts] == [("codex", 1, 1)]
    assert [entry.content for entry in found.most_used] == ["The deploy target is Render."]
    assert found.never_used == 1


def test_a_compaction_empties_the_window_and_commits_are_read_from_what_git_said(memory: Recollect) -> None:
    commit = ToolUse("Bash", "command", "git commit -m x", "[main 1a2b3c4] Fix the login\n 1 file changed")
    turns = [
        Turn(1, "word " * 400, "answer " * 400),
        Turn(2, "go on", tools=(commit,)),
        Turn(3, "and now", compactions=("They fixed the login.",)),
    ]
    window = memory.browsing.window(SessionShown(Session("s_1", "codex", "n"), turns, []))
    assert window.turns[1].tokens > window.turns[0].tokens > window.turns[2].tokens
    assert [(one.turn, one.name, one.subject) for one in window.commits] == [(2, "1a2b3c4", "Fix the login")]


def test_a_safety_copy_put_back_brings_back_what_was(memory: Recollect) -> None:
    memory.remember("The deploy target is Render.")
    memory.copies.make()
    [copy] = memory.copies.listed()
    memory.remember("The cache lives in Redis.")
    memory.copies.restore(copy.name)
    assert contents(memory) == ["The deploy target is Render."]
    memory.remember("The cache lives in Redis.")
    assert len(contents(memory)) == 2
    with pytest.raises(NotFound, match="no safety copy"):
        memory.copies.restore("../recollect.db")
