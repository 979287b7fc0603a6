// A value of which nothing may be changed.

/** The same value, read-only at any depth: what wants another makes one. */
export type Unchanging<Value> = Value extends object
  ? { readonly [Key in keyof Value]: Unchanging<Value[Key]> }
  : Value
