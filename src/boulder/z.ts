// zod, configured to compile no checks.
import { config, z } from "zod"

// A compiled check takes longer to make than it saves, and data of our size is read no faster by one.
config({ jitless: true })

export { z }
