"""The small plugins for opencode and pi, run by real node against what both hosts publish about plugins."""

from __future__ import annotations

import json
import os
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from recollect.hosts.opencode.packages import EMPTY, LOCK
from recollect.shims import shim
from tests.host_schemas import HostTypes

# A hook that keeps what it was told and says what the test wants.
HOOK = """#!/bin/sh
[ "$1 $2" = "--host {host}" ] || exit 3
printf '%s\\n' "$(cat)" >> {told}
cat {says}
"""
OPENCODE = """
import {{ Recollect }} from {path}
const hooks = await Recollect({{ directory: "/w/app" }})
const seen = {{}}
const event = (type, properties) => hooks.event({{ event: {{ type, properties }} }})
const message = async (text, sessionID = "ses_1") => {{
  const output = {{ message: {{ id: "msg_1" }}, parts: [{{ type: "text", text }}, {{ type: "text", text: "skip", synthetic: true }}] }}
  await hooks["chat.message"]({{ sessionID }}, output)
  return output.parts
}}
const system = async (sessionID = "ses_1") => {{
  const output = {{ system: ["base"] }}
  await hooks["experimental.chat.system.transform"]({{ sessionID }}, output)
  return output.system
}}
{body}
console.log(JSON.stringify(seen))
"""
PI = """
import recollect from {path}
const handlers = {{}}
recollect({{ on: (name, handler) => (handlers[name] = handler) }})
const entries = []
const sessionManager = {{ getSessionId: () => "P", getSessionFile: () => "/s/P.jsonl", getBranch: () => entries }}
const ctx = {{ cwd: "/w/app", sessionManager }}
const fire = (type, more = {{}}) => handlers[type]({{ type, ...more }}, ctx)
const seen = {{}}
{body}
console.log(JSON.stringify(seen))
"""


