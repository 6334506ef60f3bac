// One booking in the console: its details, what can be done with it, and the messages about it.
import { isHeld } from '../../../features/booking/bookings/rules/holds.ts'
import type { ProAction } from '../../../features/booking/bookings/action-schemas.ts'
import type { ProBooking } from '../../../features/booking/bookings/schemas.ts'
import {
  addressText,
  bookingBalanceText,
  bookingPaymentText,
  cancellationText,
} from '../../../features/booking/bookings/texts.ts'
import type { BookingMessage } from '../../../features/messages/messages/schemas.ts'
import type { Session } from '../../../http/session.ts'
import { zoneName } from '../../../platform/clock/zones.ts'
import { clockTime, duration, localDateTime, money, priceOf, weekday } from '../../../platform/text/format.ts'
import { type Html, html } from '../../../platform/text/html.ts'
import {
  type Choice,
  type FormState,
  actionButton,
  actionForm,
  csrfField,
  disclosure,
  problemBox,
  selectField,
  textArea,
  textField,
} from '../../ui/forms.ts'
import { emailLink, mapLink, phoneLink } from '../../ui/links.ts'
import { backLink, buttonRow, detailList, pageHeading, section, table } from '../../ui/parts.ts'
import { BLOCKED_PATH } from './list.ts'
import { BOOKINGS_PATH as PATH, allows, stateOf, visitStart } from './visit.ts'

export interface BookingPage {
  booking: ProBooking
  team: readonly Choice[]
  messages: readonly BookingMessage[]
  timeZone: string
  hasStarted: boolean
  formState: FormState
}

export function bookingView(session: Session, page: BookingPage): Html {
  const { booking, timeZone } = page
  const at = (instant: string | null) => instant !== null && localDateTime(instant, timeZone)
  const address = addressText(booking.address)
  return html`
    ${backLink('Bookings', PATH)}
    ${pageHeading(html`${booking.service.name}, ${visitStart(booking)}`, stateOf(booking))}
    ${problemBox(page.formState)} ${nextStep(page)} ${actionsOf(session, page)}
    ${detailList([
      ['Customer', html`${booking.customer.name}, ${emailLink(booking.customer.email)}`],
      ['Phone', booking.customerPhone && phoneLink(booking.customerPhone)],
      ['Address', address !== '' && mapLink(address)],
      ['When', `${visitStart(booking)} ${zoneName(timeZone)}, ${duration(booking.durationMinutes)}`],
      ['Package', booking.package?.name],
      ['Includes', booking.package && booking.package.includes.length > 0 && booking.package.includes.join(', ')],
      ['Price', priceOf(booking.price)],
      ['Payment', bookingPaymentText(booking)],
      ['Paid and due', bookingBalanceText(booking)],
      ['Pay by', at(booking.holdExpiresAt)],
      ['Assigned to', booking.assignedTo?.name ?? 'Not assigned'],
      ['The job', booking.description && html`<span class="text">${booking.description}</span>`],
      ['Proposed time', booking.proposedTime && proposalOf(booking.proposedTime)],
      ['Confirmation code', html`<code>${booking.confirmationCode}</code>`],
      ['Booked', at(booking.createdAt)],
      ['Confirmed', at(booking.confirmedAt)],
      ['Cancelled', booking.cancelledAt && html`${at(booking.cancelledAt)}. ${cancellationText(booking, 'pro')}`],
    ])}
    ${messageLog(page.messages, timeZone)}
  `
}

/** One sentence that says what the booking waits for. */
function nextStep({ booking, hasStarted }: BookingPage): Html | false {
  const text = nextStepText(booking, hasStarted)
  return text !== undefined && html`<p class="lead">${text}</p>`
}

function nextStepText({ status, holdExpiresAt, proposedTime }: ProBooking, hasStarted: boolean): string | undefined {
  if (isHeld({ status, holdExpiresAt })) return 'The customer has to pay before the booking is confirmed.'
  if (proposedTime?.declinedAt === null) return 'The customer has not answered the time that you proposed.'
  if (status === 'pending')
    return 'The customer waits for your answer: confirm the booking, propose another time, or reject it.'
  if (status === 'confirmed' && hasStarted) return 'Mark the visit as completed when the work is done.'
  return undefined
}

const proposalOf = ({ date, time, declinedAt }: NonNullable<ProBooking['proposedTime']>): string =>
  `${weekday(date)}, ${clockTime(time)}: ${declinedAt === null ? 'waits for the customer' : 'the customer declined'}`

