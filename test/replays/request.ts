import { type Act, type Point, wordsOf } from "./points.ts"

/** A message in OpenAI's form. */
export interface Message {
  readonly role: "system" | "user" | "assistant" | "tool"
  readonly content: string
  readonly tool_calls?: readonly object[]
  readonly tool_call_id?: string
}

const SYSTEM =
  "You are opencode, an agent for software engineering on the command line. You lead the work on a plan and use the tools that you are given. Texts in <boulder> come from a plugin of this installation."

const text = { type: "string" }
const tool = (
  name: string,
  description: string,
  properties: object,
  required: readonly string[],
) => ({
  type: "function",
  function: { name, description, parameters: { type: "object", properties, required } },
})

/** The tools that matter, as the host lists them. */
export const TOOLS = [
  tool(
    "task",
    "Launch a subagent for a task; task_id resumes its session.",
    { description: text, prompt: text, subagent_type: text, task_id: text },
    ["description", "prompt", "subagent_type"],
  ),
  tool(
    "question",
    "Ask the user, and wait for the answer.",
    { questions: { type: "array", items: { type: "object" } } },
    ["questions"],
  ),
  tool(
    "read",
    "Read lines of a file.",
    { filePath: text, offset: { type: "number" }, limit: { type: "number" } },
    ["filePath"],
  ),
  tool("edit", "Replace a text in a file.", { filePath: text, oldString: text, newString: text }, [
    "filePath",
    "oldString",
    "newString",
  ]),
  tool("bash", "Run a command.", { command: text, description: text }, ["command", "description"]),
  tool(
    "save_task_progress",
    "Settle a plan task (`complete` ticks its box), or leave one you cannot finish to a later session (`blocked`, `in_progress`).",
    {
      summary: text,
      status: { enum: ["in_progress", "blocked", "complete"] },
      blocked_reason: text,
      task: text,
    },
    ["summary", "status"],
  ),
  tool(
    "list_blocked_tasks",
    "List tasks that earlier sessions left, when you are to take one up.",
    {},
    [],
  ),
  tool(
    "get_blocked_task",
    "Read a handoff and claim it for this session.",
    { id: text, claim: { type: "boolean" } },
    ["id"],
  ),
]

/** What the model reads at a point: the start, the call, and our words where they stand. */
export function messagesOf(point: Point, start: string): readonly Message[] {
  const words = wordsOf(point)
  const { under, said = "" } = point
  const system: Message = { role: "system", content: SYSTEM }
  if (under === undefined) return [system, { role: "user", content: words }]
  if (under === "user-words") return [system, { role: "user", content: `${said}\n\n${words}` }]
  return [
    system,
    { role: "user", content: start },
    callOf(under),
    { role: "tool", tool_call_id: "call_1", content: `${resultOf(under)}\n\n${words}` },
  ]
}

function callOf(act: Act): Message {
  if (!("tool" in act)) throw new Error("Expected a call")
  const { tool: name, args } = act
  const call = {
    id: "call_1",
    type: "function",
    function: { name, arguments: JSON.stringify(args) },
  }
  return { role: "assistant", content: "", tool_calls: [call] }
}

function resultOf(act: Act): string {
  return "tool" in act && act.tool === "task"
    ? '<task id="ses_e02a05cf0ffeiVkhL7Rr1p5CHI" state="completed">\n<task_result>\nThe route is in src/login/route.ts.\n</task_result>\n</task>'
    : "done"
}
