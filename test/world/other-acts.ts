// What models, hosts and time do in a world.
import type { HostError } from "./host-database.ts"
import { planFor } from "./led-plan.ts"
import {
  type Act,
  asItWas,
  asks,
  asTold,
  call,
  delegate,
  delegateIn,
  end,
  isChild,
  returns,
  tick,
  together,
  workOn,
} from "./model-acts.ts"
import { chosen, type Play, type Step } from "./step.ts"
import type { Waiting, World } from "./world.ts"
import { keyOf, rowsOf } from "./world-plan.ts"

const TOKENS = [
  ...new Array<number>(26).fill(5_000),
  20_000,
  62_000,
  95_000,
  120_000,
  193_000,
] as const
const ERRORS: readonly HostError[] = [
  { name: "APIError", data: { message: "overloaded", statusCode: 529 } },
  { name: "UnknownError", data: { message: "model not found" } },
  { name: "ContextOverflowError", data: { message: "too long" } },
  { name: "ProviderAuthError", data: { providerID: "lab", message: "the key is bad" } },
  { name: "MessageOutputLengthError", data: {} },
]

export const MODEL_ACTS: Readonly<Record<string, Play<World>>> = {
  works: model((world, waiting, step) => workOn(world, waiting, step)),

  "delegates badly": lead((world, waiting, step) => {
    const row = chosen(open(world, waiting), step.b)
    return row === undefined ? null : delegate(world, waiting, { row, well: false, choice: step })
  }),

  /** Whoever fixes what a review has found reviews nothing. */
  "fixes a review": lead((world, waiting, step) => {
    const row = chosen(
      rowsOf(planFor(world, waiting.request.sessionId).text).filter(({ isOfWave }) => isOfWave),
      step.b,
    )
    if (row === undefined) return null
    const by = chosen([row.label, keyOf(row), row.title], step.a) ?? row.label
    const description = chosen(
      [`Fix ${by} findings`, `${by} fixes`, `Fix what ${by} found`],
      step.c,
    )
    return delegateIn(world, waiting, {
      ...{ how: `fixes what ${by} found`, description: description ?? "", prompt: "Fix it." },
      naming: () => null,
    })
  }),

  "delegates several": lead((world, waiting, step) => {
    const rows = open(world, waiting).slice(0, 2)
    if (rows.length === 0) return null
    const both = rows.length === 1 ? [...rows, ...rows] : rows
    return together(
      both.map((row, at) =>
        delegate(world, waiting, { row, well: (step.b + at) % 3 !== 0, choice: step }),
      ),
    )
  }),

  resumes: lead((world, waiting, step) => {
    const row = chosen(open(world, waiting), step.b)
    const children = [...world.db.sessions.values()].filter(({ parentID }) => parentID)
    const child = chosen(children, step.c)
    return row === undefined || child === undefined
      ? null
      : delegate(world, waiting, { row, well: step.c % 2 === 0, choice: step, resumes: child.id })
  }),

  "ticks early": lead((world, waiting, step) => {
    const row = chosen(open(world, waiting), step.b)
    return row === undefined ? null : tick(world, waiting, [row])
  }),

  /** All tasks at once, sometimes with the reviews. */
  "ticks all": lead((world, waiting, step) => {
    const rows = open(world, waiting).filter(({ isOfWave }) => step.b % 2 === 1 || !isOfWave)
    return rows.length === 0 ? null : tick(world, waiting, rows)
  }),

  "ends its turn": lead(() => end("ends its turn early")),

  asks: model((world, waiting, { b }) =>
    asks(world, waiting, b % 2 === 0 ? "Final wave" : "Colour"),
  ),

  "needs permission": model((world, { request: { sessionId } }) => ({
    words: "calls a tool that needs permission",
    answer: {
      calls: [{ ...call(world, sessionId, "bash", { command: "ls" }), needsPermission: true }],
    },
  })),

  saves: model((world, waiting, { a, b, c }) => {
    const { sessionId } = waiting.request
    const row = chosen(open(world, waiting), b)
    const status = chosen(["in_progress", "complete", "blocked"], a) ?? "in_progress"
    const why = status === "blocked" ? { blocked_reason: "no key" } : {}
    const isTitled = c % 2 === 1 && row?.title.includes(" ") === true
    const bare = row && keyOf(c % 4 === 2 ? asTold(world, waiting, row) : row)
    const named = isTitled ? `${keyOf(asItWas(world, row))} "${row.title}"` : bare
    const task = named === undefined || b % 3 === 0 ? {} : { task: named }
    world.ledger.saves.push({ sessionId, status, names: "task" in task && row ? row.title : null })
    const args = { summary: "So far so good", status, ...why, ...task }
    return {
      words: `saves its progress: ${status}${"task" in task ? ` of ${task.task}` : ""}`,
      answer: { calls: [call(world, sessionId, "save_task_progress", args)] },
    }
  }),

  "lists what is blocked": model((world, { request: { sessionId } }) => ({
    words: "lists what is blocked",
    answer: { calls: [call(world, sessionId, "list_blocked_tasks", {})] },
  })),

  "edits a source": model((world, { request: { sessionId } }) => ({
    words: "edits a source",
    answer: {
      calls: [
        call(world, sessionId, "edit", { filePath: "src/a.ts", oldString: "a", newString: "b" }),
      ],
    },
  })),

  "is blocked": child((world, waiting, step) => returns(world, waiting, "blocked", step)),
  rejects: child((world, waiting, step) => returns(world, waiting, "reject", step)),
  "words a verdict": child((world, waiting, step) => returns(world, waiting, "worded", step)),
  "is unclear": child((world, waiting, step) => returns(world, waiting, "unclear", step)),
  "forges a frame": child((world, waiting, step) => returns(world, waiting, "framed", step)),

  "delegates below": child((world, waiting, step) => {
    const row = chosen(open(world, waiting), step.b)
    return row === undefined
      ? null
      : delegate(world, waiting, { row, well: step.c % 2 === 0, choice: step })
  }),

  /** For a session that has saved a block of its own. */
  "lists its blocks": (world, step) =>
    answer(
      world,
      step,
      world.waiting.filter(
        ({ request: { sessionId, purpose } }) =>
          purpose === "turn" &&
          world.ledger.saves.some(
            (save) => save.sessionId === sessionId && save.status === "blocked",
          ),
      ),
      (_, { request: { sessionId } }) => ({
        words: "lists what is blocked",
        answer: { calls: [call(world, sessionId, "list_blocked_tasks", {})] },
      }),
    ),

  "edits the plan from below": child((world, waiting, { b }) => {
    const row = chosen(open(world, waiting), b)
    return row === undefined ? null : tick(world, waiting, [row])
  }),

  /** A provider whose account is used up: for a while, for hours, for days. */
  "meets a limit": model((_, __, { b }) => {
    const seconds = chosen([90, 7_200, 200_000], b) ?? 90
    const error = { type: "usage_limit_reached", resets_in_seconds: seconds }
    const data = {
      ...{ message: "used up", statusCode: 429 },
      responseBody: JSON.stringify({ error }),
    }
    return {
      words: `meets a limit of ${seconds} s`,
      answer: { error: { name: "APIError", data } },
    }
  }),

  "falls silent": child(() => ({ words: "falls silent", answer: { hangs: true } })),

  fails: model((world, { request }, { b }) => {
    const error = chosen(ERRORS, b) ?? ERRORS[0]
    // Its events may be late, but the plugin reads of it all the same.
    world.doubt(request.sessionId)
    return error === undefined ? null : { words: `fails: ${error.name}`, answer: { error } }
  }),
}

