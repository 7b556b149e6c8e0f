"""Who has the extra `semantic`: a process that is there anyway tells hooks how near in meaning entries are."""

from __future__ import annotations

import json
import os
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from recollect import Recollect
from recollect.files.home import Home
from recollect.files.near_socket import ask_near
from recollect.flows.turns.near_entries import NearEntries, fill_entry_vectors
from recollect.memory.signs import SIGNS, likelihood, near_signs
from recollect.model.recall import Nearness
from recollect.providers.sentences import Sentences
from tests.command_line import clean_environment
from tests.conftest import contents
from tests.hook_calls import launched, prompt, taken

WAIT = 20.0
PATIENT_MILLISECONDS = "10000"  # on a busy machine
# A process that answers, with a model that counts letters: what is tested is who answers, not how well.
SERVER = """
import sys
from recollect.files.home import Home
from recollect.flows.turns import answer_near

class Letters:
    def embed(self, texts, *, limit_tokens=0):
        return [bytes(min(text.lower().count(chr(97 + at % 26)), 127) for at in range(384)) for text in texts]

answer_near.AGAIN_SECONDS = 0.1
answer_near.answer_near(Home(sys.argv[1]), load=Letters)
"""


@pytest.fixture
def facts(memory: Recollect) -> list[str]:
    """Some facts of a project, by their ids."""
    said = (
        "Deploys go out on Tuesdays from the release branch.",
        "The nightly export writes Parquet files to the archive bucket.",
        "Marta owns the billing service.",
        "Webhook handlers must be idempotent, because the provider sends events again.",
    )
    return [memory.remember(text).entry_id for text in said]


@pytest.fixture
def home(memory: Recollect) -> Home:
    return memory.home


@contextmanager
def server(home: Home) -> Iterator[subprocess.Popen[bytes]]:
    """A real process that answers."""
    environ = clean_environment(Path(home.root), Path(home.root).parent / "user")
    started = subprocess.Popen([sys.executable, "-c", SERVER, home.root], env=environ)
    try:
        yield started
    finally:
        started.kill()
        started.wait(WAIT)


def answers(home: Home, entry_ids: list[str]) -> set[str]:
    """Whose nearness is told, as soon as somebody tells it of all of them."""
    until = time.monotonic() + WAIT
    while time.monotonic() < until:
        found = ask_near(home.near_socket, "who owns billing", ["", REPOSITORY], entry_ids, wait_seconds=1.0)
        if found and len(found.cosines) == len(entry_ids):
            return set(found.cosines)
        time.sleep(0.02)
    raise AssertionError("nobody answered")


REPOSITORY = "github.com/owner/app"


def test_a_process_that_stays_answers_for_every_fact_and_its_socket_is_the_owners_alone(home, facts) -> None:
    with server(home):
        assert answers(home, facts) == set(facts)
        assert stat.S_IMODE(os.stat(home.near_socket).st_mode) == 0o600


def test_a_fact_that_was_changed_is_answered_for_by_what_it_says_now(memory, home, facts) -> None:
    with server(home):
        answers(home, facts)
        [changed] = memory.correct("Ingrid owns the billing service, not Marta.").superseded
        alive = [entry.entry_id for entry in memory.entries.list(status="active", limit=50)]
        assert changed not in answers(home, alive)
        found = ask_near(home.near_socket, "x", ["", REPOSITORY], [*alive, changed], wait_seconds=1.0)
        assert found is not None
        assert changed not in found.cosines


def test_the_first_process_answers_and_when_it_is_killed_the_second_takes_over(home, facts) -> None:
    with server(home) as first:
        answers(home, facts)
        owner = os.stat(home.near_socket).st_ino
        with server(home) as second:
            time.sleep(0.5)
            assert os.stat(home.near_socket).st_ino == owner, "one that is alive keeps it"
            first.send_signal(signal.SIGKILL)
            first.wait(WAIT)
            assert answers(home, facts) == set(facts)
            assert second.poll() is None


