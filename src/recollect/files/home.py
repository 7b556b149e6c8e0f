"""The folder that holds everything Recollect keeps for one user, and the names in it."""

from __future__ import annotations

import os
import sys

from recollect.errors import FileError
from recollect.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

FOLDERS = ("logs", "sessions", "projects", "backups", "bin", "spool")


class Home(Record):
    """Where each thing of a home is. Nothing here touches the disk."""

    root: str

    @property
    def config(self) -> str:
        return os.path.join(self.root, "config.toml")

    @property
    def config_yaml(self) -> str:
        """The same settings in the form that other agents keep theirs; config.toml goes before it."""
        return os.path.join(self.root, "config.yml")

    @property
    def config_cache(self) -> str:
        return os.path.join(self.root, "config.cache.json")

    @property
    def ssh_hosts(self) -> str:
        """Which hosts the aliases of ssh stand for, as far as that was asked."""
        return os.path.join(self.root, "ssh_hosts.json")

    @property
    def database(self) -> str:
        return os.path.join(self.root, "recollect.db")

    @property
    def near_socket(self) -> str:
        """Where a process that is there anyway answers how near entries are in meaning."""
        return os.path.join(self.root, "near.sock")

    @property
    def logs(self) -> str:
        return os.path.join(self.root, "logs")

    @property
    def sessions(self) -> str:
        return os.path.join(self.root, "sessions")

    @property
    def acp(self) -> str:
        """Logs of the sessions that passed through `recollect acp`."""
        return os.path.join(self.root, "acp")

    @property
    def projects(self) -> str:
        return os.path.join(self.root, "projects")

    @property
    def backups(self) -> str:
        return os.path.join(self.root, "backups")

    @property
    def bin(self) -> str:
        """The launchers that hosts call; their names never change."""
        return os.path.join(self.root, "bin")

    @property
    def spool(self) -> str:
        """Receipts of hooks that found the database locked; the worker takes them in."""
        return os.path.join(self.root, "spool")


def home_directory(environ: Mapping[str, str], *, platform: str = sys.platform) -> str:
    """The absolute path of the home: RECOLLECT_HOME, else a folder in the platform's data directory."""
    chosen = environ.get("RECOLLECT_HOME", "")
    if chosen:
        if chosen == "~" or chosen.startswith(("~/", "~\\")):
            chosen = os.path.join(user_directory(environ, platform), chosen[2:])
        return os.path.abspath(chosen)
    return os.path.join(_data_directory(environ, platform), "recollect")


def ensure_home(root: str) -> Home:
    """The home at `root`, created with its folders for the owner's eyes only when it is not there yet.

    A folder that exists keeps its permissions: the user may share it on purpose."""
    home = Home(root)
    try:
        os.makedirs(root, mode=0o700, exist_ok=True)
        for name in FOLDERS:
            folder = os.path.join(root, name)
            if not os.path.isdir(folder):
                os.makedirs(folder, mode=0o700, exist_ok=True)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise FileError(
            f"The home {root} cannot be created ({why}). Choose another folder with --home or RECOLLECT_HOME."
        ) from error
    return home


def _data_directory(environ: Mapping[str, str], platform: str) -> str:
    if platform == "win32":
        local = environ.get("LOCALAPPDATA", "")
        return local or os.path.join(user_directory(environ, platform), "AppData", "Local")
    if platform == "darwin":
        return os.path.join(user_directory(environ, platform), "Library", "Application Support")
    data = environ.get("XDG_DATA_HOME", "")
    # The XDG rules say that a relative path there is to be ignored.
    return data if os.path.isabs(data) else os.path.join(user_directory(environ, platform), ".local", "share")


def user_directory(environ: Mapping[str, str], platform: str) -> str:
    """The user's own folder."""
    # Not os.path.expanduser: it would read the environment of the process.
    directory = environ.get("USERPROFILE" if platform == "win32" else "HOME", "")
    if not directory and sys.platform != "win32":
        import pwd

        try:
            directory = pwd.getpwuid(os.getuid()).pw_dir
        except KeyError:
            directory = ""
    if not directory:
        raise FileError(
            "This user has no home folder. Say which folder Recollect may use, with --home or RECOLLECT_HOME."
        )
    return os.path.abspath(directory)
