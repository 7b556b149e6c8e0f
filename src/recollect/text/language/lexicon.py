"""What developers choose between, and the small words that carry a statement's grammar: data, and look-ups on it."""

from __future__ import annotations

# concept: (words that name it, its alternatives). An alternative may list spellings: `postgres=postgresql=psql`.
GROUPS: dict[str, tuple[str, str]] = {
    # building and running
    "package manager": (
        "package manager packages install installs installing dependency dependencies lockfile node_modules",
        "npm, pnpm, yarn=yarnpkg, bun, deno",
    ),
    "python packaging": (
        "package manager packaging packages install installs installing dependency dependencies virtualenv venv python",
        "pip=pip3, uv, poetry, pdm, pipenv, conda=miniconda=anaconda, mamba, hatch, rye, pixi",
    ),
    "jvm build": ("build tool java jvm kotlin", "maven=mvn, gradle=gradlew, sbt, ant, bazel"),
    "native build": ("build tool system c c++", "cmake, meson, bazel, autotools, xmake, scons, premake"),
    "bundler": (
        "bundler bundle bundling bundles build",
        "webpack, vite, rollup, esbuild, parcel, turbopack, rspack, bun, rolldown",
    ),
    "monorepo tool": ("monorepo workspace workspaces", "nx, turborepo=turbo, lerna, rush, bazel, pants, moon"),
    "javascript runtime": ("runtime javascript", "node=node.js=nodejs, deno, bun"),
    "compiler": ("compiler compile c c++", "gcc=g++, clang=clang++, msvc, tcc"),
    "container runtime": ("container containers runtime image images", "docker, podman, containerd, nerdctl, colima"),
    "orchestrator": ("orchestrator orchestration cluster", "kubernetes=k8s, nomad, docker swarm=swarm, ecs, mesos"),
    "infrastructure as code": (
        "infrastructure iac provisioning",
        "terraform, opentofu=tofu, pulumi, cloudformation, bicep, aws cdk, crossplane",
    ),
    "configuration management": ("provisioning configuration", "ansible, chef, puppet, saltstack"),
    # testing and style
    "javascript test runner": (
        "test tests testing runner framework unit javascript",
        "jest, vitest, mocha, jasmine, ava, karma, node:test, bun",
    ),
    "python test runner": ("test tests testing runner framework unit python", "pytest=py.test, unittest, nose=nose2"),
    "ruby test runner": ("test tests testing runner framework unit ruby", "rspec, minitest"),
    "java test runner": ("test tests testing runner framework unit java", "junit, testng, spock"),
    "browser testing": (
        "e2e end-to-end browser test tests testing",
        "playwright, cypress, selenium, puppeteer, webdriverio",
    ),
    "javascript formatter": (
        "format formats formatting formatter formatted javascript typescript style",
        "prettier, biome, dprint, standardjs",
    ),
    "python formatter": (
        "format formats formatting formatter formatted python style",
        "black, ruff, yapf, autopep8, blue",
    ),
    "javascript linter": ("lint lints linting linter javascript", "eslint, biome, tslint, oxlint, jshint, standardjs"),
    "python linter": ("lint lints linting linter python", "ruff, flake8, pylint, pycodestyle, prospector"),
    "python type checker": ("type types checker checking typing python", "mypy, pyright, pyre, pytype, basedpyright"),
    "indentation": ("indent indents indentation indenting indented", "tabs=tab=hard tabs, spaces=space=soft tabs"),
    "indent width": ("indent indentation width", "two spaces=2 spaces, four spaces=4 spaces, eight spaces=8 spaces"),
    "quotes": (
        "quote quotes strings string quoting",
        "single quotes=single quote=single-quoted, double quotes=double quote=double-quoted",
    ),
    "semicolons": ("semicolon style", "with semicolons, without semicolons"),
    "line endings": ("line ending endings eol newline newlines", "lf=unix line endings, crlf=windows line endings"),
    "naming case": (
        "naming names name case variables functions identifiers convention",
        "camel case=camelcase, snake case=snakecase, kebab case=kebabcase, pascal case=pascalcase, "
        "screaming snake case=upper snake case",
    ),
    "import style": ("import imports", "absolute imports=absolute import, relative imports=relative import"),
    "export style": ("export exports", "named exports=named export, default exports=default export"),
    "module system": ("module modules system", "esm=es modules=ecmascript modules, commonjs=cjs"),
    "docstring style": ("docstring docstrings", "google style, numpy style=numpydoc, sphinx style"),
    # data and services
    "database": (
        "database databases db relational",
        "postgres=postgresql=psql, mysql, mariadb, sqlite=sqlite3, sql server=mssql, oracle, cockroachdb, duckdb",
    ),
    "document database": (
        "database databases db document nosql",
        "mongodb=mongo, dynamodb, firestore, couchdb, couchbase",
    ),
    "cache": ("cache caches caching cached", "redis, memcached, valkey, dragonfly"),
    "message queue": (
        "queue queues message messages messaging broker bus",
        "kafka, rabbitmq, sqs, nats, pulsar, activemq, google pubsub",
    ),
    "python task queue": (
        "task tasks job jobs background queue worker workers",
        "celery, rq, dramatiq, huey, procrastinate",
    ),
    "search engine": ("search index full-text", "elasticsearch, opensearch, solr, meilisearch, typesense, algolia"),
    "javascript orm": ("orm", "prisma, typeorm, sequelize, drizzle, knex, mikroorm=mikro-orm, objection"),
    "python orm": ("orm", "sqlalchemy, django orm, peewee, tortoise orm, sqlmodel, ponyorm"),
    "api style": ("api apis protocol", "rest=restful, graphql, grpc, trpc, soap"),
    "authentication": (
        "auth authentication login sign-in",
        "auth0, clerk, okta, keycloak, cognito, supabase auth, nextauth",
    ),
    "session style": ("auth authentication session sessions", "jwt=jwts, session cookies, api keys"),
    "payments": ("payment payments billing", "stripe, paypal, adyen, braintree, paddle, lemon squeezy"),
    "error tracking": ("error errors tracking monitoring", "sentry, rollbar, bugsnag, honeybadger"),
    "monitoring": ("monitoring metrics observability", "datadog, new relic, prometheus, grafana cloud, dynatrace"),
    "logging": (
        "log logs logging logger",
        "winston, pino, bunyan, loguru, structlog, log4j, logback, zap, zerolog, logrus",
    ),
    "log level": ("log level verbosity", "debug, info, warning=warn, error, trace"),
    "secrets store": (
        "secret secrets",
        "vault=hashicorp vault, aws secrets manager, doppler, 1password, sops, .env=.env file=.env files=dotenv",
    ),
    "password hash": ("password passwords hash hashes hashed hashing", "bcrypt, argon2=argon2id, scrypt, pbkdf2"),
    # hosting and collaboration
    "deploy target": (
        "deploy deploys deployed deploying deployment target host hosted hosting hosts production",
        "fly.io=fly, heroku, vercel, netlify, render=render.com, railway, aws, gcp=google cloud, azure, "
        "digitalocean, cloudflare pages, cloudflare workers, github pages, cloud run, aws lambda, hetzner, dokku",
    ),
    "ci": (
        "ci pipeline pipelines continuous integration workflow workflows",
        "github actions=gh actions, gitlab ci, circleci=circle ci, jenkins, travis=travis ci, buildkite, "
        "azure pipelines, teamcity, drone, bitbucket pipelines",
    ),
    "code hosting": (
        "code hosting hosted repository remote git",
        "github, gitlab, bitbucket, gitea, codeberg, forgejo",
    ),
    "version control": ("version control vcs scm", "git, mercurial=hg, subversion=svn, perforce, jujutsu"),
    "default branch": ("default branch branches", "main, master, trunk, develop"),
    "branching model": (
        "branching branch workflow",
        "trunk-based=trunk based development, gitflow=git flow, github flow",
    ),
    "merge style": (
        "merge merges merging pull request prs pr history",
        "squash merge=squash merges=squash, rebase merge=rebase=rebases, merge commits=merge commit",
    ),
    "commit style": ("commit commits message messages", "conventional commits, gitmoji, free-form commits"),
    "issue tracker": (
        "issue issues ticket tickets tracker tracking tracked",
        "jira, linear, github issues, asana, trello, youtrack, shortcut",
    ),
    "team chat": ("chat messaging", "slack, microsoft teams=ms teams, discord, mattermost, zulip"),
    "version scheme": ("version versions versioning", "semver=semantic versioning, calver=calendar versioning"),
    "license": ("license licence licensed", "mit, apache 2.0=apache-2.0, gpl=gplv3, bsd, mpl, agpl, isc, unlicense"),
    # frameworks
    "frontend framework": (
        "frontend front-end ui framework",
        "react=react.js=reactjs, vue=vue.js=vuejs, angular, svelte, solidjs=solid.js, preact, ember, lit, alpine.js",
    ),
    "meta framework": (
        "frontend front-end framework",
        "next.js=nextjs, nuxt=nuxt.js, remix, sveltekit, astro, gatsby, solidstart, qwik",
    ),
    "css framework": (
        "css styling styles style framework",
        "tailwind=tailwindcss=tailwind css, bootstrap, bulma, styled-components, emotion, css modules, "
        "sass=scss, unocss",
    ),
    "state management": ("state store", "redux=redux toolkit, zustand, mobx, jotai, recoil, pinia, vuex, xstate, ngrx"),
    "node web framework": (
        "backend server web framework api",
        "express=express.js, fastify, koa, nestjs=nest.js, hapi, hono",
    ),
    "python web framework": (
        "backend server web framework api python",
        "django, flask, fastapi, starlette, litestar, sanic, tornado, pyramid, bottle",
    ),
    "go web framework": ("backend server web framework api go", "gin, echo, fiber, chi"),
    "rust web framework": ("backend server web framework api rust", "axum, actix=actix-web, rocket, warp"),
    "php framework": ("php framework", "laravel, symfony, codeigniter, yii"),
    "mobile framework": ("mobile app framework", "flutter, react native, ionic, swiftui, jetpack compose"),
    "docs tool": ("docs documentation site", "mkdocs, sphinx, docusaurus, vitepress, antora, gitbook, mdbook"),
    "http client": ("http client requests", "axios, ky, got, undici, httpx, aiohttp"),
    "data frames": ("dataframe dataframes data frames", "pandas, polars, dask"),
    "deep learning": ("deep learning training model models", "pytorch=torch, tensorflow, jax, mxnet"),
    # people and their machines
    "editor": (
        "editor editors ide edit",
        "vim, neovim=nvim, emacs, vs code=vscode=visual studio code, intellij=intellij idea, pycharm, webstorm, "
        "sublime=sublime text, zed, helix, cursor, xcode, nano",
    ),
    "shell": ("shell terminal shells", "bash, zsh, fish, powershell=pwsh, nushell, cmd.exe"),
    "operating system": (
        "os operating system machine laptop platform computer",
        "macos=mac=os x, linux, windows, ubuntu, debian, fedora, arch linux, nixos, freebsd",
    ),
    "language of communication": (
        "language speak speaks reply replies answer answers respond responses communicate communication write",
        "english, german=deutsch, french=français, spanish=español, japanese=日本語=日语, chinese=中文=mandarin, "
        "korean=한국어, portuguese, italian, russian, dutch, polish",
    ),
    "spelling": ("spelling", "british english=british spelling, american english=american spelling=us spelling"),
    "theme": ("theme mode appearance color colour scheme", "light=light mode=light theme, dark=dark mode=dark theme"),
    "interval": ("", "hourly=every hour, daily=every day=every night, weekly=every week, monthly=every month, yearly"),
    "time standard": ("date dates time times timestamp timestamps", "utc=gmt, local time"),
    "time format": ("time clock format", "12-hour=12 hour=12h, 24-hour=24 hour=24h"),
    "units": ("unit units", "metric, imperial"),
    "weekday": (
        "day weekday",
        "monday=mondays, tuesday=tuesdays, wednesday, thursday, friday=fridays, saturday, sunday",
    ),
    "programming language": (
        "programming language languages written code",
        "python, javascript=js, typescript=ts, golang=go, rust, java, kotlin, swift, ruby, php, c++, c#, elixir, "
        "scala, haskell",
    ),
}

