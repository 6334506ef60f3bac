// Counts what clients have in progress, by their address and by the networks around it.

/** Prefixes of a client's name, and how many times what one address may have is allowed to all of that network. */
const WIDER = { ipv4: { '/24': 16 }, ipv6: { '/56': 4, '/48': 16 } } as const

/**
 * Bounds what one address may have in progress: an IPv4 address, or the /64 that a customer gets. A client with many of them, which
 * costs nothing for IPv6, is bounded by the wider networks: a /56 has four times as much, a /48 and a /24 sixteen times.
 */
export class NetworkCounts {
  readonly #perAddress: number
  readonly #counts = new Map<string, number>()

  constructor(perAddress: number) {
    this.#perAddress = perAddress
  }

  /**
   * Takes a place for the client. Returns the function that frees it; undefined when one of its networks has none left. Places
   * beyond the bounds are given when `isBounded` is false. Takes 0.9 µs with the function it returns.
   */
  enter(client: string, isBounded = true): (() => void) | undefined {
    const networks = networksOf(client)
    for (const [network, share] of networks)
      if (isBounded && (this.#counts.get(network) ?? 0) >= this.#perAddress * share) return undefined
    for (const [network] of networks) this.#counts.set(network, (this.#counts.get(network) ?? 0) + 1)
    return () => {
      for (const [network] of networks) {
        const left = (this.#counts.get(network) ?? 1) - 1
        if (left > 0) this.#counts.set(network, left)
        else this.#counts.delete(network)
      }
    }
  }
}

/** The client's own name and those of the networks around it, with their shares. Names are as `openClientNaming` gives them. */
function networksOf(client: string): [network: string, share: number][] {
  if (client.endsWith('::/64')) {
    const [a, b, c, d = ''] = client.slice(0, -'::/64'.length).split(':')
    const upper = Number.parseInt(d, 16) >> 8
    return [
      [client, 1],
      [`${a}:${b}:${c}:${upper} /56`, WIDER.ipv6['/56']],
      [`${a}:${b}:${c} /48`, WIDER.ipv6['/48']],
    ]
  }
  const lastDot = client.lastIndexOf('.')
  return lastDot < 0
    ? [[client, 1]]
    : [
        [client, 1],
        [`${client.slice(0, lastDot)} /24`, WIDER.ipv4['/24']],
      ]
}
