// Finds the files that a call of a writing tool names, as the model wrote them, and all else that it says.
import { fieldOf } from "../../../boulder/fields-of.ts"

/** The fields in which the hosts' writing tools name a file or carry a patch; seen in 1.14.41 to 1.18.33 and in v2. */
const PATH_FIELDS = ["filePath", "file_path", "path", "filename"]
const PATCH_FIELDS = ["patchText", "patch"]

/** Stands for our folder if it is named in a way that we cannot read. */
const OUR_FOLDER = ".boulder"
const NAMES_OUR_FOLDER = /\.boulder/i

/**
 * The files that a call of a writing tool names, as the model wrote them. Arguments that we cannot read but that name our folder give the
 * folder itself, so that they are refused.
 */
export function pathsInArgs(args: unknown): readonly string[] {
  const paths = namedIn(args)
  if (paths.length > 0) return paths
  return objectsIn(args).some(namesOurFolder) ? [OUR_FOLDER] : []
}

/** The texts in the arguments of a call, joined: equal for equal calls. */
export function wordsInArgs(args: unknown): string {
  const values = objectsIn(args).flatMap((one) => Object.values(one))
  return values.filter((value) => typeof value === "string").join("\n")
}

/**
 * The files that an `apply_patch` text names: at least those that the host would write. The host needs no blank after the colon and ignores
 * what surrounds the patch. Content lines begin with a sign or a blank.
 */
export function pathsInPatch(patch: string): readonly string[] {
  return patch.split("\n").flatMap((line) => {
    if (!line.startsWith("***")) return []
    const path = HEADER.exec(line)?.[1]?.trim()
    if (path !== undefined) return path === "" ? [] : [path]
    return NAMES_OUR_FOLDER.test(line) ? [OUR_FOLDER] : []
  })
}

/** Wider than the host's own pattern, so that headers which the host may read one day are read too. */
const HEADER = /^\*{3}[ \t]*(?:(?:add|update|delete)[ \t]+file|move[ \t]+to)[ \t]*:([\s\S]*)$/i

function namedIn(args: unknown): readonly string[] {
  const objects = objectsIn(args, ["edits"])
  const paths = objects.flatMap((one) => PATH_FIELDS.flatMap((field) => textIn(one, field)))
  const patches = objects.flatMap((one) => PATCH_FIELDS.flatMap((field) => textIn(one, field)))
  return [...paths, ...patches.flatMap(pathsInPatch)]
}

/** The objects and lists in a value, itself first, however deep. With `fields`, an object is entered only through these. */
function objectsIn(value: unknown, fields?: readonly string[]): readonly object[] {
  const found: object[] = []
  const waiting = [value]
  for (let at = 0; at < waiting.length; at++) {
    const one = waiting[at]
    if (typeof one !== "object" || one === null) continue
    found.push(one)
    const isWhole = fields === undefined || Array.isArray(one)
    const parts = isWhole ? Object.values(one) : fields.map((field) => fieldOf(one, field))
    for (const part of parts) waiting.push(part)
  }
  return found
}

function namesOurFolder(one: object): boolean {
  return Object.entries(one).some(
    ([key, part]) =>
      NAMES_OUR_FOLDER.test(key) || (typeof part === "string" && NAMES_OUR_FOLDER.test(part)),
  )
}

function textIn(args: unknown, field: string): readonly string[] {
  const value = fieldOf(args, field)
  return typeof value === "string" && value !== "" ? [value] : []
}
