// Waits with a limit: each ends in time, whatever it waits for.
import { heapStats } from 'bun:jsc'
import { describe, expect, test } from 'bun:test'

import { settlesWithin, waitUntil, withDeadline } from '../../../src/platform/clock/deadlines.ts'

const never = new Promise<never>(() => undefined)
const late = () => new Error('too late')
const messageOf = (work: Promise<unknown>) => work.then(String, (error: Error) => error.message)

describe('waitUntil', () => {
  test('returns true as soon as the condition holds', async () => {
    let checks = 0
    expect(await waitUntil(() => ++checks === 3, 10_000, 1)).toBe(true)
    expect(checks).toBe(3)
  })

  test('returns false when the condition does not hold in time', async () => {
    expect(await waitUntil(async () => false, 10, 1)).toBe(false)
  })

  test('throws the error of the condition', async () => {
    const failing = () => Promise.reject(new Error('broken'))
    expect(await messageOf(waitUntil(failing, 10_000))).toBe('broken')
  })
})

describe('withDeadline', () => {
  test('returns the result of the work', async () => {
    expect(await withDeadline(Promise.resolve(7), 10_000, late)).toBe(7)
  })

  test('throws the error of the work', async () => {
    expect(await messageOf(withDeadline(Promise.reject(new Error('broken')), 10_000, late))).toBe('broken')
  })

  test('throws the given error when the work takes longer', async () => {
    expect(await messageOf(withDeadline(never, 5, late))).toBe('too late')
  })
})

describe('settlesWithin', () => {
  test('returns true for work that ends in time', async () => {
    expect(await settlesWithin(Promise.resolve(), 10_000)).toBe(true)
  })

  test('returns true for work that fails in time, and passes its error on', async () => {
    const errors: unknown[] = []
    expect(await settlesWithin(Promise.reject(new Error('broken')), 10_000, (error) => errors.push(error))).toBe(true)
    expect(errors).toEqual([expect.objectContaining({ message: 'broken' })])
  })

  test('returns false for work that takes longer', async () => {
    expect(await settlesWithin(never, 5)).toBe(false)
  })

  test('passes on the error of work that fails later, once', async () => {
    const work = Promise.withResolvers<void>()
    const errors: unknown[] = []
    expect(await settlesWithin(work.promise, 5, (error) => errors.push(error))).toBe(false)
    work.reject(new Error('broken'))
    expect(await settlesWithin(work.promise, 10_000)).toBe(true)
    expect(errors).toHaveLength(1)
  })

  test('leaves nothing behind in a promise that stays pending', async () => {
    const { promise } = Promise.withResolvers<void>()
    const wait = (times: number) => Promise.all(Array.from({ length: times }, () => settlesWithin(promise, 0)))
    const held = async () => {
      Bun.gc(true)
      await new Promise(setImmediate)
      Bun.gc(true)
      return heapStats().heapSize
    }
    await wait(1000)
    const before = await held()
    for (let round = 0; round < 20; round++) await wait(1000)
    expect((await held()) - before).toBeLessThan(2_000_000)
  })
})

test('no timer outlives its wait: a process with long limits ends at once', async () => {
  const deadlines = JSON.stringify(import.meta.resolve('../../../src/platform/clock/deadlines.ts'))
  const script = `const { settlesWithin, waitUntil, withDeadline } = await import(${deadlines})
    await withDeadline(Promise.resolve(), 60_000, () => new Error())
    await settlesWithin(Promise.resolve(), 60_000)
    await waitUntil(() => true, 60_000, 60_000)`
  const startedMs = performance.now()
  const child = Bun.spawn([process.execPath, '-e', script], { stdio: ['ignore', 'inherit', 'inherit'] })
  expect(await child.exited).toBe(0)
  expect(performance.now() - startedMs).toBeLessThan(20_000)
})
