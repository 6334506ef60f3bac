// Every state in which Redis runs and cannot be used, or is not reached, made with the real thing.
import { findFreePort } from '../../src/local/ports.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { type RedisServer, startClusterNode, startRedisServer } from './redis-server.ts'

export interface RedisState {
  readonly url: string
  close(): Promise<unknown>
}

const stateOf = (server: RedisServer): RedisState => ({ url: server.url, close: () => server.close() })

/** By name: how to make the state, and what Hearth calls it. */
export const REDIS_STATES: Record<string, { says: string; open: () => Promise<RedisState> }> = {
  'a replica (READONLY)': {
    says: 'is read-only',
    open: async () => stateOf(await replicaOf(await findFreePort())),
  },
  'a replica that serves nothing without its primary (MASTERDOWN)': {
    // It refuses writes for this reason first.
    says: 'is read-only',
    open: async () => stateOf(await replicaOf(await findFreePort(), '--replica-serve-stale-data', 'no')),
  },
  'a primary without its replicas (NOREPLICAS)': {
    says: 'has lost its primary or its replicas',
    open: async () => stateOf(await startRedisServer('--min-replicas-to-write', '1')),
  },
  'loading its data (LOADING)': {
    says: 'is loading its data',
    open: async () => {
      const server = await startRedisServer()
      const pairs = Array.from({ length: 20_000 }, (_, n) => [`key:${n}`, 'x'.repeat(50)]).flat()
      await server.client.mset(...pairs)
      await server.client.save()
      // Milliseconds for each key.
      await server.restart('--key-load-delay', '5000', '--loading-process-events-interval-bytes', '1024')
      return stateOf(server)
    },
  },
  'a cluster without slots (CLUSTERDOWN)': {
    says: 'is a cluster',
    open: async () => stateOf(await startClusterNode()),
  },
  'one of two nodes of a cluster (MOVED)': { says: 'is a cluster', open: clusterOfTwo },
  'without memory (OOM)': {
    says: 'has no memory left',
    open: async () => stateOf(await startRedisServer('--maxmemory', '100kb')),
  },
  'asking for a password (NOAUTH)': {
    says: 'refuses the user or the password',
    open: async () => stateOf(await startRedisServer('--requirepass', 'hushhush')),
  },
  'refusing the password (WRONGPASS)': {
    says: 'refuses the user or the password',
    open: async () => {
      const server = await startRedisServer('--requirepass', 'hushhush')
      return { url: server.url.replace('//', '//:wrong@'), close: () => server.close() }
    },
  },
  'not running (ECONNREFUSED)': {
    says: 'refuses connections',
    open: async () => ({ url: `redis://127.0.0.1:${await findFreePort()}/0`, close: () => Promise.resolve() }),
  },
  'under a name that does not exist (ENOTFOUND)': {
    says: 'has a host name that cannot be resolved',
    open: () => Promise.resolve({ url: 'redis://no-such-host.invalid:6379/0', close: () => Promise.resolve() }),
  },
}

const replicaOf = (port: number, ...args: string[]) => startRedisServer('--replicaof', `127.0.0.1 ${port}`, ...args)

/** Each node serves half of the slots. */
async function clusterOfTwo(): Promise<RedisState> {
  const busPort = await findFreePort()
  const one = await startClusterNode()
  const two = await startClusterNode(busPort)
  // The first serves hardly a key.
  await one.client.cluster('ADDSLOTSRANGE', 0, 0)
  await two.client.cluster('ADDSLOTSRANGE', 1, 16_383)
  await one.client.cluster('MEET', '127.0.0.1', two.port, busPort)
  const isComplete = async () => (await one.client.cluster('INFO')).includes('cluster_state:ok')
  if (!(await waitUntil(isComplete, 20_000))) throw new Error('The nodes did not meet.')
  return { url: one.url, close: () => Promise.all([one.close(), two.close()]) }
}
