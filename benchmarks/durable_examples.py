"""Invented messages of many trades, none of it from a log: what holds in general, and what belongs to the moment.

The scorer is trained on them too, so they say nothing about how it does on other people. `||` parts two messages.
"""

from __future__ import annotations

from pathlib import Path

EXAMPLES = Path(__file__).parent / "examples"


def lines(text: str) -> list[str]:
    """One message or several, parted by `||`, on a line."""
    return [message for line in text.strip().splitlines() for message in line.split(" || ")]


DURABLE = lines(
    r"""
We use pnpm in this repo, not npm. || use bun instead of npm || no, use uv not pip
I'm on Windows, so bash scripts don't run here || My shell is fish || always run the formatter before you commit
never push straight to main || from now on reply in German please
Please don't add comments that just repeat the code, they make reviews harder
stop adding emojis to commit messages || I prefer small commits || don't commit unless I tell you to
ask me before you install anything || the backend lives in services/api
our staging server is at http://10.0.0.4:8080
The docs are generated from the schema files, so never edit them by hand
config.prod.yaml is owned by the platform team || the old importer is deprecated, the new one is in tools/import
We deploy to Fly every Friday || we don't support Python 3.9 anymore
you don't have network access in this sandbox || This project is a fork of Kestrel
tests must not hit the network || all public functions need a docstring || every migration has to be reversible
commit messages should always be in English || I told you already, the id is a string, not a number
no that's wrong, the worker reads from the queue, not from the table
the field is called tenant_id, not account_id || I work on a Mac and deploy to Linux
my name is Ruth and I maintain the parser || whenever you touch the schema, bump the version
when writing tests, use factories instead of fixtures || remember that the CI runs on ARM
Keep your answers short || be more concise || I hate long summaries at the end || We never squash merges
nobody uses the XML export anymore || we moved from Jenkins to GitHub Actions
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
As I said, the timezone is always UTC || we do not use classes in this codebase
The mobile team owns that endpoint || my editor is set to 2 spaces || we only deploy on weekdays
All dates are stored as UTC || use single quotes in all python files || ids are UUIDs, not integers
we switched from REST to gRPC last year || we've dropped support for IE
This package is published to our private registry || commits need to be signed || PRs should be small
the dev server runs on port 5174 || please stop apologizing || I use Arch btw
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
Marisol approves releases || the staging database lives in eu-west
our firmware images are signed by the build box, not by developers || the simulator only understands metric units
the lab cluster has no internet || patient ids are opaque strings, never parse them
we keep raw sensor dumps in the archive bucket and never in git
please keep the tables sorted by date from now on
quick note: the old pricing sheet is obsolete, the finance team only looks at the new one
The shop runs on Magento, the blog is plain WordPress || we write everything in the passive voice for this journal
our reviewers want figures as vector graphics || Deployments happen on Tuesdays.
the nightly job starts at 2am UTC
Hi! We're a small clinic and the software runs on two old Windows boxes. Can you help me set up backups?
I'm the only developer on this, so don't bother with review checklists || the printer in the warehouse speaks ZPL
We pay per request, so batch the calls whenever you can || all prices are in Swiss francs
Currency is stored in cents everywhere. || the mobile app is written in Dart, the server in Go
this game targets the Steam Deck || don't rename public functions, other teams depend on them
The test rig can't reach the internet, so vendor everything || unit tests belong beside the code they test
Our linter config comes from the platform group and can't be changed here
the word "run" here means a production batch, not an execution
I review everything on my phone so keep diffs small || when you cite papers use the journal's short names
every chapter starts with an epigraph || Prefer plain functions to classes. || we don't do feature flags here
the compiler we use is clang 15 || our CI has no GPU || hotfixes go through the release manager
The dataset is confidential: do not paste rows into the chat. || only the ops people have root on that host
I've told you twice: the axis is in millimetres || we ship to schools, so nothing may need an account
Use en dashes for ranges, that's house style. || each plugin ships its own translations
the bot account for this is called harvest-bot || My timezone is UTC+9 so mornings are best
when I say "the board" I mean the PCB || all our examples use the retail data set
for scripts we use fish, never bash || the vendor drops support for v3 in March so everything new must be v4
tickets live in Linear, not in GitHub || The desktop client shares its code with the web client
The kiosk has no keyboard, everything must work by touch || we settled on tabs
we went with SQLite for local storage || the team decided to stay on Java 17 || I always squash before merging
Keep in mind that judges read this on paper || the release notes are written for end users, not for developers
i want every script to start with set -euo pipefail || i like my commits signed || the intern can't approve PRs
ok but we never store floats for money, use the Decimal type like everywhere else in the code
there's already a helper for that in lib/geo, don't write a second one
hmm no. we dropped webpack months ago, it's all esbuild now || pls stop leaving TODO comments everywhere
can you redo it with named exports? we don't do default exports here
I work in a monorepo with 40 packages so a full build takes forever, only build what you touched
we're on k8s 1.27, that api isn't available || this is production, there is no staging
you're in a worktree, don't switch branches || the .proto files are the source, the ts files are generated
Don't add new dependencies without checking with me. || I'd prefer if you wrote smaller functions
next time just ask instead of guessing || we use feature branches off develop, not main
good. also for future reference the api key for dev is in .env.local
our customers are mostly in Brazil so default to pt-BR
the design tokens come from figma, don't change them by hand || if a test is flaky tell me, don't add retries
my laptop is an M1 so x86 images don't run || no need to ask me for permission to run tests
i don't need explanations, just the patch
I'm new to Rust so please explain borrow checker stuff when it comes up || we agreed on 100 columns, not 80
we follow semver strictly so this has to be a major bump || nobody outside the team reads these logs
CI only has 4GB of RAM || test data is in fixtures/, production data must never end up there
the python version is pinned to 3.10 because of the gpu drivers
@alice owns the billing module, ask her before touching it || that file is vendored
the staging url is https://stage.example.org and prod is https://example.org || our coverage gate is 85%
we deploy from tags only || Everything in core/ must stay free of I/O.
The company is called Brightwater, not BrightWater.
migrations run automatically on deploy so they must be backwards compatible
I want all new components to be server components by default || do not use lodash in new code
I usually work on Linux but today i'm on the mac || our db is mysql so no returning clause
we host our own runners || I keep my dotfiles in ~/dots, managed with stow
tests should not depend on the order they run in
the frontend team can't read python so document the api in the readme || never ever log tokens
actually scratch that, we support node 18 too || as a rule of thumb we keep one class per file
I don't think we need Kafka, postgres is enough for our volume || we don't need IE support
the reporting service reads from the replica || contractors can't see the customer data
field names should match the csv export for consistency
we should not retry payments because the provider bills each attempt || the license server needs a VPN
refunds are handled by the support team || backups run at night on the second disk || our api speaks JSON only
the archive is read-only || Questions about taxes go to Priya || I usually review on weekends
never write to stdout, it's our protocol channel || don't hardcode paths || don't use abbreviations
We sell to hospitals so audit logs are mandatory || we write docs in asciidoc
our repo is mirrored to gitlab every hour || there is no GPU on the build machine
there is no staging environment, we test in production behind flags || the house style is sentence case
we went with protobuf for the wire format || we agreed on UTC timestamps
I'm not familiar with Kubernetes, explain the yaml when you touch it
i want you to always show me the plan before you write code || please keep functions under 50 lines in this project
the word customer means a company in our model, never a person || we say "tenant", not "client"
the payment provider only accepts ISO country codes || our warehouse system talks SOAP
everything user facing goes through the localization team || we version the API by date
Please always include the ticket number in branch names || all amounts are gross, never net
you have read access to the warehouse only || the audio engine is written in C++
use metric prefixes in all labels || we prefer boring technology
this service must never call the public internet || I maintain the Debian package
the robots file is generated, edit the template instead || we're a nonprofit so no paid services
keep explanations to one paragraph, please, in general || 今後は必ずテストを実行してからコミットしてください
このリポジトリではpnpmを使っています || コメントは日本語で書いてください || 絶対にmainに直接pushしないで
設定ファイルは config/app.toml にあります || 本番環境はCloud Runで動いています
コミットメッセージは常に英語で書くこと || 回答は簡潔にお願いします || 毎回リリース前にCHANGELOGを更新して
そのAPIはもう使っていません || 私はWindowsを使っています || force pushは禁止です
ドキュメントは英語に統一する方針です || テストではモックを使わないこと || APIのレスポンスは必ずcamelCaseにする
変数名は英語でお願いします || 今後コミットは小さく分けて || テストデータはfixtures配下に置いてください
このプロジェクトはNode 20が前提です || デザインはFigmaが正です || 本番のDBには絶対に触らないで
PRのタイトルは日本語で統一しています || CIではGPUが使えません
私はフロントエンドが専門ではないので、CSSは丁寧に説明してください || 勝手にpushしないでください
mainブランチに直接コミットするのはやめて || うちはモノレポなので、ルートでinstallしてください
リリースは毎週火曜日に行っています || ログはCloudWatchに出力されます || 認証はKeycloakを使う
日付はすべてUTCで保存している || 型定義は自動生成なので手で編集しないこと || いや、ポートは8080ではなく9090です
基本的にclassは使わず関数で書く方針 || 質問があれば実装前に必ず聞いて || ライブラリを追加するときは事前に確認して
コードを書くときはコメントを日本語で入れて || リポジトリは公開なので、顧客名は書かないで || テストはvitestで書く
絵文字は使わないで || 設定値はハードコードしないように
"""
)

