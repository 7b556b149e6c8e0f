// Written by Recollect. `recollect install opencode` renews this file, `recollect uninstall opencode` removes it.
// It starts the hook with one JSON object and adds what comes back. Whatever fails, opencode goes on without memory.
import { spawn } from "node:child_process"
import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const LAUNCHER = "__RECOLLECT_LAUNCHER__"
const LIMIT_MS = 2000
const INSTALL_MS = 60_000
const PART = "prt_recollect"
const TITLE = "You are a title generator" // how opencode's own prompt for titles begins

/**
 * Ask the hook; an empty text when it has nothing to say, fails or takes too long. Never throws.
 * @param {object} call
 * @returns {Promise<string>}
 */
function ask(call) {
  return new Promise((resolve) => {
    let said = ""
    /** @type {import("node:child_process").ChildProcess | undefined} */
    let child
    const finish = (/** @type {string} */ text) => {
      clearTimeout(timer)
      resolve(text)
    }
    const timer = setTimeout(() => {
      child?.kill("SIGKILL")
      finish("")
    }, LIMIT_MS)
    timer.unref?.()
    try {
      child = spawn(LAUNCHER, ["--host", "opencode"], {
        stdio: ["pipe", "pipe", "ignore"],
        shell: process.platform === "win32",
        windowsHide: true,
      })
      child.on("error", () => finish(""))
      child.stdin?.on("error", () => {})
      child.stdout?.setEncoding("utf8")
      child.stdout?.on("data", (chunk) => (said += chunk))
      child.on("close", () => finish(context(said)))
      child.stdin?.end(JSON.stringify({ host: "opencode", ...call }))
    } catch {
      finish("")
    }
  })
}

/** @param {string} said */
function context(said) {
  try {
    const text = JSON.parse(said).context
    return typeof text === "string" ? text : ""
  } catch {
    return ""
  }
}

/** @template T @param {() => T} read @param {T} otherwise @returns {T} */
function attempt(read, otherwise) {
  try {
    return read()
  } catch {
    return otherwise
  }
}

/**
 * May anything in a folder of settings, besides this plugin, import a package?
 * @param {string} folder
 */
function needsPackages(folder) {
  const read = (/** @type {string} */ name) => attempt(() => readFileSync(join(folder, name), "utf8"), "")
  const names = (/** @type {string} */ name) => attempt(() => readdirSync(join(folder, name)), [])
  return (
    ["package.json", "bun.lock", "bun.lockb"].some((name) => existsSync(join(folder, name))) ||
    ["plugin", "plugins", "tool", "tools"].flatMap(names).some((name) => name !== "recollect.js") ||
    ["opencode.json", "opencode.jsonc", "config.json"].some((name) => read(name).includes('"plugin"'))
  )
}

/**
 * `recollect install` keeps opencode from installing packages where nothing needs any. Let it, once something may.
 * @returns {string[]} the folders where it was kept from it until now
 */
function allowPackages() {
  const config = join(process.env["XDG_CONFIG_HOME"] || join(homedir(), ".config"), "opencode")
  const own = join(dirname(fileURLToPath(import.meta.url)), "..")
  const folders = [...new Set([own, config, join(homedir(), ".opencode")])].filter(needsPackages)
  return folders.filter((folder) => {
    const ours = [join(folder, "package-lock.json"), join(folder, "node_modules", ".recollect")].filter((path) =>
      attempt(() => readFileSync(path, "utf8").includes("Written by Recollect"), false),
    )
    ours.forEach((path) => attempt(() => rmSync(path), undefined))
    return ours.length > 0 && attempt(() => (rmdirSync(join(folder, "node_modules")), true), false) // only if empty
  })
}

/**
 * What opencode would have installed at this start, for the tools that it loads next. From its next start on it does so.
 * @param {string} folder
 * @returns {Promise<void>}
 */
function installPackages(folder) {
  return new Promise((resolve) => {
    if (!process.versions["bun"]) return resolve()
    const env = { ...process.env, BUN_BE_BUN: "1" } // opencode's own program is a Bun too
    const words = ["add", "--no-save", "@opencode-ai/plugin"]
    const child = spawn(process.execPath, words, { cwd: folder, env, stdio: "ignore", timeout: INSTALL_MS })
    child.on("error", () => resolve())
    child.on("close", () => resolve())
  })
}

/** @type {import("@opencode-ai/plugin").Plugin} */
export const Recollect = async ({ directory }) => {
  await Promise.all(allowPackages().map(installPackages))
  /** @type {Map<string, Promise<string>>} */
  const starts = new Map() // by session: what its system prompt gets, the same bytes every time
  const subagents = new Set()
  /** @param {string} event @param {string} session @param {object} [more] */
  const call = (event, session, more) => ask({ event, session, cwd: directory, transcript: "", ...more })

  return {
    event: async ({ event }) => {
      const info = /** @type {any} */ (event).properties?.info
      if (info?.parentID && info.id) subagents.add(info.id)
      const session = /** @type {any} */ (event).properties?.sessionID ?? info?.id
      if (!session || subagents.has(session)) return
      if (event.type === "session.idle") {
        allowPackages()
        void call("stop", session)
      }
      if (event.type === "session.deleted") {
        starts.delete(session)
        void call("session_end", session)
      }
    },

    "experimental.chat.system.transform": async ({ sessionID }, output) => {
      if (!sessionID || subagents.has(sessionID) || output.system[0]?.startsWith(TITLE)) return
      let start = starts.get(sessionID)
      // Another process of the same session has none of it: its start is another one, also within a minute.
      const turn = `process ${process.pid}`
      if (!start) starts.set(sessionID, (start = call("session_start", sessionID, { source: "startup", turn })))
      const text = await start
      if (text) output.system.push(text)
    },

    "chat.message": async ({ sessionID }, output) => {
      if (subagents.has(sessionID)) return
      const typed = output.parts.flatMap((part) =>
        part.type === "text" && !part.synthetic && !part.ignored ? [part.text] : [],
      )
      const prompt = typed.join("\n")
      if (!prompt.trim()) return
      const messageID = output.message.id
      const text = await call("prompt", sessionID, { prompt, turn: messageID })
      if (!text) return
      output.parts.unshift({
        id: PART + messageID.replace(/^msg_/, ""),
        sessionID,
        messageID,
        type: "text",
        text,
        synthetic: true,
        ignored: true, // but for the requests of the agent itself: see below
      })
    },

    "experimental.chat.messages.transform": async (_, output) => {
      // Copies: opencode makes its request for a title of the same messages, and that gets no memory.
      output.messages.forEach((message, place) => {
        if (!message.parts.some((part) => part.id?.startsWith(PART))) return
        const parts = message.parts.map((part) => (part.id?.startsWith(PART) ? { ...part, ignored: false } : part))
        output.messages[place] = { ...message, parts: /** @type {typeof message.parts} */ (parts) }
      })
    },

    "experimental.session.compacting": async ({ sessionID }, output) => {
      if (subagents.has(sessionID)) return
      const text = await call("pre_compact", sessionID)
      if (text) output.context.push(text)
    },
  }
}
