"""One spelling for every address of the same repository, without user names, tokens or ports."""

from __future__ import annotations

# These forges ignore case in owner and name, so two spellings are one repository. Other hosts may well tell them
# apart; there, the case stays.
CASELESS = frozenset({"github.com", "gitlab.com", "bitbucket.org", "dev.azure.com", "codeberg.org"})
SAME_HOST = {
    "ssh.github.com": "github.com",
    "www.github.com": "github.com",
    "altssh.gitlab.com": "gitlab.com",
    "www.gitlab.com": "gitlab.com",
    "altssh.bitbucket.org": "bitbucket.org",
    "www.bitbucket.org": "bitbucket.org",
}
AZURE = "dev.azure.com"
AZURE_MARKS = frozenset({"_git", "_ssh", "_full", "_optimized"})


def local_path(address: str) -> str:
    """The path, when git would read this address as one on this machine; else empty."""
    address = address.strip()
    if address[:7].lower() == "file://":
        from urllib.parse import unquote

        host, slash, path = address[7:].partition("/")
        path = unquote(slash + path)
        if host.lower() not in ("", "localhost"):
            return f"//{host}{path}"
        return path[1:] if path[2:3] == ":" else path
    if "://" in address or _helper(address):
        return ""
    if address[1:2] == ":" and address[:1].isalpha() and address[2:3] in ("/", "\\"):
        return address
    before_colon, colon, _ = address.partition(":")
    return "" if colon and "/" not in before_colon else address


def normalise_remote(address: str) -> str:
    """`host/path` of a network address, such as github.com/owner/name; empty when it names no host.

    User, password, port, query and a final `.git` are dropped; the host is lower-cased, and so is the path where
    the forge ignores case. Applying it twice changes nothing.
    """
    address = "".join(character for character in address if character.isprintable()).strip()
    helper = _helper(address)
    if helper:
        rest = address[len(helper) + 2 :]
        return normalise_remote(rest) if "://" in rest else _opaque(address)
    host, path = _split_url(address) if "://" in address else _split_short(address)
    host = SAME_HOST.get(host, host)
    if not host:
        return ""
    segments = _without_suffix(_segments(path))
    if host.endswith((".visualstudio.com", AZURE)):
        host, segments = _azure(host, segments)
        segments = _without_suffix(segments)
    text = "/".join(segments)
    return f"{host}/{text.lower() if host in CASELESS else text}".rstrip("/")


def ssh_host(address: str) -> str:
    """The host that ssh would be asked for; empty when the address is none of ssh."""
    address = address.strip()
    scheme, mark, _ = address.partition("://")
    if mark:
        return _split_url(address)[0] if scheme.lower() in ("ssh", "git+ssh", "ssh+git") else ""
    return "" if _helper(address) or local_path(address) else _split_short(address)[0]


def _split_url(address: str) -> tuple[str, str]:
    rest = address.partition("://")[2].lstrip("/")
    authority, _, path = rest.partition("/")
    user_and_port = authority.rpartition("@")[2].rpartition(":")
    if user_and_port[1] and "]" not in user_and_port[2] and not user_and_port[2].isdigit() and "@" in path:
        # A slash in the password: what looks like host and port is a part of it.
        authority, _, path = path.rpartition("@")[2].partition("/")
    return _host(authority.rpartition("@")[2]), path


def _split_short(address: str) -> tuple[str, str]:
    """`user@host:path`, or `host/path` as this module writes it."""
    first = address.partition("/")[0]
    colon, at = first.find(":"), first.find("@")
    if -1 < colon < at:
        address = address[first.rfind("@") + 1 :]
    elif at > -1 and not first.startswith("["):
        address = address[at + 1 :]
    if address.startswith("["):
        inside, _, rest = address.partition("]")
        return _host(inside), rest.lstrip(":")
    ends = [end for end in (address.find(":"), address.find("/")) if end > -1]
    end = min(ends, default=len(address))
    return _host(address[:end]), address[end + 1 :]


def _helper(address: str) -> str:
    """The transport in `transport::address`, or empty."""
    name, mark, _ = address.partition("::")
    return name if mark and name.isalnum() else ""


def _host(authority: str) -> str:
    authority = authority.rpartition("@")[2].partition("/")[0]
    if authority.startswith("["):
        inside = authority.lstrip("[").partition("]")[0].lower()
        return f"[{inside}]" if inside.count(":") > 1 else _host(inside)
    for mark in "?#:":
        authority = authority.partition(mark)[0]
    return authority.strip(". []").lower()


def _segments(path: str) -> list[str]:
    for mark in "?#":
        path = path.partition(mark)[0]
    path = path.replace("\\", "/").replace(" ", "%20")
    return [segment for segment in path.split("/") if segment not in ("", ".")]


def _without_suffix(segments: list[str]) -> list[str]:
    kept = list(segments)
    while kept and kept[-1][-4:].lower() == ".git":
        kept[-1] = kept[-1][:-4]
        if kept[-1] in ("", "."):
            kept.pop()
    return kept


def _azure(host: str, segments: list[str]) -> tuple[str, list[str]]:
    """Five spellings of organisation, project and repository become `dev.azure.com/organisation/project/repository`."""
    if host in ("ssh.dev.azure.com", "vs-ssh.visualstudio.com"):
        if segments[:1] != ["v3"]:
            return host, segments
        segments = segments[1:]
    elif host.endswith(".visualstudio.com"):
        if host.count(".") > 2:
            return host, segments
        segments = [host.partition(".")[0], *(part for part in segments if part.lower() != "defaultcollection")]
    elif host != AZURE:
        return host, segments
    kept = [part for part in segments if part.lower() not in AZURE_MARKS]
    # A repository named like its project is addressed without the project.
    return AZURE, [*kept, kept[1]] if len(kept) == 2 and len(segments) > 2 else kept


def _opaque(address: str) -> str:
    """A command or helper address may hold anything, secrets too: only its hash is kept."""
    import hashlib

    return f"opaque/{hashlib.sha256(address.encode()).hexdigest()[:32]}"
