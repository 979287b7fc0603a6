// What the doctor looks at in the project: folders, files of ours, plans, leftovers.
import type { Stats } from "node:fs"
import { access, constants, lstat, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { elapsedMs } from "../../boulder/iso-time.ts"
import { formatName } from "../../plan/formats.ts"
import { shellWord } from "../../prompts/shell-word.ts"
import type { Typed } from "../../prompts/typed-command.ts"
import { type FilePort, nodeFilePort } from "../../store/disk/file-port.ts"
import { errnoOf } from "../../store/disk/store-error.ts"
import { writerOf } from "../../store/disk/writer-identity.ts"
import { findPlans } from "../../store/plans/find-plans.ts"
import { readToMark } from "../../store/plans/read-plan-of.ts"
import { stateText, stateThere } from "../../store/records/state-there.ts"
import { parseBoulderFile } from "../../store/revisions/boulder-file.ts"
import type { Project } from "../project/project.ts"
import { keptLines } from "../views/handoff-view.ts"
import { bad, type Finding, fine, note } from "./finding.ts"
import { isRestorable } from "./is-restorable.ts"

const DAY_MS = 24 * 60 * 60 * 1_000
const MAX_PLANS = 50

/** Whether our folder can be written, and whether its file system has hard links, which every change needs. */
export async function folderFindings(
  root: string,
  files: Pick<FilePort, "link"> = nodeFilePort(),
): Promise<readonly Finding[]> {
  const folder = join(root, ".boulder")
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => null,
  )
  if (isFolder === false)
    return [bad("folder", `${folder} is a file`, "Move it away: it is in the way of our folder.")]
  const isThere = isFolder !== null
  const place = isThere ? folder : root
  const refusal = await access(place, constants.W_OK | constants.X_OK).then(
    () => null,
    (error: unknown) => errnoOf(error) ?? String(error),
  )
  if (refusal !== null)
    return [
      bad(
        "folder",
        `${place} cannot be written`,
        refusal === "EROFS"
          ? "Its file system is mounted read-only: mount it for writing, or keep the project elsewhere."
          : `Give yourself write permission: chmod u+rwx ${shellWord(place)}`,
      ),
    ]
  if (!isThere) return [fine("folder", `${root} can be written; nothing was started in it yet`)]
  return [fine("folder", `${folder} can be written`), await linkFinding(folder, files)]
}

async function linkFinding(folder: string, files: Pick<FilePort, "link">): Promise<Finding> {
  const test = await mkdtemp(join(folder, "doctor-"))
  try {
    await writeFile(join(test, "one"), "")
    await files.link(join(test, "one"), join(test, "two"))
    return fine("links", "its file system has hard links")
  } catch (error) {
    return bad(
      "links",
      `its file system has no hard links (${error instanceof Error ? error.message : String(error)})`,
      "Keep the project on a local disk (ext4, xfs, btrfs, APFS, NTFS, tmpfs).",
    )
  } finally {
    await rm(test, { recursive: true, force: true })
  }
}

/** Whether each of our records can be read and has arrived where it belongs. `now` in ms. */
export async function recordFindings(project: Project, now: number): Promise<readonly Finding[]> {
  const { archive, handoffs, journal, taskStates } = project
  const { unreadable: records, old } = await handoffs.open()
  const away = old === undefined ? [] : [bad("handoffs", "their database could not be asked", old)]
  const unreadable = [
    ...records,
    ...(await archive.list()).unreadable.map((name) => `.boulder/works/${name}/work.json`),
    ...(await taskStates.list()).unreadable.map(({ path }) => `.boulder/${path}`),
  ]
  const { skipped } = await journal.readLast(1_000)
  const lines =
    skipped === 0
      ? []
      : [
          note(
            "journal",
            `${skipped} of the last lines of the journal cannot be read`,
            "Nothing needs to be done: they are skipped.",
          ),
        ]
  const others = unreadable.map((path) =>
    bad("records", `${path} cannot be read and is skipped`, "Fix it, or remove it."),
  )
  const alone = handoffs.alone
    ? [
        note(
          "handoffs",
          "handoffs are shared with no other machine: git told no remote `origin`",
          "Add the remote, or set handoffs.scope.",
        ),
      ]
    : []
  const isShared = handoffs.forCall !== undefined
  const unsent = keptLines(await project.keptSaves(), { isShared, now }).map(({ says, todo }) =>
    note("handoffs", says.replace(/\.$/, ""), todo),
  )
  return [...others, ...away, ...alone, ...unsent, ...lines]
}

