// Asks a PostgreSQL node several times a second whether it answers, accepts writes, and how much WAL it has.
import { startTimer, settlesWithin } from '../clock/deadlines.ts'
import { StoreUnavailable, asStoreError } from '../store-error.ts'
import { postgresClient } from './client.ts'
import type { Pooler } from './configured-urls.ts'
import type { Sql } from './database.ts'
import { type NodeStatus, askStatus } from './node-status.ts'

export interface WatchedNode {
  readonly url: string
  /** Undefined until the first answer, and while the node does not answer. */
  readonly status: NodeStatus | undefined
  /** Why it did not answer. */
  readonly failure: unknown
  /** The shortest of the latest round trips. */
  readonly roundTripMs: number
  /** Resolves when the node has answered, or failed to, for the first time. */
  readonly asked: Promise<void>
  close(): Promise<void>
}

const EVERY_MS = 250
/** A node that takes longer is not used for now. */
const ANSWER_LIMIT_MS = 400
/**
 * How long a late answer is waited for until another connection is opened. To log in costs a busy node more than to answer does:
 * processes that try again and again keep it busy.
 */
const GIVE_UP_MS = 3000
/** Of so many round trips the shortest says how near a node is; the others also waited for its work. */
const ROUND_TRIPS = 8

export type WatchNode = (url: string, onAsked: () => void) => WatchedNode

/** Watches until `close`. Calls `onAsked` after each answer, and after each failure to get one. */
export const watchNode = (url: string, onAsked: () => void, pooler?: Pooler): WatchedNode => {
  const roundTrips: number[] = []
  const [asked, closing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let status: NodeStatus | undefined
  let failure: unknown
  let isClosed = false
  let sql = openProbe(url, pooler)

  const ask = async () => {
    const startedMs = performance.now()
    const answer = askStatus(sql)
    try {
      status = await inTime(answer)
      roundTrips.push(performance.now() - startedMs)
      if (roundTrips.length > ROUND_TRIPS) roundTrips.shift()
    } catch (error) {
      status = undefined
      failure = asStoreError(error)
    }
    if (isClosed) return
    asked.resolve()
    onAsked()
    if (status !== undefined || (await answersLate(answer))) return
    await sql.end({ timeout: 0 })
    sql = openProbe(url, pooler)
  }
  const answersLate = async (answer: Promise<NodeStatus>): Promise<boolean> => {
    const outcome = answer.then(
      () => true,
      () => false,
    )
    for (let waitedMs = 0; waitedMs < GIVE_UP_MS && !isClosed; waitedMs += EVERY_MS)
      if (await settlesWithin(outcome, EVERY_MS)) return await outcome
    return false
  }
  const watching = (async () => {
    while (!isClosed) {
      await ask()
      await settlesWithin(closing.promise, EVERY_MS)
    }
    await sql.end({ timeout: 0 })
  })()
  return {
    url,
    asked: asked.promise,
    get status() {
      return status
    },
    get failure() {
      return failure
    },
    get roundTripMs() {
      return Math.min(...roundTrips)
    },
    close: () => {
      isClosed = true
      closing.resolve()
      return watching
    },
  }
}

const openProbe = (url: string, pooler: Pooler | undefined): Sql =>
  postgresClient(url, {
    max: 1,
    // A pooler may send each statement to another connection.
    prepare: false,
    limitsByRole: pooler !== undefined,
    max_lifetime: null,
    connect_timeout: GIVE_UP_MS / 1000,
    backoff: () => 0,
    connection: { application_name: 'hearth-watch' },
  })

/** Rejects after {@link ANSWER_LIMIT_MS}, unless this process was too busy to read the answer. */
export async function inTime<T>(work: PromiseLike<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const stop = startTimer(ANSWER_LIMIT_MS, () => late.reject(new StoreUnavailable('postgres')))
  try {
    return await Promise.race([work, late.promise])
  } finally {
    stop()
  }
}
