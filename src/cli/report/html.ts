// Writes HTML in which foreign text is never more than text.
import { cleanLine } from "../../plan/model/foreign-text.ts"

/** A piece of HTML made by `html`: strings in it are escaped. */
export interface Html {
  readonly html: string
}

type Part = string | number | Html | readonly Html[]

/** HTML from these pieces: strings are escaped and stay on their line, what `html` made is kept as it is. */
export function html(pieces: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const text = pieces.map((piece, index) => {
    const part = parts[index]
    return part === undefined ? piece : `${piece}${htmlOf(part)}`
  })
  return { html: text.join("") }
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

function htmlOf(part: Part): string {
  if (typeof part === "number") return String(part)
  if (typeof part === "string")
    return cleanLine(part).replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? "")
  if ("html" in part) return part.html
  return part.map((one) => one.html).join("")
}
