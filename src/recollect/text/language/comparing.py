"""A statement that is read once and then compared with many: which says the same, the opposite, or corrects the other.

The answers are those of `relation` and `corrects`. Most pairs have too little in common for any of them, and a look at
their words tells that long before the rules would."""

from __future__ import annotations

from recollect.text.language import lexicon
from recollect.text.language.corrections import MOST_NEW, UNTOLD, is_about, read_corrected, read_correction
from recollect.text.language.frames import frame_of
from recollect.text.language.opposites import contradict
from recollect.text.language.statements import is_near, normalise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.text.language.frames import Frame


class Compared:
    """A statement as the rules read it."""

    def __init__(self, text: str) -> None:
        self.normal = normalise(text)
        self.frame = frame_of(text)
        self.correction = read_correction(text)
        self.corrected = read_corrected(text)
        self._outline = _Outline(self.frame)
        self._parts = [_Outline(frame) for frame in self.correction.frames]
        self._gist = _Outline(self.corrected)

    def says_the_same_as(self, other: Compared) -> bool:
        """Is their `relation` same or near?"""
        return self.normal == other.normal or (
            self._outline.keys == other._outline.keys and is_near(self.frame, other.frame)
        )

    def is_opposite_of(self, other: Compared) -> bool:
        """Is their `relation` opposite, if it is not the same?"""
        mine, yours = self._outline, other._outline
        return (mine.may_differ_from(yours) or yours.may_differ_from(mine)) and contradict(self.frame, other.frame)

    def corrects(self, other: Compared) -> bool:
        """Does this correct the other?"""
        return any(one.may_differ_from(other._gist) for one in self._parts) and is_about(
            self.correction, other.corrected
        )


class _Outline:
    """The words of a frame, as far as they tell whether it can have to do with another one."""

    def __init__(self, frame: Frame) -> None:
        self.keys = frozenset(frame.signs)
        self.told = self.keys - UNTOLD
        self.asserted = frozenset(item.key for item in frame.items if item.sign > 0)
        self.denied = frozenset(item.key for item in frame.items if item.sign < 0)
        self.groups = frozenset(group for item in frame.items for group in lexicon.groups_of(item.alternative))
        self.after = [item.key for item in frame.items if item.after]

    def may_differ_from(self, other: _Outline) -> bool:
        """Could this say something else of what the other is about? All of it is found there but a value, or it denies
        what that asserts, chooses from the same group, or says the same of somebody else."""
        return (
            len(self.told - other.keys) <= MOST_NEW
            or not self.denied.isdisjoint(other.asserted)
            or not self.groups.isdisjoint(other.groups)
            or self.after == other.after
        )
