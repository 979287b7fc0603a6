// The name of a project on every machine.

import { createHash } from "node:crypto"
import { trimEnd } from "../../plan/model/trim-end.ts"
import { projectScope } from "../handoffs/handoff-scope.ts"
import { git } from "../processes/git-command.ts"

const TIME_LIMIT_MS = 2_000
const MAX_CHARS = 128
const MAX_URL_CHARS = 4_096

/**
 * The scope of a project that several machines share: as told, else its git remote (`origin`), else this folder on this
 * machine alone.
 */
export async function fleetScope(root: string, told: string | null): Promise<string> {
  if (told !== null) return told
  const remote = await remoteOf(root)
  return remote === null ? projectScope(root) : scopeOfRemote(remote)
}

/** One name for all urls of a repository: host and path, without user, password, port and `.git`. */
export function scopeOfRemote(given: string): string {
  const url = given.slice(0, MAX_URL_CHARS)
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/@]*@)?([^/:]+)(?::\d+)?\/+(.*)$/i.exec(url)
  const likeScp = /^(?:[^@/]+@)?([^/:]{2,}):(?!\/\/)\/*(.*)$/.exec(url)
  const [, host = "", path = url] = withScheme ?? likeScp ?? []
  const plain = trimEnd(path, "/").replace(/\.git$/i, "")
  const name = host === "" ? plain : `${host.toLowerCase()}/${plain}`
  return name.length <= MAX_CHARS && name !== ""
    ? name
    : createHash("sha256").update(name).digest("hex")
}

async function remoteOf(root: string): Promise<string | null> {
  const deadline = AbortSignal.timeout(TIME_LIMIT_MS)
  const told = await git(root, deadline, ["config", "--get", "remote.origin.url"])
  return told?.toString("utf8").trim() || null
}
