import { existsSync } from "node:fs"
import { join } from "node:path"
import type { ModelRequest } from "../support/host-model-request.ts"
import { textsOf } from "../support/host-transcript.ts"
import { INCOMPLETE, keyInPrompt } from "../support/orchestrator.ts"
import type { Reply } from "../support/scripted-model.ts"
import { DEMO_WORK } from "./demo-files.ts"

/** As long as a quick model thinks, so that a person can follow. */
const THINKING_MS = 250

/** The demo's subagents: they really write the files of their task, and the reviewers really look at them. */
export function demoSubagent(project: () => string): (request: ModelRequest) => Reply | undefined {
  return (request) => {
    const key = keyInPrompt(request)
    const reply = key.startsWith("final-wave:")
      ? review(request, key, project())
      : write(request, key)
    return reply === undefined ? undefined : { delayMs: THINKING_MS, ...reply }
  }
}

function write(request: ModelRequest, key: string): Reply | undefined {
  const attempts = DEMO_WORK[key]
  if (attempts === undefined) return undefined
  const round = Math.min(textsOf(request.messages, "user").length, attempts.length)
  const attempt = attempts[round - 1]
  if (attempt === undefined) return undefined
  if (request.stepOfTurn > 0)
    return { text: `${round < attempts.length ? `${INCOMPLETE}: ` : ""}${attempt.report}` }
  return {
    toolCalls: Object.entries(attempt.files).map(([filePath, content]) => ({
      name: "write",
      args: { filePath, content },
    })),
  }
}

function review(request: ModelRequest, key: string, project: string): Reply {
  if (key === "final-wave:f3") return runTests(request)
  const files = Object.values(DEMO_WORK).flatMap((attempts) =>
    Object.keys(attempts[0]?.files ?? {}),
  )
  const missing = files.filter((file) => !existsSync(join(project, file)))
  return missing.length === 0
    ? { text: `Looked at ${files.length} files: all are there and in order.\nVERDICT: APPROVE` }
    : { text: `Missing: ${missing.join(", ")}\nVERDICT: REJECT` }
}

function runTests(request: ModelRequest): Reply {
  if (request.stepOfTurn === 0)
    return {
      toolCalls: [{ name: "bash", args: { command: "node --test", description: "Run the tests" } }],
    }
  const output = request
    .lastToolResults()
    .map(({ text }) => text)
    .join("\n")
  const count = (what: string) => new RegExp(`^. ${what} (\\d+)`, "m").exec(output)?.[1] ?? "?"
  const said = `node --test: ${count("pass")} passed, ${count("fail")} failed.`
  return { text: `${said}\nVERDICT: ${count("fail") === "0" ? "APPROVE" : "REJECT"}` }
}
