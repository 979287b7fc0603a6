/** Where the demo's plan lies in its project. */
export const DEMO_PLAN_PATH = ".boulder/plans/todo-cli.md"

/** A plan as a planner writes it: nine tasks with their details, and a final wave that waits for the user. */
export const DEMO_PLAN = `# todo-cli: a to-do list for the command line

## Context

A small command line program in Node without dependencies: \`todo add "Buy milk"\`, \`todo list\`,
\`todo done 1\`, \`todo remove 1\`. The list lives in a JSON file, \`todo.json\` in the current folder
unless \`TODO_FILE\` names another.

## TODOs

- [ ] 1. Set up the package
  **What to do**: \`package.json\` with type module, bin \`todo\` -> \`src/main.js\`, and a test script
  that runs \`node --test\`. No dependencies.
  **Acceptance**: \`npm pkg get bin\` shows the bin.

- [ ] 2. Write the list as pure functions
  **What to do**: \`src/list.js\` with \`addItem(list, text)\`, \`completeItem(list, id)\` and
  \`removeItem(list, id)\`. Each returns a new list; ids grow and are never used again in a list.
  An empty text and an unknown id throw an error that says what was expected.
  **Blocks**: 5, 6

- [ ] 3. Keep the list in a file
  **What to do**: \`src/store.js\` with \`loadList(path)\` and \`saveList(path, list)\`. A missing file is
  an empty list. Saving writes a temporary file and renames it, so that a crash leaves no half file.
  **Must not do**: take a file that is no JSON for an empty list.

- [ ] 4. Read the arguments
  **What to do**: \`src/arguments.js\` with \`parseArguments(argv)\`: a command with its values, or what
  is wrong with them. Commands: add, list, done, remove, help.

- [ ] 5. Show the list
  **What to do**: \`src/format.js\` with \`formatList(list)\`: one line an item, \`[x]\` when done, ids
  aligned to the right, and a last line with the counts.

- [ ] 6. Put the program together
  **What to do**: \`src/main.js\`: parse, load, change, save, show. Errors go to stderr with exit code
  1, wrong usage with 2. Nothing is written when nothing has changed.

- [ ] 7. Test the list
  **What to do**: \`test/list.test.js\` with node:test: adding, completing, removing, ids after a
  removal, empty text, unknown id.

- [ ] 8. Test the program from outside
  **What to do**: \`test/main.test.js\`: run the program in a temporary folder; add two items, finish
  one, and compare what list prints; a broken file gives exit code 1 and is left as it was.

- [ ] 9. Write the README
  **What to do**: \`README.md\`: what it is, how to install it, each command with an example.

## Final Verification Wave

- [ ] F1. **Plan compliance**: every task's files are there and do what the plan says
- [ ] F2. **Code quality**: no dead code, errors say what was expected
- [ ] F3. **Tests**: run \`node --test\` and read its result

## Definition of Done

- [ ] All tests pass in Node 20
`
