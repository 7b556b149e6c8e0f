"""The hosts on this machine: connected or not, trusted, current, once only, and what each cannot do."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from recollect.flows.setup.install import INSTALLABLE, installer
from recollect.flows.setup.installed import NO_NEED, TRUSTED, UNTRUSTED, command_for, inspect, removal
from recollect.hosts.abilities import ability
from recollect.hosts.installing import Site
from recollect.model.findings import Finding
from recollect.model.hosts import TITLES
from recollect.model.record import Record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recollect.files.home import Home
    from recollect.flows.setup.installed import Installation, Problem
    from recollect.store.store import Store

# The first versions whose hooks take memory at the prompt.
OLDEST = {"claude-code": (1, 0, 62), "codex": (0, 116, 0), "copilot-cli": (1, 0, 60), "gemini-cli": (0, 26, 0)}
# They run the hooks of other hosts' files too; each call is answered once.
SHARING = frozenset({"vscode", "cursor", "copilot-cli"})


class HostsExamined(Record):
    """What was found, and whether any host is connected at all."""

    findings: tuple[Finding, ...]
    connected: bool


def examine_hosts(
    home: Home,
    environ: Mapping[str, str],
    *,
    project: str,
    store: Store | None,
    calls: Sequence[Mapping[str, object]],
    never: Sequence[str] = (),
) -> HostsExamined:
    """Every host that is on this machine."""
    found: list[Finding] = []
    told: set[str] = set()  # a file that several hosts read is one problem
    connected = False
    for host in INSTALLABLE:
        seen = inspect(host, home=home, environ=environ, project=project)
        if not seen.present:
            continue
        connected = connected or seen.installed
        if host in never:
            found.append(_left_out(seen))
            continue
        new = [one for one in seen.problems if one.said not in told]
        told |= {one.said for one in new}
        found += _host(seen, new, home, environ, store=store, calls=calls)
        found += _held_up(host, Site(environ, sys.platform, home), project)
    if not found:
        remedy = "Once you have one, connect it with `recollect install all`."
        found.append(Finding("hosts", True, "no coding agent with hooks was found on this machine", remedy))
    return HostsExamined(tuple(found), connected)


def _left_out(seen: Installation) -> Finding:
    if seen.is_guest:
        names = " and ".join(TITLES[host] for host in seen.lenders)
        detail = f"left out on purpose; it reads the settings of {names}, so the hooks there run in {seen.title} too"
        return Finding(seen.host, True, detail)
    if seen.installed:
        detail = f"left out on purpose, but still connected ({', '.join(seen.where)})"
        return Finding(seen.host, True, detail, f"Remove it with {seen.removed_with}.")
    return Finding(seen.host, True, "left out on purpose", f"Connect it with `recollect install {seen.host}`.")


def _host(
    seen: Installation,
    new: Sequence[Problem],
    home: Home,
    environ: Mapping[str, str],
    *,
    store: Store | None,
    calls: Sequence[Mapping[str, object]],
) -> list[Finding]:
    problems = [Finding(f"{seen.host} files", False, one.said, one.remedy) for one in new]
    if not seen.installed:
        return (
            problems
            if seen.problems
            else [Finding(seen.host, False, "not connected", f"Run `recollect install {seen.host}`.")]
        )
    note = ability(seen.host).note if not _injects_everywhere(seen.host) else ""
    twice = _twice(seen)  # names the files
    where = f"connected ({', '.join(seen.where)})" if twice else _connection(seen)
    fine = Finding(seen.host, True, where + (f". {note}" if note else ""))
    wrong = [*problems, *_stale(seen), *_untrusted(seen, calls), *twice, *_server(seen, home, environ)]
    return [fine, *wrong, *_old(seen.host, store)]


def _connection(seen: Installation) -> str:
    """Where it is connected, and whose settings it reads besides its own or instead of them."""
    where = f"connected ({', '.join(seen.where)})"
    lent = [f"{TITLES[one.lender]}'s settings: {one.path}" for one in seen.sources if one.lender and one.commands]
    if not lent:
        return where
    reads = " and ".join(lent)
    if seen.is_guest:
        return f"{where}, but only because it runs the hooks in {reads}"
    return f"{where}. It also runs the hooks in {reads}; the second call returns nothing"


def _injects_everywhere(host: str) -> bool:
    able = ability(host)
    return able.injects_at_start and able.injects_at_prompt


def _stale(seen: Installation) -> list[Finding]:
    if not seen.stale:
        return []
    detail = f"It starts {seen.stale[0]}, which is gone or belongs to another home."
    first = [source for source in seen.sources if seen.stale[0] in source.commands][:1]
    return [Finding(f"{seen.host} launcher", False, detail, f"Run {command_for('install', first)}.")]


def _untrusted(seen: Installation, calls: Sequence[Mapping[str, object]]) -> list[Finding]:
    """Not trusted, as far as the files say; a call that came since shows that it is."""
    if seen.trusted in (TRUSTED, NO_NEED):
        return []
    changed = max((_time(source.path) for source in seen.sources), default=0.0)
    if seen.trusted != UNTRUSTED and any(_since(call, seen.host, changed) for call in calls):
        return []
    if seen.trusted == UNTRUSTED:
        return [
            Finding(f"{seen.host} trust", False, "Connected, but not trusted: its hooks do not run.", seen.trust_step)
        ]
    return [
        Finding(
            f"{seen.host} trust",
            False,
            "Connected, but it has not called yet; its hooks may not be trusted.",
            seen.trust_step,
        )
    ]


def _since(call: Mapping[str, object], host: str, then: float) -> bool:
    at = call.get("at")
    return call.get("host") == host and isinstance(at, int | float) and at >= then


def _twice(seen: Installation) -> list[Finding]:
    if not seen.duplicates or (seen.host in SHARING and "plugin" not in seen.where and len(seen.where) == 1):
        return []
    remedy = f"Keep one: {removal(seen.sources)}"
    remedy += ", or remove the plugin in the host." if "plugin" in seen.where else "."
    often, others = (
        ("twice", "second call is")
        if len(seen.duplicates) == 2
        else (f"{len(seen.duplicates)} times", "other calls are")
    )
    detail = f"Its hook is installed {often}; the {others} ignored. It is in {', '.join(seen.duplicates)}."
    return [Finding(f"{seen.host} twice", False, detail, remedy)]


def _server(seen: Installation, home: Home, environ: Mapping[str, str]) -> list[Finding]:
    wants = any(one.what == "MCP server" for one in installer(seen.host).files(Site(environ, sys.platform, home)))
    if not wants or seen.servers or "plugin" in seen.where:
        return []
    detail = "The MCP server is not in its settings: the agent cannot recall or write by itself."
    return [Finding(f"{seen.host} mcp", False, detail, f"Run `recollect install {seen.host}`.")]


def _held_up(host: str, site: Site, project: str) -> list[Finding]:
    """A tool or plugin that came after ours, where opencode still installs nothing."""
    if host != "opencode":
        return []
    from recollect.hosts.opencode.install import held_up

    folders = held_up(site, project)
    if not folders:
        return []
    detail = f"Something in {folders[0]} may need packages that opencode does not install there because of us."
    where = " --project" if project and folders[0].startswith(project) else ""
    return [Finding("opencode packages", False, detail, f"Run `recollect install opencode{where}`.")]


def _old(host: str, store: Store | None) -> list[Finding]:
    """Its version, from the newest session that was imported."""
    if host not in OLDEST or store is None:
        return []
    newest = store.sessions.listed(host=host, limit=1)
    version = newest[0][0].version if newest else ""
    numbers = tuple(int(part) for part in version.split("-")[0].split(".") if part.isdigit())
    if not numbers or numbers >= OLDEST[host]:
        return []
    least = ".".join(str(part) for part in OLDEST[host])
    detail = f"Version {version} was used last; memory at the prompt needs {least}."
    return [Finding(f"{host} version", False, detail, f"Upgrade {ability(host).title}.")]


def _time(path: str) -> float:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0
