// What must hold where seldom things happen.
import { firstBroken, type Invariant } from "./invariant.ts"

const notFromBelow: Invariant = {
  name: "no subagent writes the plan",
  // Where host or disk do not say whose session it is, the guard lets it pass.
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
        const call = ledger.calls.findLast(
          ({ child, state, names }) =>
            child === id && state === "returned" && names.some((one) => one && named.includes(one)),
        )
        const agent = call?.agent ?? "general"
        return agent === "general" || how.includes(agent)
          ? null
          : `${where}: ${id} has run as ${agent} for it; nothing says so`
      }),
    ),
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

/** What must hold where seldom things happen. */
export const ODD_RULES: readonly Invariant[] = [
  notFromBelow,
  atTheMoment,
  optionsKept,
  fittingAgent,
  yoursLast,
]
