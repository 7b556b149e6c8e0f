"""Named tuples in class syntax, without the cost of importing `typing`, or of compiling each one, in a hook."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple as Record
else:
    from _collections import _tuplegetter

    _new = tuple.__new__
    _BODY = frozenset({"__annotations__", "__dict__", "__weakref__", "__annotate__", "__annotate_func__"})

    class _RecordType(type):
        """Turns the annotated body of a Record subclass into a named tuple with the same defaults and methods.

        collections.namedtuple would write and compile source for each of them: five times as long, and a hook has
        dozens."""

        def __new__(mcs, name, bases, body):
            if not bases:
                return super().__new__(mcs, name, bases, body)
            # Annotations are strings here: every module that defines a Record imports annotations from __future__.
            fields = tuple(body.get("__annotations__", ()))
            space = {key: value for key, value in body.items() if key not in _BODY and key not in fields}
            space.update((field, _tuplegetter(at, field)) for at, field in enumerate(fields))
            defaults = {field: body[field] for field in fields if field in body}
            missing = [field for field in fields if field not in defaults]
            if list(fields[: len(missing)]) != missing:
                raise TypeError(f"{name}: a field without a default follows one with a default")
            space |= {
                "__slots__": (),
                "__match_args__": fields,
                "_fields": fields,
                "_field_defaults": defaults,
                "__new__": _constructor(name, fields, defaults),
                "_make": classmethod(_make),
                "_replace": _replace,
                "__replace__": _replace,
                "_asdict": _asdict,
                "__repr__": space.get("__repr__", _repr),
                "__getnewargs__": _getnewargs,
            }
            return type(name, (tuple,), space)

    def _constructor(name, fields, defaults):
        size = len(fields)
        rest = tuple(defaults.values())
        needed = size - len(rest)
        every = frozenset(fields)

        def __new__(cls, /, *values, **named):  # noqa: N807
            given = len(values)
            if named:
                if not given and named.keys() == every:
                    return _new(cls, [named[field] for field in fields])
                return _new(cls, _filled(name, fields, values, named, defaults))
            if given == size:
                return _new(cls, values)
            if needed <= given < size:
                return _new(cls, values + rest[given - needed :])
            raise TypeError(f"{name} takes {needed} to {size} values, not {given}")

        return __new__

    def _filled(name, fields, values, named, defaults):
        found = list(values)
        try:
            for field in fields[len(values) :]:
                found.append(named.pop(field) if field in named else defaults[field])
        except KeyError as missing:
            raise TypeError(f"{name} needs a value for {missing}") from None
        if named or len(found) > len(fields):
            raise TypeError(f"{name} has no place for {', '.join(named) or 'so many values'}")
        return found

    def _make(cls, values):
        """A record of an iterable."""
        made = _new(cls, values)
        if len(made) != len(cls._fields):
            raise TypeError(f"{cls.__name__} takes {len(cls._fields)} values, not {len(made)}")
        return made

    def _replace(self, /, **named):
        """The record with these fields changed."""
        made = _new(type(self), [named.pop(field, value) for field, value in zip(self._fields, self, strict=True)])
        if named:
            raise TypeError(f"{type(self).__name__} has no field {', '.join(named)}")
        return made

    def _asdict(self):
        """The fields by name."""
        return dict(zip(self._fields, self, strict=True))

    def _getnewargs(self):
        return tuple(self)

    def _repr(self):
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in zip(self._fields, self, strict=True))})"

    class Record(metaclass=_RecordType):
        """Base of all plain values: `class Point(Record): x: int; y: int = 0`."""


__all__ = ["Record"]
