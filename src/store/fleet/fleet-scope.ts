// Finds the name of a project that is the same on every machine.

import { createHash } from "node:crypto"
import { resolve } from "node:path"
import { trimEnd } from "../../plan/model/trim-end.ts"
import { projectScope } from "../handoffs/handoff-scope.ts"
import { git } from "../processes/git-command.ts"
import { decoded } from "./away.ts"

/** A machine that is busy when it starts must not separate its handoffs from the others' until the next start. */
const TIME_LIMIT_MS = 10_000
const MAX_URL_CHARS = 4_096
/** What a name may show; anything else, and anything longer, is hashed. */
const PLAIN = /^[\p{L}\p{N}._~/+ -]{1,128}$/u
/** Hosts whose paths ignore case, under all their names. */
const HOSTED = /^(?:www\.|ssh\.|altssh\.)?(github\.com|gitlab\.com|bitbucket\.org|dev\.azure\.com)$/

/**
 * The scope of a project that several machines share: the one given, else its git remote (`origin`, as git reads it, with `insteadOf`),
 * else this folder on this machine only.
 */
export async function fleetScope(root: string, told: string | null) {
  if (told !== null) return { scope: told, alone: null }
  const remote = await remoteOf(root)
  if (remote !== null) return { scope: scopeOfRemote(remote), alone: null }
  return {
    scope: projectScope(root),
    alone: `Handoffs are shared with no other machine. Expected git to tell the remote \`origin\` within ${TIME_LIMIT_MS / 1_000} s; found no answer. Add the remote, or set handoffs.scope.`,
  }
}

/**
 * One name for the usual URLs of a repository: host and path, without scheme, user, password, port, query and `.git`. It never contains a
 * password, however the URL is written.
 */
export function scopeOfRemote(given: string): string {
  const url = given.slice(0, MAX_URL_CHARS).trim()
  const [host, path] = partsOf(url)
  const plain = trimEnd(trimEnd(path.replace(/\/{2,}/g, "/"), "/").replace(/\.git$/i, ""), "/")
  const name = host === "" ? plain : named(host, plain.replace(/^\//, ""))
  return PLAIN.test(name) ? name : createHash("sha256").update(name).digest("hex")
}

/** The host, empty for a folder, and the path. */
function partsOf(url: string): readonly [host: string, path: string] {
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)(.*)$/is.exec(url)
  if (withScheme !== null) {
    const [, authority = "", rest = ""] = withScheme
    // A password with a slash in it ends at the last @, wherever that is.
    const isWhole = authority.includes("@") || /^(?:\[.*\]|[^:]*)(?::\d*)?$/.test(authority)
    const all = isWhole ? authority : `${authority}${rest}`
    const at = all.slice(all.lastIndexOf("@") + 1)
    const [, host = "", behind = ""] = /^(\[[^\]]*\]|[^/?#:]*)[^/?#]*(.*)$/s.exec(at) ?? []
    return [host, decoded((isWhole ? rest : behind).replace(/[?#].*$/s, ""))]
  }
  const [, host = "", path = url] =
    /^(?:[^/]*?@)?(\[[^\]]+\]|[^/:@]{2,}):(?!\/\/)(.*)$/s.exec(url) ?? []
  return [host, path]
}

function named(given: string, path: string): string {
  const host = trimEnd(given.toLowerCase().replace(/^\[([^\]]*)\]$/, "$1"), ".")
  const hosted = HOSTED.exec(host)?.[1]
  if (hosted === undefined) return `${host}/${path}`
  // Azure's URLs of one repository differ in these two words.
  const same = hosted === "dev.azure.com" ? path.replace(/^v3\/|_git\//g, "") : path
  return `${hosted}/${same.toLowerCase()}`
}

async function remoteOf(root: string): Promise<string | null> {
  const deadline = AbortSignal.timeout(TIME_LIMIT_MS)
  const told = (await git(root, deadline, ["remote", "get-url", "origin"]))?.toString("utf8").trim()
  if (told === undefined || told === "") return null
  return /^\.{1,2}(?:\/|$)/.test(told) ? resolve(root, told) : told
}
