// What the table of commands says of one: its help, completion and page of the reference are made of this.
/** What a name on the command line is the name of: what completion offers in its place. */
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

/** An argument, named by its place. */
export interface ArgumentSpec {
  readonly name: string
  readonly of: NameOf
  readonly isRequired?: true
  readonly about: string
}

/** An option, as `parseArgs` of Node takes it, with what a person reads of it. */
export interface OptionSpec {
  readonly type: "boolean" | "string"
  readonly short?: string
  readonly default?: string
  /** What stands for the value in the help, such as `TIME`. */
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
  /** Variables of the environment, each with what it is for. */
  readonly environment?: Readonly<Record<string, string>>
  /** The fields of the object that `--json` prints, each with what it holds. */
  readonly json?: Readonly<Record<string, string>>
  readonly exits: Readonly<Record<number, string>>
  /** Command lines behind the program's name, or a text that begins with `{`. */
  readonly examples: readonly string[]
}
