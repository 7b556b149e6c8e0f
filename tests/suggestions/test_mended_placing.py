"""Files as people really write them: no line is lost, and none is taken for something that it is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect import Recollect
from recollect.files.customizations import tree_paths
from recollect.files.edits.managed_block import BEGIN, END, block_body
from recollect.files.git.merging import Gone
from recollect.flows.suggestions.ground import look_around
from recollect.model.suggestions import Fact
from recollect.suggestions.customizations import Customization, read_customization
from recollect.suggestions.facts import category_of, rejected
from recollect.suggestions.outline import outline
from recollect.suggestions.phrasing import Manner, phrased
from recollect.suggestions.placing import Placed, place, removed
from recollect.suggestions.said import Text, where_said
from recollect.suggestions.stale import named_in, outdated
from tests.conftest import git

BLOCK = f"{BEGIN}\n## Memory\n\n- Use npm for packages.\n- `src/legacy/old.py` is kept.\n{END}\n"


def fact(content: str) -> Fact:
    return Fact("e_1", content, confidence=0.8, category=category_of(content))


def placed(content: str, text: str) -> Placed:
    return place(fact(content), text, "instructions")


def agents(text: str) -> Customization:
    found = read_customization("AGENTS.md", text)
    assert found is not None
    return found


def test_nothing_is_written_into_the_block_that_an_install_renews() -> None:
    for text in (
        BLOCK,
        f"# Shop\n\nA shop.\n\n{BLOCK}",
        f"# Shop\n\n- Be kind.\n{BLOCK}",
        f"{BLOCK}\n# Shop\n\n- A.\n",
    ):
        made = placed("Use pnpm for packages.", text)
        assert made.action == "add"
        assert block_body(made.after) == block_body(text)
        assert made.after.replace(BLOCK, "").count("Use pnpm for packages.") == 1
    assert placed("Use pnpm for packages.", BLOCK).after == f"## Tooling\n\n- Use pnpm for packages.\n\n{BLOCK}"


def test_what_stands_in_our_block_neither_says_a_fact_nor_can_be_removed() -> None:
    assert where_said(fact("Use npm for packages."), [Text("AGENTS.md", BLOCK)]) == ""
    assert list(outdated(agents(BLOCK), {"src/legacy/old.py": Gone("deleted")})) == []
    twice = f"- Use npm for packages here.\n\n{BLOCK}"
    assert list(outdated(agents(twice), {})) == []


def test_replacing_an_item_keeps_its_code_and_its_further_paragraphs() -> None:
    inside = "\n  ```sh\n  npm install\n  ```\n\n  Ask Ada about the registry.\n"
    text = f"# Shop\n\n- Use npm for packages.\n{inside}- Be kind.\n"
    made = placed("Use pnpm for packages, not npm.", text)
    assert made.action == "conflict"
    assert made.after == f"# Shop\n\n- Use pnpm for packages, not npm.\n{inside}- Be kind.\n"
    assert where_said(fact("Ask Ada about the registry."), [Text("AGENTS.md", text)]) == "AGENTS.md"


def test_a_stale_line_with_lines_nested_in_it_stays() -> None:
    gone = {"src/legacy": Gone("deleted")}
    assert list(outdated(agents("- `src/legacy/` is frozen:\n  - Be kind.\n  - Ask first.\n"), gone)) == []
    assert len(list(outdated(agents("- `src/legacy/` is frozen.\n- Be kind.\n"), gone))) == 1


def test_other_working_trees_inside_the_repository_are_not_looked_into(tmp_path: Path) -> None:
    for folder in (".claude/worktrees/feat", "modules/theme", "docs"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "AGENTS.md").write_text("# Notes\n")
    (tmp_path / ".claude/worktrees/feat/.git").write_text("gitdir: elsewhere\n")
    (tmp_path / "modules/theme/.git").mkdir()
    assert tree_paths(str(tmp_path)) == ["docs/AGENTS.md"]


def test_only_what_is_nowhere_a_file_may_mean_counts_as_gone(memory: Recollect, repository: Path) -> None:
    (repository / "src").mkdir(exist_ok=True)
    (repository / "src/page.ts").write_text("export {}\n")
    (repository / "src/old.ts").write_text("export {}\n")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "pages")
    (repository / "packages/web/src").mkdir(parents=True)
    (repository / "src/page.ts").rename(repository / "packages/web/src/page.ts")
    (repository / "src/old.ts").unlink()
    (repository / "packages/web/AGENTS.md").write_text(
        "- `src/page.ts` has the page.\n- `src/old.ts` is old, `../x` is not here.\n"
    )
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "packages")
    assert list(look_around(memory.opened).gone) == ["src/old.ts"]


def test_a_path_that_leads_out_of_the_repository_is_not_asked_for() -> None:
    assert named_in(agents("- See `../x/y.md`, `src/../../y.md` and `src/z.md`.\n")) == ["src/z.md"]


def test_a_header_with_windows_line_ends_keeps_its_list_of_globs() -> None:
    text = '---\r\npaths:\r\n  - "src/api/**"\r\n  - lib/**\r\n---\r\n\r\n- Be kind.\r\n'
    found = read_customization(".claude/rules/api.md", text)
    assert found is not None
    assert found.patterns == ("src/api/**", "lib/**")
    assert not found.is_always_on


def test_versions_and_repositories_are_not_e_mail_addresses() -> None:
    for text in ("Use pnpm@9.1.0.", "CI uses actions/checkout@v4.1.", "Clone git@github.com:owner/name.git."):
        assert rejected(text) == "", text
    for text in ("Ask ada@example.com.", "Ask ada@mail.example.co.uk: she knows.", "ada@example.com/x"):
        assert "e-mail" in rejected(text), text


def test_replacing_a_sentence_changes_only_the_lines_it_stands_on() -> None:
    text = "# Shop\r\n\r\nBe kind.  \r\nUse npm for\r\npackages. Ask first.  \r\nRead the docs\r\nbefore that.\r\n"
    made = placed("Use pnpm for packages, not npm.", text)
    assert made.after == (
        "# Shop\r\n\r\nBe kind.  \r\nUse pnpm for packages, not npm. Ask first.  \r\nRead the docs\r\nbefore that.\r\n"
    )
    item = "1. Be kind.\n   Use npm for packages.\n   Ask first.\n"
    after = placed("Use pnpm for packages, not npm.", item).after
    assert after == "1. Be kind.\n   Use pnpm for packages, not npm.\n   Ask first.\n"


def test_only_words_that_are_not_names_get_a_capital_letter() -> None:
    assert phrased("pnpm is the package manager", Manner()) == "pnpm is the package manager."
    assert phrased("gRPC clients retry", Manner()) == "gRPC clients retry."
    assert phrased("never commit to main", Manner()) == "Never commit to main."
    assert phrased("the build needs Docker", Manner()) == "The build needs Docker."


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("1. One thing.\n2. Gone.\n3. Another.\n4. Last.\n", "1. One thing.\n2. Another.\n3. Last.\n"),
        ("1. One thing.\n1. Gone.\n1. Another.\n", "1. One thing.\n1. Another.\n"),
        ("3) One thing.\r\n4) Gone.\r\n5) Another.\r\n", "3) One thing.\r\n4) Another.\r\n"),
        ("- One thing.\n- Gone.\n- Another.\n", "- One thing.\n- Another.\n"),
    ],
)
def test_a_list_that_counts_goes_on_counting_where_an_item_went(before: str, after: str) -> None:
    page = outline(before)
    assert removed(page, page.lists[0].items[1]) == after


def test_a_heading_behind_a_byte_order_mark_is_a_heading() -> None:
    page = outline("\ufeff# Conventions\n\n- Keep functions short.\n")
    assert [one.heading for one in page.sections] == ["", "Conventions"]
    assert page.lines[0] == "\ufeff# Conventions\n", "the file keeps its mark"
