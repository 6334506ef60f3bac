/** @jsxImportSource preact */
// /console/webhooks/deliveries and …/{id}/deliveries/{eventId}: deliveries with their attempts, and sending again.
import { Elysia } from 'elysia'

import type { Ctx } from '../../../ctx.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors/app-error.ts'
import { findTrace } from '../../../features/upkeep/operations/verbs/traces.ts'
import {
  getDelivery,
  listAccountDeliveries,
  replayMany,
  sendNow,
} from '../../../webhooks/endpoints/verbs/deliveries.ts'
import { getWebhook, listAllWebhooks } from '../../../webhooks/endpoints/verbs/endpoints.ts'
import { DeliveryParams, WebhookParams } from '../../../webhooks/endpoints/schemas.ts'
import { guard } from '../../../http/guard.ts'
import { type AuthenticatedRequest, shownAccountOf } from '../../../http/session.ts'
import { plural } from '../../../platform/text/format.ts'
import { deliverySpansView } from '../../ops/trace-view.tsx'
import { BackLink, PageHeading } from '../../ui/headings.tsx'
import { redirect, redirectWithFlash, renderConsolePage } from '../../ui/responses.tsx'
import { runAction, submitForm } from '../../ui/submit.ts'
import { deliveryView } from './delivery-detail-view.tsx'
import { partsOfDelivery, traceIdOf } from './delivery-trace.ts'
import { AllDeliveriesQuery, filterOf } from './delivery-query.ts'
import { DELIVERIES_PATH, ReplayForm, allDeliveriesView, instantOf } from './delivery-view.tsx'
import { endpointAccountOf, renderEndpoint } from './endpoint-routes.ts'
import { WEBHOOKS_PATH } from './endpoint-view.tsx'

const session = ['developer', 'pro'] as const
const PATH = `${WEBHOOKS_PATH}/:id/deliveries/:eventId`

export const deliveryPages = (deps: Deps) =>
  new Elysia({ name: 'delivery-pages' })
    .use(guard(deps))
    .use(deliveryActions(deps))
    .get(
      DELIVERIES_PATH,
      async function getAllDeliveries({ ctx, authenticated: by, query }) {
        const { accountId } = shownAccountOf(by)
        const filter = filterOf(query)
        const [list, webhooks] = await Promise.all([
          listAccountDeliveries(ctx.as({ accountId }), filter),
          listAllWebhooks(ctx.as({ accountId })),
        ])
        const content = allDeliveriesView(list, { filter, isLive: query.live === '1' }, webhooks)
        return renderConsolePage(ctx, by, {
          title: 'Deliveries',
          content,
          scripts: ['htmx.js'],
          styles: ['operator.css'],
        })
      },
      { session, query: AllDeliveriesQuery },
    )
    .get(
      PATH,
      async function getDeliveryPage({ ctx, authenticated: by, params: { id, eventId } }) {
        const { delivery, webhook, parts } = await deliveryOf(ctx, by, id, eventId)
        const content = deliveryView(by.session, `${WEBHOOKS_PATH}/${id}`, {
          delivery,
          webhook,
          hasTrace: parts.length > 0,
        })
        const assets = { scripts: ['console.js'], styles: ['operator.css'] } as const
        return renderConsolePage(ctx, by, { title: delivery.type, content, ...assets })
      },
      { session, params: DeliveryParams },
    )
    .get(
      `${PATH}/trace`,
      async function getDeliveryTrace({ ctx, authenticated: by, params: { id, eventId } }) {
        const { delivery, parts } = await deliveryOf(ctx, by, id, eventId)
        if (parts.length === 0) throw new AppError('not_found', 'The trace of this delivery was not kept.')
        const content = (
          <>
            <BackLink href={`${WEBHOOKS_PATH}/${id}/deliveries/${eventId}`}>{delivery.type}</BackLink>
            <PageHeading>Trace</PageHeading>
            <p class="lead">From the request that caused the event to its delivery to you.</p>
            {deliverySpansView(parts)}
          </>
        )
        return renderConsolePage(ctx, by, { title: 'Trace', content, styles: ['ops.css'] })
      },
      { session, params: DeliveryParams },
    )

/** A delivery with its endpoint and the parts of its trace that concern it. */
async function deliveryOf(ctx: Ctx, by: AuthenticatedRequest, id: string, eventId: string) {
  const accountId = await endpointAccountOf(ctx, by, id)
  const [delivery, webhook] = await Promise.all([
    getDelivery(ctx.as({ accountId }), { id, eventId }),
    getWebhook(ctx.as({ accountId }), { id }),
  ])
  const traceId = traceIdOf(delivery)
  const parts = traceId === undefined ? [] : partsOfDelivery(await findTrace(ctx, { traceId }), eventId)
  return { delivery, webhook, parts }
}

const deliveryActions = (deps: Deps) =>
  new Elysia({ name: 'delivery-actions' })
    .use(guard(deps))
    .post(
      `${PATH}/replay`,
      async function postDeliveryReplay({ ctx, authenticated: by, params: { id, eventId } }) {
        const path = `${WEBHOOKS_PATH}/${id}/deliveries/${eventId}`
        return await runAction(ctx, by, path, async () => {
          await sendNow(ctx.as({ accountId: await endpointAccountOf(ctx, by, id) }), { id, eventId })
          return 'The event is being sent. Reload the page to see the result.'
        })
      },
      { session, params: DeliveryParams },
    )
    .get(`${WEBHOOKS_PATH}/:id/replay`, ({ params: { id } }) => redirect(`${WEBHOOKS_PATH}/${id}`), {
      session,
      params: WebhookParams,
    })
    .post(
      `${WEBHOOKS_PATH}/:id/replay`,
      async function postReplay({ ctx, authenticated: by, params: { id } }) {
        return await submitForm(
          ReplayForm,
          by.form,
          async ({ from, to, state }) => {
            const range = { from: instantOf(from), to: instantOf(to), state }
            const account = ctx.as({ accountId: await endpointAccountOf(ctx, by, id) })
            const { replayed, continueFrom } = await replayMany(account, { ...range, id })
            const rest = continueFrom === null ? '' : ` There are more from ${continueFrom} on.`
            const text = `Sending ${plural(replayed, 'delivery', 'deliveries')} again.${rest}`
            return redirectWithFlash(ctx, by.session, `${WEBHOOKS_PATH}/${id}`, { tone: 'good', text })
          },
          (replayState) => renderEndpoint(ctx, by, { id, filter: {}, replayState }),
        )
      },
      { session, params: WebhookParams, form: ReplayForm },
    )
