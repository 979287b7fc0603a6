import { expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { lifeOf, machineOf, newWriteId, ownIdentity } from "./writer-identity.ts"

test("a machine whose name changes is the same one, as long as its boot is known", () => {
  const here = { host: "laptop", boot: "b1", namespace: "pid:[1]" }
  const away = { ...here, host: "laptop.home" }
  expect(machineOf(away)).toBe(machineOf(here))
  expect(machineOf({ ...here, namespace: "pid:[2]" })).not.toBe(machineOf(here))
  expect(machineOf({ ...here, boot: "b2" })).not.toBe(machineOf(here))
  // Where the namespace is not told, two containers of one boot are told apart by their names.
  const veiled = { namespace: "" }
  expect(machineOf({ ...here, ...veiled })).not.toBe(machineOf({ ...away, ...veiled }))
  const bare = { boot: "", namespace: "" }
  expect(machineOf({ ...here, ...bare })).not.toBe(machineOf({ ...away, ...bare }))
})

test.skipIf(!existsSync("/proc/self/stat"))(
  "a process that has ended is dead, though nobody has asked for its exit code",
  async () => {
    // The shell begins a child, and becomes a program that never waits for it: as the first process of many a container.
    const script = "sleep 60 & echo $!; exec sleep 60"
    const parent = Bun.spawn(["sh", "-c", script], { stdout: "pipe", stderr: "ignore" })
    try {
      const { value } = await parent.stdout.getReader().read()
      const pid = Number(new TextDecoder().decode(value))
      // A shell that still is one asks for the exit code.
      const name = () => readFileSync(`/proc/${parent.pid}/comm`, "utf8")
      while (name() !== "sleep\n") await Bun.sleep(20)
      const own = await ownIdentity()
      const life = () => lifeOf(newWriteId({ ...own, pid, started: "0" }), own)
      // As on macOS: whose pid it is cannot be told.
      expect(await life()).toBe("unknown")
      process.kill(pid, "SIGKILL")
      let last = await life()
      for (const began = Date.now(); last === "unknown" && Date.now() - began < 5_000; ) {
        await Bun.sleep(20)
        last = await life()
      }
      expect(last).toBe("dead")
      // It is there still, and would take a signal.
      expect(process.kill(pid, 0)).toBe(true)
    } finally {
      parent.kill("SIGKILL")
    }
  },
)
