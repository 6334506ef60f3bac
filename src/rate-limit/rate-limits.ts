// How many requests a caller may send, and the headers that say so.
import { type Deps, oncePerDeps } from '../deps.ts'
import { AppError } from '../errors/app-error.ts'
import type { Scope } from '../auth/scopes.ts'
import { clientNaming } from '../platform/net/client-address.ts'
import type { Metrics } from '../platform/telemetry/metrics.ts'
import { Recent } from '../platform/recent.ts'
import type { Limit } from './limiter/limit.ts'
import { RateLimiter, type Verdict, mayHavePlenty } from './limiter/rate-limiter.ts'
import type { Access } from '../auth/access.ts'
import type { Caller } from '../auth/caller.ts'
import { digestOf } from '../auth/device-cookie.ts'
import { type WriteState, policyOf, secondsUntil, stateWriter } from './headers.ts'
import {
  LIMIT_NAMES,
  type LimitClass,
  PAGE_BOOKINGS_PER_MINUTE,
  addressLimit,
  classOf,
  keyLimits,
  loginLimits,
  userLimit,
} from './quotas.ts'
import { requestContextOf } from '../auth/request-context.ts'

/** Limits that are asked together. One object per caller and class: see RateLimiter.take. */
interface Charge {
  readonly limits: readonly Limit[]
  /** Their `RateLimit-Policy`. */
  readonly policy: string
  /** Their `RateLimit`. */
  readonly writeState: WriteState
}

const MAX_CHARGES = 10_000

/** Counts requests against what their caller may. */
export class RateLimits {
  readonly #limiter: RateLimiter
  readonly #config: Deps['config']
  readonly #clientOf: ReturnType<typeof clientNaming>
  readonly #publicPolicy: string
  /** By client address, where requests without a key may be counted in advance: only then must a charge be the same again. */
  readonly #public: Recent<Charge> | undefined
  readonly #charges = new Recent<Charge>(MAX_CHARGES)
  readonly #callers = new WeakMap<Caller, Map<LimitClass | undefined, Charge>>()
  readonly #refused = new Map<string, number>()

