/** What can be mutated in a source file, by its syntax tree: each mutation changes one place. */
import { parseSync } from "oxc-parser"

export type Mutation = {
  readonly kind: string
  /** Offsets into the source text. */
  readonly start: number
  readonly end: number
  readonly replacement: string
}

type Node = {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

type Place = { readonly node: Node; readonly parent: Node | null; readonly text: string }

const OPERATORS: Readonly<Record<string, string>> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "-": "+",
  "*": "/",
  "/": "*",
  "%": "*",
  "&&": "||",
  "||": "&&",
  "+=": "-=",
  "-=": "+=",
}

const METHODS: ReadonlyMap<string, string> = new Map([
  ["some", "every"],
  ["every", "some"],
  ["min", "max"],
  ["max", "min"],
  ["startsWith", "endsWith"],
  ["endsWith", "startsWith"],
  ["indexOf", "lastIndexOf"],
  ["lastIndexOf", "indexOf"],
  ["find", "findLast"],
  ["findLast", "find"],
])

/** Methods whose result is of their receiver's type. */
const DROPPED_METHODS = new Set(["filter", "toSorted", "toReversed", "trim", "trimEnd", "slice"])

const MUTATORS: Readonly<Record<string, (place: Place) => readonly Mutation[]>> = {
  IfStatement: (place) => [...turnedRound(place), ...withoutEarlyExit(place)],
  ConditionalExpression: turnedRound,
  WhileStatement: turnedRound,
  BinaryExpression: otherOperator,
  LogicalExpression: (place) => [...otherOperator(place), ...onlyDefault(place)],
  AssignmentExpression: otherOperator,
  UnaryExpression: withoutNot,
  Literal: otherLiteral,
  TemplateElement: withoutTemplateText,
  ExpressionStatement: withoutStatement,
  CallExpression: otherMethod,
  SpreadElement: withoutSpread,
}

/** All mutations of a source text, in its order; types and imports have none. */
export function mutationsOf(fileName: string, text: string): readonly Mutation[] {
  const found: Mutation[] = []
  const visit = (node: Node, parent: Node | null): void => {
    if (isOfTypes(node)) return
    found.push(...(MUTATORS[node.type]?.({ node, parent, text }) ?? []))
    for (const child of childrenOf(node)) visit(child, node)
  }
  const { program } = parseSync(fileName, text)
  for (const statement of program.body) if (isNode(statement)) visit(statement, null)
  return found.toSorted((a, b) => a.start - b.start || a.end - b.end)
}

/** The text with that one place changed. */
export function mutate(text: string, { start, end, replacement }: Mutation): string {
  return text.slice(0, start) + replacement + text.slice(end)
}

const EXPRESSIONS_WITH_TYPES = new Set(["TSAsExpression", "TSSatisfiesExpression"])

function isOfTypes({ type }: Node): boolean {
  if (type === "ImportDeclaration" || type === "ImportExpression") return true
  return type.startsWith("TS") && !EXPRESSIONS_WITH_TYPES.has(type)
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value
}

function childrenOf(node: Node): readonly Node[] {
  return Object.values(node).flat().filter(isNode)
}

function turnedRound({ node, text }: Place): readonly Mutation[] {
  const { test } = node
  if (!isNode(test)) return []
  const replacement = `!(${text.slice(test.start, test.end)})`
  return [{ kind: "condition turned round", start: test.start, end: test.end, replacement }]
}

const EXITS = new Set(["ReturnStatement", "ContinueStatement", "BreakStatement", "ThrowStatement"])

function withoutEarlyExit({ node, parent }: Place): readonly Mutation[] {
  const { consequent, alternate, start, end } = node
  if (!isNode(consequent) || alternate !== null || parent?.type === "IfStatement") return []
  const last = consequent.type === "BlockStatement" ? childrenOf(consequent).at(-1) : consequent
  if (last === undefined || !EXITS.has(last.type)) return []
  return [{ kind: "early exit removed", start, end, replacement: ";" }]
}

function otherOperator({ node, text }: Place): readonly Mutation[] {
  const { operator, left, right } = node
  if (typeof operator !== "string" || !isNode(left) || !isNode(right)) return []
  const replacement = OPERATORS[operator]
  const start = text.indexOf(operator, left.end)
  if (replacement === undefined || start < 0 || start >= right.start) return []
  const end = start + operator.length
  return [{ kind: `${operator} became ${replacement}`, start, end, replacement }]
}

function onlyDefault({ node, text }: Place): readonly Mutation[] {
  const { operator, right, start, end } = node
  if (operator !== "??" || !isNode(right)) return []
  const replacement = `(${text.slice(right.start, right.end)})`
  return [{ kind: "only what stands behind ??", start, end, replacement }]
}

function withoutNot({ node, parent }: Place): readonly Mutation[] {
  if (node["operator"] !== "!" || parent?.["test"] === node) return []
  return [{ kind: "! removed", start: node.start, end: node.start + 1, replacement: "" }]
}

function otherLiteral({ node, parent }: Place): readonly Mutation[] {
  const { value, start, end } = node
  const isKey = parent?.["key"] === node && parent["computed"] !== true
  if (isKey || parent?.type === "ExpressionStatement" || parent?.type === "ExportAllDeclaration")
    return []
  const replacement = otherValue(value)
  return replacement === undefined
    ? []
    : [{ kind: `${typeof value} changed`, start, end, replacement }]
}

function otherValue(value: unknown): string | undefined {
  if (typeof value === "boolean") return String(!value)
  if (typeof value === "number") return String(value + 1)
  if (typeof value === "string") return value === "" ? '"mutated"' : '""'
  return undefined
}

/** The parser counts the signs around the text in: a backtick or `}` before it, a backtick or `${` behind it. */
function withoutTemplateText({ node, text }: Place): readonly Mutation[] {
  const start = node.start + 1
  const end = node.end - (node["tail"] === true ? 1 : 2)
  if (text.slice(start, end).trim() === "") return []
  return [{ kind: "text of a template removed", start, end, replacement: "" }]
}

/** An empty block: the types refuse a mere `;` behind an `if`, whatever the tests say. */
function withoutStatement({ node }: Place): readonly Mutation[] {
  return [{ kind: "statement removed", start: node.start, end: node.end, replacement: "{}" }]
}

function otherMethod({ node, text }: Place): readonly Mutation[] {
  const { callee } = node
  if (!isNode(callee) || callee.type !== "MemberExpression") return []
  const { object, property } = callee
  if (!isNode(object) || !isNode(property)) return []
  const name = text.slice(property.start, property.end)
  if (DROPPED_METHODS.has(name)) {
    return [{ kind: `.${name}() removed`, start: object.end, end: node.end, replacement: "" }]
  }
  const replacement = METHODS.get(name)
  if (replacement === undefined) return []
  const { start, end } = property
  return [{ kind: `${name} became ${replacement}`, start, end, replacement }]
}

function withoutSpread({ node, parent }: Place): readonly Mutation[] {
  const { argument } = node
  if (!isNode(argument) || parent?.type !== "ObjectExpression") return []
  const { start, end } = argument
  return [{ kind: "spread emptied", start, end, replacement: "{}" }]
}
