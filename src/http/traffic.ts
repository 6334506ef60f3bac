// The requests in progress in this process, and whether it is about to stop.
import type { RequestContext } from '../auth/request-context.ts'
import { oncePerDeps } from '../deps.ts'
import { AppError } from '../errors/app-error.ts'
import { NetworkCounts } from '../platform/net/network-counts.ts'

export class Traffic {
  /** Whether connections close after their response, so that clients go elsewhere. */
  isLeaving = false
  /** The requests in progress whose body has not arrived completely. */
  receiving = 0
  #inFlight = 0
  #waiting = 0
  readonly #networks: NetworkCounts

  /** One address may use 1/32 of the limit at once, and a /48 or a /24 sixteen times as much: half of the limit. */
  constructor(readonly maxInFlight: number) {
    this.#networks = new NetworkCounts(Math.max(1, Math.floor(maxInFlight / 32)))
  }

  /** The requests in progress. */
  get inFlight(): number {
    return this.#inFlight
  }

  begin(): void {
    this.#inFlight++
  }

  end(context: RequestContext): void {
    if (context.isWaiting) this.stopWaiting(context)
    this.#inFlight--
    context.endWork?.()
  }

  /** Throws overloaded at once when too many requests are being worked on: a growing queue serves no client in time. */
  checkLoad(): void {
    if (this.#working >= this.maxInFlight) throw overloaded('The server has too many requests in progress.')
  }

  /**
   * Lets a request that waits begin its work. Throws overloaded like {@link checkLoad}. Once half of the limit is used, it also
   * refuses clients whose network already has its share in progress, so that no network can use the other half alone.
   */
  beginWork(context: RequestContext, client: string): void {
    this.checkLoad()
    const leave = this.#networks.enter(client, this.#working >= Math.floor(this.maxInFlight / 2))
    if (!leave) throw overloaded('Your network has too many requests in progress.')
    context.endWork = leave
    this.stopWaiting(context)
  }

  /**
   * The requests that use the limit. Those that wait do not, so slow clients cannot use it up; nor do those that are refused before
   * their work: a thousand may be refused in one moment, and each still counts as waiting while it is answered.
   */
  get #working(): number {
    return this.#inFlight - this.#waiting
  }

  /**
   * Records that the request waits for its admission, for its body or for another server. Returns false if it was waiting
   * already.
   */
  startWaiting(context: RequestContext): boolean {
    if (context.isWaiting) return false
    context.isWaiting = true
    this.#waiting++
    return true
  }

  /** Records that the request waits for another server, until the returned function is called. */
  pause(context: RequestContext): () => void {
    const began = this.startWaiting(context)
    return () => {
      if (began) this.stopWaiting(context)
    }
  }

  /** Records that the request does not wait any more. */
  stopWaiting(context: RequestContext): void {
    context.isWaiting = false
    this.#waiting--
  }
}

/** The traffic of this process. */
export const trafficOf = oncePerDeps(({ config }) => new Traffic(config.maxInFlight))

const overloaded = (what: string) =>
  new AppError('overloaded', `${what} Try again in a second.`, { retryAfterSeconds: 1 })
