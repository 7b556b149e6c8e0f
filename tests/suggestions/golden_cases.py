"""Reads the golden cases: repositories, facts, and the change that a maintainer would make."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from recollect.files.git.merging import Gone
from recollect.model.entries import Citation
from recollect.model.suggestions import Fact
from recollect.suggestions.customizations import read_customization
from recollect.suggestions.facts import category_of
from recollect.suggestions.proposing import Ground
from recollect.suggestions.said import CONFIGS, DOCS, Text

GOLDEN = Path(__file__).parent / "golden"


class Expected(NamedTuple):
    target_type: str
    action: str
    diff: str


class GoldenFact(NamedTuple):
    fact: Fact
    expected: Expected | None  # None: nothing is suggested


class GoldenCase(NamedTuple):
    name: str
    files: dict[str, str]
    deleted: list[str]
    facts: list[GoldenFact]
    lint: list[Expected]

    @property
    def ground(self) -> Ground:
        customizations = [read_customization(path, text) for path, text in self.files.items()]
        texts = [Text(path, text) for path, text in self.files.items() if path in CONFIGS or DOCS.fullmatch(path)]
        gone = dict.fromkeys(self.deleted, Gone("deleted"))
        return Ground(tuple(one for one in customizations if one), tuple(texts), gone)


def read_case(path: Path) -> GoldenCase:
    files: dict[str, str] = {}
    deleted: list[str] = []
    facts: list[GoldenFact] = []
    lint: list[Expected] = []
    linting = False
    for block in re.split(r"^@@@ ", path.read_text(), flags=re.MULTILINE)[1:]:
        head, _, body = block.partition("\n")
        kind, *words = head.split()
        match kind:
            case "file":
                text = body if body.endswith("\n\n") is False else body.rstrip("\n") + "\n"
                text = text.replace("\n", "\r\n") if "crlf" in words else text
                files[words[0]] = text.rstrip("\r\n") if "no-newline" in words else text
            case "deleted":
                deleted.append(words[0])
            case "fact":
                facts.append(GoldenFact(_fact(body, len(facts)), None))
            case "diff":
                expected = Expected(words[0], words[1], normal(body))
                if linting:
                    lint.append(expected)
                else:
                    facts[-1] = facts[-1]._replace(expected=expected)
            case "lint":
                linting = True
    return GoldenCase(path.stem, files, deleted, facts, lint)


def _fact(body: str, number: int) -> Fact:
    lines = body.strip().splitlines()
    said = {key: value for key, _, value in (line.partition(": ") for line in lines[1:])}
    citations = (Citation("file", path=said["cite"]),) if "cite" in said else ()
    return Fact(
        f"e_{number}",
        lines[0],
        citations=citations,
        scope=said.get("scope", "repository"),
        confidence=float(said.get("confidence", 0.8)),
        category=category_of(lines[0]),
        command=said.get("ran", ""),
        created=float(number),
    )


def normal(diff: str) -> str:
    """A diff without the numbers of its hunks and without carriage returns."""
    diff = re.sub(r"^@@.*@@$", "@@", diff.replace("\r", ""), flags=re.MULTILINE)
    return "\n".join(line.rstrip() for line in diff.strip("\n").splitlines()).rstrip()


CASES = [read_case(path) for path in sorted(GOLDEN.glob("*.txt"))]
