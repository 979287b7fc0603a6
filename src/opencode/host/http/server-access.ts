// Finds the password and address of a server, and keeps them out of arguments and output.

import { Buffer } from "node:buffer"
import { randomBytes } from "node:crypto"
import { trimEnd } from "../../../plan/model/trim-end.ts"

type Environment = Readonly<Record<string, string | undefined>>

/** Where an opencode server answers, and with what name and password. The URL holds neither, since it is shown. */
export interface ServerAccess {
  readonly url: string
  readonly user: string
  /** "": the server wants none. */
  readonly password: string
}

const PASSWORD_BYTES = 32

/** The variable that tells a server which our `run` has started that it is for one plan. */
export const FOR_ONE_PLAN = "OPENCODE_BOULDER_RUN"

/**
 * The environment for a server that we start. Every user of the machine can reach its port, and whoever talks to it has a shell. So it gets
 * a password: the user's own if there is one, else one that nobody is told. opencode and Kilo have different names for it.
 */
export function withPassword(env: Environment): Environment {
  const { user, password: own } = accessIn(env)
  const password = own || randomBytes(PASSWORD_BYTES).toString("base64url")
  return {
    ...env,
    OPENCODE_SERVER_USERNAME: user,
    OPENCODE_SERVER_PASSWORD: password,
    KILO_SERVER_USERNAME: user,
    KILO_SERVER_PASSWORD: password,
  }
}

/**
 * A server by its URL. User and password are those in the URL, else those of the environment. Null if it is not the URL of a server: then
 * show none of it, since it may hold a password.
 */
export function serverAccess(given: string, env: Environment): ServerAccess | null {
  const url = URL.canParse(given) ? new URL(given) : null
  if (url === null || !/^https?:$/.test(url.protocol)) return null
  const user = decoded(url.username)
  const password = decoded(url.password)
  if (user === null || password === null) return null
  const own = accessIn(env)
  return {
    url: trimEnd(url.origin + url.pathname, "/"),
    user: user || own.user,
    password: password || own.password,
  }
}

/** What the environment says about servers: under opencode's names, or under Kilo's if only those have a password. */
function accessIn(env: Environment): Pick<ServerAccess, "user" | "password"> {
  const { OPENCODE_SERVER_USERNAME, OPENCODE_SERVER_PASSWORD } = env
  const { KILO_SERVER_USERNAME, KILO_SERVER_PASSWORD } = env
  return OPENCODE_SERVER_PASSWORD || !KILO_SERVER_PASSWORD
    ? { user: OPENCODE_SERVER_USERNAME || "opencode", password: OPENCODE_SERVER_PASSWORD ?? "" }
    : { user: KILO_SERVER_USERNAME || "kilo", password: KILO_SERVER_PASSWORD }
}

/** The headers that let a client in. */
export function authorization({ user, password }: ServerAccess): Readonly<Record<string, string>> {
  if (password === "") return {}
  return { Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` }
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return null
    throw error
  }
}
