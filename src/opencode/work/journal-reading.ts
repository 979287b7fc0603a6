// What a reading of the plan that was kept tells the journal: the one place for it.
import type { Work } from "../../boulder/boulder.ts"
import { followTasks } from "../../boulder/follow-tasks.ts"
import type { PlanFileReading } from "../../store/plans/plan-files.ts"
import type { Shell } from "../host/shell.ts"
import { noteBlocks } from "./block-journal.ts"
import { noteShard } from "./note-shard.ts"
import { noteSetbacks } from "./setback-journal.ts"

/**
 * Tells the journal what a reading has shown that is kept in a work now: nobody sees it a second time. Each task that is
 * newly blocked, each result that was turned down, and what the grammar says of a shard that has become active.
 */
export async function journalReading(
  shell: Pick<Shell, "journal" | "handoffs" | "sessions" | "options" | "now" | "log">,
  { before, after }: { readonly before: Work; readonly after: Work },
  reading: PlanFileReading,
): Promise<void> {
  // A task that was renumbered meanwhile is no news.
  const kept = { before: followTasks(reading)(before), after }
  await noteSetbacks(shell, kept)
  await noteBlocks(shell, kept, reading)
  await noteShard(shell, kept, reading)
}
