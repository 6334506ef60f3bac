// Of several hosts that accept writes, statements go to the one that was promoted last: an earlier one has come back and lacks writes.
import { expect, test } from 'bun:test'

import type { NodeStatus } from '../../../src/platform/postgres/node-status.ts'
import { type HostPools, openPrimaryPools } from '../../../src/platform/postgres/primary-pools.ts'

const URL_OF_BOTH = 'postgres://hearth@one.example,two.example/hearth'

/** Pools on hosts whose states the test gives, by host. */
function openHosts(states: Record<string, NodeStatus>) {
  const answered: (() => void)[] = []
  const opened: string[] = []
  const pool = { end: () => Promise.resolve() }
  const pools = openPrimaryPools({
    url: URL_OF_BOTH,
    openPools: (url) => {
      opened.push(new URL(url).host)
      return { read: pool, files: pool, write: pool, transactions: pool, probe: pool } as unknown as HostPools
    },
    watch: (url, onAsked) => {
      answered.push(onAsked)
      return {
        url,
        get status() {
          return states[new URL(url).hostname]
        },
        failure: undefined,
        roundTripMs: 1,
        asked: Promise.resolve(),
        close: () => Promise.resolve(),
      }
    },
    ask: () => Promise.reject(new Error('No host is asked over a new connection.')),
    onStatus: undefined,
    onChange: () => {},
  })
  const hostNow = async () => {
    for (const answer of answered) answer()
    await pools.pool('write')
    return opened.at(-1)?.split(':')[0]
  }
  return { states, hostNow }
}

const primary = (timeline: number): NodeStatus => ({ acceptsWrites: true, timeline, position: 1000, replayAgeMs: null })
const replica: NodeStatus = { acceptsWrites: false, timeline: 0, position: 1000, replayAgeMs: 0 }

test('of two hosts that accept writes the one that was promoted last is used, in whatever order they are named', async () => {
  const { states, hostNow } = openHosts({ 'one.example': primary(3), 'two.example': primary(4) })
  expect(await hostNow()).toBe('two.example')
  states['two.example'] = replica
  expect(await hostNow()).toBe('one.example')
  states['two.example'] = primary(5)
  expect(await hostNow()).toBe('two.example')
  // The previous primary comes back as one.
  states['one.example'] = primary(3)
  expect(await hostNow()).toBe('two.example')
  states['one.example'] = primary(6)
  expect(await hostNow()).toBe('one.example')
})

test('a host that accepts writes is kept while another has the same history', async () => {
  const { states, hostNow } = openHosts({ 'one.example': replica, 'two.example': primary(4) })
  expect(await hostNow()).toBe('two.example')
  states['one.example'] = primary(4)
  expect(await hostNow()).toBe('two.example')
})