/** Whether the state can be read, by the store's own reader; throws what that throws. */
export async function boulderFinding(
  { root, store }: Pick<Project, "root" | "store">,
  now: number,
): Promise<Finding> {
  const files = nodeFilePort()
  const text = await stateText(root, files)
  if (text === null) return fine("state", "no work was started here yet")
  const found = parseBoulderFile(text)
  if (found.kind === "valid") {
    const works = Object.keys(found.boulder.works).length
    return fine("state", `boulder.json is valid: ${works === 1 ? "1 work" : `${works} works`}`)
  }
  if (found.kind === "newer")
    return bad(
      "state",
      `boulder.json was written by a newer version (schema ${found.version})`,
      "Update opencode-boulder.",
    )
  const says = `boulder.json is damaged: ${found.problem}`
  if (!(await isRestorable(files, { root, found: text, now })))
    return bad(
      "state",
      says,
      "There is no good copy. Repair it by hand, or move .boulder/boulder.json* away to start over.",
    )
  return bad(
    "state",
    says,
    "The next command, or --fix, moves it aside and restores the last good state.",
    async () => {
      await store.read()
      return "boulder.json was moved aside, and the last good state is restored"
    },
  )
}

/** How each plan of the project is read; of too many plans, only that there are more. */
export async function planFindings(
  { root, plans, planPlace }: Project,
  typed: Typed,
): Promise<readonly Finding[]> {
  const { paths } = await findPlans(root, await stateThere(root))
  if (paths.length === 0)
    return [
      note(
        "plans",
        "no plan was found",
        `Write one to ${planPlace}, or give the path of any other file: ${typed("plan", { as: "<file>" })}`,
      ),
    ]
  const findings = paths.slice(0, MAX_PLANS).map(async (path) => {
    const reading = await readToMark(plans, path)
    const look = `See how it is read: ${typed("plan", path)}`
    if (reading.kind === "unavailable") return note("plans", reading.message, look)
    const { plan } = reading
    const tasks = plan.counts.total === 1 ? "1 task" : `${plan.counts.total} tasks`
    const says = `${path}: ${formatName(plan.dialect)}, ${tasks}`
    if (plan.state === "invalid") return note("plans", says, look)
    return fine("plans", says)
  })
  const left = paths.length - MAX_PLANS
  const rest =
    left > 0
      ? [fine("plans", `${left === 1 ? "1 more plan is" : `${left} more plans are`} not read here`)]
      : []
  return [...(await Promise.all(findings)), ...rest]
}

/** The folder of our own test of links. */
const TEST_FOLDER = /^doctor-[A-Za-z0-9]{6}$/
/** A file of ours that was about to be renamed: its name begins with a dot or, next to a plan, with our prefix, and names the write. */
const LEFT_FILE = /\.(?:boulder-)?([0-9a-z-]+)\.(?:tmp|copy)$/
const ROTATING = /^journal\.jsonl\.[0-9a-f]+\.rotating$/

/** Whether a name in our folder, or next to a plan, is a leftover of ours; anything else there belongs to the user. */
function isLeft(name: string, found: Stats, isOurFolder: boolean): boolean {
  if (found.isDirectory()) return isOurFolder && TEST_FOLDER.test(name)
  const isRotating = isOurFolder && ROTATING.test(name)
  return found.isFile() && (isRotating || writerOf(LEFT_FILE.exec(name)?.[1] ?? "") !== null)
}

const OURS = ".boulder"
const ASIDE = /^boulder\.json\.corrupt-/

/** Leftovers of a crash that are older than a day, and states that were moved aside. `now` in ms. */
export async function leftoverFindings(root: string, now: number): Promise<readonly Finding[]> {
  const { paths } = await findPlans(root, await stateThere(root))
  const old: string[] = []
  for (const folder of new Set([OURS, ...paths.map((path) => dirname(path))]))
    for (const name of await namesIn(root, folder)) {
      const path = join(folder, name)
      const found = await lstat(join(root, path)).catch(() => null)
      if (found === null || !isLeft(name, found, folder === OURS)) continue
      if (elapsedMs(found.mtimeMs, now) > DAY_MS) old.push(path)
    }
  const aside = (await namesIn(root, OURS)).filter((name) => ASIDE.test(name))
  const left = old.length === 1 ? "1 temporary file is" : `${old.length} temporary files are`
  return [
    old.length === 0
      ? fine("leftovers", "no leftovers")
      : note(
          "leftovers",
          `${left} left over from a crash: ${old.slice(0, 3).join(", ")}`,
          "Remove them, or let --fix do it.",
          async () => {
            for (const path of old) await rm(join(root, path), { recursive: true, force: true })
            return `removed ${old.length === 1 ? "1 temporary file" : `${old.length} temporary files`}`
          },
        ),
    ...aside.map((name) =>
      note(
        "leftovers",
        `.boulder/${name} is a damaged state that was moved aside`,
        "Check whether you need anything from it, then remove it.",
      ),
    ),
  ]
}

async function namesIn(root: string, folder: string): Promise<readonly string[]> {
  return readdir(join(root, folder)).catch(() => [])
}
