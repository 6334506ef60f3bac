// What the pages of webhooks look like.
import { EVENTS, EVENT_KINDS } from '../../../webhooks/endpoints/events.ts'
import type {
  Delivery,
  DeliveryList,
  DeliveryQuery,
  DeliveryState,
  Webhook,
} from '../../../webhooks/endpoints/schemas.ts'
import type { Session } from '../../../http/session.ts'
import { dateTime, plural } from '../../ui/format.ts'
import {
  type FormState,
  EMPTY_FORM,
  actionButton,
  checkbox,
  checkboxes,
  disclosure,
  idempotencyField,
  problemBox,
  csrfField,
  selectField,
  textField,
} from '../../ui/forms.ts'
import { type Html, html } from '../../ui/html.ts'
import {
  badge,
  buttonRow,
  emptyState,
  detailList,
  pageHeading,
  pager,
  section,
  table,
  tabs,
  backLink,
} from '../../ui/parts.ts'

export const WEBHOOKS_PATH = '/console/webhooks'

interface Endpoints {
  webhooks: readonly Webhook[]
  formState: FormState
  idempotencyKey: string
}

export const endpointListView = (session: Session, { webhooks, formState, idempotencyKey }: Endpoints): Html => html`
  ${pageHeading('Webhooks')}
  ${disclosure(
    'Add an endpoint',
    html`<form method="post" action="${WEBHOOKS_PATH}">
      ${csrfField(session)} ${idempotencyField(idempotencyKey)} ${problemBox(formState)} ${endpointFields(formState)}
      <button>Add the endpoint</button>
    </form>`,
    { isOpen: webhooks.length === 0 || formState !== EMPTY_FORM },
  )}
  ${
    webhooks.length === 0
      ? emptyState('No endpoints yet', 'An endpoint is an address of yours to which events are sent, signed.')
      : table(
          'Webhook endpoints',
          ['Endpoint', 'Events', 'State', 'Since'],
          webhooks.map((webhook) => [
            html`<div>
              <a href="${WEBHOOKS_PATH}/${webhook.id}">${webhook.name}</a><br /><code>${webhook.url}</code>
            </div>`,
            eventsOf(webhook),
            html`<div>${stateOf(webhook)}</div>`,
            dateTime(webhook.createdAt),
          ]),
        )
  }
`

function endpointFields(formState: FormState, webhook?: Webhook): Html {
  return html`
    ${textField({ name: 'name', label: 'Name', maxLength: 200, value: webhook?.name ?? '', formState })}
    ${textField({
      name: 'url',
      label: 'Address',
      type: 'url',
      hint: 'https, and reachable from the public Internet',
      placeholder: 'https://shop.example/hooks',
      maxLength: 2048,
      value: webhook?.url ?? '',
      formState,
    })}
    ${checkboxes({
      name: 'events',
      label: 'Events',
      choices: EVENT_KINDS.map((kind) => ({ value: kind, label: kind, title: EVENTS[kind] })),
      checked: webhook?.events ?? EVENT_KINDS,
      formState,
    })}
    ${textField({
      name: 'maxRetries',
      label: 'Attempts after the first',
      type: 'number',
      min: 0,
      max: 15,
      value: String(webhook?.maxRetries ?? 8),
      formState,
    })}
    ${checkbox({
      name: 'ordered',
      label: 'One at a time, in the order of the events',
      hint: 'The next waits until the one before is done with.',
      ...(webhook?.ordered ? { value: 'on' } : {}),
      formState,
    })}
  `
}

const eventsOf = ({ events }: Webhook): string =>
  events.length === EVENT_KINDS.length ? 'All' : plural(events.length, 'kind')

const REASONS = {
  by_owner: 'by you',
  gone: 'it answered 410',
  failing: 'nothing reached it for five days',
} as const

const stateOf = ({ status, disabledReason, failingSince }: Webhook): Html => {
  if (status === 'disabled') return html`${badge('Disabled', 'bad')} ${disabledReason && REASONS[disabledReason]}`
  if (failingSince !== null) return html`${badge('Failing', 'wait')} since ${dateTime(failingSince)}`
  return badge('Enabled', 'good')
}

interface Endpoint {
  webhook: Webhook
  list: DeliveryList
  query: DeliveryQuery
  formState: FormState
  now: Date
}

