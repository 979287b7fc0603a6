// A type for values that must not be changed.

/** The same value, read-only at any depth: to change it, make a new one. */
export type Unchanging<Value> = Value extends object
  ? { readonly [Key in keyof Value]: Unchanging<Value[Key]> }
  : Value
