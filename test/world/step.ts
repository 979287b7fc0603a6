// One step of a world, as plain data: what is done, to whom, and how far it gets before the next step.

/** `a`, `b` and `c` choose among what there is. A step with nothing to choose from does nothing. */
export interface Step {
  readonly act: string
  readonly a: number
  readonly b: number
  readonly c: number
  /** How many operations are released after it. The next step comes while the others wait. Null: all of them. */
  readonly hold: number | null
  /** In which order they are released: the seed of the choices. 0 is the order in which they came. */
  readonly order: number
}

/** The element that a number chooses; undefined if there is none. */
export function chosen<One>(list: readonly One[], at: number): One | undefined {
  return list[at % Math.max(1, list.length)]
}

/** What an act does to a world. Gives a line of the story; null if it could not be done. */
export type Play<World> = (world: World, step: Step) => Promise<string | null> | string | null
