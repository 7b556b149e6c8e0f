"""A process that asks again holds a small store in memory: what it answers is what a new process would answer."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from recollect import Recollect
from recollect.errors import RecollectError, Stopped
from recollect.flows.turns.recall import ANYTHING
from recollect.memory.rank import Weights
from recollect.model.recall import Places
from recollect.store import held
from recollect.store.database import ThreadConnection
from recollect.store.search import IndexSearch
from recollect.text.relevance import reaching
from recollect.text.terms import NAME_HEAD, analysed, name_token, names_in

WORDS = (
    "alpha",
    "beta",
    "gamma",
    "parser",
    "queue",
    "deploy",
    "retry",
    "user",
    "value",
    "http_client",
    "café",
    "支払い",
)
EVERYWHERE = Places(("L0", "L1", "L2"), ("",))
QUESTIONS = ("alpha parser retry?", "how does the queue deploy", "http client value", "支払い と café", "beta user")


def opened(home: Path) -> Recollect:
    return Recollect.open(
        str(home / "home"), folder=str(home), environ={"HOME": str(home)}, clock=lambda: 1_790_000_000.0
    )


def answer(memory: Recollect, question: str) -> list[tuple[str, str, float, str]]:
    found = memory.recall(question).found
    return [(one.entry.entry_id, one.entry.content, round(one.parts.text, 9), one.because) for one in found.entries]


def fresh_answer(home: Path, question: str) -> list[tuple[str, str, float, str]]:
    """What a process gives that asks for the first time."""
    with opened(home) as memory:
        return answer(memory, question)


def held_by(memory: Recollect) -> held.Held | None:
    """What the next question is answered from, if that is held in memory."""
    search = memory.opened.store.search_entries(EVERYWHERE)
    return search.held if isinstance(search, held.HeldSearch) else None


def warm(memory: Recollect) -> None:
    for _ in range(3):
        memory.recall("alpha")
    assert held_by(memory) is not None


sentences = st.lists(st.sampled_from(WORDS), min_size=1, max_size=7).map(" ".join)
steps = st.one_of(
    st.tuples(st.sampled_from(["remember", "correct"]), sentences, st.booleans()),
    st.tuples(st.sampled_from(["forget", "undo", "restore", "erase", "rebuild", "down"]), st.just(""), st.booleans()),
)


def change(memory: Recollect, kind: str, text: str) -> None:
    """One change by one process; what cannot be done is refused and changes nothing."""
    from recollect.store.upkeep import rebuild_index

    known = memory.entries.list(everywhere=True)
    try:
        if kind == "remember":
            memory.remember(text, scope="user")
        elif kind == "undo":
            memory.undo()
        elif kind == "rebuild":
            rebuild_index(memory.opened.store)
        elif known and kind == "correct":
            memory.correct(text, entry_id=known[0].entry_id)
        elif known and kind == "forget":
            memory.forget(known[-1].entry_id)
        elif known and kind == "restore":
            memory.restore(known[-1].entry_id)
        elif known and kind == "erase":
            memory.forget(known[len(known) // 2].entry_id, hard=True)
        elif known and kind == "down":
            memory.vote(known[0].entry_id, "down", "wrong")
    except RecollectError:
        pass


@settings(max_examples=12, deadline=None)
@given(first=st.lists(sentences, min_size=1, max_size=12), changes=st.lists(steps, max_size=8))
def test_it_answers_as_a_new_process_would_whoever_changed_what(tmp_path_factory, first, changes):
    home = tmp_path_factory.mktemp("held")
    with opened(home) as mine, opened(home) as other:
        mine.remember_many(first, scope="user")
        warm(mine)
        for kind, text, by_other in changes:
            change(other if by_other else mine, kind, text)
            # At once, when it may not be in step, and again when it was read anew.
            for question in (*QUESTIONS[:2], *QUESTIONS):
                assert answer(mine, question) == fresh_answer(home, question)


def test_what_another_process_adds_is_found_at_once_and_nothing_is_read_anew(tmp_path):
    with opened(tmp_path) as mine, opened(tmp_path) as other:
        mine.remember_many([f"Fact {number} is about parser {number}." for number in range(40)])
        warm(mine)
        before = held_by(mine)
        other.remember("The gamma service retries with a backoff.")
        [first, *_] = answer(mine, "does the gamma service retry?")
        assert "backoff" in first[1]
        assert held_by(mine) is before


def test_a_change_that_was_taken_back_is_not_remembered(tmp_path):
    with opened(tmp_path) as memory:
        memory.remember_many([f"Fact {number} is about parser {number}." for number in range(40)])
        warm(memory)
        question = "which zebra service retries?"
        try:
            with memory.opened.store.write():
                memory.remember("The zebra service retries.")
                assert answer(memory, question), "inside the change it is there"
                assert held_by(memory) is None
                raise Stopped
        except Stopped:
            pass
        memory.remember("The gamma service retries.")
        assert answer(memory, question) == fresh_answer(tmp_path, question)
        assert not any("zebra" in one[1] for one in answer(memory, question))


def test_a_large_store_is_not_held(tmp_path, monkeypatch):
    monkeypatch.setattr(held, "MOST_HELD", 30)
    with opened(tmp_path) as memory:
        memory.remember_many([f"Fact {number} is about parser {number}." for number in range(29)])
        warm(memory)
        memory.remember_many(["The gamma service retries.", "The beta service deploys."])
        assert held_by(memory) is None
        assert answer(memory, "which gamma service retries?")


def test_a_short_entry_that_is_said_whole_comes_at_the_first_question_and_at_every_other(tmp_path):
    rest = [f"kind{number}" for number in range(30)]
    with opened(tmp_path) as memory:
        texts = [f"alpha beta {' '.join(f'other{number}x{at}' for at in range(11))}" for number in range(30)]
        memory.remember_many([*texts, "Tundra."], scope="user")
        question = f"tundra alpha beta {' '.join(rest)}"
        answers = [answer(memory, question) for _ in range(4)]
        assert [[one[1] for one in each] for each in answers] == [["Tundra."]] * 4


def test_filters_hold_in_memory_too(tmp_path):
    with opened(tmp_path) as memory:
        memory.remember("The gamma service retries.", tags=["network"])
        memory.remember("The gamma service retries twice at night.", tags=["jobs"])
        warm(memory)
        found = memory.recall("which gamma service retries?", tags=["jobs"]).found
        assert [one.entry.tags for one in found.entries] == [("jobs",)]
        assert not memory.recall("which gamma service retries?", layers=["L2"]).entries
        assert not memory.recall("which gamma service retries?", repository="elsewhere/app", tags=["none"]).entries


def test_every_thread_has_its_own(tmp_path):
    with opened(tmp_path) as memory:
        memory.remember_many([f"Fact {number} is about parser {number}." for number in range(40)])
        warm(memory)
        expected = fresh_answer(tmp_path, "parser 7 fact")
        wrong: list[object] = []

        def ask(number: int) -> None:
            for turn in range(6):
                if turn % 3 == number % 3:
                    memory.remember(f"Thread {number} said {turn} about the zebra.")
                got = answer(memory, "parser 7 fact")
                if got != expected:
                    wrong.append(got)
            memory.close()

        threads = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not wrong


def test_one_question_does_not_load_it(tmp_path):
    with opened(tmp_path) as memory:
        memory.remember("The gamma service retries.")
    code = (
        "import sys; from recollect import Recollect; "
        f"memory = Recollect.open({str(tmp_path / 'home')!r}, folder={str(tmp_path)!r}, environ={{'HOME': {str(tmp_path)!r}}}); "
        "assert memory.recall('which gamma service retries?').entries; "
        "print('recollect.store.held' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=dict(os.environ)
    )
    assert done.stdout.strip() == "False"


terms = st.sampled_from([f"t{number}" for number in range(6)])
long_query = st.just({f"t{number}": 1.0 for number in range(24)})
others = st.sampled_from(["=a", "=b", "#a", "#b", "x", "y"])


@given(
    worth=st.one_of(st.dictionaries(terms, st.floats(0.01, 1.0), min_size=1), long_query),
    names=st.dictionaries(st.sampled_from(["=a", "=b"]), st.floats(0.1, 3.0), max_size=2),
    topics=st.dictionaries(st.sampled_from(["#a", "#b"]), st.floats(0.1, 2.0), max_size=2),
    compounds=st.dictionaries(terms, st.frozensets(terms, min_size=2, max_size=3), max_size=2),
    entries=st.lists(
        st.tuples(
            st.one_of(
                st.frozensets(terms), st.integers(7, 24).map(lambda size: frozenset(f"t{at}" for at in range(size)))
            ),
            st.frozensets(others, max_size=2),
        ),
        min_size=1,
        max_size=8,
    ),
    scale=st.floats(1.0, 1.6),
)
def test_nothing_that_shares_more_than_a_common_word_is_passed_over(worth, names, topics, compounds, entries, scale):
    known = {whole: parts for whole, parts in compounds.items() if whole in worth}
    grains = Weights(worth, names, topics, known, sum(worth.values()), scale).grains
    tokens = [words | marks for words, marks in entries]
    have = [
        (place, sum(grains.get(token, 0) for token in own), len(own & grains.keys()))
        for place, own in enumerate(tokens)
    ]
    words = [max(len(own), 1) for own in tokens]
    near = [one for one in have if one[1] >= ANYTHING.least]
    enough = {place for place, mass, _ in have if mass >= ANYTHING.enough}
    assert enough <= {place for place, _ in reaching(ANYTHING, near, words)}


@given(
    entries=st.lists(st.frozensets(terms), min_size=1, max_size=8),
    worth=st.dictionaries(terms, st.integers(1, 20), max_size=6),
    least=st.integers(1, 40),
)
def test_entries_that_have_enough_of_what_is_asked_are_all_found_and_no_others(entries, worth, least):
    kept = held.Held(ThreadConnection(sqlite3.connect(":memory:"), None))
    kept.add([(row, f"e_{row}", " ".join(["@1", *own])) for row, own in enumerate(entries)], {})
    expected = [
        (place, sum(worth[token] for token in own & worth.keys()), len(own & worth.keys()))
        for place, own in enumerate(entries)
    ]
    assert sorted(kept.having(worth, least)) == [one for one in expected if one[1] >= least]


name_words = st.lists(
    st.sampled_from(["c", "i", "db", "the", "api", "Keys", "queue", "dead", "letters", "deadletter"]), min_size=1
)


@given(said=name_words, names=st.lists(name_words.filter(lambda words: len(words) <= 5), max_size=4))
def test_a_name_that_an_entry_has_is_seen_by_how_it_begins(said, names):
    text, known = " ".join(said), {name_token(" ".join(name)) for name in names}
    every = names_in(text)
    some = names_in(text, {name[:NAME_HEAD] for name in known})
    assert [name for name in some if name in known] == [name for name in every if name in known]
    assert {name for name, terms in every.items() if len(terms) == 1} <= some.keys() <= every.keys()
    assert all(every[name] == terms for name, terms in some.items())


def test_it_counts_and_spells_as_the_index_does(tmp_path):
    with opened(tmp_path) as memory:
        memory.remember("The HTTPClient retries café orders in src/app/retry.py.", subject="HTTP client")
        memory.remember("Orders are stored in Postgres.", subject="Postgres", aliases=["http cache"])
        warm(memory)
        kept, index = memory.opened.store.search_entries(EVERYWHERE), IndexSearch(memory.opened.store.index, EVERYWHERE)
        assert isinstance(kept, held.HeldSearch)
        wanted = [
            *analysed("The HTTPClient retries café orders in src/app/retry.py.").split(),
            "=postgre",
            "=httpclient",
        ]
        assert kept.frequencies(wanted) == index.frequencies(wanted)
        assert kept.spelled_like("=ht", 1, 40) == index.spelled_like("=ht", 1, 40) != []
        assert answer(memory, "postgers orders") == fresh_answer(tmp_path, "postgers orders") != []
