// Records what has really happened in a world, apart from everything the plugin remembers about it.
/** The title of the task that the words of a call name in a plan, by the rules of the README; null for none. */
export type Naming = (plan: string) => string | null

/** The same for a call that may resume a session: what that session has worked on before. */
export interface CallNaming {
  readonly naming: Naming
  readonly recorded: readonly string[]
  /** Whether its words may be read as naming the task, or as naming none. */
  readonly isDoubtful: boolean
}

/** A `task` call. `names` are the titles that it names, in the plan before and after the hook that reads it. */
export interface Call {
  readonly process: string
  readonly sessionId: string
  readonly callId: string
  readonly names: (string | null)[]
  /** How many of the first names are in doubt: named by the session that it resumes, or beside another. */
  readonly unsaid: number
  readonly naming: Naming
  readonly agent: string
  /** Whether it was made by the lead of a work that was active. Other calls do not count. */
  isOfLead: boolean
  state: "running" | "returned" | "failed" | "lost"
  child: string | null
  /** What the child has said, in the words of its model. */
  result: string
  readonly at: number
  backAt: number
  /** The work in which its delegation was written down; null if others may have had a reason to remove it again. */
  writtenIn: string | null
}

/** Why a session may not be prompted until a person resumes its work. */
type Closed = "aborted" | "rejected" | "stopped"

/** What the plugin of one process has been told about a session. */
export interface Told {
  isBusy: boolean
  /** Whether a prompt of ours was accepted and no idle reported since. */
  isPrompted: boolean
  closed: Closed | null
  /** Whether the user has spoken in it since it was aborted. */
  hasSpoken: boolean
  requests: Set<string>
  /** Whether the plugin has seen it fall idle. */
  hasIdled: boolean
  /** Whether its last message was a user's own. */
  isUsersTurn: boolean
  /** The agent of its last message; null before there was any. */
  agent: string | null
  /** The last message that a hook has reported; null before there was any. */
  message: string | null
  /** The plan by whose numbers it knows the tasks, as our last text told it; null if nobody can say. */
  keys: string | null
}

/** A prompt of the plugin's, with what its process had been told by then. */
export interface Prompt {
  readonly process: string
  readonly sessionId: string
  readonly text: string
  readonly at: number
  /** Earlier than it was sent if the machine slept in between. */
  readonly decidedAt: number
  /** Whether the host has confirmed it. What the host refuses, or does not answer, is no prompt. */
  readonly isTaken: boolean
  readonly told: Readonly<Told>
  /** Requests that were open in sessions below it. */
  readonly waitsFor: readonly string[]
  /** What counts as progress, as it was at that time. */
  readonly progress: string
  /** Whether a person had stopped the work, and everything had come to rest after that. */
  readonly stoppedBefore: boolean
  /** The agent of the work that its session leads; null if that has none. */
  readonly agent: string | null
  /** Whether it is about the plan that the world is about. */
  readonly isOfPlan: boolean
  /** Whether a person has resumed the work, or spoken, since the previous prompt. */
  readonly isFresh: boolean
  /** Whether nothing came of it, or its turn failed; "unsure" if nobody can say. Set once it is known. */
  failed: "no" | "unsure" | "yes"
}

/** A text of the plugin's that a model or a person reads. */
export interface Said {
  readonly process: string
  readonly sessionId: string
  readonly where: string
  readonly text: string
  readonly at: number
  readonly isUsersTurn: boolean
  readonly isChild: boolean
  /** The sessions that were busy then in its process, which hears of no other's, and the titles of the plan's rows by their keys. */
  readonly busy: readonly string[]
  readonly titles: ReadonlyMap<string, readonly string[]>
}

/** What a start has found. */
interface StartedFrom {
  readonly lead: string
  readonly status: string
  readonly hadState: boolean
}

/** A hook that has thrown. */
export interface Threw {
  readonly name: string
  readonly message: string
  readonly isUsersTurn: boolean
}

/** A write of the plugin's into the plan. */
export interface PlanWrite {
  readonly process: string
  readonly before: string
  readonly after: string
}

