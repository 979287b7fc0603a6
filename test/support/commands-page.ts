import type { CommandSpec } from "../../src/cli/table/command-spec.ts"
import { GROUPS } from "../../src/cli/table/command-table.ts"
import {
  argumentWord,
  asTyped,
  exitRows,
  optionRows,
  usageWords,
} from "../../src/cli/table/help-text.ts"

const CALL = "opencode-boulder"

/** docs/COMMANDS.md, made from the table of commands. */
export function commandsPage(): string {
  const groups = Object.entries(GROUPS).flatMap(([title, commands]) => [
    `## ${title}`,
    ...Object.entries(commands).flatMap(([name, spec]) => commandPart(name, spec)),
  ])
  return `${[
    "# Commands",
    "The command line, `opencode-boulder <command>`: every command with its arguments, options, exit codes and examples, as `--help` shows them. Written by `npm run docs`.",
    "Everything that `--json` prints is one object with `version: 1`. A new field does not raise the version; a field that is renamed, removed or means something else does. Instead of `opencode-boulder`, type what you call it by: `npx opencode-boulder`, or the path of `dist/cli/main.js` in a checkout. When it advises a command, it prints that name.",
    "Colours are used only on terminals; `NO_COLOR` turns them off. Completion of commands and names: `opencode-boulder completion bash`, `zsh` or `fish`.",
    ...groups,
  ].join("\n\n")}\n`
}

function commandPart(name: string, spec: CommandSpec): readonly string[] {
  const { about, arguments: args, environment = {}, json = {}, examples } = spec
  const usage = `${CALL} ${name} ${usageWords(spec)}`.trim()
  return [
    `### ${name}`,
    `\`${usage}\``,
    ...about.map(cell),
    ...table(
      ["argument", "what it is"],
      args.map((one) => [argumentWord(one), one.about]),
    ),
    ...table(["option", "what it does"], optionRows(spec)),
    ...table(["environment", "what it is"], Object.entries(environment)),
    ...table(["field of `--json`", "what it holds"], [["version", "1"], ...Object.entries(json)], {
      isWanted: Object.keys(json).length > 0,
    }),
    `Exit codes: ${exitRows(spec)
      .map(([code, meaning]) => `${code} ${meaning}`)
      .join("; ")}.`,
    ["```sh", ...examples.map((example) => asTyped(example, CALL)), "```"].join("\n"),
  ].map((part) =>
    examples.some((one) => one.startsWith("{")) ? part.replace("```sh\n{", "```json\n{") : part,
  )
}

function table(
  [first, second]: readonly [string, string],
  rows: readonly (readonly [string, string])[],
  { isWanted = rows.length > 0 }: { readonly isWanted?: boolean } = {},
): readonly string[] {
  if (!isWanted) return []
  const lines = rows.map(([name, about]) => `| \`${name}\` | ${cell(about)} |`)
  return [[`| ${first} | ${second} |`, "| --- | --- |", ...lines].join("\n")]
}

/** Escapes what would be a tag, or would end the cell. */
function cell(text: string): string {
  return text.replaceAll("<", "\\<").replaceAll("|", "\\|")
}
