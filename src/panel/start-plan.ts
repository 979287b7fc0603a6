// Starts a plan that is chosen from a list.
import { planNameOf } from "../decide/choose-plan.ts"
import { planArgument } from "../decide/plan-argument.ts"
import { settledCount } from "../plan/model/plan.ts"
import { chooseFrom, showText } from "./dialogs.ts"
import { tell } from "./palette.ts"
import type { DialogRow, PanelHost } from "./panel-host.ts"
import { sessionOnScreen } from "./places.ts"

/** More plans than so many are listed without being read. */
const MAX_READ = 50

/** Lists the plans of the project with how far each is; the chosen one is started in the session on the screen. */
export async function startPlan({
  host,
  root,
}: {
  readonly host: PanelHost
  readonly root: string
}): Promise<void> {
  const rows = await planRows(root)
  if (rows.length === 0)
    return showText(host, "Start", "No plan was found. Put one at .boulder/plans/<name>.md.")
  chooseFrom(host, {
    title: "Start or continue which plan?",
    rows,
    choose: (path) => {
      start(host, path).catch((error: unknown) => tell(host, "error", String(error)))
    },
  })
}

async function planRows(root: string): Promise<readonly DialogRow[]> {
  const [{ findPlans }, { openPlanFiles }] = await Promise.all([
    import("../store/plans/find-plans.ts"),
    import("../store/plans/plan-files.ts"),
  ])
  const { paths } = await findPlans(root)
  const plans = openPlanFiles({ root, now: Date.now })
  return Promise.all(
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
      return { ...row, description }
    }),
  )
}

async function start(host: PanelHost, path: string): Promise<void> {
  const { session } = host.client
  const shown = sessionOnScreen(host)
  const sessionID = shown ?? (await session.create({})).data?.id
  if (sessionID === undefined) return tell(host, "error", "opencode has made no session.")
  if (shown === null) host.route.navigate("session", { sessionID })
  await session.command({ sessionID, command: "start-work", arguments: planArgument(path) })
}