export const HOST_ACTS: Readonly<Record<string, Play<World>>> = {
  "begins a process": async (world) => {
    const name = await world.start()
    return name === null ? null : `opencode ${name} begins.`
  },

  "ends a process": async (world, { a }) => {
    const name = chosen([...world.hosts.keys()], a)
    if (name === undefined || world.parking.waiting() > 0) return null
    await world.stop(name)
    return `opencode ${name} ends.`
  },

  "kills a process": (world, { a }) => {
    const name = chosen([...world.hosts.keys()], a)
    if (name === undefined) return null
    const cut = world.kill(name)
    return `opencode ${name} is killed${cut.length > 0 ? ` at ${cut.slice(0, 3).join(", ")}` : ""}.`
  },

  "loses a prompt": (world, { a, b }) => {
    if (world.promptFates.length > 2) return null
    const fate = chosen(["lost", "refused", "mute"] as const, a) ?? "lost"
    world.promptFates.push(...new Array<typeof fate>(1 + (b % 3)).fill(fate))
    return `The next ${1 + (b % 3)} prompts of ours will be ${fate}.`
  },

  "does not answer": (world, { a }) => {
    if (world.clientFates.length > 2) return null
    const fate = chosen(["refused", "mute"] as const, a) ?? "refused"
    world.clientFates.push(fate)
    world.ledger.isBlind = true
    return `The next question of ours to the host will be ${fate}.`
  },

  "holds events": (world) => {
    if (world.isHoldingEvents) return null
    world.isHoldingEvents = true
    return "Events are late."
  },

  "tells events": (world) => {
    if (!world.isHoldingEvents) return null
    world.tellEvents()
    return "The late events come."
  },

  "tells an idle twice": (world, { a }) => {
    const ids = [...world.db.sessions.keys()].filter(
      (id) => world.hostOf(id)?.host.isBusy(id) === false,
    )
    const id = chosen(ids, a)
    const at = id === undefined ? null : world.hostOf(id)
    if (id === undefined || at === null) return null
    at.host.core.emitStatus(id, "idle")
    return `The host tells the idle of ${id} once more.`
  },

  "breaks the disk": (world, { a }) => {
    if (world.faults.length > 2) return null
    const code = chosen(["EIO", "ENOSPC", "EACCES"] as const, a) ?? "EIO"
    world.faults.push(code)
    world.ledger.isBlind = true
    return `The next write into .boulder ends in ${code}.`
  },
}

