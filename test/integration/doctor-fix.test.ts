// What `doctor --fix` leaves behind, started in the real host.
import { expect, test } from "bun:test"
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { cpSync, existsSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { makeHostFolders } from "../support/host-folders.ts"
import { printedUrl } from "../support/host-process.ts"
import { hostBinary, PINNED_VERSION, REPO } from "../support/host-version.ts"

const LIMIT_MS = 240_000
const TOOL = `import { tool } from "@opencode-ai/plugin"
export default tool({ description: "say hello", args: {}, async execute() { return "hello" } })
`

/** The tools that the host has in a project in which `doctor --fix` was run, without a registry. */
async function toolsBehindFix(
  files: Readonly<Record<string, string>>,
  before: (project: string) => void = () => undefined,
): Promise<{ readonly tools: readonly string[]; readonly isNamed: boolean }> {
  const binary = await hostBinary(PINNED_VERSION)
  const nowhere = { npm_config_registry: "http://127.0.0.1:9/", OPENCODE_BIN: binary }
  // Nothing is put there by the test: the doctor does that.
  const folders = makeHostFolders("http://127.0.0.1:9/", { files, env: nowhere, offline: false })
  const { project, env } = folders
  mkdirSync(join(project, ".opencode"), { recursive: true })
  before(project)
  execFileSync("node", [join(REPO, "dist/cli/main.js"), "doctor", "--fix", "--global"], {
    cwd: project,
    env,
  })
  const server = spawn(binary, ["serve", "--port", "0"], {
    ...{ cwd: project, env },
    stdio: ["ignore", "pipe", "ignore"],
  })
  try {
    const url = await printedUrl(server)
    const where = `directory=${encodeURIComponent(project)}`
    const answer = await fetch(`${url}/experimental/tool/ids?${where}`)
    const isNamed = existsSync(join(project, ".opencode/package-lock.json"))
    const tools: unknown = answer.ok ? await answer.json() : []
    return { tools: Array.isArray(tools) ? tools.map(String) : [], isNamed }
  } finally {
    server.kill()
    await once(server, "exit")
  }
}

test(
  "a project without tools of its own starts without the registry, with the host's tools",
  async () => {
    const { tools, isNamed } = await toolsBehindFix({ ".opencode/agent/mine.md": "Be brief." })
    expect(isNamed).toBe(true)
    expect(tools).toContain("bash")
  },
  LIMIT_MS,
)

test(
  "a tool whose package lies there is loaded beside them",
  async () => {
    const { tools, isNamed } = await toolsBehindFix(
      { ".opencode/tool/hello.ts": TOOL },
      (project) => {
        for (const name of ["@opencode-ai/plugin", "@opencode-ai/sdk", "zod", "effect"]) {
          const from = join(REPO, "node_modules", name)
          const to = join(project, ".opencode/node_modules", name)
          if (existsSync(from)) cpSync(from, to, { recursive: true, dereference: true })
        }
      },
    )
    expect(isNamed).toBe(true)
    expect(tools).toEqual(expect.arrayContaining(["bash", "hello"]))
  },
  LIMIT_MS,
)
