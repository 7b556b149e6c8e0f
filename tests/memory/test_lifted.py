"""Lifted text is told from honest facts about the same files."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.lifted import RUN_WORDS, is_lifted
from recollect.memory.origins import origin_of, read_citations
from recollect.model.entries import Citation

FILES = {
    "README.md": """# Ledger

Ledger is a double-entry bookkeeping service for small shops. It exposes a REST API and a small admin UI.

## Getting started

You need Node 20 and pnpm 9. Copy `.env.example` to `.env`, then run `pnpm install` and `pnpm dev`.
The API listens on http://localhost:8080 and the admin UI on port 5173.

## Tests

Run `pnpm test` for unit tests and `pnpm test:e2e` for the browser tests; the latter need Docker.
Money is always stored as integer cents. Never use floats for amounts.

## Deployment

Every push to `main` is deployed to staging. Production deploys are triggered by pushing a tag of the form `v1.2.3`.
Staging lives at https://staging.ledger.example and is reset every night at 03:00 UTC.
""",
    "package.json": """{
  "name": "ledger",
  "packageManager": "pnpm@9.1.0",
  "engines": {"node": ">=20"},
  "scripts": {
    "dev": "tsx watch src/server.ts",
    "build": "tsc -p tsconfig.build.json",
    "test": "vitest run",
    "test:e2e": "playwright test --config e2e/playwright.config.ts",
    "lint": "biome check ."
  },
  "dependencies": {"fastify": "^4.26.0", "drizzle-orm": "^0.30.0", "zod": "^3.22.0"}
}
""",
    "src/auth/token.py": '''"""Access and refresh tokens."""

ACCESS_TTL_SECONDS = 15 * 60
REFRESH_TTL_SECONDS = 30 * 24 * 3600
ALGORITHM = "EdDSA"


def issue(user: User, *, now: float) -> Tokens:
    """Issue a pair of tokens. The refresh token is stored hashed, and can be used once."""
    # We rotate the signing key every 90 days, see ops/rotate_keys.py.
    key = keyring.current()
    raise TokenError("The refresh token was used before; all sessions of this user are revoked.")
''',
    "docker-compose.yml": """services:
  db:
    image: postgres:16
    ports: ["5433:5432"]
  redis:
    image: redis:7-alpine
""",
    ".github/workflows/ci.yml": """name: ci
on: [push, pull_request]
jobs:
  test:
    runs-on: ubuntu-latest
    strategy:
      matrix: {python: ["3.11", "3.12", "3.13"]}
    steps:
      - uses: actions/checkout@v4
      - run: pip install -e .[dev]
      - run: pytest -q --cov=ledger --cov-fail-under=85
""",
    "pyproject.toml": """[tool.ruff]
line-length = 120
target-version = "py311"
[tool.mypy]
strict = true
[tool.pytest.ini_options]
testpaths = ["tests"]
addopts = "-q --strict-markers"
""",
    "docs/architecture.md": """# Architecture

Requests enter through the gateway, which checks the session cookie and adds the tenant id as a header.
Services never talk to each other directly; they publish events on NATS, and the projector builds read models from them.
The write path goes through the journal table, which is append-only: corrections are reversal entries.
Read models may lag behind by up to two seconds.
""",
    "db/schema.sql": """-- Amounts are integer cents. Negative amounts are credits.
CREATE TABLE journal (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id uuid NOT NULL REFERENCES tenants (id),
  amount_cents bigint NOT NULL,
  booked_at timestamptz NOT NULL DEFAULT now()
);
""",
    "Makefile": """test:
