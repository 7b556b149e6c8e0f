"""How a page comes about: a template, the values of a page, and what stands around every page.

Everything stored is hostile: templates escape all of it, and what nobody can see is taken out first."""

from __future__ import annotations

import json
import os
import re
import time
from typing import TYPE_CHECKING, Any

from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from markupsafe import Markup

from recollect.doors.authors import author, rests_on
from recollect.doors.cli.printing.program import as_called, use_home
from recollect.doors.cli.printing.times import ago, local
from recollect.doors.http.panel.markdown import rendered
from recollect.doors.http.panel.words import CHECKS, HOSTS, SAID, STATUSES
from recollect.files.home import home_directory
from recollect.flows.views.name_repository import place_name
from recollect.model.hosts import BY_HAND
from recollect.settings import environment
from recollect.text.side_by_side import word_changes
from recollect.text.unseen import visible

if TYPE_CHECKING:
    from collections.abc import Callable

    from jinja2.runtime import Context

    from recollect.app import Recollect
    from recollect.doors.http.visitors import Visitor

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "templates")
_CODE = re.compile(r"`([^`\n]+)`")
_WORD = re.compile(r"[a-z][a-z'’-]*(?=[\s,.;:!?]*(?:\s|$))")
_ID = re.compile(r"[a-z]_[0-9a-z]{1,32}")


def page(
    request: Request, visitor: Visitor, memory: Recollect, template: str, *, code: int = 200, **values: Any
) -> HTMLResponse:
    """A whole page; parts of it are what htmx takes out of it."""
    use_home(_unusual(memory.home.root))
    said, undo = request.query_params.get("said", ""), request.query_params.get("of", "")
    around = {
        "name_of": namer(memory),
        "form_token": visitor.form_token,
        "waiting": memory.browsing.waiting(),
        "here": memory.repository.repository,
        "now": time.time(),
        "path": request.url.path,
        "live_path": request.url.path if request.method == "GET" else "/",  # what can be asked for again
        "toast": SAID.get(said, ""),
        "undo": undo_form("/undo", of=undo) if _ID.fullmatch(undo) else None,
        "problem": "",
        "is_on": memory.settings.enabled,
    }
    return HTMLResponse(_templates.get_template(template).render({**around, **values}), code)


def undo_form(action: str, **fields: object) -> dict[str, object]:
    """What the button Undo of a toast sends, and where."""
    return {"action": action, "fields": fields}


def _unusual(home: str) -> str:
    """The home, where a command in the user's shell would use another one."""
    return home if home != home_directory(environment()) else ""


def template(name: str, **values: Any) -> str:
    """A document of its own, without what stands around a page."""
    return _templates.get_template(name).render(values)


def back(to: str, said: str = "", of: str = "") -> RedirectResponse:
    """After a change: the page that shows it, with a word of what was done and what would take it back."""
    marks = "&".join(f"{name}={value}" for name, value in (("said", said), ("of", of)) if value)
    joint = "&" if "?" in to else "?"
    return RedirectResponse(f"{to}{joint}{marks}" if marks else to, 303)


def seen(value: object) -> object:
    """A value as a page shows it: text without what nobody can see."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return visible(value)
    return "" if value is None else value


def _when(seconds: float) -> Markup:
    """A moment: how long ago, with the time itself for whoever points at it."""
    if not seconds:
        return Markup("never")
    stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.localtime(min(max(seconds, 0), 253_370_764_800)))
    return Markup('<time datetime="{}" title="{}">{}</time>').format(
        stamp, local(seconds), ago(seconds, now=time.time())
    )


def namer(memory: Recollect) -> Callable[[str], str]:
    """What says where something holds, in a word or two: a repository as people know it, or everywhere."""

    def name_of(repository: str) -> str:
        return place_name(repository, memory.opened.store) if repository else "everywhere"

    return name_of


@pass_context
def place(context: Context, repository: str) -> str:
    """Where something holds, as the memory that a page shows knows it."""
    return str(context["name_of"](repository))


@pass_context
def short_place(context: Context, repository: str) -> str:
    """The last part of it."""
    whole = place(context, repository)
    return whole.replace("\\", "/").rstrip("/").rpartition("/")[2] or whole


def by_whom(host: str) -> str:
    """Who asked memory, after "used": an agent, or a person at a terminal."""
    return f"by {HOSTS.get(host, host)}" if host else BY_HAND


def counted(number: int, one: str, several: str = "") -> str:
    """`1 entry`, `2 entries`."""
    return f"{number:,} {one if number == 1 else several or one + 's'}"


def who(name: str) -> str:
    """Who did something, as one would say it to the person who reads it."""
    return {"user": "you", "system": "Recollect", "rules": "Recollect"}.get(name) or HOSTS.get(name, name)


def marked(text: str) -> Markup:
    """A text with what stands in backticks set as code, as everybody reads it."""
    parts = _CODE.split(visible(text))
    return Markup("").join(Markup("<code>{}</code>").format(part) if n % 2 else part for n, part in enumerate(parts))


def hint(text: str) -> Markup:
    """Words of ours that may name commands, which work as they are shown."""
    return marked(as_called(text))


def check_name(check: str) -> str:
    """What was looked at; a host by the name that people use."""
    first, _, rest = check.partition(" ")
    return f"{HOSTS[first]} {rest}".rstrip() if first in HOSTS else check[:1].upper() + check[1:]


def sentence(text: str) -> str:
    """Words that another part of the program gives as the end of a sentence, as one of their own."""
    whole = text.strip()
    start = capital(whole)
    return start + ("" if whole.endswith((".", "?", "!")) or not whole else ".")


def capital(text: str) -> str:
    """Text with a capital to begin with, unless it begins with a name that is spelled as it is, such as a path."""
    return text[:1].upper() + text[1:] if _WORD.match(text) else text


def as_json(value: object) -> str:
    """For an attribute that a script reads."""
    return json.dumps(value, separators=(",", ":"))


def _made() -> Environment:
    made = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=seen,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(
        when=_when,
        place=place,
        short_place=short_place,
        by_whom=by_whom,
        markdown=rendered,
        counted=counted,
        chart=as_json,
        sentence=sentence,
        capital=capital,
        who=who,
        author=author,
        rests_on=rests_on,
        marked=marked,
        hint=hint,
        check_name=check_name,
    )
    made.globals.update(
        word_changes=word_changes,
        STATUSES=STATUSES,
        CHECKS=CHECKS,
        HOSTS=HOSTS,
        BY_HAND=BY_HAND,
        clock=local,
        min=min,
        max=max,
    )
    return made


_templates = _made()
