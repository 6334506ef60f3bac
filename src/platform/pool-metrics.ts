// How busy the database pools are, counted around them: the driver itself does not tell.
import type { ReadPool, Runner, WritePool } from './db.ts'
import type { Metrics } from './metrics.ts'
import { StoreUnavailable } from './store-error.ts'

interface PoolCounts {
  underWay: number
  unavailable: number
}

/** The same pools, counted. `connections` is how many each has. */
export function observePools(
  metrics: Metrics,
  pools: { read: ReadPool; write: WritePool },
  connections: number,
): { read: ReadPool; write: WritePool } {
  const { read, write } = pools
  const countRead = counting(metrics, 'read', connections)
  const countWrite = counting(metrics, 'write', connections)
  const countTransaction = counting(metrics, 'transactions', connections)
  return {
    read: { ...read, run: counted(read, countRead) },
    write: {
      ...write,
      run: counted(write, countWrite),
      begin: (name, work) => countTransaction(() => write.begin(name, work)),
    },
  }
}

type Count = <T>(work: () => Promise<T>) => Promise<T>

const counted =
  (runner: Runner, count: Count): Runner['run'] =>
  (name, statement) =>
    count(() => runner.run(name, statement))

function counting(metrics: Metrics, pool: 'read' | 'write' | 'transactions', connections: number): Count {
  const counts: PoolCounts = { underWay: 0, unavailable: 0 }
  const label = { pool }
  const { gauge, counter } = metrics
  gauge('hearth_postgres_pool_connections', 'Connections a pool may open', () => connections, label)
  gauge(
    'hearth_postgres_pool_busy',
    'Statements and transactions under way, up to the connections',
    () => Math.min(counts.underWay, connections),
    label,
  )
  gauge(
    'hearth_postgres_pool_waiting',
    'Statements and transactions beyond the connections',
    () => Math.max(0, counts.underWay - connections),
    label,
  )
  counter(
    'hearth_postgres_unavailable_total',
    'Calls given up because no answer came in time or at all',
    () => counts.unavailable,
    label,
  )
  return async (work) => {
    counts.underWay++
    try {
      return await work()
    } catch (error) {
      if (error instanceof StoreUnavailable) counts.unavailable++
      throw error
    } finally {
      counts.underWay--
    }
  }
}
