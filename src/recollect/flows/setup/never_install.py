"""Hosts that a person leaves out on purpose: neither `install all` nor `doctor` speaks of them again."""

from __future__ import annotations

from recollect.errors import UsageError
from recollect.files.config import set_value
from recollect.files.home import Home, home_directory
from recollect.flows.opened import read_settings
from recollect.flows.setup.install import INSTALLABLE
from recollect.flows.writes.actors import caller, require_person
from recollect.model.hosts import TITLES, did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

NAME = "never_install"


def never_installed(environ: Mapping[str, str]) -> tuple[str, ...]:
    """The hosts that are left out."""
    return read_settings(environ)[1].never_install


def leave_out(hosts: Sequence[str], *, environ: Mapping[str, str]) -> list[str]:
    """Leave these out from now on; returns all that are left out. UsageError for a host that is not supported."""
    for host in hosts:
        if host not in INSTALLABLE:
            if host in TITLES:
                raise UsageError(f"There is nothing to leave out: `install all` never connects {host}, only by name.")
            meant = did_you_mean(host, INSTALLABLE)
            raise UsageError(f'"{host}" is not a supported host.{meant} Hosts: {", ".join(INSTALLABLE)}.')
    return _keep(dict.fromkeys([*never_installed(environ), *hosts]), environ)


def take_in(hosts: Sequence[str], *, environ: Mapping[str, str]) -> None:
    """Whoever names a host wants it after all."""
    out = never_installed(environ)
    if set(out) & set(hosts):
        _keep([host for host in out if host not in hosts], environ)


def _keep(hosts: Sequence[str] | dict[str, None], environ: Mapping[str, str]) -> list[str]:
    require_person(caller(environ), "Changing which hosts are left out")
    set_value(Home(home_directory(environ)).config, NAME, list(hosts))
    return list(hosts)
