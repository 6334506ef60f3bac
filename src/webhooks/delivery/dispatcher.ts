// The courier of one worker process: takes due deliveries by endpoint, sends them, notes what came of it.
import type { Deps } from '../../deps.ts'
import type { Outbound, Outcome } from '../../platform/net/outbound-fetch.ts'
import { ATTEMPT_LIMIT_MS, outboundOf, sendEvent } from './attempt.ts'
import { Enlistment } from './worker-lease.ts'
import type { Attempted, Figures } from './metrics.ts'
import {
  type Claimed,
  type Finished,
  claimDeliveries,
  freeDeliveries,
  giveBack,
  giveBackUnknown,
  selectDueEndpoints,
} from './queries.ts'
import { Results } from './results.ts'
import { type Step, nextStep } from './retries.ts'
import { disableWebhook } from '../endpoints/verbs/endpoints.ts'
import { Slots } from './concurrency-limiter.ts'

/**
 * Whoever takes a delivery has it for the longest attempt and the writing of its result; then it comes up again. One
 * whose process dies loses it at the next look; this is for machines that vanish, and couriers that hang.
 */
const LEASE_MS = ATTEMPT_LIMIT_MS + 5000
/** How often the database is asked what is due: retries, what the dead held, and whatever nobody sent word of. */
const LOOK_EVERY_MS = 1000
/** Of one endpoint in one go: the others get their turn. */
const MAX_SHARE = 32
/** Deliveries in order are begun only for so long after their claim: the lease covers one more attempt after that. */
const LINE_MS = 4000
const AFTER_FAILURE_MS = 250

/** Delivers until its run is aborted. Any number may run side by side, in any number of processes. */
export class Courier implements Figures {
  readonly totals = { delivered: 0, retried: 0, failed: 0, refused: 0, disabled: 0 }
  readonly #deps: Deps
  readonly #outbound: Outbound
  readonly #results: Results
  readonly #enlistment: Enlistment
  readonly #slots = new Slots()
  /** Endpoints that may have something due, in the order in which they get their turn. */
  readonly #hot = new Set<string>()
  /** Deliveries that were claimed and whose result is not written. */
  readonly #inHand = new Set<number>()
  /** The answer to a claim was lost: it may have been committed. */
  #isUnsure = false
  readonly #onAttempt: (attempted: Attempted) => void
  #wake = Promise.withResolvers<void>()

  constructor(deps: Deps, options: { outbound?: Outbound; onAttempt?: (attempted: Attempted) => void } = {}) {
    this.#deps = deps
    this.#outbound = options.outbound ?? outboundOf(deps)
    this.#results = new Results(deps)
    this.#enlistment = new Enlistment(deps)
    this.#onAttempt = options.onAttempt ?? (() => undefined)
  }

  get underWay(): number {
    return this.#slots.underWay
  }

  get resting(): number {
    return this.#slots.resting(Date.now())
  }

  /** Something may be due for these endpoints. */
  notice(endpointIds: Iterable<string>): void {
    for (const id of endpointIds) this.#hot.add(id)
    this.#wake.resolve()
  }

