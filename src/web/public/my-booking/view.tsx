/** @jsxImportSource preact */
// The page of a customer's booking. Only a manage link and the signed-in customer are shown buttons.
import { LinkButton, Button } from '../../ui/buttons.tsx'
import { cancellationPolicyOf, freeUntilText } from '../../../features/booking/bookings/rules/cancellation.ts'
import { heldFor } from '../../../features/booking/bookings/rules/holds.ts'
import type { Booking } from '../../../features/booking/bookings/schemas.ts'
import type { CustomerTerms } from '../../../features/booking/bookings/verbs/customer-actions.ts'
import {
  addressText,
  bookingBalanceText,
  bookingPaymentText,
  cancellationText,
  doneText,
} from '../../../features/booking/bookings/texts.ts'
import { zoneName } from '../../../platform/clock/zones.ts'
import {
  datedVisitTime,
  duration,
  localDateTime,
  priceOf,
  shortMoney,
  visitTime,
} from '../../../platform/text/format.ts'
import { ProposedTimeAnswer } from '../../../features/booking/bookings/action-schemas.ts'
import { defineForm } from '../../ui/define-form.tsx'
import { type FormState, ProblemBox, Form } from '../../ui/form.tsx'
import { Summary } from '../../ui/summary.tsx'
import { cancellingText } from '../../../platform/text/cancelling.ts'
import type { VNode } from 'preact'
import { PhoneLink } from '../../ui/links.tsx'
import type { Page } from '../../ui/layout.tsx'
import { type Tone, Badge } from '../../ui/badge.tsx'
import { BackLink } from '../../ui/headings.tsx'
import { TermsOfBooking } from '../../ui/legal-texts.tsx'
import { DetailList } from '../../ui/table.tsx'

/** Its buttons answer the time that the pro proposes. */
export const AnswerForm = defineForm({ answer: { schema: ProposedTimeAnswer.properties.answer } })

export interface MyBooking {
  booking: Booking
  now: Date
  /** Set for the holder of the manage link and the signed-in customer. */
  manage?: Management
}

export interface Management {
  path: string
  /** In each form. */
  csrf?: VNode | undefined
  /** Everyone who has the page's URL can change the booking. */
  isLink: boolean
  terms: CustomerTerms
  /** The page on which what is due can be paid. */
  payPath: string | undefined
  /** The customer has just moved it. */
  wasRescheduled: boolean
  isReviewed: boolean
  /** Of an answer to the proposed time that was refused. */
  formState: FormState
}

export const myBookingPage = ({ booking, now, manage }: MyBooking): Page => {
  const title =
    booking.holdExpiresAt !== null
      ? 'Your booking is waiting for your payment'
      : booking.status === 'completed'
        ? doneText(booking)
        : HEADINGS[booking.status][0]
  return {
    title: 'Your booking',
    description: 'The details of your booking.',
    styles: ['booking.css'],
    scripts: ['print.js'],
    content: (
      <>
        {manage?.wasRescheduled && rescheduledNotice(whenText(booking, manage))}
        {manage && !manage.isLink && <BackLink href="/my">My bookings</BackLink>}
        <h1>{title}</h1>
        <Summary
          when={
            <>
              {whenText(booking, manage)}, {duration(booking.durationMinutes)}
            </>
          }
        >
          <p class="quiet">
            {booking.package?.name ?? booking.service.name} with {booking.professional.businessName},{' '}
            {booking.professional.location}
          </p>
          <p>
            {statusBadge(booking)} <span class="quiet">{whatNext(booking)}</span>
          </p>
          {manage && <ProblemBox formState={manage.formState} />}
          {manage && mainAction(booking, manage, now)}
        </Summary>
        {manage && booking.proposedTime?.declinedAt === null && proposal(booking, booking.proposedTime, manage, now)}
        <Details booking={booking} manage={manage} />
        {moreActions(booking, manage)}
        <p class="hint">
          {manage
            ? manage.isLink && 'Keep the link to this page private: anyone who has it can move and cancel the booking. '
            : isOpen(booking) && (
                <>
                  To move, pay or cancel the booking, open the link that you received when you booked, or{' '}
                  <a href="/my">sign in</a>.{' '}
                </>
              )}{' '}
          <TermsOfBooking bookedAt={booking.createdAt} />
          {isOpen(booking) && cancellationPolicyOf(booking, now)}
        </p>
      </>
    ),
  }
}

