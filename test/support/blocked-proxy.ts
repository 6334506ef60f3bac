// A store that does not answer for a time.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'

export interface BlockedProxy {
  readonly url: string
  /** How many clients have connected. */
  clients(): number
  open(): void
  stop(): void
}

/** A proxy to the store of `storeUrl` that holds back everything a client sends until `open` is called. */
export async function openBlockedProxy(storeUrl: string): Promise<BlockedProxy> {
  const url = new URL(storeUrl)
  const { hostname, port } = url
  const opened = Promise.withResolvers<void>()
  let clients = 0
  const server = createServer((client) => {
    clients++
    const upstream = connect(Number(port), hostname)
    upstream.pipe(client)
    void opened.promise.then(() => client.pipe(upstream))
    for (const end of [client, upstream]) end.on('error', () => [client, upstream].forEach((each) => each.destroy()))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url: url.href, clients: () => clients, open: () => opened.resolve(), stop: () => server.close() }
}
