// A Redis process of its own, for tests that put it into a state.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Redis } from 'ioredis'

import { findRedis } from '../../src/local/binaries.ts'
import { findFreePort } from '../../src/local/ports.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'

export interface RedisServer {
  readonly port: number
  readonly url: string
  /** A connection for the test's own commands, without waiting until Redis has loaded its data. */
  readonly client: Redis
  /** Restarts it with further arguments. Its saved data is kept. */
  restart(...args: string[]): Promise<void>
  close(): Promise<void>
}

/** Starts `redis-server` on a free port with these arguments. */
export async function startRedisServer(...args: string[]): Promise<RedisServer> {
  const dir = mkdtempSync(join(tmpdir(), 'hearth-redis-'))
  const [program, port] = [await findRedis(), await findFreePort()]
  const launch = (more: readonly string[]) =>
    Bun.spawn([program ?? 'redis-server', '--port', String(port), '--dir', dir, '--save', '', ...more], {
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'ignore',
    })
  let child = launch(args)
  const password = args.includes('--requirepass') ? { password: args[args.indexOf('--requirepass') + 1] ?? '' } : {}
  const client = new Redis(port, '127.0.0.1', { enableReadyCheck: false, retryStrategy: () => 50, ...password })
  client.on('error', () => undefined)
  const stop = async () => {
    child.kill('SIGKILL')
    await child.exited
  }
  const started = async () => {
    if (!(await waitUntil(() => client.status === 'ready', 10_000))) throw new Error('Redis did not start.')
  }
  await started()
  return {
    port,
    url: `redis://127.0.0.1:${port}/0`,
    client,
    restart: async (...more) => {
      await stop()
      await waitUntil(() => client.status !== 'ready', 10_000)
      child = launch([...args, ...more])
      await started()
    },
    close: async () => {
      client.disconnect()
      await stop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** Starts a node of a cluster. By default its bus uses a port of outgoing connections, which may be taken. */
export const startClusterNode = async (busPort?: number): Promise<RedisServer> =>
  await startRedisServer('--cluster-enabled', 'yes', '--cluster-port', String(busPort ?? (await findFreePort())))
