import { expect, test } from "bun:test"
import { homeFolder } from "./home-folder.ts"

const nobody = () => {
  throw new Error("uv_os_homedir returned ENOENT")
}

test.each([
  { env: { HOME: "/home/ann" }, ask: nobody, gives: "/home/ann" },
  { env: {}, ask: () => "/home/bob", gives: "/home/bob" },
  { env: { HOME: "" }, ask: () => "/home/bob", gives: "/home/bob" },
  { env: {}, ask: nobody, gives: "/" },
])("$gives", ({ env, ask, gives }) => {
  expect(homeFolder(env, ask)).toBe(gives)
})
