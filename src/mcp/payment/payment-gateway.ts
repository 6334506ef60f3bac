// The Machine Payments Protocol: challenges for open amounts, and credentials that pay them.
import { hkdfSync } from 'node:crypto'

import type { Challenge, Credential, Receipt } from 'mppx'

import { type Ctx, ctxOf } from '../../ctx.ts'
import { type Deps, oncePerDeps } from '../../deps.ts'
import { AppError } from '../../errors/app-error.ts'
import { paySandboxByToken } from '../../features/money/checkout/verbs/sandbox.ts'
import type { Payment } from '../../payments/verbs/payments.ts'

export interface PaymentGateway {
  /** The challenge of a payment: the same at each call, and valid while the time is held. */
  challengeFor(payment: Payment): Promise<Challenge.Challenge>
  /** Pays once. Throws payment_refused, hold_expired. */
  redeem(payment: Payment, credential: Credential.Credential): Promise<Receipt.Receipt>
  /** The credential of a call, from its `_meta` or a header. Throws payment_refused for an unreadable one. */
  credentialOf(request: Request, meta: unknown): Credential.Credential
  /** The HTTP headers for a challenge, or for a receipt. */
  headersFor(request: Request, notice: { challenge: Challenge.Challenge; receipt?: Receipt.Receipt }): Promise<Headers>
}

/** Challenges are bound to their contents by a key with no other use (RFC 5869). */
const secretKey = ({ secret }: Deps['config']) =>
  Buffer.from(hkdfSync('sha256', secret, 'hearth', 'machine-payments', 32)).toString('hex')

/** Amounts are in the currency's smallest unit, as text. */
const requestOf = ({ id, amountCents, currency, clientSecret }: Payment) => ({
  amount: String(amountCents),
  currency,
  externalId: id,
  methodDetails: { clientSecret },
})

/** The gateway of this process. The library takes 50 MB, so the first call that needs it loads it. */
export const paymentGatewayOf = oncePerDeps(async (deps: Deps): Promise<PaymentGateway> => {
  const [{ Mppx, Transport }, { z }] = await Promise.all([import('mppx/server/core'), import('zod/mini')])
  const mppx = Mppx.create({
    // The Authorization header carries the API key.
    requiresAuth: true,
    realm: new URL(deps.config.baseUrl).host,
    secretKey: secretKey(deps.config),
    methods: [
      {
        name: 'sandbox' as const,
        intent: 'charge' as const,
        // Our own fields; a payload is checked where it is used.
        schema: { credential: { payload: z.unknown() }, request: z.record(z.string(), z.unknown()) },
        verify: async ({ credential: { challenge, payload } }: { credential: Credential.Credential }) =>
          await pay(ctxOf(deps), challenge, payload),
      },
    ],
  })
  const [inHeaders, inMeta] = [Transport.http({ requiresAuth: true }), Transport.mcp()]
  const challengeFor = (payment: Payment) =>
    mppx.challenge.sandbox.charge({
      ...requestOf(payment),
      meta: { payment: payment.id },
      expires: new Date(payment.expiresAt).toISOString(),
    })
  return {
    challengeFor,
    redeem: async (payment, credential) => {
      try {
        return await mppx.broadcastCredential(credential, {
          request: requestOf(payment),
          meta: { payment: payment.id },
        })
      } catch (error) {
        throw isProtocolError(error) ? refused(error) : error
      }
    },
    credentialOf: (request, meta) => {
      const call = { method: 'tools/call', params: { _meta: meta as Record<string, unknown> } }
      const credential = unlessError(() => inMeta.getCredential(call) ?? inHeaders.getCredential(request))
      if (!credential) throw new AppError('payment_refused', 'The payment credential cannot be read.')
      return credential
    },
    headersFor: async (request, { challenge, receipt }) => {
      if (!receipt) return (await inHeaders.respondChallenge({ challenge, input: request })).headers
      const paid = { challengeId: challenge.id, credential: { challenge, payload: {} }, input: request, receipt }
      return inHeaders.respondReceipt({ ...paid, response: new Response() }).headers
    },
  }
})

/** Returns undefined when `read` throws: the library has several errors for a text that it cannot parse. */
function unlessError<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (cause) {
    if (cause instanceof Error) return undefined
    throw cause
  }
}

/** The library's own messages contain reports of its validator. */
const refused = (cause: Error) =>
  new AppError(
    'payment_refused',
    cause.name === 'PaymentExpiredError'
      ? 'The challenge has expired. Call the tool again for a new one.'
      : 'The credential does not pay the challenge of this call. Pay the latest challenge as it is.',
    { cause },
  )

/** Refusals of the library are errors that carry a problem document. */
const isProtocolError = (error: unknown): error is Error => error instanceof Error && 'toProblemDetails' in error

/** Pays with the wallet's token. The library has verified that the challenge is ours, unchanged and not expired. */
async function pay(ctx: Ctx, { request }: Challenge.Challenge, payload: unknown): Promise<Receipt.Receipt> {
  const { clientSecret } = request['methodDetails'] as { clientSecret: string }
  const token = typeof payload === 'object' && payload !== null && 'token' in payload ? payload.token : undefined
  const { payment } = await paySandboxByToken(ctx, { clientSecret, token })
  return {
    method: 'sandbox',
    reference: payment.intentId ?? payment.id,
    externalId: payment.id,
    status: 'success',
    timestamp: new Date(payment.capturedAt ?? ctx.clock.now()).toISOString(),
  }
}