  /** Delivers until `signal` is aborted, then waits for what is under way. */
  async run(signal: AbortSignal): Promise<void> {
    const stop = () => this.#wake.resolve()
    signal.addEventListener('abort', stop, { once: true })
    const looking = this.#lookFromTimeToTime(signal)
    while (!signal.aborted) {
      this.#wake = Promise.withResolvers<void>()
      if (!(await this.#pass())) await this.#wake.promise
    }
    signal.removeEventListener('abort', stop)
    await looking
    while (this.underWay > 0) await Bun.sleep(10)
    await this.#enlistment.end()
  }

  async #lookFromTimeToTime(signal: AbortSignal): Promise<void> {
    const stopped = aborted(signal)
    while (!signal.aborted) {
      try {
        await this.#enlistment.renew()
        const freed = await freeDeliveries(this.#deps.write, this.#deps.clock.now())
        if (freed > 0) this.#deps.log.warn({ freed }, 'a courier died; what it held comes up again')
        this.notice(await selectDueEndpoints(this.#deps.write, this.#deps.clock.now()))
      } catch (error) {
        this.#deps.log.warn({ error: String(error) }, 'due deliveries could not be looked for')
      }
      await Promise.race([Bun.sleep(LOOK_EVERY_MS), stopped])
    }
  }

  /** Claims once, for as many endpoints as there is room for. Answers whether another pass makes sense at once. */
  async #pass(): Promise<boolean> {
    const shares = new Map<string, number>()
    for (const id of this.#hot) {
      const share = this.#slots.take(id, MAX_SHARE, Date.now())
      if (share > 0) shares.set(id, share)
    }
    if (shares.size === 0) return false
    // Before the claim: word that comes meanwhile puts them back.
    for (const id of shares.keys()) this.#hot.delete(id)
    const claimed = await this.#claim(shares)
    for (const [id, share] of shares) {
      const count = claimed.get(id)?.length ?? 0
      this.#slots.giveBack(id, share - count)
      // As much as was asked for, so there may be more.
      if (count === share) this.#hot.add(id)
    }
    for (const deliveries of claimed.values()) {
      if (deliveries[0]?.ordered) void this.#deliverInOrder(deliveries)
      else for (const delivery of deliveries) void this.#deliver(delivery)
    }
    return claimed.size > 0
  }

  async #claim(shares: Map<string, number>): Promise<Map<string, Claimed[]>> {
    const { write, clock } = this.#deps
    const { courierId } = this.#enlistment
    const now = clock.now()
    try {
      if (this.#isUnsure) await giveBackUnknown(write, courierId, [...this.#inHand], now)
      this.#isUnsure = false
      const wanted = { endpointIds: [...shares.keys()], room: [...shares.values()] }
      const leaseUntil = new Date(now.getTime() + LEASE_MS)
      const rows = await claimDeliveries(write, courierId, wanted, now, leaseUntil)
      for (const { id } of rows) this.#inHand.add(id)
      return Map.groupBy(rows, ({ endpointId }) => endpointId)
    } catch (error) {
      this.#isUnsure = true
      this.#deps.log.warn({ error: String(error) }, 'deliveries could not be claimed')
      await Bun.sleep(AFTER_FAILURE_MS)
      for (const id of shares.keys()) this.#hot.add(id)
      return new Map()
    }
  }

  async #deliver(delivery: Claimed): Promise<void> {
    const { step, result } = await this.#attempt(delivery)
    await this.#note(delivery, step, result)
    if (this.#hot.has(delivery.endpointId)) this.notice([delivery.endpointId])
  }

  /** One after the other, as far as each is done with; the rest is given back. Results are written meanwhile. */
  async #deliverInOrder(deliveries: readonly Claimed[]): Promise<void> {
    const endsAt = performance.now() + LINE_MS
    const notes: Promise<void>[] = []
    let begun = 0
    for (const delivery of deliveries) {
      if (performance.now() > endsAt) break
      begun++
      const { step, result } = await this.#attempt(delivery)
      notes.push(this.#note(delivery, step, result))
      if (step.state === 'pending' || step.disable) break
    }
    await Promise.all(notes)
    const [first] = deliveries
    await this.#giveBack(deliveries.slice(begun))
    if (first) this.notice([first.endpointId])
  }

  async #giveBack(deliveries: readonly Claimed[]): Promise<void> {
    const [first] = deliveries
    if (!first) return
    const ids = deliveries.map(({ id }) => id)
    try {
      await giveBack(this.#deps.write, this.#enlistment.courierId, ids, this.#deps.clock.now())
    } catch (error) {
      // The next claim gives back what is not in hand.
      this.#isUnsure = true
      this.#deps.log.warn({ error: String(error) }, 'deliveries could not be given back')
    }
    for (const id of ids) this.#inHand.delete(id)
    this.#slots.giveBack(first.endpointId, ids.length)
  }

  async #attempt(delivery: Claimed): Promise<{ step: Step; result: Finished }> {
    const started = performance.now()
    const outcome = await this.#send(delivery)
    const durationMs = performance.now() - started
    const at = this.#deps.clock.now()
    const step = nextStep(delivery, outcome, at, Math.random())
    const isGood = step.state === 'delivered'
    this.#slots.learn(delivery.endpointId, isGood, durationMs, Date.now())
    this.#count(step, outcome)
    this.#onAttempt({
      latencySeconds: (at.getTime() - Date.parse(delivery.eventAt)) / 1000,
      attemptSeconds: durationMs / 1000,
      isGood,
    })
    const result = {
      id: delivery.id,
      endpointId: delivery.endpointId,
      attempts: delivery.attempts,
      state: step.state,
      at,
      nextAttemptAt: step.nextAttemptAt,
      durationMs: Math.round(durationMs),
      ...seen(outcome),
    }
    return { step, result }
  }

  /** Writes the result; then the slot is free. */
  async #note({ id, endpointId }: Claimed, { disable }: Step, result: Finished): Promise<void> {
    await this.#results.write(result)
    this.#inHand.delete(id)
    if (disable) await this.#disable(endpointId, disable)
    this.#slots.giveBack(endpointId, 1)
    if (disable) this.#slots.forget(endpointId)
  }

  /** A fault of ours is an attempt that failed, too: the delivery comes up again. */
  async #send(delivery: Claimed): Promise<Outcome> {
    try {
      return await sendEvent(this.#deps, this.#outbound, delivery)
    } catch (error) {
      this.#deps.log.error({ error: String(error), delivery: delivery.id }, 'a delivery could not be attempted')
      return { kind: 'failed', reason: 'internal' }
    }
  }

  #count({ state }: Step, outcome: Outcome): void {
    if (outcome.kind === 'refused') this.totals.refused++
    if (state === 'delivered') this.totals.delivered++
    else if (state === 'pending') this.totals.retried++
    else this.totals.failed++
  }

  async #disable(endpointId: string, reason: 'gone' | 'failing'): Promise<void> {
    try {
      if (!(await disableWebhook(this.#deps, endpointId, reason))) return
      this.totals.disabled++
      this.#deps.log.warn({ endpoint: endpointId, reason }, 'a webhook endpoint was disabled')
    } catch (error) {
      // The next failed delivery comes to the same end.
      this.#deps.log.warn({ error: String(error), endpoint: endpointId }, 'a webhook endpoint could not be disabled')
    }
  }
}

/** An outcome as the log of attempts has it. */
function seen(outcome: Outcome): { status: number | null; error: string | null; response: string | null } {
  if (outcome.kind === 'answered') return { status: outcome.status, error: null, response: outcome.snippet || null }
  const error = outcome.kind === 'refused' ? `refused: the URL ${outcome.reason}` : outcome.reason
  return { status: null, error, response: null }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