export function endpointView(session: Session, { webhook, list, query, formState, now }: Endpoint): Html {
  const path = `${WEBHOOKS_PATH}/${webhook.id}`
  const isEnabled = webhook.status === 'enabled'
  const toggle = isEnabled
    ? { label: 'Disable', fields: { status: 'disabled' } }
    : { label: 'Enable again', fields: { status: 'enabled' }, tone: 'plain' as const }
  return html`
    ${backLink('Webhooks', WEBHOOKS_PATH)}
    ${pageHeading(
      webhook.name,
      html`<div class="actions">
        ${isEnabled && actionButton(session, { action: `${path}/test`, label: 'Send a test event', tone: 'plain' })}
        ${actionButton(session, { action: `${path}/status`, ...toggle })}
      </div>`,
    )}
    ${detailList([
      ['State', stateOf(webhook)],
      ['Address', html`<code>${webhook.url}</code>`],
      ['Events', webhook.events.length === EVENT_KINDS.length ? 'All' : webhook.events.join(', ')],
      ['Attempts', `1 and up to ${webhook.maxRetries} more${webhook.ordered ? ', one event at a time' : ''}`],
      [
        'Secrets',
        webhook.previousSecretUntil && html`The one before signs, too, until ${dateTime(webhook.previousSecretUntil)}`,
      ],
    ])}
    ${settings(session, path, webhook, formState)} ${deliveries(session, path, { list, query, now })}
  `
}

const settings = (session: Session, path: string, webhook: Webhook, formState: FormState): Html =>
  buttonRow(html`
    ${disclosure(
      'Change',
      html`<form method="post" action="${path}">
        ${csrfField(session)} ${problemBox(formState)} ${endpointFields(formState, webhook)}
        <button>Save</button>
      </form>`,
      { isOpen: formState !== EMPTY_FORM },
    )}
    ${disclosure(
      'Rotate the secret',
      html`<p>There is a new secret. The present one signs, too, for 24 hours, so that you can change over.</p>
        ${actionButton(session, { action: `${path}/secret`, label: 'Make a new secret', tone: 'plain' })}`,
    )}
    ${disclosure(
      'Delete',
      html`<p>Nothing is sent there any more, and what was sent is forgotten.</p>
        ${actionButton(session, { action: `${path}/delete`, label: 'Delete the endpoint', tone: 'danger' })}`,
    )}
  `)

const STATE_TABS = [
  { value: '', label: 'All' },
  { value: 'pending', label: 'Under way' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'failed', label: 'Failed' },
]

function deliveries(
  session: Session,
  path: string,
  { list, query, now }: { list: DeliveryList; query: DeliveryQuery; now: Date },
): Html {
  const chosen = query.state ?? ''
  const filter: Record<string, string> = chosen === '' ? {} : { state: chosen }
  const isUnderWay = list.deliveries.some(({ state }) => state === 'pending')
  const at = new URLSearchParams({ ...filter, offset: String(list.meta.offset) }).toString()
  // As long as something is under way, the list looks again by itself.
  const refresh =
    isUnderWay && html`hx-get="${path}?${at}" hx-trigger="every 2s" hx-select="#deliveries" hx-swap="outerHTML"`
  return html`<div id="deliveries" ${refresh}>
    ${section(
      'Deliveries',
      html`
        ${tabs('Deliveries by state', { path, parameter: 'state', chosen }, STATE_TABS)}
        ${
          list.deliveries.length === 0
            ? emptyState('Nothing here', 'Events that happen from now on appear here, and test events.')
            : table(
                'Deliveries',
                ['Event', 'When', 'State', 'Attempts', 'Last answer'],
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
  pending: badge('Under way', 'wait'),
  delivered: badge('Delivered', 'good'),
  failed: badge('Failed', 'bad'),
}

export const deliveryState = (state: DeliveryState): Html => DELIVERY_STATES[state]

/** As `datetime-local` writes it, to the minute. */
const localMinute = (instant: Date): string => instant.toISOString().slice(0, 16)

const replayForm = (session: Session, path: string, now: Date): Html =>
  disclosure(
    'Send again what happened in a time',
    html`<form method="post" action="${path}/replay">
      ${csrfField(session)}
      <div class="side-by-side">
        ${textField({ name: 'from', label: 'From, UTC', type: 'datetime-local', value: localMinute(new Date(now.getTime() - 86_400_000)) })}
        ${textField({ name: 'to', label: 'To, UTC', type: 'datetime-local', value: localMinute(new Date(now.getTime() + 60_000)) })}
        ${selectField({
          name: 'state',
          label: 'Which',
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
