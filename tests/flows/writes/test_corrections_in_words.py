"""Corrections as people word them, and what was retired said again in other words."""

from __future__ import annotations

import pytest

from recollect import Recollect
from recollect.flows.writes.correct import meant_by
from recollect.text.language.corrections import corrects
from recollect.text.language.restatements import restates
from recollect.text.language.statements import relation
from tests.conftest import OpenMemory
from tests.text.test_statements import FACTS, NEITHER_NEAR_NOR_OPPOSITE, OPPOSITE, pairs

# what is stored | how somebody corrects it
CORRECTED = pairs("""
This repository uses npm. | no, we moved to pnpm last month
The dev server listens on port 8080. | actually the port is 8081 || Indent with tabs. | don't use tabs any more
The deploy target is Fly.io. | we deploy to Render now || Tests run with jest. | we switched to vitest
The database is MySQL. | the database is Postgres, not MySQL || The user's name is Anna. | my name is Hannah, not Anna
The staging URL is https://staging.example.com. | the staging url changed to https://stage.example.org
CI runs on Travis. | CI runs on GitHub Actions these days
The default branch is master. | the default branch is called main now
Alice approves the budget. | Bob approves the budget now, not Alice
The API rate limit is 100 requests per minute. | the rate limit is 500 requests per minute
Use single quotes for strings. | actually we use double quotes
The minimum Python version is 3.9. | no, minimum Python is 3.11
The release happens every Friday. | releases happen on Tuesday now
We use Redux for state management. | we replaced redux with zustand
The design files live in Sketch. | the design files are in Figma now
Error tracking goes through Rollbar. | we use Sentry for error tracking, not Rollbar
Run the linter with flake8. | we lint with ruff now instead of flake8 || The ORM is Sequelize. | no, the ORM is Prisma
The team lead is Marco. | Marco left, the team lead is Sofia || Standup is at 9:30. | standup moved to 10:00
Logs are kept for 30 days. | logs are kept for 90 days, not 30
The config file is config.yaml. | the config file is settings.toml
Commit messages are written in German. | commit messages must be in English
The backend is written in Go. | the backend was rewritten in Rust
The production cluster runs in us-east-1. | production runs in eu-west-1 now
Feature flags are managed with LaunchDarkly. | we dropped LaunchDarkly, feature flags are in Unleash
The max line length is 80. | line length is 120, not 80
Docs are built with Sphinx. | docs are built with mkdocs now || We use Slack for chat. | we use Teams instead of Slack
The message queue is RabbitMQ. | we use Kafka, not RabbitMQ
Secrets are stored in .env files. | secrets are in Vault, not in .env
The CSS framework is Bootstrap. | css is tailwind, not bootstrap || The Node version is 18. | it's node 20 now
PRs need one approval. | PRs need two approvals now
Squash merges are used for PRs. | we don't squash any more, use rebase merges
The mobile app is built with React Native. | the mobile app is Flutter now
Time stamps are stored in local time. | timestamps are stored in UTC
The customer support address is help@example.com. | support address is support@example.com
Deploys happen automatically on merge. | deploys are manual, not automatic
The user's editor is VS Code. | I use neovim now
The user's timezone is Europe/Berlin. | my timezone is America/New_York
Unit tests live in tests/unit. | unit tests live in spec/
Coverage must be at least 80%. | coverage must be at least 90%
The frontend uses Vue. | the frontend is React, not Vue
Terraform manages the infrastructure. | infrastructure is managed with Pulumi, not Terraform
Use axios for HTTP requests. | don't use axios, use fetch
The build command is `make build`. | the build command is `just build`
The cache TTL is 5 minutes. | cache ttl is 10 minutes
API responses use snake_case keys. | api responses use camelCase
The license is MIT. | the license is Apache 2.0 now
The user drinks coffee in the morning. | I don't drink coffee any more
The package registry is npmjs. | packages come from our own registry at npm.acme.dev, not npmjs
The office wifi is called Acme-5G. | the wifi is called Acme-6G
The nightly backup starts at 1 am. | the backup starts at 3 am now
Our payment provider is Stripe. | we're with Adyen now, not Stripe
The user's dog is called Rex. | my dog is called Max
Invoices are due within 14 days. | invoices are due within 30 days
The monorepo is managed with Lerna. | we migrated from lerna to turborepo
The VPN gateway is vpn1.acme.io. | the vpn gateway is vpn2.acme.io
The iOS app requires iOS 14. | the ios app requires iOS 16
The release manager is Kim Lee. | Kim Lee isn't the release manager any more, it's Noor
Snapshots are stored in the folder __snapshots__. | snapshots are stored in tests/snapshots
We write commit messages in the imperative. | we don't write commit messages in the imperative any more
Environment variables are documented in docs/env.md. | env variables are documented in README.md
The retry limit is 3. | retry limit was raised to 5
Database migrations use Alembic. | we use Flyway for migrations instead of Alembic
The hosting provider is Hetzner. | we moved from Hetzner to AWS
The weekly demo is on Thursday. | the weekly demo is on Wednesday
The front end uses Webpack. | frontend builds with vite now, webpack is gone
Tickets are tracked in Jira. | tickets are in Linear, not Jira
The maximum upload size is 10 MB. | max upload size is 50 MB || The python interpreter is 3.10. | python is 3.12 now
The user prefers British spelling. | use American spelling please
The support hotline is 555-1234. | the hotline number is 555-9876
Articles are reviewed by Elena. | articles are reviewed by Tomás now
The default locale is en_US. | default locale is de_DE
Caching is done with Memcached. | we cache in Redis, not memcached
The sprint lasts two weeks. | sprints last three weeks now || Our CDN is Cloudflare. | our CDN is Fastly
Static files are served by nginx. | static files are served by Caddy, not nginx
The session cookie is named sid. | the session cookie is named session_id
Log files rotate daily. | log files rotate weekly
The accounting tool is Xero. | accounting is done in QuickBooks, not Xero
The JSON API uses camelCase. | the json api uses snake_case
GraphQL is served at /graphql. | graphql is served at /api/graphql
The main office is in Lyon. | the main office moved to Paris || The CEO is Maria Gomez. | the CEO is John Smith now
Containers run on Docker Swarm. | containers run on kubernetes, not swarm
The style guide is Airbnb's. | the style guide is Google's
The mailing list is dev@lists.acme.org. | the list address is team@lists.acme.org
Use yarn to install packages. | install packages with pnpm || Use fetch for requests. | use axios instead of fetch
The user's favourite editor is Sublime. | my favourite editor is Helix
The free plan includes 5 seats. | the free plan includes 3 seats
The contract ends in June. | the contract ends in September
The TLS certificate is from Let's Encrypt. | the certificate is from DigiCert, not Let's Encrypt
The user speaks Spanish. | I don't speak Spanish, I speak Portuguese
Pull requests are merged with merge commits. | PRs are squash merged
The staging password is rotated every month. | staging passwords are rotated every week
Das Projekt verwendet npm. | wir verwenden jetzt pnpm, nicht npm || Der Port ist 8080. | nein, der Port ist 9090
テストはjestで実行する | テストはvitestで実行する || 默认分支是master | 默认分支是main || Use Roboto as the font. | the font is Inter, not Roboto
The worker polls every 10 seconds. | the worker polls every 30 seconds
Files are encoded in latin-1. | files are encoded in UTF-8 || The bot's name is Jarvis. | the bot is called Friday
We test on Chrome 120. | we test on Chrome 126
The analytics tool is Google Analytics. | we replaced Google Analytics with Plausible
The user wants this: use tabs for indentation. | no, use spaces
The user says: "I prefer pytest over unittest" | I prefer unittest now
Feature branches are named feature/<ticket>. | feature branches are named feat/<ticket> now
The GraphQL schema lives in schema.graphql. | the graphql schema lives in api/schema.graphql
Access tokens expire after 15 minutes. | access tokens expire after 60 minutes
Code review is done in Gerrit. | we review code on GitHub, not in Gerrit
The user writes Go at work. | I write Rust at work now
Vacation requests go to Petra. | vacation requests go to Jonas now
All monetary amounts are stored as floats. | amounts are stored as integer cents, not floats
The sidebar is 240 pixels wide. | the sidebar is 280 pixels wide
Our sprint planning is on Mondays. | sprint planning moved to Tuesday
The client id is acme-web. | client id is acme-web-2
The deploy target is Fly.io, which we have used since the beginning. | we deploy to Render now
The port is 3000 (see config.yaml). | the port is 3001
The deploy target is Fly.io. Run `fly deploy` from the root. | we deploy to Render now
""")

