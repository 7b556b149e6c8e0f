"""Short forms find what is written out, initials find a name, and a product's name is one word."""

from __future__ import annotations

import pytest

from recollect.text.language.trade_words import in_english
from recollect.text.terms import other_name_tokens, terms
from tests.command_line import Run
from tests.conftest import contents


@pytest.mark.parametrize(
    ("fact", "asked"),
    [
        ("Kubernetes runs in three zones.", "k8s?"),
        ("The k8s version is 1.31.", "which kubernetes version?"),
        ("PostgreSQL listens on 5433.", "which port has pg?"),
        ("The staging database is read only.", "is the staging db read only?"),
    ],
)
def test_a_short_form_and_its_long_form_find_each_other(fact: str, asked: str, memory) -> None:
    memory.remember(fact)
    memory.remember("Marta owns the billing service.")
    assert contents(memory, asked) == [fact]


def test_the_initials_of_a_name_are_a_name(memory) -> None:
    memory.remember("Failed messages are kept for 14 days.", subject="dead letter queue")
    assert contents(memory, "how do we replay items from the DLQ?") == ["Failed messages are kept for 14 days."]
    assert other_name_tokens("dead_letter_queue") == ["=deadletterqueue", "=dlq"]
    assert other_name_tokens("billing service") == ["=billingservice"]


@pytest.mark.parametrize(
    ("fact", "asked"),
    [
        ("Releases are built by GitHub Actions.", "is gha down?"),
        ("Google Cloud Storage holds the backups.", "list our gcs bucket"),
        ("Use Amazon Web Services for mail.", "which aws region?"),
    ],
)
def test_the_initials_of_a_name_in_a_statement_find_it(fact: str, asked: str, cli: Run) -> None:
    cli("remember", fact)
    cli("remember", "Always Push Images by hand.")
    [found] = cli("recall", asked, "--json").json["entries"]
    assert found["content"] == fact
    assert found["because"] in ("gha", "gcs", "aws")


@pytest.mark.parametrize("asked", ["which api?", "is it a bug?"])
def test_initials_that_are_an_everyday_word_are_no_name(asked: str, cli: Run) -> None:
    cli("remember", "We Always Push Images by hand.")
    cli("remember", "Draw with Big Useful Graphs.")
    assert cli("recall", asked, "--json").json["entries"] == []


def test_a_product_is_not_made_of_the_words_in_its_name(memory) -> None:
    memory.remember("My laptop is a MacBook with 16 GB.", scope="user")
    assert contents(memory, "use the book") == []
    assert contents(memory, "how much has my macbook?") == ["My laptop is a MacBook with 16 GB."]
    assert terms("MacBook") == ["macbook"]


@pytest.mark.parametrize("name", ["getInvoiceTotal", "useInvoiceTotal", "isInvoiceTotal", "get_invoice_total"])
def test_the_parts_of_an_identifier_are_found_also_behind_get_use_and_is(name: str, memory) -> None:
    fact = f"{name} rounds half up, to whole cents."
    memory.remember(fact)
    assert contents(memory, "where does the invoice total get rounded?") == [fact]
    assert contents(memory, "why is invoiceTotal failing in the sidebar?") == [fact]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("Wie installiere ich die Abhängigkeiten?", ["We use pnpm, not npm, in this repository."]),
        ("¿en qué puerto corre el dashboard?", ["The admin dashboard runs on port 5180."]),
        ("怎么安装依赖？", ["We use pnpm, not npm, in this repository."]),
        ("Wie wird das Wetter morgen?", []),
        ("quel est le jour de la fête?", []),
    ],
)
def test_a_prompt_in_another_language_finds_what_is_said_in_english(asked: str, found: list[str], memory) -> None:
    memory.remember("We use pnpm, not npm, in this repository.")
    memory.remember("The admin dashboard runs on port 5180.")
    memory.remember("Deploys go through Argo CD on Tuesdays.")
    assert contents(memory, asked) == found


def test_words_of_the_trade_are_known_as_the_index_folds_them() -> None:
    for word in ("Abhängigkeit", "déploiement", "contraseña", "сборки", "zależności"):
        [term] = terms(word)
        assert in_english(term), word
    assert in_english("banana") == []
