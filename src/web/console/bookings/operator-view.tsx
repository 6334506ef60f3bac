/** @jsxImportSource preact */
// A booking for operators: who, when, the money, what happened, the messages and deliveries, and what an operator may do.
import type { VNode } from 'preact'

import { cancellationText, addressText } from '../../../features/booking/bookings/texts.ts'
import type { BookingStory, StoryMessage } from '../../../features/booking/operator-bookings/verbs.ts'
import { kindInWords } from '../../../features/messages/messages/kind-facts.ts'
import type { AuditEntry } from '../../../features/upkeep/audit/verbs.ts'
import type { Session } from '../../../http/session.ts'
import { dateTimeText, duration, localDateTime, money, plural } from '../../../platform/text/format.ts'
import { type FormState, ActionButton, ProblemBox } from '../../ui/form.tsx'
import { PageHeading, Section } from '../../ui/headings.tsx'
import { EmailLink, MapLink, PhoneLink } from '../../ui/links.tsx'
import { DetailList, Table } from '../../ui/table.tsx'
import { customerPath } from '../customers/path.ts'
import { MAIL_PATH } from '../mail/view.tsx'
import { PAYMENTS_PATH } from '../payments/view.tsx'
import { VERIFICATION_PATH } from '../verification/view.tsx'
import { actsOf } from './operator-acts.tsx'
import { mayOpen } from '../../../auth/users/rules/permissions.ts'
import { BOOKINGS_PATH, stateOf, visitPrice, visitStart } from './visit.tsx'

interface StoryPage {
  story: BookingStory
  formState: FormState
}

export function storyView(session: Session, { story, formState }: StoryPage): VNode {
  const { booking, parties } = story
  return (
    <>
      <PageHeading beside={stateOf(booking)}>
        {booking.confirmationCode}: {booking.package?.name ?? booking.service.name}
      </PageHeading>
      <p class="lead">
        {visitStart(booking)} with {parties.businessName}, for {booking.customer.name}
      </p>
      <ProblemBox formState={formState} />
      {actsOf(session, story, formState)}
      {partiesOf(story)}
      {moneyOf(story)}
      {happenedOf(session, story)}
      {messagesOf(session, story)}
      {deliveriesOf(session, story)}
      {parties.isTest && <p class="hint">This is a booking of test mode: no e-mail is sent, and nothing is paid.</p>}
    </>
  )
}

function partiesOf({ booking, parties }: BookingStory): VNode {
  const address = addressText(booking.address)
  const request = parties.requestId
  return (
    <DetailList
      pairs={[
        [
          'Customer',
          <>
            {parties.isTest ? booking.customer.name : <a href={customerPath(booking.id)}>{booking.customer.name}</a>},{' '}
            <EmailLink address={booking.customer.email} />
            {booking.customerPhone && (
              <>
                , <PhoneLink phone={booking.customerPhone} />
              </>
            )}
          </>,
        ],
        [
          'Pro',
          <>
            <a href={`${VERIFICATION_PATH}/${parties.professionalId}`}>{parties.businessName}</a>,{' '}
            <EmailLink address={parties.proEmail} />
            {parties.proPhone && (
              <>
                , <PhoneLink phone={parties.proPhone} />
              </>
            )}
          </>,
        ],
        ['Visit', `${visitStart(booking)} (${parties.timeZone}), ${duration(booking.durationMinutes)}`],
        ['Address', address !== '' && <MapLink address={address} />],
        ['Price', visitPrice(booking)],
        ['The job', booking.description && <span class="text">{booking.description}</span>],
        [
          'Came from',
          request === null ? (
            cameFrom(parties)
          ) : (
            <>
              An accepted quote: <a href={customerPath(request)}>the customer’s requests</a>
            </>
          ),
        ],
        ['Id', <code>{booking.id}</code>],
      ]}
    />
  )
}

/** The interface and the account, or who booked for a customer who called. */
const cameFrom = ({ maker, source, madeBy, madeByKind }: BookingStory['parties']): string =>
  maker !== null
    ? `A call: booked by ${maker === 'pro' ? 'the pro' : 'an operator'} for the customer`
    : `${source}${madeBy === null ? '' : `, by ${madeBy} (${madeByKind})`}`

const moneyOf = ({ payment }: BookingStory): VNode => (
  <Section title="Money">
    {payment ? (
      <DetailList
        pairs={[
          ['Payment', <a href={`${PAYMENTS_PATH}/${payment.id}`}>{payment.status.replaceAll('_', ' ')}</a>],
          ['Paid', money((payment.capturedCents ?? 0) / 100)],
          ['Refunded', money(payment.refundedCents / 100)],
          ['On its way back', payment.refundingCents > 0 && money(payment.refundingCents / 100)],
          ['Left to refund', money(payment.refundableCents / 100)],
          ['Refunds', payment.refunds.length > 0 && plural(payment.refunds.length, 'refund')],
          ['Disputes', payment.disputes.length > 0 && plural(payment.disputes.length, 'dispute')],
        ]}
      />
    ) : (
      <p>Nothing is paid here: fee and deposit were not due.</p>
    )}
  </Section>
)

