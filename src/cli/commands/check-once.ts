// Tells zod to compile no checks.
import { config } from "zod"

/**
 * To be called before a schema is made: a command checks few values, in less time than compiling the checks takes.
 */
export function checkOnce(): void {
  config({ jitless: true })
}
