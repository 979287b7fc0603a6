// Gathers what was recorded about a work's checks, by the tasks of its plan as it is now.
import { type CheckRun, type ProofEntry, WHOLE_TREE } from "../../boulder/proof-entry.ts"
import type { Plan, Task } from "../../plan/model/plan.ts"
import { keepBack, keepBegun } from "./delegated-trees.ts"
import { checksAfter, ownersIn, ownersOf, ownersThen } from "./known-checks.ts"
import { claimLoose, keepLoose, looseOf, takeLoose, untoldIn } from "./loose-writes.ts"
import { idOf, isClaim, namesIn } from "./proof-names.ts"
import { noFacts, type OrderedRun, type OwnFacts, type ProofFacts } from "./proof-record.ts"
import { isProse } from "./prose.ts"
import { isOpen, lastRunOf } from "./stale-runs.ts"

/** Gathers the records, in their order, by the tasks of a plan. */
export function gatherProof(plan: Pick<Plan, "tasks">, entries: readonly ProofEntry[]): ProofFacts {
  const idFor = namesIn(plan, entries)
  const facts = noFacts(ownersIn(plan))
  /** When the look took place that saw the last ticks; null if something followed them. */
  let sealedAt: string | null = null
  let lastTick = -1
  const taken = new Set<string>()
  const open = (): void => {
    if (sealedAt === null) return
    for (const id of taken) takeLoose(facts.loose, id, facts.bySubagent.has(id))
    taken.clear()
    facts.since = lastTick
    sealedAt = null
  }
  for (const [at, entry] of entries.entries()) {
    if (entry.kind === "call") continue
    const isTick = entry.kind === "approved" || isClaim(entry)
    // Ticks found by one look share what was written before them; ticks that merely follow each other do not.
    if (isTick) {
      if (entry.at !== sealedAt) open()
      sealedAt = entry.at
      lastTick = at
      taken.add(idFor(entry))
    } else if (entry.kind !== "checks" && entry.kind !== "tick") open()
    note(facts, entry, idFor(entry), at)
  }
  open()
  return facts
}

function note(
  facts: ProofFacts,
  entry: Exclude<ProofEntry, { readonly kind: "call" }>,
  id: string,
  at: number,
): void {
  switch (entry.kind) {
    case "tick":
    case "approved":
      noteTick(facts, entry, id)
      return
    case "reopened":
      facts.ticked.delete(id)
      facts.reopened.set(id, at)
      return
    case "checks":
      facts.checks.set(id, checksAfter(facts.checks.get(id), entry))
      return
    case "run":
      facts.checked.set(id, at)
      keepRun(facts, id, { fact: entry, at, wasShared: ownersThen(facts, entry.check).size > 1 })
      if (id === "") noteClaim(facts, entry)
      break
    case "begun":
      keepBegun(facts.delegated, id, entry.tree)
      return
    case "write":
      noteWrite(facts, id, entry.path, at)
      break
    case "back":
      keepBySubagent(facts, id)
      keepBack(facts.delegated, id, entry.tree ?? null)
      break
  }
  if (id !== "" && !facts.begun.has(id)) facts.begun.set(id, at)
}

function noteTick(facts: ProofFacts, entry: ProofEntry, id: string): void {
  const tier = entry.kind === "tick" ? entry.tier : "approved"
  facts.ticked.set(id, tier)
  if (tier === "before") return
  if (tier !== "approved" && tier !== "proven") facts.told.add(id)
  for (const [path, first] of looseNow(facts, id)) keepWrite(facts, id, path, first)
  // A task without files is stale by whatever the lead wrote last.
  const { lastOfLead, checks } = facts
  const isStale = checks.get(id)?.now.some((check) => {
    const run = lastRunOf(facts, check, { id, begun: -1 })
    return run !== null && lastOfLead !== null && run.at < lastOfLead.at
  })
  if (isStale && isOpen(facts, id) && !facts.written.has(id) && lastOfLead !== null)
    keepWrite(facts, id, lastOfLead.path, lastOfLead.at)
  facts.untested.delete(id)
  const untold = untoldIn(facts.loose)
    .filter((path) => !isProse(path))
    .map((path) => ({ path, at: facts.lastWrite.get(path) ?? -1 }))
  const last = untold.toSorted((a, b) => a.at - b.at).at(-1)
  if (last !== undefined && isOpen(facts, id)) facts.untested.set(id, last)
  if (!facts.behind.has(id)) facts.behind.set(id, facts.since)
}

