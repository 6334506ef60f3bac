// The Machine Payments Protocol: challenges for what is to be paid, and the credentials that pay. Loaded where it is on.
import { hkdfSync } from 'node:crypto'

import type { Challenge, Credential, Receipt } from 'mppx'

import { type Deps, oncePerDeps } from '../../deps.ts'
import { AppError } from '../../errors/app-error.ts'
import { paySandboxByToken } from '../../features/checkout/verbs/sandbox.ts'
import type { Payment } from '../../payments/verbs.ts'

export interface Cashier {
  /** The challenge of a payment: the same each time, good as long as the time is held. */
  challengeFor(payment: Payment): Promise<Challenge.Challenge>
  /** Pays, once. Throws payment_refused, hold_expired. */
  redeem(payment: Payment, credential: Credential.Credential): Promise<Receipt.Receipt>
  /** The credential that came with a call, in its `_meta` or in a header. Throws payment_refused for one that cannot be read. */
  credentialOf(request: Request, meta: unknown): Credential.Credential
  /** The headers of HTTP that say a challenge, or a receipt. */
  headersOf(request: Request, said: { challenge: Challenge.Challenge; receipt?: Receipt.Receipt }): Promise<Headers>
}

/** Challenges are bound to their contents by a key that is made for nothing else (RFC 5869). */
const secretKey = ({ secret }: Deps['config']) =>
  Buffer.from(hkdfSync('sha256', secret, 'hearth', 'machine-payments', 32)).toString('hex')

/** Amounts are in the currency's smallest unit, as text. */
const requestOf = ({ id, amountCents, currency, clientSecret }: Payment) => ({
  amount: String(amountCents),
  currency,
  externalId: id,
  methodDetails: { clientSecret },
})

/** The cashier of this configuration; its library takes 50 MB, so it is loaded by the first call that needs it. */
export const cashierOf = oncePerDeps(async (deps: Deps): Promise<Cashier> => {
  const [{ Mppx, Transport }, { z }] = await Promise.all([import('mppx/server/core'), import('zod/mini')])
  const mppx = Mppx.create({
    // Authorization holds the API key.
    requiresAuth: true,
    realm: new URL(deps.config.baseUrl).host,
    secretKey: secretKey(deps.config),
    methods: [
      {
        name: 'sandbox' as const,
        intent: 'charge' as const,
        // What they hold is ours or checked where it is used.
        schema: { credential: { payload: z.unknown() }, request: z.record(z.string(), z.unknown()) },
        verify: async ({ credential: { challenge, payload } }: { credential: Credential.Credential }) =>
          await pay(deps, challenge, payload),
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
        throw isOfProtocol(error) ? new AppError('payment_refused', error.message, { cause: error }) : error
      }
    },
    credentialOf: (request, meta) => {
      const call = { method: 'tools/call', params: { _meta: meta as Record<string, unknown> } }
      const credential = readable(() => inMeta.getCredential(call) ?? inHeaders.getCredential(request))
      if (!credential) throw new AppError('payment_refused', 'The payment credential cannot be read.')
      return credential
    },
    headersOf: async (request, { challenge, receipt }) => {
      if (!receipt) return (await inHeaders.respondChallenge({ challenge, input: request })).headers
      const said = { challengeId: challenge.id, credential: { challenge, payload: {} }, input: request, receipt }
      return inHeaders.respondReceipt({ ...said, response: new Response() }).headers
    },
  }
})

/** What was read, or undefined: the library says by several errors that a text is none of its own. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (cause) {
    if (cause instanceof Error) return undefined
    throw cause
  }
}

/** What the library refuses it throws as errors that know their problem document. */
const isOfProtocol = (error: unknown): error is Error => error instanceof Error && 'toProblemDetails' in error

/** The challenge is ours, unchanged and in time; what it names is paid with the wallet's token. */
async function pay(deps: Deps, { request }: Challenge.Challenge, payload: unknown): Promise<Receipt.Receipt> {
  const { clientSecret } = request['methodDetails'] as { clientSecret: string }
  const token = typeof payload === 'object' && payload !== null && 'token' in payload ? payload.token : undefined
  const { payment } = await paySandboxByToken(deps, clientSecret, token)
  return {
    method: 'sandbox',
    reference: payment.intentId ?? payment.id,
    externalId: payment.id,
    status: 'success',
    timestamp: new Date(payment.capturedAt ?? deps.clock.now()).toISOString(),
  }
}
