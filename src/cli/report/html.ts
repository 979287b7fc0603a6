// HTML in which no foreign text is ever more than text.
import { cleanLine } from "../../plan/model/foreign-text.ts"

/** A piece of HTML that was made by `html`: what stood in it as a string is escaped. */
export interface Html {
  readonly html: string
}

type Part = string | number | Html | readonly Html[]

/** HTML of these pieces: strings are escaped and stay in their line, what `html` made stands as it is. */
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
