// opencode's side of a plugin, as far as a session needs it: one JSON object a line in, one out.
//   node drive_opencode.mjs PLUGIN DIRECTORY SESSION
import { createInterface } from "node:readline"
import { pathToFileURL } from "node:url"

const [path, directory, sessionID] = process.argv.slice(2)
const hooks = []
for (const plugin of Object.values(await import(pathToFileURL(path)))) {
  hooks.push(await plugin({ client: {}, project: { id: "p", worktree: directory }, directory, worktree: directory }))
}

async function trigger(name, input, output) {
  for (const hook of hooks) await hook[name]?.(input, output)
  return output
}

const history = []

// As opencode turns messages into those of a request: parts that are to be ignored stay out.
function sent(messages, wanted) {
  const parts = messages.flatMap((message) => message.parts).filter((part) => !part.ignored && wanted(part))
  return parts.map((part) => part.text).join("\n")
}

async function happen(type, properties) {
  for (const hook of hooks) await hook.event?.({ event: { type, properties } })
}

const answers = {
  async start() {
    await happen("session.created", { info: { id: sessionID, projectID: "p", directory, title: "", version: "1.18.33" } })
    const { system } = await trigger("experimental.chat.system.transform", { sessionID, model: {} }, { system: ["You are."] })
    return system.slice(1).join("\n")
  },
  async prompt({ text }) {
    const message = { id: `msg_${Date.now()}`, sessionID, role: "user", time: { created: Date.now() }, agent: "build" }
    const part = { id: "prt_1", sessionID, messageID: message.id, type: "text", text }
    const { parts } = await trigger("chat.message", { sessionID, agent: "build" }, { message, parts: [part] })
    if (parts.at(-1).text !== text) throw new Error("the prompt itself was changed")
    history.push({ info: message, parts })
    const messages = [...history]
    await trigger("experimental.chat.messages.transform", {}, { messages })
    return sent(messages.slice(-1), (one) => one.synthetic)
  },
  async title() {
    const prompt = "You are a title generator. You output ONLY a thread title. Nothing else."
    const { system } = await trigger("experimental.chat.system.transform", { sessionID, model: {} }, { system: [prompt] })
    return [...system.slice(1), sent(history, (one) => one.synthetic)].join("")
  },
  async compact() {
    const { context } = await trigger("experimental.session.compacting", { sessionID }, { context: [] })
    return context.join("\n")
  },
  async stop() {
    await happen("session.idle", { sessionID })
    return ""
  },
}

for await (const line of createInterface({ input: process.stdin })) {
  const call = JSON.parse(line)
  process.stdout.write(JSON.stringify({ seen: await answers[call.do](call) }) + "\n")
}
