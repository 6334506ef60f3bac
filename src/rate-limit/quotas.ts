// The quotas, by kind of caller and of request.
import type { Access } from '../auth/access.ts'
import type { Scope } from '../auth/scopes.ts'
import type { Limit } from './limiter/limit.ts'
import type { Caller } from '../auth/caller.ts'
import { providerNetworkOf } from '../platform/net/client-address.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** The quota of every key for all requests together (spec §8). */
const PER_HOUR = 1000

/** Additional quotas of a key, by class of scope (design §4). */
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

/** The limits of an account, in multiples of those of its least limited key (design §4): more keys do not mean more quota. */
const ACCOUNT_MULTIPLE = 5

const CLASS_OF: Record<Scope, LimitClass> = {
  'services:read': 'reads',
  'pros:read': 'reads',
  'pricing:read': 'reads',
  'availability:read': 'reads',
  'reviews:read': 'reads',
  'packages:read': 'reads',
  'pro:read': 'reads',
  'webhook:sign': 'reads',
  'platform:read': 'reads',
  'bookings:write': 'writes',
  'rfqs:write': 'writes',
  'reviews:write': 'writes',
  'pro:write': 'writes',
  'platform:write': 'writes',
  'packages:book': 'writes',
  'widget:public': 'widget-public',
  'widget:book': 'widget-book',
  'mcp:read': 'mcp-read',
  'mcp:write': 'mcp-write',
  'webhooks:manage': 'webhooks',
}

/**
 * The part of a widget key’s quota that one visitor (by client address) may use in a minute, an hour and a day. One person
 * books once or twice and opens ten pages, and several people may share an address. Ten such addresses use up the key for all
 * others.
 */
const VISITOR_QUOTAS: Partial<Record<LimitClass, { perMinute: number; perHour: number; perDay: number }>> = {
  'widget-public': { perMinute: 30, perHour: 100, perDay: 500 },
  'widget-book': { perMinute: 3, perHour: 10, perDay: 20 },
}

/** Bookings on Hearth's own pages, by client address: the same as for a widget's key. */
export const PAGE_BOOKINGS_PER_MINUTE = CLASSES['widget-book'].perMinute

/** Notifications of the payment provider from one address: far more than it sends, few enough for one process. */
export const PAYMENT_NOTIFICATIONS_PER_MINUTE = 6000

/** Requests for access that an app starts, from one address: each may read a metadata document. */
export const AUTHORIZATIONS_PER_MINUTE = 30

/** Requests for tokens from one address: the servers of an assistant renew those of all its users. */
export const TOKEN_REQUESTS_PER_MINUTE = 1000

/** Routes with a limit instead of the one of their client's address: services send from a few addresses. */
export const OWN_LIMITS: Partial<Record<NonNullable<Access['limit']>, { name: string; perMinute: number }>> = {
  paymentNotifications: { name: 'payment-notifications', perMinute: PAYMENT_NOTIFICATIONS_PER_MINUTE },
  tokenRequests: { name: 'token-requests', perMinute: TOKEN_REQUESTS_PER_MINUTE },
}

/**
 * From one address. Registrations of apps: each is a row for some days. Files that people without an account send on pages: four
 * requests or reviews with all their photos.
 */
const PER_HOUR_OF_ADDRESS = { registrations: 120, 'visitor-files': 40 } as const

/** Requests of a key to the agent servers, before their body is read: as many as all its classes allow. Calls are counted after it. */
const AGENT_REQUESTS_PER_MINUTE = 400

/**
 * Login attempts for one e-mail address from one client address, or in one browser in which its owner has logged in before.
 * Other clients and browsers are not affected.
 */
const LOGINS_PER_PAIR = 10
/**
 * Login attempts for one e-mail address from all clients, known browsers excepted: enough that exhausting them takes several
 * addresses, and at most what NIST SP 800-63B-4 §3.2.2 allows in a row.
 */
const LOGINS_PER_EMAIL = 100
/** Codes with which customers sign in, for one address from one client or known browser. Each allows a few guesses. */
const CODES_PER_PAIR = 5
/** Codes that one address is sent in an hour on request of all clients, known browsers excepted. */
const CODES_PER_EMAIL = 20
/**
 * Once these are used up, a client that has not requested a code for the address within a day still gets one: up to four such
 * clients of one provider’s network, and a hundred in an hour. So a stranger in one network cannot lock a customer out, and
 * strangers in many networks cannot flood a mailbox.
 */