# what is stored | a correction of something else
OF_SOMETHING_ELSE = pairs("""
Redis listens on port 6379. | actually the web port is 8081
The production database is Postgres. | the test database is SQLite
Unit tests run with jest. | end-to-end tests run with playwright now
Alice approves the budget. | Bob approves the vacation requests || The frontend uses yarn. | the docs site uses npm
The staging server is in Frankfurt. | the production server is in Paris
The API returns 404 for missing users. | the API returns 403 for forbidden users
The user prefers tabs in Go. | we use spaces in Python
Slack alerts go to #ops. | we use Teams instead of Slack for meetings
The request timeout is 30s. | the database timeout is 60s
The admin password is rotated monthly. | the backup password is rotated weekly
Deploys to staging are automatic. | deploys to production are manual
The Node version is 20. | the Python version is 3.12
The release notes are written by Ana. | the release branch is cut by Tom
The max upload size is 25 MB. | the max line length is 120 || Logs are shipped to Datadog. | logs are kept for 90 days
The web app uses React. | the mobile app uses Flutter || The team standup is at 9:30. | the design review is at 10:00
Retries use exponential backoff. | retries stop after five attempts || The user has two cats. | I have one dog
CI runs on Linux. | CI runs the linter first || The default branch is main. | the release branch is called stable now
Docs live in docs/. | tests live in spec/ || The cache TTL is 5 minutes. | the session TTL is 10 minutes
Invoices are sent on Monday. | reminders are sent on Tuesday
The logo colour is blue. | the button colour is green now
The CLI is written in Go. | the server was rewritten in Rust
Never push to main. | pushing to feature branches is fine || The user lives in Berlin. | the servers moved to Munich
Terraform manages the network. | Pulumi manages the clusters now || The ORM is Prisma. | the validator is zod, not yup
We use Postgres for billing. | we use DuckDB for analytics, not pandas
The Friday meeting is optional. | the Monday meeting is mandatory
Customer emails are answered by Kim. | customer calls are answered by Lee
The build takes 5 minutes. | the tests take 12 minutes
The price is shown in euros. | the price is shown without tax
The default theme is dark. | the default language is German
The repository has twelve packages. | the monorepo uses nx
Passwords are hashed with argon2. | tokens are hashed with sha256, not md5
PRs need one approval. | releases need two approvals || The queue worker has 4 threads. | the web worker has 8 threads
Python code is formatted with black. | TypeScript code is formatted with prettier now
The beta launches in May. | the public launch is in June
Feature flags are managed with Unleash. | experiments are run with GrowthBook, not Optimizely
The linter is ruff. | the formatter is black, not yapf || Backups run at 02:00. | the cleanup job moved to 03:00
The iOS app needs iOS 16. | the Android app needs Android 12
The user's manager is Dana. | my desk neighbour is Kim now
The wiki is in Confluence. | the tickets are in Linear, not Jira
Images are stored in S3. | videos are stored on Cloudflare, not S3
The orders table is partitioned by month. | the events table is partitioned by day
Errors are reported to Sentry. | metrics are sent to Grafana, not Datadog
The English docs are the reference. | the German docs are outdated now
The QA lead is Mia. | the tech lead is Jon now, not Pat
Integration tests need Docker. | unit tests don't need docker any more
The company uses Zoom. | interviews are on Google Meet, not Zoom
The lock file is committed. | the env file isn't committed any more
We deploy on Tuesdays. | we plan on Wednesdays, not Mondays
The API key header is X-Api-Key. | the tenant header is X-Tenant
Search uses Elasticsearch. | autocomplete uses Typesense now
The nightly backup starts at 1 am. | the nightly report starts at 3 am
The payment provider is Stripe. | the email provider is Mailgun now, not SendGrid
The user's dog is called Rex. | my cat is called Max
Invoices are due within 14 days. | refunds are paid within 30 days
Lerna publishes the packages. | the docs are published with netlify, not vercel
The public API is documented with Swagger. | the internal API is not documented any more
The VPN gateway is vpn1.acme.io. | the mail gateway is mx2.acme.io
The iOS app requires iOS 14. | the iPad app requires iPadOS 16
The release manager is Kim Lee. | the account manager is Noor now
Snapshots are stored in __snapshots__. | recordings are stored in tests/cassettes
Commit messages are in the imperative. | release notes aren't in the imperative any more
The retry limit is 3. | the login limit was raised to 5
Migrations use Alembic. | fixtures use factory_boy instead of Faker
The weekly demo is on Thursday. | the monthly demo is on Wednesday
Tickets are tracked in Jira. | time is tracked in Toggl, not Harvest
The maximum upload size is 10 MB. | the maximum header size is 16 KB
The linter runs on Python 3.10. | the docs build runs on Python 3.12 now
The user prefers British spelling. | use American English in the legal texts
Articles are reviewed by Elena. | translations are reviewed by Tomás now
Memcached caches the sessions. | the images are cached by Fastly, not Cloudflare
The server room is on the second floor. | the kitchen is on the third floor
The sprint lasts two weeks. | the trial lasts three weeks now
Static files are served by nginx. | websockets are served by Caddy, not Traefik
The session cookie is named sid. | the tracking cookie is named uid || Log files rotate daily. | keys rotate weekly
GraphQL is served at /graphql. | metrics are served at /internal/metrics
The main office is in Lyon. | the warehouse moved to Paris || The CEO is Maria Gomez. | the CFO is John Smith now
Containers run on Docker. | virtual machines run on Proxmox, not VMware
Use yarn to install packages. | publish packages with npm
The free plan includes 5 seats. | the team plan includes 20 seats
The contract ends in June. | the lease ends in September || The user speaks Spanish. | the client speaks Portuguese
Pull requests are merged by Dana. | hotfixes are merged by Kim now
The staging password is rotated every month. | the production password is rotated every week
The worker polls every 10 seconds. | the dashboard refreshes every 30 seconds
Uploads are encoded in latin-1. | emails are encoded in UTF-8
Jarvis answers on Slack. | the deploy bot is called Friday || We test on Chrome. | we build on Node 20 now
Marketing uses Google Analytics. | the blog uses Plausible, not Matomo
Postgres stores the orders. | we don't use Mongo for events any more
We use Redis for sessions. | we don't use Redis for queues any more
Docker builds are cached. | docker compose isn't used in CI any more
React renders the dashboard. | the landing page is Astro now
The cache is warmed at 6:00. | the cache key is the tenant id
Kafka has three brokers. | Kafka topics are created by Terraform now
The queue has a dead letter queue. | the queue is drained on Sundays
The API listens on port 8080. | the debugger listens on port 9229
The token expires after 15 minutes. | the invite expires after 7 days
Alice is the CTO. | Alice is on parental leave now
Python 3.12 is required for the server. | Python 3.9 is enough for the client
Sentry collects errors from the app. | sentry isn't used in the scripts any more
The footer shows the version. | the header shows the tenant now
Backups are encrypted with age. | secrets are encrypted with sops, not git-crypt
Prod deploys need an approval from QA. | staging deploys need no approval any more
The user wants unit tests for every change. | I want integration tests only for releases
Der Port der Datenbank ist 5432. | der Port des Webservers ist 9090 || テストはpytestで実行する | ビルドはmakeで実行する
Orders are shipped from Graz. | returns are shipped to Linz now
The nightly build takes an hour. | the nightly build is green again
The user wants this: use tabs for indentation. | the table uses two columns now
Integration tests require Redis. | unit tests don't require Redis any more
The Docker image is built from Dockerfile.prod. | the test image is built from Dockerfile.test
Feature branches are named feature/<ticket>. | release branches are named rel/<version>
The GraphQL schema lives in schema.graphql. | the REST schema lives in openapi.yaml
The changelog is written by hand. | the API docs are generated automatically
The Kubernetes namespace is payments-prod. | the Kubernetes cluster is eu-1
Access tokens expire after 15 minutes. | refresh tokens expire after 30 days
Code review is done in Gerrit. | code search is done in Sourcegraph
The user writes Go at work. | the backend team writes Rust
Vacation requests go to Petra. | expense reports go to Jonas now
All monetary amounts are stored as floats. | all dates are stored as strings, not timestamps
The sidebar is 240 pixels wide. | the sidebar is collapsible now
Our sprint planning is on Mondays. | our retro is on Fridays now
The client id is acme-web. | the client secret is in Vault
The API gateway is Kong. | the API gateway is in Frankfurt
The API gateway is Kong. | the identity provider is Keycloak, not Auth0
Errors are logged to stderr. | errors are shown in red
The cron job runs at midnight. | the cron job takes ten minutes now
We support Safari 15. | we don't support Internet Explorer any more
The mobile team uses Kotlin. | the desktop team uses Electron, not Tauri
Pods are restarted nightly. | pods are named after birds
The main repository is acme/web. | the main branch is protected now
The payment form validates IBANs. | the signup form doesn't validate emails any more
Redis stores sessions. | memcached isn't used any more
Alice reviews security patches. | Alice doesn't review docs any more
The search box is in the header. | the login button is in the footer now
Pricing is per seat. | support is per ticket
The frontend talks to the backend over gRPC. | the backend talks to the database over TLS
Deploys need two approvals in production. | deploys need no approval in staging any more
""")

