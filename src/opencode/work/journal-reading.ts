// Tells the journal about a stored reading of the plan. No other place does.
import type { Work } from "../../boulder/boulder.ts"
import { followTasks } from "../../boulder/follow-tasks.ts"
import type { PlanFileReading } from "../../store/plans/plan-files.ts"
import type { Shell } from "../host/shell.ts"
import { noteBlocks } from "./block-journal.ts"
import { noteShard } from "./note-shard.ts"
import { noteSetbacks } from "./setback-journal.ts"

/**
 * Tells the journal what a reading has shown that was stored in a work just now, since nobody sees it a second time: each task that is
 * newly blocked, each result that was turned down, and what the grammar says about a shard that has become active.
 */
export async function journalReading(
  shell: Pick<Shell, "journal" | "handoffs" | "sessions" | "options" | "now" | "log">,
  { before, after }: { readonly before: Work; readonly after: Work },
  reading: PlanFileReading,
): Promise<void> {
  // A task that was renumbered in the meantime is no news.
  const kept = { before: followTasks(reading)(before), after }
  await noteSetbacks(shell, kept)
  await noteBlocks(shell, kept, reading)
  await noteShard(shell, kept, reading)
}
