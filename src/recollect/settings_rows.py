"""What a row and a section of the table of settings are."""

from __future__ import annotations

from recollect.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import ClassVar, Literal, NoReturn, TypeVar

    Value = bool | int | float | str | tuple[str, ...]
    Given = TypeVar("Given", bound=Value)
    RepositoryMay = Literal["", "lower", "raise", "add"]


class Row(Record):
    """What the table says about one setting."""

    name: str  # dotted
    default: Value
    meaning: str
    low: float  # numbers only, as is high
    high: float
    choices: tuple[str, ...]  # texts only; empty: any text
    repository: RepositoryMay  # which way a repository's file may move it; empty: not at all
    aliases: tuple[str, ...]  # other spellings: dotted names, or environment variables in capitals
    files_only: bool  # not switched on by the environment, which an agent can set for the commands that it runs

    @property
    def allowed(self) -> str:
        """The values it takes, in words."""
        if isinstance(self.default, bool):
            return "true or false"
        if isinstance(self.default, (int, float)):
            kind = "a whole number" if isinstance(self.default, int) else "a number"
            return f"{kind} from {self.low} to {self.high}"
        if isinstance(self.default, tuple):
            return "a list of strings"
        return "one of " + ", ".join(self.choices) if self.choices else "a string"

    @property
    def variable(self) -> str:
        """Its environment variable."""
        return "RECOLLECT_" + self.name.upper().replace(".", "__")


def row(
    default: Given,
    meaning: str,
    *,
    low: float = 0,
    high: float = 1_000_000,
    choices: tuple[str, ...] = (),
    repository: RepositoryMay = "",
    aliases: tuple[str, ...] = (),
    files_only: bool = False,
) -> Given:
    """A row of the table, typed as its value: the class that holds it swaps the default in."""
    return Row("", default, meaning, low, high, choices, repository, aliases, files_only)  # type: ignore[return-value]


class Section:
    """A frozen group of settings. What an instance was not given has its default."""

    # Not a Record: a named tuple a section would double what a hook pays for settings.

    rows: ClassVar[dict[str, Row]] = {}

    def __init_subclass__(cls, name: str = "") -> None:
        prefix = name + "." if name else ""
        cls.rows = {key: at._replace(name=prefix + key) for key, at in vars(cls).items() if isinstance(at, Row)}
        for key, at in cls.rows.items():
            setattr(cls, key, at.default)

    def __init__(self, values: Mapping[str, object] | None = None) -> None:
        self.__dict__.update(values or {})

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"settings cannot be changed in place: {name}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"settings cannot be changed in place: {name}")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self._parts())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.__dict__})"

    def _parts(self) -> tuple[object, ...]:
        return tuple(getattr(self, key) for key in self.rows)
