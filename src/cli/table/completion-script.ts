// Writes the scripts that complete commands, options and names in a shell, from the table of commands.
import type { CommandSpec } from "./command-spec.ts"
import { COMMAND_NAMES, COMMANDS } from "./command-table.ts"

export const SHELLS = ["bash", "zsh", "fish"] as const
type Shell = (typeof SHELLS)[number]

/** Whether there is a script for this shell. */
export function isShell(name: string): name is Shell {
  return SHELLS.some((shell) => shell === name)
}

/** The script to put where the shell looks for completions; `call` is how this installation is called. */
export function completionScript(shell: Shell, call: string): string {
  const make = { bash: bashScript, zsh: zshScript, fish: fishScript }[shell]
  return make().replace(/(?<=for (?:bash|zsh|fish)\n)/, nameNote(shell, call))
}

/** What the script completes, and what to do if the command line is called in another way. */
function nameNote(shell: Shell, call: string): string {
  const named =
    shell === "fish" ? `function ${NAME}; ${call} $argv; end` : `${NAME}() { ${call} "$@"; }`
  const note = `# It completes the name ${NAME}.`
  return call === NAME ? `${note}\n` : `${note} Give your installation that name:\n#   ${named}\n`
}

const NAME = "opencode-boulder"

/** What may stand in each place of a command: its options, those that take a value, and the kind of each argument. */
function rows() {
  return COMMAND_NAMES.map((name) => {
    const spec: CommandSpec = COMMANDS[name]
    return {
      name,
      summary: spec.summary,
      options: [...Object.keys(spec.options), "help"].map((option) => `--${option}`).join(" "),
      valued: valuedOptions(spec).join(" "),
      kinds: spec.arguments.map((argument) => argument.of).join(" "),
    }
  })
}

/** The options that take the next word, as typed. */
function valuedOptions({ options }: CommandSpec): readonly string[] {
  return Object.entries(options).flatMap(([name, { value, short }]) =>
    value === undefined ? [] : [`--${name}`, ...(short === undefined ? [] : [`-${short}`])],
  )
}

/** After `help` comes the name of a command. */
const HELP_ROW = '    help) options="" valued="" kinds="command" ;;'

function cases(): string {
  const lines = rows().map(
    ({ name, options, valued, kinds }) =>
      `    ${name}) options="${options}" valued="${valued}" kinds="${kinds}" ;;`,
  )
  return [...lines, HELP_ROW].join("\n")
}

const KNOWN = `  local options="" valued="" kinds="" kind="" place=0 word isValue=""`
/** For both shells: the words before the cursor that are neither an option nor its value tell which argument comes next. */
const PLACE = `  for word in "\${before[@]}"; do
    if [ -n "$isValue" ]; then isValue=""; continue; fi
    case "$word" in
      -*) case " $valued " in *" $word "*) isValue=yes ;; esac ;;
      *) place=$((place + 1)) ;;
    esac
  done`

function bashScript(): string {
  return `# opencode-boulder completion for bash
_opencode_boulder() {
  # A key such as todo:3 is one word to us, and three to the shell.
  local words=() part last=-1
  for part in "\${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
    if [[ $last -ge 0 && -n "$part" && ( "$part" == :* || "\${words[last]}" == *: ) ]]; then
      words[last]+="$part"
    else
      last=$((last + 1))
      words[last]="$part"
    fi
  done
  local current="\${words[last]}" before=("\${words[@]:2:last-2}")
  if [ "$last" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${COMMAND_NAMES.join(" ")} help --help --version" -- "$current"))
    return
  fi
${KNOWN}
  case "\${words[1]}" in
${cases()}
  esac
${PLACE}
  [ -n "$isValue" ] && return 0
  case "$current" in -*) COMPREPLY=($(compgen -W "$options" -- "$current")); return ;; esac
  kinds=($kinds)
  kind="\${kinds[$place]:-}"
  [ -n "$kind" ] && COMPREPLY=($(compgen -W "$("\${COMP_WORDS[0]}" completion "$kind" 2>/dev/null)" -- "$current"))
  [ "$kind" = plan ] && COMPREPLY+=($(compgen -f -- "$current"))
  # The shell replaces only what is behind the last colon.
  local kept="\${current%"\${current##*:}"}"
  [[ "$COMP_WORDBREAKS" == *:* ]] && COMPREPLY=("\${COMPREPLY[@]#"$kept"}")
  return 0
}
complete -F _opencode_boulder opencode-boulder
`
}

function zshScript(): string {
  const described = rows()
    .map(({ name, summary }) => `    ${shellQuoted(`${name}:${summary}`)}`)
    .join("\n")
  return `#compdef opencode-boulder
# opencode-boulder completion for zsh
_opencode_boulder() {
  local current="\${words[CURRENT]}" before=("\${(@)words[3,CURRENT-1]}")
  local commands=(
${described}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
${KNOWN}
  case "\${words[2]}" in
${cases()}
  esac
${PLACE}
  [[ -n "$isValue" ]] && return 0
  if [[ "$current" == -* ]]; then compadd -- \${=options}; return; fi
  local all=(\${=kinds})
  kind="\${all[$((place + 1))]}"
  [[ -n "$kind" ]] && compadd -- \${(f)"$("\${words[1]}" completion "$kind" 2>/dev/null)"}
  [[ "$kind" == plan ]] && _files
  return 0
}
if [ "$funcstack[1]" = "_opencode_boulder" ]; then _opencode_boulder "$@"; else compdef _opencode_boulder opencode-boulder; fi
`
}

function fishScript(): string {
  const begins = "complete -c opencode-boulder -f"
  const commands = rows().map(
    ({ name, summary }) =>
      `${begins} -n __fish_use_subcommand -a ${name} -d ${shellQuoted(summary)}`,
  )
  const options = COMMAND_NAMES.flatMap((name) => {
    const spec: CommandSpec = COMMANDS[name]
    const behind = `${begins} -n ${shellQuoted(`__fish_seen_subcommand_from ${name}`)}`
    return [
      ...Object.entries(spec.options).map(
        ([option, { about, value }]) =>
          `${behind} -l ${option}${value === undefined ? "" : " -r"} -d ${shellQuoted(about)}`,
      ),
      ...[...new Set(spec.arguments.map((argument) => argument.of))].map(
        (kind) => `${behind} -a ${shellQuoted(`(opencode-boulder completion ${kind})`)}`,
      ),
    ]
  })
  const help = [
    `${begins} -n __fish_use_subcommand -a help -d 'what a command does'`,
    `${begins} -n '__fish_seen_subcommand_from help' -a '(opencode-boulder completion command)'`,
  ]
  return ["# opencode-boulder completion for fish", ...commands, ...options, ...help, ""].join("\n")
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "’")}'`
}
