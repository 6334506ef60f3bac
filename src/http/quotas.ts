// What callers may send: limits by kind of caller and of what they ask for.
import type { Scope } from '../features/keys/scopes.ts'
import type { Limit } from '../platform/rate-limit/limit.ts'
import type { Caller } from './identity.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** What every key may, whatever it is used for (spec §8). */
const PER_HOUR = 1000

/** What a key may besides, by kind of scope (design §4): a row per class. */
export const CLASSES = {
  reads: { perMinute: 120, perDay: 10_000 },
  writes: { perMinute: 60, perDay: 2000 },
  'widget-public': { perMinute: 60, perDay: 5000 },
  'widget-book': { perMinute: 10, perDay: 200 },
  'mcp-read': { perMinute: 120, perDay: 10_000 },
  'mcp-write': { perMinute: 30, perDay: 2000 },
  webhooks: { perMinute: 30, perDay: 500 },
} as const
export type LimitClass = keyof typeof CLASSES

const CLASS_OF: Record<Scope, LimitClass> = {
  'services:read': 'reads',
  'pros:read': 'reads',
  'pricing:read': 'reads',
  'availability:read': 'reads',
  'reviews:read': 'reads',
  'packages:read': 'reads',
  'pro:read': 'reads',
  'webhook:sign': 'reads',
  'bookings:write': 'writes',
  'rfqs:write': 'writes',
  'reviews:write': 'writes',
  'pro:write': 'writes',
  'packages:book': 'writes',
  'widget:public': 'widget-public',
  'widget:book': 'widget-book',
  'mcp:read': 'mcp-read',
  'mcp:write': 'mcp-write',
  'webhooks:manage': 'webhooks',
}

/** Bookings that people make on our own pages, by client address: as many as a widget's key may. */
export const PAGE_BOOKINGS_PER_MINUTE = CLASSES['widget-book'].perMinute

/** How often anyone may try to log in, by the e-mail address they name; by client address the configuration says. */
const LOGINS_PER_EMAIL = 10
const LOGIN_WINDOW_MS = { byAddress: 5 * MINUTE_MS, byEmail: 15 * MINUTE_MS } as const

export const classOf = (scope: Scope): LimitClass => CLASS_OF[scope]

/** All names that limits can have. */
export const LIMIT_NAMES = [
  'public',
  'code-lookups',
  'page-bookings',
  'refused-keys',
  'console',
  'logins',
  'logins-email',
  'key',
  ...Object.keys(CLASSES).flatMap((name) => [`${name}-minute`, `${name}-day`]),
]

/** What one client address may in a minute. */
export const addressLimit = (name: string, address: string, perMinute: number): Limit => ({
  name,
  quota: perMinute,
  windowMs: MINUTE_MS,
  key: `{${address}}:${name}`,
})

/** What a key may, by the kind of what it asks for. */
export function keyLimits({ keyId, rateMultiplier }: Caller, name: LimitClass | undefined): Limit[] {
  const limit = (name: string, quota: number, windowMs: number): Limit => ({
    name,
    quota: Math.max(1, Math.floor(quota * rateMultiplier)),
    windowMs,
    key: `{${keyId}}:${name}`,
  })
  const hourly = limit('key', PER_HOUR, HOUR_MS)
  if (!name) return [hourly]
  const { perMinute, perDay } = CLASSES[name]
  return [hourly, limit(`${name}-minute`, perMinute, MINUTE_MS), limit(`${name}-day`, perDay, DAY_MS)]
}

/** What a person who is logged in may. */
export const userLimit = (userId: string, perMinute: number): Limit => ({
  name: 'console',
  quota: perMinute,
  windowMs: MINUTE_MS,
  key: `{${userId}}:console`,
})

/** What may be tried from an address and for an e-mail address. Redis learns of no e-mail address. */
export function loginLimits(address: string, perAddress: number, email: string): readonly [Limit, Limit] {
  const digest = Bun.hash.xxHash64(email.trim().toLowerCase()).toString(36)
  return [
    { name: 'logins', quota: perAddress, windowMs: LOGIN_WINDOW_MS.byAddress, key: `{${address}}:logins` },
    {
      name: 'logins-email',
      quota: LOGINS_PER_EMAIL,
      windowMs: LOGIN_WINDOW_MS.byEmail,
      key: `{${digest}}:logins-email`,
    },
  ]
}
