// The views of webhook deliveries: an endpoint's list, and one delivery with its attempts.
import type {
  Delivery,
  DeliveryDetail,
  DeliveryList,
  DeliveryQuery,
  DeliveryState,
} from '../../../webhooks/endpoints/schemas.ts'
import type { Session } from '../../../http/session.ts'
import { dateTime, exactDateTime } from '../../../platform/text/format.ts'
import { actionButton, csrfField, disclosure, selectField, textField } from '../../ui/forms.ts'
import { type Html, html } from '../../../platform/text/html.ts'
import { backLink, badge, detailList, emptyState, pageHeading, pager, section, table, tabs } from '../../ui/parts.ts'

const STATE_TABS = [
  { value: '', label: 'All' },
  { value: 'pending', label: 'In progress' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'failed', label: 'Failed' },
]

export function deliveryListView(
  session: Session,
  path: string,
  { list, query, now }: { list: DeliveryList; query: DeliveryQuery; now: Date },
): Html {
  const chosen = query.state ?? ''
  const filter: Record<string, string> = chosen === '' ? {} : { state: chosen }
  const isInProgress = list.deliveries.some(({ state }) => state === 'pending')
  const at = new URLSearchParams({ ...filter, offset: String(list.meta.offset) }).toString()
  // The list refreshes while a delivery is in progress.
  const refresh =
    isInProgress && html`hx-get="${path}?${at}" hx-trigger="every 2s" hx-select="#deliveries" hx-swap="outerHTML"`
  return html`<div id="deliveries" ${refresh}>
    ${section(
      'Deliveries',
      html`
        ${tabs('Deliveries by status', { path, parameter: 'state', chosen }, STATE_TABS)}
        ${
          list.deliveries.length === 0
            ? emptyState('No deliveries', 'New events and test events appear here.')
            : table(
                'Deliveries',
                ['Event', 'Created', 'Status', 'Attempts', 'Last response'],
                list.deliveries.map((delivery) => deliveryRow(path, delivery)),
              )
        }
        ${pager(path, list.meta, filter)} ${replayForm(session, path, now)}
      `,
    )}
  </div>`
}

const deliveryRow = (path: string, { eventId, type, createdAt, state, attempts, nextAttemptAt }: Delivery) => {
  const last = attempts.at(-1)
  return [
    html`<div><a href="${path}/deliveries/${eventId}">${type}</a></div>`,
    dateTime(createdAt),
    html`<div>
      ${deliveryState(state)}
      ${state === 'pending' && nextAttemptAt && html`<br /><span class="hint">next ${dateTime(nextAttemptAt)}</span>`}
    </div>`,
    String(attempts.length),
    last ? (last.status ?? last.error) : '–',
  ]
}

const DELIVERY_STATES: Record<DeliveryState, Html> = {
  pending: badge('In progress', 'wait'),
  delivered: badge('Delivered', 'good'),
  failed: badge('Failed', 'bad'),
}

const deliveryState = (state: DeliveryState): Html => DELIVERY_STATES[state]

/** The format of `datetime-local`, to the minute, in UTC. */
const localMinute = (instant: Date): string => instant.toISOString().slice(0, 16)

const replayForm = (session: Session, path: string, now: Date): Html =>
  disclosure(
    'Resend events of a period',
    html`<form method="post" action="${path}/replay">
      ${csrfField(session)}
      <div class="side-by-side">
        ${textField({ name: 'from', label: 'From (UTC)', type: 'datetime-local', value: localMinute(new Date(now.getTime() - 86_400_000)) })}
        ${textField({ name: 'to', label: 'To (UTC)', type: 'datetime-local', value: localMinute(new Date(now.getTime() + 60_000)) })}
        ${selectField({
          name: 'state',
          label: 'Status',
          value: 'failed',
          choices: [
            { value: 'failed', label: 'Failed' },
            { value: 'delivered', label: 'Delivered' },
            { value: 'all', label: 'All' },
          ],
        })}
      </div>
      <button class="small">Resend</button>
    </form>`,
  )

export const deliveryView = (session: Session, path: string, delivery: DeliveryDetail): Html => html`
  ${backLink('Endpoint', path)}
  ${pageHeading(
    delivery.type,
    delivery.state !== 'pending' &&
      actionButton(session, {
        action: `${path}/deliveries/${delivery.eventId}/replay`,
        label: 'Resend',
        tone: 'plain',
      }),
  )}
  ${detailList([
    ['Status', deliveryState(delivery.state)],
    ['Event', html`<code>${delivery.eventId}</code>`],
    ['Created', exactDateTime(delivery.createdAt)],
    ['Finished', delivery.finishedAt && exactDateTime(delivery.finishedAt)],
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
  ${section('Body', html`<pre>${formatted(delivery.body)}</pre>`)}
`

/** The JSON body with line breaks for reading. The signature covers the original bytes. */
function formatted(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2)
}
