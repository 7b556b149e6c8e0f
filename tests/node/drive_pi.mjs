// pi's side of an extension, as far as a session needs it: one JSON object a line in, one out.
//   node drive_pi.mjs EXTENSION DIRECTORY SESSION SESSION_FILE
import { readFileSync } from "node:fs"
import { createInterface } from "node:readline"

const [path, cwd, session, file] = process.argv.slice(2)
const handlers = new Map()
// pi strips types itself; there are none to strip.
const extension = (await import("data:text/javascript," + encodeURIComponent(readFileSync(path, "utf8")))).default
extension({ on: (name, handler) => handlers.set(name, [...(handlers.get(name) ?? []), handler]) })

const entries = []
const sessionManager = { getSessionId: () => session, getSessionFile: () => file, getBranch: () => entries }
const ctx = { cwd, sessionManager, hasUI: false }

async function fire(type, fields = {}) {
  const results = []
  for (const handler of handlers.get(type) ?? []) results.push(await handler({ type, ...fields }, ctx))
  return results.filter((result) => result)
}

const answers = {
  async start({ source }) {
    await fire("session_start", { reason: source === "startup" ? "startup" : source })
    return "" // what there is comes with the first prompt
  },
  async prompt({ text }) {
    const results = await fire("before_agent_start", { prompt: text, images: [], systemPrompt: "You are." })
    for (const { message } of results) entries.push({ type: "custom_message", ...message })
    return results.map(({ message }) => message.content).join("\n")
  },
  async compact() {
    await fire("session_before_compact", { preparation: {}, branchEntries: entries })
    entries.push({ type: "compaction", summary: "…" })
    await fire("session_compact", { compactionEntry: entries.at(-1), fromExtension: false })
    return ""
  },
  async stop() {
    await fire("agent_end", { messages: [] })
    return ""
  },
}

for await (const line of createInterface({ input: process.stdin })) {
  const call = JSON.parse(line)
  process.stdout.write(JSON.stringify({ seen: await answers[call.do](call) }) + "\n")
}
