"""Gap-fill: what in a typed message would still be true and useful in a later session, and what would not."""

from __future__ import annotations

import json
import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks import gapfill as bench
from recollect.memory.gapfill.finding import CANDIDATE, STORE, Found, find_durable, latest, recurring, reversals
from recollect.text.language.sentences import sentences, shadow


def lines(text: str) -> list[str]:
    """One sentence or several, parted by `||`, on a line."""
    return [sentence for line in text.strip().splitlines() for sentence in line.split(" || ")]


def surest(text: str, before: str = "") -> float:
    return max((one.confidence for one in find_durable(text, before=before)), default=0.0)


DURABLE = lines("""
We use pnpm in this repo, not npm. || use bun instead of npm || no, use uv not pip
I'm on Windows, so bash scripts don't run here || My shell is fish || always run the formatter before you commit
never push straight to main || from now on reply in German please
Please don't add comments that just repeat the code, they make reviews harder || stop adding emojis to commit messages
I prefer small commits || don't commit unless I tell you to || ask me before you install anything
the backend lives in services/api || our staging server is at http://10.0.0.4:8080
The docs are generated from the schema files, so never edit them by hand
config.prod.yaml is owned by the platform team || the old importer is deprecated, the new one is in tools/import
We deploy to Fly every Friday || we don't support Python 3.9 anymore || you don't have network access in this sandbox
This project is a fork of Kestrel || tests must not hit the network || all public functions need a docstring
every migration has to be reversible || commit messages should always be in English
I told you already, the id is a string, not a number
no that's wrong, the worker reads from the queue, not from the table || the field is called tenant_id, not account_id
I work on a Mac and deploy to Linux || my name is Ruth and I maintain the parser
whenever you touch the schema, bump the version || when writing tests, use factories instead of fixtures
remember that the CI runs on ARM || Keep your answers short || be more concise || I hate long summaries at the end
We never squash merges || nobody uses the XML export anymore || we moved from Jenkins to GitHub Actions
Postgres runs in docker on port 5433 || this repo is public so never put customer names in it
Do not touch generated files, they are overwritten by the build || Use tabs for indentation everywhere
Each package has its own changelog || we keep the fixtures in testdata/ || I don't use VS Code, I use Helix
we only support Postgres || new endpoints go in routes/v2 || if you're unsure about a rename, ask first
we're a team of two so keep the process light || I thought we agreed to drop the v1 API
why are you still using moment when we switched to dayjs? || secrets are stored in 1Password, not in the repo
we follow conventional commits || Make sure to always update the changelog when you change the public API
Never use any in TypeScript || Prefer composition over inheritance
btw the repo has two remotes, origin is the fork and upstream is the real one
just so you know, the CI only runs on pull requests || I'm not a frontend person so explain css stuff to me
you should never edit package-lock.json by hand || we have a design system, use its components instead of raw html
nope, we don't do default exports || The API key is in the .env file, don't hardcode it
Never run migrations against production || I like tables more than bullet points || we're using yarn workspaces
it's a monorepo managed with turborepo || don't ever touch the vendor folder || Only Maria can merge to main
the legacy folder is read-only || For this project we target Node 20
The website is built with Hugo and hosted on Netlify || any new dependency needs approval from security
you don't need to ask before running tests || always answer in Spanish
don't explain what you did, just show the code || I don't want you to create markdown files unless I ask
As I said, the timezone is always UTC || we do not use classes in this codebase || The mobile team owns that endpoint
my editor is set to 2 spaces || we only deploy on weekdays || All dates are stored as UTC
use single quotes in all python files || ids are UUIDs, not integers || we switched from REST to gRPC last year
we've dropped support for IE || This package is published to our private registry || commits need to be signed
PRs should be small || the dev server runs on port 5174 || please stop apologizing || I use Arch btw
Whenever I say ship it, I mean open a PR || customers never see the admin panel
prefer early returns over nested ifs || we test with vitest
One thing: in this repo we never commit generated files, so please remove dist from the commit.
ok looks good. btw for the future: run the type checker too, not only the tests
The reason the test fails is that CI has no display, so GUI tests always need the headless flag there.
use the existing logger, we don't print to stdout in library code
The secret lives in the vault under kv/billing, you don't have access to it
This is an internal tool for three people, so don't over-engineer it
Write to the guidelines that every new service needs a health endpoint
no, users never log in with a password, we only have SSO
I work mostly at night, timestamps in my local time are confusing, so use UTC
The app is written in Elixir, you can't use npm packages here
We're on Postgres 14 in production so that function doesn't exist || just fyi the docs folder is a git submodule
Everything under legacy/ is frozen, don't touch it || Please don't create new files unless it's really necessary
Always ask before deleting anything || When you add an endpoint, add it to the OpenAPI file too
please answer in short sentences, I'm reading this on my phone most of the time
you must use the wrapper in lib/http, direct fetch calls are not allowed
Our API is versioned by header, not by path || I don't like ternaries, use if statements || Stop using any
""")

