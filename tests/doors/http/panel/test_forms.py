"""What the forms of the panel do, without a browser: transfer, project memory, permissions, sessions, the profile."""

from __future__ import annotations

import html
import json
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from recollect.doors.http.panel.markdown import rendered
from recollect.doors.http.panel.rendering import sentence
from recollect.doors.http.panel.words import SAID
from recollect.flows.sessions.prove import is_proven
from recollect.model.drafts import Draft
from recollect.model.permissions import Staged
from tests.codex_logs import CodexLog
from tests.conftest import git
from tests.doors.http.panel.lab import OUTSIDE_AGENTS, SAMPLE
from tests.services import Service


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    for name, value in OUTSIDE_AGENTS.items():
        monkeypatch.setattr(f"recollect.flows.writes.actors.{name}", value)
    made = Service(tmp_path / "service")
    yield made
    made.close()


@pytest.fixture
def person(service: Service) -> TestClient:
    return service.person()


def test_everything_goes_out_and_comes_back(service: Service, person: TestClient, tmp_path: Path) -> None:
    service.store("The deploy target is Render.")
    exported = person.get("/transfer/export.json")
    assert exported.headers["content-disposition"].startswith("attachment")
    assert exported.json()["entries"][0]["content"] == "The deploy target is Render."
    assert "Render" in person.get("/transfer/export.md").text
    assert "The deploy target is Render." in person.get("/transfer/export.html").text
    other = Service(tmp_path / "other")
    browser = other.person()
    answer = browser.post("/transfer/load", files={"file": ("m.json", exported.text)}, data={"mine": "yes"})
    assert answer.headers["location"] == "/memories?said=loaded"
    assert [one.content for one in other.memory.entries.list(everywhere=True)] == ["The deploy target is Render."]
    assert browser.post("/transfer/load", files={"file": ("m.json", "[]")}).status_code == 409
    other.close()


def test_a_safety_copy_is_made_and_put_back(service: Service, person: TestClient) -> None:
    service.store("The deploy target is Render.")
    assert person.post("/transfer/copy").headers["location"] == "/transfer?said=backed-up"
    [name] = set(re.findall(r'name="name" value="(recollect-[^"]+)"', person.get("/transfer").text))
    service.store("The cache lives in Redis.")
    assert person.post("/transfer/restore", data={"name": name}).headers["location"] == "/transfer?said=restored"
    assert "Redis" not in person.get("/memories").text
    assert person.post("/transfer/restore", data={"name": "../../etc/passwd"}).status_code == 404


def test_project_memory_is_rebuilt_and_rendered_with_links_to_its_evidence(
    service: Service, person: TestClient
) -> None:
    past = service.memory.sessions
    past.import_logs(past.logs([str(SAMPLE)])[0])
    past.digest()
    places = [name for name, _ in service.memory.browsing.repositories() if name]
    session = next(one for one, _ in past.listed() if one.repository in places)
    made = person.post("/autonomous/rebuild", data={"repository": session.repository})
    assert made.headers["location"].endswith("said=rebuilt")
    page = person.get("/autonomous", params={"repository": session.repository}).text
    assert 'class="card prose"' in page
    assert re.search(r'<a href="/sessions/s_\w+#turn-\d+">turn \d+</a>', page)
    assert "&lt;!-- m-" not in page


def test_a_rebuild_that_wrote_nothing_says_so_and_why(service: Service, person: TestClient) -> None:
    answer = person.post("/autonomous/rebuild")
    assert answer.headers["location"] == "/autonomous?said=not-rebuilt"
    page = person.get(answer.headers["location"]).text
    assert "Nothing was rebuilt." in page
    assert "There is no session of this repository yet; <code>recollect" in page


def test_a_session_without_a_title_is_called_by_its_first_words_everywhere(
    service: Service, person: TestClient, tmp_path: Path
) -> None:
    log = CodexLog(tmp_path, str(service.repository), 1).typed("render the pdf in A4").answered("Done.")
    log.write()
    past = service.memory.sessions
    past.import_logs(past.logs([str(log.path)])[0])
    [(session, _)] = past.listed()
    assert "render the pdf in A4" in person.get("/sessions").text
    page = person.get(f"/sessions/{session.session_id}").text
    assert "<h1>render the pdf in A4</h1>" in page
    assert past.show(session.session_id).session.title == "render the pdf in A4"


