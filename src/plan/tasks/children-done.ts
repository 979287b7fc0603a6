// Warns about open tasks whose children are all settled.
import { addTo } from "../model/once.ts"
import { isSettled, type PlanWarning, type SubItem, type Task } from "../model/plan.ts"

/** A warning for each open task whose children are all settled: somebody forgot to tick it. */
export function childrenDone(
  tasks: readonly Task[],
  subItems: readonly SubItem[],
): readonly PlanWarning[] {
  const parents = new Set(subItems.map(({ parentKey }) => parentKey))
  const unsettled = new Set(
    subItems.filter((item) => !isSettled(item)).map(({ parentKey }) => parentKey),
  )
  return tasks
    .filter((task) => !isSettled(task) && parents.has(task.key) && !unsettled.has(task.key))
    .map(({ key, line }) => ({
      line,
      rule: "children-done",
      message: `All children of ${key} are ticked, but it is open: only its own box counts.`,
    }))
}

/**
 * A warning for each settled task with open parts, and their number: by the rules these rows belong to it and hold nothing up, but they may
 * have been meant as tasks. Parts nested in a row, and optional ones, share one warning for the whole plan.
 */
export function openBelowSettled(
  tasks: readonly Task[],
  subItems: readonly SubItem[],
  meant: ReadonlySet<number>,
): readonly PlanWarning[] {
  if (subItems.length === 0) return []
  const settled = new Map<string, Task>()
  for (const task of tasks) if (isSettled(task)) settled.set(task.key, task)
  const below = new Map<Task, SubItem[]>()
  const left: SubItem[] = []
  for (const item of subItems) {
    const task = settled.get(item.parentKey)
    if (task === undefined || isSettled(item)) continue
    if (meant.has(item.line)) addTo(below, task, item)
    else left.push(item)
  }
  return [...[...below].flatMap(([task, items]) => openBelow(task, items)), ...openNested(left)]
}

function openBelow({ key, line, state }: Task, items: readonly SubItem[]): readonly PlanWarning[] {
  const [first] = items
  if (first === undefined) return []
  const isOne = items.every((item) => item.state === first.state)
  const are = isOne ? first.state.replace("_", " ") : "not done"
  const [rows, count] =
    items.length === 1
      ? [`The row is ${are}`, "it counts as a part of that one, not as a task"]
      : [`${items.length} rows are ${are}`, "they count as parts of that one, not as tasks"]
  const message = `${rows} below ${key} (line ${line}), which is ${state}: ${count}.`
  return [{ line: first.line, rule: "open-below-done", message }]
}

/** The warning about open parts of settled tasks; parts without a line get their task's. */
export function openNested(left: readonly SubItem[]): readonly PlanWarning[] {
  const [first] = left
  if (first === undefined) return []
  const rows = left.length === 1 ? "1 open row stands" : `${left.length} open rows stand`
  const message = `${rows} below tasks that are settled, the first below ${first.parentKey}: they count as parts of those, and nothing waits for them.`
  return [{ line: first.line, rule: "open-parts", message }]
}
