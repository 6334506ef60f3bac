// Counts requests against the limits of their callers and records the rate-limit headers.
import { LRUCache } from 'lru-cache'

import type { Access } from '../auth/access.ts'
import type { Caller } from '../auth/caller.ts'
import { digestOf } from '../auth/device-cookie.ts'
import { requestContextOf } from '../auth/request-context.ts'
import { type Deps, oncePerDeps } from '../deps.ts'
import { AppError } from '../errors/app-error.ts'
import type { Metrics } from '../platform/telemetry/metrics.ts'
import { ClientNames } from './client-names.ts'
import { factorLimits } from './factor-limits.ts'
import { policyOf, secondsUntil, stateOf } from './headers.ts'
import { type LimitSet, firstScope, keySetId, limitSetOf } from './limit-set.ts'
import type { Limit } from './limiter/limit.ts'
import { type Decision, RateLimiter } from './limiter/rate-limiter.ts'
import {
  LIMIT_NAMES,
  type AttemptKind,
  type LimitClass,
  type LoginAttempt,
  PAGE_BOOKINGS_PER_MINUTE,
  AUTHORIZATIONS_PER_MINUTE,
  OWN_LIMITS,
  addressLimit,
  agentLimits,
  classOf,
  copyLimit,
  hasVisitors,
  keyLimits,
  attemptLimits,
  codeBudgets,
  loginLimit,
  hourlyLimit,
  userLimit,
} from './quotas.ts'

const MAX_LIMIT_SETS = 10_000

export class RequestLimits {
  readonly #limiter: RateLimiter
  readonly #config: Deps['config']
  readonly #clients: ClientNames
  readonly #publicPolicy: string
  readonly #sets = new LRUCache<string, LimitSet>({ max: MAX_LIMIT_SETS })
  readonly #callerSets = new WeakMap<Caller, Map<LimitClass | undefined, LimitSet>>()
  readonly #refused = new Map<string, number>()

