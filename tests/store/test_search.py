"""Search is a port: whatever is searched gives the same entries, and nobody above the store can tell what it was."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.flows.turns.recall import candidates, places, weighed
from recollect.memory.queries import understand
from recollect.model.entries import LAYERS, STATUSES, Entry
from recollect.model.recall import Budget, Filters, Limits, Places
from recollect.store.held import Holding
from recollect.store.search import IndexSearch
from recollect.store.store import Store, open_store
from recollect.text.language.statements import statement_key
from tests.paths import SOURCE

HERE, THERE = "github.com/acme/app", "github.com/acme/web"
WORDS = (
    "alpha beta gamma parser queue deploy retry user test build http_client HTTPClient src/app/retry.py café 支払い "
    "postgres dead letter"
).split()
NAMES = ("", "", "dead letter queue", "Postgres", "user", "HTTP client", "test")

sentences = st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(" ".join)
stored = st.tuples(
    sentences,
    st.sampled_from(NAMES),
    st.sampled_from(NAMES),
    st.sampled_from(LAYERS),
    st.sampled_from(("", HERE, THERE)),
    st.sampled_from((*["active"] * 5, *STATUSES)),
)
questions = st.one_of(sentences, st.sampled_from(("postgers queue", "dead letter queues?", "test", "install the user")))
asked_for = st.builds(
    Filters,
    repository=st.sampled_from(("", HERE, THERE)),
    known_as=st.sampled_from(((), (THERE,))),
    layers=st.sampled_from(((), ("L1",), ("L0", "L2"))),
    tags=st.sampled_from(((), ("network",))),
)


def filled(folder: Path, entries: list[tuple[str, str, str, str, str, str]]) -> Store:
    store = open_store(str(folder / "recollect.db"), now=1.0)
    made = [
        Entry(
            f"e_{number:03}",
            layer,  # type: ignore[arg-type]
            "repository" if repository else "user",
            content,
            repository,
            subject=subject,
            aliases=(alias,) if alias else (),
            status=status,  # type: ignore[arg-type]
        )
        for number, (content, subject, alias, layer, repository, status) in enumerate(entries)
    ]
    with store.write():
        store.entries.add(made, [statement_key(one.content) for one in made])
    return store


@settings(max_examples=25, deadline=None)
@given(
    entries=st.lists(stored, min_size=1, max_size=40),
    asked=st.lists(st.tuples(questions, asked_for), min_size=1, max_size=6),
    floor=st.sampled_from((0.0, 0.3, 0.8, 2.0)),
    most=st.integers(1, 10),
)
def test_the_index_and_a_store_in_memory_give_the_same_entries_with_the_same_evidence(
    tmp_path_factory, entries, asked, floor, most
):
    store = filled(tmp_path_factory.mktemp("search"), entries)
    holding = Holding(store.database, store.index)
    limits = Limits(floor=floor, max_entries=most)
    with store.read():
        holding.held()  # what changed before the first question is read at the second
        for question, filters in asked:
            wanted = places(filters, store)
            in_memory, in_index = holding.search(wanted), IndexSearch(store.index, wanted)
            assert in_memory is not None
            sought = weighed(understand(question), in_index)
            found = candidates(sought, in_index, filters, limits)
            for query in (understand(question), understand(question, in_memory.name_heads)):
                again = weighed(query, in_memory)
                assert again._replace(query=sought.query) == sought
                assert candidates(again, in_memory, filters, limits) == found
    store.close()


def test_what_a_search_hands_out_says_nothing_of_where_it_stood(tmp_path):
    store = filled(tmp_path, [("The parser retries.", "parser", "", "L1", HERE, "active")])
    with store.read():
        [found] = store.similar_entries(["parser"], Places(("L1",), (HERE,)), Budget(100, 0, 10, 10))
    assert found.entry_id == "e_000"
    assert found.tokens == {"=parser", "parser", "retri"}
    store.close()


def test_similar_entries_come_from_their_places_alone_the_retired_too(tmp_path):
    store = filled(
        tmp_path,
        [
            ("The parser retries.", "", "", "L1", HERE, "active"),
            ("The parser retries.", "", "", "L1", THERE, "active"),
            ("The parser retries.", "", "", "L0", "", "tombstone"),
            ("The parser retries.", "", "", "L0", "", "active"),
        ],
    )
    with store.read():
        wanted = Places(("L1",), (HERE,), ("L0", "L1"), ("", HERE))
        found = store.similar_entries(["parser"], wanted, Budget(100, 0, 10, 10))
    assert {one.entry_id for one in found} == {"e_000", "e_002"}
    store.close()


ABOVE = (
    "flows/turns/recall.py",
    "flows/turns/recall_turns.py",
    "flows/shelves/shelf.py",
    "memory/neighbours.py",
    "memory/queries.py",
    "memory/rank.py",
    "sessions/ranking.py",
    "sessions/vectors.py",
)


@pytest.mark.parametrize("module", ABOVE)
def test_above_the_store_nobody_knows_rows_partitions_or_what_is_searched(module):
    text = (SOURCE / module).read_text()
    assert not re.search(r"_rows?\b|partition|\bheld\b|Held|FTS5|MATCH|store\.index|\.postings\b", text)


@pytest.mark.parametrize("module", ["held", "index", "search", "turn_index", "turn_search", "turn_vectors"])
def test_what_is_asked_of_the_indexes_stands_with_the_other_statements(module):
    text = (SOURCE / "store" / f"{module}.py").read_text()
    assert not re.search(r"\b(SELECT|INSERT INTO|UPDATE \w+ SET|DELETE FROM)\b", text)
