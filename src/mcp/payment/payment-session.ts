// The payment of a tool call: offers a challenge for an open amount, or pays it with the credential of the call.
import type { Challenge, Receipt } from 'mppx'

import type { Ctx } from '../../ctx.ts'
import { AppError } from '../../errors/app-error.ts'
import { getBookingPaymentView } from '../../features/money/checkout/verbs/sandbox.ts'
import { isDue } from '../../payments/states.ts'
import { holdExpired } from '../../payments/verbs/payments.ts'
import type { Charge, Tool } from '../server/tool.ts'
import { paymentGatewayOf } from './payment-gateway.ts'

/** Members of `_meta`, by the protocol's binding to JSON-RPC (draft-payment-transport-mcp). */
const CREDENTIAL = 'org.paymentauth/credential'
const REQUIRED = 'org.paymentauth/payment-required'
const RECEIPT = 'org.paymentauth/receipt'

/** The challenge of a call and the receipt of its payment, for HTTP headers. */
export interface PaymentNotice {
  readonly challenge: Challenge.Challenge
  readonly receipt?: Receipt.Receipt
}

export interface PaymentSession {
  /** Before the call. Throws payment_refused for a credential that cannot pay. */
  checkCredential(tool: Pick<Tool, 'charge'>, idempotencyKey: string | undefined): void
  /** After the call: returns the result after the payment, and its metadata. Throws payment_refused, hold_expired. */
  settle(charge: Charge<object>, result: object): Promise<{ result: object; meta: Record<string, unknown> }>
}

/** The payment session of one call; calls `notify` with the challenge, then with the receipt. */
export function openPaymentSession(
  ctx: Ctx,
  request: Request,
  meta: unknown,
  notify: (notice: PaymentNotice) => void,
): PaymentSession {
  const hasPayment = hasCredential(request, meta)
  return {
    checkCredential: ({ charge }, idempotencyKey) => {
      if (charge && hasPayment && idempotencyKey === undefined)
        throw new AppError('payment_refused', 'A call that pays needs the `idempotencyKey` of the call before it.')
    },
    settle: async (charge, result) => {
      const secret = charge.clientSecretOf(result)
      if (secret === null) return { result, meta: {} }
      const { payment, booking } = await getBookingPaymentView(ctx, { clientSecret: secret })
      const isPaid = payment.status === 'succeeded'
      if (!hasPayment && !isDue(payment))
        return { result: isPaid ? charge.afterPayment(result, booking) : result, meta: {} }
      if (!isDue(payment) && !isPaid) throw holdExpired()
      const gateway = await paymentGatewayOf(ctx)
      const challenge = await gateway.challengeFor(payment)
      notify({ challenge })
      const required = { httpStatus: 402, challenges: [challenge] }
      if (!hasPayment) return { result, meta: { [REQUIRED]: required } }
      const receipt = await withChallenge(required, () => gateway.redeem(payment, gateway.credentialOf(request, meta)))
      notify({ challenge, receipt })
      const paid = await getBookingPaymentView(ctx, { clientSecret: secret })
      return {
        result: charge.afterPayment(result, paid.booking),
        meta: { [RECEIPT]: { ...receipt, challengeId: challenge.id } },
      }
    },
  }
}

/** Returns whether the client uses the protocol's headers and expects 402. Other clients read the result. */
export const usesPaymentHeaders = ({ headers }: Request): boolean =>
  headers.has('accept-payment') || headers.has('payment-authorization')

const hasCredential = ({ headers }: Request, meta: unknown): boolean =>
  headers.has('payment-authorization') || (typeof meta === 'object' && meta !== null && CREDENTIAL in meta)

/** A refused payment carries the challenge that can be paid instead. */
async function withChallenge<T>(required: Record<string, unknown>, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'payment_refused') throw error
    throw new AppError(error.code, error.detail, { cause: error.cause, extensions: required })
  }
}
