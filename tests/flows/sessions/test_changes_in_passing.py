"""A change that somebody tells a host in passing takes the place of what is stored, and nothing else does."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect import Recollect
from tests.conftest import OpenMemory
from tests.flows.sessions.test_waiting import told

STORED = {
    "legacy": "Never edit anything under packages/legacy, it is frozen for the audit.",
    "owner": "Ingrid owns checkout and payments.",
    "rack": "Matteo looks after the cluster and its scheduler.",
    "budget": "The monthly budget of the data platform is 31k.",
    "quota": "The query quota of the warehouse is 2 TB.",
    "music": "Kofi does music and sound; FMOD banks come from him.",
    "tax": "Für die Lohnsteuer-Schnittstelle ist Emre zuständig.",
}


@pytest.fixture
def stored(open_memory: OpenMemory, tmp_path: Path) -> Recollect:
    memory = open_memory()
    for text in STORED.values():
        memory.remember(text, scope="user")
    return memory


def known(memory: Recollect) -> set[str]:
    return {one.content for one in memory.entries.list(everywhere=True, layer="L1", status="active", limit=50)}


@pytest.mark.parametrize(
    ("said", "which", "becomes"),
    [
        ("the audit is done, packages/legacy may be edited again", "legacy",
         "The audit is done, packages/legacy may be edited again."),
        ("Ingrid has retired, Marta owns checkout and payments", "owner", "Marta owns checkout and payments."),
        ("Matteo has gone to the lab, Jorunn runs the cluster", "rack",
         "Jorunn looks after the cluster and its scheduler."),
        ("we got rid of FMOD, it's all Wwise", "music", "Kofi does music and sound; Wwise banks come from him."),
        ("from April the monthly budget of the data platform is 28k", "budget",
         "From April, the monthly budget of the data platform is 28k (before: 31k)."),
        ("Emre hat die Lohnsteuer-Schnittstelle an Swantje abgegeben", "tax",
         "Für die Lohnsteuer-Schnittstelle ist Swantje zuständig."),
    ],
)  # fmt: skip
def test_a_change_told_in_passing_is_kept(
    stored: Recollect, tmp_path: Path, said: str, which: str, becomes: str
) -> None:
    told(stored, tmp_path, 30, said)
    assert STORED[which] not in known(stored)
    assert becomes in known(stored)
    assert {text for key, text in STORED.items() if key != which} <= known(stored)


@pytest.mark.parametrize(
    "said",
    [
        "may packages/legacy be edited again?",
        "once the audit is done packages/legacy may be edited again",
        "please edit packages/legacy again for this fix",
        "the cluster is out of disk again",
        "Matteo is out today, so run the cluster job yourself",
        "frag jetzt bitte Swantje nach der Lohnsteuer-Schnittstelle",
        "wenn Emre die Lohnsteuer-Schnittstelle an Swantje abgegeben hat, ist das falsch",
        "cierra el PR 212 que ya no hace falta, Kofi lo ha rehecho en su rama",
        "from April the invoices are in another folder",
        "somebody said that Ingrid has retired",
    ],
)
def test_other_words_about_the_same_things_replace_nothing(stored: Recollect, tmp_path: Path, said: str) -> None:
    told(stored, tmp_path, 30, said)
    assert set(STORED.values()) <= known(stored)
