// Requests to other servers. Waiting for them does not count as work of this server and has limits of its own. All such calls
// pass here.
import { AsyncLocalStorage } from 'node:async_hooks'

import { NetworkCounts } from './network-counts.ts'

/** The request that waits for another server. */
export interface Waiter {
  /** The client's address; see `openClientNaming`. */
  client(): string
  /** Marks the request as waiting until the returned function is called. */
  pause(): () => void
}

const waiters = new AsyncLocalStorage<Waiter>()

/** Runs the handler of a request, so that its waits for other servers do not count as work. */
export const runAsWaiter = <T>(waiter: Waiter, run: () => T): T => waiters.run(waiter, run)

/** Awaits a call to another server. */
export async function waitOutside<T>(work: () => Promise<T>): Promise<T> {
  const resume = waiters.getStore()?.pause()
  try {
    return await work()
  } finally {
    resume?.()
  }
}

/** The platform's `fetch`, for hosts outside. Libraries get it instead of the global one. */
export const outsideFetch = Object.assign(
  (input: string | URL | Request, init?: BunFetchRequestInit) => waitOutside(() => fetch(input, init)),
  { preconnect: fetch.preconnect },
)

/** Too many requests already wait for other servers. */
export class OutsideBusy extends Error {
  override readonly name = 'OutsideBusy'
}

export interface OutsideLimits {
  /** Waits for the same host. */
  readonly perHost: number
  readonly inAll: number
  /** Waits for requests of one client address. Its networks may have more, see {@link NetworkCounts}. */
  readonly perAddress: number
}

/** The waits for one kind of hosts. */
export class OutsideWaits {
  readonly #limits: OutsideLimits
  readonly #clients: NetworkCounts
  readonly #hosts = new Map<string, number>()
  #inAll = 0

  constructor(limits: OutsideLimits) {
    this.#limits = limits
    this.#clients = new NetworkCounts(limits.perAddress)
  }

  /**
   * Awaits a call to a host. Throws {@link OutsideBusy} at once when the limit of the host, of the client or of all calls is
   * reached.
   */
  async run<T>(host: string, work: () => Promise<T>): Promise<T> {
    const leave = this.#enter(host)
    try {
      return await waitOutside(work)
    } finally {
      leave()
    }
  }

  #enter(host: string): () => void {
    const count = this.#hosts.get(host) ?? 0
    if (this.#inAll >= this.#limits.inAll) throw new OutsideBusy('Too many requests are waiting for other servers.')
    if (count >= this.#limits.perHost) throw new OutsideBusy(`Too many requests are waiting for ${host}.`)
    const client = waiters.getStore()?.client()
    const leaveNetworks = client === undefined ? undefined : this.#clients.enter(client)
    if (client !== undefined && !leaveNetworks)
      throw new OutsideBusy('Too many requests of your network are waiting for other servers.')
    this.#hosts.set(host, count + 1)
    this.#inAll++
    return () => {
      const left = (this.#hosts.get(host) ?? 1) - 1
      if (left > 0) this.#hosts.set(host, left)
      else this.#hosts.delete(host)
      this.#inAll--
      leaveNetworks?.()
    }
  }
}
