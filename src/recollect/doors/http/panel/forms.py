"""What a form or an address carries: short texts by name, and a file where one was chosen."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request
from starlette.datastructures import UploadFile

LONGEST = 2_000_000


class Fields(dict[str, str]):
    """The fields of a form; what was not sent is empty."""

    def __missing__(self, name: str) -> str:
        return ""

    def text(self, name: str) -> str:
        """A field without the blanks around it, and with the line ends of files."""
        return self[name].replace("\r\n", "\n").strip()

    def words(self, name: str) -> list[str]:
        """A field with commas as its parts."""
        return [part.strip() for part in self[name].split(",") if part.strip()]


async def form_fields(request: Request) -> Fields:
    """The form of a request; a chosen file is read as text."""
    found = Fields()
    for name, value in (await request.form()).multi_items():
        if isinstance(value, UploadFile):
            found[name] = (await value.read()).decode("utf-8", "replace")
        else:
            found[name] = value
    return found


def query_fields(request: Request) -> Fields:
    """The part of an address behind the question mark."""
    return Fields(request.query_params)


Form = Annotated[Fields, Depends(form_fields)]
Query = Annotated[Fields, Depends(query_fields)]


def page_number(fields: Fields) -> int:
    """The page that is asked for, from 1."""
    number = fields["page"]
    return min(max(int(number), 1), 10_000) if number.isdecimal() and len(number) < 6 else 1
