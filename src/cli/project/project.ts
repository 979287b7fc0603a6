// Opens the project that the terminal is in.
import process from "node:process"
import type { Boulder } from "../../boulder/boulder.ts"
import { cleanLine } from "../../plan/model/foreign-text.ts"
import { starting } from "../../prompts/typed-command.ts"
import { findProjectRoot } from "../../store/disk/project-root.ts"
import { readForeignText } from "../../store/disk/read-foreign-text.ts"
import { type KeptSaves, keptSaves } from "../../store/fleet/kept-saves.ts"
import { openFileHandoffStore } from "../../store/handoffs/handoff-file-store.ts"
import type { HandoffStore } from "../../store/handoffs/handoff-store.ts"
import { placeOfPlans } from "../../store/plans/plan-path.ts"
import { openSayingStore } from "../../store/records/noticing-store.ts"
import { openProjectFiles, type ProjectFiles } from "../../store/records/project-files.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { wrapLine } from "../views/columns.ts"
import { configPlaces } from "./config-files.ts"

/** The project that a command works on. */
export interface Project extends ProjectFiles {
  /** Where plans found by name are kept, as a path from the terminal's folder. */
  readonly planPlace: string
  readonly handoffs: HandoffStore
  /** Handoffs that were saved here and are not in the database that the project shares; null if there are none. */
  keptSaves(): Promise<KeptSaves | null>
}

/** Opens the project that the terminal is in; nothing is created. The store's notices go to stderr and the journal. */
export async function openProject({ cwd, now, err }: Terminal): Promise<Project> {
  const root = await findProjectRoot(cwd)
  const files = openProjectFiles({ root, now })
  const tell = (message: string) => err(`Note: ${cleanLine(message)}\n`)
  return {
    ...files,
    planPlace: placeOfPlans({ root, directory: cwd }),
    store: openSayingStore({ ...files, tell }),
    handoffs: await openGivenHandoffs({ root, cwd, now }),
    keptSaves: () => keptSaves(files.records),
  }
}

/**
 * Opens the handoffs of a project as its plugin does: files, or the PostgreSQL that the option `handoffs` names in the first file that
 * names the plugin. PostgreSQL code is loaded only if a configuration asks for it.
 */
async function openGivenHandoffs(given: {
  readonly root: string
  readonly cwd: string
  readonly now: () => number
}): Promise<HandoffStore> {
  const { files } = configPlaces(given, process.env, null)
  const texts = await Promise.all(files.map(async (file) => (await readForeignText(file)) ?? ""))
  if (!texts.some((text) => text.includes("postgres"))) return openFileHandoffStore(given)
  const { fleetOptionIn } = await import("./fleet-option-in.ts")
  const asked = files.map((file, index) => fleetOptionIn(texts[index] ?? "", file))
  const option = (await Promise.all(asked)).find((found) => found !== null)
  if (option === undefined || option.store !== "postgres") return openFileHandoffStore(given)
  const { openFleetHandoffs } = await import("../../store/fleet/open-handoffs.ts")
  return openFleetHandoffs(option, given)
}

/** The current state. */
export async function readBoulder(project: Project): Promise<Boulder | null> {
  return (await project.store.read()).boulder
}

/** Said if no work was ever started, wrapped to the terminal. */
export function nothingStarted(
  project: Project,
  { typed, columns }: Pick<Terminal, "typed" | "columns">,
): string {
  return wrapLine(nothingStartedText(project, { typed }), columns()).join("\n")
}

/** The same as one line, for an error: whoever shows it wraps it. */
export function nothingStartedText(
  { planPlace }: Project,
  { typed }: Pick<Terminal, "typed">,
): string {
  return `No work was started here yet. If you have no plan yet, write one to ${planPlace} first. To start one: ${starting(typed, { as: "<plan>" })}`
}