# Several of these live side by side in one project, so a bare "uses X" excludes nothing: the concept must be named.
SHARED = frozenset(
    "programming language,language of communication,deploy target,default branch,code hosting,http client,weekday,"
    "monitoring,infrastructure as code,log level,api style,compiler,data frames,docs tool,session style,"
    "mobile framework,search engine,error tracking,module system,secrets store,interval".split(",")
)

# Everyday words that name a tool only when written as a name.
CASED = frozenset(
    "render railway go rust swift echo bottle helix linear shortcut clerk emotion got zed cursor blue ant moon rush "
    "pants drone fly chef puppet sphinx remix recoil fiber rocket warp nano lit doppler".split()
)

# Other spellings of one everyday word.
ALIASES: dict[str, str] = dict(
    pair.split("=")
    for pair in (
        "repo=repository repos=repository db=database docs=documentation doc=documentation config=configuration "
        "configs=configuration dir=directory folder=directory folders=directory directories=directory dev=development "
        "prod=production env=environment envs=environment auth=authentication prs=pr app=application "
        "apps=application colour=color licence=license favour=prefer favor=prefer favors=prefer msg=message "
        "responses=reply response=reply answers=reply answer=reply replies=reply organisation=organization "
        "behaviour=behavior e2e=end-to-end utilise=use utilize=use brief=short terse=short concise=short "
        "enabled=enable enables=enable allowed=allow automatically=automatic synchronous=sync "
        "using=with following=follow kept=keep retain=keep retained=keep mandatory=required compulsory=required "
        "obligatory=required one=1 two=2 three=3 four=4 five=5 six=6 seven=7 eight=8 nine=9 ten=10 twelve=12"
    ).split()
)

