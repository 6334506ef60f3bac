// Loaded before every test file.
import { setDefaultTimeout } from 'bun:test'

/** A test that waits longer hangs: the slowest wait for processes that start and stop. */
setDefaultTimeout(30_000)
