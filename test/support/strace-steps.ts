/** The calls that change a disk, and nothing that only reads. */
export const TRACED_CALLS =
  "openat,open,creat,write,pwrite64,writev,pwritev,ftruncate,truncate,fsync,fdatasync,sync,mkdir,mkdirat,link,linkat,rename,renameat,renameat2,unlink,unlinkat,rmdir"

/** What strace (`-f -y`) has seen done to the disk below a folder, between the making of two folders `begin` and `end`. */
export function stepsInStrace(text: string, root: string): readonly string[] {
  const lines = joined(text.split("\n"))
  const at = (name: string) => lines.findIndex((line) => line.includes(`"${root}/${name}"`))
  return lines.slice(at("begin") + 1, at("end")).flatMap((line) => stepIn(line, root))
}

/** A call that another thread interrupted is on two lines: the first has its arguments, the second its end. */
function joined(lines: readonly string[]): readonly string[] {
  const begun = new Map<string, string>()
  return lines.flatMap((line) => {
    const [, thread = "", rest = ""] = /^(\d+)\s+(.*)$/.exec(line) ?? []
    const unfinished = /^(.*) <unfinished \.\.\.>$/.exec(rest)?.[1]
    if (unfinished !== undefined) begun.set(thread, unfinished)
    if (unfinished !== undefined) return []
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest)?.[1]
    return [resumed === undefined ? rest : `${begun.get(thread) ?? ""}${resumed}`]
  })
}

function stepIn(line: string, root: string): readonly string[] {
  const [, call = "", given = "", result = ""] = /^(\w+)\((.*)\)\s+= (-?\d+)/.exec(line) ?? []
  const paths = [...given.matchAll(/["<]((?:[^"<>])*)[">]/g)].map((match) => match[1] ?? "")
  const path = paths
    .filter((one) => one.startsWith(root))
    .at(-1)
    ?.slice(root.length)
  if (path === undefined || result.startsWith("-")) return []
  if (/^(open|openat|creat)$/.test(call)) return /O_CREAT/.test(given) ? [`name ${path}`] : []
  if (/write/.test(call)) return [`write ${path}`]
  if (/sync/.test(call)) return [`sync ${path}`]
  if (/^mkdir/.test(call)) return [`make-folder ${path}`]
  if (/^(link|rename)/.test(call)) return [`name ${path}`]
  return [`un${/unlink|rmdir/.test(call) ? "name" : call} ${path}`]
}
