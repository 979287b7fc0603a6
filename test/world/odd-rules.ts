// Rules for what seldom happens.
import { firstBroken, type Invariant } from "./invariant.ts"
import type { Ledger } from "./ledger.ts"

const notFromBelow: Invariant = {
  name: "no subagent writes the plan",
  // If host or disk do not say whose session it is, the guard lets it pass.
  broken: ({ ledger: { editedBelow, isBlind } }) =>
    editedBelow.length === 0 || isBlind ? null : `${editedBelow[0]} has edited it`,
}

const atTheMoment: Invariant = {
  name: "an act has its effect, and an exit code is what plan and work say",
  broken: ({ ledger: { wrong } }) => wrong[0] ?? null,
}

const optionsKept: Invariant = {
  name: "a wrong option resets itself and no other",
  broken: ({ begin, ledger }) =>
    begin.options["reuse"] === "off"
      ? firstBroken(ledger.news, ({ text, where }) =>
          text.includes("Preferred reuse session") ? `${where}: a hint, with reuse "off"` : null,
        )
      : null,
}

const HINT = /Preferred reuse session for (\S+): (ses_\w+) \(([^)]*)\)/g

const fittingAgent: Invariant = {
  name: "a session of another agent is offered with its agent",
  broken: ({ ledger }) =>
    firstBroken(ledger.news, ({ text, where, titles }) =>
      firstBroken([...text.matchAll(HINT)], ([, key = "", id = "", how = ""]) => {
        const named = titles.get(key) ?? []
        const agents = agentsOf(ledger, id, named)
        const isFit = agents.some((agent) =>
          agent === "general" ? !how.includes("task_id for") : how.includes(agent),
        )
        return isFit || agents.length === 0
          ? null
          : `${where}: ${id} has run as ${agents.join(" or ")} for it; the hint says (${how})`
      }),
    ),
}

/**
 * The agents that a session has run as for a task: in the last call that named it in words, and in those that were running then or came
 * later.
 */
function agentsOf(ledger: Ledger, id: string, titles: readonly string[]): readonly string[] {
  const isOfTask = (one: string | null) => one !== null && titles.includes(one)
  const calls = ledger.calls.filter(
    ({ child, state, names }) => child === id && state === "returned" && names.some(isOfTask),
  )
  const said = calls.findLast(
    ({ names, unsaid, isOfLead }) => isOfLead && names.slice(unsaid).some(isOfTask),
  )
  return calls.filter(({ backAt }) => backAt >= (said?.at ?? 0)).map(({ agent }) => agent)
}

const yoursLast: Invariant = {
  name: "a caller's own blocks are listed last",
  broken: ({ ledger }) =>
    firstBroken(ledger.news, ({ text, where }) => {
      if (where !== "after list_blocked_tasks") return null
      const isYours = text
        .split("\n")
        .filter((line) => line.startsWith("- "))
        .map((line) => /\byours, /.test(line))
      const first = isYours.indexOf(true)
      return first < 0 || isYours.slice(first).every(Boolean)
        ? null
        : `${where}: the caller's own stands above another's`
    }),
}

const approvalCounts: Invariant = {
  name: "an approving act counts whenever it comes",
  broken: ({ ledger, work, parking, isHoldingEvents, hosts }) => {
    const { approvalDue: due } = ledger
    // An answer that is still on its way is for the wave that it was given to.
    const isOther = isHoldingEvents && work?.awaiting_approval?.fingerprint !== due
    if (isOther) ledger.approvalDue = null
    if (due === null || parking.waiting() > 0 || isHoldingEvents) return null
    ledger.approvalDue = null
    return work?.approved_wave === due || ledger.isBlind || hosts.size === 0
      ? null
      : "the user has answered Approve; the wave does not count as approved"
  },
}

const spokenIsHeard: Invariant = {
  name: "what the user says behind a stop lifts it",
  broken: ({ ledger, work, parking, isHoldingEvents, homes, hosts }) => {
    if (work?.pause_reason !== "aborted" || parking.waiting() > 0 || isHoldingEvents) return null
    const lead = work.lead_session_id
    const home = homes.get(lead)
    if (home === undefined || !hosts.has(home) || hosts.size > 1 || ledger.isBlind) return null
    const { hasSpoken, closed } = ledger.told(home, lead)
    return hasSpoken && closed === null
      ? "the work is paused as aborted; the user has written since"
      : null
  },
}

const damageIsSaid: Invariant = {
  name: "a damaged task state is said to the user",
  broken: ({ disk, ledger, parking }) => {
    if (ledger.damaged.size === 0 || parking.waiting() > 0 || ledger.isBlind) return null
    const journal = disk.textOf(".boulder/journal.jsonl") ?? ""
    const isFound = journal.includes('"decision":"notice","reason":"corrupt"')
    const isAside = disk.paths().some((path) => /sessions\/.*\.corrupt-/.test(path))
    return (isFound || isAside) &&
      !ledger.toasts.some((toast) => toast.includes("to hold a task state"))
      ? "it was found, or put aside; the user was not told"
      : null
  },
}

/** What must hold when rare things happen. */
export const ODD_RULES: readonly Invariant[] = [
  notFromBelow,
  atTheMoment,
  optionsKept,
  fittingAgent,
  yoursLast,
  approvalCounts,
  spokenIsHeard,
  damageIsSaid,
]
