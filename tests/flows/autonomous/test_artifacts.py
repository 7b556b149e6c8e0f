"""What comes out of the sample by rules, and what becomes of it when things change."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect import Recollect
from recollect.autonomous.blocks import parsed
from recollect.autonomous.skills import parsed_skill
from recollect.errors import NotFound, OutsideRoot, ProviderError
from recollect.files import artifacts
from recollect.flows.autonomous.artifacts import build, changed_sessions
from recollect.flows.autonomous.consolidate import consolidate
from recollect.flows.autonomous.extract import extract
from recollect.flows.autonomous.gathering import gather
from recollect.flows.sessions.question import items, question_about
from recollect.flows.turns.session_start import session_start
from recollect.hosts.abilities import ability
from recollect.model.sessions import PRIVATE, ToolUse, Turn
from recollect.model.turns import Recipient
from recollect.text.secrets.redacting import find
from recollect.text.tokens import estimate_tokens
from tests.flows.autonomous.sample import BILLING, INFRA, SHOP, make_sample_home


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the sample, made once."""
    folder = tmp_path_factory.mktemp("sample")
    make_sample_home(folder)
    return folder


@pytest.fixture
def shop(made: Path, tmp_path: Path) -> Iterator[Recollect]:
    """A copy of it, opened in the shop."""
    shutil.copytree(made / "home", tmp_path / "home")
    environ = {"HOME": str(made / "user"), "RECOLLECT_HOME": str(tmp_path / "home")}
    with Recollect.open(folder=str(made / "code" / "saltmarsh-shop"), environ=environ) as memory:
        yield memory


def folder_of(memory: Recollect, repository: str = SHOP) -> str:
    return artifacts.current_folder(artifacts.project_folder(memory.home.projects, repository))


def text_of(memory: Recollect, name: str = "MEMORY.md", repository: str = SHOP) -> str:
    return artifacts.read(folder_of(memory, repository), name)


def settings(memory: Recollect, **values: str) -> Recollect:
    """The same home with other settings."""
    environ = {**memory.opened.environ, **{f"RECOLLECT_{name.upper()}": value for name, value in values.items()}}
    return Recollect.open(folder=memory.folder, environ=environ)


# -- what comes out


def test_of_two_sessions_that_decide_differently_the_later_stands_in_the_file(shop: Recollect) -> None:
    text = text_of(shop)
    assert "\nWe always keep checkout sessions for 20 minutes.\n" in text
    assert "\nWe always keep checkout sessions for 30 minutes.\n" not in text
    assert "- Until then: “We always keep checkout sessions for 30 minutes.”" in text
    assert "\nWe deploy to Render now, not to Fly.io anymore.\n" in text
    assert "\nWe deploy to Fly.io, from main.\n" not in text


@pytest.mark.parametrize(
    ("repository", "wanted"),
    [
        (SHOP, ("We use pnpm here, not npm.", "`pnpm test` runs the tests.", "it passed after `pnpm stub --detach`")),
        (INFRA, ("it passed after `terraform init -input=false`",)),
        (BILLING, ("Amounts are always integer cents", "`make lint` lints the code.", "config/vat_rates.toml")),
    ],
)
def test_each_project_has_what_its_developers_would_look_for(shop: Recollect, repository: str, wanted) -> None:
    text, summary = text_of(shop, repository=repository), text_of(shop, "memory_summary.md", repository)
    for words in wanted:
        assert words in text
        assert words in summary
    assert "Changed in the same commits: `models.py` and `schema.sql` (3 of 3)" in text
    assert "Taken back: “feat: cache the totals”" in text


@pytest.mark.parametrize(
    ("repository", "told"),
    [
        (INFRA, "“Point www at Render”, not done. It ended with “Tomasz holds the state lock since 15:58”."),
        (BILLING, "“Monthly close job”, done. Committed “perf(close): freeze invoices in batches”."),
        (BILLING, "It ended with “Everything is in the working tree on main, nothing is committed yet”."),
        (BILLING, "“CSV export for finance”. Changed:"),
        (BILLING, "It ended with “Draft PR 88 is open with Marisol as reviewer”."),
        (SHOP, "“Failed deploy of release 1.14”, done. Changed: `vite.config.ts`."),
    ],
)
def test_past_work_says_how_it_ended_only_where_that_is_proven(shop: Recollect, repository: str, told: str) -> None:
    assert told in text_of(shop, repository=repository)


