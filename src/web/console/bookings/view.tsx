/** @jsxImportSource preact */
// One booking in the console: its details, what can be done with it, and the messages about it.
import { kindInWords } from '../../../features/messages/messages/kind-facts.ts'
import { isLaterVisit } from '../../../features/booking/bookings/rules/cancellation.ts'
import { isHeld } from '../../../features/booking/bookings/rules/holds.ts'
import { ProAction } from '../../../features/booking/bookings/action-schemas.ts'
import type { ProBooking } from '../../../features/booking/bookings/schemas.ts'
import {
  addressText,
  bookingBalanceText,
  bookingPaymentText,
  cancellationText,
} from '../../../features/booking/bookings/texts.ts'
import type { BookingMessage } from '../../../features/messages/messages/schemas.ts'
import { mayTake } from '../../../features/booking/bookings/rules/worker-actions.ts'
import type { ProSession, Session } from '../../../http/session.ts'
import { zoneName } from '../../../platform/clock/zones.ts'
import { clockTime, duration, localDateTime, money, priceOf, weekday } from '../../../platform/text/format.ts'
import type { VNode } from 'preact'
import { Fields, defineForm } from '../../ui/define-form.tsx'
import type { Choice } from '../../ui/fields.tsx'
import { type FormState, ActionButton, ActionForm, ProblemBox, Form } from '../../ui/form.tsx'
import { Disclosure, Button } from '../../ui/buttons.tsx'
import { EmailLink, MapLink, PhoneLink } from '../../ui/links.tsx'
import { BackLink, PageHeading, Section } from '../../ui/headings.tsx'
import { ButtonRow } from '../../ui/buttons.tsx'
import { DetailList, Table } from '../../ui/table.tsx'
import { ForThoseWhoMay, PermittedLink } from '../../ui/permitted.tsx'
import { BlockCustomerForm } from '../blocked-customers.tsx'
import { BLOCKED_PATH } from './list.tsx'
import { BOOKINGS_PATH as PATH, allows, stateOf, visitStart } from './visit.tsx'

export interface BookingPage {
  booking: ProBooking
  team: readonly Choice[]
  messages: readonly BookingMessage[]
  timeZone: string
  hasStarted: boolean
  formState: FormState
}

export function bookingView(session: ProSession, page: BookingPage): VNode {
  const { booking, timeZone } = page
  const at = (instant: string | null) => instant !== null && localDateTime(instant, timeZone)
  const address = addressText(booking.address)
  return (
    <>
      <BackLink href={PATH}>Bookings</BackLink>
      <PageHeading beside={stateOf(booking)}>
        {booking.service.name}, {visitStart(booking)}
      </PageHeading>
      <ProblemBox formState={page.formState} />
      {nextStep(session, page)}
      {actionsOf(session, page)}
      <DetailList
        pairs={[
          [
            'Customer',
            <>
              {booking.customer.name}, <EmailLink address={booking.customer.email} />
            </>,
          ],
          ['Phone', booking.customerPhone && <PhoneLink phone={booking.customerPhone} />],
          [
            'Address',
            address !== '' && (
              <>
                <MapLink address={address} />
                {booking.inServiceArea === false && ', outside your service area'}
              </>
            ),
          ],
          ['When', `${visitStart(booking)} ${zoneName(timeZone)}, ${duration(booking.durationMinutes)}`],
          ['Package', booking.package?.name],
          ['Includes', booking.package && booking.package.includes.length > 0 && booking.package.includes.join(', ')],
          ['Price', priceOf(booking.price)],
          ['Payment', bookingPaymentText(booking)],
          ['Paid and due', bookingBalanceText(booking)],
          ['Pay by', at(booking.holdExpiresAt)],
          ['Assigned to', booking.assignedTo?.name ?? 'Not assigned'],
          ['Visit of', booking.job && <a href={`/console/jobs/${booking.job.id}`}>A job from an accepted quote</a>],
          ['The job', booking.description && <span class="text">{booking.description}</span>],
          ['Proposed time', booking.proposedTime && proposalOf(booking.proposedTime)],
          ['Confirmation code', <code>{booking.confirmationCode}</code>],
          ['Booked', at(booking.createdAt)],
          ['Confirmed', at(booking.confirmedAt)],
          [
            'Cancelled',
            booking.cancelledAt && (
              <>
                {at(booking.cancelledAt)}. {cancellationText(booking, 'pro')}
              </>
            ),
          ],
        ]}
      />
      {session.onlyMemberId === null && messageLog(page.messages, timeZone)}
    </>
  )
}