LESS_SURE = lines("""
I'd rather have one long file than five tiny ones || you can't run the emulator here, I'll test it on my phone
our team writes ADRs for every decision || the main branch is called trunk
The user-facing name is Atlas, the package is called atl || I have no GPU on this machine
The mobile app talks to the gateway only, never to the services directly
that's not how it works: jobs are retried by the broker || tests go next to the source file, not in a separate folder
Please use British spelling in the docs || our release branch is called stable
Don't mock the database in integration tests || The config is loaded from ~/.kestrel/config.toml
do not use abbreviations in variable names || the word "tenant" means a customer account in our system
I've noticed you keep writing comments for every line. I don't want that, code should explain itself.
You don't need to start the server, it's always running on port 4000 || we call them workspaces, not projects
""")

OF_THE_MOMENT = lines("""
fix the failing test || can you add a button to the header? || yes, go ahead || looks good, commit it
run the tests again || why does this fail? || I get an error when I start the server || the build is broken on main
it still doesn't work || don't change the tests, just fix the function
use the new helper here instead of the old one || rename foo to bar in utils.py || please review the PR
it always crashes when I click save || the login never finishes loading || I think maybe we could use a queue?
should we use Redis or Postgres for this? || we need to fix the flaky test before the release
I want to add a dark mode || I want you to write a plan first || let's move on to the next step
what is the difference between the two? || the page is slow today || I just pushed the fix
I already restarted the server || add a test for the empty case, and make sure it passes || for now skip the migration
don't commit yet || this should return a list instead of a dict || the header should be blue || continue
can you check whether we still use the old client? || I ran it twice and it failed both times
there are 3 failing tests || We are getting a timeout from the API || the tests are failing because the db is down
I see the problem, the loop never ends || make the modal wider || the button is in the wrong place
it is in the second paragraph || show me the diff || I don't understand this error || we have 5 open PRs
I have to leave in an hour so be quick || nice work, thanks! || Don't use that variable here
is this always the case? || do you always run the tests before you commit? || I was thinking we could split the module
maybe we should never retry || the script will run for an hour || we will do that tomorrow
I'm using the branch you made || create a new endpoint that returns all users || `parse` should accept None
when the user clicks the button, show a toast || if the list is empty, return early || before we merge, rebase on main
the function is called twice || the variable is named wrong || My guess is that the cache is stale || now it works
that's a good idea || This is the error I get: || use 4 spaces in this file || we can do it later
I'd like to see the logs || where do we store the tokens? || Thanks, that is what I meant || the deploy is running
I can't reproduce it || you forgot the import || you removed the wrong file || keep going until the tests pass
only show the first 10 rows || all tests pass now || every test fails || No, the other one
no, I mean the second column || try again || it needs a bigger font || we want to ship this today
I need this done before lunch || I don't want to change the schema right now || never mind || ok do option 2
hmm that didn't work || can you use a different color || let's use a dict here
we should probably refactor this at some point || I moved the file to src/lib || you can merge it now
I want the sidebar to be collapsible || the sidebar should never overlap the content
add a flag that disables the cache || the test for the parser is failing on CI
is there a way to always show line numbers? || I have a file called data.csv with 3 columns || I have two questions
we are almost done || we have to fix this before Friday || don't worry about the docs for now
do not change anything else || please don't delete that file || use the same approach as in the other module
the endpoint returns 500 || The server is running on port 3000 but I can't reach it || when I run npm test I get this
I use the command you gave me but it fails || here is the output || now do the same for the other files
we lost the changes || I'm on the settings page and nothing happens || the modal is called from two places
the image is not in the right folder || the value is always null || it never gets called || all the icons are gone
every page shows the same title || make every button blue || remove all the comments from this file
you have a typo in line 3 || you didn't update the readme || you can ignore the warning || it works on my machine
I don't see the button anymore || the button no longer works || the menu is no longer visible after your change
I would like a new page for the invoices || users should be able to reset their password
the user can upload multiple files || each row needs a delete button || the form must validate the email
the list is sorted by date, not by name || this isn't what I asked for || we want to add search to the home page
I think we use redis somewhere || do we use redis? || I'd prefer the second option || I like the first one better
keep the header, remove the footer || use postgres for the example || run the linter and fix what it reports
I need to go, continue tomorrow || the PR is ready for review || The build takes 10 minutes now
we got a complaint from a customer || our demo is tomorrow || my last commit broke the tests || our tests are failing
my terminal is stuck || This is a new feature that lets users export data || the script is in the wrong folder
the docs are outdated || could you always log the request id in this handler?
add a rule that says passwords must have 12 characters
The dropdown is rendered below the table, not above it, so I can't click it. Can you fix the z-index?
I just tried it on my phone and the layout is completely off. The footer covers the button and I cannot scroll.
We could keep both versions for a while and then drop the old one once everyone has migrated. What do you think?
ok next: the export. It should write one file per customer, each file has a header row, and all amounts are in cents.
hmm the chart only shows the last 7 days, it should show 30
can you check the logs on the server, I think the worker is not picking up jobs since yesterday
no, put it in the sidebar, not in the header || nope, that broke the login completely
No, I meant the other function. The one in the parser should stay the way it is.
we now have two sources of truth for the price, that is confusing, can we merge them?
I like the direction but the colors are too strong. Use softer ones for the cards and keep the header as it is.
The tests pass locally but they always fail in CI with a timeout. I have no clue why.
my container keeps restarting and the log says the port is already in use
each time I save the file the server restarts twice || you keep saying it is fixed but the page is still blank
every time I run this I get a different result || Whenever I click on the map it jumps back to the start.
I don't have any data in the table, is the import broken? || there is no error in the console but nothing happens
You can find the stack trace in the file I attached. The interesting part is at the bottom.
It looks like we use two different date formats in the API, is that on purpose?
The script we use for the release failed with exit code 1, please have a look.
Should be good now. I've merged the branch and deleted the old one, you can continue with the next task.
We decided to skip the third step for now, so go on with the fourth.
The image you generated is too dark. Make it brighter and use a warmer tone.
I'm working on the billing page at the moment and I want to show the total at the top instead of the bottom.
let's not use a modal here, a simple inline form is fine || don't add tests for this one
do not run the migration, I will do it myself || never mind, it was my mistake, the env variable was not set
all three buttons need more padding || Any of these would work for me || both options are fine
the tooltips must not cover the chart || we want users to be able to invite their colleagues by email
I want the list to be sorted by date and the newest entry to be on top
The sidebar is always open on desktop and closed on mobile, please implement it like that
The plan looks good, but step 2 is not needed, we already have that function in utils
That's because we call it before the store is ready
the reason is that the API returns strings, not numbers, so convert them first
it's not a bug, the filter is just set to last week
I am using the staging data right now so the numbers are a bit off
we're waiting for the design, so use a placeholder until then || Use a switch instead of a checkbox for the setting
rename the variable, it's called userId everywhere else || This function is called from three places so be careful
the cache is stored in memory, can we move it to disk? || Can you explain why the config is loaded from two places?
I'd rather see the numbers in a table here || I prefer option B, go with that
our current approach is too slow, let's think about alternatives || my idea is to have a queue in between
the goal is a page that loads in under a second || I thought we fixed that yesterday
I thought we removed the debug output, but it is still there || why are you still running? stop
why is it still showing the old logo? || don't delete it because I need it for the demo
do not restart the server since the import is running || stop watching the file, I'm done
avoid using the sidebar for this, put it in the footer || no tests for now please || no docs needed
no changes since last week? || we support that already, look at the adapter || we use that in the other branch
we keep getting 429 from the API || we still need to update the docs || we don't have much time
we only need the first three columns || we never got an answer from the vendor || we don't see any traffic
we always end up with a merge conflict here || I use the same key and it works with curl
I work on the header while you do the footer || I always get a blank page || our last release is broken
my laptop is at 3% battery || the service is deployed, you can test it now || the package is published, check npm
the container is running on port 8080, but curl says connection refused || the file is stored in the wrong folder
the old branch is deleted || the feature is not supported in Safari, is it?
this field is no longer needed, remove it || this is replaced by a spinner while loading
everything must be done by Friday || when you are done, push the branch || when you push, tell me
when testing, I see two requests instead of one || before you start, read the ticket || after you fix it run the tests
if you need more info ask me || if anything fails, stop and report || whenever you are ready
you can merge without asking me this time || you have access to the logs now, please check
you can see the error yourself if you open the page || wait until I tell you || don't merge until I approve it
remember the bug from yesterday? it is back || remember to push when you are finished
next time the job runs it should pick up the new file || in future versions we could add a filter
I only want the totals || I hate this bug || I prefer the old layout || I don't like how the table looks
I don't like the new icon || use tabs instead of an accordion on the settings page || use react-query for this request
use docker for the demo || the frontend is a mess || the backend is the problem here
the server is the one I told you about || the project has 14 open issues || we will use the second approach
we will keep the old endpoint until the release || we moved the button to the left
we switched the order of the two fields || we have a failing check at https://ci.example.org/builds/91
be careful with the quotes || be quick please || answer my question || explain it in simple words
write a short summary of the changes || make your answer shorter
""")

