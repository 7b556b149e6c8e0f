"""Which repository a folder belongs to."""

from __future__ import annotations

from recollect.model.record import Record


class Repository(Record):
    """A repository by its git identity. `repository` is empty where only user scope applies (home folder, `/`)."""

    repository: str = ""  # the identity string that entries carry
    remote: str = ""  # normalised remote, e.g. github.com/owner/name
    common_directory: str = ""  # real path of the common .git directory
    root: str = ""  # real path of this working tree; citations are relative to it
    branch: str = ""  # empty when detached
    default_branch: str = ""
    aliases: tuple[str, ...] = ()  # other identities this repository has been known by
