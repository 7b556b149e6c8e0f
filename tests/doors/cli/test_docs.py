"""Help and docs say what the commands do, and every example in them runs."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
import pytest

from recollect import Recollect
from recollect.autonomous.raw import RawLine, RawMemory
from recollect.context.compaction import CompactionResult
from recollect.doors.cli.options import Command, Group
from recollect.doors.cli.tree import COMMANDS, cli
from recollect.flows.autonomous.consolidate import consolidate
from recollect.flows.autonomous.extract import keep
from recollect.flows.writes.wanted_changes import StoreEntry, to_payload
from recollect.memory.drafts import prepare
from recollect.memory.exports import parse, to_json
from recollect.model.board import BoardItem
from recollect.model.candidates import Candidate
from recollect.model.drafts import Draft
from recollect.model.messages import Message, Text
from recollect.model.permissions import Approval, Staged
from recollect.model.sessions import Session, Turn
from recollect.model.suggestions import Suggestion
from tests.command_line import clean_environment, process, shown
from tests.fake_clis import Clis, right_answers
from tests.paths import ROOT
from tests.screens import COLOURS, too_wide

DOCS = ROOT / "docs" / "commands.md"
SERVERS = {("mcp",), ("acp",), ("serve",), ("completion",)}  # what they print is a protocol, a link or a script
SAMPLES = {
    "spare": "The changelog follows Keep a Changelog.",
    "pnpm": "This repository uses npm.",
    "test": "The tests run with unittest.",
    "edit": "The database is PostgreSQL 15.",
    "vote": "Deploys need a green pipeline.",
    "hard": "The staging password is in the vault.",
    "dead": "The CI is Jenkins.",
}
# What ID in the page stands for, by how the line starts; the longest start counts. FILE is below.
PLACEHOLDERS = {
    "show": "e_01k0pnpm", "history": "e_01k0pnpm", "correct": "e_01k0test", "edit": "e_01k0edit", "vote": "e_01k0vote",
    "forget": "e_01k0dead", "forget ID --hard": "e_01k0hard", "restore": "e_01k0dead", "undo": "e_01k0vote",
    "session": "s_01k0chat", "session show": "s_01k0login", "session timeline": "s_01k0login",
    "session private": "s_01k0login", "approve": "c_01k0lint", "reject": "c_01k0test",
    "permissions revoke": "a_01k0here", "suggest": "g_01k0pnpm", "suggest edit": "g_01k0lint",
    "suggest dismiss": "g_01k0lint",
}  # fmt: skip
# What the ids in the examples of the help stand for here.
IN_HELP = {
    "e_x7k2m9qf": "e_01k0pnpm", "e_b3w8t5rc": "e_01k0dead", "c_t4w8n2hv": "c_01k0lint", "a_k5d9z3mp": "a_01k0here",
    "g_q2v7h4xs": "g_01k0done", "g_n8r4c6tb": "g_01k0pnpm", "s_w6j3y8fk": "s_01k0chat", "s_p3h6r9kd": "s_01k0login",
}  # fmt: skip
UNENDING = re.compile(r"recollect (serve.*|chat|chat --continue)")  # these go on until somebody ends them
FOR_PROGRAMS = re.compile(r"--json|--output json|--format html|recollect (completion|mcp|hook|acp|export)")
FILES = {"profile edit": "profile.md", "compact": "messages.json", "truncate": "messages.json"}


def walk(command: click.Command, *names: str) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every command below this one, with its names."""
    if names:
        yield names, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from walk(inner, *names, name)


TREE = list(walk(cli))
NAMES = [" ".join(names) for names, _ in TREE]
EXAMPLES = {" ".join(names): command.example for names, command in TREE if isinstance(command, (Command, Group))}


