// Starts the stores of a plain `bun test`, prints the variables that name them, and stops them when its parent has ended.
import { LocalSetupError } from '../../src/local/setup-error.ts'
import { openTestStores } from './open-stores.ts'

const PARENT = process.ppid
const CHECK_EVERY_MS = 200

try {
  const stores = await openTestStores()
  process.stdout.write(`${JSON.stringify(stores.env)}\n`)
  // An interrupt reaches the whole process group; the stores stop after the tests, not before.
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