interface Step {
  at: string
  what: string
  more?: VNode | string | null
}

const ACTIONS: Partial<Record<AuditEntry['action'], string>> = {
  'booking.made': 'Booked by an operator for the customer',
  'booking.moved': 'Moved by an operator',
  'booking.cancelled': 'Cancelled by an operator',
  'booking.noted': 'Note',
  'booking.disowned': 'Disowned by the owner of the address',
  'message.resent': 'Message sent once more',
  'delivery.resent': 'Webhook sent once more',
}

/** Newest first: the instants of the booking and its payment, the events of the last days, and what operators did. */
function stepsOf(session: Session, { booking, payment, events, actions }: BookingStory): Step[] {
  const instants: (readonly [string | null | undefined, string, string?])[] = [
    [booking.createdAt, 'Booked'],
    [booking.confirmedAt, 'Confirmed'],
    [booking.cancelledAt, 'Cancelled', cancellationText(booking, 'customer') ?? ''],
    [payment?.paidAt, 'Paid'],
    ...(payment?.refunds ?? []).map((refund) => [refund.createdAt, 'Refund', money(refund.amountCents / 100)] as const),
  ]
  return [
    ...instants.flatMap(([at, what, more = '']) => (at ? [{ at, what, more }] : [])),
    ...events.map(({ type, at, traceId }) => ({
      at,
      what: `Event ${type}`,
      more:
        traceId !== null && mayOpen(session, `/ops/traces/${traceId}`) ? (
          <a href={`/ops/traces/${traceId}`}>Trace</a>
        ) : null,
    })),
    ...actions.map(({ at, action, by, reason }) => ({
      at,
      what: ACTIONS[action] ?? action,
      more: [reason, by].filter(Boolean).join(', '),
    })),
  ].toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))
}

const happenedOf = (session: Session, story: BookingStory): VNode => (
  <Section title="What happened">
    <Table
      caption="Newest first. Events are kept for a week."
      columns={['When', 'What', 'More']}
      rows={stepsOf(session, story).map(({ at, what, more }) => [
        localDateTime(at, story.parties.timeZone),
        what,
        more ?? '–',
      ])}
    />
  </Section>
)

const canBeSent = ({ status, outcome, isKept }: StoryMessage): boolean =>
  status === 'failed' ||
  status === 'suppressed' ||
  (status === 'pending' && outcome !== null) ||
  (status === 'sent' && isKept)

const messagesOf = (session: Session, { booking, messages }: BookingStory): VNode => (
  <Section title="Messages">
    {messages.length === 0 ? (
      <p>No message yet.</p>
    ) : (
      <Table
        caption="Messages, newest first"
        columns={['Message', 'To', 'Planned', 'State', 'Send']}
        rows={messages.map((message) => [
          <a href={`${MAIL_PATH}/${message.id}`}>{kindInWords(message.kind)}</a>,
          message.recipient,
          dateTimeText(message.createdAt),
          <div>
            {message.status}
            {message.status !== 'sent' && message.outcome !== null && <span class="hint"> {message.outcome}</span>}
          </div>,
          canBeSent(message) ? (
            <ActionButton
              session={session}
              action={`${BOOKINGS_PATH}/${booking.id}/messages`}
              label={message.status === 'sent' ? 'Send once more' : 'Send now'}
              fields={{ messageId: String(message.id) }}
            />
          ) : (
            '–'
          ),
        ])}
      />
    )}
  </Section>
)

const deliveriesOf = (session: Session, { booking, deliveries }: BookingStory): VNode => (
  <Section title="Webhooks">
    {deliveries.length === 0 ? (
      <p>No endpoint got an event of it.</p>
    ) : (
      <Table
        caption="Deliveries, newest first"
        columns={['Event', 'Endpoint', 'Account', 'State', 'Send']}
        rows={deliveries.map(({ type, name, owner, state, attempts, endpointId, eventId }) => [
          type,
          name,
          owner,
          `${state}, ${plural(attempts, 'attempt')}`,
          <ActionButton
            session={session}
            action={`${BOOKINGS_PATH}/${booking.id}/deliveries`}
            label="Send now"
            fields={{ endpointId, eventId }}
          />,
        ])}
      />
    )}
  </Section>
)
