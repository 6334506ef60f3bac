// The requests in progress in this process, and whether it is about to stop.
import type { RequestContext } from '../auth/request-context.ts'
import { oncePerDeps } from '../deps.ts'
import { AppError } from '../errors/app-error.ts'
import { NetworkCounts } from '../platform/net/network-counts.ts'

export class Traffic {
  /** Whether connections close after their response, so that clients go elsewhere. */
  isLeaving = false
  /** The requests in progress. */
  inFlight = 0
  /** Those of them that wait for their body. */
  receiving = 0
  #waiting = 0
  readonly #networks: NetworkCounts

  /** So the half of the limit is for a /48 or a /24: sixteen times as much as for one address. */
  constructor(readonly maxInFlight: number) {
    this.#networks = new NetworkCounts(Math.max(1, Math.floor(maxInFlight / 32)))
  }

  /**
   * Throws overloaded at once when there is too much to work on: a growing queue serves no client in time. Waiting is no
   * work, so slow clients cannot use up the limit.
   */
  checkLoad(): void {
    if (this.#working > this.maxInFlight) throw overloaded('The server has too many requests in progress.')
  }

  /**
   * Lets a request begin its work. Throws overloaded like {@link checkLoad}; and once half of the limit is used, also for
   * clients of a network that has its share in progress, so that no network takes the other half from all others.
   */
  beginWork(context: RequestContext, client: string): void {
    this.checkLoad()
    const leave = this.#networks.enter(client, this.#working > this.maxInFlight / 2)
    if (!leave) throw overloaded('Your network has too many requests in progress.')
    context.endWork = leave
  }

  get #working(): number {
    return this.inFlight - this.#waiting
  }

  /** Records that the request waits for its admission, its body or something outside. Returns false if it did so before. */
  startWaiting(context: RequestContext): boolean {
    if (context.isWaiting) return false
    context.isWaiting = true
    this.#waiting++
    return true
  }

  /** The request waits until the returned function is called: for something outside, which is no work either. */
  pause(context: RequestContext): () => void {
    const began = this.startWaiting(context)
    return () => {
      if (began) this.stopWaiting(context)
    }
  }

  /** Ends what {@link startWaiting} began. */
  stopWaiting(context: RequestContext): void {
    context.isWaiting = false
    this.#waiting--
  }
}

/** The traffic of this process. */
export const trafficOf = oncePerDeps(({ config }) => new Traffic(config.maxInFlight))

const overloaded = (what: string) =>
  new AppError('overloaded', `${what} Try again in a second.`, { retryAfterSeconds: 1 })
