// /console/bookings: a pro's bookings and their actions.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { ProAction } from '../../features/bookings/action-schemas.ts'
import { BookingParams, type ProBooking, ProBookingQuery } from '../../features/bookings/schemas.ts'
import { actOnBooking } from '../../features/bookings/verbs/pro-actions.ts'
import { getProBooking, listBookingsOfPro } from '../../features/bookings/verbs/find-booking.ts'
import { BOOKING } from '../../features/bookings/states.ts'
import { listTeam } from '../../features/members/verbs.ts'
import type { BookingMessage } from '../../features/messages/schemas.ts'
import { listBookingMessages } from '../../features/messages/verbs/message-log.ts'
import { guard } from '../../http/guard.ts'
import { type Session, actingProOf } from '../../http/session.ts'
import { renderConsolePage } from '../ui/responses.ts'
import { runFormAction } from '../ui/submit.ts'
import { addressText, bookingPaymentText, cancellationText } from '../../features/bookings/texts.ts'
import { clockTime, dateTime, day, duration, priceOf } from '../../platform/text/format.ts'
import { type Choice, actionButton, disclosure, csrfField, selectField, textArea, textField } from '../ui/forms.ts'
import { type Html, html } from '../../platform/text/html.ts'
import { emailLink, phoneLink } from '../ui/links.ts'
import {
  type Tone,
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
} from '../ui/parts.ts'

const PATH = '/console/bookings'
export const BLOCKED_PATH = '/console/blocked-customers'
const session = ['pro'] as const

export const consoleBookingPages = (deps: Deps) =>
  new Elysia({ name: 'console-booking-pages' })
    .use(guard(deps))
    .get(
      PATH,
      async function getBookings({ authenticated: by, query }) {
        const { bookings, meta } = await listBookingsOfPro(deps, actingProOf(by).professionalId, query)
        const chosen = query.status ?? ''
        const content = html`
          ${pageHeading('Bookings', html`<a href="${BLOCKED_PATH}">Blocked customers</a>`)}
          ${tabs('Bookings by status', { path: PATH, parameter: 'status', chosen }, STATE_TABS)}
          ${
            bookings.length === 0
              ? emptyState('No bookings', 'Bookings from customers and their agents appear here.')
              : table('Bookings', ['When', 'Service', 'Customer', 'Assigned to', 'Status'], bookings.map(rowOf))
          }
          ${pager(PATH, meta, chosen === '' ? {} : { status: chosen })}
        `
        return renderConsolePage(deps, by, { title: 'Bookings', content })
      },
      { session, query: ProBookingQuery },
    )
    .get(
      `${PATH}/:id`,
      async function getBooking({ authenticated: by, params: { id } }) {
        const pro = actingProOf(by)
        const booking = await getProBooking(deps, pro.professionalId, id)
        const { members } = await listTeam(deps, pro, { limit: 50 })
        const messages = await listBookingMessages(deps, pro.professionalId, id)
        const team = members.map((member) => ({ value: member.id, label: member.name }))
        return renderConsolePage(deps, by, {
          title: `Booking ${day(booking.scheduledDate)}`,
          content: html`${bookingView(by.session, booking, team)} ${messageLog(messages)}`,
        })
      },
      { session, params: BookingParams },
    )
    .post(
      `${PATH}/:id`,
      async function postBooking({ authenticated: by, params: { id } }) {
        return await runFormAction(deps, by, `${PATH}/${id}`, ProAction, async (input) => {
          await actOnBooking(deps, actingProOf(by), id, input)
          return DONE[input.action]
        })
      },
      { session, params: BookingParams, form: ProAction },
    )

const DONE: Record<ProAction['action'], string> = {
  confirm: 'The booking is confirmed.',
  reject: 'The booking is rejected. Any payment is refunded.',
  complete: 'The booking is completed.',
  no_show: 'The booking is marked as a no-show.',
  cancel: 'The booking is cancelled. Any payment is refunded.',
  assign: 'The booking is assigned.',
  propose: 'The time is proposed. The booking moves when the customer agrees.',
}

const STATES: Record<ProBooking['status'], { label: string; tone: Tone }> = {
  pending: { label: 'Pending', tone: 'wait' },
  confirmed: { label: 'Confirmed', tone: 'good' },
  completed: { label: 'Completed', tone: 'plain' },
  no_show: { label: 'No-show', tone: 'bad' },
  cancelled: { label: 'Cancelled', tone: 'bad' },
}

const STATE_TABS = [
  { value: '', label: 'All' },
  ...Object.entries(STATES).map(([value, { label }]) => ({ value, label })),
]

const stateOf = (status: ProBooking['status']): Html => badge(STATES[status].label, STATES[status].tone)

const whenOf = ({ scheduledDate, scheduledTime }: ProBooking) => `${day(scheduledDate)}, ${clockTime(scheduledTime)}`

const rowOf = (booking: ProBooking) => [
  html`<div><a href="${PATH}/${booking.id}">${whenOf(booking)}</a></div>`,
  booking.service.name,
  booking.customer.name,
  booking.assignedTo?.name ?? '–',
  html`<div>${stateOf(booking.status)}</div>`,
]