# what was retired | the same again
SAID_AGAIN = pairs("""
The deploy target is Fly.io. | THE DEPLOY TARGET IS FLY.IO || The deploy target is Fly.io. | deploy target: Fly.io
The deploy target is Fly.io. | We deploy to Fly.io. || The deploy target is Fly.io. | Fly.io is the deploy target.
The deploy target is Fly.io. | Our deploy target is Fly.io!
The deploy target is Fly.io. | The project deploys to Fly.io.
The deploy target is Fly.io. | This app is deployed to Fly.io. || This repository uses npm. | We use npm
This repository uses npm. | npm is used in this repository || This repository uses npm. | The package manager is npm.
This repository uses npm. | Use npm to install dependencies. || This repository uses npm. | Install packages with npm.
Indent with tabs. | Use tabs for indentation. || Indent with tabs. | Tabs are used for indentation
Indent with tabs. | We indent with tabs || Indent with tabs. | indentation: tabs
The API listens on port 3000. | API listens on port 3000
The API listens on port 3000. | Port 3000 is where the API listens
The API listens on port 3000. | The API runs on port 3000 || The API listens on port 3000. | the api port is 3000
Alice approves the budget. | The budget is approved by Alice. || Alice approves the budget. | alice approves budgets
Tests run with `make test`. | Run the tests with `make test`.
Tests run with `make test`. | `make test` runs the tests
Tests run with `make test`. | Use `make test` to run tests. || The user prefers dark mode. | User prefers dark mode
The user prefers dark mode. | Dark mode is preferred by the user
The user prefers dark mode. | The user likes dark mode. || The default branch is master. | default branch: master
The default branch is master. | master is the default branch
The default branch is master. | Our default branch is master || We use Slack for chat. | Chat happens in Slack.
We use Slack for chat. | Slack is used for chat || We use Slack for chat. | Use Slack for chat
We use Slack for chat. | Our chat tool is Slack || Logs are kept for 30 days. | Keep logs for 30 days
Logs are kept for 30 days. | logs are retained for 30 days || Logs are kept for 30 days. | We keep logs for 30 days.
The database is MySQL. | We use MySQL as the database || The database is MySQL. | MySQL is the database
The database is MySQL. | The project uses MySQL. || The database is MySQL. | database = MySQL
Never commit lockfiles. | Don't commit lockfiles || Never commit lockfiles. | Lockfiles are never committed
Never commit lockfiles. | Lockfiles must not be committed. || The user's name is Anna. | user name is Anna
The user's name is Anna. | The user is called Anna. || The user's name is Anna. | Anna is the user's name
CI runs on Travis. | Travis runs the CI || CI runs on Travis. | Our CI is Travis
CI runs on Travis. | We use Travis for CI. || CI runs on Travis. | Continuous integration runs on Travis.
Use semicolons in TypeScript. | In TypeScript, use semicolons
Use semicolons in TypeScript. | Semicolons are used in TypeScript
Use semicolons in TypeScript. | TypeScript files use semicolons.
""")

