// The delivery dispatcher of one worker process: claims due deliveries by endpoint, sends them, records the results.
import { type Ctx, ctxOf } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import { settlesWithin } from '../../platform/clock/deadlines.ts'
import type { Rest } from '../../platform/postgres/due-work.ts'
import type { Outbound, Outcome } from '../../platform/net/outbound-fetch.ts'
import { ATTEMPT_LIMIT_MS, type Attempted, outboundOf, sendEvent } from './attempt.ts'
import { ConcurrencyLimiter } from './concurrency-limiter.ts'
import { disableFailingEndpoint } from './disabling.ts'
import type { AttemptTiming, DispatcherMetrics } from './metrics.ts'
import {
  type AttemptResult,
  type ClaimedDelivery,
  claimDeliveries,
  reclaimDeliveries,
  selectDueEndpoints,
} from './queries.ts'
import { releaseClaims, releaseUnknownClaims } from './queries.sql.ts'
import { ResultWriter } from './result-writer.ts'
import { type NextStep, nextStep } from './retry-schedule.ts'
import { WorkerLease } from './worker-lease.ts'

/**
 * A claim lasts for the longest attempt and the writing of its result; then the delivery is due again. Deliveries of a
 * dead process are reclaimed sooner: this covers machines that vanish and dispatchers that hang.
 */
const LEASE_MS = ATTEMPT_LIMIT_MS + 5000
/** The interval of the database poll: retries, reclaimed deliveries, and deliveries without a notification. */
export const POLL_MS = 1000
/** The most deliveries of one endpoint in one claim, so that the others get their turn. */
const MAX_BATCH = 32
/** Ordered deliveries start only this long after their claim: the lease covers one more attempt after that. */
const ORDERED_BATCH_MS = 4000
const FAILURE_DELAY_MS = 250

/** Delivers until its run is aborted. Any number may run concurrently, in any number of processes. */
export class DeliveryDispatcher implements DispatcherMetrics {
  readonly totals = { delivered: 0, retried: 0, failed: 0, refused: 0, disabled: 0 }
  readonly #ctx: Ctx
  readonly #outbound: Outbound
  readonly #results: ResultWriter
  readonly #lease: WorkerLease
  readonly #limiter = new ConcurrencyLimiter()
  /** Endpoints that may have something due, in the order in which they get their turn. */
  readonly #candidates = new Set<string>()
  /** Deliveries that were claimed and whose result is not written yet. */
  readonly #claimed = new Set<number>()
  /** A claim failed without a response: the database may have committed it. */
  #mayHaveUnknownClaims = false
  readonly #rest: Pick<Rest, 'isOver' | 'record'> | undefined
  readonly #onAttempt: (timing: AttemptTiming) => void
  #wake = Promise.withResolvers<void>()

  /** `rest` ends whenever a delivery is pending; without it the poll never rests. */
  constructor(deps: Deps, options: { rest?: Rest; onAttempt?: (timing: AttemptTiming) => void } = {}) {
    this.#ctx = ctxOf(deps)
    this.#outbound = outboundOf(deps)
    this.#results = new ResultWriter(this.#ctx)
    this.#lease = new WorkerLease(this.#ctx)
    this.#rest = options.rest
    this.#onAttempt = options.onAttempt ?? (() => undefined)
  }

  get underWay(): number {
    return this.#limiter.underWay
  }

  get resting(): number {
    return this.#limiter.resting(Date.now())
  }

  /** Checks these endpoints for due deliveries at once. */
  notify(endpointIds: Iterable<string>): void {
    for (const id of endpointIds) this.#candidates.add(id)
    this.#wake.resolve()
  }

