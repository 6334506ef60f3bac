// What follows an attempt, at the limits of each rule.
import { expect, test } from 'bun:test'

import { nextStep } from '../../../src/webhooks/delivery/retry-schedule.ts'

const NOW = new Date('2026-11-20T00:00:00Z')
const DAY_MS = 86_400_000
const after = (status: number, changes: Partial<Parameters<typeof nextStep>[0]> = {}, retryAfter?: string) =>
  nextStep(
    { round: 0, maxRetries: 8, failingSince: null, ...changes },
    { kind: 'answered', status, snippet: '', retryAfter },
    NOW,
    0.5,
  )
const delayOf = (retryAfter: string) => {
  const { nextAttemptAt } = after(500, {}, retryAfter)
  return nextAttemptAt && nextAttemptAt.getTime() - NOW.getTime()
}

test('only 200 to 299 is a success, and only 410 ends an endpoint at once', () => {
  for (const status of [200, 204, 299]) expect([status, after(status).state]).toEqual([status, 'delivered'])
  for (const status of [100, 199, 300, 301, 400, 404, 409, 411, 500])
    expect([status, after(status).state, after(status).disable]).toEqual([status, 'pending', undefined])
  expect(after(410)).toEqual({ state: 'failed', nextAttemptAt: null, disable: 'gone' })
})

test('an endpoint is disabled after more than five days of failures', () => {
  const failingFor = (ms: number) => after(500, { failingSince: new Date(NOW.getTime() - ms).toISOString() }).disable
  expect([failingFor(5 * DAY_MS), failingFor(5 * DAY_MS + 1)]).toEqual([undefined, 'failing'])
})

test('a delivery is retried as often as its endpoint says', () => {
  const stateAt = (round: number, maxRetries: number) => after(500, { round, maxRetries }).state
  expect([stateAt(0, 0), stateAt(0, 1), stateAt(1, 1), stateAt(7, 8), stateAt(8, 8)]).toEqual([
    'failed',
    'pending',
    'failed',
    'pending',
    'failed',
  ])
})

test('Retry-After postpones the retry, by at most a day, and never brings it forward', () => {
  for (const [text, ms] of [
    ['120', 120_000],
    ['1', 5000],
    ['86400', DAY_MS],
    ['86401', DAY_MS],
    [new Date(NOW.getTime() + 60_000).toUTCString(), 60_000],
    [new Date(NOW.getTime() - 60_000).toUTCString(), 5000],
    ['soon', 5000],
    ['-60', 5000],
  ] as const)
    expect([text, delayOf(text)]).toEqual([text, ms])
})