# what was retired | something else
NOT_SAID_AGAIN = pairs("""
The deploy target is Fly.io. | Fly.io had an outage in May.
The deploy target is Fly.io. | The deploy target of the docs is Netlify.
The deploy target is Fly.io. | We deploy on Fridays. || The deploy target is Fly.io. | The deploy target is Render.
This repository uses npm. | The lockfile is pnpm-lock.yaml.
This repository uses npm. | npm scripts are documented in the README.
This repository uses npm. | npm audit runs in CI. || This repository uses npm. | This repository uses pnpm.
Indent with tabs. | Use tabs in Makefiles. || Indent with tabs. | The settings page has three tabs.
Indent with tabs. | Indent with spaces. || The API listens on port 3000. | The web app listens on port 3000.
The API listens on port 3000. | The API listens on localhost.
The API listens on port 3000. | The API listens on port 4000.
Alice approves the budget. | Alice approves vacations. || Alice approves the budget. | Alice wrote the budget tool.
Alice approves the budget. | Bob approves the budget. || Tests run with `make test`. | `make test` is slow on Windows.
Tests run with `make test`. | Lint with `make lint`. || Tests run with `make test`. | Tests run with `just test`.
The user prefers dark mode. | Dark mode is broken in Safari.
The user prefers dark mode. | The user prefers light mode.
The default branch is master. | The master key is in the safe.
The default branch is master. | The default branch is main. || We use Slack for chat. | Alerts are posted to Slack.
We use Slack for chat. | Slack is down today. || We use Slack for chat. | We use Teams for chat.
Logs are kept for 30 days. | Backups are kept for 30 days. || Logs are kept for 30 days. | Logs are rotated daily.
Logs are kept for 30 days. | Logs are kept for 90 days. || The database is MySQL. | The MySQL driver is pinned.
The database is MySQL. | The test database is SQLite. || The database is MySQL. | The database is Postgres.
Never commit lockfiles. | Never commit secrets. || Never commit lockfiles. | Always commit lockfiles.
The user's name is Anna. | Anna reviews the docs. || The user's name is Anna. | The user's name is Hannah.
CI runs on Travis. | Travis is on vacation. || CI runs on Travis. | CI runs on GitHub Actions.
Use semicolons in TypeScript. | Use semicolons in SQL.
Use semicolons in TypeScript. | Don't use semicolons in TypeScript.
Deploy from main to staging | Deploy from staging to main || The staging port is 3000 | The port is 3000
Frontend uses pnpm, backend uses npm | Backend uses pnpm, frontend uses npm
""")