  /** Delivers until `signal` is aborted, then waits for the attempts under way. */
  async run(signal: AbortSignal): Promise<void> {
    const stop = () => this.#wake.resolve()
    signal.addEventListener('abort', stop, { once: true })
    const polling = this.#poll(signal)
    while (!signal.aborted) {
      this.#wake = Promise.withResolvers<void>()
      if (!(await this.#dispatch())) await this.#wake.promise
    }
    signal.removeEventListener('abort', stop)
    await polling
    while (this.underWay > 0) await Bun.sleep(10)
    await this.#lease.end()
  }

  async #poll(signal: AbortSignal): Promise<void> {
    const stopped = aborted(signal)
    const { clock, log } = this.#ctx
    while (!signal.aborted) {
      try {
        // Starts no transaction while the lease is held.
        await this.#lease.renew()
        if (this.#rest?.isOver() ?? true) {
          const reclaimed = await reclaimDeliveries(this.#ctx, { now: clock.now() })
          if (reclaimed > 0) log.warn({ reclaimed }, 'reclaimed deliveries from a dead worker')
          const due = await selectDueEndpoints(this.#ctx, { now: clock.now() })
          this.#rest?.record(due.length > 0)
          this.notify(due)
        }
      } catch (error) {
        log.warn({ error: String(error) }, 'failed to poll for due deliveries')
      }
      await settlesWithin(stopped, POLL_MS)
    }
  }

  /** Claims once, for as many endpoints as the limiter allows. Returns whether to dispatch again at once. */
  async #dispatch(): Promise<boolean> {
    const slots = new Map<string, number>()
    const acquire = (id: string, most: number) => {
      const acquired = slots.get(id) ?? 0
      const count = this.#limiter.acquire(id, Math.min(most, MAX_BATCH - acquired), Date.now())
      if (count > 0) slots.set(id, acquired + count)
    }
    // First an equal number of slots for each endpoint: otherwise a few endpoints would take all, and the rest would wait for
    // the next claim.
    const part = Math.max(1, Math.floor(this.#limiter.unused / this.#candidates.size))
    for (const id of this.#candidates) acquire(id, part)
    for (const id of slots.keys()) acquire(id, MAX_BATCH)
    if (slots.size === 0) return false
    // Cleared before the claim: a notification during the claim adds the endpoints again.
    for (const id of slots.keys()) this.#candidates.delete(id)
    const claimed = await this.#claim(slots)
    for (const [id, acquired] of slots) {
      const used = claimed.get(id)?.length ?? 0
      this.#limiter.release(id, acquired - used)
      // A full batch: there may be more.
      if (used === acquired) this.#candidates.add(id)
    }
    for (const deliveries of claimed.values()) {
      if (deliveries[0]?.ordered) void this.#deliverInOrder(deliveries)
      else for (const delivery of deliveries) void this.#deliver(delivery)
    }
    return claimed.size > 0
  }

  async #claim(slots: ReadonlyMap<string, number>): Promise<Map<string, ClaimedDelivery[]>> {
    const { clock, log } = this.#ctx
    const { workerId } = this.#lease
    const now = clock.now()
    try {
      if (this.#mayHaveUnknownClaims)
        await releaseUnknownClaims(this.#ctx, { workerId, known: [...this.#claimed], now })
      this.#mayHaveUnknownClaims = false
      const leaseUntil = new Date(now.getTime() + LEASE_MS)
      const rows = await claimDeliveries(this.#ctx, { workerId, slots, now, leaseUntil })
      for (const { id } of rows) this.#claimed.add(id)
      return Map.groupBy(rows, ({ endpointId }) => endpointId)
    } catch (error) {
      this.#mayHaveUnknownClaims = true
      log.warn({ error: String(error) }, 'failed to claim deliveries')
      await Bun.sleep(FAILURE_DELAY_MS)
      for (const id of slots.keys()) this.#candidates.add(id)
      return new Map()
    }
  }

  async #deliver(delivery: ClaimedDelivery): Promise<void> {
    const { step, result } = await this.#attempt(delivery)
    await this.#finish(delivery, step, result)
    if (this.#candidates.has(delivery.endpointId)) this.notify([delivery.endpointId])
  }

  /** Delivers one after the other until one must be retried; releases the rest. Results are written concurrently. */
  async #deliverInOrder(deliveries: readonly ClaimedDelivery[]): Promise<void> {
    const endsAt = performance.now() + ORDERED_BATCH_MS
    const writes: Promise<void>[] = []
    let attempted = 0
    for (const delivery of deliveries) {
      if (performance.now() > endsAt) break
      attempted++
      const { step, result } = await this.#attempt(delivery)
      writes.push(this.#finish(delivery, step, result))
      if (step.state === 'pending' || step.disable) break
    }
    await Promise.all(writes)
    const [first] = deliveries
    await this.#release(deliveries.slice(attempted))
    if (first) this.notify([first.endpointId])
  }

  async #release(deliveries: readonly ClaimedDelivery[]): Promise<void> {
    const [first] = deliveries
    if (!first) return
    const ids = deliveries.map(({ id }) => id)
    try {
      await releaseClaims(this.#ctx, { workerId: this.#lease.workerId, ids, now: this.#ctx.clock.now() })
    } catch (error) {
      // The next claim releases them.
      this.#mayHaveUnknownClaims = true
      this.#ctx.log.warn({ error: String(error) }, 'failed to release claimed deliveries')
    }
    for (const id of ids) this.#claimed.delete(id)
    this.#limiter.release(first.endpointId, ids.length)
  }

  async #attempt(delivery: ClaimedDelivery): Promise<{ step: NextStep; result: AttemptResult }> {
    const started = performance.now()
    const { outcome, requestHeaders } = await this.#send(delivery)
    const durationMs = performance.now() - started
    const at = this.#ctx.clock.now()
    const step = nextStep(delivery, outcome, at, Math.random())
    const isSuccess = step.state === 'delivered'
    const isThrottled = outcome.kind === 'answered' && (outcome.status === 429 || outcome.retryAfter !== undefined)
    this.#limiter.recordAttempt(delivery.endpointId, { isSuccess, isThrottled, durationMs, nowMs: Date.now() })
    this.#count(step, outcome)
    this.#onAttempt({
      latencySeconds: (at.getTime() - Date.parse(delivery.eventAt)) / 1000,
      attemptSeconds: durationMs / 1000,
      isSuccess,
    })
    const result = {
      id: delivery.id,
      endpointId: delivery.endpointId,
      attempts: delivery.attempts,
      state: step.state,
      at,
      nextAttemptAt: step.nextAttemptAt,
      durationMs: Math.round(durationMs),
      ...responseOf(outcome),
      requestHeaders,
    }
    return { step, result }
  }

  /** Writes the result, then frees the slot. */
  async #finish({ id, endpointId }: ClaimedDelivery, { disable }: NextStep, result: AttemptResult): Promise<void> {
    await this.#results.write(result)
    this.#claimed.delete(id)
    if (disable) await this.#disable(endpointId, disable)
    this.#limiter.release(endpointId, 1)
    if (disable) this.#limiter.forget(endpointId)
  }

  /** An internal error counts as a failed attempt: the delivery is retried. */
  async #send(delivery: ClaimedDelivery): Promise<Attempted> {
    try {
      return await sendEvent(this.#ctx, this.#outbound, delivery)
    } catch (error) {
      this.#ctx.log.error({ error: String(error), delivery: delivery.id }, 'failed to attempt a delivery')
      return { outcome: { kind: 'failed', reason: 'internal' }, requestHeaders: null }
    }
  }

  #count({ state }: NextStep, outcome: Outcome): void {
    if (outcome.kind === 'refused') this.totals.refused++
    if (state === 'delivered') this.totals.delivered++
    else if (state === 'pending') this.totals.retried++
    else this.totals.failed++
  }

  async #disable(endpointId: string, reason: 'gone' | 'failing'): Promise<void> {
    try {
      if (!(await disableFailingEndpoint(this.#ctx, { id: endpointId, reason }))) return
      this.totals.disabled++
      this.#ctx.log.warn({ endpoint: endpointId, reason }, 'disabled a webhook endpoint')
    } catch (error) {
      // The next failed delivery tries to disable the endpoint again.
      this.#ctx.log.warn({ error: String(error), endpoint: endpointId }, 'failed to disable a webhook endpoint')
    }
  }
}

/** The outcome's columns in the log of attempts. */
function responseOf(outcome: Outcome): { status: number | null; error: string | null; response: string | null } {
  if (outcome.kind === 'answered') return { status: outcome.status, error: null, response: outcome.snippet || null }
  const error = outcome.kind === 'refused' ? `refused: the URL ${outcome.reason}` : outcome.reason
  return { status: null, error, response: null }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
