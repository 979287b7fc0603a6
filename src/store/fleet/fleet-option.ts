// The option `handoffs`: where handoffs are stored.
import { z } from "../../boulder/z.ts"

/** The option `handoffs`, with its defaults. */
export const fleetOption = z.strictObject({
  store: z
    .enum(["files", "postgres"])
    .default("files")
    .describe(
      "Where handoffs live: in `.boulder`, or in a PostgreSQL that several machines share (docs/FLEET.md).",
    ),
  url: z
    .string()
    .regex(/^(?:env:[A-Za-z_][A-Za-z0-9_]*|file:.{1,4000})$/, {
      error: 'expected "env:NAME" or "file:PATH", where the url of the database stands',
    })
    .default("env:BOULDER_DATABASE_URL")
    .describe("Where to find the url of that PostgreSQL; never the url itself."),
  scope: z
    .string()
    .min(1)
    .max(128)
    .nullable()
    .default(null)
    .describe("The project's name in it, the same on every machine. Default: its git remote."),
})

/** Where the handoffs of a project are stored. */
export type FleetOption = z.infer<typeof fleetOption>
