import type { Boulder, Change } from "../../src/boulder/boulder.ts"
import { newWork } from "../../src/boulder/new-work.ts"

const NOW = "2026-11-21T10:00:00.000Z"

/** A change that counts one up in a work of the given name: one revision, one count. */
export function countUp(name: string): Change {
  return (boulder) => {
    const work = boulder.works[name] ?? aWork(name)
    const counted = { ...work, checkpoint_seq: work.checkpoint_seq + 1 }
    return { ...boulder, works: { ...boulder.works, [name]: counted } }
  }
}

export function aWork(name: string) {
  const planPath = `.boulder/plans/${name}.md`
  const work = newWork({ planPath, planName: name, sessionId: "ses_root", now: NOW })
  return { ...work, work_id: name }
}

/** How often `name` was counted up. */
export function countOf(boulder: Boulder | null, name: string): number {
  return boulder?.works[name]?.checkpoint_seq ?? 0
}

/** All counts together: equal to the revision as long as nothing was lost and nothing written twice. */
export function sumOf(boulder: Boulder | null): number {
  return Object.values(boulder?.works ?? {}).reduce((sum, work) => sum + work.checkpoint_seq, 0)
}
