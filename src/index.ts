import type { PluginModule } from "@opencode-ai/plugin"

const plugin: PluginModule = { id: "opencode-boulder", server: async () => ({}) }

export default plugin
