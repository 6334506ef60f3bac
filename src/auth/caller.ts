// From the Authorization header to the caller, by key or by an app's access token: form, checksum, cache, then the database.
import { LRUCache } from 'lru-cache'

import { ctxOf } from '../ctx.ts'
import { oncePerDeps } from '../deps.ts'
import { AppError, invalidField } from '../errors/app-error.ts'
import type { ReadMark } from '../platform/postgres/notifications.ts'
import type { AccountKind } from './accounts/schemas.ts'
import type { Scope } from './scopes.ts'
import { lastUsedOf } from './keys/verbs/last-used.ts'
import type { VerifiedKey } from './keys/schemas.ts'
import { verifyKey } from './keys/verbs/keys.ts'
import { type KeyMode, secretKindOf } from './keys/format.ts'
import { type VerifiedToken, verifyAccessToken } from './oauth/verbs/access-tokens.ts'
import type { OperatorRole } from './users/rules/operator-roles.ts'
import type { ResourceName } from './oauth/resources.ts'

/** The owner of a request's key. */
export interface Caller {
  readonly keyId: string
  readonly mode: KeyMode
  readonly accountId: string
  readonly ownerKind: AccountKind
  /** The pro this account is, when it is one. */
  readonly professionalId: string | null
  /** The operator for whom the key acts; null for the keys of other accounts. */
  readonly operator: Operator | null
  readonly scopes: ReadonlySet<Scope>
  /** The only origin whose pages may use the key; null for keys of servers. */
  readonly origin: string | null
  /** Multiplies all limits of the key. */
  readonly rateMultiplier: number
  /** The highest multiplier of the account's keys, at least 1. It scales the limits of the account. */
  readonly accountMultiplier: number
  /** The only resource that takes an app's access token (RFC 8707); null for keys. */
  readonly audience: ResourceName | null
  /** The customer who granted an app's access token; null for keys, and for the tokens of pros. */
  readonly customer: CustomerCaller | null
}

/** The viewer of pros: a test key shows the test pros of its account, every other caller the real ones. */
export type Viewer = Pick<Caller, 'accountId' | 'mode'> | typeof PUBLIC

/** Pages, which take no keys. */
export const PUBLIC = undefined

/** The account whose test pros the viewer sees; null for viewers of real pros. */
export const testAccountOf = (viewer: Viewer): string | null => (viewer?.mode === 'test' ? viewer.accountId : null)

/** A user who runs the marketplace, and the role that says what they may do. */
export interface Operator {
  readonly userId: string
  readonly role: OperatorRole
}

/** A caller who is an operator. */
export type OperatorCaller = Caller & { readonly operator: Operator }

/** A caller who is a pro. */
export type ProCaller = Caller & { readonly professionalId: string }

/**
 * A customer who has proven to read the mail of the address. Verbs give them the records with this address, and no others: not
 * those that the account created.
 */
export interface CustomerCaller {
  /** Owns the customer's reviews and idempotency records. */
  readonly accountId: string
  /** In its normal form. */
  readonly customerEmail: string
}

/** The caller as a pro, for routes and servers that admit pros only. */
export function proOf(caller: Caller): ProCaller {
  if (caller.professionalId === null) throw new Error('The caller is not a pro.')
  return { ...caller, professionalId: caller.professionalId }
}

/** The user for whom an operator's program acts, as the audit log names them. */
export const operatorOf = ({ actor }: { readonly actor: OperatorCaller }): string => actor.operator.userId

/** The account that acts through a link. An app that a signed-in customer connected acts for the customer. */
export const actorOf = (caller: Caller | undefined): { accountId: string | null } => ({
  accountId: caller?.accountId ?? null,
})

/** The signed-in customer for whom an app calls, for verbs that give customers what is theirs. */
export const customerOf = (caller: Caller): CustomerCaller | undefined => caller.customer ?? undefined

/**
 * Throws validation_failed when a signed-in customer gives another address than their own as `path`. The holder of a key answers
 * for all customers of its pages and programs.
 */
