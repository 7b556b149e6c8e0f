"""A home with something of everything in it, a real server before it, and one browser for all tests of a process."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from recollect import Recollect
from recollect.flows.writes.actors import Agent
from tests.conftest import git

CHROMIUM = os.environ.get("CHROMIUM") or "/usr/bin/chromium"
OUTSIDE_AGENTS = {"parents": list, "environments_above": list, "is_cut_loose": lambda: False, "is_piped": lambda: False}
SAMPLE = Path(__file__).parents[4] / "src" / "recollect" / "sample" / "claude"


def fill(memory: Recollect, repository: Path) -> dict[str, str]:
    """Something of everything; returns the ids that tests name."""
    (repository / "package.json").write_text('{\n  "packageManager": "pnpm@9.1.0",\n  "test": "vitest"\n}\n')
    (repository / "AGENTS.md").write_text("# Agents\n\n## Conventions\n\n- Write small commits.\n")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "second")
    past = memory.sessions
    logs, skipped = past.logs([str(SAMPLE)])
    past.import_logs(logs[:2], skipped=skipped)
    past.digest()
    ids = {
        "pnpm": memory.remember("This repository uses pnpm, not npm.", cite=["package.json:2"], tags=["tooling"]),
        "tests": memory.remember("Run the tests with `pnpm test`; they need no database."),
        "profile": memory.remember("The user is Robin, a backend developer in Vienna.", layer="L0"),
        "tuesday": memory.remember("Deploys go out on Tuesdays from the main branch."),
        "thursday": memory.remember("Deploys go out on Thursdays from the main branch."),
        "staging": memory.remember("The staging database is refreshed every night at 02:00 UTC."),
    }
    (repository / "package.json").write_text('{\n  "packageManager": "pnpm@10.2.0",\n  "test": "vitest"\n}\n')
    for number, question in enumerate(("how do I run the tests?", "which package manager is used?")):
        memory.inject(question, session=f"s_session{number}", host="claude-code")
    memory.start_session("s_session0", host="claude-code")
    writes = memory.writes(Agent("claude-code"))
    for text in ("Never run migrations on Friday.", "Always squash before you merge.", "Never log card numbers."):
        writes.store(memory.entries.draft(text)._replace(source="agent", origin="assistant"))
    writes.close()
    memory.suggestions.reconcile()
    memory.artifacts.rebuild()
    found = {name: outcome.entry_id for name, outcome in ids.items()}
    found["session"] = memory.sessions.listed(limit=1)[0][0].session_id
    found["receipt"] = memory.why(session="s_session0", turn=1).receipt_id
    suggested = {name: one.suggestion_id for one in memory.suggestions.list() for name in one.fact_ids}
    found["suggestion"] = suggested[
        found["tuesday"]
    ]  # no test edits it, which would take its suggestion off every list
    return found


def pages(ids: dict[str, str]) -> list[str]:
    """The address of every page."""
    return [
        "/", "/memories", "/memories?layer=L0", "/memories?view=duplicates", "/memories?view=stale", "/memories/new",
        f"/memories/{ids['pnpm']}", f"/memories/{ids['staging']}/edit", f"/memories/{ids['staging']}/correct",
        "/correct", "/review", "/suggestions", f"/suggestions/{ids['suggestion']}", "/why", f"/why/{ids['receipt']}",
        "/preview?prompt=how+do+I+run+the+tests", "/sessions", f"/sessions/{ids['session']}", "/board", "/autonomous",
        "/conflicts", "/insights", "/permissions", "/settings", "/health", "/transfer",
    ]  # fmt: skip


@contextmanager
def a_browser() -> Iterator[Any]:
    """Debian's chromium, without a window."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        try:
            yield browser
        finally:
            browser.close()