DURABLE_JAPANESE = lines("""
今後は必ずテストを実行してからコミットしてください || このリポジトリではpnpmを使っています || コメントは日本語で書いてください || 絶対にmainに直接pushしないで
設定ファイルは config/app.toml にあります || 本番環境はCloud Runで動いています || コミットメッセージは常に英語で書くこと || 回答は簡潔にお願いします
毎回リリース前にCHANGELOGを更新して || そのAPIはもう使っていません || 私はWindowsを使っています || force pushは禁止です || ドキュメントは英語に統一する方針です
テストではモックを使わないこと
""")

OF_THE_MOMENT_JAPANESE = lines("""
テストを実行してください || このエラーを直して || ボタンの色を青にしてください || これで動きますか？ || OKです。コミットしてください || アプリがクラッシュする || READMEを更新してpushしてください
なぜこの関数を使っているの？ || 今回はテストを書かなくて大丈夫です || サイドバーが表示されません || ありがとう！リリースして || 今は変更しないでください || 次の作業を進めてください || さっきの変更を元に戻して
どちらの方法がいいと思いますか？ || 確認しました。問題ありません || 方針は良いです || 毎回エラーになる || ファイルを選択したら右側にプレビューを表示してほしい
""")

NARRATIVES = [
    "So when I open the drawer the first time it works, but if I close it and open it again the list is empty. "
    "I never see the spinner either. Any idea?",
    "Let me think about the flow: the user uploads a file, we store it in a temp bucket, then we run the scanner and "
    "if it is clean we move it to the real bucket. Does that make sense?",
    "I'm working on the billing page at the moment and I want to show the total at the top instead of the bottom.",
    "The new endpoint takes an id and returns the invoice. If the invoice does not exist it returns 404. Write tests.",
]

