// A replica answers only while it is at most so far behind as configured, and a new primary's history replaces that of the old one.
import { expect, test } from 'bun:test'

import type { LaggingRunner, Runner } from '../../../src/platform/postgres/database.ts'
import type { NodeStatus } from '../../../src/platform/postgres/node-status.ts'
import { WalHistory } from '../../../src/platform/postgres/replica-lag.ts'
import { openReplicas } from '../../../src/platform/postgres/replicas.ts'

const primaryAt = (position: number): NodeStatus => ({ acceptsWrites: true, timeline: 1, position, replayAgeMs: null })

/** A replica whose answers the test gives. */
function openReplica(maxLagMs: number) {
  let status: NodeStatus | undefined
  let onAsked = () => {}
  const pool = { end: () => Promise.resolve() }
  const replicas = openReplicas({
    urls: ['postgres://replica.example/hearth'],
    primary: {} as Runner,
    openPools: () => ({ read: pool, files: pool }) as never,
    openRunner: () => ({}) as LaggingRunner,
    watch: (url, answered) => {
      onAsked = answered
      return {
        url,
        get status() {
          return status
        },
        failure: undefined,
        roundTripMs: 1,
        asked: Promise.resolve(),
        close: () => Promise.resolve(),
      }
    },
    calls: {} as never,
    maxLagMs,
    onChange: () => {},
  })
  const answer = (position: number, replayAgeMs: number) => {
    status = { acceptsWrites: false, timeline: 0, position, replayAgeMs }
    onAsked()
    return replicas.pool.states()[0]?.state
  }
  return { replicas, answer }
}

test('a replica is used up to REPLICA_MAX_LAG_MS behind the primary, and not beyond', () => {
  const { replicas, answer } = openReplica(60_000)
  replicas.onPrimary(primaryAt(2000))
  expect(answer(2000, 500_000)).toBe('used')
  expect(answer(1000, 60_001)).toBe('behind')
  expect(answer(1000, 59_000)).toBe('used')
})

test('a replica that has all of a new primary is not behind, although the previous primary had written more', () => {
  const history = new WalHistory()
  history.record(1000, 0)
  history.record(9000, 1000)
  history.record(5000, 60_000)
  expect(history.lagOf(5000, 0, 61_000)).toEqual({ ms: 0, bytes: 0 })
  expect(history.lagOf(4000, 300, 61_000)).toEqual({ ms: 1000, bytes: 1000 })
})
