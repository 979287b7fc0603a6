// Starts a plan that is chosen from a list.
import { planArgument } from "../boulder/plan-argument.ts"
import { planNameOf } from "../decide/choose-plan.ts"
import { cleanLine } from "../plan/model/foreign-text.ts"
import { settledCount } from "../plan/model/plan.ts"
import { type Occupied, TAKE_OVER } from "../prompts/occupied-text.ts"
import { SLASH } from "../prompts/typed-command.ts"
import { placeOfPlans } from "../store/plans/plan-path.ts"
import { plansHere } from "../store/plans/plans-here.ts"
import { chooseFrom, showText } from "./dialogs.ts"
import { occupantOf } from "./follow-views.ts"
import { tell } from "./palette.ts"
import type { DialogRow, PanelHost } from "./panel-host.ts"
import { sessionOnScreen } from "./show-panel.ts"

/** If there are more plans than this, they are listed without being read. */
const MAX_READ = 50

/** Lists the plans of the project and how far each one is; the chosen one is started in the session on the screen. */
export async function startPlan({
  host,
  root,
}: {
  readonly host: PanelHost
  readonly root: string
}): Promise<void> {
  if (!(await isServerLoaded(host))) return showText(host, "Start", SERVER_MISSING)
  const rows = await planRows(root)
  if (rows.length === 0) {
    const place = placeOfPlans({ root, directory: host.state.path.directory })
    return showText(host, "Start", `No plan was found. Put one at ${place}.`)
  }
  chooseFrom(host, {
    title: "Start or resume which plan?",
    rows,
    choose: (path) => {
      asked(host, root, path).catch((error: unknown) => tell(host, "error", String(error)))
    },
  })
}

const SERVER_MISSING = `opencode has loaded this panel, but not the plugin itself.
Add "opencode-boulder" to "plugin" in opencode.json,
then start opencode again.`

/** Whether the server knows the command that starts a plan; true if it does not say what it knows. */
async function isServerLoaded({ client }: PanelHost): Promise<boolean> {
  const listed = await client.command?.list().catch(() => undefined)
  return listed?.data?.some(({ name }) => name === SLASH.start) ?? true
}

/** Starts a plan. If another opencode works on it, the user is asked whether to take it over. */
async function asked(host: PanelHost, root: string, path: string): Promise<void> {
  const occupant = await occupantOf(root, path)
  const argument = planArgument(path)
  if (occupant === null) return start(host, argument)
  const { plan_name: planName, lead_session_id: session } = occupant
  askTakeOver(host, { planName, session, argument })
}

/** Asks whether to take over a plan that somebody else works on; by default it is left alone. */
export function askTakeOver(host: PanelHost, { planName, session, argument }: Occupied): void {
  chooseFrom(host, {
    title: `Another session works on ${cleanLine(planName)}`,
    rows: [
      { title: "Leave it there", value: "" },
      {
        title: "Take it over",
        value: TAKE_OVER,
        description: `session ${cleanLine(session)} stops delegating`,
      },
    ],
    choose: (chosen) => {
      if (chosen !== TAKE_OVER) return
      start(host, `${argument} ${TAKE_OVER}`).catch((error: unknown) =>
        tell(host, "error", String(error)),
      )
    },
  })
}

/** What cannot be started comes last: it is complete, or has no task. */
async function planRows(root: string): Promise<readonly DialogRow[]> {
  const [paths, { openPlanFiles }] = await Promise.all([
    plansHere(root),
    import("../store/plans/plan-files.ts"),
  ])
  const plans = openPlanFiles({ root, now: Date.now })
  const over = new Set<DialogRow>()
  const rows = await Promise.all(
    paths.map(async (path, index) => {
      const row = { title: planNameOf(path), value: path, footer: path }
      if (index >= MAX_READ) return row
      const reading = await plans.read(path)
      if (reading.kind === "unavailable") return { ...row, description: "cannot be read" }
      const { counts, state } = reading.plan
      const blocked = counts.blocked === 0 ? "" : `, ${counts.blocked} blocked`
      const description =
        state === "invalid"
          ? "has no task"
          : `${settledCount(counts)}/${counts.total} settled${blocked}`
      const described = { ...row, description }
      if (state === "complete" || state === "invalid") over.add(described)
      return described
    }),
  )
  return [...rows.filter((row) => !over.has(row)), ...over]
}

async function start(host: PanelHost, argument: string): Promise<void> {
  const { session } = host.client
  const shown = sessionOnScreen(host)
  const sessionID = shown ?? (await session.create({})).data?.id
  if (sessionID === undefined) return tell(host, "error", "opencode has made no session.")
  if (shown === null) host.route.navigate("session", { sessionID })
  await session.command({ sessionID, command: SLASH.start, arguments: argument })
}
