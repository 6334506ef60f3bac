// What a game day does to a cluster, and how long the cluster may take to be whole again.
import { join } from 'node:path'

import type { Cluster, Node, VictimName } from '../../ops/cluster/cluster.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'

/** How long a frozen process stays frozen and a cut machine cut: longer than Patroni's `ttl` of 20 s. */
const OUTAGE_MS = 26_000
/** The same in a short game day, for what Patroni does not replace. */
const SHORT_OUTAGE_MS = 5000
const WHOLE_MS = 120_000
const LOG_LINES = 20

export interface Fault {
  readonly name: string
  /** Whether the primary moves: writes wait until another one is elected. */
  readonly movesPrimary: boolean
  /** Whether the machines must have networks of their own. */
  readonly needsNetworks: boolean
  /** Does it, and resolves when the cause is over. */
  inflict(cluster: Cluster): Promise<void>
}

type Choose = (cluster: Cluster) => Promise<Node>

const primary: Choose = async (cluster) => (await cluster.primary()) ?? last(cluster)
const replica: Choose = async (cluster) => {
  const leader = await cluster.primary()
  return cluster.nodes.find((node) => node !== leader) ?? last(cluster)
}
const any: Choose = async ({ nodes }) => nodes[Math.floor(Math.random() * nodes.length)] ?? fail()
const last = ({ nodes }: Cluster): Node => nodes.at(-1) ?? fail()
const fail = (): never => {
  throw new Error('The cluster has no machines.')
}

const kill = (name: string, victim: VictimName, choose: Choose, movesPrimary = false): Fault => ({
  name: `kill ${name}`,
  movesPrimary,
  needsNetworks: false,
  inflict: async (cluster) => (await choose(cluster)).victims[victim].kill(),
})

interface Outage {
  movesPrimary?: boolean
  ms?: number
}

/** `take` takes something away, and returns how to give it back after the outage. */
async function outage(node: Node, ms: number, take: (node: Node) => Promise<() => void | Promise<void>>) {
  const giveBack = await take(node)
  await Bun.sleep(ms)
  await giveBack()
}

const freeze = (
  name: string,
  victim: VictimName,
  choose: Choose,
  { movesPrimary = false, ms = OUTAGE_MS }: Outage = {},
): Fault => ({
  name: `freeze ${name}`,
  movesPrimary,
  needsNetworks: false,
  inflict: async (cluster) =>
    outage(await choose(cluster), ms, ({ victims }) => {
      const frozen = victims[victim]
      frozen.freeze()
      return Promise.resolve(() => frozen.thaw())
    }),
})

const cut = (name: string, choose: Choose, { movesPrimary = false, ms = OUTAGE_MS }: Outage = {}): Fault => ({
  name: `cut ${name} off`,
  movesPrimary,
  needsNetworks: true,
  inflict: async (cluster) =>
    outage(await choose(cluster), ms, async ({ machine }) => {
      if (!machine.cut) throw new Error(`${machine.name} has no network of its own.`)
      await machine.cut()
      return () => machine.reconnect()
    }),
})

/** The faults of a short game day. */
export const SHORT_FAULTS: readonly Fault[] = [
  kill('the primary', 'postgres', primary, true),
  kill('a server', 'server', any),
  kill('Redis', 'redis', any),
  cut('the machine of a replica', replica, { ms: SHORT_OUTAGE_MS }),
  freeze('a pooler', 'pgbouncer', any, { ms: SHORT_OUTAGE_MS }),
]

/** Every kind of fault, once. */
export const ALL_FAULTS: readonly Fault[] = [
  kill('the primary', 'postgres', primary, true),
  kill('a server', 'server', any),
  kill('Redis', 'redis', any),
  kill('a replica', 'postgres', replica),
  kill('the Patroni of the primary', 'patroni', primary),
  kill('a pooler', 'pgbouncer', any),
  kill('a load balancer', 'haproxy', any),
  kill('a Sentinel', 'sentinel', any),
  kill('an etcd', 'etcd', any),
  kill('workers', 'workers', any),
  cut('the machine of the primary', primary, { movesPrimary: true }),
  cut('the machine of a replica', replica),
  freeze('the primary', 'postgres', primary, { movesPrimary: true }),
  freeze('a replica', 'postgres', replica),
  freeze('a pooler', 'pgbouncer', any),
  freeze('a load balancer', 'haproxy', any),
  freeze('Redis', 'redis', any),
  freeze('a server', 'server', any),
  freeze('workers', 'workers', any),
]

/** Waits until every machine serves and has a streaming PostgreSQL. Returns what was missing last. */
export async function expectWhole(cluster: Cluster): Promise<string> {
  let missing: string[] = []
  let last = ''
  const isWhole = async () => {
    missing = await missingParts(cluster)
    last = missing[0] ?? last
    return missing.length === 0
  }
  if (!(await waitUntil(isWhole, WHOLE_MS, 500)))
    throw new Error(`Missing after ${WHOLE_MS / 1000} s: ${missing.join(', ')}.\n${await logEnds(cluster)}`)
  return last
}

/** What the Patroni of each machine said last. */
async function logEnds({ nodes }: Cluster): Promise<string> {
  const logs = nodes.map(async ({ machine: { name, folder } }) => {
    const lines = (await Bun.file(join(folder, 'patroni.log')).text()).trimEnd().split('\n')
    return [`patroni of ${name}:`, ...lines.slice(-LOG_LINES)].join('\n')
  })
  return (await Promise.all(logs)).join('\n')
}

async function missingParts(cluster: Cluster): Promise<string[]> {
  const leader = await cluster.primary()
  if (!leader) return ['a primary']
  const checks = cluster.nodes.flatMap(({ machine: { name, address } }) => [
    [`the load balancer of ${name}`, `http://${address}:8080/readyz`],
    [`the server of ${name}`, `http://${address}:9464/readyz`],
    [`the workers of ${name}`, `http://${address}:9474/readyz`],
    ...(name === leader.machine.name
      ? []
      : [[`the replica of ${name}`, `http://${address}:8008/replica?lag=1MB`] as const]),
  ])
  const isMissing = async (url: string) =>
    fetch(url, { signal: AbortSignal.timeout(2000) }).then(
      ({ ok }) => !ok,
      () => true,
    )
  const results = await Promise.all(checks.map(async ([part = '', url = '']) => ((await isMissing(url)) ? [part] : [])))
  return results.flat()
}
