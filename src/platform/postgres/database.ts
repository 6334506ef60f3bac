// The pools of PostgreSQL as their callers see them. Every statement has a name, a time limit and a span.
import type postgres from 'postgres'

import type { Lag } from './replica-lag.ts'

export type Sql = postgres.Sql<Record<string, never>>
export type Statement<Row extends object> = (sql: Sql) => postgres.PendingQuery<Row[]>

/**
 * Runs single statements whose answer may be as old as a replica is behind. A statement takes this type only if that does no
 * harm: search, lists of open times, public profiles, reviews and prices. `name` is the name of the function or file, and of
 * the span.
 */
export interface LaggingRunner {
  /** Returns the rows. Throws {@link StoreUnavailable} if the database does not answer in time. */
  run<Row extends object>(name: string, statement: Statement<Row>): Promise<Row[]>
  /** Runs a statement file, prepared on first use. Throws like `run`. */
  prepared<Row extends object>(
    name: string,
    text: string,
    parameters: readonly postgres.SerializableParameter[],
  ): Promise<Row[]>
}

/** Runs single statements on the primary: they see every change that was acknowledged before. */
export interface Runner extends LaggingRunner {
  /** Keeps a replica from being passed as a Runner. */
  readonly freshness: 'fresh'
}

export interface ReplicaState {
  /** `host:port`. */
  readonly host: string
  /** `used` by this process, or `ready` to be; too far `behind`, or `unreachable`. */
  readonly state: 'used' | 'ready' | 'behind' | 'unreachable'
  /** Undefined while it is unreachable, or the primary's position is unknown. */
  readonly lag: Lag | undefined
}

/** The nearest replica that is not too far behind; the primary if there is no such replica. */
export interface ReplicaPool extends LaggingRunner {
  states(): ReplicaState[]
  /** Statements that failed on a replica and ran on the primary. */
  fallbacks(): number
}

interface Pingable {
  /**
   * Checks that the database answers, on a separate connection that a busy pool does not block, that it accepts connections
   * of the pools, and for the write pool that it accepts writes. Throws {@link StoreUnavailable}.
   */
  ping(): Promise<void>
}

/** Single statements on the primary, on a pool that never carries a transaction. */
export interface ReadPool extends Runner, Pingable {}

/** Transactions and single calls of SQL functions that write. */
export interface WritePool extends Runner, Pingable {
  /**
   * Runs `work` in one transaction: committed when it returns, rolled back when it throws, and when it takes longer than the wait
   * limit. A {@link StoreUnavailable} says with `isOutcomeUnknown` that a commit was sent and not confirmed.
   */
  begin<T>(name: string, work: (tx: Transaction) => Promise<T>): Promise<T>
  /** Calls `listener` when another host has become the primary, before the first statement is sent to it. */
  onPrimaryChange(listener: () => void): void
}

export interface Transaction extends Runner {
  /** Runs `work` and undoes only its changes when it throws. */
  savepoint<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
}

export interface Database {
  readonly read: ReadPool
  readonly replicas: ReplicaPool
  readonly write: WritePool
  /** Opens all connections, so that the first statements do not wait for them. Throws like `run`. */
  warmUp(): Promise<void>
  close(): Promise<void>
}
