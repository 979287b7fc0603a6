import { describe, expect, spyOn, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { waitUntil } from "../../../test/support/host-wait.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import { runProgram } from "./run-program.ts"

const LIMIT_MS = 10_000
const run = (cwd: string, script: string, input = "{}", limitMs = LIMIT_MS) =>
  runProgram(["sh", "-c", script], input, { cwd, limitMs })

describe("a program of the user's", () => {
  test("gets its text on stdin, in the folder", () =>
    withFolder(async (root) => {
      expect(await run(root, "cat > got", '{"a":1}\n')).toBeNull()
      expect(readFileSync(join(root, "got"), "utf8")).toBe('{"a":1}\n')
    }))
  test("is no shell's line: what stands in an argument is that", () =>
    withFolder(async (root) => {
      expect(
        await runProgram(["touch", "a; touch b"], "", { cwd: root, limitMs: LIMIT_MS }),
      ).toBeNull()
      expect(existsSync(join(root, "a; touch b"))).toBe(true)
      expect(existsSync(join(root, "b"))).toBe(false)
    }))
  test.each([
    { name: "does not exist", command: ["/no/such/program"], says: /ENOENT/ },
    { name: "is none", command: [], says: /./ },
    { name: "has a NUL in its name", command: ["a\u0000b"], says: /null bytes/ },
    { name: "fails", command: ["sh", "-c", "exit 3"], says: /ended with 3/ },
  ])("that $name is said, and rejects nothing", ({ command, says }) =>
    withFolder(async (root) => {
      expect(await runProgram(command, "{}", { cwd: root, limitMs: LIMIT_MS })).toMatch(says)
    }),
  )
  test("that hangs is ended, with what it has started", () =>
    withFolder(async (root) => {
      const script = "sleep 300 & echo $! > pid; wait"
      expect(await run(root, script, "{}", 500)).toContain("has not ended within 0.5 s")
      const pid = Number(readFileSync(join(root, "pid"), "utf8"))
      await Bun.sleep(200)
      expect(existsSync(`/proc/${pid}/exe`)).toBe(false)
    }))
  /** Begins a program in a process that ends at once; gives the one that the program has started, and named in `pid`. */
  const begunBehind = async (root: string, script: string, limitMs = 500): Promise<number> => {
    const path = JSON.stringify(join(import.meta.dir, "run-program.ts"))
    const given = JSON.stringify({ cwd: root, limitMs })
    const code = `const { runProgram } = await import(${path})
      void runProgram(["sh", "-c", ${JSON.stringify(script)}], "{}", ${given})
      while (!(await Bun.file("pid").exists())) await Bun.sleep(10)
      process.exit(0)`
    expect(await Bun.spawn([process.execPath, "-e", code], { cwd: root }).exited).toBe(0)
    const pid = Number(readFileSync(join(root, "pid"), "utf8"))
    expect(existsSync(`/proc/${pid}/exe`)).toBe(true)
    return pid
  }
  test("that hangs is ended, with what it has started, where this process ended before", () =>
    withFolder(async (root) => {
      const pid = await begunBehind(root, "sleep 300 & echo $! > at && mv at pid; wait")
      await waitUntil(
        () => !existsSync(`/proc/${pid}/exe`),
        () => `${pid} still runs`,
      )
    }))
  test("that ends by itself leaves running what it has started, also where this process ended before", () =>
    withFolder(async (root) => {
      const script = "sleep 300 & echo $! > at && mv at pid; sleep 0.2"
      const pid = await begunBehind(root, script, 2_000)
      await Bun.sleep(4_000)
      expect(existsSync(`/proc/${pid}/exe`)).toBe(true)
      process.kill(pid, "SIGKILL")
    }))
  test("whose group is not ours to end is ended alone, and nothing is thrown out of the timer", () =>
    withFolder(async (root) => {
      const real = process.kill.bind(process)
      const thrown: unknown[] = []
      const isThrown = (error: unknown) => void thrown.push(error)
      process.on("uncaughtException", isThrown)
      const kill = spyOn(process, "kill").mockImplementation((pid, signal) => {
        if (pid < 0) throw Object.assign(new Error("kill EPERM"), { code: "EPERM" })
        return real(pid, signal)
      })
      try {
        expect(await run(root, "echo $$ > pid; exec sleep 300", "{}", 500)).toContain(
          "has not ended",
        )
        const pid = Number(readFileSync(join(root, "pid"), "utf8"))
        await waitUntil(
          () => !existsSync(`/proc/${pid}/exe`),
          () => `${pid} lives`,
        )
        expect(thrown).toEqual([])
      } finally {
        kill.mockRestore()
        process.off("uncaughtException", isThrown)
      }
    }))
  test("that reads nothing of much, and prints much, holds up nothing", () =>
    withFolder(async (root) => {
      const before = process.memoryUsage().rss
      const script = "exec 0<&-; head -c 1000000000 /dev/zero"
      expect(await run(root, script, "x".repeat(5_000_000))).toBeNull()
      expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000)
    }))
})
