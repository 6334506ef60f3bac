/** @jsxImportSource preact */
// The views of lists of webhook deliveries: of one endpoint, and of all.
import { Type } from '@sinclair/typebox'

import { EVENT_KINDS, TEST_EVENT } from '../../../webhooks/endpoints/events.ts'
import type { AccountDelivery, DeliveryFilter, DeliveryState, Webhook } from '../../../webhooks/endpoints/schemas.ts'
import type { Session } from '../../../http/session.ts'
import type { PageMeta } from '../../../platform/schema/paging.ts'
import { Time } from '../../ui/time.tsx'
import { EMPTY_FORM, type FormState, Form } from '../../ui/form.tsx'
import { Disclosure, Button } from '../../ui/buttons.tsx'
import { Fields, defineForm } from '../../ui/define-form.tsx'
import { CalendarDate, OneOf, Text, isInstant } from '../../../platform/schema/types.ts'
import type { ComponentChildren, VNode } from 'preact'
import { BackLink, PageHeading, Section } from '../../ui/headings.tsx'
import { Badge } from '../../ui/badge.tsx'
import { EmptyState, Pager } from '../../ui/lists.tsx'
import { Table } from '../../ui/table.tsx'
import { DeliveriesQuery } from './delivery-query.ts'

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

interface Replay {
  now: Date
  replayState: FormState
}

/** The deliveries of one endpoint, whose page is at `path`. */
export const endpointDeliveriesView = (
  session: Session,
  path: string,
  { list, now, replayState, ...shown }: Shown & Replay & { list: Deliveries },
): VNode => (
  <Section title="Deliveries">
    {filterForm(path, shown.filter)}
    {liveList(path, list, shown, deliveryTable(list, shown.filter))}
    {replayForm(session, path, { now, replayState })}
  </Section>
)

/** The deliveries of all endpoints. */
export const allDeliveriesView = (list: Deliveries, shown: Shown, webhooks: readonly Webhook[]): VNode => (
  <>
    <BackLink href={WEBHOOKS_PATH}>Webhooks</BackLink>
    <PageHeading>Deliveries</PageHeading>
    {filterForm(DELIVERIES_PATH, shown.filter, webhooks)}
    {liveList(DELIVERIES_PATH, list, shown, deliveryTable(list, shown.filter, { withEndpoint: true }))}
  </>
)

/** The list refreshes while a delivery is in progress, and on its first page for as long as a person wants. */
function liveList(path: string, { deliveries, meta }: Deliveries, { filter, isLive }: Shown, content: VNode): VNode {
  const query = queryOf(filter)
  const address = (more: Record<string, string>) => `${path}?${new URLSearchParams({ ...query, ...more }).toString()}`
  const here = address({ ...(isLive ? { live: '1' } : {}), offset: String(meta.offset) })
  const refresh = (isLive || deliveries.some(({ state }) => state === 'pending')) && {
    'hx-get': here,
    'hx-trigger': 'every 2s',
    'hx-select': '#deliveries',
    'hx-swap': 'outerHTML',
  }
  const watch = isLive ? (
    <>
      The list shows new deliveries by itself.{' '}
      <a id="live" href={address({})}>
        Stop
      </a>
    </>
  ) : (
    <a id="live" href={address({ live: '1' })}>
      Watch live
    </a>
  )
  return (
    <div id="deliveries" {...refresh}>
      {meta.offset === 0 && <p class="hint scripted">{watch}</p>}
      {content}
      <Pager path={path} meta={meta} query={query} />
    </div>
  )
}

const queryOf = ({ endpointId, type, state, about, day }: DeliveryFilter): Record<string, string> => ({
  ...(endpointId && { endpoint: endpointId }),
  ...(type && { type }),
  ...(state && { state }),
  ...(about && { about }),
  ...(day && { day }),
})

const { type, state, about } = DeliveriesQuery.properties
const FilterForm = defineForm({
  endpoint: { schema: Type.Optional(Text(36)), label: 'Endpoint' },
  type: { schema: type, label: 'Event', choices: TYPES },
  state: { schema: state, label: 'Status', choices: STATES },
  day: { schema: Type.Optional(CalendarDate()), label: 'Day (UTC)', saysOptional: false },
  about: { schema: about, label: 'Id or booking code', saysOptional: false },
})

const filterForm = (path: string, filter: DeliveryFilter, webhooks: readonly Webhook[] = []): VNode => (
  <form method="get" action={path} class="filters" role="search">
    <Fields
      of={FilterForm}
      names={[...(path === DELIVERIES_PATH ? (['endpoint'] as const) : []), 'type', 'state', 'day', 'about']}
      values={{ ...filter, endpoint: filter.endpointId }}
      choices={{
        endpoint: [{ value: '', label: 'Any' }, ...webhooks.map(({ id, name }) => ({ value: id, label: name }))],
      }}
    />
    <button class="small plain">Filter</button>
  </form>
)