# word: its opposite, which stands for both with a minus.
ANTONYMS: dict[str, str] = dict(
    pair.split("=")
    for pair in (
        "after=before disable=enable disabled=enable disables=enable disabling=enable forbid=allow "
        "forbids=allow forbidden=allow prohibited=allow disallow=allow disallowed=allow banned=allow "
        "false=true optional=required private=public manual=automatic manually=automatic "
        "async=sync asynchronous=sync descending=ascending uppercase=lowercase immutable=mutable "
        "dynamic=static verbose=short detailed=short long=short serial=parallel serially=parallel "
        "sequential=parallel sequentially=parallel loose=strict implicit=explicit maximum=minimum external=internal "
        "vertical=horizontal right=left trailing=leading stateful=stateless closed=open slow=fast "
        "informal=formal casual=formal"
    ).split()
)

# Function words of other languages, and CJK words that need no segmenter, as their English counterparts.
FOREIGN: dict[str, str] = dict(
    pair.split("=")
    for pair in (
        # German, French, Spanish, Portuguese, Italian, Dutch, Russian
        "nicht=not kein=not keine=not keinen=not nie=never niemals=never sondern=but statt=instead_of "
        "anstatt=instead_of verwenden=use verwendet=use verwende=use nutzen=use nutzt=use nutze=use benutzen=use "
        "benutzt=use ist=is sind=are wir=we dieses=this diese=this projekt=project der=the die=the das=the und=and "
        "oder=or immer=always benutzer=user nutzer=user bevorzugt=prefer vielleicht=maybe mit=with für=for pas=not "
        "ne=the jamais=never utilise=use utilisons=use utilisent=use utilisez=use utiliser=use est=is sont=are nous=we "
        "ce=this cette=this projet=project dépôt=repository le=the les=the et=and ou=or toujours=always "
        "préfère=prefer utilisateur=user plutôt=rather nunca=never não=not nao=not usamos=use usar=use utiliza=use "
        "utilizamos=use utilizar=use es=is son=are este=this esta=this proyecto=project projeto=project "
        "repositorio=repository repositório=repository el=the los=the las=the siempre=always sempre=always "
        "prefiere=prefer prefere=prefer usuario=user usuário=user non=not usiamo=use usano=use questo=this "
        "progetto=project niet=not geen=not gebruiken=use gebruikt=use не=not никогда=never используем=use "
        "использует=use используйте=use использовать=use это=this этот=this проект=project мы=we всегда=always "
        "пользователь=user предпочитает=prefer вместо=instead_of или=or и=and "
        # Korean
        "사용=use 사용합니다=use 사용한다=use 사용해=use 사용하지=use 씁니다=use 쓴다=use 우리=we 저장소=repository "
        "프로젝트=project 않는다=not_before 않습니다=not_before 않음=not_before 마세요=not_before 아니라=not_chunk "
        "대신=not_chunk 안=not 항상=always 사용자=user 선호=prefer 선호합니다=prefer 선호한다=prefer 이=this "
        # Chinese; entries equal to themselves keep a longer word in one piece
        "使用=use 采用=use 用=use 是=is 为=is 的=the 了=the 在=in 我们=we 这个=this 这=this 该=this 本项目=project "
        "本仓库=repository 仓库=repository 项目=project 用户=user 我=i 请=please 必须=must 应该=should 应当=should "
        "要=must 需要=must 总是=always 始终=always 不=not 不要=not 不能=not 不用=not 不是=not 不应=not 不得=not "
        "没有=not 没=not 别=not 禁止=not 避免=not 从不=never 而不是=instead_of 而非=instead_of 和=and 与=and 或=or "
        "也=also 喜欢=prefer 偏好=prefer 偏爱=prefer 更喜欢=prefer 可能=maybe 也许=maybe 大概=maybe 支持=support "
        "应用=应用 作用=作用 通用=通用 常用=常用 费用=费用 但是=but 因为=because 作为=作为 行为=行为 存在=存在 "
        "目的=目的 不同=不同 部署=deploy 测试=test 数据库=database 端口=port 默认分支=default_branch 默认=default "
        "分支=branch 包管理器=package_manager 缩进=indentation 制表符=tabs 空格=spaces 单引号=single_quotes "
        "双引号=double_quotes 英文=english 英语=english 日语=japanese 日文=japanese 深色=dark 浅色=light "
        "简洁=short 回答=reply 负责=own 批准=approve 审批=approve 重要=重要 主要=主要 要求=要求 现在=now "
        "目标=target 版本=version 名称=name 时区=timezone 语言=language 地址=address 并行=parallel 串行=serial "
        "运行=run 编辑器=editor 主题=theme "
        # Japanese
        "使=use 利用=use 好=prefer 私=i 必=must 多分=maybe 常=always リポジトリ=repository レポジトリ=repository "
        "プロジェクト=project ユーザー=user ユーザ=user チーム=team テスト=test デプロイ=deploy "
        "データベース=database ポート=port タブ=tabs スペース=spaces シングルクォート=single_quotes "
        "ダブルクォート=double_quotes ダークモード=dark ダーク=dark ライトモード=light エディタ=editor "
        "エディター=editor テーマ=theme インデント=indentation ブランチ=branch デフォルト=default "
        "デフォルトブランチ=default_branch パッケージマネージャ=package_manager "
        "パッケージマネージャー=package_manager 英語=english 日本語=japanese 中国語=chinese 並列=parallel "
        "直列=serial 実行=run ターゲット=target バージョン=version 名前=name タイムゾーン=timezone 言語=language "
        "簡潔=short 返答=reply 回答=reply 承認=approve 担当=own 代=not_chunk "
    ).split()
)

