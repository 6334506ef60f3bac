// What a PostgreSQL node says about itself: whether it accepts writes, and how much WAL it has.
import type { Sql } from './database.ts'

export interface NodeStatus {
  readonly acceptsWrites: boolean
  /** Each promotion begins a new timeline. 0 for a node that accepts no writes. */
  readonly timeline: number
  /** Bytes of WAL that the primary has flushed, or that a standby has replayed. */
  readonly position: number
  /** The age of the last transaction that a standby has replayed, by its own clock. Null on a primary, or before the first. */
  readonly replayAgeMs: number | null
}

/** Asks a node for its state. */
export async function askStatus(sql: Sql): Promise<NodeStatus> {
  const [status] = await sql<NodeStatus[]>`
    select current_setting('transaction_read_only') = 'off' as "acceptsWrites",
      case when pg_is_in_recovery() then 0
        else ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end as timeline,
      coalesce(case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_flush_lsn() end
        - '0/0'::pg_lsn, 0)::float8 as position,
      case when pg_is_in_recovery()
        then extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8 * 1000 end
        as "replayAgeMs"`
  if (!status) throw new Error('The database returned no row.')
  return status
}
