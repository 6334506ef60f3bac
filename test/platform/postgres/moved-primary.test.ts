// One address that leads to another primary after a failover, while the connections to the previous one stay open.
import { expect, test } from 'bun:test'
import { once } from 'node:events'
import { type Socket, connect, createServer } from 'node:net'

import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import type { Database } from '../../../src/platform/postgres/database.ts'
import { openDatabase } from '../../../src/platform/postgres/open-database.ts'
import { primaryUrl } from '../../../src/platform/postgres/primary.ts'
import { cloneDatabase, testSql, withoutSocket } from '../../support/database.ts'
import { openFailingPostgres } from '../../support/failing-postgres.ts'
import { opened } from '../../support/fixture.ts'
const clone = await opened(cloneDatabase('migrated'), 'drop')
const admin = await opened(testSql(clone.url, 1), 'end')

/** A proxy like HAProxy: `freeze` stops the data of the connections it has, and new ones work. */
async function openProxy(target: URL) {
  const pairs = new Set<[Socket, Socket]>()
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    pairs.add([client, upstream])
    client.pipe(upstream).pipe(client)
    for (const socket of [client, upstream])
      socket.on('error', () => [client, upstream].forEach((each) => each.destroy()))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return {
    url: Object.assign(new URL(target), { port: String(port) }).href,
    freeze: () => {
      for (const [client, upstream] of pairs) for (const socket of [client, upstream]) socket.unpipe().pause()
    },
    close: () => {
      for (const pair of pairs) for (const socket of pair) socket.destroy()
      server.close()
    },
  }
}

const open = (url: string): Database =>
  openDatabase({
    url,
    readConnections: 1,
    writeConnections: 1,
    statementTimeoutMs: 400,
    waitLimitMs: 500,
    applicationName: 'hearth-moved',
  })

const writes = (database: Database) =>
  database.write
    .begin('write', (tx) => tx.run('write', (sql) => sql`create temporary table one on commit drop as select 1`))
    .then(
      () => true,
      () => false,
    )

test('connections that do not answer any more are replaced, when new ones answer', async () => {
  const proxy = await openProxy(new URL(withoutSocket(clone.url)))
  const database = open(proxy.url)
  try {
    expect(await writes(database)).toBe(true)
    proxy.freeze()
    expect(await writes(database)).toBe(false)
    expect(await waitUntil(() => writes(database), 3000)).toBe(true)
  } finally {
    await database.close()
    proxy.close()
  }
})

test('connections to a node that has become read-only are replaced, when new ones accept writes', async () => {
  const database = open(clone.url)
  const name = new URL(clone.url).pathname.slice(1)
  try {
    await admin`alter database ${admin(name)} set default_transaction_read_only = on`
    expect(await writes(database)).toBe(false)
    await admin`alter database ${admin(name)} reset default_transaction_read_only`
    expect(await waitUntil(() => writes(database), 3000)).toBe(true)
  } finally {
    await database.close()
  }
})

test('a node that has no connection left is named before one that is read-only', async () => {
  const full = await openFailingPostgres(clone.url)
  const readOnly = withoutSocket(clone.url)
  const options = '?options=-c%20default_transaction_read_only%3Don'
  const { host } = new URL(full.url)
  full.failWith('53300')
  try {
    const asked = primaryUrl(`${readOnly.replace(/@([^/]*)/, `@$1,${host}`)}${options}`)
    expect(await asked.then(String, (error: unknown) => error)).toMatchObject({ code: '53300' })
  } finally {
    await full.close()
  }
})
