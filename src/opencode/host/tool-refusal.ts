// The one deliberate throw: how the host blocks a tool.
/** The one deliberate throw: the host blocks a tool by it, and the model sees its message. */
export class ToolRefusal extends Error {
  override readonly name = "ToolRefusal"
}
