import { execFileSync } from "node:child_process"
import { cpSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { REPO } from "./host-version.ts"
import { temporaryFolder } from "./temporary-folder.ts"

/** The plugin in a folder of its own, compiled file by file and not bundled, for a test to change. */
export interface PluginCopy {
  readonly folder: string
  /** Its built `store` folder. */
  readonly store: string
  /** For `plugin` of a host's options. */
  readonly url: string
}

export function copyPlugin(name: string): PluginCopy {
  const folder = temporaryFolder(name)
  const tsc = join(REPO, "node_modules", ".bin", "tsc")
  const project = join(REPO, "tsconfig.build.json")
  execFileSync(tsc, ["-p", project, "--outDir", join(folder, "dist")], { stdio: "pipe" })
  cpSync(join(REPO, "package.json"), join(folder, "package.json"))
  symlinkSync(join(REPO, "node_modules"), join(folder, "node_modules"))
  return {
    folder,
    store: join(folder, "dist", "store"),
    url: `file://${folder}`,
  }
}
