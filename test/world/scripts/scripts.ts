// All scenarios that both the real and the simulated host are played from.
import type { HostScript } from "./host-script.ts"
import { HUMAN_SCRIPTS } from "./human-scripts.ts"
import { TASK_SCRIPTS } from "./task-scripts.ts"
import { TURN_SCRIPTS } from "./turn-scripts.ts"

export const SCRIPTS: readonly HostScript[] = [...TURN_SCRIPTS, ...TASK_SCRIPTS, ...HUMAN_SCRIPTS]