/** The actions that the status and the time allow. A form that was refused is open, with what was typed. */
function actionsOf(session: Session, { booking, team, hasStarted, formState }: BookingPage): Html {
  const path = `${PATH}/${booking.id}`
  const can = (action: ProAction['action']) => allows(booking, action, hasStarted)
  const button = (action: ProAction['action'], label: string, tone: 'plain' | 'quiet' = 'plain') =>
    can(action) && actionButton(session, { action: path, label, tone, fields: { action } })
  const form = (action: ProAction['action'], label: string, fields: (state: FormState) => Html) =>
    can(action) && actionForm(session, { path, action, label, fields, formState })
  const { paid: total, refundable, currency } = booking.balance
  const paid =
    refundable > 0
      ? `${money(refundable, currency)} goes back to the customer.`
      : total > 0
        ? 'All that was paid went back or is on its way back.'
        : 'Nothing was paid.'
  return buttonRow(html`
    ${button('confirm', 'Confirm')} ${button('complete', 'Mark as completed')}
    ${button('no_show', 'Mark as no-show', 'quiet')} ${form('propose', 'Move to another time', proposeFields)}
    ${
      team.length > 0
        ? form('assign', 'Assign', (state) => assignFields(team, booking.assignedTo?.id, state))
        : can('assign') &&
          disclosure('Assign', html`<p>Your team has no members yet. <a href="/console/team">Add a member</a></p>`)
    }
    ${form('reject', 'Reject', (state) => rejectFields(paid, state))}
    ${booking.status === 'confirmed' && form('cancel', 'Cancel', (state) => cancelFields(paid, state))}
    ${disclosure('Block this customer', blockForm(session, booking.id))}
  `)
}

const rejectFields = (paid: string, formState: FormState): Html => html`
  ${textArea({ name: 'reason', id: 'reject-reason', label: 'Why you reject it', isOptional: true, hint: `The customer sees it. ${paid}`, maxLength: 5000, formState })}
  <button class="small danger">Reject booking</button>
`

const cancelFields = (paid: string, formState: FormState): Html => html`
  ${textArea({ name: 'reason', id: 'cancel-reason', label: 'Why you cancel it', hint: `The customer gets a message with it. ${paid}`, maxLength: 5000, formState })}
  <button class="small danger">Cancel booking</button>
`

const proposeFields = (formState: FormState): Html => html`
  <p>The customer gets a message and agrees or declines. Until then the booking stays as it is.</p>
  ${textField({ name: 'date', label: 'Day', type: 'date', formState })}
  ${textField({ name: 'time', label: 'Time', type: 'time', formState })}
  ${textArea({ name: 'message', label: 'Message', isOptional: true, hint: 'The customer sees it.', maxLength: 5000, formState })}
  <button class="small">Propose time</button>
`

const assignFields = (team: readonly Choice[], current: string | undefined, formState: FormState): Html => html`
  ${selectField({ name: 'assignToMemberId', label: 'Team member', choices: team, ...(current === undefined ? {} : { value: current }), formState })}
  <button class="small">Assign booking</button>
`

const blockForm = (session: Session, bookingId: string): Html =>
  html`<form method="post" action="${BLOCKED_PATH}">
    ${csrfField(session)}
    <input type="hidden" name="bookingId" value="${bookingId}" />
    ${textArea({ name: 'reason', id: 'block-reason', label: 'Why you block them', isOptional: true, hint: 'Only you see it. They cannot book again; this booking stays as it is.', maxLength: 5000 })}
    <button class="small danger">Block customer</button>
  </form>`

const MESSAGE_STATES: Record<BookingMessage['status'], string> = {
  pending: 'Waiting',
  sent: 'Sent',
  failed: 'Could not be sent',
  suppressed: 'Not wanted by the recipient',
  dropped: 'No longer so',
  joined: 'Told together with others',
}

const messageLog = (messages: readonly BookingMessage[], timeZone: string): Html | false =>
  messages.length > 0 &&
  section(
    'Messages',
    table(
      'E-mails about this booking',
      ['Message', 'To', 'Status', 'Sent'],
      messages.map(({ kind, recipient, status, sentAt }) => [
        kind.replaceAll('-', ' '),
        recipient,
        MESSAGE_STATES[status],
        sentAt === null ? '–' : localDateTime(sentAt, timeZone),
      ]),
    ),
  )
