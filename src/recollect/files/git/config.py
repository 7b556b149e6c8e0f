"""Git configuration files, read without git: enough of the format to find remotes and rewritten addresses."""

from __future__ import annotations

from recollect.files.git.refs import without_waiting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Setting = tuple[str, str, str]  # section, subsection as written, value; the section says which key it is

WANTED = {"remote": "url", "url": "insteadof", "branch": "remote", "include": "path", "includeif": "path"}
LIMIT_BYTES = 4_000_000
ESCAPES = {"n": "\n", "t": "\t", "b": "\b"}


def read_settings(
    path: str, *, home: str = "", git_directory: str = "", known: Iterable[Setting] = ()
) -> list[Setting]:
    """The settings about remotes in a configuration file and those it includes; none when it cannot be read. An include
    may depend on where the repository is and on remotes that are `known` already."""
    settings = read_plain(path)
    if not any(section.startswith("include") for section, _, _ in settings):
        return settings
    from recollect.files.git.includes import followed

    return followed(settings, path, read=read_plain, home=home, git_directory=git_directory, known=known)


def read_plain(path: str) -> list[Setting]:
    """What stands in this very file."""
    try:
        with open(path, "rb", opener=without_waiting) as file:
            text = file.read(LIMIT_BYTES).decode("utf-8", "replace").removeprefix("\ufeff")
    except (OSError, ValueError):
        return []
    return parse_settings(text)


def parse_settings(text: str) -> list[Setting]:
    """What says where remotes are, and which files say more; lines that git would reject are skipped."""
    settings: list[Setting] = []
    section = subsection = ""
    lines = iter(text.split("\n"))
    for raw in lines:
        line = raw.strip()
        if line.startswith("["):
            section, subsection, line = _header(line)
        if not line or line[0] in "#;":
            continue
        key, equals, rest = line.partition("=")
        key = key.rstrip().lower()
        if not equals or WANTED.get(section) != key:
            _skip_continuations(line, lines)
            continue
        settings.append((section, subsection, _value(rest, lines)))
    return settings


def _header(line: str) -> tuple[str, str, str]:
    """Section, subsection and what follows on the same line: `[remote "origin"] url = x`."""
    quoted = line.find('"')
    close = line.find("]")
    if quoted < 0 or -1 < close < quoted:
        name, _, rest = line[1:].partition("]")
        section, _, subsection = name.strip().partition(".")
        return section.lower(), subsection.lower(), rest.strip()
    subsection, end = _quoted(line, quoted + 1)
    _, _, rest = line[end:].partition("]")
    return line[1:quoted].strip().lower(), subsection, rest.strip()


def _quoted(line: str, start: int) -> tuple[str, int]:
    """What stands between this place and the closing quote, and the place behind that."""
    if "\\" not in line:
        text = line[start:].partition('"')[0]
        return text, start + len(text) + 1
    kept: list[str] = []
    at = start
    while at < len(line) and line[at] != '"':
        if line[at] == "\\":
            at += 1
        kept.append(line[at : at + 1])
        at += 1
    return "".join(kept), at + 1


def _skip_continuations(line: str, lines: Iterator[str]) -> None:
    # A shell alias over several lines may hold one that looks like a section: `[ -n "$1" ] && ...`.
    while line.endswith("\\"):
        line = next(lines, "").rstrip()


def _value(raw: str, lines: Iterator[str]) -> str:
    if not any(mark in raw for mark in '"\\#;'):
        return raw.strip()
    kept: list[str] = []
    in_quotes = False
    solid = 0  # what lies before this is quoted or visible, so it outlives the final trim
    characters = iter(raw.lstrip())
    while True:
        character = next(characters, "")
        if character == "\\":
            escaped = next(characters, "")
            if not escaped:
                following = next(lines, None)
                if following is None:
                    break
                characters = iter(following.rstrip("\r"))
                continue
            kept.append(ESCAPES.get(escaped, escaped))
        elif character == '"':
            in_quotes = not in_quotes
            solid = len(kept)
            continue
        elif not character or (character in "#;" and not in_quotes):
            break
        else:
            kept.append(character)
        if in_quotes or not kept[-1].isspace():
            solid = len(kept)
    return "".join(kept[:solid])


def remote_addresses(settings: Iterable[Setting]) -> dict[str, str]:
    """Name and address of every remote; the first address is the one git fetches from."""
    addresses: dict[str, str] = {}
    for section, name, address in settings:
        if section == "remote" and address:
            addresses.setdefault(name, address)
    return addresses


def main_remote(settings: list[Setting]) -> tuple[str, str]:
    """Name and address of the remote that says which repository this is, or two empty strings.

    Origin; else the remote that main or master follows, else the one most branches follow, else the first by name.
    The current branch has no say: two worktrees on different branches are the same repository.
    """
    addresses = remote_addresses(settings)
    if not addresses:
        return "", ""
    if "origin" in addresses:
        return "origin", addresses["origin"]
    followed: dict[str, int] = {}
    for section, branch, remote in settings:
        if section == "branch" and remote in addresses:
            weight = 1_000_000 if branch in ("main", "master") else 1
            followed[remote] = followed.get(remote, 0) + weight
    name = min(addresses, key=lambda each: (-followed.get(each, 0), each))
    return name, addresses[name]


def rewritten(address: str, settings: Iterable[Setting]) -> str:
    """The address after `url.<base>.insteadOf`; as in git, the longest prefix wins."""
    longest, base = "", ""
    for section, replacement, prefix in settings:
        if section == "url" and len(prefix) > len(longest) and address.startswith(prefix):
            longest, base = prefix, replacement
    return base + address[len(longest) :] if longest else address
