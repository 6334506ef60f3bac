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

interface Shown {
  filter: DeliveryFilter
  isLive: boolean
}

export interface Deliveries {
  deliveries: readonly AccountDelivery[]
  meta: PageMeta
}

/** The deliveries of one endpoint, whose page is at `path`. */
export const endpointDeliveriesView = (
  session: Session,
  path: string,
  { list, now, ...shown }: Shown & { list: Deliveries; now: Date },
): Html =>
  section(
    'Deliveries',
    html`${filterForm(path, shown.filter)} ${liveList(path, list, shown, deliveryTable(list, shown.filter))}
    ${replayForm(session, path, now)}`,
  )

/** The deliveries of all endpoints. */
export const allDeliveriesView = (list: Deliveries, shown: Shown, webhooks: readonly Webhook[]): Html => html`
  ${backLink('Webhooks', WEBHOOKS_PATH)} ${pageHeading('Deliveries')}
  ${filterForm(DELIVERIES_PATH, shown.filter, webhooks)}
  ${liveList(DELIVERIES_PATH, list, shown, deliveryTable(list, shown.filter, { withEndpoint: true }))}
`

/** The list refreshes while a delivery is in progress, and on its first page for as long as a person wants. */
function liveList(path: string, { deliveries, meta }: Deliveries, { filter, isLive }: Shown, content: Html): Html {
  const query = queryOf(filter)
  const address = (more: Record<string, string>) => `${path}?${new URLSearchParams({ ...query, ...more }).toString()}`
  const here = address({ ...(isLive ? { live: '1' } : {}), offset: String(meta.offset) })
  const refresh =
    (isLive || deliveries.some(({ state }) => state === 'pending')) &&
    html`hx-get="${here}" hx-trigger="every 2s" hx-select="#deliveries" hx-swap="outerHTML"`
  const watch = isLive
    ? html`The list shows new deliveries by itself. <a id="live" href="${address({})}">Stop</a>`
    : html`<a id="live" href="${address({ live: '1' })}">Watch live</a>`
  return html`<div id="deliveries" ${refresh}>
    ${meta.offset === 0 && html`<p class="hint scripted">${watch}</p>`} ${content} ${pager(path, meta, query)}
  </div>`
}

const queryOf = ({ endpointId, type, state, about, day }: DeliveryFilter): Record<string, string> => ({
  ...(endpointId && { endpoint: endpointId }),
  ...(type && { type }),
  ...(state && { state }),
  ...(about && { about }),
  ...(day && { day }),
})

const filterForm = (
  path: string,
  { endpointId, type, state, about, day }: DeliveryFilter,
  webhooks?: readonly Webhook[],
): Html =>
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
    ${textField({ name: 'day', label: 'Day (UTC)', type: 'date', isOptional: true, saysOptional: false, value: day ?? '' })}
    ${textField({
      name: 'about',
      label: 'Id or booking code',
      isOptional: true,
      saysOptional: false,
      maxLength: 100,
      value: about ?? '',
    })}
    <button class="small plain">Filter</button>
  </form>`

function deliveryTable(
  { deliveries }: Deliveries,
  { about, ...filter }: DeliveryFilter,
  { withEndpoint = false } = {},
): Html {
  if (deliveries.length === 0 && about !== undefined)
    return emptyState(
      `No delivery is about “${about}”`,
      'Enter the id of an event (evt_…), the code of a booking, or the id of a booking, request, quote or review.',
    )
  if (deliveries.length === 0)
    return Object.values(queryOf(filter)).length === 0
      ? emptyState('No deliveries', 'New events and test events appear here.')
      : emptyState('No delivery is like this', 'Choose other filters.')
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
    // The id keeps the focus on the link when the list refreshes.
    html`<div>
      <a id="${eventId}-${endpoint.id}" href="${WEBHOOKS_PATH}/${endpoint.id}/deliveries/${eventId}">${type}</a>
    </div>`,
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
