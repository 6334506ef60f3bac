// /console/webhooks/{id}/deliveries/{eventId}: a delivery with its attempts, and resending.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Deps } from '../../../deps.ts'
import { invalidField } from '../../../errors/app-error.ts'
import { getDelivery, replayMany, replayOne } from '../../../webhooks/endpoints/verbs/deliveries.ts'
import { DeliveryParams, WebhookParams } from '../../../webhooks/endpoints/schemas.ts'
import { guard } from '../../../http/guard.ts'
import { accountOf } from '../../../http/session.ts'
import { OneOf, Text, isInstant } from '../../../platform/schema/types.ts'
import { renderConsolePage } from '../../ui/responses.ts'
import { runAction, runFormAction } from '../../ui/submit.ts'
import { plural } from '../../../platform/text/format.ts'
import { deliveryView } from './delivery-view.ts'
import { WEBHOOKS_PATH } from './endpoint-view.ts'

const session = ['developer', 'pro'] as const
const PATH = `${WEBHOOKS_PATH}/:id/deliveries/:eventId`
const Minute = Text(30)
const ReplayForm = Type.Object({ from: Minute, to: Minute, state: OneOf(['failed', 'delivered', 'all']) })

export const deliveryPages = (deps: Deps) =>
  new Elysia({ name: 'delivery-pages' })
    .use(guard(deps))
    .get(
      PATH,
      async function getDeliveryPage({ authenticated: by, params: { id, eventId } }) {
        const delivery = await getDelivery(deps, accountOf(by).accountId, id, eventId)
        const content = deliveryView(by.session, `${WEBHOOKS_PATH}/${id}`, delivery)
        return renderConsolePage(deps, by, { title: delivery.type, content })
      },
      { session, params: DeliveryParams },
    )
    .post(
      `${PATH}/replay`,
      async function postDeliveryReplay({ authenticated: by, params: { id, eventId } }) {
        const path = `${WEBHOOKS_PATH}/${id}/deliveries/${eventId}`
        return await runAction(deps, by, path, async () => {
          await replayOne(deps, accountOf(by).accountId, id, eventId)
          return 'The event is being resent.'
        })
      },
      { session, params: DeliveryParams },
    )
    .post(
      `${WEBHOOKS_PATH}/:id/replay`,
      async function postReplay({ authenticated: by, params: { id } }) {
        return await runFormAction(deps, by, `${WEBHOOKS_PATH}/${id}`, ReplayForm, async ({ from, to, state }) => {
          const range = { from: instantOf('from', from), to: instantOf('to', to), state }
          const { value } = await replayMany(deps, accountOf(by).accountId, id, range)
          const { replayed, continueFrom } = value
          const rest = continueFrom === null ? '' : ` There are more from ${continueFrom} on.`
          return `Resending ${plural(replayed, 'delivery', 'deliveries')}.${rest}`
        })
      },
      { session, params: WebhookParams, form: ReplayForm },
    )

/** The instant of a `datetime-local` field in UTC: `2026-06-01T12:00`, with or without seconds. */
function instantOf(field: string, text: string): string {
  const instant = `${text.length === 16 ? `${text}:00` : text}Z`
  if (!isInstant(instant)) throw invalidField(field, 'must be a date and time such as 2026-06-01T12:00')
  return instant
}