UNRELATED = """
The billing service retries failed webhooks three times.
The search index is rebuilt every night at 02:00.
The logo colour is #1a73e8.
User uploads are limited to 25 MB.
The changelog follows Keep a Changelog.
Translations are kept in Crowdin.
The CLI prints JSON with --json.
The load balancer terminates TLS.
Customer data is anonymised before it reaches analytics.
The nightly job exports invoices to S3.
Legal reviews every new dependency.
The design system has eight spacing steps.
Dark mode follows the operating system.
The onboarding checklist is in the wiki.
The payments team is called Blue Whale.
The mobile release train leaves every second Monday.
Password hashes use argon2.
The admin panel is only reachable over VPN.
Feature branches are deleted after merging.
The monorepo has twelve packages.
The websocket gateway speaks protocol version 3.
PDF invoices are rendered with WeasyPrint.
The feedback form posts to /api/feedback.
The demo account is reset every hour.
Email templates are written in MJML.
The metrics endpoint is /metrics.
Support tickets are answered within one day.
The compliance audit takes place in October.
Fixtures are generated with factory_boy.
The storybook is published on every merge.
Retries use exponential backoff.
The user has two cats.
The user reads mail twice a day.
The user plays the cello.
The user is left-handed.
Images are resized to 1600 pixels.
The sandbox has no network.
The scheduler runs in its own process.
Old exports are deleted after a year.
The tracing sample rate is 5 percent.
The CDN is purged after each release.
The API gateway adds a request id.
Shell scripts start with set -euo pipefail.
The vendor folder is not linted.
The staging database is refreshed weekly.
Benchmarks run on a dedicated machine.
The intranet is hosted by IT.
The product owner is on leave until March.
The data warehouse is refreshed at noon.
The roadmap is discussed on Thursdays.
""".strip().splitlines()


