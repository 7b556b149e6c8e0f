"""Under which heading of a file a fact goes, and what a new one is called."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recollect.suggestions.globs import code_spans
from recollect.suggestions.wording import head_of, keys_of, shared, weights
from recollect.text.similarity import plain_words, root

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.model.suggestions import Fact, TargetType
    from recollect.suggestions.outline import Outline, Section

# Headings by what they gather; the words of several languages.
_HEADINGS = {
    "style": "style conventions convention code coding formatting naming guidelines standards konventionen stil "
    "conventions estilo convenciones 規約 スタイル 规范 风格",
    "testing": "test tests testing quality pruebas テスト 测试",
    "architecture": "architecture structure layout design modules overview architektur aufbau estructura "
    "構成 設計 架构 结构",
    "tooling": "commands command setup tooling tools development build building dependencies environment running "
    "scripts getting installation befehle entwicklung werkzeuge commandes comandos "
    "コマンド 開発 セットアップ ツール 命令 开发",
    "workflow": "workflow git commits commit branches process release releases contributing pull reviews ablauf "
    "コミット 運用 ワークフロー 提交 流程",
    "domain": "domain glossary terms business concepts fachlich",
}
_GENERAL = (
    "conventions convention rules rule guidelines guideline notes konventionen regeln règles convenciones "
    "規約 ルール 规范"
).split()
_RULES = (
    "rules rule guidelines behavior behaviour persona constraints boundaries always principles regeln ルール".split()
)
_STEPS = "steps step checklist procedure process workflow instructions ablauf schritte 手順".split()
# Headings and facts about what is done with git; another workflow does not belong under them.
_GIT = frozenset(map(root, "commit commits branch branches merge rebase squash pull pr push tag".split()))
# What a new section is called, by the language of its file.
_TITLES = {
    "en": {"testing": "Testing", "tooling": "Tooling", "workflow": "Workflow", "": "Conventions"},
    "de": {"testing": "Tests", "tooling": "Werkzeuge", "workflow": "Ablauf", "": "Konventionen"},
    "ja": {"testing": "テスト", "tooling": "ツール", "workflow": "ワークフロー", "": "規約"},
}
_SMALL_WORDS = {
    "en": frozenset("the and is are of to for with not".split()),
    "de": frozenset("der die das und ist sind für mit nicht ein eine".split()),
}
_CODE = re.compile(r"`[^`]*`")
_KANA = re.compile(r"[\u3040-\u30ff]")


def section_for(fact: Fact, page: Outline, kind: TargetType) -> tuple[Section | None, str]:
    """The section that fits a fact best, and why; None when it needs one of its own."""
    if kind == "agent":
        return _by_heading(page, _RULES) or _with_list(page), "the agent's rules are there"
    if kind == "skill":
        return _by_heading(page, _STEPS) or _with_list(page), "the skill's steps are there"
    prose = not page.lists
    scored = [(_fit(fact, section, prose=prose), section) for section in page.sections if _is_open(section)]
    best = max(scored, key=lambda one: one[0], default=(0.0, None))
    if best[1] is not None and best[0] > 0:
        return best[1], f"the nearest heading is {best[1].heading}" if best[1].heading else "the file has no headings"
    general = _by_heading(page, _GENERAL)
    if general is None and fact.category in ("style", "domain"):
        general = _by_heading(page, _HEADINGS["style"].split())
    if general is not None:
        return general, f"{general.heading} is where such things are"
    headed = [one for one in page.sections if one.heading]
    if len(headed) <= 1:
        return next((one for one in reversed(page.sections) if _is_open(one)), None), "the file has one section"
    return None, ""


def _names_command(fact: Fact) -> bool:
    return any(" " in span.strip() for span in code_spans(fact.content))


def _is_open(section: Section) -> bool:
    """Can something be added under it? Not under a title that only has an introduction before other sections."""
    return bool(section.lists or section.paragraphs)


def _fit(fact: Fact, section: Section, *, prose: bool) -> float:
    """How well a section fits a fact: words of its heading, then its category, then what it speaks of already."""
    named = set(weights(section.heading)) & set(weights(fact.content))
    score = 3.0 * len(named) if section.level != 1 else 0.0
    gathers = _in_heading(section, _HEADINGS[fact.category].split())
    if gathers and (gathers.isdisjoint(_GIT) or not _GIT.isdisjoint(map(root, plain_words(fact.content)))):
        score += 2.0
    elif fact.category == "testing" and _names_command(fact) and _in_heading(section, _HEADINGS["tooling"].split()):
        score += 1.0
    items = [item.text for one in section.lists for item in one.items]
    if head_of(fact.content) in {key for item in items for key in keys_of(_CODE.sub(" ", item))}:
        score += 1.5
    if not section.lists and not prose:
        score -= 2.5
    said = items + [one.text for one in section.paragraphs]
    return score + (min(shared(fact.content, " ".join(said)), 4.0) / 4.0 if score > 0 else 0.0)


def _in_heading(section: Section, wanted: Sequence[str]) -> set[str]:
    """Those of some words that a heading has. A script without spaces is looked through for them."""
    there = {root(word) for word in plain_words(section.heading)}
    return {root(word) for word in wanted if root(word) in there or (ord(word[0]) > 0x2FFF and word in section.heading)}


def _by_heading(page: Outline, wanted: Sequence[str]) -> Section | None:
    fitting = [one for one in page.sections if _in_heading(one, wanted) and _is_open(one)]
    return next((one for one in fitting if one.lists), fitting[0] if fitting else None)


def _with_list(page: Outline) -> Section | None:
    with_items = [one for one in page.sections if one.lists]
    ordered = [one for one in with_items if one.lists[-1].ordered]
    return next(iter(ordered or with_items), next((one for one in reversed(page.sections) if _is_open(one)), None))


def title_for(category: str, page: Outline) -> str:
    """The heading of a new section."""
    names = _TITLES[_language_of(" ".join(page.own))]
    return names.get(category, names[""])


def _language_of(text: str) -> str:
    """The language of a file, of those that there are titles in."""
    if _KANA.search(text):
        return "ja"
    words = plain_words(text)
    return max(_SMALL_WORDS, key=lambda name: sum(word in _SMALL_WORDS[name] for word in words))