class Rig:
    """One plugin with a hook of the test's own."""

    def __init__(self, folder: Path, host: str) -> None:
        self.folder, self.host = folder, host
        self.told, self.says = folder / "told.jsonl", folder / "says.json"
        self.launcher = folder / "it's a launcher"
        self.write_hook(HOOK.format(host=host, told=self.told, says=self.says))
        self.says.write_text('{"context": "remember this"}\n')
        self.told.touch()

    def write_hook(self, text: str) -> None:
        self.launcher.write_text(text)
        self.launcher.chmod(0o755)

    def run(self, body: str, plugin: Path | None = None) -> Any:
        name, frame = ("opencode.js", OPENCODE) if self.host == "opencode" else ("pi.ts", PI)
        plugin = plugin or self.folder / "plugin.mjs"
        plugin.write_text(shim(name, str(self.launcher)))
        script = self.folder / "script.mjs"
        script.write_text(frame.format(path=json.dumps(str(plugin)), body=body))
        environ = {**os.environ, "HOME": str(self.folder), "XDG_CONFIG_HOME": ""}
        done = subprocess.run(
            ["node", str(script)], env=environ, capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def calls(self, expected: int) -> list[dict[str, Any]]:
        """What the hook was told; what nobody waits for may come a moment later."""
        for _ in range(100):
            lines = [line for line in self.told.read_text().splitlines() if line]
            if len(lines) >= expected:
                break
            time.sleep(0.05)
        return [json.loads(line) for line in lines]


@pytest.fixture
def opencode(tmp_path: Path) -> Rig:
    return Rig(tmp_path, "opencode")


@pytest.fixture
def pi(tmp_path: Path) -> Rig:
    return Rig(tmp_path, "pi")


def test_both_fit_the_types_that_the_hosts_publish(host_types: HostTypes) -> None:
    assert host_types.errors_in(shim("opencode.js", "/x")) == []
    assert host_types.errors_in(shim("pi.ts", "/x")) == []
    older = shim("pi.ts", "/x").replace("@earendil-works/", "@mariozechner/")
    assert host_types.errors_in(older) == []
    wrong = shim("pi.ts", "/x").replace('"before_agent_start"', '"before_agent_starts"')
    assert host_types.errors_in(wrong), "the check itself works"


def test_opencode_gets_memory_in_its_system_prompt_once_asked_and_the_same_each_time(opencode: Rig) -> None:
    seen = opencode.run("seen.first = await system(); seen.second = await system()")
    assert seen["first"] == seen["second"] == ["base", "remember this"]
    [call] = opencode.calls(1)
    assert call.pop("turn").startswith("process "), "another process of the session asks anew"
    assert call == {
        "host": "opencode",
        "event": "session_start",
        "session": "ses_1",
        "cwd": "/w/app",
        "transcript": "",
        "source": "startup",
    }


def test_opencode_gets_memory_before_what_was_typed(opencode: Rig) -> None:
    parts = opencode.run('seen.parts = await message("how do I deploy?")')["parts"]
    assert [part["text"] for part in parts] == ["remember this", "how do I deploy?", "skip"]
    assert parts[0]["synthetic"]
    assert parts[0]["sessionID"] == "ses_1"
    assert parts[0]["messageID"] == "msg_1"
    assert parts[0]["id"].startswith("prt_")
    assert [call["prompt"] for call in opencode.calls(1)] == ["how do I deploy?"]


@pytest.mark.parametrize("theirs", ["package.json", "plugins/a.js", "tool/a.ts", "tools/a.ts", "opencode.json"])
@pytest.mark.parametrize("when", ["before the start", "in the session"])
def test_opencode_installs_packages_again_once_something_may_need_them(opencode: Rig, theirs: str, when: str) -> None:
    folder = opencode.folder / "opencode"
    (folder / "plugins").mkdir(parents=True)
    (folder / "node_modules").mkdir()
    (folder / "package-lock.json").write_text(LOCK)
    (folder / "node_modules" / ".recollect").write_text(EMPTY)
    mine = folder / theirs
    mine.parent.mkdir(exist_ok=True)
    if when == "before the start":
        mine.write_text('{"plugin": ["./mine.ts"]}')
        opencode.run("", plugin=folder / "plugins" / "recollect.js")
    else:
        write = f"""const {{ writeFileSync, existsSync }} = await import("node:fs")
        seen.before = existsSync({json.dumps(str(folder / "package-lock.json"))})
        writeFileSync({json.dumps(str(mine))}, '{{"plugin": ["./mine.ts"]}}')
        await event("session.idle", {{ sessionID: "ses_1" }})"""
        assert opencode.run(write, plugin=folder / "plugins" / "recollect.js")["before"]
    assert not (folder / "package-lock.json").exists()
    assert not (folder / "node_modules").exists()
    assert mine.exists()


def test_packages_that_are_really_there_stay(opencode: Rig) -> None:
    folder = opencode.folder / "opencode"
    (folder / "plugins").mkdir(parents=True)
    (folder / "node_modules" / "zod").mkdir(parents=True)
    (folder / "package.json").write_text("{}")
    (folder / "package-lock.json").write_text("{}")
    opencode.run("", plugin=folder / "plugins" / "recollect.js")
    assert (folder / "package-lock.json").exists()
    assert (folder / "node_modules" / "zod").exists()


def test_opencode_is_told_what_to_keep_and_says_when_a_turn_and_a_session_end(opencode: Rig) -> None:
    seen = opencode.run(
        'const output = { context: [] }; await hooks["experimental.session.compacting"]({ sessionID: "ses_1" }, output);'
        'seen.context = output.context; await event("session.idle", { sessionID: "ses_1" });'
        'await event("session.deleted", { info: { id: "ses_1" } })'
    )
    assert seen["context"] == ["remember this"]
    assert sorted(call["event"] for call in opencode.calls(3)) == ["pre_compact", "session_end", "stop"]


def test_a_subagent_of_opencode_asks_for_nothing(opencode: Rig) -> None:
    seen = opencode.run(
        'await event("session.created", { info: { id: "ses_2", parentID: "ses_1" } });'
        'seen.parts = await message("search", "ses_2"); seen.system = await system("ses_2");'
        'await event("session.idle", { sessionID: "ses_2" })'
    )
    assert seen["system"] == ["base"]
    assert len(seen["parts"]) == 2
    assert opencode.calls(0) == []


def test_pi_gets_what_a_session_starts_with_and_the_memory_of_a_prompt_in_one_message(pi: Rig) -> None:
    seen = pi.run(
        'await fire("session_start", { reason: "startup" });'
        'seen.first = await fire("before_agent_start", { prompt: "how do I deploy?" });'
        'seen.second = await fire("before_agent_start", { prompt: "and now?" })'
    )
    assert seen["first"] == {
        "message": {"customType": "recollect", "content": "remember this\n\nremember this", "display": False}
    }
    assert seen["second"]["message"]["content"] == "remember this"
    calls = pi.calls(3)
    # The start and the first prompt are asked at once, and either may be heard first.
    heard = [(call["event"], call.get("source"), call.get("prompt")) for call in calls]
    assert set(heard[:2]) == {("session_start", "startup", None), ("prompt", None, "how do I deploy?")}
    assert heard[2] == ("prompt", None, "and now?")
    assert {(call["session"], call["transcript"], call["cwd"]) for call in calls} == {("P", "/s/P.jsonl", "/w/app")}


def test_pi_does_not_say_twice_what_a_resumed_session_holds_but_does_after_a_compaction(pi: Rig) -> None:
    seen = pi.run(
        'entries.push({ type: "custom_message", customType: "recollect" });'
        'await fire("session_start", { reason: "resume" });'
        'seen.resumed = await fire("before_agent_start", { prompt: "go on" });'
        'await fire("session_before_compact"); await fire("session_compact");'
        'seen.compacted = await fire("before_agent_start", { prompt: "go on" })'
    )
    assert seen["resumed"]["message"]["content"] == "remember this"
    assert seen["compacted"]["message"]["content"] == "remember this\n\nremember this"
    assert "compact" in [call.get("source") for call in pi.calls(4)]


def test_pi_leaves_runs_alone_that_no_person_started_and_tells_of_ends(pi: Rig) -> None:
    seen = pi.run(
        'seen.custom = (await fire("before_agent_start", { messageType: "custom", message: {} })) ?? null;'
        'await fire("agent_end"); await fire("session_shutdown", { reason: "reload" });'
        'await fire("session_shutdown", { reason: "quit" })'
    )
    assert seen["custom"] is None
    assert sorted(call["event"] for call in pi.calls(2)) == ["session_end", "stop"]


@pytest.mark.parametrize("host", ["opencode", "pi"])
@pytest.mark.parametrize("trouble", ["missing", "fails", "nonsense", "wrong", "hangs", "silent"])
def test_whatever_the_hook_does_the_host_goes_on(tmp_path: Path, host: str, trouble: str) -> None:
    rig = Rig(tmp_path, host)
    if trouble == "missing":
        os.unlink(rig.launcher)
    else:
        lines = {"fails": "exit 7", "nonsense": "echo '{\"context'", "wrong": "echo '{\"context\": 3}'", "hangs": "exec sleep 30",
                 "silent": "exit 0"}  # fmt: skip
        rig.write_hook(f"#!/bin/sh\n{lines[trouble]}\n")
    began = time.monotonic()
    if host == "opencode":
        seen = rig.run('seen.parts = await message("hello"); seen.system = await system()')
        assert seen == {
            "parts": [{"type": "text", "text": "hello"}, {"type": "text", "text": "skip", "synthetic": True}],
            "system": ["base"],
        }
    else:
        seen = rig.run(
            'await fire("session_start", { reason: "new" }); seen.said = (await fire("before_agent_start", { prompt: "hello" })) ?? null'
        )
        assert seen == {"said": None}
    assert time.monotonic() - began < 20
