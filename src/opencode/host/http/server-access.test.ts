import { describe, expect, test } from "bun:test"
import { authorization, serverAccess, withPassword } from "./server-access.ts"

describe("a server by its URL", () => {
  const env = { OPENCODE_SERVER_PASSWORD: "ours", OPENCODE_SERVER_USERNAME: "ann" }
  test.each([
    { given: "http://127.0.0.1:4096/", env: {}, url: "http://127.0.0.1:4096", who: "opencode:" },
    { given: "http://h:1", env, url: "http://h:1", who: "ann:ours" },
    {
      given: "http://h:1",
      env: { KILO_SERVER_PASSWORD: "kilos" },
      url: "http://h:1",
      who: "kilo:kilos",
    },
    {
      given: "http://h:1",
      env: { ...env, KILO_SERVER_PASSWORD: "kilos" },
      url: "http://h:1",
      who: "ann:ours",
    },
    { given: "http://u:p%40ss@h:1/x/", env, url: "http://h:1/x", who: "u:p@ss" },
    { given: "http://:p@h:1", env: {}, url: "http://h:1", who: "opencode:p" },
    { given: "https://h/?auth_token=secret#secret", env: {}, url: "https://h", who: "opencode:" },
  ])("$given", ({ given, env, url, who }) => {
    const access = serverAccess(given, env)
    expect(access?.url).toBe(url)
    expect(`${access?.user}:${access?.password}`).toBe(who)
  })

  test.each(["", "u:p@h:1", "ftp://u:p@h", "http://u:p", "http://u:%zz@h"])(
    "%s is none",
    (given) => {
      expect(serverAccess(given, {})).toBeNull()
    },
  )

  test("sends what it knows, and nothing where there is no password", () => {
    const of = (password: string) => authorization({ url: "http://h", user: "u", password })
    expect(of("p")).toEqual({ Authorization: "Basic dTpw" })
    expect(of("")).toEqual({})
  })
})

describe("the environment of a server of ours", () => {
  const passwordIn = (env: Readonly<Record<string, string | undefined>>) =>
    withPassword(env)["OPENCODE_SERVER_PASSWORD"] ?? ""
  test("has the user's password, else one of 256 random bits", () => {
    expect(passwordIn({ OPENCODE_SERVER_PASSWORD: "ours" })).toBe("ours")
    const made = [passwordIn({}), passwordIn({ OPENCODE_SERVER_PASSWORD: "" })]
    for (const password of made) expect(password).toMatch(/^[\w-]{43}$/)
    expect(new Set(made).size).toBe(2)
  })
  test("has it under opencode's name and under Kilo's, with the same user", () => {
    const { KILO_SERVER_PASSWORD, OPENCODE_SERVER_PASSWORD, ...env } = withPassword({})
    expect(KILO_SERVER_PASSWORD).toBe(String(OPENCODE_SERVER_PASSWORD))
    expect(env).toEqual({
      KILO_SERVER_USERNAME: "opencode",
      OPENCODE_SERVER_USERNAME: "opencode",
    })
    const own = withPassword({ KILO_SERVER_PASSWORD: "kilos", KILO_SERVER_USERNAME: "eve" })
    expect(own["OPENCODE_SERVER_PASSWORD"]).toBe("kilos")
    expect(own["OPENCODE_SERVER_USERNAME"]).toBe("eve")
  })
})
