"""Every command, in this process: the JSON that scripts depend on, and what it does to a memory."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from recollect.settings_table import ROWS
from tests.command_line import Run
from tests.conftest import git, make_repository

ENTRY_FIELDS = {
    "id", "layer", "scope", "repository", "subject", "content", "source", "origin", "status", "tags", "check",
    "recall_count", "votes", "created", "updated",
}  # fmt: skip
SHOW_FIELDS = ENTRY_FIELDS | {"aliases", "reason", "citations", "history", "superseded_by", "receipts"}
RECALLED_FIELDS = {"id", "kind", "layer", "content", "score", "parts", "check", "citations", "source", "tokens"}
TASK_FIELDS = {"id", "title", "status", "state", "project", "repository", "created", "updated", "completed"}
PROJECT_FIELDS = {"id", "title", "status", "notes", "repository", "created", "updated"}
UTC = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


@pytest.fixture
def pnpm(cli: Run, repository: Path) -> str:
    """The id of an entry with a citation and a tag."""
    (repository / "package.json").write_text('{"packageManager": "pnpm"}\n')
    words = ("--cite", "package.json", "--tag", "tooling", "--reason", "npm breaks", "--alias", "installer")
    return str(cli("remember", "This repository uses pnpm.", *words, "--json").json["id"])


# -- remember


def test_remember_tells_what_became_of_the_statement(cli) -> None:
    stored = cli("remember", "The", "linter", "is", "ruff.", "--json")
    assert stored.code == 0
    assert stored.json["status"] == "stored"
    assert set(stored.json) >= {"id", "status", "why", "conflicts", "superseded"}
    again = cli("remember", "The linter is ruff.", "--json").json
    assert (again["status"], again["id"]) == ("duplicate", stored.json["id"])
    assert cli("remember", "The linter is ruff.").out == f"duplicate {stored.json['id']}\n"


def test_a_refused_statement_exits_with_1_and_is_still_one_json_document(cli, monkeypatch) -> None:
    entry_id = cli("remember", "The linter is flake8.", "--json").json["id"]
    cli("forget", entry_id)
    monkeypatch.setenv("CLAUDECODE", "1")
    refused = cli("remember", "The linter is flake8.", "--json")
    assert (refused.code, refused.json["status"]) == (1, "refused")
    assert "restore" in refused.json["why"]
    assert f"{entry_id} said this and was retired" in cli("remember", "The linter is flake8.").err
    empty = cli("remember", "  ", "--json")
    assert (empty.code, empty.json["status"], empty.json["id"]) == (1, "refused", "")


def test_a_profile_entry_shows_the_share_in_use(cli) -> None:
    done = cli("remember", "Prefers short answers.", "--section", "Preferences")
    assert re.search(r"Profile \d+% - \d+/1,000 characters", done.err)
    assert cli("profile").out == "## Preferences\n- Prefers short answers.\n"


def test_scope_tags_and_names_are_kept(cli, pnpm) -> None:
    shown = cli("show", pnpm, "--json").json
    assert shown["scope"] == "repository"
    assert shown["repository"] == "github.com/owner/app"
    assert shown["tags"] == ["tooling"]
    assert shown["aliases"] == ["installer"]
    assert shown["reason"] == "npm breaks"
    assert cli("remember", "I live in Bonn.", "--scope", "user", "--json").code == 0
    assert [entry["content"] for entry in cli("list", "--scope", "user", "--json").json] == ["I live in Bonn."]


# -- recall and why


def test_recall_prints_its_fixed_fields(cli, pnpm) -> None:
    cli("remember", "The pump station is blue.")
    found = cli("recall", "how", "does", "pnpm", "work?", "--json").json
    assert set(found) >= {"query", "receipt", "tokens", "entries", "left_out"}
    [entry] = found["entries"]
    assert set(entry) >= RECALLED_FIELDS | {"because", "subject"}
    assert (entry["id"], entry["kind"], entry["check"]) == (pnpm, "entry", "verified")
    assert entry["citations"][0]["path"] == "package.json"
    assert found["query"] == "how does pnpm work?"
    line = cli("recall", "pnpm").out.rstrip("\n").split("\t")
    assert (line[0], line[2], line[4]) == (pnpm, "verified", "This repository uses pnpm.")


def test_recall_keeps_to_the_ceilings_and_filters_it_is_given(cli, pnpm) -> None:
    cli("remember", "Its store lives in /var/cache.", "--tag", "cache", "--alias", "installer")

    def ids(*words: str) -> list[str]:
        return [entry["id"] for entry in cli("recall", "the installer", "--json", *words).json["entries"]]

    assert len(ids()) == 2
    assert len(ids("--k", "1")) == 1
    assert ids("--k", "0") == ids("--tokens", "1") == ids("--layer", "L2") == ids("--since", "0h") == []
    assert ids("--tag", "tooling") == [pnpm]
    assert len(ids("--since", "7d", "--layer", "l1,L2")) == 2
    assert ids("--repository", "github.com/other/app") == []


def test_recall_says_that_another_repository_has_a_match_and_not_which(open_memory, tmp_path, cli) -> None:
    other = open_memory(make_repository(tmp_path / "other", remote="git@github.com:owner/other.git"))
    other.remember("The staging database is called otter.")
    done = cli("recall", "what is the staging database called?")
    assert (done.code, done.out) == (0, "")
    assert "1 match in another repository" in done.err
    assert "otter" not in done.err
    assert "otter" in cli("recall", "what is the staging database called?", "--all").out
    other.remember("The staging database of the reports is called heron.")
    assert "2 matches in other repositories" in cli("recall", "what is the staging database called?").err


def test_recall_that_finds_nothing_says_so_and_is_no_error(cli) -> None:
    done = cli("recall", "what is the airspeed of a swallow?")
    assert (done.code, done.out) == (0, "")
    assert done.err.startswith("No match.")
    assert cli("recall", "swallow", "--json").json["entries"] == []


def test_why_shows_the_last_receipt_with_what_its_entries_say_now(cli, pnpm) -> None:
    receipt = cli("recall", "pnpm", "--json").json["receipt"]
    why = cli("why", "--json").json
    assert set(why) >= {"receipt", "session", "turn", "query", "entries", "left_out", "tokens"}
    assert (why["receipt"], why["query"]) == (receipt, "pnpm")
    assert set(why["entries"][0]) >= {"id", "content", "score", "parts", "tokens"}
    assert UTC.fullmatch(why["at"])
    cli("forget", pnpm, "--hard", "--yes")
    later = cli("why", "--receipt", receipt[:20], "--json").json
    assert later["entries"][0]["content"] == "erased"
    assert cli("why", "--session", "s_unknown").code == 1


# -- list, show, history, conflicts


def test_list_prints_its_fixed_fields_and_filters(cli, pnpm) -> None:
    gone = cli("remember", "The CI is Jenkins.", "--json").json["id"]
    cli("forget", gone)
    [entry] = cli("list", "--json").json
    assert set(entry) >= ENTRY_FIELDS
    assert entry["votes"] == {"up": 0, "down": 0}
    assert entry["check"] == "verified"
    assert UTC.fullmatch(entry["created"])

    def ids(*words: str) -> list[str]:
        return [one["id"] for one in cli("list", "--json", *words).json]

    assert ids("--status", "any") == [gone, pnpm]
    assert ids("--status", "any", "--limit", "1") == [gone]
    assert ids("--status", "retired") == [gone]
    assert ids("--tag", "tooling", "--layer", "L1", "--source", "user") == [pnpm]
    assert ids("--tag", "none") == ids("--layer", "L2") == ids("--scope", "user") == ids("--source", "agent") == []
    assert ids("--repository", "github.com/owner/app") == [pnpm]


def test_another_repository_is_listed_only_when_asked_for(cli, pnpm, tmp_path, monkeypatch) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    done = cli("list")
    assert (done.code, done.out) == (0, "")
    assert "--all" in done.err
    assert pnpm in cli("list", "--all").out


def test_show_tells_everything_about_an_entry(cli, pnpm, repository) -> None:
    cli("recall", "pnpm")
    cli("vote", pnpm, "down", "--reason", "it is yarn now")
    (repository / "package.json").unlink()
    shown = cli("show", pnpm[:18], "--json").json
    assert set(shown) >= SHOW_FIELDS
    assert shown["recall_count"] == 1
    assert shown["votes"]["down"] == 1
    assert shown["votes"]["given"][0]["reason"] == "it is yarn now"
    assert shown["citations"][0]["label"] == "package.json"
    assert shown["citations"][0]["check"] == "gone"
    assert [step["action"] for step in shown["history"]] == ["remember", "vote down"]
    assert len(shown["receipts"]) == 1
    text = cli("show", pnpm).out
    assert text.startswith("content: This repository uses pnpm.\n")
    assert "citation: package.json gone\n" in text


def test_history_follows_an_entry_through_its_versions(cli, pnpm) -> None:
    second = cli("edit", pnpm, "--text", "This repository uses pnpm 9 with corepack.", "--json").json["id"]
    third = cli("correct", second, "This repository uses bun.", "--json").json["id"]
    for entry_id in (pnpm, second, third):
        steps = cli("history", entry_id, "--json").json
        assert [step["id"] for step in steps] == [pnpm, pnpm, second, second, third]
        assert [step["action"] for step in steps] == ["remember", "edit", "edit", "correct", "correct"]
    assert steps[1]["changed"]["status"] == {"before": "active", "after": "superseded"}
    assert len(cli("history", third).out.splitlines()) == 5
    assert cli("show", pnpm, "--json").json["superseded_by"] == second


def test_conflicts_are_pairs_until_one_of_them_goes(cli, pnpm) -> None:
    other = cli("remember", "This repository uses npm, not pnpm.", "--json").json
    assert other["conflicts"] == [pnpm]
    [pair] = cli("conflicts", "--json").json
    assert (pair["newer"]["id"], pair["older"]["id"]) == (other["id"], pnpm)
    done = cli("conflicts")
    assert done.out.split("\t")[:2] == [other["id"], pnpm]
    assert "recollect forget ID" in done.err
    cli("forget", pnpm)
    assert cli("conflicts", "--json").json == []
    assert cli("conflicts").code == 0


# -- correct, edit, vote


def test_a_correction_finds_what_it_contradicts_or_takes_an_id(cli, pnpm) -> None:
    first = cli("correct", "This", "repository", "uses", "npm,", "not", "pnpm.", "--json").json
    assert first["superseded"] == [pnpm]
    second = cli("correct", first["id"], "This repository uses yarn.", "--json").json
    assert second["superseded"] == [first["id"]]
    plain = cli("correct", "-", stdin="This repository uses bun, not yarn.")
    assert plain.out.startswith("stored e_")
    assert second["id"] in plain.err
    word = cli("correct", "e_mail is spelled email.", "--json")
    assert word.json["status"] == "stored"


def test_edit_changes_text_and_labels_and_leaves_the_rest(cli, pnpm) -> None:
    assert cli("edit", pnpm, "--tag", "build", "--tag", "node", "--subject", "installer", "--json").json["id"] == pnpm
    shown = cli("show", pnpm, "--json").json
    assert (shown["tags"], shown["subject"], shown["aliases"]) == (["build", "node"], "installer", ["installer"])
    changed = cli("edit", pnpm, "--text", "-", stdin="This repository uses pnpm 9 via corepack.\n").out
    shown = cli("show", changed.split()[1], "--json").json
    assert (shown["content"], shown["tags"]) == ("This repository uses pnpm 9 via corepack.", ["build", "node"])
    assert shown["citations"][0]["path"] == "package.json"
    cli("edit", shown["id"], "--tag", "", "--alias", "", "--reason", "corepack pins it")
    shown = cli("show", shown["id"], "--json").json
    assert (shown["tags"], shown["aliases"], shown["reason"]) == ([], [], "corepack pins it")
    assert cli("edit", shown["id"]).code == 2


def test_relabelling_does_not_move_a_profile_entry_out_of_its_section(cli) -> None:
    entry_id = cli("remember", "Prefers tabs.", "--section", "Style", "--json").json["id"]
    cli("edit", entry_id, "--tag", "editor")
    assert cli("profile").out == "## Style\n- Prefers tabs.\n"


def test_a_down_vote_weighs_twice_in_recall_and_in_confidence(cli, pnpm) -> None:
    def stands() -> tuple[float, float]:
        cli("recall", "which package manager, pnpm?")
        [given] = [one for one in cli("why", "--json").json["entries"] if one["id"] == pnpm]
        return given["parts"]["votes"], cli("show", pnpm, "--json").json["confidence"]

    at_first = stands()
    cli("vote", pnpm, "down", "--reason", "it is yarn now")
    after_down = stands()
    cli("vote", pnpm, "up", "--reason", "it is pnpm after all")
    after_up = stands()
    for first, down, up in zip(at_first, after_down, after_up, strict=True):
        assert first - down == pytest.approx(2 * (up - down))
        assert first > up > down
    cli("vote", pnpm, "up", "--reason", "it is")
    assert stands() == pytest.approx(at_first)


def test_a_vote_counts_and_enough_of_them_take_an_entry_out(cli, pnpm) -> None:
    assert cli("vote", pnpm, "up", "--reason", "right", "--json").json["votes"] == {"up": 1, "down": 0}
    cli("settings", "set", "memory.vote_out_downs", "1")
    cli("vote", pnpm, "down", "--reason", "wrong")
    out = cli("vote", pnpm, "down", "--reason", "wrong")
    assert "restore" in out.err
    assert cli("show", pnpm, "--json").json["status"] == "inactive"


# -- forget, restore, undo


def test_forget_retires_and_restore_brings_back(cli, pnpm) -> None:
    assert cli("forget", pnpm, "--json").json == {"id": pnpm, "status": "tombstone"}
    assert cli("recall", "pnpm", "--json").json["entries"] == []
    assert cli("restore", pnpm, "--json").json["before"] == "tombstone"
    assert cli("restore", pnpm).code == 1


def test_erasing_without_a_terminal_needs_yes(cli, pnpm) -> None:
    refused = cli("forget", pnpm, "--hard")
    assert (refused.code, refused.out) == (1, "")
    assert "--yes" in refused.err
    assert cli("forget", pnpm, "--hard", "--yes", "--json").json["status"] == "erased"
    assert cli("show", pnpm).code == 1
    assert "pnpm" not in cli("export").out


def test_undo_says_in_a_sentence_what_it_took_back(cli, pnpm) -> None:
    cli("forget", pnpm)
    done = cli("undo")
    assert done.err.startswith("Undid change 2 (forget), which touched 1 entry.")
    again = cli("undo", pnpm, "--json")
    assert again.json["action"] == "undo"
    assert cli("show", pnpm, "--json").json["status"] == "tombstone"
    assert cli("undo", "99").code == 1
    assert cli("undo", "2", "--json").json == {
        "change": 2, "action": "forget", "undone_by": 5, "entries": [{"id": pnpm, "status": "active"}]
    }  # fmt: skip


# -- profile


def test_the_profile_is_set_by_section_or_as_a_whole(cli) -> None:
    done = cli("profile", "set", "About", "Works on build tools.\n- Lives in Bonn.", "--json").json
    assert done["text"] == "## About\n- Works on build tools.\n- Lives in Bonn."
    assert (done["characters"], done["limit"], done["share"]) == (len(done["text"]), 1000, len(done["text"]) / 1000)
    assert {entry["section"] for entry in done["entries"]} == {"About"}
    assert cli("profile", "edit", stdin="## Style\n- Prefers tabs.\n").code == 0
    shown = cli("profile", "--json").json
    assert shown["text"] == "## Style\n- Prefers tabs."
    assert cli("profile", "show").err == f"{len(shown['text']) / 1000:.0%} - {len(shown['text'])}/1,000 characters\n"
    assert cli("profile", "set", "Style", "").code == 0
    assert cli("profile").out == ""


def test_an_empty_stdin_does_not_wipe_the_profile(cli) -> None:
    cli("profile", "set", "About", "Works on build tools.")
    assert cli("profile", "edit", stdin="\n").code == 1
    assert "build tools" in cli("profile").out


def test_headings_alone_do_not_wipe_the_profile(cli) -> None:
    cli("profile", "set", "About", "Works on build tools.")
    assert cli("profile", "edit", stdin="## About\n- \n## Work\n").code == 1
    assert "Works on build tools." in cli("profile").out


def test_a_profile_that_does_not_fit_is_refused(cli) -> None:
    done = cli("profile", "set", "About", "word " * 300)
    assert done.code == 1
    assert "1,000" in done.err


# -- tasks and projects


def test_a_task_goes_from_its_beginning_to_the_archive(cli) -> None:
    cli("project", "add", "Build tools")
    task = cli("task", "add", "Move to pnpm", "--state", "lock file done", "--project", "Build tools", "--json").json
    assert set(task) >= TASK_FIELDS
    assert task["status"] == "active"
    assert cli("task", "update", "--state", "tests pass", "--json").json["state"] == "tests pass"
    assert cli("task", "show", "--json").json["id"] == task["id"]
    assert cli("task", "show", "move to PNPM").out.startswith("title: Move to pnpm\n")
    assert cli("task", "update", task["id"][:12], "--status", "paused").code == 0
    assert [one["status"] for one in cli("task", "--json").json] == ["paused"]
    cli("task", "update", "Move to pnpm", "--status", "active")
    done = cli("task", "complete", "--conclusion", "pnpm everywhere", "--json").json
    assert (done["status"], done["state"]) == ("completed", "")
    archived = cli("show", done["archived_as"], "--json").json
    assert archived["layer"] == "L2"
    assert "pnpm everywhere" in archived["content"]
    assert cli("task", "list", "--json").json == []
    assert len(cli("task", "list", "--status", "any", "--json").json) == 1
    assert cli("task", "complete", "Move to pnpm").code == 1
    assert cli("task", "archive", "Move to pnpm", "--json").json["status"] == "archived"


def test_a_project_shows_its_tasks_and_entries(cli) -> None:
    made = cli("project", "add", "Build", "tools", "--notes", "faster", "--json").json
    assert set(made) >= PROJECT_FIELDS
    cli("task", "add", "Move to pnpm", "--project", "Build tools")
    cli("remember", "This repository uses pnpm.", "--project", "Build tools")
    shown = cli("project", "show", "Build tools", "--json").json
    assert [task["title"] for task in shown["tasks"]] == ["Move to pnpm"]
    assert shown["entries"] == 1
    assert cli("project", "update", "Build tools", "--title", "Tools", "--json").json["title"] == "Tools"
    assert cli("project", "list").out.split("\t")[0] == made["id"]
    assert cli("project", "archive", "Tools", "--json").json["status"] == "archived"
    assert cli("project", "--json").json == []


# -- this home


def test_status_prints_its_fixed_fields(cli, pnpm, tmp_path) -> None:
    status = cli("status", "--json").json
    fixed = {"home", "entries", "sessions", "pending", "suggestions", "hosts", "model", "ceilings"}
    assert set(status) >= fixed
    assert status["home"] == str(tmp_path / "home")
    assert status["entries"] == {"L0": 0, "L1": 1, "L2": 0}
    assert status["ceilings"]["recall.max_entries"] == 8
    assert "entries.L1: 1\n" in cli("status").out


def test_settings_say_where_each_value_comes_from(cli, tmp_path, monkeypatch) -> None:
    config = str(tmp_path / "home" / "config.toml")
    assert cli("settings", "path").out == f"{config}\n"
    assert cli("settings", "path", "--json").json == {"path": config}
    assert not Path(config).exists()
    assert cli("settings", "set", "recall.maxEntries", "5").out == "5\n"
    listed = {row["name"]: row for row in cli("settings", "--json").json}
    assert set(listed) == set(ROWS)
    changed = listed["recall.max_entries"]
    assert (changed["value"], changed["default"]) == (5, 8)
    assert changed["origin"].startswith(config)
    assert listed["recall.floor"]["origin"] == "default"
    monkeypatch.setenv("RECOLLECT_RECALL__MAX_ENTRIES", "3")
    assert cli("settings", "get", "recall.max_entries", "--json").json["value"] == 3
    assert "still overrides" in cli("settings", "set", "recall.max_entries", "6").err
    assert cli("settings", "set", "exclude", "a/*, b").out == '["a/*", "b"]\n'
    assert len(cli("settings", "list").out.splitlines()) == len(ROWS)


def test_what_a_repository_may_not_set_is_told_once(cli, repository) -> None:
    (repository / ".recollect.toml").write_text("exclude = ['x']\n")
    for words in (["list"], ["settings", "list"], ["remember", "The linter is ruff."]):
        assert cli(*words).err.count("may not set 'exclude'") == 1


def test_export_prints_its_fixed_fields_and_overwrites_only_with_consent(cli, pnpm, tmp_path) -> None:
    fixed = {"version", "entries", "audit", "board", "sessions", "suggestions", "tasks", "projects", "settings"}
    assert set(cli("export").json) >= fixed
    assert cli("export", "--json").out == cli("export").out
    file = tmp_path / "memory.md"
    told = cli("export", "--format", "markdown", "--out", str(file), "--json").json
    assert (told["path"], told["entries"]) == (str(file), 1)
    assert "- This repository uses pnpm." in file.read_text()
    assert file.stat().st_mode & 0o077 == 0
    assert cli("export", "--out", str(file)).code == 1
    assert file.read_text().startswith("# Recollect export")
    assert cli("export", "--out", str(file), "--yes").code == 0
    assert json.loads(file.read_text())["entries"][0]["id"] == pnpm
    assert cli("export", "--format", "markdown", "--json").code == 2


def test_load_brings_back_what_is_missing_and_skips_the_rest(cli, pnpm, tmp_path) -> None:
    exported = cli("export").out
    assert cli("load", "-", "--json", stdin=exported).json["skipped"] == 1
    other = str(tmp_path / "other")
    assert cli("load", "-", "--home", other, stdin=exported).out == "loaded 1 skipped 0\n"
    assert cli("--home", other, "show", pnpm).code == 0
    assert cli("load", "-", stdin="{}").code == 2


def test_upkeep_that_cannot_be_left_to_a_worker_does_not_fail_what_was_asked_for(cli, monkeypatch) -> None:
    from recollect.errors import StoreBusy

    def busy(*_: object, **__: object) -> bool:
        raise StoreBusy

    monkeypatch.setattr("recollect.flows.upkeep.leave_upkeep.leave_upkeep", busy)
    assert cli("remember", "The linter is ruff.").code == 0


def test_a_repository_is_named_whole_by_its_folder_or_by_a_part(cli, repository, tmp_path) -> None:
    cli("remember", "This repository uses kiwi for its queues.")
    (tmp_path / "other").mkdir()
    for name in ("github.com/owner/app", str(repository), ".", "app", "github.com/own"):
        assert "kiwi" in cli("recall", "kiwi queues", "--repository", name).out, name
        assert "kiwi" in cli("list", "--repository", name).out, name
    assert "kiwi" not in cli("list", "--repository", str(tmp_path / "other")).out
    for command in (["recall", "kiwi queues"], ["list"], ["session", "list"]):
        refused = cli(*command, "--repository", "nope")
        assert refused.code == 1
        assert "No repository is known as 'nope', only github.com/owner/app." in refused.err


def test_a_first_word_that_looks_like_an_id_is_one(cli) -> None:
    cli("remember", "The port is 3000.")
    for name in ("e_nope", "e_01zzz", "e_0i"):
        assert cli("correct", name, "The port is 4000.").code == 1
    assert "4000" not in cli("list").out


def test_a_folder_with_another_remote_is_told_once_where_its_memory_is(cli, repository) -> None:
    cli("remember", "This repository uses kiwi for its queues.")
    git(repository, "remote", "set-url", "origin", "https://gitlab.com/acme/new")
    first, second = cli("list"), cli("list")
    assert "This folder was github.com/owner/app before" in first.err
    assert "recollect list --repository github.com/owner/app" in first.err
    assert "before" not in second.err
    assert "kiwi" in cli("list", "--repository", "github.com/owner/app").out
