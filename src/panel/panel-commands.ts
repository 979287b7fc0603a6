// The commands of the panel: what a person can do or look at without a turn of the model.
import type { WorkView } from "../boulder/live-view.ts"
import { wrapLine } from "../cli/views/columns.ts"
import { stateName } from "../prompts/work-state-words.ts"
import { type AskedWork, askedWorks } from "./asked-works.ts"
import { chooseFrom, dialogColumns, showText } from "./dialogs.ts"
import type { PaletteCommand } from "./palette.ts"
import { tell } from "./palette.ts"
import type { PanelHost } from "./panel-host.ts"
import { runCommandLine } from "./run-command-line.ts"
import { startPlan } from "./start-plan.ts"

interface CommandFacts {
  readonly host: PanelHost
  readonly root: string
  /** The works as last seen. */
  readonly works: () => readonly WorkView[]
}

/** The commands of the panel. Each runs the same command as the command line. */
export function panelCommands(facts: CommandFacts): readonly PaletteCommand[] {
  const { host, root } = facts
  const show = async (title: string, args: readonly string[], at?: "end"): Promise<void> => {
    const { text } = await runCommandLine(args, { cwd: root, columns: dialogColumns(host) })
    showText(host, title, text, at)
  }
  const act = async (...args: readonly string[]): Promise<void> => {
    const { isDone, text } = await runCommandLine(args, { cwd: root, columns: 1_000 })
    // A toast lasts only seconds, and any other replaces it.
    if (isDone) tell(host, "success", text)
    else showText(host, "Not done", wrapLine(text, dialogColumns(host)).join("\n"))
  }
  /** Acts on the one work that is meant, or asks which. */
  const forOne = async (
    name: string,
    title: string,
    isMeant: (work: WorkView) => boolean,
  ): Promise<void> => {
    const meant = facts.works().filter(isMeant)
    const [only] = meant
    // If there is none, the command itself says why.
    if (meant.length <= 1) return act(name, ...(only === undefined ? [] : [only.plan]))
    chooseFrom(host, {
      title,
      rows: meant.map(workRow),
      choose: (plan) => {
        void act(name, plan)
      },
    })
  }
  return [
    {
      name: "status",
      key: "w",
      title: "how far each plan is",
      description: "How far each plan is, without the model",
      run: () => show("Plans", ["status"]),
    },
    {
      name: "why",
      title: "what was decided, and why",
      description: "The last decisions with their reasons",
      run: () => show("Decisions", ["why", "-n", "40"], "end"),
    },
    {
      name: "works",
      title: "all works, finished ones too",
      description: "Every plan that was started here",
      run: () => show("Works", ["works"]),
    },
    {
      name: "cost",
      title: "what each plan has cost",
      description: "Tokens and dollars, by task and round",
      run: () => show("Cost", ["cost"]),
    },
    {
      name: "start",
      key: "p",
      title: "start or resume a plan",
      description: "Choose a plan from a list",
      run: () => startPlan({ host, root }),
    },
    {
      name: "stop",
      title: "stop a plan",
      description: "Pause a plan at once, without the model",
      run: () => forOne("stop", "Stop which plan?", ({ state }) => !isOver(state.kind)),
    },
    {
      name: "resume",
      title: "resume a paused plan",
      description: "Resume a plan, whatever paused it",
      run: () => forOne("resume", "Resume which plan?", ({ state }) => state.kind === "paused"),
    },
    {
      name: "approve",
      title: "approve a final wave or a held task",
      description: "Approve the reviews, or an unproven tick",
      run: () => approve(facts, act),
    },
    {
      name: "unblock",
      title: "unblock a task",
      description: "Choose a blocked task, open it again",
      run: () => unblock(facts, act),
    },
    {
      name: "answer",
      key: "i",
      title: "answer what is asked",
      description: "Go to the session that waits for you",
      run: async () => answer(facts),
    },
  ]
}

function isOver(kind: WorkView["state"]["kind"]): boolean {
  return kind === "complete" || kind === "paused"
}

function isApproval(state: WorkView["state"]): boolean {
  return state.kind === "waiting-for-you" && state.for === "approval"
}

function workRow({ plan_name: title, plan, counts, state }: WorkView | AskedWork) {
  const description = `${counts.settled}/${counts.total} ${stateName(state)}`
  return { title, value: plan, description, footer: plan }
}

/** A single final wave that waits is approved at once. A held task must be chosen, since nothing else proves its tick. */
async function approve(
  { host, root }: CommandFacts,
  act: (...args: readonly string[]) => Promise<void>,
): Promise<void> {
  const { works, refusal } = await askedWorks(root)
  if (refusal !== null) return showText(host, "Approve", refusal)
  const waves = works.filter(({ state }) => isApproval(state))
  const held = works.flatMap(({ plan, plan_name: category, held: tasks }) =>
    tasks.map(({ key, title, reason: description }) => ({
      row: { title: `${key} ${title}`, description, category },
      args: [key, plan],
    })),
  )
  const choices = [...waves.map((work) => ({ row: workRow(work), args: [work.plan] })), ...held]
  // If there is none, the command itself says why.
  if (held.length === 0 && waves.length <= 1) return act("approve", ...(choices[0]?.args ?? []))
  chooseFrom(host, {
    title: "Approve which final wave or held task?",
    rows: choices.map(({ row }, index) => ({ ...row, value: String(index) })),
    choose: (value) => void act("approve", ...(choices[Number(value)]?.args ?? [])),
  })
}

async function unblock(
  { host, root }: CommandFacts,
  act: (...args: readonly string[]) => Promise<void>,
): Promise<void> {
  const { works, refusal } = await askedWorks(root)
  if (refusal !== null) return showText(host, "Unblock", refusal)
  const blocked = works
    .filter(({ state }) => state.kind !== "complete")
    .flatMap(({ plan, plan_name: category, blocked: tasks }) =>
      tasks.map((task) => ({ ...task, plan, category })),
    )
  if (blocked.length === 0) return showText(host, "Unblock", "No task is blocked.")
  chooseFrom(host, {
    title: "Unblock which task?",
    rows: blocked.map(({ key, title, reason, unblock: until, category }, index) => ({
      title: `${key} ${title}`,
      value: String(index),
      description: until === null ? (reason ?? "no reason is given") : `until ${until}`,
      category,
    })),
    choose: (value) => {
      const task = blocked[Number(value)]
      if (task !== undefined) void act("unblock", task.key, task.plan)
    },
  })
}

/** The host asks in the waiting session, so that session is shown. A final wave is approved. */
function answer({ host, works }: CommandFacts): void {
  const asking = works().flatMap((work) =>
    work.state.kind === "waiting-for-you" && work.state.session !== null
      ? [{ work, asks: work.state.asks ?? work.state.for, session: work.state.session }]
      : [],
  )
  const go = (sessionID: string): void => host.route.navigate("session", { sessionID })
  const [only] = asking
  if (only === undefined) showText(host, "Answer", "No plan is waiting for you.")
  else if (asking.length === 1) go(only.session)
  else
    chooseFrom(host, {
      title: "Answer in which session?",
      rows: asking.map(({ work, asks, session }) => ({
        title: work.plan_name,
        value: session,
        description: asks,
      })),
      choose: go,
    })
}