def test_files_that_change_often_and_tools_given_up_are_not_told(shop: Recollect) -> None:
    text = "".join(text_of(shop, name, one) for name in ("MEMORY.md", "memory_summary.md") for one in (SHOP, INFRA))
    assert "several sessions" not in text
    assert "flyctl" not in text
    assert "actionlint" in text


def test_every_block_has_a_scope_an_applicability_and_evidence_that_exists(shop: Recollect) -> None:
    sessions = {session.session_id for session, _ in shop.opened.store.sessions.listed()}
    for repository in (SHOP, INFRA, BILLING):
        passages = parsed(text_of(shop, repository=repository)).passages
        assert len(passages) >= 5
        for one in passages:
            assert one.block_id
            assert "- Scope: " in one.text
            assert "- Applies to: " in one.text
            assert "- Evidence: " in one.text
            for session, turn in re.findall(r"\b(s_\w+)#(\d+)", one.text):
                assert session in sessions
                assert int(turn) in {known.number for known in shop.opened.store.sessions.turns(session)}


def test_the_summary_is_short_versioned_and_without_secrets(shop: Recollect) -> None:
    summary = text_of(shop, "memory_summary.md")
    assert summary.startswith("v1\n")
    assert estimate_tokens(summary) < 5_000
    for repository in (SHOP, INFRA, BILLING):
        for name in artifacts.names(folder_of(shop, repository)):
            assert not find(text_of(shop, name, repository)), name


def test_a_skill_comes_of_a_workflow_that_succeeded_twice_and_its_name_is_its_folders(shop: Recollect) -> None:
    [name] = [one for one in artifacts.names(folder_of(shop, BILLING)) if one.startswith("skills/")]
    skill = parsed_skill(text_of(shop, name, BILLING))
    assert skill is not None
    assert name == f"skills/{skill.name}/SKILL.md"
    assert "1. `uv run pytest -q`\n2. `make lint`\n3. `git commit`" in skill.body


# -- again


def test_what_did_not_change_makes_no_new_version(shop: Recollect) -> None:
    assert consolidate(SHOP, shop.opened).why == "nothing changed"
    assert changed_sessions(SHOP, shop.opened) == []


def test_using_a_block_changes_neither_the_order_nor_the_files(shop: Recollect) -> None:
    before = text_of(shop)
    name = parsed(before).passages[-1].block_id
    for _ in range(3):
        shop.artifacts.read("MEMORY.md", name)
    assert consolidate(SHOP, shop.opened).why == "nothing changed"
    consolidate(SHOP, shop.opened, forced=True)
    assert text_of(shop) == before
    assert gather(SHOP, shop.opened).uses[name] == 3


def test_only_what_deleted_evidence_alone_supported_is_dropped(shop: Recollect) -> None:
    store = shop.opened.store
    before = {one.block_id: one.text for one in parsed(text_of(shop)).passages}
    gone = next(s for s, _ in store.sessions.listed(repository=SHOP) if s.title == "Wording of the expiry banner")
    with store.write():
        store.sessions.set_privacy(gone.session_id, PRIVATE)
    consolidate(SHOP, shop.opened)
    text = text_of(shop)
    assert "\nWe always keep checkout sessions for 30 minutes.\n" in text, "what stood before stands again"
    assert gone.session_id not in text
    after = {one.block_id: one.text for one in parsed(text).passages}
    lost = [before[name] for name in before if name not in after]
    assert all(re.findall(r"s_\w+(?=#)", one) == [gone.session_id] for one in lost)


def test_what_a_person_retired_is_in_no_artifact_any_more(shop: Recollect) -> None:
    [entry] = [one for one in shop.entries.list(everywhere=True) if "port 4310" in one.content and one.layer == "L1"]
    shop.forget(entry.entry_id)
    consolidate(SHOP, shop.opened)
    assert "4310" not in text_of(shop)
    assert "4310" not in text_of(shop, "memory_summary.md")


def test_a_correction_made_on_the_command_line_stands_in_the_file(shop: Recollect) -> None:
    [entry] = [one for one in shop.entries.list(everywhere=True) if "port 4310" in one.content and one.layer == "L1"]
    shop.correct("The dev server of the shop listens on port 4320.", entry_id=entry.entry_id)
    consolidate(SHOP, shop.opened)
    assert "\nThe dev server of the shop listens on port 4320.\n" in text_of(shop)
    assert "\nThe dev server of the shop listens on port 4310.\n" not in text_of(shop)


