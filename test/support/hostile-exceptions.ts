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
      "store/handoffs/handoff-id.ts handoffIdOf",
    ],
    ...["decide/progress.ts progressOf", "decide/place.ts placeIn", "decide/reuse.ts eligibility"],
    ...["plan/formats.ts isAdapted", "plan/model/lines.ts cutLine"],
    ...["prompts/cleared-output.ts isCleared", "prompts/run-facts.ts runFacts"],
    ...["boulder/continuation-record.ts withinTheHour", "opencode/host/time-limit.ts withinLimit"],
    ...["opencode/tools/write-guard.ts isWritingTool", "headless/waiting-work.ts waitingWork"],
    ...["store/handoffs/handoff-scope.ts checkScope"],
    ...[
      "store/revisions/boulder-file.ts fingerprintOf",
      "store/records/checkpoint-files.ts writeCheckpoint",
    ],
  ],
  "is read with every line, title or word of a reader in the table": [
    ...[
      "plan/blocks/box.ts looksLikeBox",
      "plan/model/title.ts plainTitle",
      "plan/model/trim-end.ts trimEnd",
    ],
  ],
  "shows what it is given through quote or cleanLine": [
    ...[
      "cli/views/work-text.ts stoppedText",
      "cli/views/work-text.ts resumedText",
      "cli/views/plan-text.ts boxesText",
      "cli/commands/command-list.ts overviewText",
    ],
    ...["prompts/notice-text.ts pauseNotice", "prompts/notice-text.ts finishNotice"],
    ...["prompts/notice-text.ts approvalNotice", "prompts/handoff-refusal.ts failedText"],
    ...["prompts/handoff-refusal.ts unknownToolText"],
  ],
  "hands what comes in to readers in the table": [
    ...[
      "cli/project/meant-work.ts meantWork",
      "cli/run-cli.ts runCli",
      "cli/commands/handoff-commands.ts",
    ],
    ...[
      "cli/commands/mcp-command.ts",
      "cli/commands/run-command.ts",
      "cli/commands/task-state-commands.ts",
      "cli/commands/why-command.ts",
    ],
    ...["headless/check-host.ts checkHost", "headless/observe-work.ts observeWork"],
    ...["mcp/handoff-answer.ts answerCall", "mcp/serve-mcp.ts serveMcp", "handoffs/answer-tool.ts"],
    ...[
      "opencode/handoffs/handoff-caller.ts callerOf",
      "opencode/handoffs/handoff-hooks.ts openHandoffs",
    ],
    ...["opencode/user/meant-plan.ts meantPlan", "opencode/work/offer-session.ts offerSession"],
    ...["opencode/user/start-work.ts startWork"],
    ...[
      "opencode/user/status-commands.ts stopWork",
      "opencode/compaction/task-state-hooks.ts openTaskStates",
    ],
    ...["opencode/tools/write-guard.ts checkWrite", "opencode/tools/write-guard.ts writtenNames"],
    ...[
      "opencode/compaction/compaction.ts",
      "opencode/tools/delegation.ts",
      "opencode/host/lineage.ts",
      "opencode/tools/call-back.ts",
    ],
    ...[
      "store/handoffs/handoff-desk.ts",
      "store/handoffs/handoff-mark.ts",
      "store/handoffs/handoff-file-store.ts",
    ],
    ...[
      "store/revisions/older-boulder.ts",
      "store/records/shard-files.ts",
      "store/records/task-state-files.ts",
    ],
    ...["store/plans/write-plan.ts markTaskInPlan"],
  ],
  "checks an answer of the host with zod, within the time limit of a call": [
    "opencode/host/session-api.ts",
  ],
  "takes a path or a file's name, whose length the file system bounds": [
    ...["store/disk/boulder-folder.ts isFolderInside", "store/disk/boulder-folder.ts readInside"],
    ...[
      "store/plans/find-plans.ts",
      "store/disk/git-state.ts",
      "store/handoffs/handoff-revisions.ts",
    ],
    ...["store/disk/link-or-explain.ts linkOrExplain", "store/disk/open-regular.ts openRegular"],
    ...["store/disk/open-regular.ts notAFile", "store/disk/open-regular.ts readBounded"],
    ...["store/plans/plan-files.ts whyOutside", "store/plans/plan-path.ts planInRoot"],
    ...["store/plans/plan-path.ts isNamedInRoot", "store/disk/project-root.ts findProjectRoot"],
    ...["store/disk/project-root.ts hostRoot", "store/disk/real-path.ts realPathOrSelf"],
    ...[
      "store/disk/real-path.ts deepRealPath",
      "store/revisions/ready-folder.ts",
      "store/records/record-files.ts",
    ],
    ...["store/revisions/revision-folder.ts textAt", "store/revisions/revision-folder.ts pathOf"],
    ...["store/revisions/revision-names.ts readRevisionName", "store/revisions/written-name.ts"],
    ...["headless/find-opencode.ts findOpencode", "headless/host-client.ts hostClient"],
    ...[
      "headless/serve-opencode.ts serveOpencode",
      "cli/own-version.ts",
      "headless/server-access.ts",
      "headless/server-access.ts serverAccess",
    ],
  ],
  "takes names and texts that we have made": [
    ...["store/revisions/revision-names.ts tempName", "store/revisions/revision-names.ts copyName"],
    ...[
      "store/revisions/commit-revision.ts commitRevision",
      "store/revisions/finish-published.ts finishPublished",
    ],
    ...[
      "store/revisions/restore-boulder.ts restoreBoulder",
      "store/records/prune-works.ts pruneWorks",
    ],
    ...["store/disk/writer-identity.ts writerOf", "store/disk/store-error.ts errnoOf"],
    ...["store/disk/store-error.ts storeErrorFrom"],
  ],
}