def _about(statement: str, correction: str) -> bool:
    return relation(statement, correction) == "opposite" or corrects(correction, statement)


@pytest.mark.parametrize(("statement", "correction"), CORRECTED)
def test_a_correction_in_a_persons_words_is_known_for_one(statement, correction):
    assert _about(statement, correction)


@pytest.mark.parametrize(("statement", "correction"), OF_SOMETHING_ELSE)
def test_a_correction_of_something_else_is_left_to_that(statement, correction):
    assert not _about(statement, correction)


def test_no_correction_touches_any_of_fifty_unrelated_facts():
    corrections = [correction for _, correction in CORRECTED + OF_SOMETHING_ELSE]
    touched = [(fact, one) for one in corrections for fact in UNRELATED if _about(fact, one)]
    assert touched == []


@pytest.mark.parametrize(("retired", "again"), SAID_AGAIN)
def test_what_comes_to_the_same_is_the_same_for_what_was_retired(retired, again):
    assert restates(again, retired)
    assert restates(retired, again)


@pytest.mark.parametrize(("retired", "other"), NOT_SAID_AGAIN + OPPOSITE + NEITHER_NEAR_NOR_OPPOSITE)
def test_what_says_something_else_is_not_taken_for_what_was_retired(retired, other):
    assert not restates(other, retired)
    assert not restates(retired, other)


