// zod, told to compile no checks.
import { config, z } from "zod"

// A compiled check takes longer to make than it saves, and forms of our size are read no faster by one.
config({ jitless: true })

export { z }
