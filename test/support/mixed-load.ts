// All kinds of work of a marketplace over HTTP at a steady rate, without retries, and a record of every answer.
import { randomUUID } from 'node:crypto'

import { PLACES, searchRequests, searchesOfServices } from '../../bench/support/searches.ts'
import { approveReview } from '../../src/features/reviews/reviews/verbs/reviews.ts'
import { addCredits } from '../../src/features/agents/metering/verbs.ts'
import { StoreUnavailable } from '../../src/platform/store-error.ts'
import type { Acknowledged } from './acknowledged-bookings.ts'
import { PRO_SERVER } from './agents.ts'
import { CUSTOMER } from './booking-client.ts'
import { type LoadPro, openLoadPros } from './mixed-pros.ts'
import type { MixedStack } from './mixed-stack.ts'
import { tokenOf } from './quotes.ts'
import { ctxOf } from '../../src/ctx.ts'

/** Pieces of work, each of one to four requests, that begin with one pro at the same time: they change the same counters. */
const BURST = 4
/** The time between two bursts. */
const EVERY_MS = 240
/** Pieces of work at a time: a machine that is busy with other tests gets fewer requests, not a queue of them. */
const MAX_RUNNING = 8
/** Longer than the server's own limits: a request without an answer fails the test. */
const ANSWER_LIMIT_MS = 20_000
const RECENT = 40
/** A machine that is busy with other tests refuses a request now and then. */
const SERVED_SHARE = 0.9
const TOP_UP = 50

/** The route of changes that search shows. */
export const CHANGE = 'PATCH /pro/profile'

export interface Sample {
  readonly route: string
  /** The pro whose turn it was. */
  readonly proId: string
  readonly atMs: number
  readonly ms: number
  readonly status: number
}

export interface MixedLoad {
  readonly pros: readonly LoadPro[]
  readonly startedMs: number
  readonly samples: readonly Sample[]
  /** Answers that no client should get. */
  readonly faults: readonly string[]
  /** Bookings that are confirmed, as the answers say. */
  readonly acknowledged: Acknowledged[]
  /** Starts whose booking was answered by 503 "nothing was changed". */
  readonly refused: { professionalId: string; startsAt: string }[]
  /** Whether the last requests were served. */
  isServed(): boolean
  /** Ends the load and waits for its last answers. */
  end(): Promise<void>
}

export async function startMixedLoad(stack: MixedStack): Promise<MixedLoad> {
  const work = new MixedWork(stack, await openLoadPros(stack), await searchPaths(stack))
  const running = new Set<Promise<void>>()
  let hasEnded = false
  const startedMs = performance.now()
  const pace = async () => {
    for (let n = 0; !hasEnded; n += BURST) {
      for (let one = n; one < n + BURST; one++) {
        const doing: Promise<void> = work.run(one).finally(() => running.delete(doing))
        running.add(doing)
      }
      await Bun.sleep(EVERY_MS)
      while (running.size > MAX_RUNNING - BURST) await Promise.race(running)
    }
  }
  const paced = pace()
  const { pros, samples, faults, acknowledged, refused } = work
  return {
    pros,
    startedMs,
    samples,
    faults,
    acknowledged,
    refused,
    isServed: () => samples.slice(-RECENT).filter(({ status }) => status < 300).length > RECENT * SERVED_SHARE,
    end: async () => {
      hasEnded = true
      await paced
      await Promise.all(running)
    },
  }
}

const searchPaths = async ({ primary }: MixedStack) =>
  searchRequests(await searchesOfServices(primary.sql, { count: PLACES })).map(({ path }) => path)

type Work = (pro: LoadPro, n: number) => Promise<unknown>

interface Call {
  method?: string
  key?: string
  json?: unknown
}

/** The work, in turn. Each piece stops at its first request that is not served. */
class MixedWork {
  readonly samples: Sample[] = []
  readonly faults: string[] = []
  readonly acknowledged: Acknowledged[] = []
  readonly refused: MixedLoad['refused'] = []

  constructor(
    readonly stack: MixedStack,
    readonly pros: readonly LoadPro[],
    readonly searches: readonly string[],
  ) {}

  readonly #search: Work = (pro, n) => this.#send(pro, n, 'GET /pros', this.searches[n % this.searches.length] ?? '')

  readonly #times: Work = (pro, n) =>
    this.#send(pro, n, 'GET /pros/{id}/availability', `/api/v1/pros/${pro.id}/availability`)