def test_hand_edits_are_input_and_stay(shop: Recollect) -> None:
    path = Path(folder_of(shop)) / "MEMORY.md"
    text = path.read_text().replace("We use pnpm here, not npm.", "We use pnpm 9 here, never npm.")
    path.write_text(text + "\n### Mine\nAsk Ines about wording.\n")
    made = consolidate(SHOP, shop.opened)
    assert made.why == "", "an edit counts as a change"
    assert "We use pnpm 9 here, never npm." in text_of(shop)
    assert "Ask Ines about wording." in text_of(shop)
    assert consolidate(SHOP, shop.opened).why == "nothing changed"
    consolidate(SHOP, shop.opened, forced=True)
    assert "We use pnpm 9 here, never npm." in text_of(shop)


def test_a_skill_that_somebody_changed_or_wrote_stays_as_it_is(shop: Recollect) -> None:
    folder = Path(folder_of(shop)) / "skills"
    (folder / "mine").mkdir()
    (folder / "mine" / "SKILL.md").write_text("My own way.\n")
    changed = folder / "commit-a-change" / "SKILL.md"
    changed.write_text(changed.read_text() + "\nAnd wash your hands.\n")
    consolidate(SHOP, shop.opened)
    assert text_of(shop, "skills/mine/SKILL.md") == "My own way.\n"
    assert "wash your hands" in text_of(shop, "skills/commit-a-change/SKILL.md")


def test_a_secret_that_somebody_typed_into_a_file_is_taken_out(shop: Recollect) -> None:
    path = Path(folder_of(shop)) / "MEMORY.md"
    path.write_text(path.read_text() + "\n### Key\npassword = hunter2hunter2X9\n")
    consolidate(SHOP, shop.opened)
    assert "hunter2" not in text_of(shop)


# -- clearing and undo


def test_clearing_takes_this_project_alone_and_undo_brings_it_back(shop: Recollect) -> None:
    before = text_of(shop)
    assert shop.artifacts.clear() == [SHOP]
    assert shop.artifacts.names() == []
    assert text_of(shop, repository=BILLING)
    assert gather(SHOP, shop.opened).memories == ()
    assert gather(BILLING, shop.opened).memories
    assert build(SHOP, shop.opened).sessions == 0, "cleared sessions are not extracted again"
    assert shop.artifacts.undo() == "what was cleared"
    assert text_of(shop) == before
    assert gather(SHOP, shop.opened).memories


def test_clearing_everything_takes_rows_and_files_of_every_project(shop: Recollect) -> None:
    assert shop.artifacts.clear(everywhere=True) == sorted((SHOP, INFRA, BILLING))
    for repository in (SHOP, INFRA, BILLING):
        assert gather(repository, shop.opened).memories == ()
        project = artifacts.project_folder(shop.home.projects, repository)
        assert artifacts.version(project) == ""


def test_a_rebuild_extracts_what_was_cleared_and_then_nothing_is_left_to_undo_of_it(shop: Recollect) -> None:
    shop.artifacts.clear()
    built = shop.artifacts.rebuild()
    assert built.sessions == 8
    assert "We use pnpm here, not npm." in text_of(shop)
    assert artifacts.version(shop.artifacts.project, artifacts.CLEARED) == ""


def test_undo_goes_back_one_version_and_the_next_pass_does_not_redo_it(shop: Recollect) -> None:
    before = text_of(shop)
    [entry] = [one for one in shop.entries.list(everywhere=True) if "port 4310" in one.content and one.layer == "L1"]
    shop.forget(entry.entry_id)
    consolidate(SHOP, shop.opened)
    assert text_of(shop) != before
    shop.artifacts.undo()
    assert text_of(shop) == before
    assert consolidate(SHOP, shop.opened).why == "nothing changed"
    assert text_of(shop) == before


# -- reading


def test_a_session_is_given_the_summary_only_when_it_is_switched_on(shop: Recollect) -> None:
    to = Recipient("claude-code", "s1", ability("claude-code"))
    assert "Memory Guidance" not in session_start(shop.opened, to)
    with settings(shop, memories__enabled="true") as on:
        text = session_start(on.opened, to._replace(session="s2"))
        assert "# Memory Guidance" in text
        assert "heuristic" in text
        assert "We use pnpm here, not npm." in text
        assert len(text) <= 10_000
        consolidate(SHOP, on.opened, forced=True)
        assert session_start(on.opened, to._replace(session="s2")) == text, "frozen for the session"
        assert shop.artifacts.view() in text