def test_a_hook_answers_as_ever_where_the_process_was_killed(memory, home, facts, repository, tmp_path) -> None:
    with server(home) as killed:
        answers(home, facts)
        killed.send_signal(signal.SIGKILL)
        killed.wait(WAIT)
    assert os.path.exists(home.near_socket), "what is dead tidies nothing up"
    said = launched(
        prompt("codex", repository, "who owns billing?"), tmp_path / "home", tmp_path / "user", host="codex",
        RECOLLECT_HOOK__LIMIT_MILLISECONDS=PATIENT_MILLISECONDS,
    )  # fmt: skip
    assert "Marta" in taken("codex", said.answer)


def listening(home: Home, behave: Callable[[socket.socket], None]) -> socket.socket:
    """Somebody who listens there and behaves so."""
    door = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    door.bind(home.near_socket)
    door.listen(8)

    def serve() -> None:
        kept = []
        while True:
            try:
                connection, _ = door.accept()
            except OSError:
                return
            kept.append(connection)
            behave(connection)

    threading.Thread(target=serve, daemon=True).start()
    return door


def test_a_hook_does_not_wait_for_one_that_hangs(memory, home, facts, repository, tmp_path) -> None:
    with listening(home, lambda connection: None):
        began = time.monotonic()
        assert ask_near(home.near_socket, "who owns billing", ["", REPOSITORY], facts, wait_seconds=0.03) is None
        assert time.monotonic() - began < 0.3
        asked = prompt("codex", repository, "who owns billing?")
        said = launched(
            asked,
            tmp_path / "home",
            tmp_path / "user",
            host="codex",
            RECOLLECT_HOOK__LIMIT_MILLISECONDS=PATIENT_MILLISECONDS,
        )
        assert "Marta" in taken("codex", said.answer)


NONSENSE = [
    b"", b"\n", b"null\n", b"[]\n", b"{}\n", b"7\n", b'"x"\n', b"\xff\xfe\n", b"{\n", b"[" * 100_000 + b"\n",
    b'{"cosines": [], "mean": 0, "spread": 0, "best": 0, "second": 0}\n',
    b'{"cosines": {}, "mean": 0, "spread": 0, "best": 0}\n',
    b'{"cosines": {}, "mean": "0", "spread": 0, "best": 0, "second": 0}\n',
    b'{"cosines": {}, "mean": NaN, "spread": 0, "best": 0, "second": 0}\n',
    b'{"cosines": {}, "mean": 1e300, "spread": 0, "best": 0, "second": 0}\n',
    b'{"cosines": {"x": true}, "mean": 0, "spread": 0, "best": 0, "second": 0}\n',
]  # fmt: skip


@pytest.mark.parametrize("nonsense", NONSENSE)
def test_nonsense_is_no_answer(nonsense: bytes, memory, home, facts) -> None:
    def behave(connection: socket.socket) -> None:
        connection.sendall(nonsense)
        connection.shutdown(socket.SHUT_WR)

    with listening(home, behave):
        assert ask_near(home.near_socket, "who owns billing", ["", REPOSITORY], facts, wait_seconds=1.0) is None
        assert contents(memory, "who owns billing?") == ["Marta owns the billing service."]


def test_who_asks_nonsense_is_not_answered_and_the_next_one_is(home, facts) -> None:
    with server(home):
        answers(home, facts)
        for said in (b"\n", b"{}\n", b"[]\n", b'{"text": 1, "repositories": [], "entries": []}\n', b"\xff\n", b""):
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as asking:
                asking.connect(home.near_socket)
                asking.sendall(said)
                asking.shutdown(socket.SHUT_WR)
                asking.settimeout(WAIT)
                assert asking.recv(100) == b""
        assert answers(home, facts) == set(facts)


def test_what_is_erased_leaves_no_vector_behind(memory, facts) -> None:
    store = memory.opened.store
    fill_entry_vectors(store, loaded())
    assert {entry_id for entry_id, _, _ in store.entry_vectors.all()} == set(facts)
    memory.forget(facts[0], hard=True)
    assert store.entry_vectors.state()[0] == len(facts) - 1


