// Loaded before every test file.
import { setDefaultTimeout } from 'bun:test'

/** A test that runs longer hangs. Test files run in parallel, so this is far more than any test needs alone. */
setDefaultTimeout(60_000)
