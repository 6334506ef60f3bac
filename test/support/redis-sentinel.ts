// A Redis with a replica, and a Sentinel that promotes the replica when the primary is away.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Redis } from 'ioredis'

import { findFreePort } from '../../src/local/ports.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { ensurePrograms } from './apt-programs.ts'
import { startRedisServer } from './redis-server.ts'

export interface ReplicatedRedis {
  /** Through the Sentinel. */
  readonly url: string
  /** A connection to the Sentinel itself. */
  readonly sentinel: Redis
  /** Kills the primary. Resolves when the replica has been promoted. */
  failOver(): Promise<void>
  close(): Promise<void>
}

const NAME = 'mymaster'
const DOWN_AFTER_MS = 500

export async function startReplicatedRedis(): Promise<ReplicatedRedis> {
  await ensurePrograms('redis-sentinel', ['redis-sentinel'])
  const primary = await startRedisServer('--repl-diskless-sync-delay', '0')
  const replica = await startRedisServer('--replicaof', '127.0.0.1', String(primary.port))
  const isLinked = async () => /master_link_status:up/.test(await replica.client.info('replication'))
  if (!(await waitUntil(isLinked, 10_000))) throw new Error('The replica did not reach its primary.')
  const dir = mkdtempSync(join(tmpdir(), 'hearth-sentinel-'))
  const port = await findFreePort()
  writeFileSync(
    join(dir, 'sentinel.conf'),
    [
      `port ${port}`,
      'bind 127.0.0.1',
      `dir ${dir}`,
      `sentinel monitor ${NAME} 127.0.0.1 ${primary.port} 1`,
      `sentinel down-after-milliseconds ${NAME} ${DOWN_AFTER_MS}`,
      `sentinel failover-timeout ${NAME} 3000`,
      '',
    ].join('\n'),
  )
  const sentinel = Bun.spawn(['redis-sentinel', join(dir, 'sentinel.conf')], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'ignore',
  })
  const client = new Redis(port, '127.0.0.1', { enableReadyCheck: false, retryStrategy: () => 50 })
  client.on('error', () => undefined)
  const roleOf = async () => /role:(\w+)/.exec(await replica.client.info('replication'))?.[1]
  let isPrimaryGone = false
  return {
    url: `redis+sentinel://127.0.0.1:${port}/${NAME}/0`,
    sentinel: client,
    failOver: async () => {
      await primary.close()
      isPrimaryGone = true
      if (!(await waitUntil(async () => (await roleOf()) === 'master', 20_000)))
        throw new Error('The replica was not promoted.')
    },
    close: async () => {
      client.disconnect()
      sentinel.kill('SIGKILL')
      await sentinel.exited
      if (!isPrimaryGone) await primary.close()
      await replica.close()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