def test_the_page_of_an_entry_says_what_it_rests_on_and_what_was_undone(service: Service, person: TestClient) -> None:
    entry_id = service.store("The deploy target is Render.")
    service.memory.forget(entry_id)
    service.memory.undo(entry_id)
    page = person.get(f"/memories/{entry_id}").text
    assert '<span class="tag">undone</span>' in page
    assert "taken back" not in page
    assert "resting on what you typed" in page


def test_a_sentence_keeps_the_case_of_a_path_that_it_begins_with() -> None:
    assert sentence("src/legacy/checkout.ts is gone: deleted") == "src/legacy/checkout.ts is gone: deleted."
    assert sentence("AGENTS.md has it") == "AGENTS.md has it."
    assert sentence("`pnpm lint` passes") == "`pnpm lint` passes."
    assert sentence("the file says it already: Use pnpm.") == "The file says it already: Use pnpm."
    assert sentence("yes, it's there") == "Yes, it's there."


def test_a_command_that_logs_prove_rests_on_them(service: Service, person: TestClient) -> None:
    past = service.memory.sessions
    past.import_logs(past.logs([str(SAMPLE)])[0])
    past.digest()
    proven = [one for one in service.memory.entries.list(everywhere=True) if is_proven(one)]
    page = person.get(f"/memories/{proven[0].entry_id}").text
    assert "Recollect, resting on what the logs of your sessions show" in page


def test_an_artifact_is_no_markup() -> None:
    told = rendered("# A\n<script>alert(1)</script> [x](javascript:alert(1)) ![y](http://evil/x.png)\n<!-- m-1a -->\n")
    assert "<script" not in told
    assert "<img" not in told
    assert "href" not in told
    assert "m-1a" not in told


def test_approvals_are_given_and_revoked(service: Service, person: TestClient) -> None:
    assert person.post("/permissions/allow").headers["location"] == "/permissions?said=allowed"
    [approval] = service.memory.permissions.listed()
    answer = person.post(f"/permissions/{approval.approval_id}/revoke")
    assert answer.headers["location"] == "/permissions?said=revoked"
    assert service.memory.permissions.listed() == []


def test_the_board_is_filled_read_and_emptied(service: Service, person: TestClient) -> None:
    board = service.memory.board
    added = {"name": "run-tests", "description": "How to run the tests", "content": "make test\r\nmake lint"}
    assert person.post("/board", data=added).headers["location"] == "/board?said=added"
    assert board.look("run-tests").content == "make test\nmake lint"
    board.add("flaky", "Fails at midnight", "Set TZ=UTC.", src="agent", made_by="claude-code")
    told = person.get("/board").text
    assert "2 of 25" in told
    assert "Fails at midnight" in told
    assert "claude-code" not in told
    assert "by Claude Code" in told
    assert "Agents do not see the board yet" in told
    person.post("/settings", data={"name": "subconscious.enabled", "value": "true"})
    assert "Agents do not see the board yet" not in person.get("/board").text
    assert person.post("/board", data={**added, "name": "Not A Name"}).status_code == 409
    person.post("/board/prune", data={"name": "flaky", "src": "agent"})
    assert [one.name for one in board.list()] == ["run-tests"]
    assert "Undo" in person.post("/board/prune", data={"name": "run-tests", "src": "user"}).text
    assert board.list() == []
    again = {"src": "user", **added, "read_count": "3", "made_by": "user"}
    assert person.post("/board/put-back", data=again).headers["location"] == "/board?said=undone"
    assert [(one.name, one.read_count) for one in board.list()] == [("run-tests", 3)]
    assert person.post("/board/put-back", data=again).status_code == 409, "it is there already"
    assert person.post("/board/prune", data={"name": "flaky", "src": "agent"}).status_code == 404


def test_the_inbox_shows_what_was_found_for_the_last_session(service: Service, person: TestClient) -> None:
    service.memory.inject("how do I run the tests?", session="s_last", host="claude-code")
    service.memory.background.inbox().send("board-reader", "The tests need TZ=UTC", "See flaky on the board.")
    told = person.get("/board").text
    assert "The tests need TZ=UTC" in told
    assert "See flaky on the board." in told
    assert "just now" in told


def test_cited_lines_keep_their_numbers(service: Service, person: TestClient) -> None:
    cited = service.repository / "package.json"
    cited.write_text('{\n  "packageManager": "pnpm@9.1.0"\n}\n')
    git(service.repository, "add", "-A")
    git(service.repository, "commit", "-qm", "second")
    entry_id = service.store("This repository uses pnpm, not npm.", scope="repository", cite=["package.json:2"])
    cited.write_text('{\n  "packageManager": "pnpm@10.2.0"\n}\n')
    told = person.get(f"/memories/{entry_id}").text
    assert re.findall(r'<td class="no">(\d*)</td>', told) == ["2", "2"]