STATEMENTS = [
    ("we use pnpm in this repo, not npm", "We use pnpm in this repo, not npm."),
    (
        "please stop adding emojis to commit messages",
        "The user wants this: stop adding emojis to commit messages.",
    ),
    (
        "Whenever you touch the schema, bump the version",
        "The user wants this: whenever you touch the schema, bump the version.",
    ),
    ("never push straight to main", "The user wants this: never push straight to main."),
    ("from now on reply in German please", "The user wants this: from now on reply in German."),
    ("ok but i no longer use tmux", 'The user says: "i no longer use tmux"'),
    ("don't commit unless I tell you to", "The user wants this: don't commit unless I tell you to."),
    ("No, our API runs on port 8080.", "Our API runs on port 8080."),
    ("can you drop oldgrep since it's no longer supported", "Oldgrep is no longer supported."),
    ("you don't have network access in this sandbox", "You don't have network access in this sandbox."),
]


@pytest.mark.parametrize("text", DURABLE + DURABLE_JAPANESE)
def test_what_holds_in_general_is_stored(text: str) -> None:
    assert surest(text) >= STORE


@pytest.mark.parametrize("text", OF_THE_MOMENT + OF_THE_MOMENT_JAPANESE + NARRATIVES)
def test_what_belongs_to_the_moment_is_not_stored(text: str) -> None:
    assert surest(text) < STORE


