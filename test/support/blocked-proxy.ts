// A store that does not answer for a time.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'

/** A proxy to the store of `storeUrl` that holds back everything a client sends until `open` is called. */
export async function openBlockedProxy(storeUrl: string): Promise<{ url: string; open(): void; stop(): void }> {
  const url = new URL(storeUrl)
  const { hostname, port } = url
  const opened = Promise.withResolvers<void>()
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    upstream.pipe(client)
    void opened.promise.then(() => client.pipe(upstream))
    for (const end of [client, upstream]) end.on('error', () => [client, upstream].forEach((each) => each.destroy()))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url: url.href, open: () => opened.resolve(), stop: () => server.close() }
}
