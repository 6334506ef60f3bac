// The bound of the limiter, over random schedules of requests, exchanges and time: processes that share windows which reply
// when the schedule says so.
import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { type Limit, unconfirmedAllowance } from '../../../src/rate-limit/limiter/limit.ts'
import { memoryWindows } from '../../../src/rate-limit/limiter/memory-windows.ts'
import { type Decision, RateLimiter } from '../../../src/rate-limit/limiter/rate-limiter.ts'

const WINDOW_MS = 60_000
const RUNS = 150
const STEPS = { minLength: 50, maxLength: 150, size: 'max' } as const

const limit = (name: string, quota: number): Limit => ({ name, quota, windowMs: WINDOW_MS, key: name })

/** `a` and `b` share `account`, as two keys of an account do. */
const LIMITS = { a: limit('a', 60), b: limit('b', 100), account: limit('account', 120) }
const SETS = [[LIMITS.a], [LIMITS.a, LIMITS.account], [LIMITS.account, LIMITS.b], [LIMITS.b]]

interface Step {
  kind: 'request' | 'exchange' | 'execute' | 'reply' | 'advance'
  process: number
  set: number
  /** Of requests, or of sixtieths of a window. */
  amount: number
}

const steps = (processes: number, kinds: readonly Step['kind'][]) =>
  fc.array(
    fc.record<Step>({
      kind: fc.constantFrom(...kinds),
      process: fc.nat(processes - 1),
      set: fc.nat(SETS.length - 1),
      amount: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 30 })),
    }),
    STEPS,
  )

interface Call {
  execute(): void
  reply(): void
}

/** A call that has effect, and is answered, when the schedule says so. */
function later<T>(pending: Call[], work: () => T): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<T>()
  let result: T
  pending.push({ execute: () => void (result = work()), reply: () => resolve(result) })
  return promise
}

/** Runs a schedule. Returns when the requests of each limit were sent and admitted. */
async function run(processes: number, schedule: readonly Step[]) {
  let nowMs = 1_000_000
  const shared = memoryWindows()
  const calls = Array.from({ length: processes }, (): Call[] => [])
  const executed = Array.from({ length: processes }, (): Call[] => [])
  const limiters = calls.map(
    (pending) =>
      new RateLimiter({
        redis: {} as never,
        prefix: '',
        onChange: (_, reason) => expect.unreachable(String(reason)),
        silenceMs: 600_000,
        now: () => nowMs,
        shared: {
          take: (requests) => later(pending, () => shared.take(requests, nowMs)),
          count: (passed) => {
            // The call copies what it sends.
            const copy = passed.map(({ limit, count }) => ({ limit, count }))
            return later(pending, () => shared.count(copy, nowMs))
          },
        },
      }),
  )
  const sent: Record<string, number> = {}
  const admitted: Record<string, number[]> = { a: [], b: [], account: [] }
  const conclude = (set: readonly Limit[], { allowed }: Decision) => {
    if (allowed) for (const { key } of set) admitted[key]?.push(nowMs)
  }
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve))
  const execute = (process: number) => {
    const call = calls[process]?.shift()
    call?.execute()
    if (call) executed[process]?.push(call)
  }
  const reply = async (process: number) => {
    executed[process]?.shift()?.reply()
    await settle()
  }
  const decisions: Promise<void>[] = []
  const act = async ({ kind, process, set, amount }: Step): Promise<void> => {
    const limits = SETS[set] ?? []
    if (kind === 'request')
      for (let n = 0; n < amount; n++) {
        for (const { key } of limits) sent[key] = (sent[key] ?? 0) + 1
        const decision = limiters[process]?.take(limits)
        if (decision instanceof Promise) decisions.push(decision.then((made) => conclude(limits, made)))
        else if (decision) conclude(limits, decision)
      }
    else if (kind === 'exchange') void limiters[process]?.flush()
    else if (kind === 'execute') execute(process)
    else if (kind === 'reply') await reply(process)
    // A decision is as old as its reply, so replies do not wait.
    else if (executed.every(({ length }) => length === 0)) nowMs += (amount / 60) * WINDOW_MS
    await settle()
  }
  for (const step of schedule) await act(step)
  for (let idle = 0; idle < 3;) {
    idle++
    for (const process of calls.keys()) {
      if (calls[process]?.length || executed[process]?.length) idle = 0
      execute(process)
      await reply(process)
      void limiters[process]?.flush()
      await settle()
    }
  }
  await Promise.all(decisions)
  return { sent, admitted }
}

/** The most admitted requests in any window. */
function mostInWindow(times: readonly number[]): number {
  let most = 0
  for (const [last, time] of times.entries()) {
    const first = times.findIndex((earlier) => earlier > time - WINDOW_MS)
    most = Math.max(most, last - first + 1)
  }
  return most
}

const ALL = [
  ...Array<'request'>(6).fill('request'),
  'exchange',
  'execute',
  'execute',
  'reply',
  'reply',
  'advance',
] as const
const WITHOUT_TIME = ALL.filter((kind) => kind !== 'advance')

test('one process never admits more than a quota in any window', async () => {
  await fc.assert(
    fc.asyncProperty(steps(1, ALL), async (schedule) => {
      const { admitted } = await run(1, schedule)
      for (const { key, quota } of Object.values(LIMITS))
        expect(mostInWindow(admitted[key] ?? [])).toBeLessThanOrEqual(quota)
    }),
    { numRuns: RUNS },
  )
}, 120_000)

test('one process admits all of a quota', async () => {
  await fc.assert(
    fc.asyncProperty(steps(1, WITHOUT_TIME), async (schedule) => {
      const own = schedule.map((step) => ({ ...step, set: 3 }))
      const { sent, admitted } = await run(1, own)
      expect(admitted['b']).toHaveLength(Math.min(LIMITS.b.quota, sent['b'] ?? 0))
    }),
    { numRuns: RUNS },
  )
}, 120_000)

test.each([2, 3, 5])(
  '%d processes exceed a quota by no more than the allowance of each',
  async (processes) => {
    await fc.assert(
      fc.asyncProperty(steps(processes, ALL), async (schedule) => {
        const { admitted } = await run(processes, schedule)
        for (const limit of Object.values(LIMITS))
          expect(mostInWindow(admitted[limit.key] ?? [])).toBeLessThanOrEqual(
            limit.quota + processes * unconfirmedAllowance(limit),
          )
      }),
      { numRuns: RUNS },
    )
  },
  120_000,
)
