// What the original plugin has left: its state in its own folder, or in place of ours.
import type { MemoryDisk } from "./memory-disk.ts"

/** The plan that it was working on. */
export const OLD_PLAN = ".omo/plans/old.md"
const OLD_STATE = ".omo/boulder.json"

/** The flat format of one plan. */
export function olderState(plan: string): string {
  return JSON.stringify({
    active_plan: plan,
    started_at: "2026-01-02T08:00:00.000Z",
    session_ids: [],
    plan_name: plan.replace(/^.*\/|\.md$/g, ""),
  })
}

/** Puts a plan and its state where the original plugin kept them. */
export function leaveOlderState(disk: MemoryDisk): void {
  disk.write(OLD_PLAN, "# Old\n\n## TODOs\n\n- [ ] 1. Sweep the yard\n")
  disk.write(OLD_STATE, olderState(OLD_PLAN))
}

/** Whether the plugin must know the work of that state at its next start. */
export function hasOlderState(disk: MemoryDisk): boolean {
  return disk.textOf(OLD_STATE) !== null
}

/** Whether the plugin knows it: among the works, or in the archive. */
export function knowsOlderState(disk: MemoryDisk): boolean {
  const texts = disk
    .paths()
    .filter((path) => /^\.boulder\/(?:boulder\.json|archive|works)/.test(path))
  return texts.some((path) => disk.textOf(path)?.includes(OLD_PLAN) === true)
}
