// Chooses the replica for statements whose answer may be old: the nearest that is not too far behind, or the primary.
import { withDeadline } from '../clock/deadlines.ts'
import { StoreUnavailable } from '../store-error.ts'
import { endPools } from './client.ts'
import type { LaggingRunner, ReplicaPool, ReplicaState, Runner, Sql } from './database.ts'
import type { WatchNode, WatchedNode } from './node-watch.ts'
import type { NodeStatus } from './node-status.ts'
import { type Lag, WalHistory } from './replica-lag.ts'
import type { Calls } from './runner.ts'

export interface Replicas {
  readonly pool: ReplicaPool
  /** Records the WAL position of the primary. */
  onPrimary(status: NodeStatus): void
  close(): Promise<void>
}

export interface ReplicasOptions {
  urls: readonly string[]
  /** The primary, which runs the statements when no replica can. */
  primary: Runner
  openPools: (url: string) => ReplicaPools
  openRunner: (pools: ReplicaPools, calls: Calls) => LaggingRunner
  watch: WatchNode
  calls: Calls
  maxLagMs: number
  /** Called when a replica is used again, or not any more. */
  onChange: (state: ReplicaState) => void
}

type ReplicaPools = Readonly<Record<'read' | 'files', Sql>>

/** Replicas whose round trip is at most so much longer than the shortest are equally near: processes share them. */
const NEAR = { factor: 2, ms: 1 }

export function openReplicas(options: ReplicasOptions): Replicas {
  const { urls, primary, calls } = options
  const history = new WalHistory()
  const replicas = urls.map((url) => new Replica(url, history, options, choose))
  let used: Replica | undefined
  let fallbacks = 0

  function choose(): void {
    const usable = replicas.filter((replica) => replica.isUsable)
    const shortest = Math.min(...usable.map(({ roundTripMs }) => roundTripMs))
    const near = usable.filter(({ roundTripMs }) => roundTripMs <= shortest * NEAR.factor + NEAR.ms)
    used = near.find((replica) => replica === used) ?? near.toSorted((a, b) => a.rank - b.rank)[0]
  }
  /** A failed statement runs on the primary in the rest of its time: it changes nothing, so it may run twice. */
  const run = async <T>(work: (on: LaggingRunner) => Promise<T>): Promise<T> => {
    if (!used) return await work(primary)
    const deadlineMs = performance.now() + calls.waitLimitMs
    try {
      return await work(used.runner)
    } catch (error) {
      const leftMs = deadlineMs - performance.now()
      if (!(error instanceof StoreUnavailable) || leftMs <= 0) throw error
      fallbacks++
      return await withDeadline(work(primary), leftMs, () => error)
    }
  }
  return {
    pool: {
      run: (name, statement) => run((on) => on.run(name, statement)),
      prepared: (name, text, parameters) => run((on) => on.prepared(name, text, parameters)),
      states: () => replicas.map((replica) => replica.state(replica === used)),
      fallbacks: () => fallbacks,
    },
    onPrimary: ({ position }) => history.record(position, performance.now()),
    close: async () => {
      await Promise.all(replicas.map((replica) => replica.close()))
    },
  }
}

class Replica {
  /** Processes prefer different ones of equally near replicas. */
  readonly rank = Math.random()
  isUsable = false
  runner: LaggingRunner
  #pools: ReplicaPools
  #lag: Lag | undefined
  readonly #node: WatchedNode
  readonly #history: WalHistory
  readonly #options: ReplicasOptions

  constructor(url: string, history: WalHistory, options: ReplicasOptions, onAsked: () => void) {
    this.#history = history
    this.#options = options
    this.#pools = options.openPools(url)
    this.runner = options.openRunner(this.#pools, options.calls)
    this.#node = options.watch(url, () => {
      this.#update()
      onAsked()
    })
  }

  get roundTripMs(): number {
    return this.#node.roundTripMs
  }

  state(isUsed: boolean): ReplicaState {
    const { status, url } = this.#node
    const state = !status ? 'unreachable' : !this.isUsable ? 'behind' : isUsed ? 'used' : 'ready'
    return { host: new URL(url).host, state, lag: this.#lag }
  }

  async close(): Promise<void> {
    await this.#node.close()
    await endPools(this.#pools, 5)
  }

  #update(): void {
    const { status, url } = this.#node
    const wasUsable = this.isUsable
    this.#lag = status && this.#history.lagOf(status.position, status.replayAgeMs, performance.now())
    this.isUsable = this.#lag !== undefined && this.#lag.ms <= this.#options.maxLagMs
    if (this.isUsable !== wasUsable) this.#options.onChange(this.state(false))
    if (status || !wasUsable) return
    // Its statements fail at once instead of at their limit, and run on the primary.
    const lost = this.#pools
    this.#pools = this.#options.openPools(url)
    this.runner = this.#options.openRunner(this.#pools, this.#options.calls)
    void endPools(lost, 0)
  }
}