\tpytest -q
lint:
\truff check . && mypy
release: test lint
\t./scripts/release.sh
""",
}
# What agents store about such files, in their own words, with the file that shows it.
HONEST = [
    ("README.md", "The API listens on port 8080 and the admin UI on port 5173."),
    ("README.md", "Browser tests need Docker; unit tests do not."),
    ("README.md", "The package manager is pnpm 9, and Node 20 is the minimum."),
    ("README.md", "Staging is deployed from main automatically."),
    ("README.md", "A tag such as v1.2.3 starts the production deploy."),
    ("README.md", "Staging is reset nightly at 03:00 UTC."),
    ("README.md", "Amounts are integer cents everywhere in this codebase."),
    ("README.md", "The staging URL is https://staging.ledger.example."),
    ("package.json", "This repository uses pnpm 9.1.0 (packageManager field)."),
    ("package.json", "Unit tests run on vitest, end-to-end tests on Playwright."),
    ("package.json", "The linter is Biome; `pnpm lint` checks the whole tree."),
    ("package.json", "The web framework is Fastify 4 and the ORM is drizzle."),
    ("package.json", "`pnpm build` compiles with tsconfig.build.json rather than tsconfig.json."),
    ("package.json", "The e2e configuration is in e2e/playwright.config.ts."),
    ("src/auth/token.py", "Access tokens live 15 minutes, refresh tokens 30 days."),
    ("src/auth/token.py", "Tokens are signed with EdDSA."),
    ("src/auth/token.py", "Reusing a refresh token revokes every session of the user."),
    ("src/auth/token.py", "Signing keys are rotated every 90 days by ops/rotate_keys.py."),
    ("docker-compose.yml", "The development database is postgres:16 and is published on port 5433."),
    ("docker-compose.yml", "Redis 7 comes from docker-compose.yml as redis:7-alpine."),
    (".github/workflows/ci.yml", "CI tests Python 3.11, 3.12 and 3.13 on ubuntu-latest."),
    (".github/workflows/ci.yml", "CI fails below 85 % coverage (`--cov-fail-under=85`)."),
    (".github/workflows/ci.yml", "The CI command is `pytest -q --cov=ledger --cov-fail-under=85`."),
    ("pyproject.toml", "The line length is 120 and mypy runs in strict mode."),
    ("pyproject.toml", "pytest runs with -q --strict-markers by default."),
    ("docs/architecture.md", "Services communicate through NATS events, not direct calls."),
    ("docs/architecture.md", "Read models can be two seconds behind the journal."),
    ("docs/architecture.md", "The journal table is append-only; a mistake is corrected with a reversal entry."),
    ("docs/architecture.md", "The gateway checks the session cookie and adds the tenant id header."),
    ("docs/architecture.md", "The projector builds the read models."),
    ("db/schema.sql", "journal.amount_cents is a bigint; negative values are credits."),
    ("db/schema.sql", "booked_at defaults to now() in the journal table."),
    ("Makefile", "`make release` runs tests and linters before scripts/release.sh."),
    ("Makefile", "`make lint` runs ruff and mypy."),
]
LIFTED = [
    ("README.md", "Every push to main is deployed to staging."),
    ("README.md", "Production deploys are triggered by pushing a tag of the form v1.2.3."),
    ("README.md", "STAGING LIVES AT https://staging.ledger.example AND IS RESET every night"),
    ("docs/architecture.md", "Note: the write path goes through the journal table, which is append-only."),
    ("docs/architecture.md", "Services never talk to each other directly; they publish events on NATS."),
    ("src/auth/token.py", "The refresh token was used before; all sessions of this user are revoked."),
    ("src/auth/token.py", "The refresh token is stored hashed, and can be used once."),
    ("db/schema.sql", "Amounts are integer cents. Negative amounts are credits."),
]
MOST_FALSE_ALARMS = 3  # of 34: a sentence, a long command and half a sentence taken over as they stand


def origin(path: str, fact: str) -> str:
    cited = read_citations([path], make=lambda one: Citation("file", path=one), read=FILES.get)
    return origin_of(fact, cited, printed=is_lifted(fact, FILES.values()))


def test_honest_facts_about_a_file_pass() -> None:
    caught = [fact for path, fact in HONEST if origin(path, fact) != "assistant"]
    assert len(caught) <= MOST_FALSE_ALARMS, caught


@pytest.mark.parametrize(("path", "fact"), LIFTED)
def test_a_sentence_of_a_file_is_known_again(path: str, fact: str) -> None:
    assert is_lifted(fact, [FILES[path]])
    assert origin(path, fact) == "document"


WORDS = st.lists(
    st.sampled_from("alpha beta gamma delta omega kappa sigma theta zeta rho".split()), min_size=RUN_WORDS, max_size=12
)


@given(
    WORDS,
    st.sampled_from([" ", "\n", "\n# ", "\n * ", "\n    7\t", "\n12→", " **", "_ _", "</b> <i>", "\\n", ", ", " — "]),
)
def test_six_words_in_a_row_are_found_however_the_source_sets_them(words: list[str], seam: str) -> None:
    source = "before it " + seam.join(words) + " behind it"
    assert is_lifted(" ".join(words), [source])
    assert is_lifted("A preface. " + " ".join(words[:RUN_WORDS]).upper() + "! And more.", ["", source])


@given(WORDS)
def test_five_words_in_a_row_are_not_enough(words: list[str]) -> None:
    assert not is_lifted(" ".join(words[: RUN_WORDS - 1]), [" ".join(words)])


def test_another_order_of_the_same_words_in_one_line_is_lifted_too() -> None:
    source = "12:00 INFO boot\nThe cache is flushed by tools/flush.sh every night\n"
    assert is_lifted("Every night the cache is flushed by tools/flush.sh.", [source])
    assert is_lifted("The cache is flushed every night by tools/flush.sh.", [source])
    assert not is_lifted("The cache is flushed every week by tools/flush.sh.", [source + "week\n"])


@pytest.mark.parametrize(
    "written",
    ["Móney is álways stored as ínteger cents.", "M\u0336oney is a\u0336lways stored as integer cents\u0301."],
)
def test_marks_on_letters_hide_no_lifted_sentence(written: str) -> None:
    assert is_lifted(written, [FILES["README.md"]])


def test_in_a_script_without_spaces_two_signs_count_as_a_word() -> None:
    source = "# 手順\n\nリリースの前に成果物を評価用のサーバーへ送信する。"
    assert is_lifted("成果物を評価用のサーバーへ送信する。", [source])
    assert not is_lifted("成果物はサーバーにある。", [source])


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_text_can_be_compared(statement: str, source: str) -> None:
    assert is_lifted(statement, [source]) in (True, False)


@pytest.mark.parametrize("piece", ["the port is ", "<a", "&", "1\t", "\\n", "a.", "*", "alpha beta gamma delta omega "])
def test_a_long_source_is_compared_in_a_moment(piece: str) -> None:
    source = (piece * 300_000)[:300_000]
    began = time.thread_time()
    is_lifted("The port is the port is the port is 8080. Alpha beta gamma delta omega kappa.", [source])
    assert time.thread_time() - began < 5.0
