import type { Boulder, Work } from "../../src/boulder/boulder.ts"
import type { OpencodeHost } from "./opencode-host.ts"

/** The work on a plan as it is on disk; null before it was started. */
export function workOn(host: OpencodeHost, planName: string): Work | null {
  const works = Object.values(host.boulder<Boulder>()?.works ?? {})
  return works.find((work) => work.plan_name === planName) ?? null
}

/** Waits until the work on a plan is in `state`: a status, or a pause reason. */
export async function untilWork(
  host: OpencodeHost,
  planName: string,
  state: string,
): Promise<Work> {
  return host.waitFor(
    () => {
      const work = workOn(host, planName)
      return work !== null && (work.status === state || work.pause_reason === state) ? work : null
    },
    { what: `the work on ${planName} is ${state}` },
  )
}

/** The reasons in the journal for one session, oldest first. */
export function reasonsOf(host: OpencodeHost, sessionId: string): readonly string[] {
  return host
    .journal()
    .filter((line) => line["session"] === sessionId)
    .map((line) => `${line["decision"]} ${line["reason"]}`)
}
