"""Whether a set of artifacts may be published: complete, not too large, no dead links, no secrets. Pure."""

from __future__ import annotations

import re

from recollect.autonomous.blocks import SECTIONS
from recollect.autonomous.skills import LONGEST_DESCRIPTION, NAME, parsed_skill
from recollect.autonomous.summaries import MORE, YOURS
from recollect.errors import ArtifactsInvalid
from recollect.model.artifacts import HEADER
from recollect.text.secrets.redacting import find
from recollect.text.tokens import estimate_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

MEMORY, SUMMARY = "MEMORY.md", "memory_summary.md"
LONGEST_MEMORY = 200_000  # characters
LONGEST_SKILL = 20_000
MOST_SKILLS = 40
_NEXT = re.compile(rf"^(?:## (?:{'|'.join(SECTIONS)})|{re.escape(MORE)})$", re.MULTILINE)
_LINK = re.compile(r"memory://root/([^\s)\]>\"'`,;#]+)")


def require_valid(files: Mapping[str, str], *, limit_tokens: int, own: Collection[str] = ()) -> None:
    """Raise ArtifactsInvalid, with the first thing that is wrong, unless these files may be published.

    What a person wrote never holds the rest up: of `own`, the skills that somebody wrote or changed, and of their
    lines in the summary, only secrets are looked at."""
    memory, summary = files.get(MEMORY, ""), files.get(SUMMARY, "")
    if not memory.strip() or len(memory) > LONGEST_MEMORY:
        raise ArtifactsInvalid(f"{MEMORY} is empty or longer than {LONGEST_MEMORY:,} characters.")
    if summary.split("\n", 1)[0] != HEADER:
        raise ArtifactsInvalid(f"{SUMMARY} does not begin with the line {HEADER}.")
    if estimate_tokens(summary) > limit_tokens:
        raise ArtifactsInvalid(f"{SUMMARY} is longer than {limit_tokens:,} tokens.")
    skills = {name: text for name, text in files.items() if name not in (MEMORY, SUMMARY, *own)}
    if len(skills) > MOST_SKILLS:
        raise ArtifactsInvalid(f"There are more than {MOST_SKILLS} skills.")
    for name, text in skills.items():
        _require_skill(name, text)
    for name, text in files.items():
        ours = _ours(text) if name == SUMMARY else text
        for target in _LINK.findall(ours) if name != MEMORY and name not in own else ():
            if target.rstrip(".") not in files:
                raise ArtifactsInvalid(f"{name} links to memory://root/{target[:80]}, which is not part of the set.")
        if find(text):
            raise ArtifactsInvalid(f"{name} still holds what looks like a secret.")


def _ours(summary: str) -> str:
    """The summary without what stands under the heading of somebody's own lines."""
    before, _, after = summary.partition(f"\n{YOURS}\n")
    found = _NEXT.search(after)
    return f"{before}\n{after[found.start() :] if found else ''}"


def _require_skill(name: str, text: str) -> None:
    parts = name.split("/")
    if len(parts) != 3 or parts[0] != "skills" or parts[2] != "SKILL.md" or not NAME.fullmatch(parts[1]):
        raise ArtifactsInvalid(f"{name[:80]!r} is not the name of a skill.")
    if len(text) > LONGEST_SKILL:
        raise ArtifactsInvalid(f"{name} is longer than {LONGEST_SKILL:,} characters.")
    skill = parsed_skill(text)
    if skill is None or skill.name != parts[1] or not skill.body:
        raise ArtifactsInvalid(f"{name} has no portable front matter, or another name than its folder.")
    if len(skill.description) > LONGEST_DESCRIPTION:
        raise ArtifactsInvalid(f"{name} has too long a description.")
