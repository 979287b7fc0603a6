// Tells whether `<root>/.boulder` is there.
import { dirname, join, relative, sep } from "node:path"
import type { FilePort } from "./file-port.ts"
import { errnoOf, StoreError } from "./store-error.ts"

/**
 * Whether `<root>/.boulder` is there. Throws a `StoreError` (`outside-root`) if it is a link that leaves the project: nothing is ever read
 * or written through such a link.
 */
export function hasBoulderFolder(files: FilePort, root: string): Promise<boolean> {
  return isFolderInside(files, root, join(root, ".boulder"))
}

/**
 * Whether `.boulder` or a folder below it is there. Throws like `hasBoulderFolder` for a link in the place of `.boulder`, and for any link
 * below it, since the `.gitignore` in `.boulder` does not apply elsewhere in the project.
 */
export async function isFolderInside(
  files: FilePort,
  root: string,
  folder: string,
): Promise<boolean> {
  let path = root
  for (const [depth, name] of relative(root, folder).split(sep).entries()) {
    path = join(path, name)
    const found = await files.inspect(path)
    if (found === null) return false
    if (found.kind !== "link") continue
    const target = await refuseLinkOut(files, root, path)
    if (depth > 0) throw linkBelow(path, target)
  }
  return true
}

function linkBelow(path: string, target: string): StoreError {
  return new StoreError({
    code: "outside-root",
    expected: `${path} to be a folder of its own`,
    found: `a link to ${target}, which git does not leave out`,
    todo: "Nothing was read or written there. Replace the link with a real folder.",
  })
}

/** The text of one of our files; a link in its place is followed only inside the project. */
export async function readInside(
  files: FilePort,
  root: string,
  path: string,
  maxBytes: number,
): Promise<string | null> {
  try {
    return await files.readText(path, maxBytes)
  } catch (error) {
    if (errnoOf(error) !== "ELOOP") throw error
    return files.readText(await refuseLinkOut(files, root, path), maxBytes)
  }
}

async function refuseLinkOut(files: FilePort, root: string, path: string): Promise<string> {
  const target = await files.realPath(path)
  const realRoot = (await files.realPath(root)) ?? root
  const isInside = target !== null && !relative(realRoot, target).split(sep).includes("..")
  if (isInside && dirname(target) !== target) return target
  throw new StoreError({
    code: "outside-root",
    expected: `${path} to lie inside ${realRoot}`,
    found: target === null ? "a link to nothing" : `a link to ${target}`,
    todo: "Nothing was read or written there. Replace the link with a real folder or file.",
  })
}
