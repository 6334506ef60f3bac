// Writes at a steady rate.
import { expect, test } from 'bun:test'

import { writeSteadily } from '../../bench/support/steady-writes.ts'

test('writes at a steady rate start on time, each with its own number', async () => {
  const numbers: number[] = []
  const { written } = await writeSteadily(async (n) => numbers.push(n), { perSecond: 200, seconds: 0.2 })
  expect(numbers).toEqual(Array.from({ length: written }, (_, n) => n))
  expect(written).toBeWithin(1, 42)
})

test('no more than a second of writes waits for answers', async () => {
  const waiting: (() => void)[] = []
  let most = 0
  const write = () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    most = Math.max(most, waiting.push(resolve))
    return promise
  }
  const ended = writeSteadily(write, { perSecond: 10, seconds: 1.3 })
  const answers = setInterval(() => {
    if (most === 10) for (const answer of waiting.splice(0)) answer()
  }, 50)
  const { written } = await ended
  clearInterval(answers)
  expect(most).toBe(10)
  expect(written).toBeGreaterThanOrEqual(10)
})

test('a write that fails is reported after the others', async () => {
  const failing = writeSteadily(() => Promise.reject(new Error('refused')), { perSecond: 100, seconds: 0.05 })
  expect(await failing.catch((error: unknown) => error)).toBeInstanceOf(AggregateError)
})
