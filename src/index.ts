// The composition root.
import { versionToGreet } from "./cli/first-start.ts"
import { asCalled } from "./cli/terminal/as-called.ts"
import { installedCall } from "./cli/terminal/own-call.ts"
import { reactionsOf } from "./opencode/hooks.ts"
import { readOptions } from "./opencode/host/options.ts"
import { openSessions } from "./opencode/host/sessions.ts"
import { pluginModule } from "./opencode/host/v1/plugin-module.ts"
import { greetingNotice } from "./prompts/notice-text.ts"
import { inOpencode } from "./prompts/typed-command.ts"
import { openProcessLife } from "./store/disk/process-life.ts"
import { hostRoot } from "./store/disk/project-root.ts"
import { openFleetHandoffs } from "./store/fleet/open-handoffs.ts"
import { openFileHandoffStore } from "./store/handoffs/handoff-file-store.ts"
import { findPlans } from "./store/plans/find-plans.ts"
import { openGitState } from "./store/processes/git-state.ts"
import { openProjectFiles } from "./store/records/project-files.ts"
import { openShardFiles } from "./store/records/shard-files.ts"
import { readOlderBoulder } from "./store/revisions/older-boulder.ts"

/** The composition root. The default export must be the only one: the host calls every exported function. */
const plugin = pluginModule("opencode-boulder", async (host, given) => {
  const { worktree, directory, api, words, isBrief, log } = host
  const root = await hostRoot({ worktree, directory })
  const { options, problems } = readOptions(given)
  const now = () => Date.now()
  const call = installedCall(directory)
  const called = (text: string) => asCalled(text, call)
  const files = openProjectFiles({ root, now })
  const { records, live, store } = files
  const handoffs =
    options.handoffs.store === "postgres"
      ? await openFleetHandoffs(options.handoffs, { root, now })
      : openFileHandoffStore({ root, records, now })
  return reactionsOf({
    ...files,
    directory,
    options,
    problems: [...problems, ...(handoffs.alone ? [handoffs.alone] : [])],
    older: (sessionId, taken = {}) =>
      readOlderBoulder({ root, sessionId, now: new Date(now()).toISOString(), taken }),
    handoffs,
    shards: openShardFiles(records),
    api: {
      ...api,
      toast: (text, ...as) => api.toast(called(text), ...as),
      prompt: (id, text, by) => api.prompt(id, called(text), by),
    },
    asCalled: called,
    typed: inOpencode(call),
    words,
    isBrief,
    process: await openProcessLife(directory, (writer) => live.isHeard(writer, now())),
    sessions: openSessions(),
    log,
    ...openGitState(root),
    planPaths: (boulder) => findPlans(root, boulder),
    async greeting() {
      const version = await versionToGreet()
      if (version === null) return null
      const { paths } = await findPlans(root, (await store.read()).boulder)
      return greetingNotice(version, paths.length)
    },
  })
})

export default plugin