/** The facts of a world, in the order in which they came. */
export class Ledger {
  readonly calls: Call[] = []
  readonly prompts: Prompt[] = []
  readonly said: Said[] = []
  /** Those that no rule has looked at yet. */
  get news(): readonly Said[] {
    return this.said.slice(this.saidBefore)
  }
  saidBefore = 0
  readonly threw: Threw[] = []
  readonly planWrites: PlanWrite[] = []
  /** Acts that approve, each with its time, and a command also with when it was carried out, for what came in between. */
  readonly approvals: { readonly at: number; readonly by: string; until?: number }[] = []
  /** Questions whose answer approves. The answer counts as given when the plugin is told, however late the host reports it. */
  readonly approvingAnswers = new Set<string>()
  /** The times of acts that resume a work and make its budget fresh. */
  readonly starts: number[] = []
  /** Calls of `save_task_progress`, and the title of the task that each names. */
  readonly saves: {
    readonly sessionId: string
    readonly status: string
    readonly names: string | null
  }[] = []
  /** A person has stopped the work, by `/stop-work` or from outside, and has not resumed it since. */
  stopped: { readonly at: number; isArmed: boolean } | null = null
  /** When the last review of the wave came back. */
  waveBackAt = 0
  /** When a user last wrote. */
  spokeAt = Number.NEGATIVE_INFINITY
  /** The wave that counted as approved when last looked at. */
  approvedWave: string | null = null
  /** When a person last resumed the work. */
  setGoingAt = 0
  /** When a person last pressed ESC in a session. */
  readonly stoppedAt = new Map<string, number>()
  /** Titles of rows whose last review rejected them, and when. */
  readonly rejected = new Map<string, number>()
  /** The plan as it was when its work was found complete. */
  completedAs: string | null = null
  /** The works that were paused without progress when last looked at. */
  idlePauses: ReadonlySet<string> = new Set()
  /** The revision of `boulder.json`, as last seen. */
  revision = 0
  /** The work as a `/start-work` found it: its lead, whether that had a task state, its status. */
  startedFrom: StartedFrom | null = null
  /** Whether state of the original plugin was there when it began. */
  hadOlderState = false
  /** When a completed work was last started again. */
  restartedAt = 0
  /** A wave that was approved while it was ready. It must count as approved once all is quiet. */
  approvalDue: string | null = null
  /** When the machine last fell asleep: in ms since the world began, and as its clock showed it. */
  asleep: { readonly at: number; readonly now: number } | null = null
  /** The waves that questions were asked about, by request. An answer approves that wave and no other. */
  readonly wavesAsked = new Map<string, string>()
  /** Whether host or disk has refused an answer once. */
  isBlind = false
  /** Subagents that have edited the plan, since nothing refused it. */
  readonly editedBelow: string[] = []
  /** Files of task states that somebody has damaged. */
  readonly damaged = new Set<string>()
  /** What was said to the user. */
  readonly toasts: string[] = []
  /** What was found wrong at the time it happened. */
  readonly wrong: string[] = []
  /** Sessions in which a person has spoken, or resumed the work, since the last prompt. */
  readonly fresh = new Set<string>()
  /** Commands whose message has not come yet: process, session, name. */
  readonly commands: string[] = []
  /** What users have written themselves: one may write while their command is still being answered. */
  readonly own = new Set<string>()
  readonly #told = new Map<string, Told>()
  readonly #usersCalls = new Set<string>()

  /** A hook begins. A call is judged by the turn that it began in, even if the user writes while the hook is at work. */
  begins(process: string, { sessionID, callID }: Readonly<Record<string, unknown>>): void {
    if (callID === undefined || !this.told(process, String(sessionID)).isUsersTurn) return
    this.#usersCalls.add(`${process} ${sessionID} ${callID}`)
  }

  /** Whether it began in a turn of the user's that still goes on. */
  isUsersCall(process: string, { sessionID, callID }: Readonly<Record<string, unknown>>): boolean {
    const began = this.#usersCalls.has(`${process} ${sessionID} ${callID}`)
    return began && this.told(process, String(sessionID)).isUsersTurn
  }

  told(process: string, sessionId: string): Told {
    const key = `${process} ${sessionId}`
    const known = this.#told.get(key)
    if (known !== undefined) return known
    const told: Told = {
      isBusy: false,
      isPrompted: false,
      closed: null,
      hasSpoken: false,
      requests: new Set(),
      hasIdled: false,
      isUsersTurn: false,
      agent: null,
      message: null,
      keys: null,
    }
    this.#told.set(key, told)
    return told
  }

  /** Somebody may believe that a delegation has died although it is still running. */
  doubtCalls(): void {
    for (const call of this.calls) call.writtenIn = null
  }

  /** The plugin of a process was loaded anew, so it has been told nothing. */
  forget(process: string): void {
    this.doubtCalls()
    for (const key of this.#told.keys()) if (key.startsWith(`${process} `)) this.#told.delete(key)
  }

  callOf(process: string, sessionId: string, callId: string): Call | undefined {
    return this.calls.findLast(
      (one) => one.process === process && one.sessionId === sessionId && one.callId === callId,
    )
  }
}
