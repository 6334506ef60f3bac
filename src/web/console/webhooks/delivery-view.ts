// The views of lists of webhook deliveries: of one endpoint, and of all.
import { EVENT_KINDS, TEST_EVENT } from '../../../webhooks/endpoints/events.ts'
import type { AccountDelivery, DeliveryFilter, DeliveryState, Webhook } from '../../../webhooks/endpoints/schemas.ts'
import type { Session } from '../../../http/session.ts'
import type { PageMeta } from '../../../platform/schema/paging.ts'
import { dateTime } from '../../../platform/text/format.ts'
import { csrfField, disclosure, selectField, textField } from '../../ui/forms.ts'
import { type Html, type HtmlValue, html } from '../../../platform/text/html.ts'
import { backLink, badge, emptyState, pageHeading, pager, section, table } from '../../ui/parts.ts'

const WEBHOOKS_PATH = '/console/webhooks'
export const DELIVERIES_PATH = `${WEBHOOKS_PATH}/deliveries`

const STATES = [
  { value: '', label: 'Any' },
  { value: 'pending', label: 'In progress' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'failed', label: 'Failed' },
]
const TYPES = [
  { value: '', label: 'Any' },
  ...[...EVENT_KINDS, TEST_EVENT].map((kind) => ({ value: kind, label: kind })),
]

export interface Deliveries {
  deliveries: readonly AccountDelivery[]
  meta: PageMeta
}

/** The deliveries of one endpoint, whose page is at `path`. */
export const endpointDeliveriesView = (
  session: Session,
  path: string,
  { list, filter, now }: { list: Deliveries; filter: DeliveryFilter; now: Date },
): Html =>
  refreshed(
    path,
    list,
    filter,
    section(
      'Deliveries',
      html`${filterForm(path, filter)} ${deliveryTable(list)} ${pagerOf(path, list, filter)}
      ${replayForm(session, path, now)}`,
    ),
  )

/** The deliveries of all endpoints. */
export const allDeliveriesView = (list: Deliveries, filter: DeliveryFilter, webhooks: readonly Webhook[]): Html => html`
  ${backLink('Webhooks', WEBHOOKS_PATH)} ${pageHeading('Deliveries')}
  ${refreshed(
    DELIVERIES_PATH,
    list,
    filter,
    html`${filterForm(DELIVERIES_PATH, filter, webhooks)} ${deliveryTable(list, { withEndpoint: true })}
    ${pagerOf(DELIVERIES_PATH, list, filter)}`,
  )}
`

/** The list refreshes while a delivery is in progress. */
function refreshed(path: string, { deliveries, meta }: Deliveries, filter: DeliveryFilter, content: Html): Html {
  const at = new URLSearchParams({ ...queryOf(filter), offset: String(meta.offset) }).toString()
  const refresh =
    deliveries.some(({ state }) => state === 'pending') &&
    html`hx-get="${path}?${at}" hx-trigger="every 2s" hx-select="#deliveries" hx-swap="outerHTML"`
  return html`<div id="deliveries" ${refresh}>${content}</div>`
}

const queryOf = ({ endpointId, type, state }: DeliveryFilter): Record<string, string> => ({
  ...(endpointId && { endpoint: endpointId }),
  ...(type && { type }),
  ...(state && { state }),
})

const pagerOf = (path: string, { meta }: Deliveries, filter: DeliveryFilter) => pager(path, meta, queryOf(filter))

const filterForm = (path: string, { endpointId, type, state }: DeliveryFilter, webhooks?: readonly Webhook[]): Html =>
  html`<form method="get" action="${path}" class="filters" role="search">
    ${
      webhooks &&
      selectField({
        name: 'endpoint',
        label: 'Endpoint',
        isOptional: true,
        value: endpointId ?? '',
        choices: [{ value: '', label: 'Any' }, ...webhooks.map(({ id, name }) => ({ value: id, label: name }))],
      })
    }
    ${selectField({ name: 'type', label: 'Event', isOptional: true, choices: TYPES, value: type ?? '' })}
    ${selectField({ name: 'state', label: 'Status', isOptional: true, choices: STATES, value: state ?? '' })}
    <button class="small plain">Filter</button>
  </form>`

function deliveryTable({ deliveries }: Deliveries, { withEndpoint = false } = {}): Html {
  if (deliveries.length === 0) return emptyState('No deliveries', 'New events and test events appear here.')
  const columns = ['Event', 'Created', 'Status', 'Attempts', 'Last response', 'Took']
  return table(
    'Deliveries',
    withEndpoint ? ['Event', 'Endpoint', ...columns.slice(1)] : columns,
    deliveries.map((delivery) => {
      const [event, ...rest] = deliveryRow(delivery)
      const { id, name } = delivery.endpoint
      return withEndpoint
        ? [event, html`<div><a href="${WEBHOOKS_PATH}/${id}">${name}</a></div>`, ...rest]
        : [event, ...rest]
    }),
  )
}

const deliveryRow = ({
  endpoint,
  eventId,
  type,
  createdAt,
  state,
  attempts,
  nextAttemptAt,
}: AccountDelivery): HtmlValue[] => {
  const last = attempts.at(-1)
  return [
    html`<div><a href="${WEBHOOKS_PATH}/${endpoint.id}/deliveries/${eventId}">${type}</a></div>`,
    dateTime(createdAt),
    html`<div>
      ${deliveryState(state)}
      ${state === 'pending' && nextAttemptAt && html`<br /><span class="hint">next ${dateTime(nextAttemptAt)}</span>`}
    </div>`,
    String(attempts.length),
    last ? (last.status ?? last.error) : '–',
    last ? `${last.durationMs} ms` : '–',
  ]
}

const DELIVERY_STATES: Record<DeliveryState, Html> = {
  pending: badge('In progress', 'wait'),
  delivered: badge('Delivered', 'good'),
  failed: badge('Failed', 'bad'),
}

export const deliveryState = (state: DeliveryState): Html => DELIVERY_STATES[state]

/** The format of `datetime-local`, to the minute, in UTC. */
const localMinute = (instant: Date): string => instant.toISOString().slice(0, 16)

const replayForm = (session: Session, path: string, now: Date): Html =>
  disclosure(
    'Send the events of a period again',
    html`<form method="post" action="${path}/replay">
      ${csrfField(session)}
      <div class="side-by-side">
        ${textField({ name: 'from', label: 'From (UTC)', type: 'datetime-local', value: localMinute(new Date(now.getTime() - 86_400_000)) })}
        ${textField({ name: 'to', label: 'To (UTC)', type: 'datetime-local', value: localMinute(new Date(now.getTime() + 60_000)) })}
        ${selectField({
          name: 'state',
          id: 'replay-state',
          label: 'Status',
          value: 'failed',
          choices: [
            { value: 'failed', label: 'Failed' },
            { value: 'delivered', label: 'Delivered' },
            { value: 'all', label: 'All' },
          ],
        })}
      </div>
      <button class="small">Send again</button>
    </form>`,
  )
