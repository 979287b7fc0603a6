import { expect, test } from "bun:test"
import { judgesAmong } from "./judge-files.ts"

test.each([
  { command: "npm test -- test/login.test.ts", path: "test/login.test.ts", judges: true },
  { command: "npx vitest run ./test/login.test.ts", path: "test/login.test.ts", judges: true },
  { command: "cd app && pytest tests/test_a.py", path: "app/tests/test_a.py", judges: true },
  { command: "npm test", path: "package.json", judges: true },
  { command: "npm test", path: "app/vitest.config.ts", judges: true },
  { command: "npm run lint", path: ".github/workflows/ci.yml", judges: true },
  { command: "npm test -- login", path: "src/login.ts", judges: false },
  { command: "npm test -- test/login.test.ts", path: "test/other.test.ts", judges: false },
  { command: "npx vitest run test/*/*.test.ts", path: "test/unit/a.test.ts", judges: true },
  { command: "npx vitest run test/*/*.test.ts", path: "app/unit/a.test.ts", judges: false },
  { command: "npx vitest run test/*/*.test.ts", path: "test/unit/a.test.py", judges: false },
])("$path judges $command: $judges", ({ command, path, judges }) => {
  expect([...judgesAmong([path], [command])]).toEqual(judges ? [path] : [])
})
