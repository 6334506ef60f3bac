// Starts the stores of a plain `bun test`, prints their variables, and stops them when its parent ends.
import { LocalSetupError } from '../../src/local/setup-error.ts'
import { openTestStores } from './open-stores.ts'

const PARENT = process.ppid
const CHECK_EVERY_MS = 200

try {
  const stores = await openTestStores()
  process.stdout.write(`${JSON.stringify(stores.env)}\n`)
  // An interrupt reaches the whole process group, but the stores must stop after the tests.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
  const timer = setInterval(() => {
    if (process.ppid === PARENT) return
    clearInterval(timer)
    void stores.stop()
  }, CHECK_EVERY_MS)
} catch (error) {
  if (!(error instanceof LocalSetupError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