def test_a_preview_lists_its_parts_by_what_they_say(service: Service, person: TestClient) -> None:
    entry_id = service.store("Run the tests with `pnpm test`.")
    service.store("The user is Robin, a backend developer in Vienna.", layer="L0")
    told = person.get("/preview", params={"prompt": "how do I run the tests?"}).text
    assert f"<h3>{entry_id}" not in told
    assert f'href="/memories/{entry_id}"' in told
    assert "% of the whole" in told
    assert re.search(r"<strong>\d+ <small>tokens</small></strong><span>Guidance</span>", told)


def test_older_receipts_are_those_of_the_same_session(service: Service, person: TestClient) -> None:
    session = "0b1f-77 a&b"
    service.memory.remember("Run the tests with `pnpm test`.")
    for number in range(51):
        service.memory.inject(f"how do I run the tests, part {number}?", session=session, host="claude-code")
    older = re.search(r'rel="next" href="([^"]+)"', person.get("/why", params={"session": session}).text)
    assert older
    assert person.get(html.unescape(older[1])).text.count('href="/why/') == 1
    assert "session=0b1f-77" in older[1]


def test_a_session_is_made_private_and_public_again(service: Service, person: TestClient) -> None:
    past = service.memory.sessions
    past.import_logs(past.logs([str(SAMPLE)])[0][:1])
    name = past.listed()[0][0].session_id
    assert person.post(f"/sessions/{name}/private", data={"private": "yes"}).status_code == 303
    assert past.is_private(name)
    assert "Learn from it again" in person.get(f"/sessions/{name}").text
    person.post(f"/sessions/{name}/private", data={"private": "no"})
    assert not past.is_private(name)


def test_the_profile_is_saved_unless_somebody_else_changed_it(service: Service, person: TestClient) -> None:
    text = "## About\n- Works on build tools."
    assert person.post("/profile", data={"was": "", "text": text}).headers["location"].endswith("said=profile")
    assert service.memory.profile.show().text.strip() == text
    late = person.post("/profile", data={"was": "", "text": "## About\n- Something else."})
    assert late.status_code == 409
    assert "Something else." in late.text
    assert service.memory.profile.show().text.strip() == text
    too_long = person.post(
        "/profile",
        data={"was": text, "text": "## About\n" + "".join(f"- Line {number} of many.\n" for number in range(90))},
    )
    assert too_long.status_code == 409
    assert service.memory.profile.show().text.strip() == text


def test_similar_suggestions_are_applied_together(service: Service, person: TestClient) -> None:
    target = service.repository / "AGENTS.md"
    target.write_text("# Agents\n\n## Conventions\n\n- Write small commits.\n")
    for text in ("Use pnpm for all packages.", "Run vitest before every commit.", "Prefer early returns."):
        service.store(text)
    assert person.post("/suggestions/reconcile").headers["location"].endswith("said=reconciled")
    first = service.memory.suggestions.list()[0]
    applied = person.post(f"/suggestions/{first.suggestion_id}/apply")
    page = person.get(applied.headers["location"]).text
    offered = re.search(r'name="names" value="([^"]+)"', page)
    assert offered, "similar ones are offered"
    person.post("/suggestions/apply", data={"names": offered[1]})
    assert service.memory.suggestions.list("applied")[1:]
    assert target.read_text().count("\n- ") >= 3


def test_what_is_wrong_is_told_on_a_page(service: Service, person: TestClient) -> None:
    missing = person.get("/memories/e_nothing")
    assert missing.status_code == 404
    assert "No entry has the id" in missing.text
    assert person.post("/settings", data={"name": "no.such", "value": "1"}).status_code == 409
    live = person.post(
        "/memories/e_nothing/vote", data={"direction": "up", "reason": "x"}, headers={"HX-Request": "true"}
    )
    assert live.headers["hx-reswap"] == "none"
    assert "No entry has the id" in live.text


def test_a_stranger_sees_no_page_and_changes_nothing(service: Service) -> None:
    entry_id = service.store("The deploy target is Render.")
    stranger = service.anybody
    for path in ("/", "/memories", f"/memories/{entry_id}", "/settings", "/transfer/export.json", "/review"):
        answer = stranger.get(path)
        assert answer.status_code == 401
        assert "Render" not in answer.text
    assert stranger.post(f"/memories/{entry_id}/retire").status_code == 401
    cookie_only = service.person()
    del cookie_only.headers["X-CSRF-Token"]
    assert cookie_only.post(f"/memories/{entry_id}/retire").status_code == 403
    assert service.memory.entries.get(entry_id).status == "active"