  constructor(deps: Deps) {
    const { redis, log, config } = deps
    this.#config = config
    this.#clients = new ClientNames(deps)
    this.#publicPolicy = policyOf([this.#publicLimit('')])
    this.#limiter = new RateLimiter({
      redis,
      prefix: 'hearth:window:',
      onChange: (state, reason) => {
        if (state === 'shared') log.info('rate limits are shared by all processes again')
        else log.warn({ err: reason }, 'Redis is unavailable: rate limits hold for this process alone')
      },
    })
  }

  /**
   * Counts a request to a route. With a key, against the hourly limits of the key and its account and their limits for the
   * first of the route's scopes that the key has; without one, or on a public route without such a scope, against the client's address.
   * Throws rate_limited.
   */
  admit(request: Request, access: Access, caller: Caller | undefined): Promise<void> | void {
    if (access.limit === 'none') return
    const scope = caller && firstScope(access, caller)
    const key = scope || access.key === 'required' ? caller : undefined
    const kind = scope && classOf(scope)
    if (!access.limit) return key ? this.#admitKey(request, key, kind) : this.admitAddress(request)
    const address = this.addressOf(request)
    const own = OWN_LIMITS[access.limit]
    if (own) {
      const limit = () => [addressLimit(own.name, address, own.perMinute)]
      return this.#take(request, this.#set(`${own.name} ${address}`, limit))
    }
    const id = `${key ? keySetId(key, kind) : ''} ${access.limit} ${address}`
    return this.#take(
      request,
      this.#set(id, () => [
        ...(key ? keyLimits(key, kind, address) : [this.#publicLimit(address)]),
        ...this.#routeLimits(access.limit, address),
      ]),
    )
  }

  /** With a widget's key also against the share of its visitor: one that has used it up takes nothing from the others. */
  #admitKey(request: Request, key: Caller, kind: LimitClass | undefined): Promise<void> | void {
    if (!hasVisitors(kind)) return this.#take(request, this.#keySet(key, kind))
    const address = this.addressOf(request)
    const limits = () => keyLimits(key, kind, address)
    return this.#take(request, this.#set(`${keySetId(key, kind)} visitor ${address}`, limits))
  }

  /**
   * Counts a request to an agent server before its body is read; its calls are counted afterwards. Without a key it is refused
   * without its body, or counted by its messages where none is needed. Throws rate_limited.
   */
  admitRpc(request: Request, { key }: Access, caller: Caller | undefined): Promise<void> | void {
    if (!caller)
      return key === 'none' ? this.#rejectExhausted(request, this.#publicSet(this.addressOf(request))) : undefined
    return this.#take(
      request,
      this.#set(`agent ${keySetId(caller, undefined)}`, () => agentLimits(caller)),
    )
  }

  /** Counts a request without a key, or to an unknown route. Throws rate_limited. */
  admitAddress(request: Request): Promise<void> | void {
    return this.#take(request, this.#publicSet(this.addressOf(request)))
  }

  /** Counts a request of a logged-in user. Throws rate_limited. */
  admitUser(request: Request, userId: string): Promise<void> | void {
    return this.#take(
      request,
      this.#set(`user ${userId}`, () => [userLimit(userId, this.#config.consoleRatePerMinute)]),
    )
  }

  /**
   * Counts a login attempt: by client address, by client and e-mail address together, and by e-mail address alone, so that
   * nothing can be guessed from one place or from many. `device` is a browser in which the owner of the e-mail address
   * has logged in before; attempts elsewhere do not count there. Throws rate_limited.
   */
  async admitLogin(request: Request, email: string, device: string | undefined): Promise<void> {
    const attempt = await this.#admitAttempt(request, 'logins', email, device)
    if (device === undefined) await this.#takeEach(request, [loginLimit(attempt)])
  }

  /**
   * Counts a customer's request for a code in the same way. Throws rate_limited for the client's own requests only. Returns
   * whether the address may be sent a code: what strangers ask for must neither bury the mailbox nor lock its owner out.
   */
  async admitCode(request: Request, email: string, device: string | undefined): Promise<boolean> {
    const attempt = await this.#admitAttempt(request, 'codes', email, device)
    if (device !== undefined) return true
    for (const limits of codeBudgets(attempt)) if ((await this.#limiter.take(limits)).allowed) return true
    return false
  }

  /**
   * Counts an attempt at the second factor of a user: by client address and by user. `isKnown`: the user has logged in with the browser
   * before. Throws rate_limited.
   */
  admitFactor(request: Request, attempt: { userId: string; isKnown: boolean }): Promise<void> {
    return this.#takeEach(
      request,
      factorLimits({ ...attempt, address: this.addressOf(request) }, this.#config.loginsPerAddress),
    )
  }

  async #admitAttempt(
    request: Request,
    kind: AttemptKind,
    email: string,
    device: string | undefined,
  ): Promise<LoginAttempt> {
    const attempt = { address: this.addressOf(request), digest: digestOf(email), device }
    await this.#takeEach(request, attemptLimits(kind, attempt, this.#config.loginsPerAddress))
    return attempt
  }

  async #takeEach(request: Request, limits: readonly Limit[]): Promise<void> {
    for (const limit of limits)
      await this.#take(
        request,
        this.#set(limit.key, () => [limit]),
      )
  }

  /** Counts a copy of a customer's data. Throws rate_limited. */
  admitCopy(request: Request, accountId: string): Promise<void> | void {
    return this.#take(
      request,
      this.#set(`copies ${accountId}`, () => [copyLimit(accountId)]),
    )
  }

  /** Counts a file that a person without an account sends on a page. Throws rate_limited. */
  admitVisitorFile(request: Request): Promise<void> {
    return this.#takeEach(request, [hourlyLimit('visitor-files', this.addressOf(request))])
  }

  /**
   * Counts a request whose key was refused, so that keys cannot be guessed. A limit of its own: good keys at the same
   * address are not affected. Throws rate_limited.
   */
  admitRefusedKey(request: Request): Promise<void> | void {
    return this.#take(request, this.#refusedKeySet(request))
  }

  /** Throws rate_limited for an address known to have sent too many refused keys, before an unknown key costs a query. */
  rejectKeyGuessing(request: Request): void {
    this.#rejectExhausted(request, this.#refusedKeySet(request))
  }

  /** Registers metrics: whether limits hold for this process alone, and the refused requests per limit. */
  observe({ gauge, counter }: Pick<Metrics, 'gauge' | 'counter'>): void {
    gauge('hearth_rate_limits_local', '1 while Redis is unavailable and limits hold per process', () =>
      this.#limiter.isLocal ? 1 : 0,
    )
    for (const name of LIMIT_NAMES)
      counter('hearth_rate_limited_total', 'Requests refused by a rate limit', () => this.#refused.get(name) ?? 0, {
        limit: name,
      })
    this.#clients.observe({ gauge })
  }

  addressOf = (request: Request): string => this.#clients.of(request)

  /** Sends Redis the requests that it has not counted yet. */
  flush(): Promise<void> {
    return this.#limiter.flush()
  }

  #rejectExhausted(request: Request, set: LimitSet): void {
    const resetInMs = set.limits[0] && this.#limiter.exhaustedForMs(set.limits[0])
    if (resetInMs !== undefined) this.#conclude(request, set, { allowed: false, usages: [{ remaining: 0, resetInMs }] })
  }

  #take(request: Request, set: LimitSet): Promise<void> | void {
    const decision = this.#limiter.take(set.limits)
    if (!(decision instanceof Promise)) return this.#conclude(request, set, decision)
    requestContextOf(request).hasWaited = true
    return decision.then((value) => this.#conclude(request, set, value))
  }

  #conclude(request: Request, { limits, policy }: LimitSet, { allowed, usages }: Decision): void {
    requestContextOf(request).rateLimit = { policy, state: stateOf(limits, usages) }
    if (allowed) return
    const exhausted = limits.flatMap((limit, index) => {
      const usage = usages[index]
      return usage?.remaining === 0 ? [{ limit, resetInMs: usage.resetInMs }] : []
    })
    throw this.#rateLimited(exhausted)
  }

  #rateLimited(exhausted: readonly { limit: Limit; resetInMs: number }[]): AppError {
    const last = exhausted.reduce((a, b) => (b.resetInMs > a.resetInMs ? b : a))
    this.#refused.set(last.limit.name, (this.#refused.get(last.limit.name) ?? 0) + 1)
    const { name, quota, windowMs } = last.limit
    const seconds = secondsUntil(last.resetInMs)
    return new AppError(
      'rate_limited',
      `The limit "${name}" is ${quota} requests in ${windowMs / 1000} seconds. Try again in ${seconds} seconds.`,
      { retryAfterSeconds: seconds, extensions: { limit: name } },
    )
  }

  #set(id: string, create: () => Limit[]): LimitSet {
    const cached = this.#sets.get(id)
    if (cached) return cached
    const set = limitSetOf(create())
    this.#sets.set(id, set)
    return set
  }

  /** Cached by the caller object, which is cached itself for seconds: this look-up builds no string. */
  #keySet(caller: Caller, kind: LimitClass | undefined): LimitSet {
    const sets = this.#callerSets.get(caller)
    const cached = sets?.get(kind)
    if (cached) return cached
    const set = this.#set(keySetId(caller, kind), () => keyLimits(caller, kind))
    if (sets) sets.set(kind, set)
    else this.#callerSets.set(caller, new Map([[kind, set]]))
    return set
  }

  #refusedKeySet(request: Request): LimitSet {
    const address = this.addressOf(request)
    return this.#set(`refused ${address}`, () => [
      addressLimit('refused-keys', address, this.#config.publicRatePerMinute),
    ])
  }

  #routeLimits(limit: Access['limit'], address: string): Limit[] {
    if (limit === 'codeLookups') return [addressLimit('code-lookups', address, this.#config.codeLookupsPerMinute)]
    if (limit === 'pageBookings') return [addressLimit('page-bookings', address, PAGE_BOOKINGS_PER_MINUTE)]
    if (limit === 'authorizations') return [addressLimit('authorizations', address, AUTHORIZATIONS_PER_MINUTE)]
    if (limit === 'registrations') return [hourlyLimit('registrations', address)]
    return []
  }

  #publicLimit = (address: string): Limit => addressLimit('public', address, this.#config.publicRatePerMinute)
  #publicSet = (address: string): LimitSet => ({ limits: [this.#publicLimit(address)], policy: this.#publicPolicy })
}

/** The limits of this process. */
export const requestLimitsOf = oncePerDeps((deps) => new RequestLimits(deps))
