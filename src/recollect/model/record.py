"""Named tuples in class syntax, without the cost of importing `typing` in a hook."""

from __future__ import annotations

from collections import namedtuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple as Record
else:

    class _RecordType(type):
        """Turns the annotated body of a Record subclass into a named tuple with the same defaults and methods."""

        def __new__(mcs, name, bases, body):
            if not bases:
                return super().__new__(mcs, name, bases, body)
            # Annotations are strings here: every module that defines a Record imports annotations from __future__.
            fields = list(body.get("__annotations__", ()))
            defaults = [body[field] for field in fields if field in body]
            record = namedtuple(name, fields, defaults=defaults, module=body["__module__"])
            for key, value in body.items():
                if key not in fields and key not in ("__annotations__", "__dict__", "__weakref__", "__qualname__"):
                    setattr(record, key, value)
            record.__qualname__ = body.get("__qualname__", name)
            return record

    class Record(metaclass=_RecordType):
        """Base of all plain values: `class Point(Record): x: int; y: int = 0`."""


__all__ = ["Record"]