def test_the_summary_gives_way_to_everything_else_and_is_cut_at_a_line(shop: Recollect) -> None:
    shop.remember("The user's name is Ada.", layer="L0")
    shop.tasks.add_task("Write the importer", state="Half done.")
    to = Recipient("codex", "s3", ability("codex"))
    with settings(shop, memories__enabled="true") as on:
        text = session_start(on.opened, to)
        assert estimate_tokens(text) <= 2_500
        assert "Ada" in text
        assert "Half done." in text
        assert "You have a memory that outlives this session" in text
        lines = [line for line in text.splitlines() if line.startswith("- ") and re.search(r"\[m-\w{8}", line)]
        assert lines
        assert all(line.endswith("]") for line in lines)
    with settings(shop, memories__enabled="true", memories__summary_injection_token_limit="500") as small:
        assert estimate_tokens(small.artifacts.view()) < 800


def test_addresses_do_not_lead_out_and_links_are_refused(shop: Recollect, tmp_path: Path) -> None:
    folder = folder_of(shop)
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "SKILL.md").write_text("secret")
    os.symlink(secret, os.path.join(folder, "skills", "leak"))
    (Path(folder) / "skills" / "inside").mkdir()
    os.symlink(os.path.join(folder, "MEMORY.md"), os.path.join(folder, "skills", "inside", "SKILL.md"))
    for name in ("skills/leak/SKILL.md", "skills/inside/SKILL.md"):
        assert name not in shop.artifacts.names()
        with pytest.raises(OutsideRoot):
            shop.artifacts.read(name)
    for name in ("../baseline.json", "skills/../MEMORY.md", "skills/%2e%2e/SKILL.md", "versions", "/etc/passwd"):
        with pytest.raises((NotFound, OutsideRoot)):
            shop.artifacts.read(name)
    pointer = Path(shop.artifacts.project) / "current"
    pointer.write_text("../../../secret\n")
    with pytest.raises(OutsideRoot):
        shop.artifacts.names()
    pointer.unlink()
    pointer.symlink_to(secret / "SKILL.md")
    with pytest.raises(OutsideRoot):
        shop.artifacts.names()


def test_a_listing_that_fails_is_not_an_empty_one(shop: Recollect, monkeypatch: pytest.MonkeyPatch) -> None:
    listdir = os.listdir

    def refuse(path: str) -> list[str]:
        if str(path).endswith("skills"):
            raise PermissionError(13, "no")
        return listdir(path)

    version = artifacts.version(shop.artifacts.project)
    monkeypatch.setattr("os.listdir", refuse)
    with pytest.raises(Exception, match="cannot be listed"):
        consolidate(SHOP, shop.opened, forced=True)
    monkeypatch.undo()
    assert artifacts.version(shop.artifacts.project) == version
    assert "skills/commit-a-change/SKILL.md" in shop.artifacts.names()


# -- models


def scripted(shop: Recollect, folder: Path, *rows: object) -> Recollect:
    path = folder / "script.json"
    path.write_text(json.dumps(list(rows)))
    return settings(shop, models__default=f"scripted:{path}")


def first_line(memory: Recollect) -> str:
    return gather(SHOP, memory.opened).lines[0].evidence.key


def answer(shop: Recollect, **more: object) -> dict[str, object]:
    block = {
        "section": "Decisions and facts",
        "title": "Package manager",
        "text": "We use pnpm here, not npm.",
        "scope": "repository",
        "applies": "all work here",
        "evidence": [first_line(shop)],
        "before": [],
        **more,
    }
    return {"say": {"blocks": [block], "lead": "Use pnpm.", "skills": []}}


def test_a_models_answer_becomes_the_next_set(shop: Recollect, tmp_path: Path) -> None:
    with scripted(shop, tmp_path, answer(shop)) as modelled:
        made = consolidate(SHOP, modelled.opened, forced=True)
        assert made.made_by.startswith("scripted:")
        assert made.tokens > 0
        text = text_of(modelled)
        assert "We use pnpm here, not npm." in text
        assert "The client never computes prices" not in text
        assert "## Past work" in text, "what logs have stays"
        assert "Use pnpm." in text_of(modelled, "memory_summary.md")