const Details = ({ booking, manage }: Pick<MyBooking, 'booking' | 'manage'>): VNode => (
  <DetailList
    pairs={[
      ['Confirmation code', <code>{booking.confirmationCode}</code>],
      ['Cancelled', cancellationText(booking, 'customer')],
      ['Service', booking.service.name],
      ['Package', booking.package?.name],
      ['Includes', booking.package && booking.package.includes.length > 0 && booking.package.includes.join(', ')],
      ['Price', priceOf(booking.price)],
      ['Payment', bookingPaymentText(booking)],
      ['Paid and due', bookingBalanceText(booking)],
      [
        'Quote',
        manage?.terms.quoteUrl !== undefined && <a href={manage.terms.quoteUrl}>The quote that you accepted</a>,
      ],
      ['When', datedText(booking, manage)],
      ['Duration', duration(booking.durationMinutes)],
      ['Pro', `${booking.professional.businessName}, ${booking.professional.location}`],
      ['Phone', booking.professional.phone !== null && <PhoneLink phone={booking.professional.phone} />],
      ['Address', manage && addressText(booking.address)],
      ['Notes', booking.description],
    ]}
  />
)

const rescheduledNotice = (when: string): VNode => (
  <p class="notice good" role="status">
    Your booking was moved to <strong>{when}</strong>.
  </p>
)

/** With the zone where it is known. */
const whenText = ({ scheduledDate, scheduledTime }: Booking, manage: Management | undefined): string =>
  manage ? localDateTime(manage.terms.startsAt, manage.terms.timeZone) : visitTime(scheduledDate, scheduledTime)

const datedText = ({ scheduledDate, scheduledTime }: Booking, manage: Management | undefined): string =>
  `${datedVisitTime(scheduledDate, scheduledTime)}${manage ? ` ${zoneName(manage.terms.timeZone)}` : ''}`

/** What happens next, in one sentence. */
function whatNext({ status, holdExpiresAt, professional: { businessName }, payment, job }: Booking): string | false {
  if (holdExpiresAt !== null) return 'It is confirmed when you pay.'
  if (status === 'pending') return `${businessName} will confirm it. You get a message then.`
  if (status === 'confirmed') return `${businessName} comes at this time.`
  if (status === 'completed' && job?.status === 'in_progress') return `${businessName} has not finished the work yet.`
  if (status === 'cancelled' && payment?.refund) return REFUND_TEXTS[payment.refund.status]
  return false
}

const REFUND_TEXTS = {
  pending: 'Your money is on its way back, which takes some days.',
  done: 'Your money went back. Your bank may take some days to show it.',
  failed: 'Your bank did not take your money back. We are returning it in another way.',
} as const

/** The action that a customer most likely came for. */
function mainAction(
  { status, holdExpiresAt, balance, professional }: Booking,
  it: Management,
  now: Date,
): VNode | false {
  if (holdExpiresAt !== null && it.payPath !== undefined)
    return (
      <>
        <p class="actions">
          <LinkButton href={it.payPath}>Pay {shortMoney(balance.dueNow, balance.currency)} now</LinkButton>
        </p>
        <p class="hint">{heldText(holdExpiresAt, now)}</p>
      </>
    )
  if (status === 'completed')
    return it.isReviewed ? (
      <p class="hint">
        <a href={`/pros/${professional.id}#reviews`}>You have reviewed {professional.businessName}</a>
      </p>
    ) : (
      <p class="actions">
        <LinkButton href={`${it.path}/review`}>Review {professional.businessName}</LinkButton>
      </p>
    )
  return (status === 'cancelled' || status === 'no_show') && bookAgain(it, '')
}

