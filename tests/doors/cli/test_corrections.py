"""`recollect correct`, as somebody uses it who has just begun."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command_line import RECOLLECT, Run, clean_environment
from tests.conftest import make_repository
from tests.terminals import Terminal


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "user").mkdir(exist_ok=True)
    return clean_environment(tmp_path / "home", tmp_path / "user", TERM="xterm")


def active(cli: Run) -> list[str]:
    return [entry["content"] for entry in cli("list", "--json").json if entry["status"] == "active"]


@pytest.mark.parametrize(
    ("stored", "said", "now"),
    [
        ("The database is MySQL 8.", "The database is PostgreSQL 16.", "The database is PostgreSQL 16."),
        ("The database is MySQL 8.", "We use PostgreSQL 16 now.", "The database is PostgreSQL 16."),
        ("The database is MySQL 8.", "It's PostgreSQL 16, not MySQL.", "The database is PostgreSQL 16."),
        ("We use Node 18.", "We use Bun 1.2, not Node.", "We use Bun 1.2."),
        (
            "Deploys run from the main branch only.",
            "Deploys run from the release branch only.",
            "Deploys run from the release branch only.",
        ),
        (
            "The API runs on port 8080 on host alpha.",
            "The API runs on port 9090 on host beta.",
            "The API runs on port 9090 on host beta.",
        ),
        ("The timeout is 30 seconds.", "The timeout is 2 minutes.", "The timeout is 2 minutes."),
        (
            "The timeout is 30 seconds for uploads and 10 seconds for downloads.",
            "The timeout for downloads is 20 seconds.",
            "The timeout is 30 seconds for uploads and 20 seconds for downloads.",
        ),
        (
            "The API is on port 8080 and the admin on port 8081.",
            "The admin is on 9091, API as before.",
            "The API is on port 8080 and the admin on port 9091.",
        ),
        ("CI runs on GitHub Actions.", "CI runs on GitLab now.", "CI runs on GitLab now."),
        (
            "The API is deployed to Fly.",
            "The API is deployed to Render. The web app stays on Fly.",
            "The API is deployed to Render. The web app stays on Fly.",
        ),
    ],
)
def test_a_correction_leaves_one_true_sentence(cli: Run, stored: str, said: str, now: str) -> None:
    cli("remember", stored)
    done = cli("correct", said)
    assert done.code == 0
    assert f"It now says: “{now}”" in done.err
    assert active(cli) == [now]


@pytest.mark.parametrize(
    ("stored", "said"),
    [
        ("The timeout is 30 seconds for uploads and 10 seconds for downloads.", "The timeout is 20 seconds."),
        ("Deploys are at 9:00 on staging and at 17:00 on production.", "Deploys are at 18:00 now."),
        ("The frontend is React with Redux.", "The frontend is Svelte; React stays in the admin."),
        ("Ana reviews billing and Ben does search.", "Cleo took the billing reviews, search as before."),
    ],
)
def test_a_fact_that_a_correction_tells_only_a_part_of_stays_and_is_flagged(cli: Run, stored: str, said: str) -> None:
    cli("remember", stored)
    done = cli("correct", said)
    assert f"It may correct “{stored}”; if so, run `recollect correct " in done.err
    assert sorted(active(cli)) == sorted((stored, said))
    [pair] = cli("conflicts", "--json").json
    assert {one["content"] for one in pair.values()} == {stored, said}


@pytest.mark.parametrize(
    ("stored", "said", "now"),
    [
        (
            "The mail worker is called heron.",
            "The mail worker is called falcon.",
            "The mail worker is called falcon.",
        ),
        ("The mail worker is called heron.", "Our worker is now called falcon.", "The mail worker is called falcon."),
        ("The mail worker is called heron.", "We call the mail worker falcon.", "The mail worker is called falcon."),
        ("The mail worker's name is heron.", "The mail worker is called falcon.", "The mail worker's name is falcon."),
        ("The mail worker goes by heron.", "The mail worker was renamed to falcon.", "The mail worker goes by falcon."),
        (
            "The staging database is named alpha.",
            "The staging database is called delta.",
            "The staging database is named delta.",
        ),
        (
            "The release bot, called `heron`, tags.",
            "The release bot is called owl.",
            "The release bot, called `owl`, tags.",
        ),
        (
            "The staging server is called alpha and the production server is called beta.",
            "The production server is called gamma.",
            "The staging server is called alpha and the production server is called gamma.",
        ),
        ("Der neue Server heißt Reiher.", "Der Server heißt jetzt Falke.", "Der neue Server heißt Falke."),
        (
            "Le serveur de test s'appelle héron.",
            "Le serveur de test s'appelle faucon.",
            "Le serveur de test s'appelle faucon.",
        ),
        (
            "El servidor nuevo se llama garza.",
            "El servidor nuevo se llama halcón.",
            "El servidor nuevo se llama halcón.",
        ),
        (
            "The mail worker runs on Kubernetes.",
            "The mail worker is called falcon now.",
            "The falcon (formerly mail worker) runs on Kubernetes.",
        ),
    ],
)
def test_a_new_name_takes_the_place_of_the_old_name(cli: Run, stored: str, said: str, now: str) -> None:
    cli("remember", stored)
    cli("correct", said)
    assert active(cli) == [now]


@pytest.mark.parametrize(
    "stored",
    [
        ("The staging server is called alpha.", "The production server is called beta."),
        ("The staging server runs in Paris.", "The production server runs in Oslo."),
        ("The mail server is called alpha and the web server is called beta.",),
    ],
)
def test_a_name_for_one_of_several_things_changes_none_of_them(cli: Run, stored: tuple[str, ...]) -> None:
    for text in stored:
        cli("remember", text)
    cli("correct", "The server is called falcon.")
    assert sorted(active(cli)) == sorted((*stored, "The server is called falcon."))
    assert cli("conflicts", "--json").json


def test_the_name_of_one_thing_is_not_put_in_the_place_of_the_name_of_another(cli: Run) -> None:
    cli("remember", "The mail worker is called heron.")
    cli("correct", "The image worker is called falcon.")
    assert sorted(active(cli)) == ["The image worker is called falcon.", "The mail worker is called heron."]


@pytest.mark.parametrize(
    ("stored", "said", "kept"),
    [
        (
            "The build takes 9 minutes and needs Java 17.",
            "The build no longer needs Java 17.",
            "The build takes 9 minutes.",
        ),
        ("The build takes 9 minutes and needs Java 17.", "Java 17 is no longer needed.", "The build takes 9 minutes."),
        (
            "e2e tests take 20 minutes and need Docker.",
            "e2e tests no longer need Docker.",
            "e2e tests take 20 minutes.",
        ),
        (
            "The importer requires Redis and runs every 5 minutes.",
            "The importer doesn't require Redis any more.",
            "The importer runs every 5 minutes.",
        ),
        (
            "The deploy is manual and takes 10 minutes.",
            "The deploy is not manual any more.",
            "The deploy takes 10 minutes.",
        ),
        (
            "The frontend is built with Vite and deployed to Vercel.",
            "The frontend is no longer built with Vite.",
            "The frontend is deployed to Vercel.",
        ),
        (
            "Der Build dauert 9 Minuten und braucht Java.",
            "Der Build braucht kein Java mehr.",
            "Der Build dauert 9 Minuten.",
        ),
    ],
)
def test_the_part_that_has_not_ended_stays(cli: Run, stored: str, said: str, kept: str) -> None:
    cli("remember", stored)
    cli("correct", said)
    assert active(cli) == [f"{kept} {said}"]


def test_a_statement_stays_where_the_part_that_has_not_ended_is_no_sentence(cli: Run) -> None:
    cli("remember", "The build needs Java 17 and Docker.")
    cli("correct", "The build no longer needs Java 17.")
    assert sorted(active(cli)) == ["The build needs Java 17 and Docker.", "The build no longer needs Java 17."]
    assert cli("conflicts", "--json").json


def test_the_whole_new_text_is_printed(cli: Run) -> None:
    cli("remember", "The nightly export of all invoices and credit notes to the archive bucket starts at 01:00.")
    done = cli("correct", "The nightly export of all invoices and credit notes to the archive bucket starts at 03:00.")
    assert (
        "It now says: “The nightly export of all invoices and credit notes to the archive bucket starts at 03:00.”"
        in (done.err)
    )


@pytest.mark.parametrize(
    ("old", "said", "now"),
    [
        ("Commit messages use emojis.", "no emojis in commit messages", "No emojis in commit messages."),
        ("The web client uses default exports.", "no default exports in the web client", "No default exports"),
        ("We squash-merge pull requests.", "stop squash-merging pull requests", "Stop squash-merging pull requests."),
        ("The nightly backup runs at 03:00 UTC.", "stop the nightly backup", "Stop the nightly backup."),
        ("This repository uses npm.", "no, we use pnpm", "This repository uses pnpm."),
    ],
)
def test_a_prohibition_keeps_its_no(cli: Run, old: str, said: str, now: str) -> None:
    cli("remember", old)
    cli("correct", said)
    assert active(cli)[0].startswith(now)


def answer(terminal: Terminal, question: str, keys: str) -> str:
    """Everything the terminal showed, once the question was answered."""
    terminal.until(question)
    terminal.press(keys)
    assert terminal.end() == 0
    return " ".join(terminal.shown.split())


def test_what_two_contradicting_entries_say_is_replaced_by_one_entry(cli: Run) -> None:
    cli("remember", "The deploy target is Render.")
    cli("remember", "The deploy target is Fly.")
    done = cli("correct", "The deploy target is Netlify.")
    assert "contradicts" not in done.err
    assert "Render" in done.err
    assert "Fly" in done.err
    assert active(cli) == ["The deploy target is Netlify."]
    assert cli("conflicts", "--json").json == []


def test_each_entry_that_one_correction_changes_is_shown(cli: Run) -> None:
    cli("remember", "The frontend uses pnpm for installs.")
    cli("remember", "The backend uses pnpm for installs.")
    done = cli("correct", "We moved from pnpm to bun.")
    for entry in cli("list", "--json").json:
        assert f"stored {entry['id']}" in done.out
        assert f"It now says: “{entry['content']}”" in done.err
    cli("undo")
    changed = cli("correct", "We moved from pnpm to bun.", "--json").json
    assert {changed["id"], *changed["also"]} == {entry["id"] for entry in cli("list", "--json").json}


def test_a_terminal_asks_which_tool_is_replaced_and_shows_what_still_contradicts(
    cli: Run, repository: Path, environ: dict[str, str]
) -> None:
    cli("remember", "We use pnpm.")
    cli("remember", "We use yarn.")
    shown = answer(Terminal([RECOLLECT, "correct", "We use bun."], repository, environ), "0 to keep them", "1\n")
    assert "1 We use pnpm. would say: We use bun. 2 We use yarn. would say: We use bun. Which" in shown
    assert sorted(active(cli)) == ["We use bun.", "We use yarn."]
    [pair] = cli("conflicts", "--json").json
    assert {one["content"] for one in pair.values()} == {"We use bun.", "We use yarn."}


@pytest.mark.parametrize(
    ("keys", "left"),
    [
        ("1\n", ["The API deploys to Render.", "The web app deploys to Fly."]),
        ("a\n", ["The API deploys to Render.", "The web app deploys to Render."]),
        ("\n0\n", ["It deploys to Render.", "The API deploys to Fly.", "The web app deploys to Fly."]),
    ],
)
def test_whoever_is_asked_chooses_one_all_or_none_and_only_a_part_changes(
    cli: Run, repository: Path, environ: dict[str, str], keys: str, left: list[str]
) -> None:
    cli("remember", "The API deploys to Fly.")
    cli("remember", "The web app deploys to Fly.")
    shown = answer(
        Terminal([RECOLLECT, "correct", "It deploys to Render."], repository, environ), "0 to keep them", keys
    )
    assert sorted(active(cli)) == left
    assert "“It deploys to Render.”" not in shown


def test_whoever_breaks_off_the_question_stores_nothing(cli: Run, repository: Path, environ: dict[str, str]) -> None:
    cli("remember", "The API deploys to Fly.")
    cli("remember", "The web app deploys to Fly.")
    terminal = Terminal([RECOLLECT, "correct", "It deploys to Render."], repository, environ)
    terminal.until("0 to keep them")
    assert terminal.interrupt() == 130
    everything = cli("list", "--status", "any", "--json").json
    assert len(everything) == 2


def test_a_correction_that_names_neither_of_two_servers_changes_neither(cli: Run) -> None:
    servers = ["The dev server listens on port 3000.", "The staging server listens on port 8080."]
    for statement in servers:
        cli("remember", statement)
    done = cli("correct", "The server listens on port 9000.")
    assert "It could correct any of" in done.err
    assert set(active(cli)) == {*servers, "The server listens on port 9000."}
    assert len(cli("conflicts", "--json").json) == 1


def test_a_correction_of_nothing_says_so_and_is_a_fact_like_others(cli: Run) -> None:
    done = cli("correct", "The capital of France is Paris.")
    assert "There was nothing to correct, so it was stored as a new fact." in done.err
    [entry] = cli("list", "--json").json
    assert entry["tags"] == []


def test_a_person_who_says_the_old_fact_again_is_told_what_it_contradicts(cli: Run) -> None:
    old = cli("remember", "The API deploys to Fly.", "--json").json["id"]
    cli("correct", old, "Ship with the script in ops/.")
    done = cli("remember", "The API deploys to Fly.")
    assert "You had replaced this with “Ship with the script in ops/.”; both are active now." in done.err
    assert "see `recollect conflicts`" in done.err
    assert len(cli("conflicts", "--json").json) == 1


@pytest.mark.parametrize("command", ["remember", "correct"])
@pytest.mark.parametrize("away", ["is_cut_loose", "is_piped"])
def test_a_script_does_not_bring_back_what_a_person_replaced(
    cli: Run, monkeypatch: pytest.MonkeyPatch, command: str, away: str
) -> None:
    old = cli("remember", "This repository uses pnpm.", "--json").json["id"]
    cli("correct", "We use bun, not pnpm.")
    monkeypatch.setattr(f"recollect.flows.writes.actors.{away}", lambda: True)
    done = cli(command, "This repository uses pnpm.")
    assert done.code == 1
    assert f"only the user can bring it back, in their own terminal (`recollect restore {old}`)" in done.err
    assert active(cli) == ["This repository uses bun."]


def test_a_restored_entry_says_that_it_contradicts_what_replaced_it(cli: Run) -> None:
    old = cli("remember", "The API deploys to Fly.", "--json").json["id"]
    cli("correct", old, "Ship with the script in ops/.")
    cli("forget", old)
    assert "It contradicts another entry; see `recollect conflicts`." in cli("restore", old).err
    assert len(cli("conflicts", "--json").json) == 1


def test_a_restored_entry_of_another_repository_names_the_command_that_shows_it(
    cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = cli("remember", "The API uses tabs for indentation.", "--json").json["id"]
    cli("forget", old)
    cli("remember", "The API uses spaces for indentation.")
    monkeypatch.chdir(make_repository(tmp_path / "other", remote="git@github.com:owner/other.git"))
    assert "see `recollect conflicts --all`" in cli("restore", old).err


def test_whoever_erases_a_replaced_entry_hears_what_may_still_quote_it(cli: Run) -> None:
    old = cli("remember", "This repository uses pnpm.", "--json").json["id"]
    new = cli("correct", "We moved from pnpm to bun.", "--json").json["id"]
    assert f"{new} took its place and may still quote it" in cli("forget", old, "--hard", "--yes").err


def test_what_is_only_a_secret_is_refused(cli: Run) -> None:
    key = "sk-ant-api03-" + "a1B2" * 23 + "x-AA"
    for command in ("remember", "correct"):
        done = cli(command, f"My API key is {key}")
        assert done.code == 1
        assert "That says nothing without the secret" in done.err
        assert key not in done.err
    assert cli("list", "--json").json == []


@pytest.mark.parametrize(
    ("known", "said", "now"),
    [
        ("The backend runs on Node 18.", "not 18 but 20", "The backend runs on Node 20."),
        ("Deploys go to Heroku.", "not Heroku, Render", "Deploys go to Render."),
        ("The frontend uses webpack.", "It is not webpack, but vite", "The frontend uses vite."),
        ("The linter is eslint.", "not eslint but biome", "The linter is biome."),
    ],
)
def test_what_it_is_not_may_be_said_first(cli: Run, known: str, said: str, now: str) -> None:
    cli("remember", "Logs go to stderr.")
    cli("remember", known)
    cli("correct", said)
    assert {one["content"] for one in cli("list", "--json").json} == {"Logs go to stderr.", now}


@pytest.mark.parametrize("said", ["never mind", "forget it", "I do not know", "It is 3001", "should be green", "bun"])
def test_a_correction_that_says_nothing_by_itself_changes_nothing(cli: Run, said: str) -> None:
    known = "This repository uses bun (formerly pnpm), not npm."
    cli("remember", known)
    done = cli("correct", said)
    assert (done.code, "nothing was changed" in done.err.lower()) == (1, True)
    assert [one["content"] for one in cli("list", "--json").json] == [known]
    assert cli("correct", "This repository uses deno.").code == 0


@pytest.mark.parametrize("how", ["correct", "edit"])
@pytest.mark.parametrize("cited", ["src/price.py:1", "src/price.py#CURRENCY", "src/price.py"])
def test_a_person_who_corrects_a_fact_cites_the_file_as_it_is_now(
    cli: Run, repository: Path, how: str, cited: str
) -> None:
    price = repository / "src" / "price.py"
    price.parent.mkdir(exist_ok=True)
    price.write_text('CURRENCY = "EUR"\nRATE = 2\n')
    old = cli("remember", "CURRENCY is EUR.", "--cite", cited, "--json").json["id"]
    price.write_text('CURRENCY = "USD"\nRATE = 2\n')
    assert [one["check"] for one in cli("list", "--json").json] == ["changed"]
    if how == "correct":
        cli("correct", "CURRENCY is USD.")
    else:
        cli("edit", old, "--text", "CURRENCY is USD.")
    [entry] = [one for one in cli("list", "--json").json if one["status"] == "active"]
    assert (entry["content"], entry["check"]) == ("CURRENCY is USD.", "verified")


def test_a_new_label_does_not_say_that_a_changed_file_was_read(cli: Run, repository: Path) -> None:
    (repository / "price.py").write_text('CURRENCY = "EUR"\n')
    old = cli("remember", "CURRENCY is EUR.", "--cite", "price.py:1", "--json").json["id"]
    (repository / "price.py").write_text('CURRENCY = "USD"\n')
    cli("edit", old, "--tag", "money")
    assert [one["check"] for one in cli("list", "--json").json] == ["changed"]


@pytest.mark.parametrize("said", ["We use npm now.", "we use npm"])
def test_what_has_ended_is_not_said_of_what_takes_its_place(cli: Run, said: str) -> None:
    cli("remember", "We dropped pnpm.")
    cli("correct", said)
    assert "We dropped npm." not in active(cli)


def test_a_person_sees_what_an_entry_would_say_before_they_agree(
    cli: Run, repository: Path, environ: dict[str, str]
) -> None:
    cli("remember", "The staging server is called alpha.")
    cli("remember", "The production server is called beta.")
    terminal = Terminal([RECOLLECT, "correct", "The server is called falcon."], repository, environ)
    shown = answer(terminal, "0 to keep them", "1\n")
    number = "1" if "1 The staging server" in shown else "2"
    assert f"{number} The staging server is called alpha. would say: The staging server is called falcon." in shown


def test_a_correction_that_says_nothing_by_itself_is_refused_before_anybody_is_asked(
    cli: Run, repository: Path, environ: dict[str, str]
) -> None:
    cli("correct", "We stopped using pnpm.")
    terminal = Terminal([RECOLLECT, "correct", "actually it is npm"], repository, environ)
    terminal.until("write the whole sentence")
    assert terminal.end() != 0
    assert active(cli) == ["We stopped using pnpm."]


@pytest.mark.parametrize(
    ("old", "said"),
    [
        ("We use Jest, not Mocha.", "We use Vitest, not Mocha."),
        ("This repository uses yarn, not npm.", "This repository uses pnpm 9, not npm."),
        ("CI runs on CircleCI, no longer on Travis.", "CI runs on GitHub Actions, no longer on Travis."),
        ("The log level is warn instead of info.", "The log level is debug instead of info."),
        ("We use 2 spaces, not tabs.", "We use tabs, not 4 spaces."),
    ],
)
def test_a_new_value_never_takes_the_place_of_what_a_thing_is_not(cli: Run, old: str, said: str) -> None:
    cli("remember", old)
    assert cli("correct", said).code == 0
    assert said in active(cli)


@pytest.mark.parametrize("said", ["no, npm is right", "npm is wrong", "pnpm, not npm"])
def test_a_verdict_alone_replaces_nothing(cli: Run, said: str) -> None:
    cli("remember", "This repository uses yarn.")
    assert cli("correct", said).code == 1
    assert active(cli) == ["This repository uses yarn."]
