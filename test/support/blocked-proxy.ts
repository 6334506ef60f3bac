// A store that does not answer for a time.
import { once } from 'node:events'
import { type AddressInfo, type Socket, connect, createServer } from 'node:net'

export interface BlockedProxy {
  readonly url: string
  /** How many clients have connected. */
  clients(): number
  /** Passes on what clients send, those held back included. */
  open(): void
  /** Holds back what clients send that connect from now on. */
  hold(): void
  /** Passes nothing more on for those who are connected, and leaves their connections open. */
  silence(): void
  /** Passes on what clients send who are connected, and none of the answers. */
  mute(): void
  stop(): void
}

/** A proxy to the store of `storeUrl` that holds back everything clients send until `open` is called. */
export async function openBlockedProxy(storeUrl: string): Promise<BlockedProxy> {
  const url = new URL(storeUrl)
  const { hostname, port } = url
  let gate = Promise.withResolvers<void>()
  const pairs: [Socket, Socket][] = []
  let clients = 0
  const server = createServer((client) => {
    clients++
    const upstream = connect(Number(port), hostname)
    upstream.pipe(client)
    pairs.push([client, upstream])
    void gate.promise.then(() => client.pipe(upstream))
    for (const end of [client, upstream]) end.on('error', () => [client, upstream].forEach((each) => each.destroy()))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    clients: () => clients,
    open: () => gate.resolve(),
    hold: () => (gate = Promise.withResolvers<void>()),
    silence: () => pairs.splice(0).forEach((pair) => pair.forEach((socket) => socket.unpipe().pause())),
    mute: () => {
      for (const [client, upstream] of pairs) {
        upstream.unpipe(client)
        upstream.resume()
      }
    },
    stop: () => server.close(),
  }
}
