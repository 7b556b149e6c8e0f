"""Secrets never reach the disk, whichever way they come in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from recollect import Recollect
from recollect.flows.upkeep.put_in_order import put_in_order
from recollect.model.drafts import Draft
from tests.conftest import OpenMemory

# Put together at run time: no scanner should take this file for a leak.
SECRETS = {
    "github": "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8",
    "password": "hunter2" + "Zebra!Quartz",
    "url": "s3cr3t" + "Pa55w0rdX",
}


def _texts() -> list[str]:
    return [
        f"CI uses the token {SECRETS['github']} for releases.",
        f"The staging login has password={SECRETS['password']} in .env",
        f"The database is postgres://app:{SECRETS['url']}@db.internal/app",
    ]


def _on_disk(home: Path) -> bytes:
    return b"".join(file.read_bytes() for file in home.rglob("*") if file.is_file())


def _assert_clean(home: Path) -> None:
    data = _on_disk(home)
    for kind, secret in SECRETS.items():
        assert secret.encode() not in data, kind


def test_promise_11_secrets_are_redacted_before_anything_is_stored(
    open_memory: OpenMemory, tmp_path, repository
) -> None:
    memory = open_memory(repository)
    for text in _texts():
        outcome = memory.remember(text, reason=text, tags=[text], subject=text[:60], aliases=[text])
        assert "[redacted:" in memory.entries.get(outcome.entry_id).content
        memory.recall(text)
        memory.inject(text, session="s_1")
        memory.vote(outcome.entry_id, "up", text)
        memory.correct(text + " Still.", entry_id=outcome.entry_id)
    memory.remember_many(_texts())
    memory.remember_many([Draft(text, scope="user", reason=text) for text in _texts()])
    task = memory.tasks.add_task("Rotate keys", state="\n".join(_texts()))
    memory.tasks.update_task(task.task_id, state=_texts()[0])
    memory.tasks.complete_task(task.task_id, conclusion=_texts()[1])
    memory.tasks.add_project("Vault", notes=_texts()[2])
    memory.profile.rewrite("\n".join(_texts()))
    memory.transfer.load(_poisoned(memory))
    put_in_order(memory.opened)
    memory.close()
    _assert_clean(tmp_path / "home")


def _poisoned(memory: Recollect) -> dict[str, object]:
    document = json.loads(json.dumps(memory.transfer.export()))
    entry = dict(document["entries"][0], id="e_poisoned", content=_texts()[0], reason=_texts()[1])
    document["entries"] = [entry]
    document["tasks"] = [{"task_id": "t_poisoned", "title": _texts()[0], "status": "active", "state": _texts()[2]}]
    return dict(document)


def test_a_receipt_spooled_under_lock_holds_no_secret(open_memory: OpenMemory, tmp_path) -> None:
    memory, other = open_memory(), open_memory()
    memory.remember("CI uses a token for releases.", scope="user")
    with other.opened.store.write():
        memory.inject(_texts()[0], session="s_1")
    assert list((tmp_path / "home" / "spool").iterdir())
    _assert_clean(tmp_path / "home")
    assert memory.why(session="s_1").query.startswith("CI uses the token [redacted:")


@pytest.mark.parametrize("text", ["task_management_system owns the queue.", "Commit 3f786850e387550fdab836ed7e6dc881de23001b broke it."])  # fmt: skip
def test_harmless_look_alikes_stay_as_they_are(memory: Recollect, text: str) -> None:
    assert memory.entries.get(memory.remember(text).entry_id).content == text