  constructor({ redis, log, config }: Pick<Deps, 'redis' | 'log' | 'config'>) {
    this.#config = config
    this.#clientOf = clientNaming(config.trustedProxies)
    const limits = [this.#publicLimit('')]
    this.#publicPolicy = policyOf(limits)
    this.#public = mayHavePlenty(limits) ? new Recent(MAX_CHARGES) : undefined
    this.#limiter = new RateLimiter({
      redis,
      prefix: 'hearth:window:',
      onChange: (state, reason) => {
        if (state === 'shared') log.info('rate limits are shared by all processes again')
        else log.warn({ err: reason }, 'Redis is away: rate limits hold for this process alone')
      },
    })
  }

  /**
   * Counts a request to a route. It is charged to the key: its hourly limit and those of the first of the route's scopes
   * that it has. Without a key, or on a public route without such a scope, to the client's address.
   * Throws rate_limited.
   */
  admit(request: Request, access: Access, caller: Caller | undefined): Promise<void> | void {
    if (access.limit === 'none') return
    const scope = caller && firstScope(access, caller)
    const payer = scope || access.key === 'required' ? caller : undefined
    const kind = scope && classOf(scope)
    if (!access.limit) return payer ? this.#take(request, this.#keyCharge(payer, kind)) : this.admitAddress(request)
    const address = this.#addressOf(request)
    const id = `${payer ? `${payer.keyId} ${payer.rateMultiplier} ${kind}` : ''} ${access.limit} ${address}`
    return this.#take(
      request,
      this.#charge(id, () => [
        ...(payer ? keyLimits(payer, kind) : [this.#publicLimit(address)]),
        ...this.#fewPerAddress(access.limit, address),
      ]),
    )
  }

  /** Counts a request without a key, and one that no route takes. Throws rate_limited. */
  admitAddress(request: Request): Promise<void> | void {
    return this.#take(request, this.#publicCharge(this.#addressOf(request)))
  }

  /** Counts what a person who is logged in asks for. Throws rate_limited. */
  admitUser(request: Request, userId: string): Promise<void> | void {
    return this.#take(
      request,
      this.#charge(`user ${userId}`, () => [userLimit(userId, this.#config.consoleRatePerMinute)]),
    )
  }

  /**
   * Counts an attempt to log in: by client address, by client and e-mail address together, and by e-mail address alone, so
   * that passwords are guessed neither from one place nor from many; `device` is a browser in which the owner of the e-mail
   * address logged in before, where nobody else's attempts count. Throws rate_limited.
   */
  async admitLogin(request: Request, email: string, device: string | undefined): Promise<void> {
    const attempt = { address: this.#addressOf(request), digest: digestOf(email), device }
    for (const limit of loginLimits(attempt, this.#config.loginsPerAddress))
      await this.#take(
        request,
        this.#charge(limit.key, () => [limit]),
      )
  }

  /**
   * Counts a request whose key was refused: keys cannot be guessed at leisure. A limit of its own, so that whoever shares
   * an address with others is not kept from showing a good key by what they read without one. Throws rate_limited.
   */
  admitRefusedKey(request: Request): Promise<void> | void {
    return this.#take(request, this.#refusedKeyCharge(request))
  }

  /**
   * Refuses an address that is known to have sent too many refused keys, without asking anyone: called before a key that
   * is not known costs a look-up.
   */
  refuseGuessing(request: Request): void {
    this.#refuseUsedUp(request, this.#refusedKeyCharge(request))
  }

  /** Whether limits hold for this process alone, and how many requests each limit refused. */
  observe({ gauge, counter }: Pick<Metrics, 'gauge' | 'counter'>): void {
    gauge('hearth_rate_limits_local', '1 while Redis is away and limits hold per process', () =>
      this.#limiter.isLocal ? 1 : 0,
    )
    for (const name of LIMIT_NAMES)
      counter('hearth_rate_limited_total', 'Requests refused by a rate limit', () => this.#refused.get(name) ?? 0, {
        limit: name,
      })
  }

  #take(request: Request, charge: Charge): Promise<void> | void {
    this.#refuseUsedUp(request, charge)
    const verdict = this.#limiter.take(charge.limits)
    if (!(verdict instanceof Promise)) return this.#conclude(request, charge, verdict)
    requestContextOf(request).hasWaited = true
    return verdict.then((known) => this.#conclude(request, charge, known))
  }

  #conclude(request: Request, { limits, policy, writeState }: Charge, { allowed, standings, more }: Verdict): void {
    requestContextOf(request).rateLimit = { policy, state: writeState(standings, more) }
    if (allowed) return
    const refusing = limits.flatMap((limit, index) => {
      const standing = standings[index]
      return standing?.remaining === 0 ? [{ limit, freesInMs: standing.freesInMs }] : []
    })
    throw this.#refusal(refusing)
  }

  /** A flood is refused here, for the price of a look into memory. */
  #refuseUsedUp(request: Request, { limits, policy }: Charge): void {
    if (!this.#limiter.knowsUsedUp) return
    const refusing = limits.flatMap((limit) => {
      const freesInMs = this.#limiter.usedUpForMs(limit)
      return freesInMs === undefined ? [] : [{ limit, freesInMs }]
    })
    if (refusing.length === 0) return
    requestContextOf(request).rateLimit = {
      policy,
      // Of the others nothing certain is known here.
      state: stateWriter(refusing.map(({ limit }) => limit))(
        refusing.map(({ freesInMs }) => ({ remaining: 0, freesInMs })),
      ),
    }
    throw this.#refusal(refusing)
  }

  #refusal(refusing: readonly { limit: Limit; freesInMs: number }[]): AppError {
    const last = refusing.reduce((a, b) => (b.freesInMs > a.freesInMs ? b : a))
    this.#refused.set(last.limit.name, (this.#refused.get(last.limit.name) ?? 0) + 1)
    const { name, quota, windowMs } = last.limit
    const seconds = secondsUntil(last.freesInMs)
    return new AppError(
      'rate_limited',
      `The limit "${name}" is ${quota} requests in ${windowMs / 1000} seconds. Try again in ${seconds} seconds.`,
      { retryAfterSeconds: seconds, extensions: { limit: name } },
    )
  }

  #addressOf(request: Request): string {
    return this.#clientOf(requestContextOf(request).peer?.(), request.headers)
  }

  #charge(id: string, make: () => Limit[]): Charge {
    const found = this.#charges.get(id)
    if (found) return found
    const charge = chargeOf(make())
    this.#charges.set(id, charge)
    return charge
  }

  #publicCharge(address: string): Charge {
    const known = this.#public?.get(address)
    if (known) return known
    const charge = chargeOf([this.#publicLimit(address)], this.#publicPolicy)
    this.#public?.set(address, charge)
    return charge
  }

  /** Kept with the caller, who is kept for seconds: found without putting a name together. */
  #keyCharge(caller: Caller, kind: LimitClass | undefined): Charge {
    const known = this.#callers.get(caller)
    const found = known?.get(kind)
    if (found) return found
    const charge = this.#charge(`${caller.keyId} ${caller.rateMultiplier} ${kind}`, () => keyLimits(caller, kind))
    if (known) known.set(kind, charge)
    else this.#callers.set(caller, new Map([[kind, charge]]))
    return charge
  }

  #refusedKeyCharge(request: Request): Charge {
    const address = this.#addressOf(request)
    return this.#charge(`refused ${address}`, () => [
      addressLimit('refused-keys', address, this.#config.publicRatePerMinute),
    ])
  }

  #fewPerAddress(limit: Access['limit'], address: string): Limit[] {
    if (limit === 'codeLookups') return [addressLimit('code-lookups', address, this.#config.codeLookupsPerMinute)]
    if (limit === 'pageBookings') return [addressLimit('page-bookings', address, PAGE_BOOKINGS_PER_MINUTE)]
    return []
  }

  #publicLimit(address: string): Limit {
    return addressLimit('public', address, this.#config.publicRatePerMinute)
  }
}

/** The limits of this process. */
export const limitsOf = oncePerDeps((deps) => new RateLimits(deps))

const chargeOf = (limits: readonly Limit[], policy = policyOf(limits)): Charge => ({
  limits,
  policy,
  writeState: stateWriter(limits),
})

/** The first of the route's scopes that the caller has. */
function firstScope({ scopes }: Access, caller: Caller): Scope | undefined {
  for (const scope of scopes) if (caller.scopes.has(scope)) return scope
  return undefined
}
