// Mutants of rate limits.
import type { Mutant } from './mutant.ts'

export const LIMITS: readonly Mutant[] = [
  {
    guarantee: 'A widget may book ten times a minute.',
    file: 'src/rate-limit/quotas.ts',
    from: "'widget-book': { perMinute: 10,",
    to: "'widget-book': { perMinute: 100,",
    killedBy: 'test/rate-limit/quotas.test.ts',
  },
  {
    guarantee: 'A key has 1,000 requests an hour.',
    file: 'src/rate-limit/quotas.ts',
    from: 'const PER_HOUR = 1000',
    to: 'const PER_HOUR = 10_000',
    killedBy: 'test/rate-limit/quotas.test.ts',
  },
  {
    guarantee: 'An account has five times the limits of a key.',
    file: 'src/rate-limit/quotas.ts',
    from: 'const ACCOUNT_MULTIPLE = 5',
    to: 'const ACCOUNT_MULTIPLE = 50',
    killedBy: 'test/rate-limit/quotas.test.ts',
  },
  {
    guarantee: 'A key is counted with its account.',
    file: 'src/rate-limit/quotas.ts',
    from: "    ...ownerLimits({ kind: 'account', id: accountId, multiplier: ACCOUNT_MULTIPLE * accountMultiplier }, name),\n",
    to: '',
    killedBy: 'test/rate-limit/quotas.test.ts',
  },
  {
    guarantee: 'A write does not use the limits of reads.',
    file: 'src/rate-limit/quotas.ts',
    from: "'bookings:write': 'writes'",
    to: "'bookings:write': 'reads'",
    killedBy: 'test/rate-limit/quotas.test.ts',
  },
  {
    guarantee: 'A window never holds more than its quota.',
    file: 'src/rate-limit/limiter/memory-windows.ts',
    from: '...opened.map(({ limit, window }) => limit.quota - window.sum)',
    to: '...opened.map(({ limit, window }) => limit.quota - window.sum + 1)',
    killedBy: 'test/rate-limit/limiter/sliding-windows.test.ts',
    tests: 'in this process|memory|quota of a burst',
  },
  {
    guarantee: 'The script of the shared windows grants no more than the quota.',
    file: 'src/rate-limit/limiter/sliding-windows.lua',
    from: 'granted = math.max(0, math.min(granted, quotas[i] - window.sum))',
    to: 'granted = math.max(0, math.min(granted, quotas[i] - window.sum + 1))',
    killedBy: 'test/rate-limit/limiter/sliding-windows.test.ts',
    tests: 'quota of a burst',
  },
  {
    guarantee: 'Retry-After is rounded up, so that no client comes too early.',
    file: 'src/rate-limit/headers.ts',
    from: 'Math.ceil(ms / 1000)',
    to: 'Math.floor(ms / 1000)',
    killedBy: 'test/rate-limit/limiter/retry-after.test.ts',
  },
  {
    guarantee: 'A refusal from memory tells the whole wait.',
    file: 'src/rate-limit/limiter/rate-limiter.ts',
    from: 'return exhausted.resetAtMs - nowMs',
    to: 'return exhausted.forgetAtMs - nowMs',
    killedBy: 'test/rate-limit/limiter/retry-after.test.ts',
  },
]
