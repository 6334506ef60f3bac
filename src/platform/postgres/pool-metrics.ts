// Metrics of the connection pools, counted around them because the driver reports none.
import type { LaggingRunner, ReadPool, ReplicaPool, WritePool } from './database.ts'
import type { Lag } from './replica-lag.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { StoreUnavailable } from '../store-error.ts'

/** Upper bounds in seconds: a primary key look-up takes half a millisecond, and requests wait at most 1.5 s. */
const DURATION_BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

interface ObservedPools {
  read: ReadPool
  write: WritePool
  replicas: ReplicaPool
}

/** The same pools with metrics. `connections` is the size of each. */
export function observePools(metrics: Metrics, pools: ObservedPools, connections: number): ObservedPools {
  const { read, write, replicas } = pools
  const durations = metrics.meter.createHistogram('hearth_postgres_duration_seconds', {
    description: 'Time of a statement or transaction, waiting for a connection included',
    advice: { explicitBucketBoundaries: DURATION_BOUNDS },
  })
  const count = (pool: PoolName) =>
    counting(metrics, pool, connections, (seconds) => durations.record(seconds, { pool }))
  const [countRead, countFile] = [count('read'), count('files')]
  const [countWrite, countTransaction] = [count('write'), count('transactions')]
  return {
    replicas: observeReplicas(metrics, replicas, count),
    read: { ...read, ...counted(read, countRead, countFile) },
    write: {
      ...write,
      ...counted(write, countWrite),
      begin: (name, work) => countTransaction(() => write.begin(name, work)),
    },
  }
}

/** The same replicas with metrics of each, if there are any. */
function observeReplicas(metrics: Metrics, replicas: ReplicaPool, count: (pool: PoolName) => Count): ReplicaPool {
  const { gauge, counter } = metrics
  for (const [index, { host }] of replicas.states().entries()) {
    const label = { replica: host }
    const state = () => replicas.states()[index]
    const observeLag = (name: string, description: string, read: (lag: Lag) => number) =>
      metrics.meter.createObservableGauge(name, { description }).addCallback((result) => {
        const lag = state()?.lag
        if (lag) result.observe(read(lag), label)
      })
    observeLag(
      'hearth_postgres_replica_lag_seconds',
      'How long ago the primary wrote what the replica has not replayed yet; absent while unknown',
      ({ ms }) => ms / 1000,
    )
    observeLag(
      'hearth_postgres_replica_lag_bytes',
      'WAL that the replica has not replayed yet; absent while unknown',
      ({ bytes }) => bytes,
    )
    gauge(
      'hearth_postgres_replica_usable',
      'Whether the replica answers and is not too far behind',
      () => Number(['used', 'ready'].includes(state()?.state ?? '')),
      label,
    )
  }
  if (replicas.states().length === 0) return replicas
  counter('hearth_postgres_replica_fallbacks_total', 'Statements that failed on a replica and ran on the primary', () =>
    replicas.fallbacks(),
  )
  return { ...replicas, ...counted(replicas, count('replicas')) }
}

/** `files` runs the statement files. */
type PoolName = 'read' | 'files' | 'write' | 'transactions' | 'replicas'
type Count = <T>(work: () => Promise<T>) => Promise<T>

const counted = (runner: LaggingRunner, count: Count, countPrepared = count): LaggingRunner => ({
  run: (name, statement) => count(() => runner.run(name, statement)),
  prepared: (name, text, parameters) => countPrepared(() => runner.prepared(name, text, parameters)),
})

function counting(metrics: Metrics, pool: PoolName, connections: number, record: (seconds: number) => void): Count {
  const counts = { active: 0, unavailable: 0 }
  const label = { pool }
  const { gauge, counter } = metrics
  gauge('hearth_postgres_pool_connections', 'Connections a pool may open', () => connections, label)
  gauge(
    'hearth_postgres_pool_busy',
    'Running statements and transactions, up to the number of connections',
    () => Math.min(counts.active, connections),
    label,
  )
  gauge(
    'hearth_postgres_pool_waiting',
    'Statements and transactions that wait for a connection',
    () => Math.max(0, counts.active - connections),
    label,
  )
  counter(
    'hearth_postgres_unavailable_total',
    'Calls that PostgreSQL did not answer in time',
    () => counts.unavailable,
    label,
  )
  return async (work) => {
    const startedMs = performance.now()
    counts.active++
    try {
      return await work()
    } catch (error) {
      if (error instanceof StoreUnavailable) counts.unavailable++
      throw error
    } finally {
      counts.active--
      record((performance.now() - startedMs) / 1000)
    }
  }
}
