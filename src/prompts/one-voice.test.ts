import { expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { anUnprovenTick, aPlan, aTask, aWindow, CHILD } from "../../test/support/builders.ts"
import { IN_OPENCODE } from "../../test/support/by-name.ts"
import { CONTRADICTIONS, contradictionsIn } from "../../test/support/contradictions.ts"
import { V1_WORDS } from "../opencode/host/v1/v1-words.ts"
import { continuationText } from "./continuation-text.ts"
import { startText } from "./start-text.ts"
import type { ShownWindow } from "./window-lines.ts"

const planName = "auth-rewrite"
const planPath = ".boulder/plans/auth-rewrite.md"
const reuse = { kind: "reuse", sessionId: CHILD, agent: "general" } as const
const todo = aTask({ label: "2", title: "Add the login route", line: 14, endLine: 19 })
const f1 = aTask({ label: "F1", section: "final-wave", title: "Plan compliance" })
const f2 = aTask({ label: "F2", section: "final-wave", title: "Code review" })
const reviewed = (window: ShownWindow): ShownWindow => ({
  ...window,
  // What is reviewed stands last.
  tasks: window.tasks.map((one, index, { length }) =>
    index === length - 1 ? { ...one, isReviewed: true, back: null, reuse: null } : one,
  ),
})
const limited = (window: ShownWindow): ShownWindow => ({
  ...window,
  tasks: window.tasks.map((one, index) =>
    index === 0 ? { ...one, limitedUntil: "2026-11-22T09:00:00.000Z" } : one,
  ),
})
/** As the plugin sends them: a row of a wave without a verdict, and ticked tasks that are held. */
const held = "`npm test` has not been run"
const back = (
  window: ShownWindow,
  as: ShownWindow["tasks"][number]["back"] = "result",
): ShownWindow => ({ ...window, tasks: window.tasks.map((one) => ({ ...one, back: as })) })
const WINDOWS: Readonly<Record<string, ShownWindow>> = {
  open: aWindow([todo]),
  "with a result": aWindow([todo], { reuse }),
  "with a tick that was taken back": back(aWindow([todo], { reuse }), "unticked"),
  "with a task that the plan rejects": aWindow([{ ...todo, rejected: true }], { reuse }),
  "of a wave": aWindow([f1, f2], { reuse }),
  "of a wave half back": reviewed(aWindow([f1, f2])),
  "of a wave with a rejection": reviewed(aWindow([{ ...f2, rejected: true }, f1], { reuse })),
  "of a wave with a rejection that stands in the plan": back(aWindow([f2, f1]), "rejected-in-plan"),
  "with a limited task": limited(aWindow([todo, { ...todo, key: "todo:3" }])),
  "of a wave with a limited row": limited(aWindow([f1, f2])),
  "of a wave without a verdict": back(aWindow([f1, f2], { reuse })),
  "of a wave without a verdict, its session gone": back(aWindow([f1, f2])),
  "of a wave that is older than the work": back(aWindow([f1, f2], { reuse }), "outdated"),
  "of a wave that is older than the work in part": reviewed(
    back(aWindow([f1, f2], { reuse }), "outdated"),
  ),
  "of a wave with a held row": aWindow([{ ...f1, held }, f2]),
  "with a held task": aWindow(
    [
      { ...todo, held },
      { ...todo, key: "todo:3" },
    ],
    { reuse },
  ),
  "with a result that said BLOCKED": {
    ...aWindow([todo], { reuse }),
    tasks: aWindow([todo], { reuse }).tasks.map((one) => ({ ...one, back: "blocked" as const })),
  },
  "with a result whose session is gone": back(aWindow([todo])),
  empty: aWindow([]),
}
const unproven = ["5", "6", "7"].map(anUnprovenTick)
const flags = [false, true]
const APPROVED_AND_SETTLING = flags.flatMap((waveApproved) =>
  (["by-tool", "by-hand"] as const).map((settling) => ({ waveApproved, settling })),
)

const named = (text: string, whose: string, given: Readonly<Record<string, boolean>>): string =>
  [`${text}, ${whose}`, ...Object.keys(given).filter((name) => given[name])].join(", ")

/** Every combination of what a continuation and a start are made from. */
const ALL: readonly { readonly name: string; readonly text: string }[] = Object.entries(
  WINDOWS,
).flatMap(([name, window]) =>
  APPROVED_AND_SETTLING.flatMap(({ waveApproved, settling }) => {
    const all = {
      typed: IN_OPENCODE,
      planName,
      planPath,
      window,
      settling,
      words: V1_WORDS,
      waveApproved,
    } as const
    const whose = `window ${name}, ${settling}${waveApproved ? ", approved" : ""}`
    return [
      ...flags.flatMap((isTold) =>
        [null, { count: 1, left: 2, isTreeKnown: true }].flatMap((idleTurns) =>
          [null, "Write the limiter"].map((cutOffStep) => ({
            name: named("continuation", whose, {
              isTold,
              idle: idleTurns !== null,
              cutOff: cutOffStep !== null,
            }),
            text: continuationText({
              ...all,
              counts: aPlan([todo]).counts,
              isTold,
              idleTurns,
              cutOffStep,
              unproven: cutOffStep === null ? unproven : [],
            }),
          })),
        ),
      ),
      ...flags.flatMap((resumed) =>
        [
          null,
          "2 tasks were left unfinished, last todo:7 (hnd_1): list_blocked_tasks shows them.",
        ].map((waiting) => ({
          name: named("start", whose, { resumed, waiting: waiting !== null }),
          text: startText({
            ...all,
            plan: aPlan([todo]),
            resumed,
            approvalLapsed: resumed && !waveApproved,
            notes: [],
            waiting,
          }),
        })),
      ),
    ]
  }),
)

test("no sentence of a start or a continuation against another, in any combination", () => {
  const bad = ALL.flatMap(({ name, text }) =>
    contradictionsIn(text).map((pair) => `${name}: ${pair}`),
  )
  expect(bad).toEqual([])
})

test("the task to do now is none that is to be left as it is", () => {
  const named = ALL.flatMap(({ name, text }) => {
    const key = / (?:Delegate|Settle|Delegate the fix for) (\S+) now/.exec(text)?.[1]
    return key === undefined ? [] : [{ name, rows: text.split(`\n- ${key} `)[1] ?? "" }]
  })
  expect(named.length).toBeGreaterThan(8)
  const bad = named.filter(({ rows }) => rows.split("\n- ")[0]?.match(/: leave it|Leave it;/))
  expect(bad.map(({ name }) => name)).toEqual([])
})

test("each side of a contradiction stands in some text: a new wording disarms none", () => {
  const folder = fileURLToPath(new URL("../../test/fixtures/prompts/", import.meta.url))
  const golden = readdirSync(folder).flatMap((file) => [
    ...(readFileSync(`${folder}${file}`, "utf8").match(/<boulder>[\s\S]*?<\/boulder>/g) ?? []),
  ])
  const texts = [...golden, ...ALL.map(({ text }) => text)]
  const unused = CONTRADICTIONS.flat().filter((one) => !texts.some((text) => one.test(text)))
  expect(unused.map(String)).toEqual([])
})
