// Results of attempts on their way to the database: many in one statement, and none forgotten while it is away.
import type { Deps } from '../../deps.ts'
import { type Finished, finishAttempts } from './queries.ts'

const MAX_BATCH = 200
const RETRY_MS = 300

interface Waiting {
  result: Finished
  done: () => void
}

/** Writes results in batches: whatever comes while one statement is under way goes with the next. */
export class Results {
  readonly #deps: Pick<Deps, 'write' | 'log'>
  readonly #waiting: Waiting[] = []
  #isWriting = false

  constructor(deps: Pick<Deps, 'write' | 'log'>) {
    this.#deps = deps
  }

  /** Resolves when the result is written. */
  async write(result: Finished): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.push({ result, done: resolve })
    if (!this.#isWriting) void this.#writeAll()
    await promise
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true
    // What ended in the same turn of the event loop goes together.
    await new Promise(setImmediate)
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MAX_BATCH)
      try {
        await finishAttempts(
          this.#deps.write,
          batch.map(({ result }) => result),
        )
        for (const { done } of batch) done()
      } catch (error) {
        // The receivers have their events: forgetting this would send them again.
        this.#deps.log.warn(
          { error: String(error), results: batch.length },
          'results of deliveries could not be written',
        )
        this.#waiting.unshift(...batch)
        await Bun.sleep(RETRY_MS)
      }
    }
    this.#isWriting = false
  }
}
