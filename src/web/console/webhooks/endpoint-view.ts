// The views of webhook endpoints: the list, and one endpoint with its settings.
import { DEFAULT_EVENT_KINDS, EVENTS, EVENT_KINDS } from '../../../webhooks/endpoints/events.ts'
import type { DeliveryFilter, Webhook } from '../../../webhooks/endpoints/schemas.ts'
import type { Session } from '../../../http/session.ts'
import { dateTime, plural } from '../../../platform/text/format.ts'
import {
  EMPTY_FORM,
  type FormState,
  actionButton,
  checkbox,
  checkboxes,
  csrfField,
  disclosure,
  idempotencyField,
  problemBox,
  textField,
} from '../../ui/forms.ts'
import { type Html, html } from '../../../platform/text/html.ts'
import { backLink, badge, buttonRow, detailList, emptyState, pageHeading, table } from '../../ui/parts.ts'
import { type Deliveries, DELIVERIES_PATH, endpointDeliveriesView } from './delivery-view.ts'

export const WEBHOOKS_PATH = '/console/webhooks'

interface Endpoints {
  webhooks: readonly Webhook[]
  formState: FormState
  idempotencyKey: string
}

export const endpointListView = (session: Session, { webhooks, formState, idempotencyKey }: Endpoints): Html => html`
  ${pageHeading('Webhooks', webhooks.length > 0 && html`<a href="${DELIVERIES_PATH}">All deliveries</a>`)}
  ${disclosure(
    'Add an endpoint',
    html`<form method="post" action="${WEBHOOKS_PATH}">
      ${csrfField(session)} ${idempotencyField(idempotencyKey)} ${problemBox(formState)} ${endpointFields(formState)}
      <button>Add endpoint</button>
    </form>`,
    { isOpen: webhooks.length === 0 || formState !== EMPTY_FORM },
  )}
  ${
    webhooks.length === 0
      ? emptyState('No endpoints yet', 'Hearth sends signed events to the URL of an endpoint.')
      : table(
          'Webhook endpoints',
          ['Endpoint', 'Events', 'Status', 'Created'],
          webhooks.map((webhook) => [
            html`<div>
              <a href="${WEBHOOKS_PATH}/${webhook.id}">${webhook.name}</a><br /><code>${webhook.url}</code>
            </div>`,
            eventsOf(webhook),
            html`<div>${statusOf(webhook)}</div>`,
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
      label: 'URL',
      type: 'url',
      hint: 'An https URL on the public Internet',
      placeholder: 'https://shop.example/hooks',
      maxLength: 2048,
      value: webhook?.url ?? '',
      formState,
    })}
    ${checkboxes({
      name: 'events',
      label: 'Events',
      choices: EVENT_KINDS.map((kind) => ({ value: kind, label: kind, title: EVENTS[kind] })),
      checked: webhook?.events ?? DEFAULT_EVENT_KINDS,
      formState,
    })}
    ${textField({
      name: 'maxRetries',
      label: 'Retries',
      type: 'number',
      min: 0,
      max: 15,
      value: String(webhook?.maxRetries ?? 8),
      formState,
    })}
    ${checkbox({
      name: 'ordered',
      label: 'Deliver in order',
      hint: 'Each event waits until the previous one is delivered or has failed.',
      ...(webhook?.ordered ? { value: 'on' } : {}),
      formState,
    })}
  `
}

const eventsOf = ({ events }: Webhook): string =>
  events.length === EVENT_KINDS.length ? 'All' : plural(events.length, 'event type')

const REASONS = {
  by_owner: 'by you',
  gone: 'it responded with 410 Gone',
  failing: 'all deliveries failed for five days',
} as const

const statusOf = ({ status, disabledReason, failingSince }: Webhook): Html => {
  if (status === 'disabled') return html`${badge('Disabled', 'bad')} ${disabledReason && REASONS[disabledReason]}`
  if (failingSince !== null) return html`${badge('Failing', 'wait')} since ${dateTime(failingSince)}`
  return badge('Enabled', 'good')
}

interface Endpoint {
  /** Of test mode. */
  isTest: boolean
  webhook: Webhook
  list: Deliveries
  filter: DeliveryFilter
  isLive: boolean
  formState: FormState
  now: Date
}

export function endpointView(
  session: Session,
  { webhook, isTest, list, filter, isLive, formState, now }: Endpoint,
): Html {
  const path = `${WEBHOOKS_PATH}/${webhook.id}`
  const isEnabled = webhook.status === 'enabled'
  const toggle = isEnabled
    ? { label: 'Disable', fields: { status: 'disabled' } }
    : { label: 'Enable', fields: { status: 'enabled' }, tone: 'plain' as const }
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
      ['Status', statusOf(webhook)],
      ['Mode', isTest ? 'Test: events of test bookings only' : session.testAccountId !== null && 'Live'],
      ['URL', html`<code>${webhook.url}</code>`],
      ['Events', webhook.events.length === EVENT_KINDS.length ? 'All' : webhook.events.join(', ')],
      ['Retries', `Up to ${webhook.maxRetries}${webhook.ordered ? ', in order' : ''}`],
      ['Previous secret', webhook.previousSecretUntil && html`Signs until ${dateTime(webhook.previousSecretUntil)}`],
    ])}
    ${settings(session, path, webhook, formState)}
    ${endpointDeliveriesView(session, path, { list, filter, isLive, now })}
  `
}

const settings = (session: Session, path: string, webhook: Webhook, formState: FormState): Html =>
  buttonRow(html`
    ${disclosure(
      'Edit',
      html`<form method="post" action="${path}">
        ${csrfField(session)} ${problemBox(formState)} ${endpointFields(formState, webhook)}
        <button>Save</button>
      </form>`,
      { isOpen: formState !== EMPTY_FORM },
    )}
    ${disclosure(
      'Rotate the secret',
      html`<p>Creates a new secret. The current one keeps signing for 24 hours, so that you can switch.</p>
        ${actionButton(session, { action: `${path}/secret`, label: 'Rotate secret', tone: 'plain' })}`,
    )}
    ${disclosure(
      'Delete',
      html`<p>Hearth stops sending events to this endpoint and deletes its delivery log.</p>
        ${actionButton(session, { action: `${path}/delete`, label: 'Delete endpoint', tone: 'danger' })}`,
    )}
  `)
