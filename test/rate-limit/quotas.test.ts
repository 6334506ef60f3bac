// The quotas of keys and accounts, by class of scope.
import { expect, test } from 'bun:test'

import { SCOPES, type Scope } from '../../src/auth/scopes.ts'
import { policyOf } from '../../src/rate-limit/headers.ts'
import { classOf, keyLimits } from '../../src/rate-limit/quotas.ts'

/** The policy of an account's only key, with this multiplier, in requests of a class. */
function policyOfKey(name: string, [perMinute, perDay]: [number, number], multiplier: number) {
  const of = (hourly: string, prefix: string, times: number) => [
    `"${hourly}";q=${1000 * times};w=3600`,
    `"${prefix}${name}-minute";q=${perMinute * times};w=60`,
    `"${prefix}${name}-day";q=${perDay * times};w=86400`,
  ]
  return [...of('key', '', multiplier), ...of('account', 'account-', 5 * multiplier)].join(', ')
}

/** Design §4: per minute and per day, by class of scope. */
const TABLE: [name: string, perMinute: number, perDay: number, scopes: RegExp][] = [
  ['reads', 120, 10_000, /^(services|pros|pricing|availability|reviews|packages|pro|platform):read$|^webhook:sign$/],
  ['writes', 60, 2000, /^(bookings|rfqs|reviews|pro|platform):write$|^packages:book$/],
  ['widget-public', 60, 5000, /^widget:public$/],
  ['widget-book', 10, 200, /^widget:book$/],
  ['mcp-read', 120, 10_000, /^mcp:read$/],
  ['mcp-write', 30, 2000, /^mcp:write$/],
  ['webhooks', 30, 500, /^webhooks:manage$/],
]

/** The policy of a request with a key that has only the route's scope. */
function policyFor(scope: Scope, rateMultiplier: number): string {
  const accountMultiplier = Math.max(1, rateMultiplier)
  const caller = { keyId: 'a key', accountId: 'an account', rateMultiplier, accountMultiplier }
  return policyOf(keyLimits(caller, classOf(scope)))
}

test.each(Object.keys(SCOPES) as Scope[])('%s has the limits of its class, times the key’s multiplier', (scope) => {
  const [row, ...others] = TABLE.filter(([, , , scopes]) => scopes.test(scope))
  if (!row || others.length > 0) throw new Error(`${scope} must be in one row of the table.`)
  const [name, minute, day] = row
  expect(policyFor(scope, 1)).toBe(policyOfKey(name, [minute, day], 1))
  expect(policyFor(scope, 2.5)).toBe(policyOfKey(name, [minute, day], 2.5))
})
