// Connections at a port that is about to close.
import { expect, test } from 'bun:test'

import { ignoreNewConnections } from '../../../src/platform/net/new-connections.ts'
import { openHttpClient } from '../../support/http-connection.ts'

const serve = (name: string, port = 0) =>
  Bun.serve({ hostname: '127.0.0.1', port, reusePort: true, fetch: () => new Response(name) })

test('new connections reach the next server of the port, and those that exist are served by the first', async () => {
  const first = serve('first')
  const [early, late] = [1, 2].map(() => openHttpClient(first.url.href, { keepAlive: true, latencyMs: 0 }))
  try {
    expect((await early?.send({ path: '/' }))?.body).toBe('first')
    ignoreNewConnections(first.port ?? 0)
    const answer = late?.send({ path: '/' })
    expect((await early?.send({ path: '/' }))?.body).toBe('first')
    const second = serve('second', first.port)
    await first.stop(false)
    expect((await answer)?.body).toBe('second')
    await second.stop(true)
  } finally {
    early?.close()
    late?.close()
    await first.stop(true)
  }
})

test('a port at which this process does not listen is an error', () => {
  expect(() => ignoreNewConnections(1)).toThrow('No socket of this process listens on port 1.')
})
