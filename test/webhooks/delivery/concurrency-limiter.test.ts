// How many deliveries of each endpoint are under way: a simulation of one process in virtual time.
import { expect, test } from 'bun:test'

import { ConcurrencyLimiter } from '../../../src/webhooks/delivery/concurrency-limiter.ts'

interface Endpoint {
  id: string
  /** Events per second. */
  rate: number
  /** The response to the `n`th attempt, when `underWay` are in progress. */
  respond: (
    n: number,
    underWay: number,
    nowMs: number,
  ) => { isSuccess?: boolean; isThrottled?: boolean; durationMs: number }
}

interface Outcome {
  attempts: number
  failures: number
  /** The longest wait of an event for its first attempt. */
  longestWaitMs: number
  /** Events without an attempt at the end. */
  waiting: number
}

const STEP_MS = 5

/** Every endpoint gets its events at its rate for `seconds`; nothing is retried. */
function simulate(endpoints: readonly Endpoint[], seconds: number): Map<string, Outcome> {
  const limiter = new ConcurrencyLimiter()
  const states = endpoints.map((endpoint) => ({
    ...endpoint,
    due: [] as number[],
    produced: 0,
    underWay: 0,
    outcome: { attempts: 0, failures: 0, longestWaitMs: 0, waiting: 0 },
  }))
  let running: { endsAtMs: number; end: () => void }[] = []
  for (let nowMs = 0; nowMs < seconds * 1000; nowMs += STEP_MS) {
    running.filter(({ endsAtMs }) => endsAtMs <= nowMs).forEach(({ end }) => end())
    running = running.filter(({ endsAtMs }) => endsAtMs > nowMs)
    for (const state of states) {
      while (state.produced < (nowMs / 1000) * state.rate) {
        state.due.push(nowMs)
        state.produced++
      }
      const granted = state.due.length > 0 ? limiter.acquire(state.id, Math.min(32, state.due.length), nowMs) : 0
      for (const dueAtMs of state.due.splice(0, granted)) {
        const {
          isSuccess = true,
          isThrottled = false,
          durationMs,
        } = state.respond(state.outcome.attempts++, ++state.underWay, nowMs)
        if (!isSuccess) state.outcome.failures++
        state.outcome.longestWaitMs = Math.max(state.outcome.longestWaitMs, nowMs - dueAtMs)
        const endsAtMs = nowMs + durationMs
        const end = () => {
          state.underWay--
          limiter.recordAttempt(state.id, { isSuccess, isThrottled, durationMs, nowMs: endsAtMs })
          limiter.release(state.id, 1)
        }
        running.push({ endsAtMs, end })
      }
    }
  }
  return new Map(states.map(({ id, outcome, due }) => [id, { ...outcome, waiting: due.length }]))
}

const good = (id: string, rate = 100): Endpoint => ({ id, rate, respond: () => ({ durationMs: 20 }) })
const flaky = (id: string, slowMs: number): Endpoint => ({
  id,
  rate: 67,
  respond: (n) => (n % 5 === 0 ? { isSuccess: false, durationMs: 20 } : { durationMs: n % 10 === 1 ? slowMs : 20 }),
})
const dead = (id: string): Endpoint => ({ id, rate: 67, respond: () => ({ isSuccess: false, durationMs: 15_000 }) })

test('an endpoint with a fifth of errors and a tenth of slow responses gets its events as they happen', () => {
  const outcome = simulate([flaky('flaky', 10_000)], 300).get('flaky')
  expect(outcome?.attempts).toBeGreaterThan(300 * 67 * 0.99)
  expect(outcome?.longestWaitMs).toBeLessThan(5000)
})

test('an endpoint that was dead for a minute catches up', () => {
  const recovering: Endpoint = {
    id: 'recovering',
    rate: 67,
    respond: (_, __, nowMs) => (nowMs < 60_000 ? { isSuccess: false, durationMs: 1000 } : { durationMs: 100 }),
  }
  expect(simulate([recovering], 150).get('recovering')?.waiting).toBe(0)
})

test.each([
  ['flaky', flaky],
  ['dead', dead],
])('twelve %s endpoints do not delay one that responds quickly', (_, make) => {
  const bad = Array.from({ length: 12 }, (__, n) => make(`bad ${n}`, 12_000))
  const outcome = simulate([...bad, good('good')], 120).get('good')
  expect(outcome?.attempts).toBeGreaterThan(120 * 100 * 0.99)
  expect(outcome?.longestWaitMs).toBeLessThan(500)
})

test('a receiver that refuses more than five requests at once with 429 gets few that it must refuse', () => {
  const limited: Endpoint = {
    id: 'limited',
    rate: 200,
    respond: (_, underWay) =>
      underWay > 5 ? { isSuccess: false, isThrottled: true, durationMs: 5 } : { durationMs: 100 },
  }
  const outcome = simulate([limited], 120).get('limited')
  expect((outcome?.failures ?? 0) / (outcome?.attempts ?? 1)).toBeLessThan(0.3)
})