/** One sentence that says what the booking waits for. */
function nextStep({ onlyMemberId }: ProSession, { booking, hasStarted }: BookingPage): VNode | false {
  // A worker answers no customers.
  if (onlyMemberId !== null && booking.status !== 'confirmed') return false
  const text = nextStepText(booking, hasStarted)
  return text !== undefined && <p class="lead">{text}</p>
}

function nextStepText(
  { status, holdExpiresAt, proposedTime, job }: ProBooking,
  hasStarted: boolean,
): string | undefined {
  if (isHeld({ status, holdExpiresAt })) return 'The customer has to pay before the booking is confirmed.'
  if (proposedTime?.declinedAt === null) return 'The customer has not answered the time that you proposed.'
  if (status === 'pending')
    return 'The customer waits for your answer: confirm the booking, propose another time, or reject it.'
  if (status === 'confirmed' && hasStarted)
    return job
      ? 'Mark the visit as completed when it is over, or complete its job when all of the work is done.'
      : 'Mark the visit as completed when the work is done.'
  if (status === 'completed' && job?.status === 'in_progress')
    return 'The visit is over, and its job is in progress. Complete the job when all of the work is done.'
  return undefined
}

const proposalOf = ({ date, time, declinedAt }: NonNullable<ProBooking['proposedTime']>): string =>
  `${weekday(date)}, ${clockTime(time)}: ${declinedAt === null ? 'waits for the customer' : 'the customer declined'}`

/** The actions that the status and the time allow. A form that was refused is open, with what was typed. */
function actionsOf(session: ProSession, { booking, team, hasStarted, formState }: BookingPage): VNode {
  const path = `${PATH}/${booking.id}`
  const can = (action: ProAction['action']) =>
    mayTake(session.onlyMemberId, action) && allows(booking, action, hasStarted)
  const button = (action: ProAction['action'], label: string, tone: 'plain' | 'quiet' = 'plain') =>
    can(action) && <ActionButton session={session} action={path} label={label} look={tone} fields={{ action }} />
  const form = (action: ProAction['action'], label: string, fields: VNode) =>
    can(action) && (
      <ActionForm of={BookingForm} session={session} path={path} action={action} label={label} formState={formState}>
        {fields}
      </ActionForm>
    )
  const { paid: total, refundable, currency } = booking.balance
  const paid = isLaterVisit(booking)
    ? 'Only the visit ends: the job goes on, with what was paid for it.'
    : refundable > 0
      ? `${money(refundable, currency)} goes back to the customer.`
      : total > 0
        ? 'All that was paid went back or is on its way back.'
        : 'Nothing was paid.'
  return (
    <ButtonRow>
      {button('confirm', 'Confirm')}
      {button('complete', 'Mark as completed')}
      {button('no_show', 'Mark as no-show', 'quiet')}
      {form('propose', 'Move to another time', <ProposeFields />)}
      {team.length > 0
        ? form('assign', 'Assign', <AssignFields team={team} current={booking.assignedTo?.id} />)
        : can('assign') && (
            <Disclosure label="Assign">
              <p>
                Your team has no members yet.{' '}
                <PermittedLink session={session} href="/console/team">
                  Add a member
                </PermittedLink>
              </p>
            </Disclosure>
          )}
      {form('reject', 'Reject', <RejectFields paid={paid} />)}
      {booking.status === 'confirmed' && form('cancel', 'Cancel', <CancelFields paid={paid} />)}
      <ForThoseWhoMay session={session} post={BLOCKED_PATH}>
        <Disclosure label="Block this customer">{blockForm(session, booking.id)}</Disclosure>
      </ForThoseWhoMay>
    </ButtonRow>
  )
}