# What a word does in a sentence.
STOP = frozenset(
    "a an the this that these those our my your its their his her all each every to of in on at for with by as via "
    "into onto do does did has have had having be been being am there here and then always please just currently now "
    "actually really simply generally usually typically normally ever so well very quite ensure let "
    "through per everything anything remember note instead exclusively everywhere strictly directly".split()
)
BE = frozenset("is are am be being been was were :".split())
MODAL = frozenset("must should shall can could will would may might do does did has have had need".split())
PROJECT = frozenset("repository project codebase we us our team it they code application this".split())
USER = frozenset("user i me my mine myself".split())
NEGATIONS = frozenset(
    "not never no none nothing nobody nor neither without avoid avoids avoided avoiding dislike dislikes hate hates "
    "refuse refuses instead_of not_before not_chunk stop stopped off replace replaces replaced".split()
)
CONTRASTS = frozenset("instead_of over from not_chunk replace replaces replaced".split())
MANY = frozenset(
    "also too both either or sometimes some several multiple various additionally alongside can may".split()
)
PAST = frozenset("was were previously formerly originally initially used_to historically ago earlier legacy".split())
FUTURE = frozenset("will eventually later soon someday tomorrow planned".split())
HEDGES = frozenset(
    "maybe perhaps probably possibly might could seems seem likely apparently presumably guess supposedly unsure "
    "considering vielleicht quizás quizá talvez peut-être возможно 아마".split()
)
# Nouns that name one value, and words that make any noun do so.
ROLES = frozenset(
    "target branch port version name url host database language framework editor shell timezone email owner path "
    "directory limit timeout region format style theme license command address runner manager tool size width length "
    "prefix suffix deadline date budget rate currency encoding registry domain endpoint username account lead leader "
    "approver reviewer maintainer contact level mode color bundler formatter linter orm ci cache queue broker birthday "
    "employer title pronouns nickname model font locale scheme provider platform runtime indentation ttl quota "
    "server file repository script package indent day time cto ceo manager entrypoint hostname phone".split()
)
LABELS = frozenset(
    "name level mode theme branch style color format username prefix suffix scheme font title codename".split()
)
SINGLE = frozenset("default primary preferred main current favorite favourite canonical official".split())
PHRASE_WORDS: dict[str, str] = dict(
    pair.split("=")
    for pair in (
        "instead of=instead_of,rather than=instead_of,no longer=not,not any more=not,used to=used_to,not only=also,"
        "not just=also,as well=also,such as=also,not always=maybe,not necessarily=maybe,not all=maybe,not sure=maybe,"
        "not yet=maybe,i think=maybe,i guess=maybe,i believe=maybe,going to=will,due to=because,so that=because,"
        "in charge of=own,responsible for=own,signs off on=approve,works at=work_at,works for=work_at,"
        "employed by=work_at,time zone=timezone,make sure=please,by hand=manually,any more=anymore,"
        "plan to=will,plans to=will,front end=frontend,back end=backend,time stamp=timestamp,time stamps=timestamps,"
        "file name=filename,host name=hostname"
    ).split(",")
)


