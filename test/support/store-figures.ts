import { appendFileSync } from "node:fs"
import process from "node:process"

/** Notes a row of the table in docs/STORE.md. Only `npm run test:crash` collects them. */
export function noteFigure(what: string, figure: string): void {
  const file = process.env["STORE_FIGURES"]
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ what, figure })}\n`)
}
