import { chmod, mkdir, readdir, rm } from "node:fs/promises"
import { dirname, join, normalize, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { noticeOf } from "./third-party.ts"

/**
 * Builds `dist`: the plugin and the command line with all that they import, so that an install brings this package
 * alone. What is loaded late in the sources is a chunk of its own. Not minified: a stack of frames can be read.
 */
const ROOT = fileURLToPath(new URL("..", import.meta.url))
const DIST = join(ROOT, "dist")

/** What opencode loads, without an import: its own types are those of `@opencode-ai/plugin`. */
const TYPES = `declare const plugin: {
  id: string
  server(input: unknown, options?: Record<string, unknown>): Promise<object>
  setup(ctx: object): Promise<void>
}
export default plugin
`

/** What its terminal interface loads. */
const TUI_TYPES = `declare const plugin: { id: string; tui(api: unknown): Promise<void> }
export default plugin
`

/** Commands that need little, and most of what there is; what a command loads beside that is its own. */
const USUAL = ["handoff-commands.ts", "status-command.ts"].map((file) =>
  join(ROOT, "src", "cli", "commands", file),
)
const COMMAND = /src\/cli\/(?:commands|doctor|proof|report)\/(?!handoff-)[a-z-]+-commands?\.ts$/

const { outputs, metafile } = await Bun.build({
  entrypoints: ["index.ts", "tui.ts", join("cli", "main.ts")].map((file) =>
    join(ROOT, "src", file),
  ),
  // The host gives the first two to its plugins, and its rewriting of imports needs to see them; who shares handoffs
  // over PostgreSQL installs the third.
  external: ["@opentui/solid", "solid-js", "pg"],
  root: join(ROOT, "src"),
  target: "node",
  splitting: true,
  metafile: true,
  // Otherwise packages give what they have for their own development.
  define: { "process.env.NODE_ENV": '"production"' },
  plugins: [
    {
      // What the same entries load is one file, and each file takes 0.4 ms of a start: all load what most of them need.
      name: "few files for what most commands need",
      async setup(build) {
        const { metafile } = await Bun.build({
          ...{ entrypoints: USUAL, root: ROOT, target: "node", packages: "external" },
          metafile: true,
        })
        const needed = Object.keys(metafile?.inputs ?? {}).map((file) => resolve(file))
        const withImports = (filter: RegExp, files: readonly string[]) =>
          build.onLoad({ filter }, async ({ path }) => {
            const imports = files.map((file) => `import ${JSON.stringify(file)}\n`).join("")
            return { contents: imports + (await Bun.file(path).text()), loader: "ts" }
          })
        withImports(COMMAND, USUAL)
        withImports(
          /src\/index\.ts$/,
          needed.filter((file) => !file.includes(join("src", "cli"))),
        )
      },
    },
    {
      // js-yaml would load a parser of JavaScript from wherever one lies; front matter is read and never run.
      name: "js-yaml without esprima",
      setup(build) {
        build.onLoad(
          { filter: /js-yaml\/lib\/js-yaml\/type\/js\/function\.js$/ },
          async ({ path }) => ({
            contents: (await Bun.file(path).text()).replace("_require('esprima')", "undefined"),
            loader: "js",
          }),
        )
      },
    },
    {
      // Few plans have front matter: its reader is made where the first has, and not at each start.
      name: "gray-matter where it is called",
      setup(build) {
        build.onLoad({ filter: /src\/plan\/data\/front-matter\.ts$/ }, async ({ path }) => ({
          contents: (await Bun.file(path).text()).replace(
            'import matter from "gray-matter"',
            'const matter = (...given) => require("gray-matter")(...given)',
          ),
          loader: "ts",
        }))
      },
    },
    {
      // Its CommonJS asks for its parts in a way that cannot be followed.
      name: "jsonc-parser as a module",
      setup(build) {
        const path = join(ROOT, "node_modules", "jsonc-parser", "lib", "esm", "main.js")
        build.onResolve({ filter: /^jsonc-parser$/ }, () => ({ path }))
      },
    },
  ],
  naming: { chunk: "chunks/[name]-[hash].[ext]" },
})
if (metafile === undefined) throw new Error("Expected a list of what was bundled; found none.")
const built = new Map(
  await Promise.all(
    outputs.map(async (file) => [normalize(file.path), await file.text()] as const),
  ),
)
built.set("index.d.ts", TYPES)
built.set("tui.d.ts", TUI_TYPES)
built.set("THIRD-PARTY.txt", await noticeOf(ROOT, Object.keys(metafile.inputs)))

for (const [name, text] of built) {
  await mkdir(dirname(join(DIST, name)), { recursive: true })
  await Bun.write(join(DIST, name), text)
}
await chmod(join(DIST, "cli", "main.js"), 0o755)
const wanted = [...built.keys()].flatMap((name) => [name, dirname(name)])
for (const name of await readdir(DIST, { recursive: true }))
  if (!wanted.includes(name)) await rm(join(DIST, name), { recursive: true, force: true })
