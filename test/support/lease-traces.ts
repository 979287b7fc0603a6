import { join } from "node:path"
import { z } from "zod"

/** The traces of `test/fleet/lease.qnt` in Quint's own form (ITF), one on each line. */
export const TRACES = join(import.meta.dir, "..", "fleet", "lease-traces.jsonl")

const whole = z
  .strictObject({ "#bigint": z.string() })
  .transform((found) => Number(found["#bigint"]))
const trace = z.object({
  states: z.array(
    z.strictObject({
      now: whole,
      record: z.strictObject({
        revision: whole,
        holder: z.string(),
        claimed: whole,
        settled: z.boolean(),
      }),
      did: z.strictObject({
        step: z.enum(["init", "begins", "writes", "dies", "passes"]),
        session: z.string(),
        wants: z.enum(["", "claim", "renew", "block", "complete"]),
        came: z.string(),
      }),
    }),
  ),
})

export type Trace = z.infer<typeof trace>

/** Reads a trace. Throws if the text is none. */
export function parseTrace(text: string): Trace {
  return trace.parse(JSON.parse(text))
}