const bookingView = (session: Session, booking: ProBooking, team: readonly Choice[]): Html => html`
  ${backLink('Bookings', PATH)}
  ${pageHeading(html`${booking.service.name}, ${whenOf(booking)}`, stateOf(booking.status))}
  ${detailList([
    ['Customer', html`${booking.customer.name}, ${emailLink(booking.customer.email)}`],
    ['Phone', booking.customerPhone && phoneLink(booking.customerPhone)],
    ['Address', addressText(booking.address)],
    ['Package', booking.package?.name],
    ['Includes', booking.package && booking.package.includes.length > 0 && booking.package.includes.join(', ')],
    ['Price', priceOf(booking.price)],
    ['Payment', bookingPaymentText(booking)],
    ['Held until', booking.holdExpiresAt && dateTime(booking.holdExpiresAt)],
    ['Duration', duration(booking.durationMinutes)],
    ['Assigned to', booking.assignedTo?.name ?? 'No one yet'],
    ['Confirmation code', html`<code>${booking.confirmationCode}</code>`],
    ['Created', dateTime(booking.createdAt)],
    ['Confirmed', booking.confirmedAt && dateTime(booking.confirmedAt)],
    ['Cancelled', booking.cancelledAt && html`${dateTime(booking.cancelledAt)}. ${cancellationText(booking, 'pro')}`],
    ['Proposed time', booking.proposedTime && proposalOf(booking.proposedTime)],
    ['The job', booking.description && html`<span class="text">${booking.description}</span>`],
  ])}
  ${actionsOf(session, booking, team)}
`

const MESSAGE_STATES: Record<BookingMessage['status'], string> = {
  pending: 'Waiting',
  sent: 'Sent',
  failed: 'Could not be sent',
  suppressed: 'Not wanted by the recipient',
  dropped: 'No longer so',
}

const messageLog = (messages: readonly BookingMessage[]): Html | false =>
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
        sentAt === null ? '–' : dateTime(sentAt),
      ]),
    ),
  )

/** The actions that the status allows. The server checks further conditions, such as the time, on submit. */
function actionsOf(session: Session, { id, status }: ProBooking, team: readonly Choice[]): Html {
  const path = `${PATH}/${id}`
  const allows = (action: ProAction['action']) => action in BOOKING[status]
  const button = (action: ProAction['action'], label: string, tone: 'plain' | 'quiet' = 'plain') =>
    allows(action) && actionButton(session, { action: path, label, tone, fields: { action } })
  return section(
    'Actions',
    buttonRow(html`
      ${button('confirm', 'Confirm')} ${button('complete', 'Mark as completed')}
      ${button('no_show', 'Mark as no-show', 'quiet')}
      ${allows('reject') && disclosure('Reject', rejectForm(session, path))}
      ${allows('propose') && disclosure('Propose another time', proposeForm(session, path))}
      ${allows('cancel') && disclosure('Cancel', cancelForm(session, path))}
      ${disclosure('Block this customer', blockForm(session, id))}
      ${
        allows('assign') &&
        disclosure(
          'Assign',
          team.length > 0 ? assignForm(session, path, team) : html`<p>Your team has no members yet.</p>`,
        )
      }
    `),
  )
}

const rejectForm = (session: Session, path: string): Html =>
  html`<form method="post" action="${path}">
    ${csrfField(session)}
    <input type="hidden" name="action" value="reject" />
    ${textArea({ name: 'reason', label: 'Why you reject it', isOptional: true, hint: 'The customer sees it.', maxLength: 5000 })}
    <button class="small danger">Reject booking</button>
  </form>`

const cancelForm = (session: Session, path: string): Html =>
  html`<form method="post" action="${path}">
    ${csrfField(session)}
    <input type="hidden" name="action" value="cancel" />
    ${textArea({ name: 'reason', id: 'cancel-reason', label: 'Why you cancel it', hint: 'The customer sees it. Everything paid is refunded.', maxLength: 5000 })}
    <button class="small danger">Cancel booking</button>
  </form>`

const proposeForm = (session: Session, path: string): Html =>
  html`<form method="post" action="${path}">
    ${csrfField(session)}
    <input type="hidden" name="action" value="propose" />
    ${textField({ name: 'date', label: 'Day', type: 'date' })}
    ${textField({ name: 'time', label: 'Time', type: 'time' })}
    ${textArea({ name: 'message', label: 'Message', isOptional: true, hint: 'The customer sees it.', maxLength: 5000 })}
    <button class="small">Propose time</button>
  </form>`

const blockForm = (session: Session, bookingId: string): Html =>
  html`<form method="post" action="${BLOCKED_PATH}">
    ${csrfField(session)}
    <input type="hidden" name="bookingId" value="${bookingId}" />
    ${textArea({ name: 'reason', id: 'block-reason', label: 'Why you block them', isOptional: true, hint: 'Only you see it. This booking stays as it is.', maxLength: 5000 })}
    <button class="small danger">Block customer</button>
  </form>`

const proposalOf = ({ date, time, declinedAt }: NonNullable<ProBooking['proposedTime']>): string =>
  `${day(date)}, ${clockTime(time)}: ${declinedAt === null ? 'waits for the customer' : 'the customer declined'}`

const assignForm = (session: Session, path: string, team: readonly Choice[]): Html =>
  html`<form method="post" action="${path}">
    ${csrfField(session)}
    <input type="hidden" name="action" value="assign" />
    ${selectField({ name: 'assignToMemberId', label: 'Team member', choices: team })}
    <button class="small">Assign booking</button>
  </form>`