@pytest.mark.parametrize("text", LESS_SURE)
def test_what_is_less_sure_at_least_waits_for_a_person(text: str) -> None:
    assert surest(text) >= CANDIDATE


def test_so_that_begins_a_purpose_unless_it_points_at_something() -> None:
    assert find_durable("Let an agent look around so that we don't fill up the context.") == []
    said = "The hook is stored in the repository secret DEPLOY_HOOK, so that name is right."
    assert [one.statement for one in find_durable(said)] == [said]


@pytest.mark.parametrize(("typed", "statement"), STATEMENTS)
def test_the_statement_speaks_of_the_user_in_the_words_that_were_typed(typed: str, statement: str) -> None:
    assert " ".join(one.statement for one in find_durable(typed)) == statement


@pytest.mark.parametrize(
    ("text", "kind", "scope"),
    [
        ("I prefer small commits", "preference", "user"),
        ("always answer in Spanish", "preference", "user"),
        ("my shell is fish", "fact", "user"),
        ("we deploy to Fly every Friday", "fact", "repository"),
        ("the backend lives in services/api", "fact", "repository"),
        ("no, the worker reads from the queue, not from the table", "correction", "repository"),
        ("why are you still using moment when we have dayjs?", "correction", "repository"),
        ("never use any in this repo", "preference", "repository"),
    ],
)
def test_kind_and_scope_follow_what_is_said(text: str, kind: str, scope: str) -> None:
    best = max(find_durable(text), key=lambda one: one.confidence)
    assert (best.kind, best.scope) == (kind, scope)


def test_the_span_is_the_durable_part_of_a_longer_message() -> None:
    text = "Looks good. Please fix the import in app.py. We don't support Python 3.9 anymore. Then open a PR."
    [one] = find_durable(text)
    assert text[one.start : one.end].startswith("We don't support Python 3.9 anymore")


def test_hedging_and_questions_lower_the_confidence() -> None:
    plain = surest("we use redis for the queue")
    assert plain >= STORE
    assert surest("I think maybe we use redis for the queue") < STORE
    assert surest("do we use redis for the queue?") < CANDIDATE


def test_pasted_and_quoted_text_says_nothing() -> None:
    log = "Fix this:\n```\nwe never deploy on Fridays\nalways use tabs\n```"
    trace = "> we always use tabs\n> never push to main\n"
    assert find_durable(log) == []
    assert find_durable(trace) == []
    assert find_durable('the error says "never use this in production" and stops') == []
    assert find_durable("<memory-context>\nWe use pnpm, not npm.\n</memory-context>\nfix the test") == []


def test_a_role_prompt_is_not_a_person() -> None:
    prompt = "You are a reviewer. Always answer in JSON. Never explain. We use pnpm."
    assert find_durable(prompt) == []