def _tables() -> tuple[dict[str, str], dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]]:
    spellings: dict[str, str] = {}
    members: dict[str, list[str]] = {}
    words: dict[str, list[str]] = {}
    for group, (named, listed) in GROUPS.items():
        for word in {group, *named.split()}:
            words.setdefault(word, []).append(group)
        for member in listed.split(","):
            first, *others = member.strip().split("=")
            members.setdefault(first, []).append(group)
            for spelling in (first, *others):
                spellings[spelling] = first
                spellings[spelling.replace("-", " ")] = first
    return spellings, {k: tuple(v) for k, v in members.items()}, {k: tuple(v) for k, v in words.items()}


SPELLINGS, _GROUPS_OF, _GROUPS_NAMED_BY = _tables()
CONCEPT_WORDS: dict[str, frozenset[str]] = {
    group: frozenset((*group.split(), *named.split())) for group, (named, _) in GROUPS.items()
}
PHRASES = frozenset(spelling for spelling in SPELLINGS if " " in spelling)
CONCEPT_TERMS = frozenset((*SPELLINGS, *_GROUPS_NAMED_BY))  # those that have a concept


def canonical(term: str) -> str:
    """The lexicon's own spelling of an alternative, or "" if it is none; `Fly` and `render` need their capital."""
    lowered = term.casefold()
    found = SPELLINGS.get(lowered) or SPELLINGS.get(lowered.replace("_", " ").replace("-", " "), "")
    return "" if lowered in CASED and term == lowered else found


def groups_of(alternative: str) -> tuple[str, ...]:
    """The groups in which a canonical alternative excludes others."""
    return _GROUPS_OF.get(alternative, ())


def concepts(term: str) -> tuple[str, ...]:
    """What a term is about: the names of its concepts, then the words that name them. For recall, with little weight.

    `pnpm`, `install` and `dependencies` all lead to "package manager".
    """
    lowered = term.casefold()
    groups = groups_of(canonical(term)) or _GROUPS_NAMED_BY.get(lowered, ())
    found = dict.fromkeys(groups)
    for group in groups:
        found.update(dict.fromkeys(GROUPS[group][0].split()))
    found.pop(lowered, None)
    return tuple(found)
