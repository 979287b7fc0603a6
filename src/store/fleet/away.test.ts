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
