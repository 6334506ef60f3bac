// Where a call meets a payment: what its result leaves to be paid is offered as a challenge, or paid by the credential
// that came with the call.
import type { Challenge, Receipt } from 'mppx'

import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors/app-error.ts'
import { getPaymentView } from '../../features/checkout/verbs/sandbox.ts'
import { holdExpired, isDue } from '../../payments/verbs.ts'
import type { Charge, Tool } from '../server/tool.ts'
import { cashierOf } from './payment-gateway.ts'

/** Members of `_meta`, by the protocol's binding to JSON-RPC (draft-payment-transport-mcp). */
const CREDENTIAL = 'org.paymentauth/credential'
const REQUIRED = 'org.paymentauth/payment-required'
const RECEIPT = 'org.paymentauth/receipt'

/** What was asked for and what came of it, for HTTP's headers. */
export interface PaymentTalk {
  challenge?: Challenge.Challenge
  receipt?: Receipt.Receipt
}

export interface Till {
  /** Before the call: throws payment_refused for a credential that could pay nothing. */
  admit(tool: Pick<Tool, 'charge'>, idempotencyKey: string | undefined): void
  /** After it: the result as it is then, and what is said of the payment. Throws payment_refused, hold_expired. */
  settle(charge: Charge<object>, result: object): Promise<{ result: object; meta: Record<string, unknown> }>
}

/** The till of one call; `talk` hears what is said. */
export function openTill(deps: Deps, request: Request, meta: unknown, talk: PaymentTalk): Till {
  const isPaying = bringsCredential(request, meta)
  return {
    admit: ({ charge }, idempotencyKey) => {
      if (charge && isPaying && idempotencyKey === undefined)
        throw new AppError('payment_refused', 'A call that is paid needs the `idempotencyKey` of the one before it.')
    },
    settle: async (charge, result) => {
      const secret = charge.secretOf(result)
      if (secret === null) return { result, meta: {} }
      const { payment, booking } = await getPaymentView(deps, secret)
      const isPaid = payment.status === 'succeeded'
      if (!isPaying && !isDue(payment)) return { result: isPaid ? charge.paid(result, booking) : result, meta: {} }
      if (!isDue(payment) && !isPaid) throw holdExpired()
      const cashier = await cashierOf(deps)
      const challenge = (talk.challenge = await cashier.challengeFor(payment))
      const required = { httpStatus: 402, challenges: [challenge] }
      if (!isPaying) return { result, meta: { [REQUIRED]: required } }
      const receipt = (talk.receipt = await offering(required, () =>
        cashier.redeem(payment, cashier.credentialOf(request, meta)),
      ))
      const paid = await getPaymentView(deps, secret)
      return {
        result: charge.paid(result, paid.booking),
        meta: { [RECEIPT]: { ...receipt, challengeId: challenge.id } },
      }
    },
  }
}

/** Whether the client speaks the protocol in headers: it is answered with 402. Others read it in the result. */
export const paysByHttp = ({ headers }: Request): boolean =>
  headers.has('accept-payment') || headers.has('payment-authorization')

const bringsCredential = ({ headers }: Request, meta: unknown): boolean =>
  headers.has('payment-authorization') || (typeof meta === 'object' && meta !== null && CREDENTIAL in meta)

/** Who is refused is told what to pay instead. */
async function offering<T>(required: Record<string, unknown>, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'payment_refused') throw error
    throw new AppError(error.code, error.detail, { cause: error.cause, extensions: required })
  }
}