/** An unpaid hold, without a zone: it ends within minutes. */
const heldText = (until: string, now: Date): VNode => (
  <>
    Your time is held for another <time datetime={until}>{heldFor(until, now)}</time>.
  </>
)

const bookAgain = ({ path, csrf }: Management, look: string): VNode => (
  <Form action={`${path}/again`}>
    {csrf} <button class={look}>Book again</button>
  </Form>
)

function moreActions(booking: Booking, manage: Management | undefined): VNode {
  const isPaid = booking.payment?.paidAt !== null && booking.payment?.paidAt !== undefined
  const open = isOpen(booking)
  return (
    <div class="choices">
      {open && (
        <LinkButton href={`/bookings/${booking.confirmationCode}.ics`} look="quiet">
          Add to calendar
        </LinkButton>
      )}{' '}
      {manage && isPaid && (
        <LinkButton href={`${manage.path}/receipt`} look="quiet">
          Receipt
        </LinkButton>
      )}{' '}
      {manage?.terms.canReschedule === true && (
        <LinkButton href={`${manage.path}/move`} look="quiet">
          Move to another time
        </LinkButton>
      )}{' '}
      {manage?.terms.canCancel === true && (
        <LinkButton href={`${manage.path}/cancel`} look="quiet">
          Cancel the booking
        </LinkButton>
      )}
      {manage && (booking.status === 'completed' || booking.status === 'confirmed') && bookAgain(manage, 'quiet')}
      <Button look="quiet" type="button" data-print="" hidden>
        Print
      </Button>
    </div>
  )
}

const proposal = (
  { professional, freeCancellationHours: hours }: Booking,
  { startDateTime, message }: NonNullable<Booking['proposedTime']>,
  { path, csrf, terms }: Management,
  now: Date,
): VNode => (
  <section class="notice wait">
    <h2>{professional.businessName} proposes another time</h2>
    <p>
      <strong>{localDateTime(startDateTime, terms.timeZone)}</strong>
    </p>
    {terms.cancellationCost === 0 && (
      <p>
        {cancellingText({
          due: terms.hasWorkBegun ? 0 : terms.balance.refundable,
          until: freeUntilText({ startsAt: startDateTime, timeZone: terms.timeZone, hours }, now),
        })}
      </p>
    )}
    {message !== null && <p class="text">{message}</p>}
    <Form of={AnswerForm} action={`${path}/proposed-time`}>
      {csrf}{' '}
      <Button name="answer" value="agree">
        Move to this time
      </Button>{' '}
      <Button look="quiet" name="answer" value="decline">
        Keep my time
      </Button>
    </Form>
  </section>
)

export const statusBadge = ({ status, holdExpiresAt }: Booking): VNode =>
  holdExpiresAt === null ? (
    <Badge tone={HEADINGS[status][1]}>{STATUS_LABELS[status]}</Badge>
  ) : (
    <Badge tone="wait">Not paid yet</Badge>
  )

const isOpen = ({ status }: Booking): boolean => status === 'pending' || status === 'confirmed'

const STATUS_LABELS: Record<Booking['status'], string> = {
  pending: 'Pending',
  confirmed: 'Confirmed',
  completed: 'Completed',
  no_show: 'Missed',
  cancelled: 'Cancelled',
}

const HEADINGS: Record<Booking['status'], readonly [title: string, tone: Tone]> = {
  pending: ['Your booking is waiting for confirmation', 'wait'],
  confirmed: ['Your booking is confirmed', 'good'],
  completed: ['The work is done', 'good'],
  no_show: ['Missed visit', 'bad'],
  cancelled: ['The booking was cancelled', 'bad'],
}