function deliveryTable(
  { deliveries }: Deliveries,
  { about, ...filter }: DeliveryFilter,
  { withEndpoint = false } = {},
): VNode {
  if (deliveries.length === 0 && about !== undefined)
    return (
      <EmptyState title={`No delivery is about “${about}”`}>
        Enter the id of an event (evt_…), the code of a booking, or the id of a booking, request, quote or review.
      </EmptyState>
    )
  if (deliveries.length === 0)
    return Object.values(queryOf(filter)).length === 0 ? (
      <EmptyState title="No deliveries">New events and test events appear here.</EmptyState>
    ) : (
      <EmptyState title="No delivery is like this">Choose other filters.</EmptyState>
    )
  const columns = ['Event', 'Created', 'Status', 'Attempts', 'Last response', 'Took']
  return (
    <Table
      caption="Deliveries"
      columns={withEndpoint ? ['Event', 'Endpoint', ...columns.slice(1)] : columns}
      rows={deliveries.map((delivery) => {
        const [event, ...rest] = deliveryRow(delivery)
        const { id, name } = delivery.endpoint
        return withEndpoint
          ? [
              event,
              <div>
                <a href={`${WEBHOOKS_PATH}/${id}`}>{name}</a>
              </div>,
              ...rest,
            ]
          : [event, ...rest]
      })}
    />
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
}: AccountDelivery): ComponentChildren[] => {
  const last = attempts.at(-1)
  return [
    // The id keeps the focus on the link when the list refreshes.
    <div>
      <a id={`${eventId}-${endpoint.id}`} href={`${WEBHOOKS_PATH}/${endpoint.id}/deliveries/${eventId}`}>
        {type}
      </a>
    </div>,
    <Time instant={createdAt} />,
    <div>
      {deliveryState(state)}{' '}
      {state === 'pending' && nextAttemptAt && (
        <>
          <br />
          <span class="hint">
            next <Time instant={nextAttemptAt} />
          </span>
        </>
      )}
    </div>,
    String(attempts.length),
    last ? (last.status ?? last.error) : '–',
    last ? `${last.durationMs} ms` : '–',
  ]
}

const DELIVERY_STATES: Record<DeliveryState, VNode> = {
  pending: <Badge tone="wait">In progress</Badge>,
  delivered: <Badge tone="good">Delivered</Badge>,
  failed: <Badge tone="bad">Failed</Badge>,
}

export const deliveryState = (state: DeliveryState): VNode => DELIVERY_STATES[state]

/** The instant of a `datetime-local` field in UTC: `2026-06-01T12:00`, with or without seconds. */
export const instantOf = (text: string): string => `${text.length === 16 ? `${text}:00` : text}Z`

const errorIn = (text = '') =>
  text === '' || isInstant(instantOf(text)) ? undefined : 'must be a date and time such as 2026-06-01T12:00'

const minute = { schema: Text(30, { minLength: 1 }), type: 'datetime-local' } as const

export const ReplayForm = defineForm(
  {
    from: { ...minute, label: 'From (UTC)' },
    to: { ...minute, label: 'To (UTC)' },
    state: {
      schema: OneOf(['failed', 'delivered', 'all']),
      id: 'replay-state',
      label: 'Status',
      choices: [
        { value: 'failed', label: 'Failed' },
        { value: 'delivered', label: 'Delivered' },
        { value: 'all', label: 'All' },
      ],
    },
  },
  ({ from, to }) => ({
    from: errorIn(from),
    to: errorIn(to) ?? (from && to && instantOf(to) <= instantOf(from) ? 'must be after the first moment' : undefined),
  }),
)

/** The format of `datetime-local`, to the minute, in UTC. */
const localMinute = (instant: Date): string => instant.toISOString().slice(0, 16)

const replayForm = (session: Session, path: string, { now, replayState }: Replay): VNode => (
  <Disclosure label="Send the events of a period again" isOpen={replayState !== EMPTY_FORM}>
    <Form of={ReplayForm} action={`${path}/replay`} session={session} formState={replayState}>
      <div class="side-by-side">
        <Fields
          of={ReplayForm}
          values={{
            from: localMinute(new Date(now.getTime() - 86_400_000)),
            to: localMinute(new Date(now.getTime() + 60_000)),
            state: 'failed',
          }}
        />
      </div>
      <Button isSmall>Send again</Button>
    </Form>
  </Disclosure>
)