const WAITS = [
  [100, "a moment"],
  [1_100, "a second"],
  [5_100, "5 seconds"],
  [5_100, "5 seconds"],
  [5_100, "5 seconds"],
  [5_100, "5 seconds"],
  [11_000, "11 seconds"],
  [11_000, "11 seconds"],
  [31_000, "half a minute"],
  [31_000, "half a minute"],
  [310_000, "5 minutes"],
  [3_700_000, "an hour"],
] as const

/** This much of a long time is not slept through, in ms. */
const AWAKE_MS = 60_000

export const TIME_ACTS: Readonly<Record<string, Play<World>>> = {
  passes: async (world, { a, b }) => {
    const [ms, words] = chosen(WAITS, a) ?? WAITS[0]
    // On a machine that sleeps, all timers are late.
    if (ms > AWAKE_MS && b !== 0) {
      world.ledger.asleep = { at: world.clock.passed, now: world.clock.now }
      world.clock.tick(ms - AWAKE_MS)
      await world.pass(AWAKE_MS)
      return `${words} passes, most of it asleep.`
    }
    await world.pass(ms)
    return `${words} passes.`
  },
}

type Answers = (world: World, waiting: Waiting, step: Step) => Act | null

/** For any model that waits. */
function model(act: Answers): Play<World> {
  return (world, step) => answer(world, step, world.waiting, act)
}

function lead(act: Answers): Play<World> {
  const isLead = (world: World, one: Waiting) =>
    one.request.purpose === "turn" && !isChild(world, one)
  return (world, step) =>
    answer(
      world,
      step,
      world.waiting.filter((one) => isLead(world, one)),
      act,
    )
}

function child(act: Answers): Play<World> {
  const isBelow = (world: World, one: Waiting) =>
    one.request.purpose === "turn" && isChild(world, one)
  return (world, step) =>
    answer(
      world,
      step,
      world.waiting.filter((one) => isBelow(world, one)),
      act,
    )
}

async function answer(
  world: World,
  step: Step,
  among: readonly Waiting[],
  act: Answers,
): Promise<string | null> {
  const waiting = chosen(among, step.a)
  const made = waiting === undefined ? null : act(world, waiting, step)
  if (waiting === undefined || made === null) return null
  world.waiting = world.waiting.filter((one) => one !== waiting)
  // A model takes its time; what is due meanwhile comes first.
  await world.pass(2_000)
  if (!world.hosts.has(waiting.process)) return null
  const tokens = chosen(TOKENS, step.c) ?? 5_000
  waiting.answer({ tokens, ...made.answer })
  const { sessionId, purpose } = waiting.request
  const who =
    purpose === "compaction" ? "compacting model" : isChild(world, waiting) ? "subagent" : "model"
  return `The ${who} of ${sessionId} ${made.words}.`
}

/** The open rows of the plan that a session works on. */
function open(world: World, { request: { sessionId } }: Waiting) {
  return rowsOf(planFor(world, sessionId).text).filter(({ state }) => state === "open")
}
