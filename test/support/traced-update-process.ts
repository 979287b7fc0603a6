import { mkdirSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { nodeFilePort } from "../../src/store/disk/file-port.ts"
import { CRASH_SCENES, diskOf } from "./crash-scenes.ts"
import { tracingPort } from "./crash-states.ts"

/** Plays one scene between two folders that it makes as marks, and prints the steps that the port has written down. */
const [root = "", name] = process.argv.slice(2)
const scene = CRASH_SCENES.find((one) => one.name === name)
if (scene === undefined) throw new Error(`Expected a scene; found ${name}.`)
const real = nodeFilePort()
await scene.prepare(root, real)
await scene.earlier(root, real)
const { port, trace } = tracingPort(real, await diskOf(root))
mkdirSync(join(root, "begin"))
await scene.change(root, port)
mkdirSync(join(root, "end"))
process.stdout.write(JSON.stringify(trace.steps))
