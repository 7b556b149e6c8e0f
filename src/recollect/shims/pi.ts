// Written by Recollect. `recollect install pi` renews this file, `recollect uninstall pi` removes it.
// It starts the hook with one JSON object and adds what comes back. Whatever fails, pi goes on without memory.
import { spawn } from "node:child_process"
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent"

const LAUNCHER = "__RECOLLECT_LAUNCHER__"
const LIMIT_MS = 2000
const KIND = "recollect" // marks our messages in the session
const SOURCES: Record<string, string> = { resume: "resume", fork: "resume", reload: "resume" }

/** Ask the hook; an empty text when it has nothing to say, fails or takes too long. Never throws. */
function ask(call: object): Promise<string> {
  return new Promise((resolve) => {
    let said = ""
    let child: ReturnType<typeof spawn> | undefined
    const finish = (text: string) => {
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
      child.stdout?.on("data", (chunk: string) => (said += chunk))
      child.on("close", () => finish(context(said)))
      child.stdin?.end(JSON.stringify({ host: "pi", ...call }))
    } catch {
      finish("")
    }
  })
}

function context(said: string): string {
  try {
    const text = JSON.parse(said).context
    return typeof text === "string" ? text : ""
  } catch {
    return ""
  }
}

function call(event: string, ctx: ExtensionContext, more: object = {}): Promise<string> {
  try {
    const session = ctx.sessionManager.getSessionId() ?? ""
    const transcript = ctx.sessionManager.getSessionFile() ?? ""
    return ask({ event, session, transcript, cwd: ctx.cwd, ...more })
  } catch {
    return Promise.resolve("")
  }
}

/** Has this session our message already, and has no compaction taken it away since? */
function hasOurs(ctx: ExtensionContext): boolean {
  try {
    const entries = ctx.sessionManager.getBranch()
    const compacted = entries.findLastIndex((entry) => entry.type === "compaction")
    return entries.slice(compacted + 1).some((entry) => entry.type === "custom_message" && entry.customType === KIND)
  } catch {
    return false
  }
}

export default function recollect(pi: ExtensionAPI) {
  let start: Promise<string> | undefined // what the next prompt brings besides its own memory

  pi.on("session_start", async (event, ctx) => {
    start = hasOurs(ctx) ? undefined : call("session_start", ctx, { source: SOURCES[event.reason] ?? "startup" })
  })

  pi.on("before_agent_start", async (event, ctx) => {
    if (!("prompt" in event) || typeof event.prompt !== "string") return undefined // no person wrote this one
    const waiting = start
    start = undefined
    const texts = await Promise.all([waiting ?? "", call("prompt", ctx, { prompt: event.prompt })])
    const content = texts.filter((text) => text).join("\n\n")
    return content ? { message: { customType: KIND, content, display: false } } : undefined
  })

  pi.on("session_before_compact", async (_event, ctx) => {
    void call("pre_compact", ctx)
    return undefined
  })

  pi.on("session_compact", async (_event, ctx) => {
    start = call("session_start", ctx, { source: "compact" })
  })

  pi.on("agent_end", async (_event, ctx) => {
    void call("stop", ctx)
  })

  pi.on("session_shutdown", async (event, ctx) => {
    if (event.reason !== "reload") await call("session_end", ctx)
  })
}