@pytest.mark.parametrize(
    "row",
    [
        {"say": "not JSON"},
        {"say": {"blocks": []}},
        {"say": ""},
        {"more": {"evidence": ["s_gone#1"]}},
        {"more": {"text": "We use pnpm 97 here, not npm."}},
        {"more": {"section": "Anything"}},
    ],
)
def test_a_malformed_reply_changes_nothing(shop: Recollect, tmp_path: Path, row: dict[str, object]) -> None:
    before = {name: text_of(shop, name) for name in shop.artifacts.names()}
    version = artifacts.version(shop.artifacts.project)
    wrong = answer(shop, **row["more"]) if "more" in row else row  # type: ignore[arg-type]
    with scripted(shop, tmp_path, wrong) as modelled:
        with pytest.raises(ProviderError):
            consolidate(SHOP, modelled.opened, forced=True)
        session = modelled.opened.store.sessions.listed(repository=SHOP)[0][0]
        kept = modelled.opened.store.extractions.get(session.session_id)
        with pytest.raises(ProviderError):
            extract(session, modelled.opened)
        assert modelled.opened.store.extractions.get(session.session_id) == kept
    assert {name: text_of(shop, name) for name in shop.artifacts.names()} == before
    assert artifacts.version(shop.artifacts.project) == version


def test_a_block_on_superseded_evidence_alone_is_refused(shop: Recollect, tmp_path: Path) -> None:
    old = next(one for one in gather(SHOP, shop.opened).lines if "30 minutes" in one.said.text)
    row = answer(shop, text="We always keep checkout sessions for 30 minutes.", evidence=[old.evidence.key])
    with scripted(shop, tmp_path, row) as modelled, pytest.raises(ProviderError, match="no longer hold"):
        consolidate(SHOP, modelled.opened, forced=True)


def test_where_the_settings_say_so_rules_take_a_models_place(shop: Recollect, tmp_path: Path) -> None:
    with scripted(shop, tmp_path, {"say": "nonsense"}) as modelled:
        environ = {**modelled.opened.environ, "RECOLLECT_MEMORIES__FALLBACK": "true"}
        with Recollect.open(folder=shop.folder, environ=environ) as falling:
            assert consolidate(SHOP, falling.opened, forced=True).made_by == "rules"


def test_consolidation_is_given_the_memory_as_it_stands_and_what_changed(shop: Recollect) -> None:
    from recollect.autonomous.keeping import baseline_of
    from recollect.flows.autonomous.blocks_by_model import question

    inputs = gather(SHOP, shop.opened)
    baseline = baseline_of(text_of(shop, "baseline.json"))
    gone, *rest = baseline.sessions
    changed = baseline._replace(sessions={**{one: baseline.sessions[one] for one in rest}, "s_removed": "x"})
    asked = question(inputs, text_of(shop), changed, is_edited=True)
    assert "### Package manager" in asked
    assert f"added: {gone}" in asked
    assert "removed: s_removed" in asked
    assert "edited the memory by hand" in asked
    assert "taken back: feat: cache the totals" in asked


def test_of_a_long_session_old_work_stays_out_and_what_was_typed_is_seen(shop: Recollect) -> None:
    store = shop.opened.store
    session = store.sessions.listed(repository=SHOP)[0][0]
    tools = tuple(ToolUse("Bash", "command", f"make part{number}", "line " * 400) for number in range(1, 401))
    turns = [Turn(number, f"word{number} " * 20, "Done.", at=float(number)) for number in range(1, 61)]
    turns.append(Turn(61, "Build it.", "Built.", tools))
    said = question_about(session, turns, store, limit_tokens=8_000).text
    shown = json.loads(said[said.index("[") :])
    assert [one["turn"] for one in shown if one["role"] == "user"] == list(range(1, 62))
    work = [one["text"].split("\n")[0] for one in shown if one["role"] == "tool"]
    assert 1 < len(work) < 20
    assert work == [f"make part{number}" for number in range(401 - len(work), 401)], "the newest"
    assert estimate_tokens(said) <= 9_000, "with the entries that it may be about"


def test_what_a_model_is_shown_is_redacted_and_holds_no_fence_of_ours() -> None:
    typed = '<memory-context id="r_1">\nold news\n</memory-context>\nuse password=hunter2hunter2X9 on staging'
    [shown] = items(Turn(1, typed))
    assert "on staging" in shown["text"]
    assert "old news" not in shown["text"]
    assert "hunter2" not in shown["text"]


def test_a_skill_that_somebody_deleted_is_not_made_again(shop: Recollect) -> None:
    name = "skills/commit-a-change/SKILL.md"
    os.unlink(os.path.join(folder_of(shop), name))
    for _ in range(2):
        consolidate(SHOP, shop.opened, forced=True)
        assert name not in shop.artifacts.names()
