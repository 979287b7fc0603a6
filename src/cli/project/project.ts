// Opens the project that the terminal is in.
import type { Boulder } from "../../boulder/boulder.ts"
import { cleanLine } from "../../plan/model/foreign-text.ts"
import { starting } from "../../prompts/typed-command.ts"
import { findProjectRoot } from "../../store/disk/project-root.ts"
import { type KeptSaves, keptSaves } from "../../store/fleet/kept-saves.ts"
import type { HandoffStore } from "../../store/handoffs/handoff-store.ts"
import { placeOfPlans } from "../../store/plans/plan-path.ts"
import { openSayingStore } from "../../store/records/noticing-store.ts"
import { openProjectFiles, type ProjectFiles } from "../../store/records/project-files.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { wrapLine } from "../views/columns.ts"
import { openGivenHandoffs } from "./given-handoffs.ts"

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
