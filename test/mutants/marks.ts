/** Marks blocks of a source, so that whoever runs one is seen; and tells which marks a place of it stands for. */
import { parseSync } from "oxc-parser"
import type { Place } from "./covering-tests.ts"

type Block = {
  readonly number: number
  readonly start: number
  readonly end: number
  /** What is put where to mark it. */
  readonly inserts: readonly { readonly at: number; readonly text: string }[]
}

/** A statement of the module itself, with the names that it declares. */
type Declaration = {
  readonly start: number
  readonly end: number
  readonly names: readonly string[]
}

export type Marked = {
  readonly file: string
  readonly text: string
  readonly blocks: readonly Block[]
  readonly declarations: readonly Declaration[]
  /** Where each name is mentioned. */
  readonly mentions: ReadonlyMap<string, readonly number[]>
}

type Node = {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

/** The functions and blocks of a source, each with a mark; numbers begin at `first`. */
export function blocksOf(file: string, text: string, first: number): Marked {
  const blocks: Block[] = []
  const mentions = new Map<string, number[]>()
  const addBlock = (node: Node, parent: Node | null): void => {
    const isBody = parent?.["body"] === node && parent.type.includes("Function")
    const isBlock = node.type === "BlockStatement" || node.type === "FunctionBody"
    if (!isBody && !isBlock) return
    const number = first + blocks.length
    // A command line that a test starts has nobody who writes marks down: it runs all the same.
    const sign = `(globalThis.$marks??=[])[${number}]??=globalThis.$mark?.(${number})??1`
    const { start, end } = isBody ? parent : node
    const inBraces = [{ at: node.start + 1, text: `;${sign};` }]
    const around = [
      { at: node.start, text: `(${sign},` },
      { at: node.end, text: ")" },
    ]
    blocks.push({ number, start, end, inserts: isBlock ? inBraces : around })
  }
  const visit = (node: Node, parent: Node | null): void => {
    if (node.type === "ImportDeclaration") return
    if (node.type === "Identifier") {
      const name = String(node["name"])
      mentions.set(name, [...(mentions.get(name) ?? []), node.start])
    }
    addBlock(node, parent)
    for (const child of childrenOf(node)) visit(child, node)
  }
  const { program } = parseSync(file, text)
  const statements = program.body.filter((node): node is typeof node & Node => isNode(node))
  for (const statement of statements) visit(statement, null)
  const declarations = statements.map((node) => ({
    start: node.start,
    end: node.end,
    names: namesOf(node),
  }))
  return { file, text, blocks, declarations, mentions }
}

/** The text with some of its marks. Lines stay what they are. */
export function withMarks({ text, blocks }: Marked, wanted: ReadonlySet<number>): string {
  return blocks
    .flatMap(({ number, inserts }) => (wanted.has(number) ? inserts : []))
    .toSorted((a, b) => b.at - a.at)
    .reduce((made, { at, text: sign }) => made.slice(0, at) + sign + made.slice(at), text)
}

/**
 * The marks that run where the place does: the one of the innermost block around it. A place in the module itself runs with
 * each block of any file that mentions what is declared there, or what is made of it.
 */
export function marksOf(all: readonly Marked[], { file, start, end }: Place): ReadonlySet<number> {
  const own = all.find((marked) => marked.file === file)
  if (own === undefined) return new Set()
  const block = innermost(own, start, end)
  return block === undefined ? marksOfUsers(all, namesAt(own, start)) : new Set([block.number])
}

function marksOfUsers(all: readonly Marked[], declared: readonly string[]): ReadonlySet<number> {
  const found = new Set<number>()
  const names = new Set(declared)
  // A set gives what is added while it is gone through, too.
  for (const name of names) {
    for (const [marked, at] of mentionsOf(all, name)) {
      const around = innermost(marked, at, at)
      if (around === undefined) for (const made of namesAt(marked, at)) names.add(made)
      else found.add(around.number)
    }
  }
  return found
}

function mentionsOf(all: readonly Marked[], name: string): readonly (readonly [Marked, number])[] {
  return all.flatMap((marked) =>
    (marked.mentions.get(name) ?? []).map((at) => [marked, at] as const),
  )
}

function innermost({ blocks }: Marked, start: number, end: number): Block | undefined {
  return blocks
    .filter((block) => block.start <= start && end <= block.end)
    .toSorted((a, b) => a.end - a.start - (b.end - b.start))[0]
}

/** What the module's own statement there declares. */
function namesAt({ declarations }: Marked, at: number): readonly string[] {
  return declarations.find(({ start, end }) => start <= at && at < end)?.names ?? []
}

function namesOf(node: Node): readonly string[] {
  if (node.type === "ExportNamedDeclaration" && isNode(node["declaration"]))
    return namesOf(node["declaration"])
  const declared = node.type === "VariableDeclaration" ? childrenOf(node) : [node]
  return declared.flatMap(({ id }) => (isNode(id) ? identifiersIn(id) : []))
}

function identifiersIn(node: Node): readonly string[] {
  if (node.type === "Identifier") return [String(node["name"])]
  return childrenOf(node).flatMap(identifiersIn)
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value
}

function childrenOf(node: Node): readonly Node[] {
  return Object.values(node).flat().filter(isNode)
}
