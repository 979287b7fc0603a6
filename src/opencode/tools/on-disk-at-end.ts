// Has a hook wait for the disk once, at its end.
import type { Shell } from "../host/shell.ts"

/**
 * Runs a hook on a shell whose changes of works are in place when they resolve, and waits once, at its end, until all of
 * them are on the disk: what it tells the journal and the user waits too, for before that nothing may be told outside.
 * Throws what the hook throws, and the `StoreError` (`not-durable`) of a change that is in place, and that a power cut may
 * undo; what has become of it is told all the same.
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
