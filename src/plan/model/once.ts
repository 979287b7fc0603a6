// What is made where it is first asked for, and kept.

/** Gives what `make` has made, at the first call; the same at each that follows. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
