import { expect, test } from "bun:test"
import { playScene } from "../replays/play-scene.ts"
import { ourTexts, recordings } from "../replays/recording.ts"
import { SCENES } from "../replays/scenes.ts"

const RECORDINGS = new Map(recordings().map((recording) => [recording.scene, recording]))

// A text that was reworded has to be read again: `npm run replay:record`, then `npm run replay:readers`.
test.each([...SCENES])(
  "$name: the host sends the words that were read",
  async (scene) => {
    const { messages } = await playScene(scene)
    expect(ourTexts(messages)).toEqual(ourTexts(RECORDINGS.get(scene.name)?.messages ?? []))
  },
  { timeout: 120_000 },
)
