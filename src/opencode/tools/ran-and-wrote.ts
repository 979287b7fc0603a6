// Finds what a tool call has run and written, as far as its words, its exit code, the plan and the tree show.
import { homedir } from "node:os"
import { isAbsolute, join, resolve } from "node:path"
import { WHOLE_TREE } from "../../boulder/proof-entry.ts"
import type { BegunCall, PlanChecks } from "../../decide/memory/host-event.ts"
import { checkRun, type RunOutcome } from "../../decide/shell/check-run.ts"
import {
  type CheckSpan,
  type CommandWrite,
  countedWrites,
  filesWritten,
  reachOf,
  spanOfCheck,
} from "../../decide/shell/files-written.ts"
import { inOwnFolder } from "../../decide/shell/find-check.ts"
import type { ToolCall } from "../../decide/tool-call.ts"
import type { Shell } from "../host/shell.ts"
import { seeTree, type TreeSeen, unsaid } from "./tested-tree.ts"
import { writtenNames } from "./write-guard.ts"

interface Written {
  readonly kind: "write"
  readonly path: string
  readonly tree?: string | null
}

interface CheckSeen {
  readonly kind: "run"
  readonly check: string
  readonly outcome: RunOutcome
  readonly exit: number | null
  readonly tree: string | null
}

/** What a call has left. */
export interface Seen<Entry = Written | CheckSeen> {
  readonly entries: readonly Entry[]
  /** Whether a tool wrote the plan, or the plan was different after a command. */
  readonly hasEditedPlan: boolean
}

/**
 * What a call has run and written, as far as its words and the tree show. A write that the words do not state for sure counts if the tree
 * has moved, and so does a command that can have done anything. What a command does after a check that it runs counts as untested, unless
 * the tree is as it was before and nothing was written before the check.
 */
export async function ranAndWrote(
  shell: Shell,
  { leadId, known, tested: { isTested: isWaiting, isOld }, begun }: Watched,
  { call, command, exit }: Ran,
): Promise<Seen> {
  const { plan } = known
  if (command === null) return wroteByTool(shell, { leadId, known, isWaiting }, call)
  const runs = await runsOf(shell, known, { command, exit, folder: call.folder() })
  const wrote = filesWritten(command, call.folder())
  const reach = reachOf(command, known.commands)
  const isRun = runs.length > 0
  const isPassed = runs.some(({ outcome }) => outcome === "passed")
  const isDoubtful = wrote.some(({ how }) => how !== "surely")
  const isAsked = isRun || isDoubtful || (isWaiting && reach !== "nothing")
  const kept = { isKept: isPassed || isWaiting, isFresh: isRun }
  const seen = isAsked ? await seeTree(shell, { leadId, plan }, kept) : UNASKED
  const { tree } = seen
  const hasMoved = movedIn(begun?.tree ?? null, seen)
  const all = allIn(shell, seen, isRun)
  const spans = runs.map(({ span }) => span)
  const { written, isBehind } = countedWrites(wrote, spans, hasMoved)
  const paths = written.map(({ path }) => path)
  const names = await namesOf(shell, paths, plan)
  const entriesOf = (some: readonly CommandWrite[]) => writesIn(some, { names, all, plan })
  const isUnsaid = seen.hasMoved === true && isUntold(reach, isRun, isOld)
  const from = Math.min(...spans.map(({ to }) => to))
  const behind = reachOf(command, known.commands, from)
  const isUntested = behind === "anything" && tree !== null && hasMoved !== false
  return {
    entries: [
      ...withTree([...entriesOf(written), ...(isUnsaid ? all : [])], seen),
      ...runs.map(({ span: _, ...run }) => ({ ...run, kind: "run" as const, tree })),
      ...withTree([...entriesOf(written.filter(isBehind)), ...(isUntested ? [ALL] : [])], seen),
    ],
    hasEditedPlan:
      [...names.values()].includes(plan) ||
      (begun?.hash !== undefined && begun.hash !== known.hash),
  }
}

/** Whether a call has written into the project, by its words alone. What it changes in the plan that is led shows in the plan's marks. */
export async function wroteSource(shell: Shell, call: ToolCall, plan: string): Promise<boolean> {
  const told = countedWrites(filesWritten(call.command() ?? "", call.folder()), [], null).written
  const paths = call.kind === "write" ? call.paths() : told.map(({ path }) => path)
  const names = [...(await namesOf(shell, paths, plan)).values()]
  return writesOf(names, plan).some(({ path }) => path !== "")
}

/** Whether a command has moved the tree since it began, or else since the tree was last seen. Null if that is unknown. */
function movedIn(begun: string | null, { tree, hasMoved }: TreeSeen): boolean | null {
  return begun === null || tree === null ? hasMoved : begun !== tree
}

/** The writes that some words stand for. If the words mean all files, but only likely, `all` takes their place. */
function writesIn(
  some: readonly CommandWrite[],
  {
    names,
    all,
    plan,
  }: {
    readonly names: ReadonlyMap<string, string>
    readonly all: readonly Written[]
    readonly plan: string
  },
): readonly Written[] {
  const paths = some.flatMap(({ path, how }) => {
    const name = names.get(path)
    if (name === undefined) return []
    return name === WHOLE_TREE && how !== "surely" ? all.map((one) => one.path) : [name]
  })
  return writesOf(paths, plan)
}

const ALL: Written = { kind: "write", path: WHOLE_TREE }

