import { z } from "zod"
import { optionsSchema } from "../../src/opencode/host/options.ts"

const START = "<!-- options: written by `npm run docs` -->"
const END = "<!-- /options -->"

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
}

/** The table of all options, made from the schema: name, default, what may be given, what it is for. */
function optionsTable(): string {
  const schema = z.toJSONSchema(optionsSchema, { io: "input" }) as Node
  const rows = rowsOf(schema, "")
  return [
    "| option | default | values | what it does |",
    "| --- | --- | --- | --- |",
    ...rows,
  ].join("\n")
}

/** `text` with the table between its marks replaced by the one that the schema gives. */
export function withOptionsTable(text: string): string {
  const start = text.indexOf(START)
  const end = text.indexOf(END)
  if (start < 0 || end < start) throw new Error(`Expected ${START} and ${END} in the README`)
  return `${text.slice(0, start)}${START}\n\n${optionsTable()}\n\n${text.slice(end)}`
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

function valuesOf({ enum: values, type, minimum, maximum, anyOf, pattern }: Node): string {
  if (anyOf !== undefined) return anyOf.map(valuesOf).join(", or ")
  if (type === "boolean") return "`true`, `false`"
  if (pattern?.endsWith("%$")) return '`"1%"` to `"99%"`'
  if (type === "null") return "`null`"
  if (values !== undefined) return values.map((value) => `\`${JSON.stringify(value)}\``).join(", ")
  if (type === "boolean") return "`true`, `false`"
  return `${type === "integer" ? "whole number" : type} ${minimum} to ${maximum}`
}
