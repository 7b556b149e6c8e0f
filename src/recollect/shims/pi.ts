// Written by Recollect. `recollect install pi` renews this file, `recollect uninstall pi` removes it.
// It starts the hook with one JSON object and adds what comes back. Whatever fails, pi goes on without memory.
// Plain JavaScript on purpose: it runs wherever pi does, and types stand in comments.
import { spawn } from "node:child_process"

/** @typedef {import("@earendil-works/pi-coding-agent").ExtensionContext} Context */

const LAUNCHER = "__RECOLLECT_LAUNCHER__"
const LIMIT_MS = 2000
const KIND = "recollect" // marks our messages in the session
/** @type {Record<string, string>} */
const SOURCES = { resume: "resume", fork: "resume", reload: "resume" }

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
      child = spawn(LAUNCHER, ["--host", "pi"], {
        stdio: ["pipe", "pipe", "ignore"],
        shell: process.platform === "win32",
        windowsHide: true,
      })
      child.on("error", () => finish(""))
      child.stdin?.on("error", () => {})
      child.stdout?.setEncoding("utf8")
      child.stdout?.on("data", (chunk) => (said += chunk))
      child.on("close", () => finish(context(said)))
      child.stdin?.end(JSON.stringify({ host: "pi", ...call }))
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

/**
 * @param {string} event
 * @param {Context} ctx
 * @param {object} [more]
 */
function call(event, ctx, more) {
  try {
    const session = ctx.sessionManager.getSessionId() ?? ""
    const transcript = ctx.sessionManager.getSessionFile() ?? ""
    return ask({ event, session, transcript, cwd: ctx.cwd, ...more })
  } catch {
    return Promise.resolve("")
  }
}

/**
 * Has this session our message already, and has no compaction taken it away since?
 * @param {Context} ctx
 */
function hasOurs(ctx) {
  try {
    const entries = ctx.sessionManager.getBranch()
    const compacted = entries.findLastIndex((entry) => entry.type === "compaction")
    return entries.slice(compacted + 1).some((entry) => entry.type === "custom_message" && entry.customType === KIND)
  } catch {
    return false
  }
}

/**
 * Can the agent call our tools? Versions of pi without MCP have none of them.
 * @param {import("@earendil-works/pi-coding-agent").ExtensionAPI} pi
 */
function hasTools(pi) {
  try {
    return pi.getAllTools().some((tool) => tool.name.endsWith("memory_recall"))
  } catch {
    return false
  }
}

/** @param {import("@earendil-works/pi-coding-agent").ExtensionAPI} pi */
export default function recollect(pi) {
  let start = "" // why the next prompt brings what a session starts with, besides its own memory

  pi.on("session_start", async (event, ctx) => {
    start = hasOurs(ctx) ? "" : (SOURCES[event.reason] ?? "startup")
  })

  pi.on("before_agent_start", async (event, ctx) => {
    if (!("prompt" in event) || typeof event.prompt !== "string") return undefined // no person wrote this one
    const source = start
    start = ""
    // Asked for here and not when the session starts: by now the tools of MCP servers are there, if there are any.
    const first = source ? call("session_start", ctx, { source, tools: hasTools(pi) }) : ""
    const texts = await Promise.all([first, call("prompt", ctx, { prompt: event.prompt })])
    const content = texts.filter((text) => text).join("\n\n")
    return content ? { message: { customType: KIND, content, display: false } } : undefined
  })

  pi.on("session_before_compact", async (_event, ctx) => {
    void call("pre_compact", ctx)
    return undefined
  })

  pi.on("session_compact", async () => {
    start = "compact"
  })

  pi.on("agent_end", async (_event, ctx) => {
    void call("stop", ctx)
  })

  pi.on("session_shutdown", async (event, ctx) => {
    if (event.reason !== "reload") await call("session_end", ctx)
  })
}
