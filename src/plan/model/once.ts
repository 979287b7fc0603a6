// What is made where it is first asked for, and kept: a value, and the list of a key.

/** Gives what `make` has made, at the first call; the same at each that follows. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Puts one into the list of its key, which is made with the first. */
export function addTo<Key, One>(lists: Map<Key, One[]>, key: Key, one: One): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [one])
  else list.push(one)
}
