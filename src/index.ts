// The composition root.
import type { PluginModule } from "@opencode-ai/plugin"
import { hooksOf } from "./opencode/hooks.ts"
import { readOptions } from "./opencode/options.ts"
import { sessionApiOf } from "./opencode/session-api.ts"
import { openSessions } from "./opencode/sessions.ts"
import { openFileBoulderStore } from "./store/file-boulder-store.ts"
import { findPlans } from "./store/find-plans.ts"
import { gitState } from "./store/git-state.ts"
import { openFileHandoffStore } from "./store/handoff-file-store.ts"
import { openJournal } from "./store/journal.ts"
import { readOlderBoulder } from "./store/older-boulder.ts"
import { openPlanFiles } from "./store/plan-files.ts"
import { hostRoot } from "./store/project-root.ts"
import { openReadyFolder } from "./store/ready-folder.ts"
import { openRecordFiles } from "./store/record-files.ts"
import { openShardFiles } from "./store/shard-files.ts"
import { openTaskStateFiles } from "./store/task-state-files.ts"
import { openWorkArchive } from "./store/work-archive.ts"

/** The composition root. The default export is the only one: the host calls every function that it finds. */
const plugin: PluginModule = {
  id: "opencode-boulder",
  server: async ({ client, worktree, directory }, given) => {
    const root = await hostRoot({ worktree, directory })
    const { options, problems } = readOptions(given)
    const now = () => Date.now()
    const log = async (message: string): Promise<void> => {
      await client.app.log({
        body: {
          service: "opencode-boulder",
          level: "error",
          message: `opencode-boulder: ${message}`,
        },
      })
    }
    const api = sessionApiOf(client)
    const ready = openReadyFolder({ root })
    const records = openRecordFiles({ root, ready })
    return hooksOf({
      root,
      directory,
      options,
      problems,
      store: openFileBoulderStore({ root, ready }),
      archive: openWorkArchive(records),
      older: (sessionId) =>
        readOlderBoulder({ root, sessionId, now: new Date(now()).toISOString() }),
      plans: openPlanFiles({ root, now }),
      handoffs: openFileHandoffStore({ root, records }),
      taskStates: openTaskStateFiles(records),
      journal: openJournal({ root, ready }),
      records,
      shards: openShardFiles(records),
      api,
      sessions: openSessions(),
      now,
      log,
      tree: () => gitState(root),
      planPaths: () => findPlans(root),
    })
  },
}

export default plugin
