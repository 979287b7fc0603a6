import { expect, test } from "bun:test"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { inSections, LEAD, started, ticked } from "../support/long-run-project.ts"
import { withFolder } from "../support/store-folder.ts"

const REPO = join(import.meta.dir, "../..")

/** The names in the first column of STORE.md's list of files, each as a pattern. */
async function listed(): Promise<readonly RegExp[]> {
  const page = await readFile(join(REPO, "docs/STORE.md"), "utf8")
  const [, section = ""] = page.split("## Files in `.boulder/`\n")
  const [table = ""] = section.split("\n## ")
  const cells = table.split("\n").filter((row) => row.startsWith("| `"))
  return cells
    .flatMap((row) => [...row.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name))
    .map((name) => {
      const pattern = name.replaceAll(".", "\\.").replaceAll(/<[\w ]+>/g, "[\\w.-]+")
      return new RegExp(`^${pattern.endsWith("/") ? `${pattern}.+` : pattern}$`)
    })
}

test("every file that a run leaves is in the list of STORE.md, and every name that the sources write", () =>
  withFolder(async (root) => {
    const plan = inSections(4)
    const { plugin, edit } = await started(root, plan)
    await plugin.use(LEAD, "task", { description: "todo:1" })
    for (const last of [1, 2, 3, 4]) {
      await edit(ticked(plan, ...Array.from({ length: last }, (_, at) => at + 1)))
      await plugin.use(LEAD, "bash")
      await plugin.fallIdle(LEAD)
    }
    await Bun.sleep(1_200)
    const patterns = await listed()
    expect(patterns.length).toBeGreaterThan(15)
    const found = await readdir(join(root, ".boulder"), { recursive: true, withFileTypes: true })
    const files = found
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + "/.boulder/".length))
    expect(files.length).toBeGreaterThan(6)
    expect(files.filter((file) => !patterns.some((pattern) => pattern.test(file)))).toEqual([])
    await plugin.hooks.dispose?.()

    const page = await readFile(join(REPO, "docs/STORE.md"), "utf8")
    for (const file of await readdir(join(REPO, "src/store/records"))) {
      const text = await readFile(join(REPO, "src/store/records", file), "utf8")
      for (const [, name = ""] of text.matchAll(/[`"](?:works\/\$\{\w+\}\/)([\w.]+)/g))
        expect(page).toContain(`works/<id>/${name}`)
    }
  }))
