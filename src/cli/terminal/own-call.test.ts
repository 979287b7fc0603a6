import { expect, test } from "bun:test"
import { ownCall } from "./own-call.ts"

const PLACE = {
  script: "/opt/boulder/dist/cli/main.js",
  program: "/usr/bin/node",
  cwd: "/home/me/app",
  env: { PATH: "/usr/bin:/opt/bin" },
  isExecutable: () => true,
}

test.each([
  {
    how: "a name on the PATH",
    given: { script: "/opt/bin/opencode-boulder" },
    is: "opencode-boulder",
  },
  {
    how: "npx",
    given: {
      script: "/x/_npx/1/node_modules/.bin/opencode-boulder",
      env: { PATH: "/x/_npx/1/node_modules/.bin" },
    },
    is: "npx opencode-boulder",
  },
  {
    how: "the project's own, by its path",
    given: { script: "/home/me/app/node_modules/.bin/opencode-boulder" },
    is: "npx opencode-boulder",
  },
  {
    how: "the project's own, by the path of its file",
    given: { script: "/home/me/app/node_modules/opencode-boulder/dist/cli/main.js" },
    is: "npx opencode-boulder",
  },
  { how: "a checkout", given: {}, is: "/opt/boulder/dist/cli/main.js" },
  {
    how: "a checkout that one stands in",
    given: { cwd: "/opt/boulder" },
    is: "./dist/cli/main.js",
  },
  {
    how: "a path with a blank",
    given: { script: "/opt/my boulder/main.js" },
    is: "'/opt/my boulder/main.js'",
  },
  {
    how: "a file that is no program",
    given: { isExecutable: () => false },
    is: "node /opt/boulder/dist/cli/main.js",
  },
])("$how: $is", ({ given, is }) => {
  expect(ownCall({ ...PLACE, ...given })).toBe(is)
})
