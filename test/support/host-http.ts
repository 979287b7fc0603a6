/** A question that waits for the user. */
type OpenQuestion = {
  readonly id: string
  readonly sessionID: string
  readonly questions: readonly { readonly question: string; readonly header: string }[]
  readonly tool?: { readonly messageID: string; readonly callID: string }
}

/** A permission that waits for the user. */
type OpenPermission = {
  readonly id: string
  readonly sessionID: string
  readonly permission: string
  readonly patterns: readonly string[]
  readonly tool?: { readonly messageID: string; readonly callID: string }
}

/** Longer than any turn of a scripted model, even one with 40 tasks on a busy machine. A call that never ends fails only its own test. */
const CALL_LIMIT_MS = 600_000

export type HostHttp = {
  /** GET of a path of the host's API, for the host's project. Rejects on any status but 2xx. */
  get<T>(path: string): Promise<T>
  post<T>(path: string, body?: unknown): Promise<T>
  questions(): Promise<readonly OpenQuestion[]>
  replyQuestion(requestId: string, answers: readonly (readonly string[])[]): Promise<void>
  rejectQuestion(requestId: string): Promise<void>
  permissions(): Promise<readonly OpenPermission[]>
  /** With a `message`, a rejection lets the model go on; without one, it ends the turn. */
  replyPermission(
    requestId: string,
    reply: "once" | "always" | "reject",
    message?: string,
  ): Promise<void>
}

/** The parts of the host's API that the v1 client does not have. `address` is asked again for each call. */
export function hostHttp(address: () => string, directory: string): HostHttp {
  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${address()}${path}`, {
      method,
      headers: {
        "content-type": "application/json",
        "x-opencode-directory": encodeURIComponent(directory),
        "x-kilo-directory": encodeURIComponent(directory),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(CALL_LIMIT_MS),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} gave ${response.status}: ${text}`)
    return (text === "" ? undefined : JSON.parse(text)) as T
  }
  const get = <T>(path: string) => call<T>("GET", path)
  const post = <T>(path: string, body: unknown = {}) => call<T>("POST", path, body)
  return {
    get,
    post,
    questions: () => get("/question"),
    replyQuestion: (id, answers) => post(`/question/${id}/reply`, { answers }),
    rejectQuestion: (id) => post(`/question/${id}/reject`),
    permissions: () => get("/permission"),
    replyPermission: (id, reply, message) =>
      post(`/permission/${id}/reply`, { reply, ...(message === undefined ? {} : { message }) }),
  }
}
