// An HTTP server with the parts of Stripe's API that Hearth uses, and with Stripe's faults: intents, refunds, disputes, pages
// of lists, signed notifications, idempotency keys that are forgotten after a day, lost and late responses. Tests act as
// customers and banks by calling the methods of its ledger.
import { createHmac } from 'node:crypto'

import { Refusal, StripeLedger, disputeObject, intentObject, refundObject } from './fake-stripe-ledger.ts'

export type { FakeDispute, FakeEvent, FakeIntent, FakeRefund } from './fake-stripe-ledger.ts'

export const STRIPE_SECRET_KEY = 'sk_test_fake'
export const STRIPE_WEBHOOK_SECRET = 'whsec_fake'

/** `before`: the request fails without effect. `after`: it takes effect, but its response is lost. */
export type LostResponse = 'before' | 'after'

/** Stripe forgets an idempotency key after a day. */
const KEY_MEMORY_MS = 24 * 3_600_000
/** Stripe's pages have ten objects unless a request asks for up to a hundred. */
const DEFAULT_PAGE = 10

interface Answer {
  status: number
  body: object
}

interface Remembered {
  atMs: number
  request: string
  answer: Answer
}

export class FakeStripe extends StripeLedger {
  readonly #server: ReturnType<typeof Bun.serve>
  readonly #remembered = new Map<string, Remembered>()
  /** Called for each request; returns the error that Stripe answers, if it does. */
  nextError: () => { status: number; type: string; code?: string } | undefined = () => undefined
  /** Called for each request; returns how its response is lost, if it is. */
  nextLostResponse: () => LostResponse | undefined = () => undefined
  /** Called for each request; how long it waits before it takes effect, and again before its response. */
  nextDelayMs: () => number = () => 0
  /** The largest page of a list. */
  maxPage = 100
  /** `METHOD /path key` of every request. */
  readonly requests: string[] = []

  constructor() {
    super()
    this.#server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => this.#answer(request) })
  }

  get url(): string {
    return this.#server.url.origin
  }

  /** The variables of a server that uses this as Stripe. */
  get env(): Record<string, string> {
    return { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_API_BASE: this.url }
  }

  /** Signs a body as Stripe does. */
  sign(body: string, at: Date, secret = STRIPE_WEBHOOK_SECRET): string {
    const seconds = Math.floor(at.getTime() / 1000)
    return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
  }

  async close(): Promise<void> {
    await this.#server.stop(true)
  }

  async #answer(request: Request): Promise<Response> {
    const url = new URL(request.url)
    const key = request.headers.get('idempotency-key') ?? ''
    this.requests.push(`${request.method} ${url.pathname} ${key}`)
    if (request.headers.get('authorization') !== `Bearer ${STRIPE_SECRET_KEY}`)
      return respond(refusal(new Refusal('', 'No such key', 401)))
    const refused = this.nextError()
    if (refused) return Response.json({ error: { message: 'Refused', ...refused } }, { status: refused.status })
    const loss = this.nextLostResponse()
    const delayMs = this.nextDelayMs()
    if (delayMs > 0) await Bun.sleep(delayMs)
    if (loss === 'before') return serverError()
    const body = await request.text()
    const answer =
      request.method === 'GET'
        ? attempt(() => this.#read(url.pathname, url.searchParams))
        : this.#remember(key, `${url.pathname} ${body}`, () =>
            attempt(() => this.#write(url.pathname, new URLSearchParams(body))),
          )
    if (delayMs > 0) await Bun.sleep(delayMs)
    return loss === 'after' ? serverError() : respond(answer)
  }

  /** The answer to a key's first request, whatever it was, for a day. */
  #remember(key: string, request: string, execute: () => Answer): Answer {
    if (key === '') return execute()
    const known = this.#remembered.get(key)
    if (known && known.atMs + KEY_MEMORY_MS > this.nowMs()) {
      if (known.request === request) return known.answer
      return {
        status: 400,
        body: { error: { type: 'idempotency_error', message: 'The key was used with other parameters.' } },
      }
    }
    const answer = execute()
    this.#remembered.set(key, { atMs: this.nowMs(), request, answer })
    return answer
  }

  #write(path: string, form: URLSearchParams): object {
    const amount = Number(form.get('amount'))
    if (path === '/v1/payment_intents')
      return intentObject(this.createIntent(amount, form.get('currency') ?? '', metadataOf(form)))
    if (path === '/v1/refunds')
      return refundObject(this.refund(form.get('payment_intent') ?? '', amount, metadataOf(form)))
    throw new Refusal('', 'Unrecognized URL', 404)
  }

  #read(path: string, query: URLSearchParams): object {
    if (path === '/v1/payment_intents') return this.#list([...this.intents.values()], query, intentObject)
    if (path === '/v1/refunds') return this.#list(this.refunds, query, refundObject)
    if (path === '/v1/disputes') return this.#list(this.disputes, query, disputeObject)
    const intent = this.intents.get(path.replace('/v1/payment_intents/', ''))
    if (!intent) throw new Refusal('resource_missing', 'No such object', 404)
    return intentObject(intent)
  }

  /** A page of a list: newest first, of one intent, of a time, after an object. */
  #list<T extends { id: string; intent?: string; createdMs: number }>(
    all: readonly T[],
    query: URLSearchParams,
    show: (item: T) => object,
  ): object {
    const intent = query.get('payment_intent')
    const sinceMs = Number(query.get('created[gte]') ?? 0) * 1000
    const untilMs = Number(query.get('created[lt]') ?? Infinity) * 1000
    const found = all
      .filter((it) => (intent === null || it.intent === intent) && it.createdMs >= sinceMs && it.createdMs < untilMs)
      .toReversed()
    const after = query.get('starting_after')
    const from = after === null ? 0 : found.findIndex(({ id }) => id === after) + 1
    const size = Math.min(Number(query.get('limit') ?? DEFAULT_PAGE), this.maxPage)
    const data = found.slice(from, from + size).map((it) => show(it))
    return { object: 'list', data, has_more: from + size < found.length }
  }
}

function metadataOf(form: URLSearchParams): Record<string, string> {
  return Object.fromEntries(
    [...form].flatMap(([name, value]) => {
      const [, member] = /^metadata\[(\w+)\]$/.exec(name) ?? []
      return member ? [[member, value]] : []
    }),
  )
}

function attempt(execute: () => object): Answer {
  try {
    return { status: 200, body: execute() }
  } catch (error) {
    if (error instanceof Refusal) return refusal(error)
    throw error
  }
}

const refusal = ({ code, message, status }: Refusal): Answer => ({
  status,
  body: { error: { type: 'invalid_request_error', code, message } },
})

const respond = ({ status, body }: Answer) => Response.json(body, { status })

const serverError = () => Response.json({ error: { type: 'api_error', message: 'Something broke' } }, { status: 500 })
