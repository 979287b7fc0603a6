import { describe, expect, test } from "bun:test"
import { aTask } from "../../test/support/builders.ts"
import { shardPlan } from "./shard-plan.ts"

/** Tasks in sections of these sizes. */
const inSections = (...sizes: readonly number[]) =>
  sizes.flatMap((size, section) =>
    Array.from({ length: size }, (_, at) =>
      aTask({ label: `${section + 1}.${at + 1}`, group: `Part ${section + 1}` }),
    ),
  )
const sizesOf = (tasks: Parameters<typeof shardPlan>[0], size = 12) =>
  shardPlan(tasks, size).map(({ length }) => length)

describe("shards", () => {
  test.each([
    { name: "no task, no shard", tasks: inSections(), is: [] },
    { name: "a short plan is one", tasks: inSections(3), is: [3] },
    { name: "fifteen are one", tasks: inSections(15), is: [15] },
    { name: "sixteen cannot be cut into ten and more", tasks: inSections(16), is: [12, 4] },
    {
      name: "no shard is left with less than ten where it can be helped",
      tasks: inSections(21),
      is: [11, 10],
    },
    { name: "without borders the size decides", tasks: inSections(48), is: [12, 12, 12, 12] },
    { name: "a section's border does", tasks: inSections(14, 10, 24), is: [14, 10, 12, 12] },
    {
      name: "the border nearest to the size",
      tasks: inSections(10, 3, 2, 30),
      is: [13, 12, 10, 10],
    },
    {
      name: "sections too small or too large do not",
      tasks: inSections(4, 4, 40),
      is: [12, 12, 12, 12],
    },
    {
      name: "the wave is a section",
      tasks: [
        ...inSections(12),
        ...["F1", "F2", "F3", "F4"].map((label) =>
          aTask({ label, section: "final-wave", group: "Part 1" }),
        ),
      ],
      is: [12, 4],
    },
  ])("$name", ({ tasks, is }) => {
    expect(sizesOf(tasks)).toEqual([...is])
  })
  test("numbers count from 1, and the size is the option's", () => {
    expect(shardPlan(inSections(30), 15).map(({ number }) => number)).toEqual([1, 2])
    expect(sizesOf(inSections(30), 10)).toEqual([10, 10, 10])
  })
  test("tasks added at the end leave the first shards as they are", () => {
    const before = shardPlan(inSections(60), 12)
    const after = shardPlan([...inSections(60), ...inSections(5)], 12)
    expect(after.slice(0, 3)).toEqual(before.slice(0, 3))
  })
})
