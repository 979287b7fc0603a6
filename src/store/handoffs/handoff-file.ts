// Reads and writes a handoff as the text of its file.

import { type Handoff, handoffSchema } from "../../boulder/handoff.ts"
import { jsonOf } from "../../boulder/json-of.ts"
import { z } from "../../boulder/z.ts"
import { once } from "../../plan/model/once.ts"

/** How many stamps a record carries, one of each writer: a writer suspended while more others wrote asks again. */
export const TRAIL_MAX = 32

const fileSchema = once(() =>
  handoffSchema().extend({
    store: z.strictObject({
      revision: z.int().min(1),
      trail: z.array(z.string().max(32)).min(1).max(TRAIL_MAX),
    }),
  }),
)

/** A record as stored: its revision, and the last stamp of each writer, newest first. */
export interface HandoffFile {
  readonly revision: number
  readonly trail: readonly string[]
  readonly handoff: Handoff
}

export function printHandoffFile({ revision, trail, handoff }: HandoffFile): string {
  const file = fileSchema().parse({ ...handoff, store: { revision, trail } })
  return `${JSON.stringify(file, null, 2)}\n`
}

/** Null if the text is no handoff. A folder that was moved takes its handoffs along: they belong to its project. */
export function parseHandoffFile(text: string, project: string): HandoffFile | null {
  const parsed = fileSchema().safeParse(jsonOf(text))
  if (!parsed.success) return null
  const { store, ...handoff } = parsed.data
  return { ...store, handoff: { ...handoff, scope: { ...handoff.scope, project } } }
}
