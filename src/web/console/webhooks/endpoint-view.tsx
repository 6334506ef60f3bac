/** @jsxImportSource preact */
// The views of webhook endpoints: the list, and one endpoint with its settings.
import { DEFAULT_EVENT_KINDS, EVENTS, EVENT_KINDS } from '../../../webhooks/endpoints/events.ts'
import { type DeliveryFilter, NewWebhook, type Webhook } from '../../../webhooks/endpoints/schemas.ts'
import type { Session } from '../../../http/session.ts'
import { Time } from '../../ui/time.tsx'
import { plural } from '../../../platform/text/format.ts'
import { EMPTY_FORM, type FormState, ActionButton, Form } from '../../ui/form.tsx'
import { Fields, defineForm } from '../../ui/define-form.tsx'
import { Disclosure, Button } from '../../ui/buttons.tsx'
import type { VNode } from 'preact'
import { BackLink, PageHeading } from '../../ui/headings.tsx'
import { Badge } from '../../ui/badge.tsx'
import { ButtonRow } from '../../ui/buttons.tsx'
import { DetailList, Table } from '../../ui/table.tsx'
import { EmptyState } from '../../ui/lists.tsx'
import { type Deliveries, DELIVERIES_PATH, endpointDeliveriesView } from './delivery-view.tsx'

export const WEBHOOKS_PATH = '/console/webhooks'

interface Endpoints {
  webhooks: readonly Webhook[]
  formState: FormState
  idempotencyKey: string
}

export const endpointListView = (session: Session, { webhooks, formState, idempotencyKey }: Endpoints): VNode => (
  <>
    <PageHeading beside={webhooks.length > 0 && <a href={DELIVERIES_PATH}>All deliveries</a>}>Webhooks</PageHeading>
    <Disclosure label="Add an endpoint" isOpen={webhooks.length === 0 || formState !== EMPTY_FORM}>
      <Form
        of={EndpointForm}
        action={WEBHOOKS_PATH}
        session={session}
        idempotencyKey={idempotencyKey}
        formState={formState}
      >
        <Fields of={EndpointForm} values={NEW_ENDPOINT} />
        <Button>Add endpoint</Button>
      </Form>
    </Disclosure>
    {webhooks.length === 0 ? (
      <EmptyState title="No endpoints yet">The URL of an endpoint is sent signed events.</EmptyState>
    ) : (
      <Table
        caption="Webhook endpoints"
        columns={['Endpoint', 'Events', 'Status', 'Created']}
        rows={webhooks.map((webhook) => [
          <div>
            <a href={`${WEBHOOKS_PATH}/${webhook.id}`}>{webhook.name}</a>
            <br />
            <code>{webhook.url}</code>
          </div>,
          eventsOf(webhook),
          <div>{statusOf(webhook)}</div>,
          <Time instant={webhook.createdAt} />,
        ])}
      />
    )}
  </>
)

const { name, url, events, maxRetries, ordered } = NewWebhook.properties
export const EndpointForm = defineForm({
  name: { schema: name, label: 'Name' },
  url: {
    schema: url,
    label: 'URL',
    hint: 'An https URL on the public Internet',
    placeholder: 'https://shop.example/hooks',
  },
  events: {
    schema: events,
    label: 'Events',
    choices: EVENT_KINDS.map((kind) => ({ value: kind, label: kind, title: EVENTS[kind] })),
  },
  maxRetries: { schema: maxRetries, label: 'Retries', isOptional: false },
  ordered: {
    schema: ordered,
    label: 'Deliver in order',
    hint: 'Each event waits until the previous one is delivered or has failed.',
  },
})

const NEW_ENDPOINT = { events: DEFAULT_EVENT_KINDS, maxRetries: 8 }

const eventsOf = ({ events }: Webhook): string =>
  events.length === EVENT_KINDS.length ? 'All' : plural(events.length, 'event type')

const REASONS = {
  by_owner: 'by you',
  gone: 'it responded with 410 Gone',
  failing: 'all deliveries failed for five days',
} as const

const statusOf = ({ status, disabledReason, failingSince }: Webhook): VNode => {
  if (status === 'disabled')
    return (
      <>
        <Badge tone="bad">Disabled</Badge> {disabledReason && REASONS[disabledReason]}
      </>
    )
  if (failingSince !== null)
    return (
      <>
        <Badge tone="wait">Failing</Badge> since <Time instant={failingSince} />
      </>
    )
  return <Badge tone="good">Enabled</Badge>
}

interface Endpoint {
  /** Of test mode. */
  isTest: boolean
  webhook: Webhook
  list: Deliveries
  filter: DeliveryFilter
  isLive: boolean
  formState: FormState
  replayState: FormState
  now: Date
}

export function endpointView(
  session: Session,
  { webhook, isTest, list, filter, isLive, formState, replayState, now }: Endpoint,
): VNode {
  const path = `${WEBHOOKS_PATH}/${webhook.id}`
  const isEnabled = webhook.status === 'enabled'
  const toggle = isEnabled
    ? { label: 'Disable', fields: { status: 'disabled' } }
    : { label: 'Enable', fields: { status: 'enabled' }, tone: 'plain' as const }
  return (
    <>
      <BackLink href={WEBHOOKS_PATH}>Webhooks</BackLink>
      <PageHeading
        beside={
          <div class="actions">
            {isEnabled && (
              <ActionButton session={session} action={`${path}/test`} label="Send a test event" look="plain" />
            )}
            <ActionButton session={session} action={`${path}/status`} {...toggle} />
          </div>
        }
      >
        {webhook.name}
      </PageHeading>
      <DetailList
        pairs={[
          ['Status', statusOf(webhook)],
          ['Mode', isTest ? 'Test: events of test bookings only' : session.testAccountId !== null && 'Live'],
          ['URL', <code>{webhook.url}</code>],
          ['Events', webhook.events.length === EVENT_KINDS.length ? 'All' : webhook.events.join(', ')],
          ['Retries', `Up to ${webhook.maxRetries}${webhook.ordered ? ', in order' : ''}`],
          [
            'Previous secret',
            webhook.previousSecretUntil && (
              <>
                Signs until <Time instant={webhook.previousSecretUntil} />
              </>
            ),
          ],
        ]}
      />
      {settings(session, path, webhook, formState)}
      {endpointDeliveriesView(session, path, { list, filter, isLive, now, replayState })}
    </>
  )
}

const settings = (session: Session, path: string, webhook: Webhook, formState: FormState): VNode => (
  <ButtonRow>
    <Disclosure label="Edit" isOpen={formState !== EMPTY_FORM}>
      <Form of={EndpointForm} action={path} session={session} formState={formState}>
        <Fields of={EndpointForm} values={webhook} />
        <Button>Save</Button>
      </Form>
    </Disclosure>
    <Disclosure label="Rotate the secret">
      <p>Creates a new secret. The current one keeps signing for 24 hours, so that you can switch.</p>
      <ActionButton session={session} action={`${path}/secret`} label="Rotate secret" look="plain" />
    </Disclosure>
    <Disclosure label="Delete">
      <p>No more events are sent to this endpoint, and its delivery log is deleted.</p>
      <ActionButton session={session} action={`${path}/delete`} label="Delete endpoint" look="danger" />
    </Disclosure>
  </ButtonRow>
)
