/** What a subagent writes for a task; the last attempt is the complete one. */
export interface Attempt {
  readonly files: Readonly<Record<string, string>>
  /** How the result describes it. */
  readonly report: string
}

const LIST = `/** Adds an item; its id is one above the highest that this list has given out. */
export function addItem(list, text) {
  const trimmed = text.trim()
  if (trimmed === "") throw new Error("Expected a text for the new item; found an empty one.")
  const id = list.lastId + 1
  return { lastId: id, items: [...list.items, { id, text: trimmed, done: false }] }
}

export function completeItem(list, id) {
  itemOf(list, id)
  const items = list.items.map((item) => (item.id === id ? { ...item, done: true } : item))
  return { ...list, items }
}

export function removeItem(list, id) {
  itemOf(list, id)
  return { ...list, items: list.items.filter((item) => item.id !== id) }
}

function itemOf(list, id) {
  const item = list.items.find((one) => one.id === id)
  if (item === undefined) throw new Error(\`Expected the id of an item; found \${id}.\`)
  return item
}
`

const STORE = (save: string) => `import { readFile, rename, writeFile } from "node:fs/promises"

export async function loadList(path) {
  let text
  try {
    text = await readFile(path, "utf8")
  } catch (error) {
    if (error.code === "ENOENT") return { lastId: 0, items: [] }
    throw error
  }
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(\`Expected JSON in \${path}; found something else. Nothing was changed.\`)
  }
}

export async function saveList(path, list) {
  const text = \`\${JSON.stringify(list, null, 2)}\\n\`
${save}}
`

const MAIN = (run: string) => `#!/usr/bin/env node
import { parseArguments } from "./arguments.js"
import { formatList } from "./format.js"
import { addItem, completeItem, removeItem } from "./list.js"
import { loadList, saveList } from "./store.js"

const path = process.env.TODO_FILE ?? "todo.json"
const parsed = parseArguments(process.argv.slice(2))
${run}`

const CHANGE = `  const list = await loadList(path)
  const { command, value } = parsed
  const changes = {
    add: () => addItem(list, value),
    done: () => completeItem(list, value),
    remove: () => removeItem(list, value),
  }
  const changed = changes[command]?.() ?? list
  if (changed !== list) await saveList(path, changed)
  process.stdout.write(formatList(changed))
`