@pytest.fixture(scope="module")
def sample_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the entries that the examples speak of."""
    folder = tmp_path_factory.mktemp("sample")
    ids = {}
    with Recollect.open(str(folder / "first"), folder=str(folder), environ={"HOME": str(folder)}) as memory:
        for name, content in SAMPLES.items():
            ids[memory.remember(content, scope="user").entry_id] = f"e_01k0{name}".ljust(28, "0")
        document = memory.transfer.export()
    text = to_json(document)
    for made, wanted in ids.items():
        text = text.replace(made, wanted)
    with Recollect.open(str(folder / "home"), folder=str(folder), environ={"HOME": str(folder)}) as memory:
        memory.transfer.load(parse(text))
        _add_past(memory)
    return folder / "home"


def _add_past(memory: Recollect) -> None:
    """A session, one of our own with a checkpoint, something that waits, and what sessions of a project left."""
    _write_up(memory)
    with memory.opened.store.write():
        run_tests = ("github.com/owner/app", "main", "user", "run-tests", "How to run the tests", "make test")
        memory.opened.store.board.save(BoardItem(*run_tests))
    chat = memory.own_sessions.create(session_id="s_01k0chat", title="Move to pnpm")
    for asked, answer in (("Move to pnpm", "Moved."), ("Now the docs", "Written.")):
        chat.add(Message("user", (Text(asked),)))
        chat.add(Message("assistant", (Text(answer),)))
    summary, before = "# Moved to pnpm\n\nThe lock file and the docs are done.", chat.messages()
    after = (Message("user", (Text(summary),)), before[-1])
    chat.apply_compaction(CompactionResult("compacted", "", after, summary, 90_000, 12_000), of=before)
    with memory.opened.store.write():
        session = Session("s_01k0login", "codex", "native", title="Fix the login", started=1.0, ended=2.0)
        session_id = memory.opened.store.sessions.save(session)
        memory.opened.store.sessions.add_turns(session_id, [Turn(1, "Fix the login", "Done.", record_id="u1")], [""])
        for name in ("lint", "test"):
            draft = Draft(f"The command to {name} this repository is `make {name}`.", scope="user")
            waiting = Candidate(f"c_01k0{name}", "command", draft, draft.content, created=1.0, expires=4e9)
            memory.opened.store.candidates.offer(waiting, name, most_waiting=20)
        tabs = Draft("Prefers tabs.", scope="user", source="agent", origin="assistant")
        payload = to_payload(StoreEntry(prepare(tabs)))
        memory.opened.store.staged.add(
            Staged("w_01k0tabs", "store", "", payload, tabs.content, "", created=1.0, expires=4e9)
        )
        memory.opened.store.approvals.add(Approval("a_01k0here", "memory", "session", "s_01k0login", 4e9))
    memory.tokens.add("old")


def _write_up(memory: Recollect) -> None:
    """Two versions of the artifacts of the repository that the examples run in."""
    repository, store = "github.com/owner/app", memory.opened.store
    session = Session("s_01k0ports", "codex", "ports", repository=repository, title="Ports", started=1.0, ended=2.0)
    with store.write():
        store.sessions.save(session)
        store.sessions.add_turns(session.session_id, [Turn(1, "See above", record_id="p1")], [repository])
        line = RawLine("fact", "The dev server listens on port 4310.", 1, 2.0)
        keep(RawMemory(session.session_id, repository, lines=(line,), at=2.0), store, now=2.0)
    for _ in range(2):
        consolidate(repository, memory.opened, forced=True)


@pytest.fixture
def place(sample_home: Path, repository: Path, tmp_path: Path) -> tuple[Path, dict[str, str]]:
    """A repository, and the environment of a user with a copy of the sample home."""
    shutil.copytree(sample_home, tmp_path / "home")
    (tmp_path / "user").mkdir()
    (repository / "package.json").write_text("{}\n")
    (repository / "CLAUDE.md").write_text("- Run the linter before a commit.\n")
    (repository / "messages.json").write_text('[{"role": "user", "content": "Fix the login"}]\n')
    (repository / "profile.md").write_text("## About\n- Works on build tools.\n")
    Clis(tmp_path / "clis").make("claude", right_answers())
    _add_suggestions(tmp_path / "home", repository, tmp_path / "user")
    return repository, clean_environment(tmp_path / "home", tmp_path / "user")


def _add_suggestions(home: Path, repository: Path, user: Path, names: Sequence[str] = ("done", "pnpm", "lint")) -> None:
    """Some that wait, and one that was applied."""
    with Recollect.open(str(home), folder=str(repository), environ={"HOME": str(user)}) as memory:
        for name in names:
            path = f".github/instructions/{name}.instructions.md"
            fact, after = f"Use {name}.", f"# {name}\n\n- Use {name}.\n"
            one = Suggestion(
                f"g_01k0{name}", memory.repository.repository, fact, (), "newFile", path, "create", None, after, 0.9, "",
                "", (), name, root=str(repository), created=1.0, updated=1.0,
            )  # fmt: skip
            with memory.opened.store.write():
                memory.opened.store.suggestions.add(one)
        if "done" in names:
            memory.suggestions.apply("g_01k0done")


def with_model(line: str, environ: dict[str, str]) -> dict[str, str]:
    """The environment of a line. Only what asks a model finds one: doctor would say that the CLI is not connected."""
    folder = Path(environ["RECOLLECT_HOME"]).with_name("clis")
    if line.startswith("recollect chat"):
        answers = folder.with_name("answers.json")
        answers.write_text('[{"say": "It uses pnpm."}]')
        return {**environ, "RECOLLECT_MODELS__DEFAULT": f"scripted:{answers}"}
    if line.startswith("recollect acp"):
        folder.with_name("agents").mkdir(exist_ok=True)
        agent = folder.with_name("agents") / "goose"
        agent.write_text("#!/bin/sh\nexec cat\n")
        agent.chmod(0o700)
        return {**environ, "PATH": f"{agent.parent}:{environ['PATH']}"}
    return {**environ, "PATH": f"{folder}:{environ['PATH']}"} if line.startswith("recollect models") else environ


def filled(line: str) -> str:
    """A line of the page as its reader would type it."""
    rest = line.removeprefix("recollect ")
    for word, meant in (("ID", PLACEHOLDERS), ("FILE", FILES)):
        if re.search(rf"\b{word}\b", rest):
            start = max((one for one in meant if rest.startswith(one)), key=len)
            line = re.sub(rf"\b{word}\b", meant[start], line)
    return line


def test_every_command_says_what_it_does_and_gives_an_example() -> None:
    for names, command in TREE:
        assert " ".join(names) in EXAMPLES, "made with our own Command or Group"
        text = command.get_help(click.Context(command, info_name=f"recollect {' '.join(names)}"))
        assert re.search(r"\n\n  [A-Z][^\n]+\.\n", text), f"{names} has no description in one sentence"
        assert re.search(rf"\nExample:\n  recollect {names[0]}\b", text), f"{names} has no example"


def test_every_command_that_prints_data_has_json() -> None:
    for names, command in TREE:
        if not isinstance(command, click.Group) and names not in SERVERS:
            assert "as_json" in [parameter.name for parameter in command.params], names


def test_the_list_of_commands_says_what_their_own_help_says() -> None:
    for name, (_, line) in COMMANDS.items():
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        assert command.name == name
        assert line == (command.help or "").strip().split("\n")[0]


def test_a_command_that_an_agent_is_refused_says_so_in_its_help(place) -> None:
    repository, environ = place
    said = {" ".join(names) for names, command in TREE if getattr(command, "needs_person", False)}
    assert {"settings set", "load", "token add", "approve"} < said
    refused = set()
    for names, command in TREE:
        name = " ".join(names)
        example = EXAMPLES[name]
        if names not in SERVERS and not isinstance(command, Group):
            done = process(example, repository, {**with_model(example, environ), "CLAUDECODE": "1"})
            if "needs a person" in done.err:
                refused.add(name)
    assert refused == said | {"token revoke"}, "this one a script may run"
    for name in said:
        assert process(f"recollect {name} --help", repository, environ).out.count("Only you can run this") == 1
    for name in ("import", "forget", "session private"):
        text = process(f"recollect {name} --help", repository, environ).out
        assert "Only you can" in " ".join(text.split()), "it needs a person for one of its options"


@pytest.mark.parametrize("name", NAMES)
def test_every_command_is_documented(name) -> None:
    text = DOCS.read_text()
    assert f"\n### {name.split()[0]}\n" in text
    assert re.search(rf"^recollect {name}\b", text, re.MULTILINE), f"docs/commands.md has no example of {name}"


def test_every_option_that_the_docs_name_exists() -> None:
    known = {option for _, command in TREE for parameter in command.params for option in parameter.opts}
    assert set(re.findall(r"--[a-z][a-z-]*", DOCS.read_text())) <= known | {"--version", "--help"}


def test_every_example_of_the_help_runs(place) -> None:
    repository, environ = place
    home = Path(environ["RECOLLECT_HOME"])
    process("recollect export --format markdown --out memory.md", repository, environ)
    kept = home.with_name("kept")
    for line in ('task add "Move to pnpm"', 'project add "Build tools"', "forget e_01k0dead", "recall npm"):
        assert process(f"recollect {line}", repository, environ).code == 0
    shutil.copytree(home, kept)
    for name, printed in EXAMPLES.items():
        example = re.sub(r"\b[a-z]_[a-z0-9]{8}\b", lambda found: IN_HELP.get(found[0], found[0]), printed)
        shutil.rmtree(home)
        shutil.copytree(kept, home)
        if name == "export":
            (repository / "memory.md").unlink()
        if name.startswith("models"):
            process("recollect models use claude", repository, environ)
        done = process(example, repository, with_model(example, environ))
        assert done.code == 0, (example, done)


def lines_of(page: Path) -> list[str]:
    """The commands of ours that a page gives its reader to copy."""
    blocks = re.findall(r"```sh\n(.*?)```", page.read_text(), re.DOTALL)
    return [line for block in blocks for line in block.splitlines() if line.startswith("recollect")]


def test_every_example_of_the_docs_runs_from_top_to_bottom(place) -> None:
    repository, environ = place
    lines = lines_of(DOCS)
    assert len(lines) > 40
    for line in lines:
        ready_for(line, repository, environ)
        done = process(filled(line), repository, with_model(line, environ))
        assert done.code == 0, (line, done)
        assert "\x1b" not in done.out


def ready_for(line: str, repository: Path, environ: dict[str, str]) -> None:
    """What a line of the page needs that lines above it took away."""
    if line.startswith("recollect suggest show"):  # `up` drops those that rest on no fact
        _add_suggestions(Path(environ["RECOLLECT_HOME"]), repository, Path(environ["HOME"]), ("pnpm", "lint"))


@pytest.mark.parametrize("colour", [True, False], ids=["colour", "no colour"])
@pytest.mark.parametrize("page", ["commands", "autonomous", "board", "chat", "settings", "suggestions"])
def test_on_a_terminal_of_eighty_columns_every_example_fits(page: str, colour: bool, place) -> None:
    repository, environ = place
    for line in lines_of(ROOT / "docs" / f"{page}.md"):
        if UNENDING.fullmatch(line):
            continue
        if page == "commands":
            ready_for(line, repository, environ)
        code, screen = shown(filled(line), repository, with_model(line, environ), colour=colour)
        assert code == 0, (line, screen.raw)
        assert colour or not COLOURS.search(screen.raw), line
        assert FOR_PROGRAMS.search(line) or too_wide(screen) == [], line


def test_the_page_says_which_words_its_reader_replaces() -> None:
    text = DOCS.read_text()
    lines = "\n".join(re.findall(r"```sh\n(.*?)```", text, re.DOTALL))
    assert not re.search(r"\b[a-z]_01[a-z0-9]+", text), "an id that nobody has"
    assert set(re.findall(r"\b[A-Z]{2,}\b(?!\.)", re.sub(r'"[^"]*"', "", lines))) == {"ID", "FILE"}
    assert re.search(r"Replace the words in capitals first: ID\b.*\bFILE\b", text, re.DOTALL)
