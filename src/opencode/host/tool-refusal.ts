// The one deliberate throw: how the host is made to block a tool.
/** The one deliberate throw: it makes the host block a tool, and the model sees its message. */
export class ToolRefusal extends Error {
  override readonly name = "ToolRefusal"
}