def test_every_word_that_a_page_says_after_a_change_is_known() -> None:
    folder = Path(__file__).parents[4] / "src" / "recollect" / "doors" / "http" / "panel" / "pages"
    said = {word for path in folder.glob("*.py") for word in re.findall(r'back\([^)]*?, "([a-z-]+)"', path.read_text())}
    assert said
    assert said <= set(SAID)
    assert json.dumps(SAID)


def test_the_first_page_of_many_memories_takes_no_longer_than_that_of_few(tmp_path: Path) -> None:
    taken = []
    for count in (100, 10_000):
        made = Service(tmp_path / str(count))
        made.memory.remember_many([f"Service {number} listens on port {number % 900}." for number in range(count)])
        browser = made.person()
        times = []
        for _ in range(7):
            began = time.process_time()
            assert f"{count:,} memories" in browser.get("/memories").text
            times.append(time.process_time() - began)
        taken.append(min(times))
        made.close()
    assert taken[1] < 2 * taken[0]


def test_a_repository_without_a_remote_is_called_by_its_folder_on_every_page(
    tmp_path: Path, outside_agents: None
) -> None:
    service = Service(tmp_path / "alone", remote="")
    try:
        service.store("The deploy target is Render.")
        service.memory.inject("where do we deploy, what is the target?", session="s_one")
        person = service.person()
        person.post("/permissions/allow")
        pages = (
            "/",
            "/why",
            "/memories",
            "/sessions",
            "/preview",
            "/insights",
            "/permissions",
            "/autonomous",
            "/board",
        )
        for path in (*pages, "/memories/new"):
            assert "root:" not in re.sub(r' value="[^"]*"', "", person.get(path).text), path
        assert f'title="{service.repository}">app<' in person.get("/").text
        assert f"Let agents change memory in {service.repository}" in person.get("/permissions").text
    finally:
        service.close()


def test_what_a_person_asked_in_a_terminal_is_called_by_hand(service: Service, person: TestClient) -> None:
    service.store("The deploy target is Render.")
    service.memory.inject("where do we deploy, what is the target?", session="s_one")
    assert "last used by hand" in person.get("/").text
    assert "by hand" in person.get("/why").text
    service.memory.inject("where do we deploy?", session="s_two", host="codex")
    assert "last used by Codex" in person.get("/").text


def test_home_shows_the_profile_as_it_reads(service: Service, person: TestClient) -> None:
    service.store("Answers in short sentences.", layer="L0", tags=["section:Preferences"])
    home = person.get("/").text
    assert "<h2>Preferences</h2>" in home
    assert "## Preferences" not in home


@pytest.mark.parametrize("accept", ["text/html", "*/*"])
def test_an_address_without_a_page_leads_back_home(person: TestClient, accept: str) -> None:
    answer = person.get("/nosuch", headers={"Accept": accept})
    assert answer.status_code == 404
    assert 'href="/"' in answer.text
    assert person.get("/v1/nosuch", headers={"Accept": "*/*"}).json() == {"detail": "Not Found"}


def test_what_an_agent_wants_to_remember_is_reworded_and_moved_before_it_is_kept(
    service: Service, person: TestClient
) -> None:
    home = service.memory.repository.repository
    reason = "From Claude Code's memory (notes.md)."
    text = "Deploys go out from main."
    draft = Draft(text, scope="repository", repository=home, reason=reason, source="agent", origin="document")._asdict()
    payload = {"strategy": "own", "draft": draft, "direction": "", "reason": "", "buried": "", "touches": []}
    staged = Staged("w_one", "store", "", payload, text, "nobody can tell who wrote it.")
    store = service.memory.opened.store
    with store.write():
        store.staged.add(staged._replace(client="Claude Code's memory", repository=home, expires=9e9))
    page = html.unescape(person.get("/review").text)
    assert "From Claude Code's memory (notes.md)" in page
    assert "Keep <kbd>y</kbd>" in page
    assert '<option value="repository" selected>' in page
    wish = {"verdict": "keep", "text": "Deploys go out from release.", "scope": "user"}
    assert "said=kept" in person.post("/review/w_one", data=wish).headers["location"]
    [entry] = service.memory.entries.list(everywhere=True)
    assert (entry.content, entry.scope) == ("Deploys go out from release.", "user")
