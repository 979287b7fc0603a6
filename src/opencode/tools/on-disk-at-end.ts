// Has a hook wait for the disk once, at its end.
import type { Shell } from "../host/shell.ts"

/**
 * Runs a hook on a shell whose changes of works are in place when they resolve, and waits once, at its end, until all of
 * them are on the disk: before that nothing may be told outside. Throws what the hook throws, and the `StoreError`
 * (`not-durable`) of a change that is in place, and that a power cut may undo.
 */
export async function onDiskAtEnd<Answer>(
  shell: Shell,
  run: (shell: Shell) => Promise<Answer>,
): Promise<Answer> {
  const placed: Promise<void>[] = []
  const update: Shell["store"]["update"] = (change) =>
    shell.store.update(change, (onDisk) => placed.push(onDisk))
  try {
    return await run({ ...shell, store: { ...shell.store, update } })
  } finally {
    await Promise.all(placed)
  }
}
