// Check values and programs against published types: one JSON object a line in, one out.
//   {"module": "...", "type": "HookInput", "without": ["timestamp"], "value": {...}}  -> {"errors": ["..."]}
//   {"source": "text of a module", "strict": true}               -> {"errors": ["..."]}
import { createInterface } from "node:readline"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { createRequire } from "node:module"

const here = dirname(fileURLToPath(import.meta.url))
const ts = createRequire(import.meta.url)("./node_modules/typescript/lib/typescript.js")

// An enum of texts takes the texts themselves: JSON has no enums.
const PLAIN = `
type Plain<T> = T extends string ? \`\${T}\` : T extends readonly (infer U)[] ? Plain<U>[]
  : T extends object ? { [K in keyof T]: Plain<T[K]> } : T;
`
const options = {
  strict: true,
  noEmit: true,
  allowJs: true,
  checkJs: true,
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2023,
  lib: ["lib.es2023.d.ts"],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  types: ["node"],
  typeRoots: [join(here, "node_modules", "@types")],
  customConditions: ["types"],
}

const files = new Map()
const host = {
  ...ts.createCompilerHost(options),
  getScriptFileNames: () => [...files.keys()],
  getScriptVersion: (name) => String(files.get(name)?.version ?? 0),
  getScriptSnapshot: (name) => {
    const text = files.get(name)?.text ?? ts.sys.readFile(name)
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
  },
  getCompilationSettings: () => options,
  getCurrentDirectory: () => here,
  getDefaultLibFileName: () => join(here, "node_modules", "typescript", "lib", "lib.es2023.d.ts"),
}
const service = ts.createLanguageService(host, ts.createDocumentRegistry())

function errors(name, text) {
  const path = join(here, name)
  files.set(path, { text, version: (files.get(path)?.version ?? 0) + 1 })
  const found = [...service.getSyntacticDiagnostics(path), ...service.getSemanticDiagnostics(path)]
  return found.map((one) => ts.flattenDiagnosticMessageText(one.messageText, "\n"))
}

function answer(call) {
  if (call.source !== undefined) return errors("checked_source.mjs", call.source)
  const value = JSON.stringify(call.value)
  const left = call.without?.length ? `Omit<${call.type}, ${call.without.map((key) => JSON.stringify(key)).join("|")}>` : call.type
  const text = `import type { ${call.type} } from ${JSON.stringify(call.module)};${PLAIN}
export const value: Plain<${left}> = ${value};`
  return errors("checked_value.ts", text)
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(JSON.stringify({ errors: answer(JSON.parse(line)) }) + "\n")
}