/** By the key of the task; two attempts where the first result is not yet what the plan asks for. */
export const DEMO_WORK: Readonly<Record<string, readonly Attempt[]>> = {
  "todo:1": [
    {
      files: {
        "package.json": `${JSON.stringify(
          {
            name: "todo-cli",
            version: "1.0.0",
            type: "module",
            bin: { todo: "src/main.js" },
            scripts: { test: "node --test" },
            engines: { node: ">=20" },
          },
          null,
          2,
        )}\n`,
      },
      report: "package.json is there: type module, bin todo, test script node --test.",
    },
  ],
  "todo:2": [
    { files: { "src/list.js": LIST }, report: "src/list.js has the three functions, all pure." },
  ],
  "todo:3": [
    {
      files: { "src/store.js": STORE("  await writeFile(path, text)\n") },
      report: "loadList and saveList work, but saving does not go by a temporary file yet.",
    },
    {
      files: {
        "src/store.js": STORE(
          `  const aside = \`\${path}.\${process.pid}.tmp\`
  await writeFile(aside, text)
  await rename(aside, path)
`,
        ),
      },
      report: "saveList now writes a temporary file and renames it.",
    },
  ],
  "todo:4": [
    {
      files: {
        "src/arguments.js": `const COMMANDS = ["add", "list", "done", "remove", "help"]

/** A command with its value, or \`{ problem }\`: what is wrong, in words. */
export function parseArguments([command = "help", ...rest]) {
  if (!COMMANDS.includes(command))
    return { problem: \`Expected one of \${COMMANDS.join(", ")}; found \${command}.\` }
  if (command === "add") return { command, value: rest.join(" ") }
  if (command === "list" || command === "help") return { command, value: null }
  const id = Number(rest[0])
  if (rest.length === 1 && Number.isInteger(id) && id > 0) return { command, value: id }
  return { problem: \`Expected \${command} and the id of an item; found \${rest.join(" ") || "no id"}.\` }
}
`,
      },
      report: "src/arguments.js reads all five commands and says what is wrong with others.",
    },
  ],
  "todo:5": [
    {
      files: {
        "src/format.js": `export function formatList({ items }) {
  const width = Math.max(1, ...items.map(({ id }) => String(id).length))
  const lines = items.map(
    ({ id, text, done }) => \`\${String(id).padStart(width)} [\${done ? "x" : " "}] \${text}\`,
  )
  const done = items.filter((item) => item.done).length
  return [...lines, \`\${done} of \${items.length} done\`, ""].join("\\n")
}
`,
      },
      report: "src/format.js prints a line an item and the counts.",
    },
  ],
  "todo:6": [
    {
      files: { "src/main.js": MAIN(`${CHANGE.replace(/^ {2}/gm, "")}`) },
      report: "The program runs all commands; errors and exit codes are still missing.",
    },
    {
      files: {
        "src/main.js":
          MAIN(`const HELP = "Usage: todo add <text> | list | done <id> | remove <id>\\n"

if (parsed.problem !== undefined) {
  process.stderr.write(\`\${parsed.problem}\\n\${HELP}\`)
  process.exitCode = 2
} else if (parsed.command === "help") {
  process.stdout.write(HELP)
} else {
  try {
    await run()
  } catch (error) {
    process.stderr.write(\`\${error.message}\\n\`)
    process.exitCode = 1
  }
}

async function run() {
${CHANGE}}
`),
      },
      report: "Errors go to stderr with exit code 1, wrong usage with 2; checked by hand.",
    },
  ],
  "todo:7": [
    {
      files: {
        "test/list.test.js": `import assert from "node:assert/strict"
import { test } from "node:test"
import { addItem, completeItem, removeItem } from "../src/list.js"

const empty = { lastId: 0, items: [] }

test("an item is added with the next id", () => {
  const list = addItem(addItem(empty, "Buy milk"), " Call Ada ")
  assert.deepEqual(list.items.map(({ id, text }) => [id, text]), [[1, "Buy milk"], [2, "Call Ada"]])
})

test("an id is not used again after a removal", () => {
  const list = removeItem(addItem(empty, "Buy milk"), 1)
  assert.equal(addItem(list, "Call Ada").items[0].id, 2)
})

test("a completed item is done, and the list before it is as it was", () => {
  const before = addItem(empty, "Buy milk")
  assert.equal(completeItem(before, 1).items[0].done, true)
  assert.equal(before.items[0].done, false)
})

test("an empty text and an unknown id are refused", () => {
  assert.throws(() => addItem(empty, "  "), /Expected a text/)
  assert.throws(() => completeItem(empty, 7), /found 7/)
})
`,
      },
      report: "test/list.test.js has four tests; all pass.",
    },
  ],
  "todo:8": [
    {
      files: {
        "test/main.test.js": `import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "node:test"
import { fileURLToPath } from "node:url"

const main = fileURLToPath(new URL("../src/main.js", import.meta.url))
const aFile = () => join(mkdtempSync(join(tmpdir(), "todo-")), "todo.json")
const todo = (file, ...args) =>
  spawnSync(process.execPath, [main, ...args], {
    encoding: "utf8",
    env: { ...process.env, TODO_FILE: file },
  })

test("two items, one of them done", () => {
  const file = aFile()
  todo(file, "add", "Buy milk")
  todo(file, "add", "Call Ada")
  todo(file, "done", "1")
  assert.equal(todo(file, "list").stdout, "1 [x] Buy milk\\n2 [ ] Call Ada\\n1 of 2 done\\n")
})

test("a broken file is told and left as it was", () => {
  const file = aFile()
  writeFileSync(file, "{ broken")
  const { status, stderr } = todo(file, "add", "Buy milk")
  assert.equal(status, 1)
  assert.match(stderr, /Expected JSON/)
  assert.equal(readFileSync(file, "utf8"), "{ broken")
})
`,
      },
      report: "test/main.test.js runs the program from outside; both tests pass.",
    },
  ],
  "todo:9": [
    {
      files: {
        "README.md":
          '# todo-cli\n\nA to-do list for the command line, in one JSON file.\n\n    npm install -g .\n    todo add "Buy milk"\n    todo list\n    todo done 1\n    todo remove 1\n\nThe list is in `todo.json` of the current folder, or where `TODO_FILE` says.\n',
      },
      report: "README.md has the commands with examples.",
    },
  ],
}
