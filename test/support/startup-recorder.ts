// A proxy to PostgreSQL that records with which parameters its clients start.
import { once } from 'node:events'
import { type AddressInfo, type Socket, connect, createServer } from 'node:net'

export interface StartupRecorder {
  /** The database of the given URL, through the proxy. */
  readonly url: string
  /** The parameters of each start-up message so far (PostgreSQL's manual, §55.7, StartupMessage). */
  startups(): Record<string, string>[]
  stop(): void
}

export async function recordStartups(databaseUrl: string): Promise<StartupRecorder> {
  const url = new URL(databaseUrl)
  const { hostname, port } = url
  const startups: Record<string, string>[] = []
  const sockets: Socket[] = []
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    sockets.push(client, upstream)
    client.once('data', (message: Buffer) => startups.push(parametersOf(message)))
    client.pipe(upstream).pipe(client)
    for (const end of [client, upstream]) end.on('error', () => [client, upstream].forEach((each) => each.destroy()))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    startups: () => startups,
    stop: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** After its length and the protocol's version, names and values each end with a zero byte. */
function parametersOf(message: Buffer): Record<string, string> {
  const texts = message.subarray(8, message.readInt32BE(0)).toString('utf8').split('\0')
  const pairs = texts.flatMap((text, place): [string, string][] =>
    place % 2 === 0 && text !== '' ? [[text, texts[place + 1] ?? '']] : [],
  )
  return Object.fromEntries(pairs)
}
