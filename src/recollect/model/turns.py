"""Who a turn or the start of a session is answered to."""

from __future__ import annotations

from recollect.model.hooks import Ability
from recollect.model.record import Record

PLENTY = 1_000_000
# A program takes memory wherever it asks for it, and has no ceiling of its own.
PROGRAM = Ability(
    "", "a program", max_characters=PLENTY, max_tokens=PLENTY, start_characters=PLENTY, start_tokens=PLENTY
)


class Recipient(Record):
    """Whose conversation the text goes into, and what it can take."""

    host: str = ""
    session: str = ""
    ability: Ability = PROGRAM
    takes_text: bool = True  # can the answer to this call carry memory?
    has_tools: bool = True  # can the agent call our tools?
    keeps_text: bool = True  # does what it is given stay in its conversation?

    @property
    def takes_at_prompt(self) -> bool:
        """Can memory go with a prompt?"""
        return self.takes_text and self.ability.injects_at_prompt

    @property
    def takes_by_file(self) -> bool:
        """Can memory go with a tool that touches a file?"""
        return self.takes_text and self.ability.injects_by_file

    @property
    def takes_at_start(self) -> bool:
        """Can memory go with the start of a session?"""
        return self.takes_text and self.ability.injects_at_start
