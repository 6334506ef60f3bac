// Writes the results of attempts to the database: many in one statement, retried until they are written.
import type { Ctx } from '../../ctx.ts'
import { type AttemptResult, finishAttempts } from './queries.ts'

const MAX_BATCH = 200
const RETRY_MS = 300

interface PendingResult {
  result: AttemptResult
  done: () => void
}

/** Results that arrive while one statement is under way share the next one. */
export class ResultWriter {
  readonly #ctx: Ctx
  readonly #pending: PendingResult[] = []
  #isWriting = false

  constructor(ctx: Ctx) {
    this.#ctx = ctx
  }

  /** Resolves when the result is written. */
  async write(result: AttemptResult): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#pending.push({ result, done: resolve })
    if (!this.#isWriting) void this.#writeAll()
    await promise
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true
    // Results of the same turn of the event loop share a statement.
    await new Promise(setImmediate)
    while (this.#pending.length > 0) {
      const batch = this.#pending.splice(0, MAX_BATCH)
      try {
        await finishAttempts(this.#ctx, { results: batch.map(({ result }) => result) })
        for (const { done } of batch) done()
      } catch (error) {
        // Written again until it succeeds: the receivers have these events and would get them again if a result were lost.
        this.#ctx.log.warn({ error: String(error), results: batch.length }, 'failed to write results of deliveries')
        this.#pending.unshift(...batch)
        await Bun.sleep(RETRY_MS)
      }
    }
    this.#isWriting = false
  }
}
