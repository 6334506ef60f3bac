// Which client a request is counted against. All visitors of a proxy that the servers are not told of count as one.
import { requestContextOf } from '../auth/request-context.ts'
import type { Deps } from '../deps.ts'
import { type ClientOf, openClientNaming } from '../platform/net/client-address.ts'
import type { Metrics } from '../platform/telemetry/metrics.ts'

/** Its label `proxy` is the address. */
export const UNKNOWN_PROXY_METRIC = 'hearth_unknown_proxy'
const MAX_UNKNOWN_PROXIES = 10

export class ClientNames {
  readonly #clientOf: ClientOf
  readonly #unknownProxies = new Set<string>()
  readonly #log: Deps['log']
  #report: (proxy: string) => void = () => undefined

  constructor({ config, log }: Deps) {
    this.#log = log
    this.#clientOf = openClientNaming(config.trustedProxies, (proxy) => this.#note(proxy))
  }

  of(request: Request): string {
    return this.#clientOf(requestContextOf(request).peer?.(), request.headers)
  }

  /** `hearth doctor` names the unknown proxies that are reported. */
  observe({ gauge }: Pick<Metrics, 'gauge'>): void {
    this.#report = (proxy) =>
      gauge(UNKNOWN_PROXY_METRIC, 'Requests come through this proxy, which is not in TRUSTED_PROXIES', () => 1, {
        proxy,
      })
    for (const proxy of this.#unknownProxies) this.#report(proxy)
  }

  #note(proxy: string): void {
    if (this.#unknownProxies.has(proxy) || this.#unknownProxies.size >= MAX_UNKNOWN_PROXIES) return
    this.#unknownProxies.add(proxy)
    this.#log.warn({ proxy }, 'a proxy is not in TRUSTED_PROXIES: all of its visitors count as one client')
    this.#report(proxy)
  }
}
