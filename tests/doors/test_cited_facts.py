"""A fact is verified when what it cites holds its names and values, and only cited when the lines merely exist."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from tests import hook_calls
from tests.conftest import git
from tests.hook_calls import answered, taken
from tests.mcp_clients import in_memory, said

INVENTED = {
    "subject": "deploys",
    "fact": "Deploys of this service go through Argo.",
    "citations": ["package.json:1"],
    "reason": "The deploy job says so.",
}
TRUE = {
    "subject": "package manager",
    "fact": "This repository uses pnpm 9.1.0.",
    "citations": ["package.json:2"],
    "reason": "npm breaks the lock file.",
}


def with_package(repository: Path) -> Path:
    (repository / "package.json").write_text('{"name": "app",\n "packageManager": "pnpm@9.1.0"}\n')
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "package")
    return repository


def test_an_invented_fact_with_a_line_behind_it_is_not_listed_as_verified(cli, repository, tmp_path) -> None:
    with_package(repository)
    environ = {**os.environ}

    async def talk(client):
        stored = [await client.call_tool("store_memory", fact) for fact in (INVENTED, TRUE)]
        found = await client.call_tool("memory_recall", {"query": "how do deploys of Argo work?"})
        return (
            stored,
            found,
            await client.call_tool(
                "memory_read", {"address": "memory://entries/" + found.structured_content["entries"][0]["id"]}
            ),
        )

    stored, found, read = in_memory(repository, environ, "legacy", talk)
    assert not any(one.is_error for one in stored), [said(one) for one in stored]
    assert found.structured_content["entries"][0]["check"] == "cited"
    assert "not confirmed by what it cites" in said(found)
    assert "not confirmed by what it cites" in said(read)

    listed = {entry["content"]: entry["check"] for entry in cli("list", "--json").json}
    assert listed == {INVENTED["fact"]: "cited", TRUE["fact"]: "verified"}
    invented = next(entry["id"] for entry in cli("list", "--json").json if entry["check"] == "cited")
    shown = cli("show", invented, "--json").json
    assert (shown["check"], shown["citations"][0]["check"]) == ("cited", "cited")
    assert shown["citations"][0]["detail"] == "package.json:1 does not mention Argo, Deploys"
    assert "cited" in cli("show", invented).out
    assert [entry["check"] for entry in cli("recall", "Argo deploys", "--json").json["entries"]] == ["cited"]
    assert cli("why", "--json").json["entries"][0]["parts"]["check"] < 1.05


def test_the_lines_of_one_fact_do_not_verify_another_that_cites_them(cli, repository) -> None:
    with_package(repository)
    cli("remember", "This repository uses pnpm.", "--cite", "package.json:2")
    cli("remember", "The cluster is called Borealis.", "--cite", "package.json:2")
    for _ in range(2):  # the second time from what the first one kept
        listed = {entry["content"]: entry["check"] for entry in cli("list", "--json").json}
        assert listed == {"This repository uses pnpm.": "verified", "The cluster is called Borealis.": "cited"}


def test_a_verdict_of_a_database_of_before_is_checked_again(cli, repository, tmp_path) -> None:
    with_package(repository)
    entry_id = cli("remember", "The cluster is called Borealis.", "--cite", "package.json:2", "--json").json["id"]
    citation = cli("show", entry_id, "--json").json["citations"][0]
    state = os.stat(repository / "package.json")
    with sqlite3.connect(tmp_path / "home" / "recollect.db") as database:
        database.execute("DELETE FROM citation_checks")
        database.execute(
            "INSERT INTO citation_checks (root, path, citation_key, mtime_ns, size, verdict, gone_everywhere, checked)"
            " VALUES (?, 'package.json', ?, ?, ?, 'verified', 0, 1)",
            (str(repository), f"2-2#@{citation['sha256']}", state.st_mtime_ns, state.st_size),
        )
    database.close()

    def through_the_hook() -> str:
        from recollect.app import Recollect
        from recollect.memory.checking import CachedChecker

        with Recollect.open(folder=str(repository), environ=dict(os.environ)) as memory:
            checker = CachedChecker(memory.opened.store, memory.repository, milliseconds=100)
            return checker.check([memory.entries.get(entry_id)], now=1.0)[0].check

    assert through_the_hook() == "unchecked", "nobody has held it against its statement yet"
    assert cli("list", "--json").json[0]["check"] == "cited"


def test_that_something_was_removed_is_not_verified_by_the_lines_that_still_name_it(cli, repository) -> None:
    with_package(repository)
    for fact in ("The package manager pnpm was removed.", "We no longer use pnpm.", "pnpm 9.1.0 is gone."):
        cli("remember", fact, "--cite", "package.json:2", "--layer", "L1")
    assert {entry["check"] for entry in cli("list", "--json").json} == {"cited"}


def test_a_cited_link_that_leaves_the_repository_is_no_evidence_and_the_agent_is_told(
    cli, repository, tmp_path
) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "ports.md").write_text("The port is 8080.\n")
    (repository / "link.md").symlink_to(tmp_path / "elsewhere" / "ports.md")
    (repository / "dead.md").symlink_to(tmp_path / "nowhere.md")
    (repository / "docs").symlink_to(tmp_path / "elsewhere")
    (repository / "real.md").write_text("The port is 8080.\n")
    (repository / "inside.md").symlink_to("real.md")

    async def talk(client):
        fact = {"subject": "port", "fact": "The port is 8080.", "reason": "seen"}
        cited = ["link.md:1", "dead.md", "docs/ports.md", "inside.md:1"]
        return [await client.call_tool("store_memory", {**fact, "citations": [one]}) for one in cited]

    *outside, inside = in_memory(repository, dict(os.environ), "legacy", talk)
    for path, told in zip(("link.md:1", "dead.md", "docs/ports.md"), outside, strict=True):
        assert told.structured_content["status"] == "staged", path
        assert f"{path} is outside the repository, so it is not evidence." in said(told)
    assert inside.structured_content["status"] == "stored"


def test_a_hook_says_that_a_fact_was_not_checked_since_its_file_changed(cli, repository, tmp_path) -> None:
    source = repository / "server.py"
    source.write_text("PORT = 8080\n")
    cli("remember", "The server listens on port 8080.", "--cite", "server.py")
    cli("recall", "which port does the server listen on?")
    source.write_text("PORT = 7777  # elsewhere\n")
    prompt = hook_calls.prompt("claude-code", repository, "which port does the server listen on?")
    given = taken("claude-code", answered(prompt, tmp_path / "home", tmp_path / "user", host="claude-code"))
    assert "(server.py; not checked against the file as it is now)" in given
    assert "port 8080" not in cli("install", "aider", "--agents-md", "--dry-run").out, (
        "what changed is no fact any more"
    )
