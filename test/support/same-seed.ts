// Loaded before every test file. Properties take the same inputs each time, so that a run fails because of a change, never by chance. `PROPERTY_SEED=N` gives them others.
import process from "node:process"
import fc from "fast-check"

const SEED = 20_261_122

fc.configureGlobal({
  ...fc.readConfigureGlobal(),
  seed: Number(process.env["PROPERTY_SEED"] ?? SEED),
})