def test_the_nearest_in_meaning_is_the_one_that_is_meant(memory, facts) -> None:
    store = memory.opened.store
    assert fill_entry_vectors(store, loaded()) == len(facts)
    assert fill_entry_vectors(store, loaded()) == 0
    near = NearEntries(store, loaded())
    found = near.nearness(
        "a customer was charged twice when we got the same notification again", ["", REPOSITORY], facts
    )
    assert found is not None
    assert max(found.cosines, key=lambda name: found.cosines[name]) == facts[3]
    assert found.cosines[facts[3]] == pytest.approx(found.best)
    elsewhere = near.nearness("a customer was charged twice", [""], facts)
    assert elsewhere is None, "there is nothing in that repository"


def test_the_mcp_server_answers_hooks(memory, home, facts, repository, tmp_path) -> None:
    loaded()
    environ = clean_environment(tmp_path / "home", tmp_path / "user")
    started = subprocess.Popen(
        [sys.executable, "-m", "recollect", "mcp"], cwd=repository, env=environ, stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        assert answers(home, facts) == set(facts)
    finally:
        started.kill()
        started.wait(WAIT)


def test_an_answer_is_one_line_of_json(home, facts) -> None:
    with server(home):
        answers(home, facts)
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as asking:
            asking.connect(home.near_socket)
            asking.settimeout(WAIT)
            asking.sendall(json.dumps({"text": "x", "repositories": [REPOSITORY], "entries": facts}).encode() + b"\n")
            said = json.loads(asking.makefile("rb").readline())
        assert set(said) == {"cosines", "mean", "spread", "best", "second"}


def loaded() -> Sentences:
    found = Sentences.load()
    assert found is not None, "make test installs the extra: semantic"
    return found


def test_a_hook_gets_what_is_near_in_meaning_where_its_words_alone_are_too_few(
    memory, home, facts, repository, tmp_path
) -> None:
    asked = "the provider delivered the same event twice and we charged the card both times"
    places = (tmp_path / "home", tmp_path / "user")

    def told(cosine: float) -> set[str]:
        """What comes, of several tries: the machine may be too busy to answer in time."""

        def behave(connection: socket.socket) -> None:
            said = json.loads(connection.makefile("rb").readline())
            cosines = {name: cosine if name == facts[3] else 0.1 for name in said["entries"]}
            numbers = {"mean": 0.12, "spread": 0.1, "best": max(cosine, 0.1), "second": 0.1}
            connection.sendall(json.dumps({"cosines": cosines, **numbers}).encode() + b"\n")

        with listening(home, behave):
            tries = [prompt("codex", repository, asked, f"S{cosine}{number}") for number in range(5)]
            found = {taken("codex", launched(one, *places, host="codex").answer) for one in tries}
        os.unlink(home.near_socket)
        return found

    assert any("idempotent" in text for text in told(0.75))
    assert not any("idempotent" in text for text in told(0.0))
    assert "idempotent" not in taken(
        "codex", launched(prompt("codex", repository, asked), *places, host="codex").answer
    )


def test_the_same_words_say_more_of_an_entry_that_is_near_and_less_of_one_that_is_far() -> None:
    own = [0.0] * len(SIGNS)
    for name, value in (
        ("mass", 1.5),
        ("best", 1.0),
        ("rare", 1.0),
        ("of_entry", 0.3),
        ("of_prompt", 0.4),
        ("length", 2.0),
    ):
        own[SIGNS.index(name)] = value
    near = Nearness({}, 0.1, 0.1, 0.6, 0.2)
    likely = [likelihood(own, near_signs(own, cosine, near)) for cosine in (-0.05, 0.1, 0.3, 0.6)]
    assert likely == sorted(likely)
    assert likely[-1] > 4 * likely[0]
    assert near_signs(own, None, near) == [], "of a fact that has no vector yet its words decide"
