/**
 * What takes a text and is not in the hostile-input table, by the reason why. A function stands here by file and name,
 * a file alone for what it does besides.
 */
export const NOT_IN_THE_TABLE: Readonly<Record<string, readonly string[]>> = {
  "joins or compares texts, and looks into none": [
    ...[
      "boulder/new-work.ts newWork",
      "decide/decide-idle.ts reopenedByEdit",
      "boulder/handoff-subject.ts subjectText",
      "store/handoff-id.ts handoffIdOf",
    ],
    ...["decide/progress.ts progressOf", "decide/place.ts placeIn", "decide/reuse.ts eligibility"],
    ...["plan/formats.ts isAdapted", "plan/lines.ts cutLine"],
    ...["prompts/cleared-output.ts isCleared", "prompts/run-facts.ts runFacts"],
    ...["boulder/continuation-record.ts withinTheHour", "opencode/time-limit.ts withinLimit"],
    ...["opencode/write-guard.ts isWritingTool", "headless/waiting-work.ts waitingWork"],
    ...["store/handoff-scope.ts checkScope"],
    ...["store/boulder-file.ts fingerprintOf", "store/checkpoint-files.ts writeCheckpoint"],
  ],
  "is read with every line, title or word of a reader in the table": [
    ...["plan/box.ts looksLikeBox", "plan/title.ts plainTitle", "plan/trim-end.ts trimEnd"],
  ],
  "shows what it is given through quote or cleanLine": [
    ...[
      "cli/work-text.ts stoppedText",
      "cli/work-text.ts resumedText",
      "cli/plan-text.ts boxesText",
      "cli/command-list.ts overviewText",
    ],
    ...["prompts/notice-text.ts pauseNotice", "prompts/notice-text.ts finishNotice"],
    ...["prompts/notice-text.ts approvalNotice", "prompts/handoff-refusal.ts failedText"],
    ...["prompts/handoff-refusal.ts unknownToolText"],
  ],
  "hands what comes in to readers in the table": [
    ...["cli/meant-work.ts meantWork", "cli/run-cli.ts runCli", "cli/handoff-commands.ts"],
    ...[
      "cli/mcp-command.ts",
      "cli/run-command.ts",
      "cli/task-state-commands.ts",
      "cli/why-command.ts",
    ],
    ...["headless/check-host.ts checkHost", "headless/observe-work.ts observeWork"],
    ...["mcp/handoff-answer.ts answerCall", "mcp/serve-mcp.ts serveMcp", "handoffs/answer-tool.ts"],
    ...["opencode/handoff-caller.ts callerOf", "opencode/handoff-hooks.ts openHandoffs"],
    ...["opencode/meant-plan.ts meantPlan", "opencode/offer-session.ts offerSession"],
    ...["opencode/start-work.ts startWork"],
    ...["opencode/status-commands.ts stopWork", "opencode/task-state-hooks.ts openTaskStates"],
    ...["opencode/write-guard.ts checkWrite", "opencode/write-guard.ts writtenNames"],
    ...[
      "opencode/compaction.ts",
      "opencode/delegation.ts",
      "opencode/lineage.ts",
      "opencode/call-back.ts",
    ],
    ...["store/handoff-desk.ts", "store/handoff-mark.ts", "store/handoff-file-store.ts"],
    ...["store/older-boulder.ts", "store/shard-files.ts", "store/task-state-files.ts"],
    ...["store/write-plan.ts markTaskInPlan"],
  ],
  "checks an answer of the host with zod, within the time limit of a call": [
    "opencode/session-api.ts",
  ],
  "takes a path or a file's name, whose length the file system bounds": [
    ...["store/boulder-folder.ts isFolderInside", "store/boulder-folder.ts readInside"],
    ...["store/find-plans.ts", "store/git-state.ts", "store/handoff-revisions.ts"],
    ...["store/link-or-explain.ts linkOrExplain", "store/open-regular.ts openRegular"],
    ...["store/open-regular.ts notAFile", "store/open-regular.ts readBounded"],
    ...["store/plan-files.ts whyOutside", "store/plan-path.ts planInRoot"],
    ...["store/plan-path.ts isNamedInRoot", "store/project-root.ts findProjectRoot"],
    ...["store/project-root.ts hostRoot", "store/real-path.ts realPathOrSelf"],
    ...["store/real-path.ts deepRealPath", "store/ready-folder.ts", "store/record-files.ts"],
    ...["store/revision-folder.ts textAt", "store/revision-folder.ts pathOf"],
    ...["store/revision-names.ts readRevisionName", "store/written-name.ts"],
    ...["headless/find-opencode.ts findOpencode", "headless/host-client.ts hostClient"],
    ...[
      "headless/serve-opencode.ts serveOpencode",
      "cli/own-version.ts",
      "headless/server-access.ts",
      "headless/server-access.ts serverAccess",
    ],
  ],
  "takes names and texts that we have made": [
    ...["store/revision-names.ts tempName", "store/revision-names.ts copyName"],
    ...["store/commit-revision.ts commitRevision", "store/finish-published.ts finishPublished"],
    ...["store/restore-boulder.ts restoreBoulder", "store/prune-works.ts pruneWorks"],
    ...["store/writer-identity.ts writerOf", "store/store-error.ts errnoOf"],
    ...["store/store-error.ts storeErrorFrom"],
  ],
}
