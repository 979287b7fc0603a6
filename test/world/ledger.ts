// What has really happened in a world, kept apart from all that the plugin remembers of it.
/** The title of the task that the words of a call name in a plan, by the rules of the README; null for none. */
export type Naming = (plan: string) => string | null

/** The same of a call that may resume a session: what that has worked on before. */
export interface CallNaming {
  readonly naming: Naming
  readonly recorded: readonly string[]
  /** Its words may be read as naming it, or nobody. */
  readonly isDoubtful: boolean
}

/** A `task` call; `names` are the titles that it names, in the plan as it was before and behind the hook that reads it. */
export interface Call {
  readonly process: string
  readonly sessionId: string
  readonly callId: string
  readonly names: (string | null)[]
  /** So many of them, the first ones, are in doubt: said by the session that it resumes, or beside another. */
  readonly unsaid: number
  readonly naming: Naming
  readonly agent: string
  /** It was made by the lead of a work that was active: others count for nothing. */
  isOfLead: boolean
  state: "running" | "returned" | "failed" | "lost"
  child: string | null
  /** What the child has said, in the words of its model. */
  result: string
  readonly at: number
  backAt: number
  /** The work in which its delegation was written down; null where others may have had a reason to take it out again. */
  writtenIn: string | null
}

/** Why a session may not be prompted, until a person sets its work going. */
type Closed = "aborted" | "rejected" | "stopped"

/** What the plugin of one process has been told of a session. */
export interface Told {
  isBusy: boolean
  /** A prompt of ours was taken and no idle told since. */
  isPrompted: boolean
  closed: Closed | null
  /** The user has spoken in it since it was aborted. */
  hasSpoken: boolean
  requests: Set<string>
  /** The plugin has seen it fall idle. */
  hasIdled: boolean
  /** Its last message was a user's own. */
  isUsersTurn: boolean
  /** The agent of its last message; null before there was any. */
  agent: string | null
  /** The last message that a hook has told of; null before there was any. */
  message: string | null
  /** The plan by whose numbers it knows the tasks: as a text of ours has told it last; null where nobody can say. */
  keys: string | null
}

/** A prompt of the plugin's, with what its process had been told until then. */
export interface Prompt {
  readonly process: string
  readonly sessionId: string
  readonly text: string
  readonly at: number
  /** Earlier than it was sent where the machine has slept between. */
  readonly decidedAt: number
  /** The host has told that it took it: what it refuses, or is silent about, is no prompt. */
  readonly isTaken: boolean
  readonly told: Readonly<Told>
  /** Requests that were open in sessions below it. */
  readonly waitsFor: readonly string[]
  /** What counts as progress, as it stood then. */
  readonly progress: string
  /** A person had stopped the work, and everything had come to rest behind that. */
  readonly stoppedBefore: boolean
  /** The agent of the work that its session leads; null where that has none. */
  readonly agent: string | null
  /** It is about the plan that the world is about. */
  readonly isOfPlan: boolean
  /** A person has set the work going, or spoken, since the prompt before. */
  readonly isFresh: boolean
  /** Nothing came of it, or its turn has failed; "unsure" where nobody can say. Set once it is known. */
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
  /** Of these, what nothing has been held against yet. */
  get news(): readonly Said[] {
    return this.said.slice(this.saidBefore)
  }
  saidBefore = 0
  readonly threw: Threw[] = []
  readonly planWrites: PlanWrite[] = []
  /** Acts that approve: each with the moment, and a command with when it was carried out, for what came meanwhile. */
  readonly approvals: { readonly at: number; readonly by: string; until?: number }[] = []
  /** Questions whose answer approves: it counts as given when the plugin is told, however late a host tells of it. */
  readonly approvingAnswers = new Set<string>()
  /** Acts that set a work going and make its budget fresh: the moments. */
  readonly starts: number[] = []
  /** Calls of `save_task_progress`, and the title of the task that each names. */
  readonly saves: {
    readonly sessionId: string
    readonly status: string
    readonly names: string | null
  }[] = []
  /** A person has stopped the work, by `/stop-work` or from outside, and not set it going since. */
  stopped: { readonly at: number; isArmed: boolean } | null = null
  /** When the last review of the wave came back. */
  waveBackAt = 0
  /** When a user has last written. */
  spokeAt = Number.NEGATIVE_INFINITY
  /** The wave that counted as approved when it was last looked at. */
  approvedWave: string | null = null
  /** When a person has last set the work going. */
  setGoingAt = 0
  /** When a person has last pressed ESC in a session. */
  readonly stoppedAt = new Map<string, number>()
  /** Titles of rows whose last review rejected them, and when. */
  readonly rejected = new Map<string, number>()
  /** The plan as it was when its work was found complete. */
  completedAs: string | null = null
  /** The works that were paused as without progress when they were last looked at. */
  idlePauses: ReadonlySet<string> = new Set()
  /** Of `boulder.json`, as it was last seen. */
  revision = 0
  /** The work as a `/start-work` has found it: its lead, whether that had a task state, its status. */
  startedFrom: StartedFrom | null = null
  /** State of the original plugin lay there when it began. */
  hadOlderState = false
  /** When a completed work was last started again. */
  restartedAt = 0
  /** A wave that was approved while it was ready: it has to count as approved once all is quiet. */
  approvalDue: string | null = null
  /** When the machine fell asleep last: in ms since the world began, and as its clock showed it. */
  asleep: { readonly at: number; readonly now: number } | null = null
  /** The waves that questions were asked for, by request: an answer approves what was asked for, and no other. */
  readonly wavesAsked = new Map<string, string>()
  /** Host or disk have refused an answer once. */
  isBlind = false
  /** Subagents that have edited the plan: nothing has refused it. */
  readonly editedBelow: string[] = []
  /** Files of task states that somebody has damaged. */
  readonly damaged = new Set<string>()
  /** What was said to the user. */
  readonly toasts: string[] = []
  /** What was found wrong at the moment when it happened. */
  readonly wrong: string[] = []
  /** Sessions in which a person has spoken, or set the work going, since the last prompt. */
  readonly fresh = new Set<string>()
  /** Commands whose message has not come yet: process, session, name. */
  readonly commands: string[] = []
  /** What users have written themselves: one may write while their command is still answered. */
  readonly own = new Set<string>()
  readonly #told = new Map<string, Told>()
  readonly #usersCalls = new Set<string>()

  /** A hook begins: a call is judged by the turn that it began in, though the user writes while the hook is at work. */
  begins(process: string, { sessionID, callID }: Readonly<Record<string, unknown>>): void {
    if (callID === undefined || !this.told(process, String(sessionID)).isUsersTurn) return
    this.#usersCalls.add(`${process} ${sessionID} ${callID}`)
  }

  /** It began in a turn of the user's, which still goes on. */
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

  /** Somebody may take a delegation that still runs for one that has died. */
  doubtCalls(): void {
    for (const call of this.calls) call.writtenIn = null
  }

  /** The plugin of a process was loaded anew: it has been told of nothing. */
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
