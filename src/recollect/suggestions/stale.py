"""What a customization says in vain: a line about something that was deleted or renamed, or that stands there twice."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recollect.model.suggestions import Proposal
from recollect.suggestions.globs import named_paths
from recollect.suggestions.outline import outline
from recollect.suggestions.placing import MERGE, contradicts, removed
from recollect.text.similarity import features, similarity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from recollect.files.git.merging import Gone
    from recollect.suggestions.customizations import Customization
    from recollect.suggestions.outline import Item, Outline

SURE = 0.9


def named_in(file: Customization) -> list[str]:
    """The paths that a customization names, for somebody to look whether they are still there."""
    return [path for _, item in _items(outline(file.text)) for path in _plain(item.text)] if file.kind != "hook" else []


def outdated(file: Customization, gone: Mapping[str, Gone]) -> Iterator[Proposal]:
    """Lines that can go, or that name a file by its old path: `gone` has the paths that are no longer there."""
    if file.kind == "hook":
        return
    page = outline(file.text)
    seen: list[Item] = []
    for heading, item in _items(page):
        lost = [path for path in _plain(item.text) if path in gone]
        renamed = [path for path in lost if gone[path].now]
        if renamed:
            seen.append(item)  # whatever else it names is gone, somebody still means what was renamed
            if len(renamed) == len(lost) and (made := _with_new_paths(file, page, item, heading, renamed, gone)):
                yield made
            continue
        if item.end != item.inner_end:
            seen.append(item)  # with it would go what stands inside it
            continue
        if lost and len(lost) == len(_plain(item.text)):
            yield _without(file, page, item, heading, f"{lost[0]} is gone: {gone[lost[0]].why}")
            continue
        twin = next((one for one in seen if _is_twin(one.text, item.text)), None)
        if twin is not None:
            yield _without(file, page, item, heading, f"the file says it already: {twin.text}")
        else:
            seen.append(item)


def _items(page: Outline) -> list[tuple[str, Item]]:
    return [(one.heading, item) for one in page.sections for group in one.lists for item in group.items]


def _plain(text: str) -> list[str]:
    """Paths that name one thing: no globs, no placeholders, nothing outside."""
    found = (path.rstrip("/").removeprefix("./") for path in named_paths(text))
    return [path for path in found if path and not any(mark in path for mark in "*{}<>$~") and _is_below(path)]


def _is_below(path: str) -> bool:
    return not path.startswith("/") and ".." not in path.split("/")


def _is_twin(first: str, second: str) -> bool:
    ours, theirs = features(first), features(second)
    nested = ours <= theirs or theirs <= ours
    return nested and len(ours & theirs) > 2 and similarity(first, second) >= MERGE and not contradicts(first, second)


def _with_new_paths(
    file: Customization, page: Outline, item: Item, heading: str, renamed: list[str], gone: Mapping[str, Gone]
) -> Proposal | None:
    """The line with the paths that its files have now; None where it writes them in another way."""
    lines, says = "".join(page.lines[item.start : item.inner_end]), item.text
    for path in dict.fromkeys(renamed):
        pattern = re.compile(rf"(?<![\w./-])((?:\./)?){re.escape(path)}(?![\w-]|\.\w)")
        lines, says = (_with(pattern, gone[path].now, text) for text in (lines, says))
    after = "".join((*page.lines[: item.start], lines, *page.lines[item.inner_end :]))
    if after == file.text:
        return None
    why = "; ".join(f"{path} was {gone[path].why}" for path in dict.fromkeys(renamed))
    return Proposal(says, (), file.kind, file.path, "merge", file.text, after, SURE, why, heading)


def _with(pattern: re.Pattern[str], path: str, text: str) -> str:
    return pattern.sub(lambda found: found[1] + path, text)


def _without(file: Customization, page: Outline, item: Item, heading: str, why: str) -> Proposal:
    return Proposal(item.text, (), file.kind, file.path, "remove", file.text, removed(page, item), SURE, why, heading)
