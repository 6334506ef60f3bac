// The requests in progress in this process, and whether it is about to stop.
import type { RequestContext } from '../auth/request-context.ts'
import { oncePerDeps } from '../deps.ts'
import { AppError } from '../errors/app-error.ts'

export class Traffic {
  /** Whether connections close after their response, so that clients go elsewhere. */
  isLeaving = false
  /** The requests in progress. */
  inFlight = 0
  /** Those of them that wait for their body. */
  receiving = 0
  #waiting = 0

  constructor(readonly maxInFlight: number) {}

  /**
   * Throws overloaded at once when there is too much to work on: a growing queue serves no client in time. Waiting is no
   * work, so slow clients cannot use up the limit.
   */
  checkLoad(): void {
    if (this.inFlight - this.#waiting > this.maxInFlight)
      throw new AppError('overloaded', 'The server has too many requests in progress. Try again in a second.', {
        retryAfterSeconds: 1,
      })
  }

  /** Records that the request waits for its admission or its body. Returns false if it did so before. */
  startWaiting(context: RequestContext): boolean {
    if (context.isWaiting) return false
    context.isWaiting = true
    this.#waiting++
    return true
  }

  /** Ends what {@link startWaiting} began. */
  stopWaiting(context: RequestContext): void {
    context.isWaiting = false
    this.#waiting--
  }
}

/** The traffic of this process. */
export const trafficOf = oncePerDeps(({ config }) => new Traffic(config.maxInFlight))
