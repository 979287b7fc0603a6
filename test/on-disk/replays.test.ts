import { expect, test } from "bun:test"
import { ourTexts, recordings } from "../replays/recording.ts"
import { SCENES } from "../replays/scenes.ts"

const RECORDINGS = recordings()
const sceneOf = (name: string) => SCENES.find((scene) => scene.name === name)

test("every scene has its recording, and no recording is left of a scene that is gone", () => {
  expect(SCENES.length).toBeGreaterThanOrEqual(24)
  expect(RECORDINGS.map(({ scene }) => scene).sort()).toEqual(SCENES.map(({ name }) => name).sort())
})

test.each([...RECORDINGS])("$scene: the request holds words of ours", (recording) => {
  if (sceneOf(recording.scene)?.of !== "compaction")
    expect(ourTexts(recording.messages).length).toBeGreaterThan(0)
})

test.each([...RECORDINGS])("$scene: two readers did what is right", ({ scene, readings }) => {
  expect(readings.length).toBeGreaterThanOrEqual(2)
  const wrong = readings.filter(({ acts }) => sceneOf(scene)?.isRight(acts) !== true)
  expect(wrong).toEqual([])
})

test("doing nothing, or the wrong thing, is not right at every point", () => {
  const lazy = SCENES.filter(({ isRight }) => isRight([{ text: "ok" }]))
  const eager = SCENES.filter(({ isRight }) =>
    isRight([{ tool: "edit", args: { filePath: "src/a.ts" } }]),
  )
  const silent = SCENES.filter(({ isRight }) => isRight([]))
  expect(lazy.length).toBeLessThan(SCENES.length / 2)
  expect(eager.length).toBeLessThan(SCENES.length / 2)
  expect(silent.map(({ name }) => name)).toEqual([])
})
