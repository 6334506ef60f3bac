/** @jsxImportSource preact */
// /console/payments: an operator finds a payment, and refunds all or a part of it.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Ctx } from '../../../ctx.ts'
import type { Deps } from '../../../deps.ts'
import { invalidField } from '../../../errors/app-error.ts'
import { listActions } from '../../../features/upkeep/audit/verbs.ts'
import { listDifferences } from '../../../features/money/checkout/verbs/reconciliation.ts'
import {
  findPayments,
  getPaymentDetail,
  listFailedRefunds,
  markReturned,
  refundPaymentAsOperator,
  resendRefund,
} from '../../../features/money/operator-refunds/verbs.ts'
import { guard } from '../../../http/guard.ts'
import type { AuthenticatedRequest } from '../../../http/session.ts'
import { FreeText, Text, Uuid } from '../../../platform/schema/types.ts'
import { money } from '../../../platform/text/format.ts'
import { EMPTY_FORM, formStatus } from '../../ui/form.tsx'
import { redirectWithFlash, renderConsolePage } from '../../ui/responses.tsx'
import { submitForm } from '../../ui/submit.ts'
import { disputeTable, refundTable, waitingView } from './refunds-view.tsx'
import { PAYMENTS_PATH as PATH, paymentListView, paymentView } from './view.tsx'

const session = ['operator'] as const
const params = Type.Object({ id: Uuid() })
const PaymentsQuery = Type.Object({ q: Type.Optional(Text(320)) })
const ResendForm = Type.Object({ refundId: Uuid() })
const ReturnedForm = Type.Object({ refundId: Uuid(), note: FreeText({ minLength: 1 }) })
const RefundForm = Type.Object({ refundId: Uuid(), amount: Text(12), reason: FreeText({ minLength: 1 }) })

export const paymentPages = (deps: Deps) =>
  new Elysia({ name: 'payment-pages' })
    .use(guard(deps))
    .get(
      PATH,
      async function getPayments({ ctx, authenticated: by, query }) {
        const q = query.q ?? ''
        const [payments, failed, differences] = await Promise.all([
          findPayments(ctx, { text: q }),
          q === '' ? listFailedRefunds(ctx) : [],
          q === '' ? listDifferences(ctx) : [],
        ])
        const content = (
          <>
            {waitingView(failed, differences)}
            {paymentListView(q, payments)}
          </>
        )
        return renderConsolePage(ctx, by, { title: 'Payments', content })
      },
      { session, query: PaymentsQuery },
    )
    .get(
      `${PATH}/:id`,
      async function getPaymentPage({ ctx, authenticated, params: { id } }) {
        return await renderPayment(ctx, authenticated, id)
      },
      { session, params },
    )
    .post(
      `${PATH}/:id/refund`,
      async function postRefund({ ctx, authenticated: by, params: { id } }) {
        return await submitForm(
          RefundForm,
          by.form,
          async ({ refundId, amount, reason }) => {
            const amountCents = centsOf(amount)
            const refund = { refundId, paymentId: id, amountCents, reason, by: by.session.userId }
            const isNew = await refundPaymentAsOperator(ctx, refund)
            const text = isNew ? `${money(amountCents / 100)} is refunded.` : 'This refund was made before.'
            return redirectWithFlash(ctx, by.session, `${PATH}/${id}`, { tone: 'good', text })
          },
          (formState) => renderPayment(ctx, by, id, formState),
        )
      },
      { session, params, form: RefundForm },
    )
    .post(
      `${PATH}/:id/resend`,
      async function postResend({ ctx, authenticated: by, params: { id } }) {
        return await submitForm(
          ResendForm,
          by.form,
          async ({ refundId }) => {
            await resendRefund(ctx, { paymentId: id, refundId, by: by.session.userId })
            return redirectWithFlash(ctx, by.session, `${PATH}/${id}`, {
              tone: 'good',
              text: 'The refund is sent again.',
            })
          },
          (formState) => renderPayment(ctx, by, id, formState),
        )
      },
      { session, params, form: ResendForm },
    )
    .post(
      `${PATH}/:id/returned`,
      async function postReturned({ ctx, authenticated: by, params: { id } }) {
        return await submitForm(
          ReturnedForm,
          by.form,
          async ({ refundId, note }) => {
            await markReturned(ctx, { paymentId: id, refundId, note, by: by.session.userId })
            return redirectWithFlash(ctx, by.session, `${PATH}/${id}`, {
              tone: 'good',
              text: 'The refund is recorded as done.',
            })
          },
          (formState) => renderPayment(ctx, by, id, formState),
        )
      },
      { session, params, form: ReturnedForm },
    )

/** "$1,200.50" or "1200.5" in cents. */
function centsOf(text: string): number {
  const [, dollars, cents = ''] = /^\$?(\d{1,7})(?:\.(\d{1,2}))?$/.exec(text.replaceAll(',', '')) ?? []
  const amount = Number(dollars) * 100 + Number(cents.padEnd(2, '0'))
  if (dollars === undefined || amount === 0) throw invalidField('amount', 'must be an amount such as 47.50')
  return amount
}

async function renderPayment(
  ctx: Ctx,
  by: AuthenticatedRequest,
  id: string,
  formState = EMPTY_FORM,
): Promise<Response> {
  const [payment, actions] = await Promise.all([getPaymentDetail(ctx, { id }), listActions(ctx, { subjectId: id })])
  const content = (
    <>
      {paymentView(by.session, { payment, formState, refundId: ctx.ids.uuid() })}
      {refundTable(by.session, payment, actions)}
      {disputeTable(payment)}
    </>
  )
  return renderConsolePage(ctx, by, { title: `Payment of ${payment.customerName}`, content }, formStatus(formState))
}
