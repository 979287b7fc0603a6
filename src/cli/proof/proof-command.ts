// The command `proof`.
import { heldReading, withoutHold } from "../../boulder/held-plan.ts"
import { nameIfNeeded } from "../../decide/name-work.ts"
import { proofOf } from "../../decide/proof/proof.ts"
import { ofWork } from "../../prompts/typed-command.ts"
import { worksOf } from "../commands/archive-commands.ts"
import { openProject, readBoulder } from "../project/project.ts"
import type { Run } from "../table/command-table.ts"
import { Refusal } from "../terminal/cli-error.ts"
import { jsonText } from "../terminal/print-json.ts"
import { proofJson, proofText } from "./proof-view.ts"

export const proofCommand: Run<"proof"> = async ({ values, names }, terminal) => {
  const project = await openProject(terminal)
  const { namedOrLatest } = await worksOf(project, terminal)
  const work = await namedOrLatest(names[0])
  const reading = await project.plans.read(work.active_plan)
  if (reading.kind === "unavailable") throw new Refusal(reading.message)
  const proof = proofOf(reading.plan, await project.proofs.read(work.work_id))
  const boulder = await readBoulder(project)
  const open = boulder?.works[work.work_id]
  const { plan } = heldReading(reading, open ?? null)
  const typed = ofWork(terminal.typed, open === undefined ? null : nameIfNeeded(open, boulder))
  const tasks = plan.tasks.map((kept) => {
    const task = withoutHold(kept)
    return {
      task,
      isHeld: kept.held !== undefined,
      standing: proof.of(task),
      judges: proof.judgesEdited(task),
      before: proof.known(task)?.before ?? [],
    }
  })
  if (values.json === true) terminal.out(jsonText(proofJson(work, tasks)))
  else
    terminal.out(
      proofText(work, tasks, {
        paint: terminal.paint,
        typed,
        now: terminal.now(),
        columns: terminal.columns(),
      }),
    )
}
