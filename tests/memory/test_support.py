"""What a statement names has to stand in the lines that it cites; that they exist is not enough."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.checks import check_text, combine, make_citation
from recollect.memory.support import LONGEST_PASSAGE, missing_names, names_of
from recollect.model.entries import Citation

HELD = [
    ("This repository uses pnpm.", '{"packageManager": "pnpm@9.1.0"}'),
    ("The port is 3000.", "PORT = 3000"),
    ("connect() returns the port number.", "def connect():\n    return PORT"),
    ("The default branch is `main`.", "branch: main"),
    ("Tests run on Python 3.11 and 3.12.", "python: [3.11, 3.12]"),
    ("Deployments need Argo.", "deployment:\n  with: argo"),
    ("I use Go.", "go 1.21"),
    ("The `parse header` step is never skipped.", "never skip the parse header step"),
    ("The port is 3000.", "# not for production\nPORT = 3000"),
    ("Redis was removed in 2.0.", "## 2.0\n- 2.0: Redis was removed"),
    ("We no longer use Redis.", "# we no longer use Redis"),
    ("This repository uses pnpm, not npm.", '{"packageManager": "pnpm@9.1.0"}'),
    ("This repository uses pnpm, not npm, for all.", '{"packageManager": "pnpm@9.1.0"}'),
    ("This repository uses Python 3.12, not 3.11.", 'requires-python = "3.12"'),
    ("This repository uses vue, not next.js or nuxt.js.", '"vue": "3.4.0"'),
    ("We use pnpm, not npm or yarn.", "# not npm: see the docs\npnpm"),
    ("Deploys go to Fly, not to Heroku.", "deploy: fly"),
]
NOT_HELD = [
    ("Deploys go through Argo.", '{"name": "app"}'),  # an invented fact with a line behind it
    ("The port is 3000.", "PORT = 13000"),
    ("The port is 3000.", "timeout = 3000"),
    ("TypeScript 5.2 is used.", '"typescript": "^5.2.1"'),
    ("Redis is disabled.", "redis:\n  enabled: true"),
    ("We don't use Redis.", "redis: 7"),
    ("This repository never uses pnpm.", '{"packageManager": "pnpm"}'),
    ("A deployment needs three replicas.", "deployment:\n  replicas: 5"),
    ("Settings are read from .env.", "env: production"),
    ("The default branch is `main`.", "branch: maintained"),
    ("It is what it is.", "It is what it is."),  # it names nothing
    ("The app uses Redis.", "# The app does not use Redis"),
    ("Redis was removed.", "redis: 7"),
    ("Redis was removed.", "redis: 7\nremoved: false"),
    ("Redis was removed.", "redis: 7  # not for production"),
    ("We no longer use Redis.", "redis: 7"),
    ("We no longer use Redis.", "redis: 7\n# no longer logged: queries"),
    ("Redis is gone.", "redis: 7"),
    ("Redis is not used anymore.", "redis: 7"),
    ("npm was replaced by pnpm.", "npm: pnpm"),
    ("We use pnpm instead of npm.", "npm: pnpm"),
    ("The app runs without Redis.", "app: run\nredis: 7"),
    ("We moved away from Redis.", "redis: 7"),
    ("Redis has been dropped, deprecated and retired.", "redis: 7"),
    ("We used to run Redis.", "run: redis"),
    ("This repository uses pnpm, not npm.", '{"scripts": {"build": "npm run build"}, "packageManager": "pnpm"}'),
    ("This repository uses pnpm, not npm.", '{"packageManager": "npm"}'),
    ("This repository uses Python 3.12, not 3.11.", 'requires-python = "3.12"\ntarget = "3.11"'),
    ("We never use pnpm, not even in CI.", "ci: pnpm"),
    ("Tests need Docker.", "host: ci\n# tests don't need Docker any more"),
]


@pytest.mark.parametrize(("statement", "cited"), HELD)
def test_lines_that_hold_every_name_and_value_hold_the_statement(statement: str, cited: str) -> None:
    assert missing_names(statement, cited) == ()


@pytest.mark.parametrize(("statement", "cited"), NOT_HELD)
def test_lines_that_miss_a_name_or_a_value_do_not(statement: str, cited: str) -> None:
    assert missing_names(statement, cited)


def test_a_passage_that_holds_a_word_of_everything_holds_no_statement() -> None:
    assert missing_names("This repository uses pnpm.", "pnpm\n" * LONGEST_PASSAGE)


NAME = st.text(string.ascii_lowercase, min_size=4, max_size=9).map(lambda word: "zq" + word)
VALUE = st.one_of(
    st.integers(100, 99_999).map(str),
    st.tuples(st.integers(0, 99), st.integers(0, 99), st.integers(0, 99)).map(lambda it: ".".join(map(str, it))),
    st.lists(NAME, min_size=2, max_size=4).map("/".join),
    st.lists(NAME, min_size=2, max_size=3).map("_".join),
    NAME.map(str.upper),
)
FORM = st.sampled_from(["{0} uses {1}.", "The {0} of {1}", "{0}: {1}", "We set {0} to `{1}`."])


@given(NAME, VALUE, FORM, st.lists(st.text(string.ascii_letters + " =:", max_size=30), max_size=4))
def test_what_is_said_is_held_by_lines_that_say_it_among_others(name, value, form, around) -> None:
    statement = form.format(name, value)
    assert missing_names(statement, "\n".join([*around, f"{name} = {value}", *around])) == ()


@given(NAME, VALUE, NAME, VALUE, FORM)
def test_one_other_name_or_value_and_the_lines_no_longer_hold_it(name, value, other_name, other_value, form) -> None:
    line = f"{name} = {value}"
    if other_value.casefold() not in line.casefold():
        assert missing_names(form.format(name, other_value), line)
    if not any(other_name[:4] in word for word in (name, value.casefold())):
        assert missing_names(form.format(other_name, value), line)


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_texts_can_be_compared_and_more_lines_never_hold_less(statement: str, cited: str) -> None:
    missing = missing_names(statement, cited)
    more = missing_names(statement, f"something else\n{cited}\nand more")
    assert set(more) <= set(missing)
    assert any(names_of(statement)) or missing == (statement,)


def test_a_citation_that_does_not_say_so_is_cited_and_one_place_that_does_is_enough(tmp_path) -> None:
    (tmp_path / "package.json").write_text('{"name": "app"}\n{"packageManager": "pnpm"}\n')
    first, second = (make_citation(f"package.json:{line}", root=str(tmp_path), cwd=str(tmp_path)) for line in (1, 2))
    text = (tmp_path / "package.json").read_text()
    statement = "This repository uses pnpm."
    verdicts = [check_text(one, text, statement=statement) for one in (first, second)]
    assert [one.check for one in verdicts] == ["cited", "verified"]
    assert verdicts[0].detail == "package.json:1 does not mention pnpm"
    assert combine(verdicts).check == "verified"
    assert combine([verdicts[0]]).check == "cited"
    gone = check_text(Citation("file", path="x"), None, statement=statement)
    assert combine([*verdicts, gone]).check == "changed"
    assert check_text(first, '{"name": "other"}', statement=statement).check == "changed"


@pytest.mark.parametrize("spec", ["package.json", "package.json:1-2", "lib.py#run"])
def test_every_way_to_cite_is_held_against_the_statement(tmp_path, spec) -> None:
    (tmp_path / "package.json").write_text('{"name": "app"}\n{"packageManager": "pnpm"}\n')
    (tmp_path / "lib.py").write_text("def run():\n    return 'pnpm'\n")
    citation = make_citation(spec, root=str(tmp_path), cwd=str(tmp_path))
    text = (tmp_path / citation.path).read_text()
    for one in (citation, citation._replace(sha256="")):
        expected = "unchecked" if one.start and not one.symbol and not one.sha256 else "verified"
        assert check_text(one, text, statement="This repository uses pnpm.").check == expected
        expected = "unchecked" if expected == "unchecked" else "cited"
        assert check_text(one, text, statement="This repository uses Bazel.").check == expected
    quoted = Citation("file", path=citation.path, quote="pnpm")
    assert check_text(quoted, text, statement="This repository uses pnpm.").check == "verified"
    assert check_text(quoted, text, statement="This app uses pnpm 9.").check == "cited"