LESS_SURE = lines(
    r"""
I'd rather have one long file than five tiny ones || you can't run the emulator here, I'll test it on my phone
our team writes ADRs for every decision || the main branch is called trunk
The user-facing name is Atlas, the package is called atl || I have no GPU on this machine
The mobile app talks to the gateway only, never to the services directly
that's not how it works: jobs are retried by the broker
tests go next to the source file, not in a separate folder || Please use British spelling in the docs
our release branch is called stable || Don't mock the database in integration tests
The config is loaded from ~/.kestrel/config.toml || do not use abbreviations in variable names
the word "tenant" means a customer account in our system
I've noticed you keep writing comments for every line. I don't want that, code should explain itself.
You don't need to start the server, it's always running on port 4000 || we call them workspaces, not projects
The grader runs each notebook with a 5 minute limit. || no, invoices are numbered per country
that's wrong. The thermostat reports in Kelvin. || nope the orbit solver takes degrees
Anything that touches payroll goes through Ingrid. || the CMS strips inline styles so put them in the stylesheet
I teach high school physics, most of my students have never programmed
levels are authored in Tiled and converted at build time || the robot arm has six joints, numbered from the base
the customer number is eight digits, leading zeros matter || use the metric system for everything you write for me
"Ledger" is our name for the accounting service || No more than 80 columns please, our terminals are old
releases are cut from the stable branch || you need to be on the VPN to reach the license server
The spec is the source of truth, the wiki is often stale. || actually the queue is FIFO, it never reorders
In this codebase errors are values; we don't throw.
you always forget to regenerate the bindings, do it after every schema change
the API is rate limited to 30 calls a minute || the docs build happens in a separate repo
before opening a PR run the e2e suite, ci doesn't run it
for anything customer facing use the word workspace, not project
the user table has 40 million rows so avoid full scans || you don't need sudo here, the container runs as root
rubocop is the law here || the iOS app still calls v1, so v1 can't go away
please write commit messages in imperative mood || why did you use any again? we have strict mode on for a reason
use conventional commits with the jira key as scope || the old admin is frozen until we delete it, no changes there
we have an internal package for that, @acme/http || error messages are shown to end users so keep them friendly
sorry i should have said: the deadline for all of this is set by the regulator, so correctness beats speed
the grading server allows two uploads per hour || the lawyers insist on the long disclaimer
our designers hand over in Sketch || Our sensors report every ten seconds.
invoices go out on the first of the month || nightly builds come from the develop branch
The mobile build needs Xcode 15. || if you need a new icon, ask the design team first
when you add a dependency update the lockfile too || don't leave print statements in the code
the database is MySQL 5.7, window functions don't exist there
the on-call engineer has to sign off on schema changes || I run Debian on all my machines
don't generate test data with random seeds || the game loop is fixed at 60 Hz
no, the retries happen in the client library || we cache nothing on the edge, by policy
our students submit through Moodle || the customer insists on Oracle
for the record: builds are reproducible and must stay that way || ドキュメントはdocs/ja以下にまとめています
エラーメッセージはユーザー向けなので、わかりやすい言葉で書くこと || macOSのみ対応でWindowsはサポートしない
"""
)

