// An HTTP server with the parts of Stripe's API that Hearth uses: intents, refunds, idempotency keys and signed
// notifications. Tests act as customers and banks by calling its methods.
import { createHmac, randomUUID } from 'node:crypto'

export const STRIPE_SECRET_KEY = 'sk_test_fake'
export const STRIPE_WEBHOOK_SECRET = 'whsec_fake'

export interface FakeIntent {
  id: string
  amount: number
  currency: string
  metadata: Record<string, string>
  clientSecret: string
  /** The captured amount, and the part of it that was refunded. */
  captured: number
  refunded: number
}

export interface FakeEvent {
  id: string
  body: string
}

/** `before`: the request fails without effect. `after`: it takes effect, but its response is lost. */
export type LostResponse = 'before' | 'after'

export class FakeStripe {
  readonly #server: ReturnType<typeof Bun.serve>
  readonly #answers = new Map<string, object>()
  readonly intents = new Map<string, FakeIntent>()
  /** Notifications that Hearth has not acknowledged yet. */
  readonly outbox: FakeEvent[] = []
  /** Called for each request; returns how its response is lost, if it is. */
  nextLostResponse: () => LostResponse | undefined = () => undefined
  /** The state of the refunds that it makes. */
  refundStatus: 'succeeded' | 'pending' | 'failed' | 'canceled' = 'succeeded'
  /** `METHOD /path key` of every request. */
  readonly requests: string[] = []

  constructor() {
    this.#server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => this.#answer(request) })
  }

  get url(): string {
    return this.#server.url.origin
  }

  /** The variables of a server that uses this as Stripe. */
  get env(): Record<string, string> {
    return { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_API_BASE: this.url }
  }

  intentOf(clientSecret: string): FakeIntent {
    const found = [...this.intents.values()].find((intent) => intent.clientSecret === clientSecret)
    if (!found) throw new Error('Stripe has no intent with this client secret.')
    return found
  }

  /**
   * Pays as a customer. The notification waits in the outbox. Paying again captures nothing but emits another event,
   * because Stripe may send two events for one payment.
   */
  pay(clientSecret: string, { amount, currency }: { amount?: number; currency?: string } = {}): FakeIntent {
    const intent = this.intentOf(clientSecret)
    if (intent.captured === 0) {
      intent.captured = amount ?? intent.amount
      if (currency) intent.currency = currency
    }
    this.#emit('payment_intent.succeeded', intent)
    return intent
  }

  /** Declines the payment as a bank does. */
  fail(clientSecret: string): void {
    this.#emit('payment_intent.payment_failed', this.intentOf(clientSecret))
  }

  /** Signs a body as Stripe does. */
  sign(body: string, at: Date, secret = STRIPE_WEBHOOK_SECRET): string {
    const seconds = Math.floor(at.getTime() / 1000)
    return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
  }

  async close(): Promise<void> {
    await this.#server.stop(true)
  }

  #emit(type: string, intent: FakeIntent): void {
    const id = `evt_${randomUUID()}`
    const object = {
      id: intent.id,
      object: 'payment_intent',
      amount: intent.amount,
      amount_received: intent.captured,
      currency: intent.currency,
      metadata: intent.metadata,
    }
    this.outbox.push({ id, body: JSON.stringify({ id, object: 'event', type, data: { object } }) })
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    const key = request.headers.get('idempotency-key') ?? ''
    this.requests.push(`${request.method} ${pathname} ${key}`)
    if (request.headers.get('authorization') !== `Bearer ${STRIPE_SECRET_KEY}`)
      return Response.json({ error: { type: 'invalid_request_error', message: 'No such key' } }, { status: 401 })
    const loss = this.nextLostResponse()
    if (loss === 'before') return serverError()
    const form = new URLSearchParams(await request.text())
    const answer = this.#answers.get(`${pathname} ${key}`) ?? this.#execute(pathname, form)
    if (answer instanceof Response) return answer
    if (key) this.#answers.set(`${pathname} ${key}`, answer)
    return loss === 'after' ? serverError() : Response.json(answer)
  }

  #execute(path: string, form: URLSearchParams): object {
    if (path === '/v1/payment_intents') return this.#createIntent(form)
    if (path === '/v1/refunds') return this.#refund(form)
    return Response.json({ error: { type: 'invalid_request_error', message: 'Unrecognized URL' } }, { status: 404 })
  }

  #createIntent(form: URLSearchParams): object {
    const id = `pi_${randomUUID().replaceAll('-', '')}`
    const metadata = Object.fromEntries(
      [...form].flatMap(([name, value]) => {
        const [, member] = /^metadata\[(\w+)\]$/.exec(name) ?? []
        return member ? [[member, value]] : []
      }),
    )
    const intent: FakeIntent = {
      id,
      amount: Number(form.get('amount')),
      currency: form.get('currency') ?? '',
      metadata,
      clientSecret: `${id}_secret_${randomUUID().replaceAll('-', '')}`,
      captured: 0,
      refunded: 0,
    }
    this.intents.set(id, intent)
    const { amount, currency, clientSecret } = intent
    return { id, object: 'payment_intent', amount, currency, metadata, client_secret: clientSecret }
  }

  #refund(form: URLSearchParams): object {
    const intent = this.intents.get(form.get('payment_intent') ?? '')
    const amount = Number(form.get('amount'))
    if (!intent || intent.refunded + amount > intent.captured)
      return Response.json({ error: { type: 'invalid_request_error', message: 'Too much' } }, { status: 400 })
    intent.refunded += amount
    return { id: `re_${randomUUID().replaceAll('-', '')}`, object: 'refund', amount, status: this.refundStatus }
  }
}

const serverError = () => Response.json({ error: { type: 'api_error', message: 'Something broke' } }, { status: 500 })