/**
 * What stands for all files: the files that git names. But if a check ran, it is the whole tree: git knows nothing about what moved before
 * the check and may have moved back after it.
 */
function allIn(shell: Shell, { before, tree, hasMoved }: TreeSeen, isRun: boolean) {
  return isRun || hasMoved !== true ? [ALL] : unsaid(shell, before, tree)
}

/** The checks that a command has run in the work's own tree. What runs in another folder belongs to another project. */
async function runsOf(
  shell: Shell,
  { commands, plan }: PlanChecks,
  {
    command,
    exit,
    folder,
  }: Pick<Ran, "exit"> & { readonly command: string; readonly folder: string },
) {
  const runs = commands.flatMap((check): readonly RunSeen[] => {
    const whole = runOf(command, check, { exit, folder })
    if (whole !== null) return [{ check, exit, ...whole, asked: null }]
    const own = inOwnFolder(check)
    const part = own && runOf(command, own.command, { exit, folder })
    if (own === null || part === null) return []
    // If the check occurs twice, nobody knows which run is in that folder.
    const outcome = isOnce(command, own.command) ? part.outcome : "unknown"
    return [{ check, exit, ...part, outcome, asked: join(own.folder, "file") }]
  })
  // A file in that folder has a name in the tree; the tree's own folder has none.
  const fileIn = ({ span }: RunSeen): string => join(span.folder, "file")
  const files = runs.flatMap((run) => [fileIn(run), run.asked ?? fileIn(run)])
  const names = await namesOf(shell, files, plan)
  return runs.flatMap((seen) => {
    const { asked, ...run } = seen
    const name = names.get(fileIn(seen)) ?? ""
    return (asked === null ? !isAbsolute(name) : name === names.get(asked)) ? [run] : []
  })
}

/** A run of a check. `asked` is a file in the folder that the check must run in, if that is not the folder its words give; else null. */
interface RunSeen extends Pick<CheckSeen, "check" | "outcome" | "exit"> {
  readonly span: CheckSpan
  readonly asked: string | null
}

function runOf(
  command: string,
  check: string,
  { exit, folder }: { readonly exit: number | null; readonly folder: string },
): Pick<RunSeen, "outcome" | "span"> | null {
  const outcome = checkRun(command, check, exit)
  if (outcome === null) return null
  return { outcome, span: spanOfCheck(command, check, folder) ?? { ...ANYWHERE, folder } }
}

function isOnce(command: string, check: string): boolean {
  const spaced = (text: string): string => text.trim().replace(/\s+/g, " ")
  return spaced(command).split(spaced(check)).length === 2
}

/** The span of a check that is not found among the command's words: nothing comes after it. */
const ANYWHERE = { from: 0, own: -1, to: Number.POSITIVE_INFINITY }

async function wroteByTool(
  shell: Shell,
  { leadId, known, isWaiting }: Pick<Watched, "leadId" | "known"> & { readonly isWaiting: boolean },
  call: ToolCall,
): Promise<Seen> {
  const names = [...(await namesOf(shell, call.paths(), known.plan)).values()]
  const entries = writesOf(names, known.plan)
  const hasEditedPlan = names.includes(known.plan)
  const isAsked = isWaiting && entries.some(({ path }) => path !== "")
  const kept = { isKept: true, isFresh: false }
  const seen = isAsked ? await seeTree(shell, { leadId, plan: known.plan }, kept) : UNASKED
  return { entries: withTree(entries, seen), hasEditedPlan }
}

/** Whether no words say what has moved the tree. After an earlier process was killed, only a named write says it. */
function isUntold(reach: ReturnType<typeof reachOf>, isRun: boolean, isOld: boolean): boolean {
  return isOld ? isRun || reach !== "told" : reach === "anything" && !isRun
}

function withTree(writes: readonly Written[], { tree }: TreeSeen): readonly Written[] {
  return tree === null ? writes : writes.map((one) => ({ ...one, tree }))
}

const UNASKED: TreeSeen = { tree: null, before: null, hasMoved: null }

interface Watched {
  readonly leadId: string
  readonly known: PlanChecks
  readonly tested: { readonly isTested: boolean; readonly isOld: boolean }
  /** How things were when the call began; undefined if nobody has seen that. */
  readonly begun: BegunCall | undefined
}

interface Ran {
  readonly call: ToolCall
  readonly command: string | null
  readonly exit: number | null
}

/** The name by which each path is judged. */
async function namesOf(
  shell: Shell,
  paths: readonly string[],
  plan: string,
): Promise<ReadonlyMap<string, string>> {
  const all = [...new Set(paths)]
  const full = all.map((path) => path.replace(/^~(?=\/|$)/, homedir()))
  const names = await writtenNames(shell, { paths: () => full }, plan)
  const root = resolve(shell.root)
  return new Map(
    names.map((name, at) => [all[at] ?? name, resolve(name) === root ? WHOLE_TREE : name]),
  )
}

function writesOf(names: readonly string[], plan: string): readonly Written[] {
  return [...new Set(names)]
    .filter((path) => path !== plan)
    .map((path) => ({ kind: "write", path: isSource(path) ? path.slice(-512) : "" }))
}

/** Our own files are not the work of a task, and what lies outside the project is not part of its tree. */
function isSource(path: string): boolean {
  return !path.startsWith(".boulder/") && path !== ".boulder" && !isAbsolute(path)
}
