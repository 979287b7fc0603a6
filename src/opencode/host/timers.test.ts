import { describe, expect, test } from "bun:test"
import { openTimers } from "./timers.ts"

/** Timers run in the order of their ends: after this wait, a shorter one that was set before it is over, however busy the machine. */
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Timers whose runs and reports are written down. */
function noted() {
  const ran: string[] = []
  const reported: unknown[] = []
  const timers = openTimers(async (error) => {
    reported.push(error)
  })
  const run = (name: string) => async () => {
    ran.push(name)
  }
  return { timers, ran, reported, run }
}

describe("one timer a session at most", () => {
  test("a timer runs once", async () => {
    const { timers, ran, run } = noted()
    timers.set("ses_a", 0, run("a"))
    await wait(100)
    expect(ran).toEqual(["a"])
  })
  test("a later one takes the place of an earlier", async () => {
    const { timers, ran, run } = noted()
    timers.set("ses_a", 30, run("first"))
    timers.set("ses_a", 30, run("second"))
    await wait(120)
    expect(ran).toEqual(["second"])
  })
  test("sessions do not mix", async () => {
    const { timers, ran, run } = noted()
    timers.set("ses_a", 20, run("a"))
    timers.set("ses_b", 20, run("b"))
    timers.cancel("ses_a")
    await wait(100)
    expect(ran).toEqual(["b"])
  })
  test("a cancelled one does not run, also of all at once (omo#1131)", async () => {
    const { timers, ran, run } = noted()
    timers.set("ses_a", 20, run("a"))
    timers.set("ses_b", 20, run("b"))
    timers.cancelAll()
    await wait(100)
    expect(ran).toEqual([])
  })
  test("behind the cancel of all at once nothing is timed any more", async () => {
    const { timers, ran, run } = noted()
    timers.cancelAll()
    timers.set("ses_a", 20, run("a"))
    await wait(100)
    expect(ran).toEqual([])
  })
  test("of more than 1,000 sessions the oldest lose theirs", async () => {
    const { timers, ran, run } = noted()
    for (let at = 0; at < 1_002; at++) timers.set(`ses_${at}`, 20, run(String(at)))
    await wait(100)
    expect(ran).toHaveLength(1_000)
    expect(ran[0]).toBe("2")
  })
  test("cancelling what is not there does nothing", () => {
    const { timers } = noted()
    expect(() => timers.cancel("ses_a")).not.toThrow()
    expect(() => timers.cancelAll()).not.toThrow()
  })
  test("one that has run may set itself anew", async () => {
    const { timers, ran } = noted()
    await new Promise<void>((done) => {
      const again = async (): Promise<void> => {
        ran.push("again")
        if (ran.length < 3) timers.set("ses_a", 0, again)
        else done()
      }
      timers.set("ses_a", 0, again)
    })
    expect(ran).toHaveLength(3)
  })
  test("a wait of no length or below is still a wait: nothing runs at once", () => {
    const { timers, ran, run } = noted()
    timers.set("ses_a", -5_000, run("a"))
    expect(ran).toEqual([])
    timers.cancelAll()
  })
  test("what its work throws is reported, and the timer is over", async () => {
    const { timers, reported } = noted()
    const error = new Error("no")
    timers.set("ses_a", 0, async () => {
      throw error
    })
    await wait(100)
    expect(reported).toEqual([error])
  })
})

test("a timer keeps no process alive", async () => {
  const path = new URL("./timers.ts", import.meta.url).pathname
  const code = `import { openTimers } from ${JSON.stringify(path)}; openTimers(async () => {}).set("a", 600000, async () => {})`
  const child = Bun.spawn([process.execPath, "-e", code], { stdout: "ignore", stderr: "ignore" })
  expect(await Promise.race([child.exited, wait(20_000).then(() => child.kill())])).toBe(0)
})
