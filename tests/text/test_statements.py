"""Statements: when two of them say the same, contradict each other, or have nothing to do with each other."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.text.language import lexicon
from recollect.text.language.statements import (
    is_hedged,
    is_question,
    near_identical,
    normalise,
    opposite,
    relation,
    similarity,
    statement_key,
    subject_key,
    subject_of,
)


def pairs(table: str) -> list[tuple[str, str]]:
    """One `a | b` or several, parted by `||`, on a line."""
    lines = [line for line in table.strip().splitlines() if not line.startswith("# ")]
    found = [pair.split(" | ") for line in lines for pair in line.split(" || ")]
    return [(a, b) for a, b in found]


SAME = pairs("""
This repository uses pnpm. | this repository uses `pnpm` || Don't use npm | Do not use npm.
The tests aren't run on CI | Tests are not run on CI! || **Use tabs** | use tabs || - Use _tabs_ | Use tabs
The deploy target is Fly.io | deploy target is Fly.io. || Ｐｏｒｔ ３０００ | port 3000
We cannot force-push | we can't force-push || The limit is 1,000 requests | The limit is 1000 requests
It’s “done” | it is done || python>=3.11 | Python >= 3.11
このリポジトリは pnpm を使う。 | このリポジトリはpnpmを使う || 使用 pnpm，不要用 npm。 | 使用pnpm,不要用npm
""")

DIFFERENT_KEYS = pairs("""
Python 3.11 | Python 3.12 || API v1 | API v2 || Use npm | Do not use npm || python > 3.11 | python < 3.11
Edit src/app.py | Edit src/apps.py || Written in C | Written in C++ || Written in C++ | Written in C#
The field is user_id | The field is user.id || Run with --fix | Run with fix || cache hit rate 5% | cache hit rate 5
!!! | ???
""")

NEAR = pairs("""
This repository uses pnpm | We use pnpm || Use tabs for indentation | Tabs are used for indentation
Run ruff before committing | Before committing, run ruff
The user prefers concise replies | User prefers concise responses
Tests must run in parallel | The tests should run in parallel
Zhang San approves the budget | Zhang San approved budgets || We use pnpm, not npm | Use pnpm instead of npm
Use pnpm rather than npm | Don't use npm, use pnpm || Telemetry is disabled | Telemetry is not enabled
The database is PostgreSQL | The database is postgres
Config lives in the config folder | The config lives in the config directory
Never push to main | Do not push to main || このプロジェクトはpnpmを使います | このリポジトリはpnpmを使う
我们使用pnpm而不是npm | 这个项目用pnpm，不用npm || Wir verwenden pnpm, nicht npm | Wir nutzen pnpm statt npm
User prefers concise replies | 用户喜欢简洁的回答
# denied on either side of the verb, turned round, in figures
Secrets are never committed | Never commit secrets || Tests must not run in parallel | Never run tests in parallel
The default branch is main | main is the default branch || The team lead is Sofia | Sofia is the team lead
The build takes five minutes | The build takes 5 minutes || The user prefers short answers | User prefers brief replies
API keys live in Vault | API keys are stored in Vault || Releases happen on Tuesday | We release on Tuesdays
The ORM is Prisma | no, the ORM is Prisma
""")

OPPOSITE = pairs("""
# the same frame, the other polarity
Tests must run in parallel | Tests must not run in parallel || Never commit to main | Always commit to main
We use feature flags | We don't use feature flags || Telemetry is enabled | Telemetry is disabled
Force pushes are allowed | Force pushes are forbidden
Run the formatter before committing | Run the formatter after committing
The user prefers short replies | The user prefers long replies
The project uses Docker | The project no longer uses Docker || Avoid default exports | Use default exports
The API is public | The API is private || Commit lockfiles | Don't commit lockfiles
# one choice of several
use tabs | use spaces || We use npm | This repository uses pnpm || Install dependencies with pnpm | We use npm
Use single quotes for strings | Use double quotes for strings
The user prefers dark mode | The user prefers light mode || Format code with ruff | Format code with black
The package manager is yarn | We use npm as the package manager || Tests use jest | Tests use vitest
We use Postgres in production | We use MySQL in production || The user's editor is Neovim | The user uses VS Code
CI runs on GitHub Actions | CI runs on CircleCI || Use camelCase for variables | Use snake_case for variables
The UI is built with React | The UI is built with Vue || We deploy to Heroku | We deploy to Fly.io
Reply in English | Reply in German || Use squash merges for PRs | Use merge commits for PRs
Prefer pnpm over npm | Prefer npm over pnpm
# this, not that
We use yarn, not pnpm | We use bun, not yarn || The team prefers email, not calls | The team prefers Slack, not email
use pnpm, not npm | use npm, not pnpm || Use pnpm, not npm | We use npm || We migrated from npm to pnpm | We use npm
Use httpx instead of requests | Use requests
# one value for one thing
The deploy target is Fly.io | The deploy target is Render
The default branch is main | The default branch is master || default branch: main | The default branch is develop
The port is 3000 | The port is 4000 || The API listens on port 3000 | The API listens on port 8080
The request timeout is 30s | The request timeout is 60s || The Python version is 3.11 | The Python version is 3.12
The user's name is Anna | The user's name is Bob
The user's timezone is Europe/Berlin | The user's timezone is Asia/Tokyo
The user lives in Berlin | The user lives in Paris
The config lives in config/app.yaml | The config lives in settings/app.yaml
Tests run with `make test` | Tests run with `npm test` || The log level is debug | The log level is info
# one person for one job
Zhang San approves the budget | Li Si approves the budget || Alice is the tech lead | Bob is the tech lead
Alice owns the billing service | Carol owns the billing service
# other languages, and across them
このリポジトリはpnpmを使う | このリポジトリはnpmを使う || テストは並列で実行する | テストは並列で実行しない
npmではなくpnpmを使う | pnpmではなくnpmを使う || 我们使用pnpm | 我们使用npm || 测试必须并行运行 | 测试不能并行运行
默认分支是main | 默认分支是master || 张三负责预算 | 李四负责预算
이 저장소는 pnpm을 사용한다 | 이 저장소는 npm을 사용한다 || Wir verwenden pnpm | Wir verwenden npm
Nous utilisons npm | Nous n'utilisons pas npm || Мы используем npm | Мы не используем npm
No usamos Docker | Usamos Docker || Use tabs | 使用空格
The staging database is on db-1 | The staging database is on db-2
The backend is written in Go | The backend is written in Rust || The team uses Slack | The team uses Discord
Our CI is GitLab CI | Our CI is GitHub Actions || The project license is MIT | The project license is Apache 2.0
The user's preferred language is English | The user's preferred language is Japanese
Use 2 spaces for indentation | Use 4 spaces for indentation
The line length limit is 88 | The line length limit is 120 || Max line length is 100 | Max line length is 120
Coverage must be at least 80% | Coverage must be at least 90% || Tests require Docker | Tests don't require Docker
The API key is stored in .env | The API key is stored in config/secrets.yaml
Standup is at 9:30 | Standup is at 10:00 || The release is on Monday | The release is on Friday
Semicolons are required | Semicolons are not required || Use semicolons | Don't use semicolons
The user likes emojis | The user doesn't like emojis
The user wants verbose explanations | The user wants concise explanations
Use relative imports | Use absolute imports || Node version is 18 | Node version is 20
We use Node 18 | We use Node 20 || The project uses Webpack | The project uses Vite
Migrations run automatically | Migrations run manually || The repo is a monorepo | The repo is not a monorepo
Bob is the CTO | Alice is the CTO || The product owner is Maria | The product owner is Jonas
My editor is Vim | My editor is Emacs || I use zsh | I use fish || The cache is Redis | The cache is Memcached
Do not squash commits | Squash commits || The user lives in Oslo | The user lives in Rome
The main class is AppRunner | The main class is AppServer
Start the server with `npm start` | Start the server with `make serve`
The test command is `pytest` | The test command is `make test`
The dev server runs on port 5173 | The dev server runs on port 3000 || 数据库是MySQL | 数据库是Postgres
ポートは3000です | ポートは8080です || テーマはダークモードです | テーマはライトモードです
Le port est 3000 | Le port est 4000 || El puerto es 3000 | El puerto es 4000
Das Projekt verwendet Tabs | Das Projekt verwendet Spaces || 用户喜欢简洁的回答 | 用户不喜欢简洁的回答
# seen by a stranger
port 3000 | port 3001 || tests run on node 18 | tests run on node 20 || We use yarn. | We use bun, not npm.
deploys happen on Friday | never deploy on Friday || API keys live in vault | API keys live in .env
always run the linter | never run the linter || Dates are stored as UTC | Dates are stored as local time
Comments are in English | Comments are in German || The build needs Java 11 | The build needs Java 17
The user prefers short answers | The user prefers detailed answers
Passwords are hashed with bcrypt | Passwords are hashed with argon2
Type hints are mandatory | Type hints are optional || Run migrations by hand | Migrations run automatically
The user wants emoji | The user wants no emoji || Use require | Never use require
The server runs on Debian | The server runs on Windows || We are on Django 4.2 | We are on Django 5.0
""")

NOT_OPPOSITE = pairs("""
Use tabs, not spaces | Use tabs, not commas || We use yarn, not pnpm | We use yarn, not npm
Use bun as the test runner, not jest | Use jest, not mocha, for the web tests
# other subjects
Tests use pytest | Docs use mkdocs || The frontend uses yarn | The backend uses npm
Unit tests use jest | Snapshot tests use vitest || The staging port is 3000 | The production port is 4000
Postgres runs on port 5432 | MySQL runs on port 3306
The private key is in the vault | The public key is in the vault || Alice prefers tabs | Bob prefers spaces
The user prefers tabs | This repository uses spaces || We use Postgres in production | We use SQLite in tests
Issue 12 is fixed | Issue 13 is fixed || The API is written in Go | The worker is written in Rust
# additions and details
Uses TypeScript | Uses TypeScript strict mode || Use tabs | Use spaces in YAML files
The Node version is 20 | The Node version is 20.11 || We use Redis | We use Postgres
We use Python | We use TypeScript || We use ruff | We use black
Run `make lint` before committing | Run `make test` before committing || CI runs `make lint` | CI runs `make test`
Alice reviews pull requests | Bob reviews pull requests || The user is a backend engineer | The user is from Japan
The API is fast | The API is written in Go || The deploy target is Fly.io | The deploy target is flaky
The default branch is main | The default branch is protected || Tests live in tests/unit | Tests live in tests/e2e
We also use npm | We use pnpm || PR #12 touches src/a.py | PR #12 touches src/b.py
We support Python 3.11 | We support Python 3.12 || See ADR 12 | See ADR 13
Never push without running tests | Always run tests before pushing || Don't use npm | Use pnpm
Use pnpm, not npm | Use pnpm || Use env vars for secrets | Don't commit secrets; use env vars
Never use any in TypeScript | Use TypeScript || Do not use npm for publishing | Use npm
The deploy target is Fly.io for staging | The deploy target is Render for production
Dates use ISO 8601 | Times are stored in UTC || Use npm scripts | Use pnpm workspaces
# lists
Supports npm and pnpm | Uses npm || Works with npm or yarn | Works with pnpm || We use npm and pnpm | We use yarn
# not vouched for, or not about now
Maybe we use npm | We use pnpm || Do we use npm? | We use pnpm || We used to use npm | We use pnpm
The deploy target was Heroku | The deploy target is Fly.io || We will use pnpm | We use npm
I think the port is 3000 | The port is 4000
# the same in other words
Use pnpm, not npm | Don't use npm, use pnpm || use pnpm, not npm, for installs | use pnpm for installs, not npm
Telemetry is off | Telemetry is not enabled
# other languages
フロントエンドはpnpmを使う | バックエンドはnpmを使う || 前端使用pnpm | 后端使用npm
pnpmを使わなければならない | pnpmを使う || 张三批准预算 | 李四批准假期
The user likes Python | The user likes Rust || The user knows Vim | The user knows Emacs
We have 3 services | We have 2 databases || The bug is in auth.py | The bug is in login.py and auth.py
The script takes 5 minutes | The script takes 3 arguments
The function returns 0 on success | The function returns 1 on failure
Use jest for unit tests | Use cypress for e2e tests
The API returns 404 for missing users | The API returns 403 for forbidden users
Run tests with pytest | Run tests with coverage || Deploy to staging first | Deploy to production after approval
Do not edit generated files | Edit source files || The build is slow on Windows | The build is fast on Linux
The server is down | The server is in Frankfurt || The database is Postgres | The database is slow
The name is required | The name is unique || The user is Anna | The user is a developer
Don't use yarn | Don't use npm || We use Jest and Vitest | We use Jest || We tried Vite | We tried Webpack
We considered MySQL | We considered Postgres || The README mentions npm | The README mentions pnpm
Docker is required for tests | Docker is not required for the CLI
Version 2.1 adds caching | Version 2.2 adds retries || Alice works on billing | Bob works on billing
Alice maintains docs | Bob maintains docs || Use var names in snake_case | Use class names in PascalCase
Logs go to stdout | Logs go to Datadog || Write docs in English | Write commit messages in German
Not using Redux | Using Zustand || The user isn't a morning person | The user is a night owl
The cluster is in us-east-1 | The cluster is named prod-1 || The tool is ruff | The tool is fast
Uses React | Uses React Router || Uses React 18 | Uses React Query
If on Windows, use PowerShell | If on macOS, use zsh || The config is in config.yaml | The config is in YAML
Only Alice can deploy | Bob cannot deploy || The path is src/a | The path is relative
# seen by a stranger
The private key is not in the vault | The public key is in the vault
use pytest for unit tests | use playwright for e2e tests || API keys live in vault | Feature flags live in LaunchDarkly
Use UTC in the database | Use local time in the UI || We don't use Docker in development | We use Docker in production
Docs are in English | Docs are in Markdown || The docs are available in English | The docs are available in German
The worker uses Celery | The worker uses Redis || Build with vite | Test with vitest
The web port is 3000 | The api port is 3001 || We use npm workspaces | We use yarn in the docs repo
Admin users can delete posts | Guest users cannot delete posts || Never use any | Never use eval
The timeout is 30s for reads | The timeout is 60s for writes || Backups run daily | The weekly report runs on Monday
Deploy on Friday is discouraged | Deploys take ten minutes || The free plan has 5 seats | The team plan has 20 seats
""")

NEITHER_NEAR_NOR_OPPOSITE = pairs("""
Deploy from main to staging | Deploy from staging to main
The client calls the server | The server calls the client
The frontend uses the backend | The backend uses the frontend || Alice reviews Bob | Bob reviews Alice
Frontend uses pnpm, backend uses npm | Backend uses pnpm, frontend uses npm
Run lint before each commit | Run lint before each push || The API returns the user | The API returns the code
Use pnpm because it is fast | Use pnpm because npm is broken || The flag is `--fix` | The flags are documented
""")

FACTS = """
The API gateway listens on port 8080 | The metrics server listens on port 9090 | The admin panel runs on port 3001
Use black for formatting | Line length is 100 | The max file size is 400 lines | Use 4 spaces in Python
Staging runs on Fly.io | Production runs on AWS in eu-central-1 | Backups are stored in S3 in eu-west-1
Logs are kept for 30 days | Backups are kept for 90 days | Access tokens expire after 15 minutes
Refresh tokens expire after 30 days | The request timeout is 30 seconds | The database timeout is 5 seconds
Bob owns the search service | Alice approves schema changes | Carol approves the budget | Dave is the tech lead
Erin is the product manager | Zhang San approves the marketing budget | Tests run with `make test`
Use pathlib for paths | Use pnpm, not npm | Use uv instead of pip | The lockfile must be committed
Reviews need two approvals | Hotfixes need one approval | The main entry point is src/app/main.py
gRPC is used between services | Auth uses JWT | Sessions are stored in Redis | The cache TTL is 5 minutes
`UserStore.load` is not thread-safe | `UserStore.save` is thread-safe | The importer reads CSV files
Money is stored as integer cents | IDs are ULIDs | Imports are absolute | Relative imports are allowed in tests
The user does not like emojis | The user likes tables | Ask before deleting files | Do not ask before running tests
The search index is rebuilt nightly | The search index is not backed up | The queue is Kafka
Support is available in English and French | The docs are in English | 予算は田中さんが承認する
休暇は佐藤さんが承認する | フロントエンドはReactを使う | バックエンドはDjangoを使う | 本番環境はAWSにある
ステージング環境はFly.ioにある | テストは並列で実行する | ビルドは直列で実行する | 前端使用React | 后端使用Go
数据库是Postgres | 缓存是Redis | 张三负责前端 | 李四负责后端 | 生产环境部署在阿里云
测试环境部署在腾讯云 | Das Frontend verwendet React | Das Backend verwendet Django | Die Datenbank ist Postgres
"""

UNRELATED = pairs("""
Use tabs | The office closes at six || テストは並列で実行する | Use double quotes
The deploy target is Fly.io | Zhang San approves the budget
""")

RELATED = pairs("""
We use npm | Use pnpm in the docs folder || The port is 3000 | The port of the API is documented
""")

SUBJECTS = pairs("""
Never edit generated files by hand. | generated files || Do not edit src/gen by hand. | src/gen
We use bun here, not npm | package manager || We use bun | bun
The deploy target is Fly.io | deploy target || This repository uses pnpm, not npm. | package manager
Tests run with make test | tests || Tests run with `make test` | tests || Zhang San approves the budget | Zhang San
use tabs | indentation || Always run ruff before committing | ruff || Before committing, run ruff | ruff
The user prefers concise replies | concise replies || The user's timezone is UTC | timezone
We deploy to Fly.io | deploy target || Port: 3000 | port
Commit messages follow Conventional Commits | commit messages
The user service listens on port 3000 | user service || We deploy on Fridays | deploy
API keys must never be logged | API keys || `parse_config` returns a frozen dict | parse_config
It uses zorblax | zorblax || このリポジトリはpnpmを使う | package manager || テストは並列で実行する | テスト
部署目标是上海 | 部署目标
""")


@pytest.mark.parametrize(("a", "b"), SAME)
def test_spelling_does_not_make_another_statement(a, b):
    assert normalise(a) == normalise(b)
    assert statement_key(a) == statement_key(b)
    assert relation(a, b) == "same"


@pytest.mark.parametrize(("a", "b"), DIFFERENT_KEYS)
def test_what_carries_meaning_is_kept_in_the_key(a, b):
    assert statement_key(a) != statement_key(b)
    assert relation(a, b) != "same"


@pytest.mark.parametrize(("a", "b"), NEAR)
def test_the_same_in_other_words_is_near(a, b):
    assert relation(a, b) == relation(b, a) == "near"
    assert near_identical(a, b)


@pytest.mark.parametrize(("a", "b"), OPPOSITE)
def test_a_contradiction_is_seen_from_both_sides(a, b):
    assert relation(a, b) == relation(b, a) == "opposite"
    assert opposite(a, b)
    assert not near_identical(a, b)


@pytest.mark.parametrize(("a", "b"), NOT_OPPOSITE)
def test_statements_that_can_both_hold_are_left_alone(a, b):
    assert relation(a, b) != "opposite"
    assert relation(b, a) != "opposite"


def test_the_facts_of_one_project_do_not_fight():
    facts = [fact for line in FACTS.strip().splitlines() for fact in line.split(" | ")]
    assert {relation(a, b) for a, b in combinations(facts, 2)} == {"related", "unrelated"}


@pytest.mark.parametrize(("a", "b"), NEITHER_NEAR_NOR_OPPOSITE)
def test_alike_words_alone_decide_nothing(a, b):
    assert relation(a, b) in ("related", "unrelated")
    assert not near_identical(a, b)


def test_one_topic_is_related_and_strangers_are_not():
    assert {relation(a, b) for a, b in RELATED} == {"related"}
    assert {relation(a, b) for a, b in UNRELATED} == {"unrelated"}


@pytest.mark.parametrize(("text", "subject"), SUBJECTS)
def test_a_statement_tells_what_it_is_about(text, subject):
    assert subject_of(text) == subject


@pytest.mark.parametrize("text", ["", "the", "?!"])
def test_nothing_said_is_about_nothing(text):
    assert subject_of(text) == ""


@pytest.mark.parametrize(
    "name", ["deploy_target", "Deploy targets", "deployTarget", "deploy-target", "the deploy target"]
)
def test_one_subject_has_one_key(name):
    assert subject_key(name) == subject_key("deploy target")


@pytest.mark.parametrize(
    ("one", "many"), [("branch", "branches"), ("policy", "policies"), ("cookie", "cookies"), ("cache", "caches")]
)
def test_plural_and_singular_share_a_key(one, many):
    assert subject_key(one) == subject_key(many)


def test_other_subjects_have_other_keys():
    assert len({subject_key(name) for name in ("status", "state", "class", "HTTPServer", "テスト", "部署目标")}) == 6


ASKING = [
    "Which port is it?",
    "what is the port",
    "do we use npm",
    "is the port 3000",
    "テストは並列ですか",
    "用的是pnpm吗？",
]
TELLING = ["Do not use npm", "When running tests, use make", "How to deploy: run make deploy", "The port is 3000"]
DOUBTING = ["Maybe it is port 3000", "I think we use npm", "It's probably a race", "可能是端口问题"]
SURE = ["We use npm", "Run the `might` script"]


def test_a_question_states_nothing():
    assert [text for text in ASKING + TELLING if is_question(text)] == ASKING


def test_doubt_is_noticed():
    assert [text for text in DOUBTING + SURE if is_hedged(text)] == DOUBTING


def test_closer_texts_are_more_similar():
    base = "The deploy target is Fly.io"
    assert similarity(base, "Our deploy target is Fly.io") > similarity(base, "The deploy target is Render")
    assert similarity(base, "The deploy target is Render") > similarity(base, "Zhang San approves the budget")
    assert similarity("テストは並列で実行する", "テストを並列で実行") > 0.5


@pytest.mark.parametrize("term", ["pnpm", "install", "dependencies", "npm"])
def test_words_of_one_topic_share_a_concept(term):
    assert "package manager" in lexicon.concepts(term)


def test_an_everyday_word_is_a_tool_only_with_its_capital():
    assert lexicon.concepts("Render")[0] == "deploy target"
    assert lexicon.concepts("render") == ()
    assert lexicon.concepts("zorblax") == ()


def test_every_shared_group_exists():
    assert lexicon.GROUPS.keys() >= lexicon.SHARED


WORDS = st.sampled_from(
    "we the user use uses not never no npm pnpm tabs spaces , . ; : and or but instead of rather than is are port 3000 "
    "4000 `make test` tests run before after commit Alice approves don't maybe 使用 不要 pnpmを使う は ない "
    "` _ __ (".split()
)
TEXTS = st.one_of(st.text(max_size=60), st.lists(WORDS, max_size=12).map(" ".join))


@given(TEXTS)
def test_normalising_twice_changes_nothing(text):
    assert normalise(normalise(text)) == normalise(text)


@given(TEXTS, TEXTS)
def test_similarity_is_a_symmetric_share(a, b):
    assert 0.0 <= similarity(a, b) <= 1.0
    assert similarity(a, b) == similarity(b, a)
    assert similarity(a, a) == 1.0


@given(TEXTS, TEXTS)
def test_relations_are_symmetric_and_exclusive(a, b):
    assert relation(a, b) == relation(b, a)
    assert near_identical(a, b) == near_identical(b, a)
    assert not (near_identical(a, b) and opposite(a, b))
    assert relation(a, a) == "same"


@given(TEXTS)
def test_any_text_has_a_subject_and_keys(text):
    assert isinstance(subject_of(text), str)
    assert subject_key(subject_key(text)) is not None
    assert len(statement_key(text)) == 24
    assert is_question(text) in (True, False)
    assert is_hedged(text) in (True, False)
    assert isinstance(lexicon.concepts(text), tuple)
