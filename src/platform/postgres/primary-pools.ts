// The pools on the host that accepts writes. After a failover they are opened on the new primary.
import { READ_ONLY, NO_RESPONSE, StoreUnavailable } from '../store-error.ts'
import { hostUrls } from './address.ts'
import { endPools } from './client.ts'
import type { Sql } from './database.ts'
import type { NodeStatus } from './node-status.ts'
import type { WatchNode, WatchedNode } from './node-watch.ts'

export type PoolName = 'read' | 'files' | 'write' | 'transactions' | 'probe'
export type HostPools = Readonly<Record<PoolName, Sql>>

export interface PrimaryPools {
  /** A promise as long as it is not known which host accepts writes. It rejects with {@link StoreUnavailable} if none does. */
  pool(name: PoolName): Sql | Promise<Sql>
  /** Opens new connections if those of the pools cannot be used any more and a new one can. */
  onUnavailable(error: StoreUnavailable, answers: number): void
  close(): Promise<void>
}

export interface PrimaryOptions {
  url: string
  openPools: (url: string) => HostPools
  watch: WatchNode
  /** Asks over a new connection. */
  ask: (url: string) => Promise<NodeStatus>
  /** Called four times a second with the state of the primary. Undefined: it is not needed. */
  onStatus: ((status: NodeStatus) => void) | undefined
  /** Called before the first statement reaches another host or a new connection. */
  onChange: (host: string) => void
}

/** The least pause between two checks whether new connections would work. */
const CHECK_PAUSE_MS = 1000

/**
 * Opens the pools on the host that accepts writes. Several hosts are watched; a single host only if `onStatus` needs its
 * state.
 */
export function openPrimaryPools({ url, openPools, watch, ask, onStatus, onChange }: PrimaryOptions): PrimaryPools {
  const urls = hostUrls(url)
  const ending = new Set<Promise<void>>()
  let current: { url: string; pools: HostPools } | undefined
  let nextCheckMs = 0
  let isAsked = false

  const use = (next: string, graceSeconds: number) => {
    const previous = current
    current = { url: next, pools: openPools(next) }
    if (!previous) return
    onChange(new URL(next).host)
    const ended = endPools(previous.pools, graceSeconds).finally(() => ending.delete(ended))
    ending.add(ended)
  }
  const choose = () => {
    if (!isAsked) return
    const primary = latestPrimary(nodes, current?.url)
    if (primary && primary.url !== current?.url) use(primary.url, 0)
    if (primary?.status) onStatus?.(primary.status)
  }
  if (urls.length === 1) use(url, 0)
  const nodes: WatchedNode[] = urls.length > 1 || onStatus ? urls.map((each) => watch(each, choose)) : []
  const firstChoice = (async () => {
    await Promise.all(nodes.map(({ asked }) => asked))
    isAsked = true
    choose()
  })()
  const firstPool = async (name: PoolName) => {
    await firstChoice
    if (current) return current.pools[name]
    throw refusalOf(nodes)
  }
  const reconnect = async (error: StoreUnavailable) => {
    try {
      const status = await ask(url)
      if (status.acceptsWrites || error.code === NO_RESPONSE) use(url, 1)
    } catch {
      // A new connection fails as the statement did: its error says why.
    }
  }
  return {
    pool: (name) => (current ? current.pools[name] : firstPool(name)),
    onUnavailable: (error, answers) => {
      // PostgreSQL ends each statement in time, so connections without any answer are lost.
      const isLost = error.code === READ_ONLY || (error.code === NO_RESPONSE && answers === 0)
      if (urls.length > 1 || !isLost || performance.now() < nextCheckMs) return
      nextCheckMs = performance.now() + CHECK_PAUSE_MS
      void reconnect(error)
    },
    close: async () => {
      await Promise.all(nodes.map((node) => node.close()))
      await Promise.all([...ending, ...(current ? [endPools(current.pools, 5)] : [])])
    },
  }
}

/** The node that accepts writes: of several, the one that was promoted last; the `current` one when that is equal. */
function latestPrimary(nodes: readonly WatchedNode[], current: string | undefined): WatchedNode | undefined {
  const timelineOf = ({ status }: WatchedNode) => (status?.acceptsWrites ? status.timeline : 0)
  const latest = Math.max(...nodes.map(timelineOf))
  const primaries = nodes.filter((node) => latest > 0 && timelineOf(node) === latest)
  return primaries.find(({ url }) => url === current) ?? primaries[0]
}

/** Why no host accepts writes. */
function refusalOf(nodes: readonly WatchedNode[]): unknown {
  const answers = nodes.some(({ status }) => status)
  return answers ? new StoreUnavailable('postgres', { code: READ_ONLY }) : nodes[0]?.failure
}
