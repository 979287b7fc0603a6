// The form of a command in the table: its help, completion and reference page are made from it.
/** What a name on the command line stands for: what completion offers in its place. */
export type NameOf =
  | "plan"
  | "work"
  | "task"
  | "session"
  | "handoff"
  | "command"
  | "shell"
  | "request"
  | "choice"

/** An argument, by position. */
export interface ArgumentSpec {
  readonly name: string
  readonly of: NameOf
  readonly isRequired?: true
  readonly about: string
}

/** An option; one without `value` is either given or not. */
export interface OptionSpec {
  readonly short?: string
  readonly default?: string
  /** The placeholder for its value in the help, such as `TIME`. */
  readonly value?: string
  readonly about: string
}

/** One command. */
export interface CommandSpec {
  readonly summary: string
  /** Paragraphs. */
  readonly about: readonly string[]
  readonly arguments: readonly ArgumentSpec[]
  readonly options: Readonly<Record<string, OptionSpec>>
  /** Environment variables, each with its purpose. */
  readonly environment?: Readonly<Record<string, string>>
  /** The fields of the object that `--json` prints, each with its content. */
  readonly json?: Readonly<Record<string, string>>
  /** Its exit codes, but that of a command line which is not understood. */
  readonly exits: Readonly<Record<number, string>>
  /** Command lines without the program's name, or a text that begins with `{`. */
  readonly examples: readonly string[]
}
