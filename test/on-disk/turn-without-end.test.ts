import { expect, jest, test } from "bun:test"
import { stat } from "node:fs/promises"
import { inSections, LEAD, started } from "../support/long-run-project.ts"
import { withFolder } from "../support/store-folder.ts"

test.each([{ isBusy: false }, { isBusy: true }])(
  "a turn that has begun and whose end nobody tells is asked of the host: it runs $isBusy",
  ({ isBusy }) =>
    withFolder(async (root) => {
      jest.useFakeTimers()
      try {
        const busy = new Set<string>()
        const busySessions = async () => busy
        const { plugin } = await started(root, inSections(2), {}, { busySessions })
        await plugin.fallIdle(LEAD)
        expect(plugin.prompts).toHaveLength(1)
        if (isBusy) busy.add(LEAD)
        await plugin.hooks.event?.({
          event: {
            type: "session.status",
            properties: { sessionID: LEAD, status: { type: "busy" } },
          } as never,
        })
        jest.advanceTimersByTime(30_000)
        // The clock stands still from here on: only the files' own time goes by.
        const most = isBusy ? 5_000 : 1_000_000
        for (let reads = 0; reads < most && plugin.prompts.length === 1; reads++) await stat(root)
        expect(plugin.prompts).toHaveLength(isBusy ? 1 : 2)
        await plugin.hooks.dispose?.()
      } finally {
        jest.useRealTimers()
      }
    }),
  60_000,
)
