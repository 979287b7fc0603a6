// What is said of a database that fails, by what its driver throws.
import { expect, test } from "bun:test"
import { failureOf } from "./away.ts"

const URL = "postgres://boulder:secretsecret@db.example/boulder"

const said = (code: string, message: string): string =>
  String(
    failureOf(Object.assign(new Error(message), code === "" ? {} : { code }), {
      secret: URL,
      isOpen: true,
    }),
  )

test("a pooler that refuses our parameter at the start is told what to ignore", () => {
  const text = said("08P01", "unsupported startup parameter: statement_timeout")
  expect(text).toContain("ignore_startup_parameters")
  expect(text).not.toContain("within its time")
  expect(text).not.toContain("retried")
})

test("another breach of the protocol is not said to be the pooler's parameter", () => {
  const text = said("08P01", "server conn crashed?")
  expect(text).toContain("server conn crashed?")
  expect(text).not.toContain("ignore_startup_parameters")
})

test.each([
  ["26000", 'prepared statement "8f00b204" does not exist'],
  ["42P05", 'prepared statement "8f00b204" already exists'],
])("a pooler without prepared statements (%s) is told how to have them", (code, message) => {
  const text = said(code, message)
  expect(text).toContain("max_prepared_statements")
  expect(text).not.toContain("retried")
})

test.each([
  "Query read timeout",
  "timeout exceeded when trying to connect",
  "timeout expired",
  "Connection terminated due to connection timeout",
])("the driver's words %p mean no answer in time", (message) => {
  expect(said("", message)).toContain("no answer within its time")
})

test.each([
  ["28P01", "it refuses the password", "Fix the url"],
  ["28000", "it refuses the user", "or the server's rules"],
  ["3D000", "no database of that name", "Create it"],
  ["42501", "no right to create or use its tables", "grant select"],
  ["3F000", "no right to create or use its tables", "grant select"],
  ["42P01", "one of our tables missing", "Restore it from a backup"],
  ["25006", "a server that only reads", "the one that writes"],
  ["53300", "too many connections", "Raise max_connections"],
  ["57P01", "it shuts down", "retried"],
  ["ECONNREFUSED", "nothing listening there", "Start it"],
  ["ENOTFOUND", "no such host", "Fix the url"],
  ["ECONNRESET", "the connection reset", "retried"],
])("%s is told as %p, with what to do: %s", (code, found, todo) => {
  const text = said(code, "words of the driver")
  expect(text).toContain(`found ${found}`)
  expect(text).toContain(todo)
})