const { action, reason, date, time, message, assignToMemberId } = ProAction.properties
export const BookingForm = defineForm(
  {
    action: { schema: action },
    reason: { schema: reason, label: 'Why you reject it', rows: 3 },
    date: { schema: date, label: 'Day', isOptional: false },
    time: { schema: time, label: 'Time', type: 'time', isOptional: false },
    message: { schema: message, label: 'Message', hint: 'The customer sees it.', rows: 3 },
    assignToMemberId: { schema: assignToMemberId, label: 'Team member', isOptional: false },
  },
  ({ action, reason, date, time, assignToMemberId }) => ({
    reason: action === 'cancel' && reason === undefined ? 'is required' : undefined,
    date: action === 'propose' && date === undefined ? 'is required' : undefined,
    time: action === 'propose' && time === undefined ? 'is required' : undefined,
    assignToMemberId: action === 'assign' && assignToMemberId === undefined ? 'is required' : undefined,
  }),
)

const RejectFields = ({ paid }: { paid: string }): VNode => (
  <>
    <Fields
      of={BookingForm}
      names={['reason']}
      row="reject"
      more={{ reason: { hint: `The customer sees it. ${paid}` } }}
    />
    <Button look="danger" isSmall>
      Reject booking
    </Button>
  </>
)

const CancelFields = ({ paid }: { paid: string }): VNode => (
  <>
    <Fields
      of={BookingForm}
      names={['reason']}
      row="cancel"
      more={{
        reason: {
          label: 'Why you cancel it',
          hint: `The customer gets a message with it. ${paid}`,
          isOptional: false,
        },
      }}
    />
    <Button look="danger" isSmall>
      Cancel booking
    </Button>
  </>
)

const ProposeFields = (): VNode => (
  <>
    <p>The customer gets a message and agrees or declines. Until then the booking stays as it is.</p>
    <Fields of={BookingForm} names={['date', 'time', 'message']} />
    <Button isSmall>Propose time</Button>
  </>
)

const AssignFields = ({ team, current }: { team: readonly Choice[]; current: string | undefined }): VNode => (
  <>
    <Fields
      of={BookingForm}
      names={['assignToMemberId']}
      values={{ assignToMemberId: current }}
      choices={{ assignToMemberId: team }}
    />
    <Button isSmall>Assign booking</Button>
  </>
)

const blockForm = (session: Session, bookingId: string): VNode => (
  <Form of={BlockCustomerForm} action={BLOCKED_PATH} session={session}>
    <input type="hidden" name="bookingId" value={bookingId} />
    <Fields
      of={BlockCustomerForm}
      names={['reason']}
      row="block"
      more={{
        reason: {
          label: 'Why you block them',
          hint: 'Only you see it. They cannot book again; this booking stays as it is.',
        },
      }}
    />
    <Button look="danger" isSmall>
      Block customer
    </Button>
  </Form>
)

const MESSAGE_STATES: Record<BookingMessage['status'], string> = {
  pending: 'Waiting',
  sent: 'Sent',
  failed: 'Could not be sent',
  suppressed: 'Not wanted by the recipient',
  dropped: 'No longer so',
  joined: 'Told together with others',
}

const messageLog = (messages: readonly BookingMessage[], timeZone: string): VNode | false =>
  messages.length > 0 && (
    <Section title="Messages">
      <Table
        caption="E-mails about this booking"
        columns={['Message', 'To', 'Status', 'Sent']}
        rows={messages.map(({ kind, recipient, status, sentAt }) => [
          kindInWords(kind),
          recipient,
          MESSAGE_STATES[status],
          sentAt === null ? '–' : localDateTime(sentAt, timeZone),
        ])}
      />
    </Section>
  )