OF_THE_MOMENT = lines(
    r"""
fix the failing test || can you add a button to the header? || yes, go ahead || looks good, commit it
run the tests again || why does this fail? || I get an error when I start the server || the build is broken on main
it still doesn't work || don't change the tests, just fix the function
use the new helper here instead of the old one || rename foo to bar in utils.py || please review the PR
it always crashes when I click save || the login never finishes loading || I think maybe we could use a queue?
should we use Redis or Postgres for this? || we need to fix the flaky test before the release
I want to add a dark mode || I want you to write a plan first || let's move on to the next step
what is the difference between the two? || the page is slow today || I just pushed the fix
I already restarted the server || add a test for the empty case, and make sure it passes
for now skip the migration || don't commit yet || this should return a list instead of a dict
the header should be blue || continue || can you check whether we still use the old client?
I ran it twice and it failed both times || there are 3 failing tests || We are getting a timeout from the API
the tests are failing because the db is down || I see the problem, the loop never ends || make the modal wider
the button is in the wrong place || it is in the second paragraph || show me the diff
I don't understand this error || we have 5 open PRs || I have to leave in an hour so be quick || nice work, thanks!
Don't use that variable here || is this always the case? || do you always run the tests before you commit?
I was thinking we could split the module || maybe we should never retry || the script will run for an hour
we will do that tomorrow || I'm using the branch you made || create a new endpoint that returns all users
`parse` should accept None || when the user clicks the button, show a toast || if the list is empty, return early
before we merge, rebase on main || the function is called twice || the variable is named wrong
My guess is that the cache is stale || now it works || that's a good idea || This is the error I get:
use 4 spaces in this file || we can do it later || I'd like to see the logs || where do we store the tokens?
Thanks, that is what I meant || the deploy is running || I can't reproduce it || you forgot the import
you removed the wrong file || keep going until the tests pass || only show the first 10 rows || all tests pass now
every test fails || No, the other one || no, I mean the second column || try again || it needs a bigger font
we want to ship this today || I need this done before lunch || I don't want to change the schema right now
never mind || ok do option 2 || hmm that didn't work || can you use a different color || let's use a dict here
we should probably refactor this at some point || I moved the file to src/lib || you can merge it now
I want the sidebar to be collapsible || the sidebar should never overlap the content
add a flag that disables the cache || the test for the parser is failing on CI
is there a way to always show line numbers? || I have a file called data.csv with 3 columns || I have two questions
we are almost done || we have to fix this before Friday || don't worry about the docs for now
do not change anything else || please don't delete that file || use the same approach as in the other module
the endpoint returns 500 || The server is running on port 3000 but I can't reach it
when I run npm test I get this || I use the command you gave me but it fails || here is the output
now do the same for the other files || we lost the changes || I'm on the settings page and nothing happens
the modal is called from two places || the image is not in the right folder || the value is always null
it never gets called || all the icons are gone || every page shows the same title || make every button blue
remove all the comments from this file || you have a typo in line 3 || you didn't update the readme
you can ignore the warning || it works on my machine || I don't see the button anymore
the button no longer works || the menu is no longer visible after your change
I would like a new page for the invoices || users should be able to reset their password
the user can upload multiple files || each row needs a delete button || the form must validate the email
the list is sorted by date, not by name || this isn't what I asked for || we want to add search to the home page
I think we use redis somewhere || do we use redis? || I'd prefer the second option || I like the first one better
keep the header, remove the footer || use postgres for the example || run the linter and fix what it reports
I need to go, continue tomorrow || the PR is ready for review || The build takes 10 minutes now
we got a complaint from a customer || our demo is tomorrow || my last commit broke the tests
our tests are failing || my terminal is stuck || This is a new feature that lets users export data
the script is in the wrong folder || the docs are outdated || could you always log the request id in this handler?
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
when testing, I see two requests instead of one || before you start, read the ticket
after you fix it run the tests || if you need more info ask me || if anything fails, stop and report
whenever you are ready || you can merge without asking me this time
you have access to the logs now, please check || you can see the error yourself if you open the page
wait until I tell you || don't merge until I approve it || remember the bug from yesterday? it is back
remember to push when you are finished || next time the job runs it should pick up the new file
in future versions we could add a filter || I only want the totals || I hate this bug || I prefer the old layout
I don't like how the table looks || I don't like the new icon
use tabs instead of an accordion on the settings page || use react-query for this request
use docker for the demo || the frontend is a mess || the backend is the problem here
the server is the one I told you about || the project has 14 open issues || we will use the second approach
we will keep the old endpoint until the release || we moved the button to the left
we switched the order of the two fields || we have a failing check at https://ci.example.org/builds/91
be careful with the quotes || be quick please || answer my question || explain it in simple words
write a short summary of the changes || make your answer shorter || テストを実行してください || このエラーを直して
ボタンの色を青にしてください || これで動きますか？ || OKです。コミットしてください || アプリがクラッシュする
READMEを更新してpushしてください || なぜこの関数を使っているの？ || 今回はテストを書かなくて大丈夫です
サイドバーが表示されません || ありがとう！リリースして || 今は変更しないでください || 次の作業を進めてください
さっきの変更を元に戻して || どちらの方法がいいと思いますか？ || 確認しました。問題ありません || 方針は良いです
毎回エラーになる || ファイルを選択したら右側にプレビューを表示してほしい
"""
)