function noteWrite(facts: ProofFacts, id: string, path: string, at: number): void {
  if (path === "") {
    if (id !== "") facts.elsewhere.add(id)
    return
  }
  facts.lastWrite.set(path, at)
  if (id !== "") {
    keepWrite(facts, id, path, at)
    keepBySubagent(facts, id, path)
  } else keepLooseOf(facts, path, at)
}

/** What the subagent of an open task has written stays with that task. */
function keepLooseOf(facts: ProofFacts, path: string, at: number): void {
  if (!isProse(path)) facts.lastOfLead = { path, at }
  const by = [...facts.bySubagent].some(([id, paths]) => paths.has(path) && isOpen(facts, id))
  if (path !== WHOLE_TREE && !by) keepLoose(facts.loose, path, at)
}

/**
 * A run by the lead says whose the files are that it wrote. A check that several tasks have speaks for those that a subagent has worked on;
 * the others get the files that are not assigned yet.
 */
function noteClaim(facts: ProofFacts, { check }: CheckRun): void {
  const then = ownersThen(facts, check)
  const owners = [...(then.size > 0 ? then : ownersOf(facts, check))]
  const isOne = owners.length === 1
  const asked = owners.filter((id) => isOpen(facts, id) && (isOne || facts.bySubagent.has(id)))
  const isSaid = !isOne && facts.loose.tried.size > 0
  if (asked.length === 0 || isSaid) return
  claimLoose(facts.loose, asked, {
    isDelegated: (id) => facts.bySubagent.has(id),
    hasOwn: (id) => (facts.written.get(id)?.size ?? 0) > 0,
  })
  const [only] = isOne ? asked : []
  const [begun] = only === undefined ? [] : looseNow(facts, only).values()
  if (only !== undefined && begun !== undefined && !facts.begun.has(only))
    facts.begun.set(only, begun)
}

/** What the lead has written for a task, as far as is known. */
function looseNow({ loose, bySubagent }: ProofFacts, id: string): ReadonlyMap<string, number> {
  return looseOf(loose, id, bySubagent.has(id))
}

function keepRun({ runs }: ProofFacts, id: string, run: OrderedRun): void {
  const { check } = run.fact
  const of = runs.get(check) ?? new Map<string, OrderedRun>()
  runs.set(check, of.set(id, run))
}

function keepWrite({ written }: ProofFacts, id: string, path: string, at: number): void {
  const of = written.get(id) ?? new Map<string, number>()
  written.set(id, of)
  if (!of.has(path)) of.set(path, at)
}

/** A task is delegated if a subagent has returned a result or written a file for it. */
function keepBySubagent({ bySubagent }: ProofFacts, id: string, path?: string): void {
  const of = bySubagent.get(id) ?? new Set<string>()
  if (path !== undefined) of.add(path)
  bySubagent.set(id, of)
}

/** The facts about one task: its own, and what the lead has written since the ticks before its own. */
export function ownFacts(facts: ProofFacts, task: Task): OwnFacts {
  const id = idOf(task)
  const kept = facts.written.get(id) ?? new Map<string, number>()
  const isTicked = facts.ticked.has(id)
  const written = isTicked ? kept : new Map([...looseNow(facts, id), ...kept])
  const since = (isTicked ? facts.behind.get(id) : undefined) ?? facts.since
  return { id, written, begun: facts.begun.get(id) ?? since }
}
