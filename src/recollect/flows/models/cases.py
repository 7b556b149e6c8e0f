"""Two dozen typed messages with known answers: what a model has to get right before more than its choice is trusted."""

from __future__ import annotations

from recollect.model.record import Record

DURABLE = ("rule", "fact", "preference")
PASSING = ("order", "question", "status", "chat")
KINDS = (*DURABLE, *PASSING)

# What is stored already, by number; a correction replaces one of these.
ENTRIES = {
    1: "The API listens on port 8080.",
    2: "This repository uses npm.",
    3: "Deployments go to Heroku.",
    4: "The user's editor is Vim.",
    5: "Tests run with `make check` and take 4 minutes.",
    6: "The staging database is PostgreSQL 14 on db-2.",
}


class Case(Record):
    """A message, its kind, the words that matter in it, where they hold, and the entry that they replace."""

    text: str
    kind: str
    quote: str = ""  # one of the words that a quote must hold; empty where there is nothing to quote
    scope: str = ""  # user or repository, for what is durable
    replaces: int = 0


CASES = (
    Case(
        "Never commit directly to main in this repo, always open a pull request.", "rule", "pull request", "repository"
    ),
    Case("Can you check why the login test fails?", "order"),
    Case("I prefer short answers without bullet points, whatever the project.", "preference", "bullet points", "user"),
    Case("What does this regex do?", "question"),
    Case("Invoices are rounded to 0.05 CHF here, the accountants insist on it.", "fact", "0.05", "repository"),
    Case("ok thanks, that looks good", "chat"),
    Case("The build is green again now.", "status"),
    Case("By the way, we moved from npm to pnpm last week.", "fact", "pnpm", "repository", 2),
    Case("Rename `getUser` to `fetch_user` in this file please.", "order"),
    Case("In all my projects I want type hints on every public function.", "rule", "type hints", "user"),
    Case("No, the API listens on 9443 now, 8080 was the old proxy.", "fact", "9443", "repository", 1),
    Case("hm", "chat"),
    Case("Is it the same on Windows?", "question"),
    Case("We deploy to Fly.io these days, not to Heroku any more.", "fact", "Fly.io", "repository", 3),
    Case("I am still waiting for CI.", "status"),
    Case("My name is Jana, and I write British English.", "fact", "Jana", "user"),
    Case("Run the tests again with -v.", "order"),
    Case("I use Helix now instead of Vim.", "preference", "Helix", "user", 4),
    Case("Dates in the logs of this service are always UTC, never local time.", "rule", "UTC", "repository"),
    Case("Forget it, I found the bug myself.", "chat"),
    Case(
        "`make check` takes about 12 minutes since we added the browser tests.", "fact", "12 minutes", "repository", 5
    ),
    Case("How long did that take?", "question"),
    Case("The staging database is on db-7 since Monday.", "fact", "db-7", "repository", 6),
    Case("For this one change, skip the changelog.", "order"),
)