PASSING = lines(
    r"""
split the export so that we don't load every sheet twice
cache the tiles so that we never ask the map server again || I'm a bit confused by this
I'm still a little lost here || my setup is a bit clunky || we are a little late
my readings have been a bit inconsistent || I want to make sure I don't forget about it || I'm a bit worried
you're right, that was it || don't forget to update the changelog || she's been a great help
write me a short explanation of item 3 || write up a brief summary || it's been a while
the simulator crashes on start || the printer is out of paper || Deployments are failing again
the nightly job started twice || can you make the thermostat widget show Celsius?
the chart is in the wrong place || the importer reads the file twice, fix it
the table has a header row and three columns, parse it || the second column is the price
convert the notebook to a script || the solver should take degrees here || why does the robot arm have six joints?
do the prices include tax? || I don't know whether the kiosk has a keyboard || it prints two labels instead of one
the invoice shows the wrong customer number || please sort this table by date
keep the second paragraph, drop the third || the essay is too long, cut it to 500 words
I wrote the intro yesterday || Ingrid sent me the numbers this morning || Marisol is on vacation this week
the reviewers asked for a new figure || we submitted the paper on Monday || we're submitting next week
we have a meeting at 3 || the tests take 40 seconds now || I'm testing the new build on the Deck
the new level loads but the player falls through the floor || the map has a hole in the north corner
there's a typo in chapter two || the label says Total but it should say Subtotal
the dialog opens behind the window || The button uses the wrong colour || our numbers are off by one
my simulator is running in another window || the server returns 403 for this user
The parser accepts empty strings, it shouldn't || the file contains 300 rows || this contains the raw output
the new endpoint needs a test || the sidebar needs more contrast || that function runs in O(n^2), can we do better?
the login page uses a different font than the rest, make them match || the player moves too fast
players should be able to pick a colour || the app should remember the last level
admins can delete comments, users can't. Implement that. || add a column that holds the total
each card shows a picture and a title || every level must have an exit, write a check for that
the form has two fields: name and email || When a user logs out, clear the cache
if the token is expired redirect to login || if the import fails halfway, roll back
let's go with the first layout || we could use a trie for this || I think the cache is shared between workers
maybe the queue is FIFO? || use a trie here, a list is too slow || don't use a trie for this
use the blue icon instead of the green one || no, the blue one || no, the left panel || nope, still broken
wrong file, I meant the one in the tests folder || that's not right, the total is 12
this is not what the mock-up shows || ok, the build is green, merge it || the PR is approved
the branch is behind main by 4 commits || the migration is done || the server is down || staging is broken
I updated the dependency || I moved the assets into the repo || you changed the wrong level || you broke the layout
you removed the epigraph from chapter 3, put it back || always the same error :( || it never worked
never seen this before, what does it mean? || I never touched that file || I always get a 404 on this page
the tooltip always covers the button || every time I rebuild it is slower || all tests are green
all pages load slowly || nothing happens when I press play || no idea || no errors this time
please don't touch the third chapter while I edit it || don't push yet, I'm still reading
wait for my ok before you run the second batch || ask me again tomorrow || remember where we stopped?
remember to close the file || make sure the total is right || make sure you escape the quotes in that string
let's keep the old name for now || For now we use the mock server
currently we deploy by hand, I want to automate that || we use a regex here but it is slow, can you replace it?
we support three formats today, add a fourth || the app supports PNG, add SVG
our site has a search page, I want to redesign it || my idea is to store the scores in a file
the plan is to split the module in two || the problem is that the worker reads stale data
the reason is a race between the two threads || the fix is in the second commit || the answer is no
The question is whether the arm can reach it. || the error comes from the licence check
the log is in /tmp/run.log || the output is in out/report.html, have a look || here's the file: data/scores.csv
the stack trace points to line 40 || I put the logs in logs/today.txt || the screenshot is on my desktop
look at src/solver.c, the bug is in there || the function is in src/solver.c
read docs/spec.md and implement section 3 || I want a page with three tabs
I want to see the diff before you commit || I want the colours to be softer || I like it
I prefer the second title || I don't like the title || I need the summary in French || write the mail in German
translate this to Japanese || explain it like I'm five || give me a short answer: yes or no?
short version please || be careful, that file is large || you can delete the old images
you can't see it but the button is there || you should see two windows || you must have missed the last line
they should be aligned || it should be faster now || this must be a bug || we must fix that today
we have to redo the figure || we need a better title || we want to show the price
we are going to drop this feature || we will see || we lost a customer because of this
we tried that last year and it failed || we had this issue before
We found two problems in the report, please fix both || ok now the other helper has the same problem
there's already a file with that name, overwrite it || hmm no, go back to the previous version
please remove the TODO comments || can you redo it with named exports? || run the e2e suite and paste the result
the full build takes forever, what is going on || the api isn't available, I get a 503 || this is the wrong branch
you're on the wrong branch || the ts files are not up to date, regenerate them
replace project by workspace on this page || add lodash || the user table is empty || I'd prefer a smaller font
just ask me when something is unclear || let's branch off develop || the key is in the message above
the default should be pt-BR || change the tokens to match the design || the test is flaky, look into it
the image doesn't build on my M1 || the container exits right away || you don't have to finish today
i don't need the second patch || what does the borrow checker complain about here?
the line is longer than 100 columns, wrap it || rubocop complains about the method length
this has to be done before the release || the iOS app crashes when I open the profile || nobody answered my mail
please write a commit message for this || CI is red || test data is missing || why did you delete the test?
the python version changed after the update || alice is looking into it || that file is too big
staging shows the old version || coverage went down by 2% || we deploy tonight
everything in this list must be done || the company name is misspelled in the footer
migrations fail on my machine || use the jira key from the branch name || I want a new component for the header
do not use that function, it is broken || the old admin throws an error || we have a bug in the http package
I usually see this error after a restart || our db is down || the runner is offline
I keep getting this: permission denied || tests depend on each other, that's why they fail
the readme is out of date || it never logs the token, why? || the error message is confusing, make it friendlier
actually scratch that, keep it as is || sorry I should have attached the file || one class is missing
the endpoint takes a list of ids and returns the matching users
The dropdown has five options, the second one is preselected
the response contains a cursor, use it to load the next page || the worker polls every 5 seconds, reduce that to 1
the script writes to stdout, send it to a file || our landing page loads slowly on mobile
the modal closes when I click outside, it shouldn't
users get an email when the export is ready, add a link to it || the api returns dates as strings, parse them
the header sticks to the top, good || we already have three endpoints for that, which one should I call?
the tool prints a warning when I run it with -v || the import runs but nothing shows up || the cache has 3 entries
the queue has a lot of jobs waiting || the service takes 20 seconds to start since yesterday
the repo has conflicts || the team is waiting for this
the customer wants a dark theme for the report, can you do that? || the vendor replied, they need our logs
I don't think we need a modal here || I don't think we need the second argument || I don't think that is right
we don't need to do that || we don't need this file anymore, delete it || we don't need that right now
the reporting page reads "0 results" || the server reads the config twice || the server rejects my token
the database refuses the connection || the api returns an empty list || the client sends the wrong header
the cli prints nothing || the app ignores my settings || the worker takes forever
the job runs but produces no output || the pipeline stops at the second step || the service needs a restart
the library needs an update || the package needs a new version, bump it to 2.1 || the plugin needs tests
users complain about the slow search || users see a blank page || customers report errors since this morning
tests run but two fail || tests need to be fixed first || releases are broken || builds are red
jobs are stuck in the queue || workers die after a minute || issues 4 and 5 are done || tokens are expired
we should not merge this because CI is red || we should not do that now || the button should align with the input
the icon is not the right size || this is not the right approach || that's not the proper way to fix it, revert it
there is no output || there is no error but it does not work || there is no test for that, add one
there is no button on the page || our build is red || our server is at 100% cpu || our disk is full
our staging is 2 versions behind || the team meets at 10, I need the numbers before that
the company site shows the old logo || the client called, they want the invoice today || the vendor is late
don't add tests yet || don't change tests || refactor the parser but don't add dependencies
fix the warnings and don't introduce new ones || don't touch other files || don't delete files, just list them
when you find the bug tell me || when you rename the class update the imports too || before merging run the tests
after merging delete the branch || next time I open the page it is gone || if you see errors ignore them
i would only want the first three || we went with the second option || we went with your suggestion
we agreed on a call tomorrow || we decided to wait || I decided to rewrite it || the team decided yesterday
I'm new here, where do I start? || I'm used to this || please keep it short this time || no need for that
no need for tests in this PR || I always forget the syntax, what was it? || I never know which flag to use
I never got it to work || The script parses the file, builds the tree and prints it. Can you make it faster?
The importer loads all rows into memory. That is the bottleneck, fix it.
The exporter writes csv. I want it to write json as well.
Our client retries three times. It should retry five times. || The gateway adds a header. Remove it.
the upload stops at 99% || when I open settings the app freezes || the list shows deleted items
the search ignores accents, can you fix that || the toolbar runs off the screen
our homepage links to the wrong page || users can't log in since the deploy || it works in chrome but not in safari
the query joins three tables, simplify it || the loop runs from 0 to n, it should stop at n-1
the service listens on 8080 but nothing answers || the docs say otherwise
the tests use a mock here, use the real thing || the script uses python2 syntax, port it
the image uses too much memory || the page supports only english, add german
the endpoint supports paging, use it || the client stores the token in memory, move it to a file
your change adds a dependency on lodash, remove it || your fix allows negative numbers
you use the wrong endpoint || you use tabs in this file || we use the wrong key for staging
we use it in three places, check all of them || I use it every day and it never failed before
my test uses a fake clock || my code is in the attached file || my function is called process
my app is a todo list, please help me start || our function is too slow || our new page is a form with three fields
the new page is a form with three fields || the project is almost done || the project has 3 open bugs
the repo is a bit messy, clean it up || the api is slow today || the database is locked || the server is a bit slow
the app is a disaster || the library is fine || the plan is fine || the store is empty || the release is out
releases page is empty || everything is fine || everything works || everything needs a rethink || anything else?
all good || all done, thanks || all of them || every test passes || each of them fails || nothing changed
no changes || no, not that || no, we talked about this yesterday || no, it's the other way round
wrong, try again || that's wrong || that's not true || APIのレスポンスがcamelCaseになっていない || 変数名を直して
このコミットを小さく分けて || テストデータを追加してください || Node 20にアップデートして || Figmaの通りに直して
本番のDBで確認して || PRのタイトルを変えて || CIが落ちています || CSSがおかしい || pushしてください
mainにマージして || installでエラーが出る || 来週火曜日にリリースします || ログを見てください || 認証が通らない
日付が一日ずれて表示される || 型エラーが出ています || ポートは何番ですか？ || ドキュメントを更新してPRを作って
このclassは不要なので消して || エラーメッセージが英語のままです || 実装前に計画を見せて || ライブラリを追加した
コメントを消して || 公開していいですか || 次はどうする？ || これは今日中にお願いします
ボタンを押しても反応しない || サイドバーを左に移動して、色を青にして || このボタンは使わないので削除して
やっぱり元に戻して || 今のままでいいです || 動作確認しました || 一覧画面にページネーションを追加したい
検索ボックスは画面の上に置いてください || ファイルを開いたときにタブが増えるようにして
保存したら通知を出すようにしてほしい || ダークモードに対応したい
"""
)


def by_person(name: str) -> list[tuple[str, str]]:
    """The invented people and their messages, ten each; those in `lasting` hold in general, in `passing` none does."""
    messages = (EXAMPLES / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return [(f"invented person {at // 10}", message) for at, message in enumerate(messages)]
