"""Which repository a folder belongs to, on real repositories made with git."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.files.git.config import main_remote, parse_settings, rewritten
from recollect.files.git.lookups import asking, kept_answers, root_commit
from recollect.files.git.remote_urls import local_path, normalise_remote
from recollect.files.git.ssh_hosts import ask_host, kept_host
from recollect.files.home import Home
from recollect.files.repositories import identify
from recollect.model.repositories import Repository

ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.com",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.com",
    "GIT_ALLOW_PROTOCOL": "file",
}
URL = "git@github.com:Owner/Name.git"
SAME = "github.com/owner/name"


def git(folder: Path, *arguments: str) -> str:
    command = ["git", "-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main", *arguments]
    done = subprocess.run(command, cwd=folder, env=ENVIRONMENT, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def commit(folder: Path, name: str = "a.txt", text: str = "one\n") -> str:
    (folder / name).write_text(text)
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", f"{name} {text}")
    return git(folder, "rev-parse", "HEAD")


def new_repository(folder: Path, *, remote: str = "") -> Path:
    folder.mkdir(parents=True)
    git(folder, "init", "-q")
    commit(folder, text=f"{folder}\n")
    if remote:
        git(folder, "remote", "add", "origin", remote)
    return folder


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


def who(folder: Path, home: Path, **arguments: object) -> Repository:
    """The repository as a command names it: git and ssh may be asked."""
    lookup = asking(Home(str(home / "recollect")), str(home))
    return identify(str(folder), home=str(home), lookup=lookup, **arguments)  # type: ignore[arg-type]


def in_hook(folder: Path, home: Path, **arguments: object) -> Repository:
    """The repository as a hook names it: by files, and by what is kept."""
    lookup = kept_answers(Home(str(home / "recollect")))
    return identify(str(folder), home=str(home), lookup=lookup, **arguments)  # type: ignore[arg-type]


# Worktrees, clones, projects


def test_promise_6_right_scope_worktrees_and_clones_share_and_projects_never_leak(tmp_path, home):
    first = new_repository(tmp_path / "first", remote=URL)
    git(first, "worktree", "add", "-q", str(tmp_path / "tree"), "-b", "feature/x")
    second = new_repository(tmp_path / "second", remote="https://token:secret@github.com/owner/name/")
    other = new_repository(tmp_path / "other", remote="git@github.com:owner/other.git")
    fork = new_repository(tmp_path / "fork", remote="git@github.com:someone/name.git")
    git(fork, "remote", "add", "upstream", URL)
    alone = new_repository(tmp_path / "alone")
    git(tmp_path, "clone", "-q", str(alone), "alone-clone")
    plain = tmp_path / "plain"
    plain.mkdir()

    shared = [who(folder, home).repository for folder in (first, tmp_path / "tree", second)]
    assert shared == [SAME] * 3
    assert who(alone, home).repository == who(tmp_path / "alone-clone", home).repository
    separate = {who(folder, home).repository for folder in (first, other, fork, alone, plain)}
    assert len(separate) == 5
    assert "secret" not in repr(who(second, home))


def test_a_subfolder_and_a_worktree_know_their_own_root_and_branch(tmp_path, home):
    first = new_repository(tmp_path / "first", remote=URL)
    (first / "src" / "deep").mkdir(parents=True)
    git(first, "worktree", "add", "-q", str(tmp_path / "tree"), "-b", "feature/x")
    inside = who(first / "src" / "deep", home)
    tree = who(tmp_path / "tree", home)
    assert (inside.root, inside.branch, inside.default_branch) == (str(first), "main", "main")
    assert (tree.root, tree.branch, tree.default_branch) == (str(tmp_path / "tree"), "feature/x", "main")
    assert tree.common_directory == inside.common_directory == str(first / ".git")


def test_worktrees_of_a_bare_repository_share(tmp_path, home):
    new_repository(tmp_path / "source")
    git(tmp_path, "clone", "-q", "--bare", str(tmp_path / "source"), "bare.git")
    git(tmp_path / "bare.git", "remote", "set-url", "origin", URL)
    git(tmp_path / "bare.git", "worktree", "add", "-q", str(tmp_path / "tree"), "main")
    assert who(tmp_path / "tree", home).repository == who(tmp_path / "bare.git", home).repository == SAME


def test_a_submodule_is_its_own_repository(tmp_path, home):
    library = new_repository(tmp_path / "library")
    project = new_repository(tmp_path / "project", remote=URL)
    git(project, "submodule", "--quiet", "add", str(library), "vendor/library")
    inside = who(project / "vendor" / "library", home)
    assert inside.repository == who(library, home).repository != SAME
    assert inside.root == str(project / "vendor" / "library")


def test_a_git_directory_kept_elsewhere_is_followed(tmp_path, home):
    folder = tmp_path / "work"
    folder.mkdir()
    git(folder, "init", "-q", "--separate-git-dir", str(tmp_path / "store"))
    git(folder, "remote", "add", "origin", URL)
    assert who(folder, home).repository == SAME


def test_a_symlinked_folder_is_the_folder_it_points_to(tmp_path, home):
    first = new_repository(tmp_path / "first")
    (tmp_path / "link").symlink_to(first)
    assert who(tmp_path / "link", home) == who(first, home)


# Without a remote


def test_without_a_remote_the_first_commit_is_the_identity_and_outlives_a_move(tmp_path, home):
    first = new_repository(tmp_path / "first")
    root = git(first, "rev-parse", "HEAD")
    commit(first, "b.txt")
    assert who(first, home).repository == f"root:{root}" == f"root:{root_commit(str(first / '.git'))}"
    shutil.move(str(first), str(tmp_path / "moved"))
    moved = who(tmp_path / "moved", home)
    assert moved.repository == f"root:{root}"
    assert f"path:{tmp_path / 'moved' / '.git'}" in moved.aliases


@pytest.mark.parametrize("packing", [("gc", "-q", "--aggressive"), ("repack", "-q", "-a", "-d", "-f", "--depth=50")])
def test_a_packed_history_gives_the_same_identity(tmp_path, home, packing):
    first = new_repository(tmp_path / "first")
    for number in range(30):
        git(first, "commit", "-q", "--allow-empty", "-m", f"{number} " + "the same long message " * 40)
    before = who(first, home).repository
    git(first, *packing)
    git(first, "pack-refs", "--all", "--prune")
    shutil.rmtree(first / ".git" / "objects" / "info", ignore_errors=True)
    assert before.startswith("root:")
    assert who(first, home).repository == before
    assert who(first, home).default_branch == "main"


def test_packs_whose_deltas_name_their_base_are_read(tmp_path, home):
    first = new_repository(tmp_path / "first")
    for number in range(20):
        git(first, "commit", "-q", "--allow-empty", "-m", f"{number} " + "the same long message " * 40)
    before = who(first, home).repository
    git(first, "-c", "repack.useDeltaBaseOffset=false", "repack", "-q", "-a", "-d", "-f")
    assert not list((first / ".git" / "objects").glob("[0-9a-f][0-9a-f]/*"))
    assert who(first, home).repository == before


def test_a_repository_with_sha256_names_is_read(tmp_path, home):
    folder = tmp_path / "wide"
    folder.mkdir()
    git(folder, "init", "-q", "--object-format=sha256")
    root = commit(folder)
    git(folder, "commit", "-q", "--allow-empty", "-m", "two")
    assert who(folder, home).repository == f"root:{root}"
    git(folder, "gc", "-q")
    assert who(folder, home).repository == f"root:{root}"


def test_an_orphan_branch_does_not_change_who_the_repository_is(tmp_path, home):
    first = new_repository(tmp_path / "first")
    before = who(first, home).repository
    git(first, "checkout", "-q", "--orphan", "pages")
    commit(first, "index.html")
    assert who(first, home).repository == before


def test_a_clone_that_borrows_objects_is_read(tmp_path, home):
    first = new_repository(tmp_path / "first")
    git(tmp_path, "clone", "-q", "--shared", str(first), "borrower")
    git(tmp_path / "borrower", "remote", "remove", "origin")
    assert who(tmp_path / "borrower", home).repository == who(first, home).repository


def test_a_shallow_clone_has_no_false_root(tmp_path, home):
    first = new_repository(tmp_path / "first")
    commit(first, "b.txt")
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{first}", "shallow")
    shallow = tmp_path / "shallow"
    assert who(shallow, home).repository == who(first, home).repository
    git(shallow, "remote", "remove", "origin")
    assert who(shallow, home).repository == f"path:{shallow / '.git'}"
    assert root_commit(str(shallow / ".git")) == ""


def test_an_empty_repository_is_its_folder_until_it_has_a_commit(tmp_path, home):
    folder = tmp_path / "empty"
    folder.mkdir()
    git(folder, "init", "-q")
    before = who(folder, home)
    assert (before.repository, before.branch) == (f"path:{folder / '.git'}", "main")
    assert root_commit(str(folder / ".git")) == ""
    commit(folder)
    after = who(folder, home)
    assert after.repository.startswith("root:")
    assert before.repository in after.aliases


def test_what_was_learned_before_is_kept_and_becomes_an_alias_once_there_is_a_remote(tmp_path, home):
    first = new_repository(tmp_path / "first")
    common = str(first / ".git")
    assert who(first, home, known={common: "root:abc"}).repository == "root:abc"
    git(first, "remote", "add", "origin", URL)
    later = who(first, home, known={common: "root:abc"})
    assert later.repository == SAME
    assert later.aliases == ("root:abc", f"path:{common}", f"path:{first}")


def test_a_hook_names_a_repository_without_remote_by_its_path_until_its_first_commit_is_learned(tmp_path, home):
    first = new_repository(tmp_path / "first")
    stream = "".join(
        f"commit refs/heads/main\ncommitter A <a@example.com> {number} +0000\ndata 1\nx\n" for number in range(1, 2501)
    )
    subprocess.run(["git", "fast-import", "--quiet", "--force"], cwd=first, input=stream, text=True, check=True)
    started = time.perf_counter()
    seen = in_hook(first, home)
    assert time.perf_counter() - started < 5
    assert seen.repository == f"path:{first / '.git'}"
    learned = who(first, home)
    assert learned.repository == f"root:{root_commit(str(first / '.git'))}"
    assert seen.repository in learned.aliases, "what was kept under the path is brought over"
    known = {str(first / ".git"): learned.repository}
    assert in_hook(first, home, known=known).repository == learned.repository


def test_a_path_that_was_learned_gives_way_to_the_first_commit_once_git_can_be_asked(tmp_path, home):
    first = new_repository(tmp_path / "first")
    path = f"path:{first / '.git'}"
    known = {str(first / ".git"): path}
    assert in_hook(first, home, known=known).repository == path
    assert who(first, home, known=known).repository.startswith("root:")
    assert path in who(first, home, known=known).aliases


def test_without_git_and_ssh_installed_a_repository_is_its_path_and_an_alias_itself(tmp_path, home, monkeypatch):
    alone = new_repository(tmp_path / "alone")
    aliased = new_repository(tmp_path / "aliased", remote="git@job:owner/name.git")
    (home / ".ssh").mkdir()
    (home / ".ssh" / "config").write_text("Host job\n  HostName github.com\n")
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    assert who(alone, home).repository == f"path:{alone / '.git'}"
    assert who(aliased, home).repository == "job/owner/name"


# Remotes


def test_a_renamed_remote_changes_nothing(tmp_path, home):
    first = new_repository(tmp_path / "first", remote=URL)
    git(first, "remote", "rename", "origin", "company")
    assert who(first, home).repository == SAME


def test_without_origin_the_remote_that_main_follows_wins_in_every_worktree(tmp_path, home):
    first = new_repository(tmp_path / "first")
    git(first, "remote", "add", "alice", "git@github.com:alice/name.git")
    git(first, "remote", "add", "company", URL)
    git(first, "config", "branch.main.remote", "company")
    git(first, "worktree", "add", "-q", str(tmp_path / "tree"), "-b", "topic")
    git(first, "config", "branch.topic.remote", "alice")
    assert who(first, home).repository == who(tmp_path / "tree", home).repository == SAME


def test_a_clone_of_a_clone_is_who_the_first_one_is(tmp_path, home):
    first = new_repository(tmp_path / "first", remote=URL)
    git(tmp_path, "clone", "-q", str(first), "second")
    git(tmp_path, "clone", "-q", "second", "third")
    assert who(tmp_path / "third", home).repository == SAME
    assert who(tmp_path / "third", home).remote == SAME


def test_remotes_that_point_at_each_other_end(tmp_path, home):
    first, second = new_repository(tmp_path / "first"), new_repository(tmp_path / "second")
    git(first, "remote", "add", "origin", str(second))
    git(second, "remote", "add", "origin", "../first")
    assert who(first, home).repository.startswith(("root:", "path:"))
    git(first, "remote", "set-url", "origin", ".")
    assert who(first, home).repository.startswith("root:")


def test_a_local_remote_that_is_away_does_not_change_who_the_clone_is(tmp_path, home):
    new_repository(tmp_path / "stick")
    git(tmp_path, "clone", "-q", "stick", "clone")
    before = who(tmp_path / "clone", home).repository
    (tmp_path / "stick").rename(tmp_path / "unplugged")
    assert who(tmp_path / "clone", home).repository == before


def test_an_address_rewritten_by_the_users_own_configuration_is_followed(tmp_path, home):
    first = new_repository(tmp_path / "first", remote="gh:owner/name")
    (home / ".gitconfig").write_text('[url "git@github.com:"]\n\tinsteadOf = "gh:"\n')
    assert who(first, home).repository == SAME


def test_an_override_is_taken_verbatim_and_the_rest_is_still_known(tmp_path, home):
    first = new_repository(tmp_path / "first", remote=URL)
    found = who(first, home, override="Team/Monorepo")
    assert (found.repository, found.remote, found.root, found.aliases) == ("Team/Monorepo", SAME, str(first), ())
    assert who(home, home, override="mine").repository == "mine"


# Branches


def test_a_detached_head_has_no_branch(tmp_path, home):
    first = new_repository(tmp_path / "first", remote=URL)
    git(first, "checkout", "-q", "--detach")
    assert (who(first, home).branch, who(first, home).default_branch) == ("", "main")


def test_the_default_branch_is_what_the_remote_says(tmp_path, home):
    source = new_repository(tmp_path / "source")
    git(source, "branch", "-m", "trunk/stable")
    git(tmp_path, "clone", "-q", str(source), "clone")
    git(tmp_path / "clone", "checkout", "-q", "-b", "main")
    assert who(tmp_path / "clone", home).default_branch == "trunk/stable"
    git(tmp_path / "clone", "pack-refs", "--all", "--prune")
    assert who(tmp_path / "clone", home).default_branch == "trunk/stable"


# No git, or none that works


def test_a_folder_without_git_is_its_real_path(tmp_path, home):
    (tmp_path / "plain").mkdir()
    found = who(tmp_path / "plain", home)
    assert found == Repository(f"path:{tmp_path / 'plain'}", root=str(tmp_path / "plain"))


def test_the_home_folder_and_the_top_have_user_scope_only(tmp_path, home):
    assert who(home, home).repository == ""
    assert who(Path("/"), home).repository == ""


def test_dotfiles_under_git_in_the_home_folder_do_not_swallow_every_folder_below(tmp_path, home):
    git(home, "init", "-q")
    git(home, "remote", "add", "origin", "git@github.com:me/dotfiles.git")
    (home / "notes").mkdir()
    assert who(home, home).repository == ""
    assert who(home / "notes", home).repository == f"path:{home / 'notes'}"
    assert who(new_repository(home / "project", remote=URL), home).repository == SAME


@pytest.mark.parametrize("content", [b"", b"gitdir:", b"gitdir: /nowhere/at/all", b"\xff\xfe\0", b"x" * 10_000])
def test_a_broken_git_file_falls_back_to_its_folder(tmp_path, home, content):
    outer = new_repository(tmp_path / "outer", remote=URL)
    (outer / "inner" / "src").mkdir(parents=True)
    (outer / "inner" / ".git").write_bytes(content)
    assert who(outer / "inner" / "src", home).repository == f"path:{outer / 'inner'}"


def test_a_pipe_named_git_or_a_path_that_cannot_be_does_not_stop_the_hook(tmp_path, home):
    os.mkfifo(tmp_path / ".git")
    assert who(tmp_path, home).repository == f"path:{tmp_path}"
    assert identify("/nowhere\0/x", home=str(home)).repository == "path:/nowhere/x"
    assert identify("/" + "n" * 5000, home=str(home)).repository.startswith("path:/nnn")


def test_a_git_folder_that_is_none_is_passed_over_as_git_does(tmp_path, home):
    outer = new_repository(tmp_path / "outer", remote=URL)
    (outer / "inner" / ".git").mkdir(parents=True)
    assert who(outer / "inner", home).repository == SAME
    (tmp_path / "lone" / ".git").mkdir(parents=True)
    (tmp_path / "lone" / "src").mkdir()
    assert who(tmp_path / "lone" / "src", home).repository == f"path:{tmp_path / 'lone'}"


@pytest.mark.parametrize("victim", ["HEAD", "config", "packed-refs", "refs/heads/main", "shallow"])
@pytest.mark.parametrize("garbage", [b"", b"\0\xff[[[\n", b'[remote "origin\nurl=\\', b"ref: ../../../etc/passwd\n"])
def test_damaged_files_in_git_never_raise(tmp_path, home, victim, garbage):
    first = new_repository(tmp_path / "first")
    (first / ".git" / victim).write_bytes(garbage)
    assert who(first, home).repository.startswith(("root:", "path:"))


def test_damaged_objects_never_raise(tmp_path, home):
    first = new_repository(tmp_path / "first")
    commit(first, "b.txt")
    git(first, "gc", "-q")
    for path in (first / ".git" / "objects" / "pack").iterdir():
        path.chmod(0o600)
        data = bytearray(path.read_bytes())
        data[len(data) // 3 :] = b"\xff" * (len(data) - len(data) // 3)
        path.write_bytes(data)
    assert who(first, home).repository == f"path:{first / '.git'}"


def test_a_deleted_folder_is_still_answered(tmp_path, home):
    assert who(tmp_path / "never" / "there", home).repository == f"path:{tmp_path / 'never' / 'there'}"


def test_identify_is_quick_and_loads_nothing_heavy(tmp_path, home):
    first = new_repository(tmp_path / "first", remote=URL)
    best = min(_seconds(lambda: who(first, home)) for _ in range(50))
    assert best < 0.001
    heavy = "typing dataclasses pathlib logging subprocess asyncio tomllib ast re hashlib zlib".split()
    code = (
        "import sys; before = set(sys.modules)\n"
        "from recollect.files.repositories import identify; import recollect.memory.checks\n"
        f"identify({str(first)!r}); print(sorted((set(sys.modules) - before) & set({heavy!r})))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def _seconds(call) -> float:
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


# Addresses


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("git@github.com:Owner/Name.git", SAME),
        ("ssh://git@github.com:22/owner/name", SAME),
        ("https://token@github.com/owner/name/", SAME),
        ("https://user:p@ss:w0rd@GitHub.com:443/owner/name.git/", SAME),
        ("https://user:pa/ss@github.com/owner/name", SAME),
        ("ssh://git@ssh.github.com:443/owner/name.git", SAME),
        ("git@ssh.github.com:owner/name", SAME),
        ("git://github.com/owner/name.git#readme", SAME),
        ("git+ssh://git@github.com/owner/name.git", SAME),
        ("https://github.com/owner/name?access_token=abc", SAME),
        ("gcrypt::ssh://git@github.com/owner/name", SAME),
        ("git@gitlab.example.com:Group/Sub/Name.git", "gitlab.example.com/Group/Sub/Name"),
        ("https://gitlab.example.com/Group/Sub/Name", "gitlab.example.com/Group/Sub/Name"),
        ("ssh://git@[2001:DB8::1]:2222/srv/x.git", "[2001:db8::1]/srv/x"),
        ("git@[2001:db8::1]:srv/x.git", "[2001:db8::1]/srv/x"),
        ("[git@box:2222]:srv/x.git", "box/srv/x"),
        ("ssh://box/srv/project/.git", "box/srv/project"),
        ("https://dev.azure.com/Org/My%20Project/_git/Repo", "dev.azure.com/org/my%20project/repo"),
        ("https://Org@dev.azure.com/Org/My Project/_git/Repo", "dev.azure.com/org/my%20project/repo"),
        ("git@ssh.dev.azure.com:v3/Org/My%20Project/Repo", "dev.azure.com/org/my%20project/repo"),
        (
            "https://org.visualstudio.com/DefaultCollection/My%20Project/_git/Repo",
            "dev.azure.com/org/my%20project/repo",
        ),
        ("org@vs-ssh.visualstudio.com:v3/org/My%20Project/Repo", "dev.azure.com/org/my%20project/repo"),
        ("https://dev.azure.com/org/_git/Repo", "dev.azure.com/org/repo/repo"),
        ("", ""),
        ("://", ""),
        ("@:", ""),
    ],
)
def test_every_spelling_of_an_address_becomes_one(address, expected):
    assert normalise_remote(address) == expected


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("/srv/x.git", "/srv/x.git"),
        ("../x", "../x"),
        ("./a:b", "./a:b"),
        ("file:///srv/my%20x", "/srv/my x"),
        ("file://localhost/srv/x", "/srv/x"),
        ("C:\\code\\x", "C:\\code\\x"),
        ("file:///C:/code/x", "C:/code/x"),
        ("host:x", ""),
        ("https://host/x", ""),
        ("ext::sh -c x", ""),
    ],
)
def test_paths_are_told_from_addresses_as_git_does(address, expected):
    assert local_path(address) == expected


names = st.from_regex(r"[A-Za-z0-9_][A-Za-z0-9_-]{0,12}", fullmatch=True)
hosts = st.from_regex(r"[a-z][a-z0-9]{0,8}\.(example\.com|org)", fullmatch=True)
secrets = st.from_regex(r"SECRET[A-Za-z0-9:@%._~-]{0,12}", fullmatch=True)


@given(hosts, names, names, secrets)
def test_all_spellings_of_one_repository_agree_and_no_secret_survives(host, owner, name, secret):
    spellings = [
        f"git@{host}:{owner}/{name}.git",
        f"{host}:{owner}/{name}",
        f"ssh://git@{host}:2222/{owner}/{name}.git",
        f"https://{host}/{owner}/{name}/",
        f"https://{secret}@{host}:8443/{owner}//{name}.git",
        f"https://user:{secret}@{host.upper()}/{owner}/{name}",
        f"git://{host}/{owner}/{name}.git?token={secret}",
        f"user:{secret}@{host}:{owner}/{name}",
    ]
    assert {normalise_remote(spelling) for spelling in spellings} == {f"{host}/{owner}/{name}"}


@given(st.one_of(st.text(), st.from_regex(r"[a-z:/@\[\]. ?#%\\A-Z_-]{0,40}", fullmatch=True)))
def test_normalising_twice_is_normalising_once_and_never_raises(text):
    once = normalise_remote(text)
    assert normalise_remote(once) == once


@given(
    st.sampled_from(["dev.azure.com", "ssh.dev.azure.com", "o.visualstudio.com", "github.com"]),
    st.text("/._gitv3aA", max_size=30),
)
def test_normalising_a_forge_twice_is_normalising_once(host, path):
    once = normalise_remote(f"https://{host}/{path}")
    assert normalise_remote(once) == once


# Configuration files


def test_a_configuration_file_is_read_as_git_reads_it():
    text = (
        '[alias]\r\n\tx = "!f() { \\\n[ -n \\"$1\\" ] && echo; }; f"\n'
        '[Remote "my \\"own\\""] URL = "https://h/a;b" ; comment\n'
        '[remote "origin"]\n\turl = https://h/\\\n  x # note\n\tpushurl = https://h/y\n\tfetch\n'
        "[branch.main]\n\tremote = origin\n"
    )
    found = {(section, name): value for section, name, value in parse_settings(text)}
    assert found[("remote", 'my "own"')] == "https://h/a;b"
    assert found[("remote", "origin")] == "https://h/  x"
    assert found[("branch", "main")] == "origin"
    assert len(found) == 3


def test_the_longest_rewriting_prefix_wins():
    settings = parse_settings('[url "A"]\n insteadOf = gh:\n[url "B"]\n insteadOf = gh:team/\n')
    assert rewritten("gh:team/x", settings) == "Bx"
    assert rewritten("gh:other/x", settings) == "Aother/x"
    assert rewritten("elsewhere", settings) == "elsewhere"


@given(st.text())
def test_any_text_can_be_given_as_a_configuration_file(text):
    main_remote(parse_settings(text))
    main_remote(parse_settings('[remote "origin"]\nurl = ' + text))


# What the user's own configuration says about addresses


def test_an_alias_of_ssh_is_the_host_it_stands_for(tmp_path, home):
    (home / ".ssh" / "conf.d").mkdir(parents=True)
    (home / ".ssh" / "config").write_text(
        f"Include {home}/.ssh/conf.d/*.conf\n# mine\nHost job\n  HostName github.com\n  User git\n"
        "Host gh-* !gh-no\n  hostname=github.com\nHost internal\n  HostName %h.example.com\n"
        "Match host elsewhere\n  HostName evil.example\n"
    )
    (home / ".ssh" / "conf.d" / "more.conf").write_text("Host github.com-acme\nHostName github.com\n")
    addresses = {
        "git@job:Owner/Name.git": SAME,
        "ssh://git@job:22/owner/name": SAME,
        "gh-one:owner/name.git": SAME,
        "git@github.com-acme:owner/name.git": SAME,
        "git@internal:owner/Name": "internal.example.com/owner/Name",
        "git@gh-no:owner/name": "gh-no/owner/name",
        "https://job/owner/name": "job/owner/name",
    }
    for number, (address, expected) in enumerate(addresses.items()):
        folder = new_repository(tmp_path / str(number), remote=address)
        assert who(folder, home).repository == expected, address


def test_memory_that_was_kept_under_an_alias_of_ssh_follows_when_the_alias_is_written_down(tmp_path, home):
    folder = new_repository(tmp_path / "app", remote="git@job:owner/name.git")
    assert who(folder, home).repository == "job/owner/name"
    (home / ".ssh").mkdir()
    (home / ".ssh" / "config").write_text("Host job\n  HostName github.com\n")
    assert in_hook(folder, home).repository == "job/owner/name", "a hook asks nobody"
    found = who(folder, home)
    assert found.repository == SAME
    assert "job/owner/name" in found.aliases
    assert in_hook(folder, home) == found, "a hook reads what was learned"


class Ssh:
    """An ssh that notes what it was asked, in front of the real one or instead of it."""

    def __init__(self, folder: Path, *, body: str) -> None:
        folder.mkdir()
        self.asked = folder / "asked"
        self.asked.touch()
        program = folder / "ssh"
        program.write_text(f'#!/bin/sh\necho "$@" >> {self.asked}\n{body}\n')
        program.chmod(0o755)

    @property
    def times(self) -> int:
        return len(self.asked.read_text().splitlines())


@pytest.fixture
def ssh(tmp_path, home, monkeypatch) -> Ssh:
    (home / ".ssh").mkdir()
    (home / ".ssh" / "config").write_text("Host job\n  HostName github.com\n")
    found = Ssh(tmp_path / "bin", body="echo user git; echo hostname GitHub.com.; echo port 22")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    return found


def test_ssh_is_asked_once_for_an_alias_and_again_when_its_configuration_changes_or_a_day_has_passed(home, ssh):
    cache, now = str(home / "recollect" / "ssh_hosts.json"), 1_000_000.0
    for _ in range(3):
        assert ask_host("job", cache=cache, home=str(home), clock=lambda: now) == "github.com"
    assert ssh.times == 1
    assert ask_host("other", cache=cache, home=str(home), clock=lambda: now) == "github.com"
    assert ssh.times == 2
    (home / ".ssh" / "config").write_text("Host job\n  HostName github.com\n# more\n")
    assert ask_host("job", cache=cache, home=str(home), clock=lambda: now) == "github.com"
    assert ssh.times == 3
    assert ask_host("job", cache=cache, home=str(home), clock=lambda: now + 90_000) == "github.com"
    assert ssh.times == 4
    (home / ".ssh" / "config").unlink()
    assert ask_host("job", cache=cache, home=str(home), clock=lambda: now) == ""
    assert (ssh.times, kept_host("job", cache=cache)) == (4, "")


@pytest.mark.parametrize("alias", ["-oProxyCommand=touch", "-G", "a b", "a;b", "$(x)", "", "a\nb", "[::1]", "ä"])
def test_what_could_be_more_than_a_name_never_reaches_ssh(home, ssh, alias):
    assert ask_host(alias, cache=str(home / "recollect" / "ssh_hosts.json"), home=str(home)) == ""
    assert ssh.times == 0


@pytest.mark.parametrize(
    "body", ["exit 255", "echo nothing", "echo hostname", "echo hostname -x/../y", "printf '\\377'"]
)
def test_an_ssh_that_fails_or_says_nothing_of_use_leaves_the_alias_as_it_is(tmp_path, home, monkeypatch, body):
    (home / ".ssh").mkdir()
    (home / ".ssh" / "config").write_text("Host job\n")
    Ssh(tmp_path / "bin", body=body)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    folder = new_repository(tmp_path / "app", remote="git@job:owner/name.git")
    assert who(folder, home).repository == "job/owner/name"


def test_when_ssh_fails_later_what_was_learned_holds(tmp_path, home, ssh):
    cache = str(home / "recollect" / "ssh_hosts.json")
    assert ask_host("job", cache=cache, home=str(home)) == "github.com"
    (tmp_path / "bin" / "ssh").write_text("#!/bin/sh\nexit 255\n")
    (home / ".ssh" / "config").write_text("Host job\n  HostName github.com\nBroken\n")
    assert ask_host("job", cache=cache, home=str(home)) == "github.com"


@pytest.mark.parametrize("garbage", [b"", b"{", b"[]", b'{"hosts": 3}', b'{"hosts": {"job": 1}}', b"\xff"])
def test_a_damaged_cache_of_hosts_is_empty(tmp_path, home, garbage):
    (tmp_path / "hosts.json").write_bytes(garbage)
    assert kept_host("job", cache=str(tmp_path / "hosts.json")) == ""


def test_the_name_of_a_server_stays_when_ssh_reaches_it_by_another(tmp_path, home):
    (home / ".ssh").mkdir()
    (home / ".ssh" / "config").write_text("Host git.example.com\n  HostName 10.0.0.7\n")
    over_ssh = new_repository(tmp_path / "ssh", remote="git@git.example.com:team/app.git")
    over_https = new_repository(tmp_path / "https", remote="https://git.example.com/team/app")
    assert who(over_ssh, home).repository == who(over_https, home).repository == "git.example.com/team/app"


def test_files_that_the_users_configuration_includes_are_read_as_git_reads_them(tmp_path, home):
    (home / ".gitconfig").write_text(
        '[include]\n path = git/base\n[includeIf "gitdir:~/job/"]\n path = ~/git/work\n'
        '[includeIf "gitdir:~/other/"]\n path = git/other\n'
        '[includeIf "hasconfig:remote.*.url:https://old.example/**"]\n path = git/moved\n'
    )
    (home / "git").mkdir()
    (home / "git" / "base").write_text('[url "https://github.com/"]\n insteadOf = gh:\n[include]\n path = base\n')
    (home / "git" / "work").write_text('[url "git@github.com:acme/"]\n insteadOf = acme:\n')
    (home / "git" / "other").write_text('[url "https://evil.example/"]\n insteadOf = gh:owner/\n')
    (home / "git" / "moved").write_text('[url "https://github.com/"]\n insteadOf = https://old.example/\n')
    expected = {
        "first": ("gh:Owner/Name", SAME),
        "second": ("https://old.example/owner/name.git", SAME),
        "third": ("acme:app", "acme/app"),
    }
    for name, (address, repository) in expected.items():
        assert who(new_repository(tmp_path / name, remote=address), home).repository == repository
    inside = new_repository(home / "job" / "app", remote="acme:app")
    assert who(inside, home).repository == "github.com/acme/app"


def test_a_remote_that_stands_in_an_included_file_is_found(tmp_path, home):
    first = new_repository(tmp_path / "first")
    (first / ".git" / "shared").write_text(f'[remote "origin"]\n url = {URL}\n')
    with open(first / ".git" / "config", "a") as config:
        config.write("[include]\n path = shared\n")
    assert who(first, home).repository == SAME


def test_a_git_directory_named_by_a_variable_counts_where_there_is_no_other(tmp_path, home):
    kept = new_repository(tmp_path / "kept", remote=URL) / ".git"
    (tmp_path / "tree" / "deep").mkdir(parents=True)
    variables = {"GIT_DIR": str(kept), "GIT_WORK_TREE": str(tmp_path / "tree")}
    found = who(tmp_path / "tree" / "deep", home, environ=variables)
    assert (found.repository, found.root) == (SAME, str(tmp_path / "tree"))
    other = new_repository(tmp_path / "other", remote="https://github.com/owner/other")
    assert who(other, home, environ=variables).repository == "github.com/owner/other", "it came down from elsewhere"
    dotfiles = {"GIT_DIR": str(kept), "GIT_WORK_TREE": str(home)}
    (home / "notes").mkdir()
    assert who(home / "notes", home, environ=dotfiles).repository == f"path:{home / 'notes'}"


@given(st.text())
@settings(deadline=None, max_examples=15)
def test_any_text_can_be_an_ssh_configuration(text):
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, ".ssh"))
        Path(folder, ".ssh", "config").write_text(f"Host job\n{text}\nHost *\n HostName x\n", errors="replace")
        assert isinstance(ask_host("work", cache=os.path.join(folder, "hosts.json"), home=folder), str)
