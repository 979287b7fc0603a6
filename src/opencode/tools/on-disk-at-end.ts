// Makes a hook wait for the disk once, at its end.
import type { Shell } from "../host/shell.ts"

/**
 * Runs a hook on a shell whose changes of works resolve when they are in place, and waits once, at the end, until all of them are on disk.
 * What the hook reports to the journal and the user waits too, since nothing may be said outside before that. Throws what the hook throws,
 * and the `StoreError` (`not-durable`) of a change that is in place but may be undone by a power cut. What the hook reports is written even
 * then.
 */
export async function onDiskAtEnd<Answer>(
  shell: Shell,
  run: (shell: Shell) => Promise<Answer>,
): Promise<Answer> {
  const placed: Promise<void>[] = []
  const untold: (() => Promise<void>)[] = []
  const { store, journal, api } = shell
  const later = async (tell: () => Promise<void>): Promise<void> => void untold.push(tell)
  try {
    return await run({
      ...shell,
      store: {
        ...store,
        update: (change) => store.update(change, (onDisk) => placed.push(onDisk)),
      },
      journal: { ...journal, append: (...entry) => later(() => journal.append(...entry)) },
      api: { ...api, toast: (...notice) => later(() => api.toast(...notice)) },
    })
  } finally {
    try {
      await Promise.all(placed)
    } finally {
      for (const tell of untold) await tell()
    }
  }
}
