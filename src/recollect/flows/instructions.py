"""What a repository asks of agents: the first of the files in which hosts look for it."""

from __future__ import annotations

from recollect.files.trees import read_cited
from recollect.text.fences import neutralise

INSTRUCTION_FILES = ("AGENTS.md", "CLAUDE.md", ".github/copilot-instructions.md")
LONGEST_INSTRUCTIONS = 16_000  # characters


def instructions_of(root: str) -> str:
    """The instructions with the name of their file; empty without any."""
    for name in INSTRUCTION_FILES:
        text = (read_cited(root, name) or "").strip()
        if text:
            return f"What {name} of this repository says:\n\n{neutralise(text[:LONGEST_INSTRUCTIONS])}"
    return ""
