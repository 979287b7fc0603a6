import { describe, expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { withFolder } from "../../../test/support/store-folder.ts"
import type { HostName } from "../project/config-files.ts"
import { readHostConfig } from "./host-config.ts"

/** What is found of a plugin that one file names, which stands beside a project, a home and a folder of its own. */
const configured = (
  at: string,
  host: HostName | null,
  more: Record<string, string> = {},
  mark = "",
) =>
  withFolder(async (folder) => {
    const file = join(folder, at)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, `${mark}{ "plugin": ["oh-my-opencode"] }`)
    const root = join(folder, "project")
    const [HOME, named] = [join(folder, "home"), join(folder, "named")]
    const env = { HOME, KILO_CONFIG_DIR: named, OPENCODE_CONFIG_DIR: named, ...more }
    const { plugins } = await readHostConfig({ root, cwd: join(root, "app/web") }, env, host)
    return plugins.map(({ part, spec }) => `${part} ${spec}`)
  })

describe("a plugin in a file", () => {
  test.each([
    { at: "project/opencode.json", readBy: ["opencode", "kilo"] },
    { at: "project/.opencode/opencode.jsonc", readBy: ["opencode"] },
    { at: "project/app/web/opencode.json", readBy: ["opencode", "kilo"] },
    { at: "project/app/opencode.jsonc", readBy: ["opencode", "kilo"] },
    { at: "project/app/.opencode/opencode.json", readBy: ["opencode"] },
    { at: "home/.config/opencode/config.json", readBy: ["opencode"] },
    { at: "home/.config/opencode/opencode.json", readBy: ["opencode"] },
    { at: "named/opencode.json", readBy: ["opencode", "kilo"] },
    { at: "project/kilo.json", readBy: ["kilo"] },
    { at: "project/.kilo/kilo.jsonc", readBy: ["kilo"] },
    { at: "project/.kilocode/opencode.json", readBy: ["kilo"] },
    { at: "home/.config/kilo/opencode.json", readBy: ["kilo"] },
    { at: "home/.config/kilo/kilo.json", readBy: ["kilo"] },
    { at: "home/.kilo/kilo.json", readBy: ["kilo"] },
    { at: "named/kilo.json", readBy: ["kilo"] },
  ])(
    "$at is read by $readBy, and where it is not known which host runs",
    async ({ at, readBy }) => {
      for (const host of ["opencode", "kilo"] as const)
        expect([host, await configured(at, host)]).toEqual([
          host,
          readBy.join(" ").includes(host) ? ["server oh-my-opencode"] : [],
        ])
      expect(await configured(at, null)).toEqual(["server oh-my-opencode"])
    },
  )
  test("that OPENCODE_CONFIG names is read by opencode", async () => {
    const more = { OPENCODE_CONFIG: "../../mine.json" }
    expect(await configured("project/mine.json", "opencode", more)).toEqual([
      "server oh-my-opencode",
    ])
    expect(await configured("project/mine.json", "kilo", more)).toEqual([])
  })
  test("with a byte order mark is read as the hosts read it", async () => {
    expect(await configured("project/opencode.json", "opencode", {}, "\ufeff")).toEqual([
      "server oh-my-opencode",
    ])
  })
  test("of a folder beside the one that the host starts in is not read", async () => {
    expect(await configured("project/app/api/opencode.json", "opencode")).toEqual([])
  })
  test("of the panel is found in Kilo's folder", async () => {
    expect(await configured("home/.config/kilo/tui.json", "kilo")).toEqual(["panel oh-my-opencode"])
  })
})