def test_below_a_paste_only_plain_rules_of_the_person_count() -> None:
    pasted = "\n".join(
        f"The module number {n} is documented in the manual of the tool, chapter {n}." for n in range(40)
    )
    assert all(one.confidence < STORE for one in find_durable(pasted))


def test_no_secret_survives_in_a_statement() -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    found = find_durable(f"we use the token {secret} for all deploys, and our password is always hunter2Xy99Zz")
    assert found
    assert all(secret not in one.statement for one in found)
    assert any("[redacted:" in one.statement for one in found)


def test_an_order_that_comes_back_in_three_sessions_is_a_preference() -> None:
    orders = [
        ("a", "update the changelog before the release"),
        ("a", "continue"),
        ("b", "Update the changelog before release."),
        ("c", "please update the changelog before the release"),
        ("c", "fix the login page"),
    ]
    [one] = recurring(orders)
    assert one.sessions == ("a", "b", "c")
    assert one.times == 3


def test_what_everybody_says_in_every_session_is_no_preference() -> None:
    assert recurring([(session, "commit and push") for session in "abcdef"]) == []
    assert recurring([("a", "update the changelog before the release")] * 5) == []


def test_the_later_word_wins() -> None:
    said = [
        one for text in ("we use npm", "our docs live in docs/", "we use pnpm, not npm") for one in find_durable(text)
    ]
    assert [(one.earlier, one.later) for one in reversals(said)] == [(0, 2)]
    assert [one.statement for one in latest(said)] == [said[1].statement, said[2].statement]


@given(st.text(max_size=400))
@settings(max_examples=300, deadline=None)
def test_any_text_is_read_without_an_error_and_every_span_lies_inside_it(text: str) -> None:
    for one in find_durable(text, before=text):
        assert 0 <= one.start < one.end <= len(text)
        assert one.statement
        assert CANDIDATE <= one.confidence <= 1


_PIECES = st.sampled_from(
    [*DURABLE[:40], *OF_THE_MOMENT[:40], "```", "\n\n", "> ", "<a>", "</a>", "。", "\u0130", "'", '"', "\x00"]
)


@given(st.lists(_PIECES, max_size=12).map(" ".join))
@settings(max_examples=300, deadline=None)
def test_mixed_messages_give_the_same_findings_twice_in_order_without_overlap(text: str) -> None:
    found = find_durable(text)
    assert found == find_durable(text)
    for one, following in pairwise(found):
        assert one.end <= following.start
    assert len(shadow(text)) == len(text)
    assert all(text[one.start : one.end].strip() for one in sentences(text))


def test_a_megabyte_of_anything_is_read() -> None:
    for hard in ("a", "a/", '"', "<t>", "x\n", "`a", ".a", "今後は必ず使う", "- use x\n", "_a_", "aB"):
        text = hard * (1_000_000 // len(hard))
        began = time.process_time()
        find_durable(text, before=text)
        assert time.process_time() - began < 20, "it takes less than one; with the square of the length, hours"


def test_the_benchmark_reads_records_and_weighs_by_stratum(tmp_path) -> None:
    records = [
        {
            "id": f"{group}{number}",
            "group": group,
            "text": text,
            "prev": "",
            "label": "positive" if durable else "none",
            "labels": [{"kind": "fact", "scope": "repository", "span": [0, len(text)], "confidence": "high"}] * durable,
            "stratum": "net" if number else "random",
            "net_hit": True,
        }
        for group in "abcd"
        for number, (text, durable) in enumerate([("we use pnpm, not npm", True), ("run the tests", False)])
    ]
    path = tmp_path / "records.jsonl"
    path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    result = bench.run(bench.read(str(path)), "auto")
    first = result["rows"][0]
    assert (first.precision.value, first.recall.value) == (1.0, 1.0)
    assert len(result["held_out"]) == bench.HELD_OUT
    assert result["quality"]["all"]["scope right"] == 1.0


def test_findings_say_why() -> None:
    [one] = find_durable("we no longer support Python 3.9")
    assert isinstance(one, Found)
    assert "ended" in one.because