export function checkOwnAddress({ customer }: Caller, path: string, email: string): void {
  if (customer && customer.customerEmail !== email)
    throw invalidField(path, 'must be the address with which the customer signed in')
}

/** Turns a request's key into its caller. */
export interface Identity {
  /**
   * The caller, or undefined without a key. Throws `invalid_key` for a malformed, unknown, revoked or expired one, and
   * `expired_token`, which is no guess, for an access token that was valid.
   * `beforeLookUp` runs before a key that is not known yet is looked up, and may throw to prevent it.
   */
  identify(request: Request, beforeLookUp: () => void): Caller | undefined | Promise<Caller>
}

interface CachedKey {
  caller: Caller
  /** By the clock; Infinity for keys without an end. */
  expiresAtMs: number
  read: ReadMark
}

/** A cached key is looked up again after this time, even if no notification of a change arrived. */
const KEY_CACHE_MS = 5000
const GOOD_MS = 600_000
const MAX_KEYS = 10_000

/**
 * Finds callers by API key. Verified keys are cached for seconds while notifications arrive; a change of any key empties the
 * cache at once.
 */
export const identityOf = oncePerDeps((deps): Identity => {
  const { notifications, clock } = deps
  const lastUsed = lastUsedOf(deps)
  // By the whole header, so that a cached key is never parsed again.
  const cache = new LRUCache<string, CachedKey>({ max: MAX_KEYS })
  // Recently valid keys are looked up even while their address is blocked for guessing.
  const wasGood = new LRUCache<string, true>({ max: MAX_KEYS, ttl: GOOD_MS })
  // While notifications do not arrive, revocations would be missed: every key is looked up.
  const tracking = notifications.track({
    name: 'keys',
    channels: ['keys_changed'],
    maxAgeMs: KEY_CACHE_MS,
    deafAgeMs: 0,
  })

  const lookUp = async (header: string, key: string): Promise<CachedKey> => {
    const read = tracking.mark()
    const verified =
      secretKindOf(key) === 'access'
        ? await verifyAccessToken(ctxOf(deps), { token: key })
        : await verifyKey(ctxOf(deps), { key })
    const expiresAtMs = verified.expiresAt ? Date.parse(verified.expiresAt) : Infinity
    const found = { caller: toCaller(verified), expiresAtMs, read }
    cache.set(header, found)
    wasGood.set(key, true)
    return found
  }

  const use = ({ caller, expiresAtMs }: CachedKey): Caller => {
    if (expiresAtMs !== Infinity && expiresAtMs <= clock.now().getTime())
      throw caller.audience
        ? new AppError('expired_token', 'The access token has expired.')
        : invalidKey('The API key has expired.')
    lastUsed.record(caller.keyId)
    return caller
  }

  return {
    identify: (request, beforeLookUp) => {
      const header = request.headers.get('authorization')
      if (header === null) return undefined
      const known = cache.get(header)
      if (known && tracking.isCurrent(known.read)) return use(known)
      const [scheme, key, rest] = header.trim().split(/\s+/)
      if (scheme?.toLowerCase() !== 'bearer' || !key || rest !== undefined)
        throw invalidKey('Send the key as `Authorization: Bearer <API_KEY>`.')
      if (!wasGood.has(key)) beforeLookUp()
      return lookUp(header, key).then(use)
    },
  }
})

const invalidKey = (detail: string) => new AppError('invalid_key', detail)

const toCaller = (row: VerifiedKey & Partial<Pick<VerifiedToken, 'audience' | 'customerEmail'>>): Caller => ({
  keyId: row.keyId,
  mode: row.mode,
  accountId: row.accountId,
  ownerKind: row.ownerKind,
  professionalId: row.professionalId,
  operator: row.operatorId && row.operatorRole ? { userId: row.operatorId, role: row.operatorRole } : null,
  scopes: new Set(row.scopes),
  origin: row.origin,
  rateMultiplier: row.rateMultiplier,
  accountMultiplier: row.accountMultiplier,
  audience: row.audience ?? null,
  customer: row.customerEmail ? { accountId: row.accountId, customerEmail: row.customerEmail } : null,
})
