"""`recollect suggest` and `recollect check`, as a person and a script use them."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect import Recollect
from tests.command_line import RECOLLECT, Run, clean_environment
from tests.conftest import git
from tests.suggestions.repositories import BY_NAME, learn, make_case
from tests.terminals import Terminal


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    make_case("web", tmp_path / "app", tmp_path / "user")
    return tmp_path / "app"


def learned(tmp_path: Path, repository: Path, *facts: str) -> None:
    case = BY_NAME["web"]
    with Recollect.open(
        str(tmp_path / "home"), folder=str(repository), environ={"HOME": str(tmp_path / "user")}
    ) as memory:
        for fact in facts:
            learn(memory, case, only=fact)


def test_from_reconcile_to_undo(cli: Run, tmp_path: Path, repository: Path) -> None:
    learned(tmp_path, repository, "Retries", "async/await")
    done = cli("suggest", "reconcile")
    assert "Mode: Occasional • Last run: just now • 2 pending" in done.err
    listed = cli("suggest", "list", "--json").json
    assert {one["status"] for one in listed} == {"pending"}
    fields = {"id", "fact", "target_type", "target", "action", "confidence", "status", "citations", "diff"}
    assert all(fields <= set(one) for one in listed)
    one = next(one for one in listed if "Retries" in one["fact"])
    shown = cli("suggest", "show", one["id"])
    assert "+- Retries are configured in `src/api/retry.ts`." in shown.out
    assert "Why here: every session here reads it; the nearest heading is Architecture" in shown.out
    target = repository / one["target"]
    before = target.read_bytes()
    refused = cli("suggest", "apply", one["id"])
    assert (refused.code, target.read_bytes()) == (1, before)
    assert "Add --yes" in refused.err
    applied = cli("suggest", "apply", one["id"], "--yes", "--json")
    assert applied.json == [{"id": one["id"], "status": "applied", "path": str(target), "why": ""}]
    assert b"Retries" in target.read_bytes()
    again = cli("suggest", "apply", one["id"], "--yes")
    assert (again.code, "was applied already" in again.err) == (1, True)
    assert cli("suggest", "undo", one["id"]).code == 0
    assert target.read_bytes() == before
    assert cli("suggest", "dismiss", one["id"]).code == 0
    assert cli("suggest", "reconcile", "--json").json["added"] == []
    status = cli("status", "--json").json
    assert (status["suggestions"], status["suggestion_mode"]) == (1, "occasional")
    counted = {name: status["happened"][name] for name in ("suggested", "applied", "edited", "dismissed")}
    assert counted == {"suggested": 2, "applied": 1, "edited": 0, "dismissed": 1}


def test_a_suggestion_in_ones_own_words(cli: Run, tmp_path: Path, repository: Path) -> None:
    learned(tmp_path, repository, "Retries")
    cli("suggest", "reconcile")
    [one] = cli("suggest", "list", "--json").json
    edited = cli("suggest", "edit", one["id"], "Retries are set in `src/api/retry.ts`, nowhere else.", "--json").json
    assert "+- Retries are set in `src/api/retry.ts`, nowhere else." in edited["diff"]
    assert cli("suggest", "edit", one["id"], "Mail ada@example.com.").code == 1
    cli("suggest", "apply", "--all", "--yes")
    assert "nowhere else" in (repository / one["target"]).read_text()
    assert cli("suggest", "reconcile", "--json").json["added"] == []


def test_apply_all_passes_over_conflicts(cli: Run, tmp_path: Path, repository: Path) -> None:
    learned(tmp_path, repository, "Retries", "default exports")
    cli("suggest", "reconcile")
    cli("suggest", "apply", "--all", "--yes")
    [left] = cli("suggest", "list", "--json").json
    assert left["action"] == "conflict"
    assert "-- Use named exports.\n+- Use default exports, not named exports." in left["diff"]


@pytest.mark.parametrize(
    ("mode", "text"),
    [
        ("off", "Memory is disabled. Enable it with `recollect settings set suggestions.mode occasional`."),
        ("manual", "No suggestions yet. Run `recollect suggest reconcile`."),
        ("occasional", "All caught up! ✓"),
    ],
)
def test_an_empty_list_says_why(cli: Run, mode: str, text: str) -> None:
    cli("settings", "set", "suggestions.mode", mode)
    done = cli("suggest")
    assert (done.code, done.out) == (0, "")
    assert f"Mode: {mode.capitalize()} • Last run: never • 0 pending\n{text}" in done.err
    if mode == "off":
        refused = cli("suggest", "reconcile")
        assert (refused.code, "suggestions.mode occasional" in refused.err) == (1, True)


def test_an_agent_never_applies(cli: Run, tmp_path: Path, repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    learned(tmp_path, repository, "Retries")
    cli("suggest", "reconcile")
    [one] = cli("suggest", "list", "--json").json
    before = (repository / one["target"]).read_bytes()
    monkeypatch.setenv("CLAUDECODE", "1")
    for words in (
        ("apply", one["id"], "--yes"),
        ("apply", "--all", "--yes"),
        ("dismiss", one["id"]),
        ("edit", one["id"], "X."),
    ):
        done = cli("suggest", *words)
        assert done.code == 1
        assert "needs a person" in done.err
    assert (repository / one["target"]).read_bytes() == before
    monkeypatch.delenv("CLAUDECODE")
    monkeypatch.setattr("recollect.flows.writes.actors.is_cut_loose", lambda: True)
    assert cli("suggest", "dismiss", one["id"]).code == 1
    assert cli("suggest", "apply", one["id"], "--yes").code == 0, "a script of the person's own may"


def test_in_a_review_enter_applies_nothing_and_y_applies(tmp_path: Path, repository: Path) -> None:
    learned(tmp_path, repository, "Retries", "async/await")
    environ = clean_environment(tmp_path / "home", tmp_path / "user", TERM="xterm")
    with Recollect.open(str(tmp_path / "home"), folder=str(repository), environ=environ) as memory:
        memory.suggestions.reconcile()
        first, second = memory.suggestions.list()
    target = repository / first.target
    before = target.read_bytes()
    terminal = Terminal([RECOLLECT, "review"], repository, environ, columns=120)
    card = terminal.until("q quit")
    assert first.fact in card
    assert "@@" in card
    terminal.press("\n")
    terminal.until("q quit")
    assert target.read_bytes() == before
    terminal.press("y")
    assert terminal.end() == 0
    assert "Applied 1, dismissed 0." in terminal.shown
    assert second.fact.split()[-1] in target.read_text()


def test_check_finds_what_is_gone(cli: Run, repository: Path) -> None:
    (repository / "src/stores").mkdir()
    fine = cli("check", "--json")
    assert {one["check"] for one in fine.json} == {"fine"}, fine.json
    once = repository / "src/api/backoff.ts"
    once.write_text("export function wait_longer() {}\n")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "once")
    once.unlink()
    git(repository, "commit", "-qam", "no more")
    with (repository / "AGENTS.md").open("w") as file:
        file.write(
            "# Here\n\n- Retries are in `src/api/backoff.ts`, see `src/api/retry.ts`.\n"
            "- Run `pnpm lint`, then `pnpm run typecheck`.\n- Call `wait_longer()` first.\n"
            "- An example path is `some/where/else.ts`.\n"
        )
    found = cli("check")
    assert found.code == 1
    assert [line.split("\t")[:4] for line in found.out.splitlines()] == [
        ["gone", "AGENTS.md:3", "path", "src/api/backoff.ts"],
        ["gone", "AGENTS.md:4", "command", "pnpm run typecheck"],
        ["gone", "AGENTS.md:5", "symbol", "wait_longer"],
    ]
    annotated = cli("check", "--ci").out.splitlines()
    assert annotated[0].startswith("::error file=AGENTS.md,line=3,title=gone::path src/api/backoff.ts: deleted in ")


def test_ctrl_c_at_the_similar_ones_leaves_them_pending(cli: Run, tmp_path: Path, repository: Path) -> None:
    learned(tmp_path, repository, "")
    cli("suggest", "reconcile")
    listed = cli("suggest", "list", "--json").json
    with Recollect.open(str(tmp_path / "home"), folder=str(repository)) as memory:
        one = next(one for one in listed if memory.suggestions.similar(memory.suggestions.get(one["id"])))
    environ = clean_environment(tmp_path / "home", tmp_path / "user", TERM="xterm")
    terminal = Terminal([RECOLLECT, "suggest", "apply", one["id"]], repository, environ, columns=120)
    terminal.until("Apply this to")
    terminal.press("y\n")
    terminal.until("for the same place?")
    terminal.until("[y/N]")
    assert terminal.interrupt() == 0
    assert "Nothing was changed." not in terminal.shown
    assert len(cli("suggest", "list", "--json").json) == len(listed) - 1


def test_a_fact_with_a_key_or_an_example_of_one_is_never_suggested(cli: Run, repository: Path) -> None:
    facts = (
        "Use sk-test-1234... as the key for the payment tests in this repository.",
        "Set `PAYMENT_API_KEY=your-key-here` before you run the tests in this repository.",
        "The password of the staging admin in this repository is changeme.",
        "The tests of this repository read the payment key from `PAYMENT_API_KEY`.",
    )
    for fact in facts:
        assert cli("remember", fact, "--scope", "here").code == 0
    added = cli("suggest", "reconcile", "--json").json["added"]
    assert [one["fact"] for one in cli("suggest", "list", "--json").json if "payment" in one["diff"]]
    text = "\n".join(one["diff"] for one in cli("suggest", "list", "--json").json)
    assert added
    assert not any(part in text for part in ("sk-test", "your-key", "changeme"))
    assert "Use sk-test-1234" in cli("list").out, "it is still remembered"
    block = cli("install", "goose", "--agents-md", "--project", "--dry-run")
    assert "sk-test" not in block.out + block.err


def test_a_suggestion_speaks_in_one_voice_that_fits_its_file(cli: Run, tmp_path: Path) -> None:
    own = tmp_path / "user" / ".claude" / "CLAUDE.md"
    own.parent.mkdir(parents=True, exist_ok=True)
    own.write_text("# Me\n\n- Answer briefly.\n")
    for fact, scope in (
        ("Give the user fish syntax in examples.", "everywhere"),
        ("The user wants you to explain acronyms.", "everywhere"),
        ("The user is on fish, so give them fish syntax.", "everywhere"),
        ("In this repository, import me from './me' and keep my.cnf.", "here"),
        ("Use argon2 for password hashing in this repository.", "here"),
        ("In this repository, ask me before you touch my notes in docs/notes.", "here"),
    ):
        assert cli("remember", fact, "--scope", scope).code == 0
    cli("suggest", "reconcile")
    found = cli("suggest", "list", "--json").json
    lines = {line[1:] for one in found for line in one["diff"].splitlines() if line.startswith("+- ")}
    assert "- Give me fish syntax in examples." in lines
    assert "- Explain acronyms." in lines
    assert any("ask the user before you touch their notes" in line for line in lines), lines
    assert not any("give them" in line or "import the user" in line for line in lines), lines
    assert any("argon2 for password hashing" in line for line in lines), "not a credential"


def test_what_contradicts_or_lost_a_secret_is_not_suggested(cli: Run, repository: Path) -> None:
    for text in (
        "The API of this repository uses tabs for indentation.",
        "The API of this repository uses spaces for indentation.",
        "Integration tests in `src/api` sign in with password=mysecret42 first.",
        "Retries are configured in `src/api/retry.ts`.",
    ):
        cli("remember", text)
    [pair] = cli("conflicts", "--json").json
    cli("suggest", "reconcile")
    facts = [one["fact"] for one in cli("suggest", "list", "--json").json]
    assert len(facts) == 1
    assert "Retries" in facts[0]
    cli("forget", pair[0]["id"] if isinstance(pair, list) else pair["newer"]["id"])
    cli("suggest", "reconcile")
    facts = [one["fact"] for one in cli("suggest", "list", "--json").json]
    assert any("indentation" in fact for fact in facts), "a settled conflict"
    assert not any("redacted" in fact for fact in facts)
