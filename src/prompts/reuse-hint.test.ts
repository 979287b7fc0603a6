import { expect, test } from "bun:test"
import { V1_WORDS } from "../opencode/host/v1/v1-words.ts"
import { reuseHint } from "./reuse-hint.ts"

const hintFor = (agent: string) =>
  reuseHint("todo:2", { kind: "reuse", sessionId: "ses_1", agent }, V1_WORDS) ?? ""

test.each([
  "build-tester",
  "code-reviewer",
  "security-auditor",
  "sisyphus-junior",
  "multimodal-looker",
])("the agent %s is named whole", (agent) => {
  expect(hintFor(agent)).toContain(`for ${agent})`)
})

test("an agent that has no room is left out, not cut", () => {
  expect(hintFor("qz-".repeat(40))).toBe(
    "Preferred reuse session for todo:2: ses_1 (pass it as task_id)",
  )
})