const LATE_CODES = { perClient: 1, perProvider: 4, perEmail: 100 } as const
/** Copies of a customer's data, which read much. */
const COPIES_PER_HOUR = 10
const PER_PAIR = { logins: LOGINS_PER_PAIR, codes: CODES_PER_PAIR } as const
export const LOGIN_WINDOW_MS = { byAddress: 5 * MINUTE_MS, byPair: 15 * MINUTE_MS, byEmail: HOUR_MS } as const

export const classOf = (scope: Scope): LimitClass => CLASS_OF[scope]

/** The names of all limits. */
export const LIMIT_NAMES = [
  'public',
  'code-lookups',
  'page-bookings',
  'payment-notifications',
  'authorizations',
  'token-requests',
  'registrations',
  'visitor-files',
  'refused-keys',
  'console',
  'logins',
  'logins-pair',
  'logins-device',
  'logins-email',
  'codes',
  'codes-pair',
  'codes-device',
  'codes-email',
  'codes-late-client',
  'codes-late-provider',
  'codes-late-email',
  'second-factors',
  'second-factors-user',
  'copies',
  ...Object.keys(VISITOR_QUOTAS).flatMap((name) =>
    ['minute', 'hour', 'day'].map((period) => `visitor-${name}-${period}`),
  ),
  ...['key', 'account'].flatMap((owner) => [
    owner,
    `${prefixOf(owner)}agent-requests`,
    ...Object.keys(CLASSES).flatMap((name) => [`${prefixOf(owner)}${name}-minute`, `${prefixOf(owner)}${name}-day`]),
  ]),
]

function prefixOf(owner: string): string {
  return owner === 'account' ? 'account-' : ''
}

/** A limit of one client address per minute. */
export const addressLimit = (name: string, address: string, perMinute: number): Limit => ({
  name,
  quota: perMinute,
  windowMs: MINUTE_MS,
  key: `{${address}}:${name}`,
})

/** A limit of one client address per hour. */
export const hourlyLimit = (name: keyof typeof PER_HOUR_OF_ADDRESS, address: string): Limit => ({
  name,
  quota: PER_HOUR_OF_ADDRESS[name],
  windowMs: HOUR_MS,
  key: `{${address}}:${name}`,
})

type LimitedCaller = Pick<Caller, 'keyId' | 'accountId' | 'rateMultiplier' | 'accountMultiplier'>

/** The limits of a key and of its account for requests of a class; with a widget's key also those of its `visitor`, an address. */
export function keyLimits(caller: LimitedCaller, name: LimitClass | undefined, visitor?: string): Limit[] {
  const { keyId, accountId, rateMultiplier, accountMultiplier } = caller
  return [
    ...ownerLimits({ kind: 'key', id: keyId, multiplier: rateMultiplier }, name),
    ...ownerLimits({ kind: 'account', id: accountId, multiplier: ACCOUNT_MULTIPLE * accountMultiplier }, name),
    ...(visitor === undefined ? [] : visitorLimits(caller, name, visitor)),
  ]
}

/** The limits of one visitor of a widget, in multiples of the key's; none for other classes. */
function visitorLimits(
  { keyId, rateMultiplier }: LimitedCaller,
  name: LimitClass | undefined,
  address: string,
): Limit[] {
  const quotas = name && VISITOR_QUOTAS[name]
  if (!quotas) return []
  const limit = (period: string, quota: number, windowMs: number): Limit => ({
    name: `visitor-${name}-${period}`,
    quota: Math.max(1, Math.floor(quota * rateMultiplier)),
    windowMs,
    key: `{${keyId}}:visitor-${name}-${period} ${address}`,
  })
  const { perMinute, perHour, perDay } = quotas
  return [limit('minute', perMinute, MINUTE_MS), limit('hour', perHour, HOUR_MS), limit('day', perDay, DAY_MS)]
}

