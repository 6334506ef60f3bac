/** @jsxImportSource preact */
// /console/payments: an operator finds a payment, and refunds all or a part of it.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Ctx } from '../../../ctx.ts'
import type { Deps } from '../../../deps.ts'
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
import { Text, Uuid } from '../../../platform/schema/types.ts'
import { money } from '../../../platform/text/format.ts'
import { EMPTY_FORM, formStatus } from '../../ui/form.tsx'
import { redirect, redirectWithFlash, renderConsolePage } from '../../ui/responses.tsx'
import { runFormAction, submitForm } from '../../ui/submit.ts'
import { ReturnedForm, disputeTable, refundTable, waitingView } from './refunds-view.tsx'
import { PAYMENTS_PATH as PATH, RefundForm, centsOf, paymentListView, paymentView } from './view.tsx'

const session = ['operator'] as const
const params = Type.Object({ id: Uuid() })
const PaymentsQuery = Type.Object({ q: Type.Optional(Text(320)) })
const ResendForm = Type.Object({ refundId: Uuid() })

/** A form's own path, opened without sending it. */
const toPayment = ({ params: { id } }: { params: { id: string } }) => redirect(`${PATH}/${id}`)

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
    .get(`${PATH}/:id/refund`, toPayment, { session, params })
    .get(`${PATH}/:id/returned`, toPayment, { session, params })
    .post(
      `${PATH}/:id/refund`,
      async function postRefund({ ctx, authenticated: by, params: { id } }) {
        return await submitForm(
          RefundForm,
          by.form,
          async ({ refundId, amount, reason }) => {
            const amountCents = centsOf(amount) ?? 0
            const refund = { refundId, paymentId: id, amountCents, reason, by: by.session.userId }
            const isNew = await refundPaymentAsOperator(ctx, refund)
            const text = isNew ? `${money(amountCents / 100)} is refunded.` : 'This refund was made before.'
            return redirectWithFlash(ctx, by.session, `${PATH}/${id}`, { tone: 'good', text })
          },
          (formState) => renderPayment(ctx, by, id, { formState }),
        )
      },
      { session, params, form: RefundForm },
    )
    .post(
      `${PATH}/:id/resend`,
      async function postResend({ ctx, authenticated: by, params: { id } }) {
        return await runFormAction(ctx, by, `${PATH}/${id}`, ResendForm, async ({ refundId }) => {
          await resendRefund(ctx, { paymentId: id, refundId, by: by.session.userId })
          return 'The refund is sent again.'
        })
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
          (returnedState) => renderPayment(ctx, by, id, { returnedState }),
        )
      },
      { session, params, form: ReturnedForm },
    )

async function renderPayment(
  ctx: Ctx,
  by: AuthenticatedRequest,
  id: string,
  { formState = EMPTY_FORM, returnedState = EMPTY_FORM } = {},
): Promise<Response> {
  const [payment, actions] = await Promise.all([getPaymentDetail(ctx, { id }), listActions(ctx, { subjectId: id })])
  const content = (
    <>
      {paymentView(by.session, { payment, formState, returnedState, refundId: ctx.ids.uuid() })}
      {refundTable(by.session, { payment, actions, returnedState })}
      {disputeTable(payment)}
    </>
  )
  const status = formStatus(returnedState === EMPTY_FORM ? formState : returnedState)
  return renderConsolePage(ctx, by, { title: `Payment of ${payment.customerName}`, content }, status)
}
