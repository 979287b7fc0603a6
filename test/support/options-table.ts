import { z } from "zod"
import { optionsSchema } from "../../src/opencode/host/options.ts"

interface Node {
  readonly properties?: Readonly<Record<string, Node>>
  readonly default?: unknown
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly type?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly anyOf?: readonly Node[]
  readonly pattern?: string
  readonly items?: Node
}

/** Name, default, allowed values, and what each option is for. */
function optionsTable(): string {
  const schema = z.toJSONSchema(optionsSchema, { io: "input" }) as Node
  const rows = rowsOf(schema, "")
  return [
    "| option | default | values | what it does |",
    "| --- | --- | --- | --- |",
    ...rows,
  ].join("\n")
}

/** The page of all options, made from the schema. */
export function optionsPage(): string {
  return `# Options

Options go next to the plugin's name in \`opencode.json\`. A name with a dot stands in a group:
\`long_run.window_size\` is \`{ "long_run": { "window_size": 5 } }\`.

\`\`\`json
{ "plugin": [["opencode-boulder", { "reuse": "auto", "long_run": { "window_size": 5 } }]] }
\`\`\`

If an option is wrong, a message names it and its default is used. The others still apply, and opencode starts either way. Written by
\`npm run docs\`.

${optionsTable()}
`
}

function rowsOf(node: Node, prefix: string): readonly string[] {
  return Object.entries(node.properties ?? {}).flatMap(([name, child]) =>
    child.properties === undefined
      ? [
          `| \`${prefix}${name}\` | \`${JSON.stringify(child.default)}\` | ${valuesOf(child)} | ${child.description ?? ""} |`,
        ]
      : rowsOf(child, `${prefix}${name}.`),
  )
}

function valuesOf({ enum: values, type, minimum, maximum, anyOf, pattern, items }: Node): string {
  if (items !== undefined)
    return `a list of ${items.enum === undefined ? "texts" : valuesOf(items)}`
  if (anyOf !== undefined) return anyOf.map(valuesOf).join(", or ")
  if (type === "boolean") return "`true`, `false`"
  if (pattern?.endsWith("%$")) return '`"1%"` to `"99%"`'
  if (type === "null") return "`null`"
  if (values !== undefined) return values.map((value) => `\`${JSON.stringify(value)}\``).join(", ")
  if (type === "string") return pattern?.includes("env:") ? '`"env:NAME"`, `"file:PATH"`' : "text"
  return `${type === "integer" ? "whole number" : type} ${minimum} to ${maximum}`
}
