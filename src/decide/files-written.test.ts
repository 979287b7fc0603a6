import { expect, test } from "bun:test"
import { filesWritten } from "./files-written.ts"

test.each([
  { command: "echo x > src/a.ts", files: ["src/a.ts"] },
  { command: "echo x >>'my file'", files: ["my file"] },
  { command: "sed -i s/a/b/ src/a.ts", files: ["s/a/b/", "src/a.ts"] },
  { command: "cd app && mv a.ts b.ts", files: ["a.ts", "b.ts"] },
  { command: "cat a | tee -a b.log", files: ["b.log"] },
  { command: "git checkout -- src/a.ts", files: ["src/a.ts"] },
  { command: "npm test > /dev/null 2>&1", files: [] },
  { command: "npm test 2>&1 | tail", files: [] },
  { command: "grep -r a src; ls", files: [] },
  { command: "", files: [] },
])("$command", ({ command, files }) => {
  expect([...filesWritten(command)]).toEqual([...files])
})
