/** The fields in which the hosts' writing tools name a file, or carry a patch; seen in 1.14.41 to 1.18.33 and in v2. */
const PATH_FIELDS = ["filePath", "file_path", "path", "filename"]
const PATCH_FIELDS = ["patchText", "patch"]

/** What stands for our folder where it is named in a way that we cannot read. */
const OUR_FOLDER = ".boulder"
const NAMES_OUR_FOLDER = /\.boulder/i

/**
 * The files that a call of a writing tool names, as the model wrote them. Arguments that we cannot read but that name
 * our folder give the folder itself, so that they are refused.
 */
export function pathsInArgs(args: unknown): readonly string[] {
  const paths = namedIn(args)
  if (paths.length > 0) return paths
  return NAMES_OUR_FOLDER.test(JSON.stringify(args) ?? "") ? [OUR_FOLDER] : []
}

/**
 * The files that an `apply_patch` text names: at least those that the host would write. It wants no blank behind the
 * colon, and takes away what surrounds the patch; lines of content begin with a sign or a blank.
 */
export function pathsInPatch(patch: string): readonly string[] {
  return patch.split("\n").flatMap((line) => {
    if (!line.startsWith("***")) return []
    const path = HEADER.exec(line)?.[1]?.trim()
    if (path !== undefined) return path === "" ? [] : [path]
    return NAMES_OUR_FOLDER.test(line) ? [OUR_FOLDER] : []
  })
}

/** Wider than the host's own: a header that it may one day read is read too. */
const HEADER = /^\*{3}[ \t]*(?:(?:add|update|delete)[ \t]+file|move[ \t]+to)[ \t]*:([\s\S]*)$/i

function namedIn(args: unknown): readonly string[] {
  const paths = PATH_FIELDS.flatMap((field) => textIn(args, field))
  const edits: unknown = fieldOf(args, "edits")
  const inEdits = Array.isArray(edits) ? edits.flatMap((edit: unknown) => namedIn(edit)) : []
  const patched = PATCH_FIELDS.flatMap((field) => textIn(args, field).flatMap(pathsInPatch))
  return [...paths, ...inEdits, ...patched]
}

function textIn(args: unknown, field: string): readonly string[] {
  const value = fieldOf(args, field)
  return typeof value === "string" && value !== "" ? [value] : []
}

function fieldOf(args: unknown, field: string): unknown {
  return typeof args === "object" && args !== null ? Reflect.get(args, field) : undefined
}