def test_the_facts_of_one_project_do_not_repeat_each_other():
    facts = [fact for line in FACTS.strip().splitlines() for fact in line.split(" | ")]
    assert [(a, b) for a in facts for b in facts if a != b and restates(a, b)] == []


@pytest.fixture
def crowded(open_memory: OpenMemory, repository) -> Recollect:
    """A memory with fifty entries that have nothing to do with it."""
    memory = open_memory(repository)
    for fact in UNRELATED:
        memory.remember(fact, source="agent", origin="assistant")
    return memory


@pytest.mark.parametrize(("statement", "correction"), CORRECTED[::12])
def test_among_many_entries_the_right_one_is_superseded_and_no_other(crowded: Recollect, statement, correction):
    wrong = crowded.remember(statement)
    outcome = crowded.correct(correction)
    assert outcome.superseded == (wrong.entry_id,)
    assert len(crowded.entries.list(status="active")) == len(UNRELATED) + 1


@pytest.mark.parametrize(("statement", "correction"), OF_SOMETHING_ELSE[::12])
def test_what_nobody_called_a_correction_touches_nothing_that_was_not_meant(crowded: Recollect, statement, correction):
    crowded.remember(statement)
    draft = crowded.entries.draft(correction)
    assert meant_by(draft, crowded.opened.store, asked=False).replaced == ()


def test_two_entries_that_a_correction_could_mean_are_named_and_neither_is_touched(memory: Recollect):
    first = memory.remember("The dev server listens on port 8080.").entry_id
    second = memory.remember("The preview listens on port 9090.").entry_id
    third = memory.remember("The admin console listens on port 7070.").entry_id
    outcome = memory.correct("actually the port is 8081")
    assert outcome.superseded == ()
    assert all(entry_id in outcome.why for entry_id in (first, second, third))


def test_what_only_has_the_same_subject_is_left_alone_unless_the_session_was_given_it(memory: Recollect):
    shipped = memory.remember("Logs are shipped to Datadog.").entry_id
    outcome = memory.correct("Logs are kept for 90 days.")
    assert outcome.superseded == ()
    assert shipped in outcome.why


def test_a_subject_that_somebody_gave_says_what_the_text_leaves_out(memory: Recollect):
    wrong = memory.remember("All of it goes to Heroku.", subject="deploy target").entry_id
    assert memory.correct("The deploy target is Render.").superseded == (wrong,)


@pytest.mark.parametrize("how", ["correct", "forget"])
def test_an_extraction_in_other_words_does_not_bring_back_what_was_retired(memory: Recollect, how):
    wrong = memory.remember("The deploy target is Fly.io.", source="agent", origin="assistant").entry_id
    if how == "correct":
        memory.correct("The deploy target is Render.")
    else:
        memory.forget(wrong)
    for again in ("We deploy to Fly.io.", "FLY.IO is the deploy target", "deploy target: fly.io"):
        outcome = memory.remember(again, source="system", origin="assistant")
        assert (outcome.status, outcome.entry_id) == ("refused", wrong), again
    assert memory.remember("Fly.io had an outage in May.", source="system", origin="assistant").status == "stored"


def test_what_was_retired_for_the_user_does_not_come_back_in_a_repository(memory: Recollect):
    profile = memory.remember("The user prefers tabs.", layer="L0").entry_id
    memory.forget(profile)
    for scope in ("user", "repository"):
        outcome = memory.remember("The user prefers tabs.", scope=scope, source="system", origin="assistant")
        assert (outcome.status, outcome.entry_id) == ("refused", profile)


def test_what_a_person_took_back_is_not_extracted_again(memory: Recollect):
    entry_id = memory.remember("CI runs on Buildkite.", source="system", origin="assistant").entry_id
    memory.undo()
    outcome = memory.remember("CI runs on Buildkite.", source="system", origin="assistant")
    assert (outcome.status, outcome.entry_id) == ("refused", entry_id)
    assert "undone" in outcome.why
    assert memory.remember("CI runs on Buildkite.").status == "duplicate"
    assert memory.entries.get(entry_id).status == "active"