  readonly #book: Work = async (pro, n) => {
    const json = pro.booking.body(pro.hour++)
    const booked = await this.#send<{
      booking: { id: string }
      payment: { clientSecret: string } | null
    }>(pro, n, 'POST /bookings', '/api/v1/bookings', { key: pro.booking.key, json }, () =>
      this.refused.push({
        professionalId: pro.id,
        startsAt: `${String(json['date'])}T${String(json['time'])}:00Z`,
      }),
    )
    if (!booked) return
    if (booked.payment) {
      const outcome = n % 5 === 0 ? 'fails' : 'succeeds'
      const path = `/sandbox/payments/${booked.payment.clientSecret}`
      if (!(await this.#send(pro, n, 'POST /sandbox/payments', path, { json: { outcome } })) || outcome === 'fails')
        return
    }
    const acknowledged = { bookingId: booked.booking.id, cancelled: false }
    this.acknowledged.push(acknowledged)
    if (n % 3 !== 0) return
    const path = `/api/v1/bookings/${booked.booking.id}/cancel`
    const call = { key: pro.booking.key, json: {} }
    if (await this.#send(pro, n, 'POST /bookings/{id}/cancel', path, call)) acknowledged.cancelled = true
  }

  /** Changes a text that search shows. One change of a pro at a time: of two, the answers do not tell which was stored last. */
  readonly #changeProfile: Work = async (pro, n) => {
    if (pro.isChanging) return
    pro.isChanging = true
    const description = `Drains of all sizes, as of ${n}.`
    pro.description = undefined
    const json = { description, serviceRadiusMiles: 5 + (n % 40) }
    const call = { method: 'PATCH', key: pro.key, json }
    const changed = await this.#send(pro, n, CHANGE, '/api/v1/pro/profile', call)
    pro.description = changed ? description : undefined
    pro.isChanging = false
  }

  readonly #review: Work = async (pro, n) => {
    const json = {
      professionalId: pro.id,
      rating: 1 + (n % 5),
      content: 'On time, and the leak is gone.',
      customer: { name: CUSTOMER.name, email: `${randomUUID()}@customers.test.example` },
      ...(n % 2 ? { scores: { punctuality: 1 + (n % 4), quality: 5 } } : {}),
    }
    const call = { key: pro.booking.key, json }
    const sent = await this.#send<{ review: { id: string } }>(pro, n, 'POST /reviews', '/api/v1/reviews', call)
    if (sent) await this.#asOperator(() => approveReview(ctxOf(this.stack.deps), { id: sent.review.id }))
  }

  readonly #quote: Work = async (pro, n) => {
    const { id: professionalId, serviceId, key } = pro
    const asked = await this.#send<{ rfq: { id: string } }>(pro, n, 'POST /rfqs', '/api/v1/rfqs', {
      key: pro.booking.key,
      json: { professionalId, serviceId, customer: CUSTOMER, description: 'The kitchen sink drips.' },
    })
    if (!asked) return
    const json = { rfqId: asked.rfq.id, amount: 100 + (n % 400), message: 'We come on Monday.' }
    const quoted = await this.#send<{ quote: { id: string } }>(pro, n, 'POST /pro/quotes', '/api/v1/pro/quotes', {
      key,
      json,
    })
    if (!quoted) return
    const path = `/api/v1/quotes/${tokenOf(this.stack.deps, quoted.quote.id)}/accept`
    const accepted = await this.#send<{ quote: { jobId: string } }>(pro, n, 'POST /quotes/{token}/accept', path, {
      method: 'POST',
    })
    if (!accepted) return
    const job = `/api/v1/pro/jobs/${accepted.quote.jobId}`
    await this.#send(pro, n, 'POST /pro/jobs/{id}', job, { key, json: { action: 'complete', finalAmount: 150 } })
  }

  /** Every tenth run is preceded by a top-up. */
  readonly #runAgent: Work = async (pro, n) => {
    if (n % 10 === 0)
      await this.#asOperator(() =>
        addCredits(ctxOf(this.stack.deps), { professionalId: pro.id, tasks: TOP_UP, reference: `invoice ${n}` }),
      )
    const call = { name: 'run_agent', arguments: { goal: 'Are there new leads?', waitSeconds: 0 } }
    const json = { jsonrpc: '2.0', id: n, method: 'tools/call', params: call }
    const ran = await this.#send<{ result?: { isError?: boolean } }>(pro, n, 'run_agent', PRO_SERVER, {
      key: pro.key,
      json,
    })
    const text = JSON.stringify(ran)
    if (ran?.result?.isError && !text.includes('agent_tasks_exhausted')) this.faults.push(`run_agent: ${text}`)
  }

  /** Their number has no common divisor with those of bursts and pros, so that each kind of work meets every pro. */
  readonly #turns: readonly Work[] = [
    this.#search,
    this.#book,
    this.#book,
    this.#times,
    this.#quote,
    this.#quote,
    this.#changeProfile,
    this.#review,
    this.#review,
    this.#search,
    this.#book,
    this.#search,
    this.#changeProfile,
    this.#runAgent,
    this.#runAgent,
    this.#search,
    this.#times,
  ]

  async run(n: number): Promise<void> {
    const pro = this.pros[Math.floor(n / BURST) % this.pros.length]
    if (pro) await this.#turns[n % this.#turns.length]?.(pro, n)
  }

  /** What an operator does on the command line, where a store that is unavailable says "try again". */
  async #asOperator(work: () => Promise<unknown>) {
    await work().catch((error: unknown) => {
      if (!(error instanceof StoreUnavailable)) this.faults.push(String(error))
    })
  }

  /** Sends a request to one of the servers. Returns the body if it was served, undefined if the server was too busy. */
  async #send<Body = unknown>(
    { id: proId }: LoadPro,
    n: number,
    route: string,
    path: string,
    { method, key, json }: Call = {},
    onUnchanged?: () => unknown,
  ): Promise<Body | undefined> {
    const server = this.stack.servers[n % this.stack.servers.length]
    const atMs = performance.now()
    try {
      const response = await fetch(`${server?.url}${path}`, {
        method: method ?? (json === undefined ? 'GET' : 'POST'),
        headers: { 'content-type': 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
        signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
      })
      const text = await response.text()
      const { status } = response
      this.samples.push({ route, proId, atMs, ms: performance.now() - atMs, status })
      if (response.ok) return JSON.parse(text) as Body
      const isBusy = (status === 503 || status === 429) && response.headers.has('retry-after')
      if (!isBusy) this.faults.push(`${route}: ${status} ${text}`)
      if (isBusy && (JSON.parse(text) as { code?: string }).code === 'unavailable') onUnchanged?.()
    } catch (error) {
      this.faults.push(`${route}: ${String(error)}`)
    }
    return undefined
  }
}