/** Whether the visitors of a key of this class have limits of their own. */
export const hasVisitors = (name: LimitClass | undefined): name is LimitClass =>
  name !== undefined && VISITOR_QUOTAS[name] !== undefined

/** The limits of a key and of its account for requests to the agent servers. */
export function agentLimits({ keyId, accountId, rateMultiplier, accountMultiplier }: LimitedCaller): Limit[] {
  const limit = (kind: LimitOwner['kind'], id: string, multiplier: number): Limit => ({
    name: `${prefixOf(kind)}agent-requests`,
    quota: Math.max(1, Math.floor(AGENT_REQUESTS_PER_MINUTE * multiplier)),
    windowMs: MINUTE_MS,
    key: `{${id}}:${prefixOf(kind)}agent-requests`,
  })
  return [limit('key', keyId, rateMultiplier), limit('account', accountId, ACCOUNT_MULTIPLE * accountMultiplier)]
}

interface LimitOwner {
  kind: 'key' | 'account'
  id: string
  multiplier: number
}

function ownerLimits({ kind, id, multiplier }: LimitOwner, className: LimitClass | undefined): Limit[] {
  const limit = (name: string, quota: number, windowMs: number): Limit => ({
    name,
    quota: Math.max(1, Math.floor(quota * multiplier)),
    windowMs,
    key: `{${id}}:${name}`,
  })
  const hourly = limit(kind, PER_HOUR, HOUR_MS)
  if (!className) return [hourly]
  const { perMinute, perDay } = CLASSES[className]
  const name = prefixOf(kind) + className
  return [hourly, limit(`${name}-minute`, perMinute, MINUTE_MS), limit(`${name}-day`, perDay, DAY_MS)]
}

/** The limit of a logged-in user. */
export const userLimit = (userId: string, perMinute: number): Limit => ({
  name: 'console',
  quota: perMinute,
  windowMs: MINUTE_MS,
  key: `{${userId}}:console`,
})

export interface LoginAttempt {
  /** The client's address. */
  readonly address: string
  /** A digest of the e-mail address: Redis stores no addresses. */
  readonly digest: string
  /** The browser, if the owner of the e-mail address has logged in with it before. */
  readonly device: string | undefined
}

/** `logins`: passwords of the console. `codes`: codes that customers ask for. */
export type AttemptKind = keyof typeof PER_PAIR

export const exact = (name: string, quota: number, windowMs: number, peer: string): Limit => ({
  name,
  quota,
  windowMs,
  key: `{${peer}}:${name}`,
  isExact: true,
})

/** The limits of one client or known browser, in the order of counting: an attempt that one refuses does not count for the next. */
export function attemptLimits(
  kind: AttemptKind,
  { address, digest, device }: LoginAttempt,
  perAddress: number,
): Limit[] {
  const [name, peer] = device === undefined ? [`${kind}-pair`, address] : [`${kind}-device`, device]
  return [
    exact(kind, perAddress, LOGIN_WINDOW_MS.byAddress, address),
    exact(name, PER_PAIR[kind], LOGIN_WINDOW_MS.byPair, `${digest} ${peer}`),
  ]
}

/** The limit of logins for one e-mail address from all clients. */
export const loginLimit = ({ digest }: LoginAttempt): Limit =>
  exact('logins-email', LOGINS_PER_EMAIL, LOGIN_WINDOW_MS.byEmail, digest)

/** What one address may be sent: a code is sent if the limits of one entry have room. */
export const codeBudgets = ({ address, digest }: LoginAttempt): Limit[][] => [
  [exact('codes-email', CODES_PER_EMAIL, HOUR_MS, digest)],
  [
    exact('codes-late-client', LATE_CODES.perClient, DAY_MS, `${digest} ${address}`),
    exact('codes-late-provider', LATE_CODES.perProvider, DAY_MS, `${digest} ${providerNetworkOf(address)}`),
    exact('codes-late-email', LATE_CODES.perEmail, HOUR_MS, digest),
  ],
]

/** The limit of copies of a customer's data. */
export const copyLimit = (accountId: string): Limit => ({
  name: 'copies',
  quota: COPIES_PER_HOUR,
  windowMs: HOUR_MS,
  key: `{${accountId}}:copies`,
})
