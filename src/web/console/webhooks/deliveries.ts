// /console/webhooks/{id}/deliveries/{eventId}: what was sent and what was answered; and sending it again.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Deps } from '../../../deps.ts'
import { invalidField } from '../../../errors/app-error.ts'
import { getDelivery, replayMany, replayOne } from '../../../webhooks/endpoints/verbs/deliveries.ts'
import { type DeliveryDetail, DeliveryParams, WebhookParams } from '../../../webhooks/endpoints/schemas.ts'
import { guard } from '../../../http/guard.ts'
import { type Session, accountOf } from '../../../http/session.ts'
import { OneOf, isInstant } from '../../../platform/schema/types.ts'
import { renderConsolePage } from '../../ui/responses.ts'
import { runAction, runFormAction } from '../../ui/submit.ts'
import { exactDateTime, plural } from '../../ui/format.ts'
import { actionButton } from '../../ui/forms.ts'
import { type Html, html } from '../../ui/html.ts'
import { detailList, pageHeading, section, backLink } from '../../ui/parts.ts'
import { WEBHOOKS_PATH, deliveryState } from './view.ts'

const session = ['developer', 'pro'] as const
const PATH = `${WEBHOOKS_PATH}/:id/deliveries/:eventId`
const Minute = Type.String({ maxLength: 30 })
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
          return 'The event is on its way again.'
        })
      },
      { session, params: DeliveryParams },
    )
    .post(
      `${WEBHOOKS_PATH}/:id/replay`,
      async function postReplay({ authenticated: by, params: { id } }) {
        return await runFormAction(deps, by, `${WEBHOOKS_PATH}/${id}`, ReplayForm, async ({ from, to, state }) => {
          const range = { from: instantOf('from', from), to: instantOf('to', to), state }
          const { replayed, continueFrom } = await replayMany(deps, accountOf(by).accountId, id, range)
          const rest = continueFrom === null ? '' : ` There are more, from ${continueFrom} on.`
          return `${plural(replayed, 'delivery', 'deliveries')} sent again.${rest}`
        })
      },
      { session, params: WebhookParams, form: ReplayForm },
    )

/** What `datetime-local` sends, in UTC: `2026-06-01T12:00`, with or without seconds. */
function instantOf(field: string, text: string): string {
  const instant = `${text.length === 16 ? `${text}:00` : text}Z`
  if (!isInstant(instant)) throw invalidField(field, 'must be a time as 2026-06-01T12:00')
  return instant
}

const deliveryView = (session: Session, path: string, delivery: DeliveryDetail): Html => html`
  ${backLink('The endpoint', path)}
  ${pageHeading(
    delivery.type,
    delivery.state !== 'pending' &&
      actionButton(session, {
        action: `${path}/deliveries/${delivery.eventId}/replay`,
        label: 'Send again',
        tone: 'plain',
      }),
  )}
  ${detailList([
    ['State', deliveryState(delivery.state)],
    ['Event', html`<code>${delivery.eventId}</code>`],
    ['Happened', exactDateTime(delivery.createdAt)],
    ['Done', delivery.finishedAt && exactDateTime(delivery.finishedAt)],
    ['Next attempt', delivery.nextAttemptAt && exactDateTime(delivery.nextAttemptAt)],
  ])}
  ${section(
    'Attempts',
    delivery.attempts.length === 0
      ? html`<p class="lead">None yet.</p>`
      : html`<ol class="attempts">
          ${delivery.attempts.map(
            ({ number, at, durationMs, status, error, response }) =>
              html`<li>
                <p><strong>${number}.</strong> ${exactDateTime(at)}: ${status ?? error} after ${durationMs} ms</p>
                ${response && html`<pre>${response}</pre>`}
              </li>`,
          )}
        </ol>`,
  )}
  ${section('What is sent', html`<pre>${readable(delivery.body)}</pre>`)}
`

/** The bytes are what was signed; for reading they are set out in lines. */
function readable(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2)
}
