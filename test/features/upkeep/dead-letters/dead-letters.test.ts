// Messages that failed for good are kept, and a retry of one is sent until it is acknowledged.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'

import {
  listDeadLetters,
  recordDeadLetter,
  resendUnacknowledged,
  retryDeadLetter,
} from '../../../../src/features/upkeep/dead-letters/verbs.ts'
import { openTestApp } from '../../../support/app.ts'
import { manualClock } from '../../../support/booking-fixture.ts'
import { opened } from '../../../support/fixture.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const clock = manualClock()

const app = await opened(openTestApp('migrated', { clock }))
let actor = ''
beforeEach(() => void (actor = `actor-${randomUUID()}`))
afterEach(async () => void (await app.sql`delete from dead_letters`))

const fail = (error: unknown, messageId = 'one') =>
  recordDeadLetter(ctxOf(app.deps), { actor, messageId, data: {}, traceparent: null, attempts: 3, error })
const letters = () => listDeadLetters(ctxOf(app.deps), { actor, limit: 10 })

test('a message that fails again has one dead letter, which counts all attempts', async () => {
  await fail(new Error('first'))
  await fail(new Error('second'))
  await fail(new Error('other'), 'two')
  const attempts = Object.fromEntries((await letters()).map((letter) => [letter.messageId, letter.attempts]))
  expect(attempts).toEqual({ one: 6, two: 3 })
  expect((await letters()).find(({ messageId }) => messageId === 'one')?.error).toBe('Error: second')
})

test('a retry is sent again a minute later unless it was acknowledged or has failed', async () => {
  await fail(new Error('down'))
  const [letter] = await letters()
  expect(await resendUnacknowledged(ctxOf(app.deps))).toBe(0)
  await retryDeadLetter(ctxOf(app.deps), { id: letter?.id ?? '' })
  expect(await resendUnacknowledged(ctxOf(app.deps))).toBe(0)
  clock.advance(1)
  expect(await resendUnacknowledged(ctxOf(app.deps))).toBe(0)
  clock.advance(0.1)
  expect(await resendUnacknowledged(ctxOf(app.deps))).toBe(1)
  expect(await resendUnacknowledged(ctxOf(app.deps))).toBe(0)
  // The retry fails: a person decides about the next one.
  await fail(new Error('down'))
  clock.advance(10)
  expect(await resendUnacknowledged(ctxOf(app.deps))).toBe(0)
})

test('the error of a dead letter names no person, code or key', async () => {
  await fail(new Error('No booking HTH-0123456789AB for home@example.com, call +1 512 555 0142'))
  const [letter] = await letters()
  expect(letter?.error).toStartWith('Error: No booking')
  for (const secret of ['0123456789AB', 'home@example', '555']) expect(letter?.error).not.toContain(secret)
})
