// Messages of one key are handled one at a time, in this process and beside others.
import { expect, test } from 'bun:test'

import { settlesWithin } from '../../../src/platform/clock/deadlines.ts'
import type { SessionLocks } from '../../../src/platform/postgres/session-locks.ts'
import { createKeyedMutex } from '../../../workers/runtime/keyed-mutex.ts'

/** Session locks of one database, of which `others` are held by other processes. */
function fakeLocks(others: string[] = []) {
  const held = new Set<string>()
  const locks: SessionLocks = {
    tryLock: (name) => Promise.resolve(!others.includes(name) && (held.add(name), true)),
    holdUntilEnd: () => Promise.resolve(),
    release: (name) => Promise.resolve(void held.delete(name)),
  }
  return { locks, held }
}

test('a second message of a key waits for the first, and other keys do not', async () => {
  const { locks, held } = fakeLocks()
  const mutex = createKeyedMutex(locks, 'actor')
  const first = await mutex.acquire('a')
  const second = mutex.acquire('a')
  expect(await settlesWithin(second, 50)).toBe(false)
  expect(await settlesWithin(mutex.acquire('b'), 1000)).toBe(true)
  await first?.release()
  const granted = await second
  expect(granted).toBeDefined()
  expect([...held].sort()).toEqual(['actor:a', 'actor:b'])
  await granted?.release()
  expect([...held]).toEqual(['actor:b'])
})

test('a key that another process holds is not granted, and is asked for again later', async () => {
  const others = ['actor:a']
  const mutex = createKeyedMutex(fakeLocks(others).locks, 'actor')
  expect(await mutex.acquire('a')).toBeUndefined()
  others.length = 0
  expect(await mutex.acquire('a')).toBeDefined()
})

test('when the session of the locks ends, every holder is told', async () => {
  const mutex = createKeyedMutex(fakeLocks().locks, 'actor')
  const [a, b] = [await mutex.acquire('a'), await mutex.acquire('b')]
  mutex.revokeAll()
  expect([a?.lost.aborted, b?.lost.aborted]).toEqual([true, true])
})

test('few messages of one key wait in a process, so that they do not occupy all handlers', async () => {
  const mutex = createKeyedMutex(fakeLocks().locks, 'actor')
  const waiting = Array.from({ length: 4 }, () => mutex.acquire('a'))
  expect(await mutex.acquire('a')).toBeUndefined()
  for (const each of waiting) await (await each)?.release()
  expect(await mutex.acquire('a')).toBeDefined()
})
