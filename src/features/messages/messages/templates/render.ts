// Renders a message from its data: subject, text, HTML, and the .ics of a booking. Pure: the same data gives the same message.
import { customerEntry, proEntry } from '../../../calendar/calendar-feeds/entries.ts'
import { ICS_TYPE, invitationOf } from '../../../calendar/calendar-feeds/ics.ts'
import { looksLikeLink, oneLine, shortened } from '../../../../platform/text/plain.ts'
import type { DigestPart, MessageBooking, MessageData, MessageKind } from '../kinds.ts'
import type { Attachment, RenderOptions, RenderedMessage, Site } from './rendered.ts'
import { MESSAGE_KINDS } from '../kind-facts.ts'
import * as bookings from './bookings.ts'
import type { Content } from './content.ts'
import { guestVisit } from './guests.ts'
import { digestOf } from './digest.ts'
import { proMoved } from './moves.ts'
import * as customers from './customers.ts'
import { htmlPart } from './html-part.tsx'
import { withAccent } from './style.ts'
import { proApplication } from './applications.ts'
import * as pros from './pros.ts'
import * as reviews from './reviews.ts'
import { textPart } from './text-part.ts'
import * as users from './users.ts'

const TEMPLATES: { readonly [Kind in MessageKind]: (data: MessageData[Kind], site: Site) => Content } = {
  'booking-received': bookings.bookingReceived,
  'booking-held': bookings.bookingHeld,
  'booking-confirmed': bookings.bookingConfirmed,
  'booking-time-proposed': bookings.bookingTimeProposed,
  'booking-moved': bookings.bookingMoved,
  'booking-cancelled': bookings.bookingCancelled,
  'booking-refunded': bookings.bookingRefunded,
  'booking-refund-failed': bookings.bookingRefundFailed,
  'booking-reminder': bookings.bookingReminder,
  'hold-expiring': bookings.holdExpiring,
  'guest-visit': guestVisit,
  'request-sent': customers.requestSent,
  'request-ended': customers.requestEnded,
  'quote-received': customers.quoteReceived,
  'quote-expiring': customers.quoteExpiring,
  'quote-refunded': customers.quoteRefunded,
  'quote-refund-failed': customers.quoteRefundFailed,
  'review-invitation': customers.reviewInvitation,
  'review-confirmation': customers.reviewConfirmation,
  'review-taken-down': customers.reviewTakenDown,
  'sign-in': customers.signIn,
  'new-booking': pros.newBooking,
  'new-request': pros.newRequest,
  'request-lost': pros.requestLost,
  'payment-received': pros.paymentReceived,
  'booking-cancelled-for-pro': pros.bookingCancelledForPro,
  'booking-moved-for-pro': pros.bookingMovedForPro,
  'quote-accepted': pros.quoteAccepted,
  'job-cancelled-for-pro': pros.jobCancelledForPro,
  'quote-declined': pros.quoteDeclined,
  'new-review': reviews.newReview,
  'tasks-used-up': pros.tasksUsedUp,
  'calendar-conflict': pros.calendarConflict,
  'calendar-failing': pros.calendarFailing,
  'pro-status': pros.proStatus,
  'review-report-decided': reviews.reviewReportDecided,
  'mark-ends': pros.markEnds,
  'customer-block': customers.customerBlock,
  'pro-moved': proMoved,
  'pro-application': proApplication,
  invitation: users.invitation,
  'password-link': users.passwordLink,
  'second-factor': users.secondFactor,
  'address-link': users.addressLink,
  'address-changed': users.addressChanged,
  'login-changed': users.loginChanged,
  'endpoint-disabled': users.endpointDisabled,
  digest: ({ parts }, site) => digestOf(parts.map((part) => contentOf(part, site))),
}

const contentOf = <Kind extends DigestPart['kind']>(
  { kind, data }: { kind: Kind; data: MessageData[Kind] },
  site: Site,
): Content => TEMPLATES[kind](data, site)

/** Mail programs show about 70 characters of a subject on a screen, and 30 on a phone. */
const MAX_SUBJECT = 150

export function renderMessage<Kind extends MessageKind>(
  kind: Kind,
  data: MessageData[Kind],
  options: RenderOptions,
): RenderedMessage {
  const content = TEMPLATES[kind](data, options.site)
  const subject = shortened(oneLine(content.subject), MAX_SUBJECT)
  const unsubscribeUrl = MESSAGE_KINDS[kind].isEssential ? undefined : options.unsubscribeUrl
  const sender: RenderOptions = { ...options, unsubscribeUrl }
  return {
    subject,
    text: textPart(content, sender),
    html: withAccent(htmlPart({ ...content, subject }, sender), options.site.accent),
    attachments: CHANGES_CALENDAR.has(kind) ? invitations(data as BookingData, options) : [],
  }
}

/** The messages after which the booking belongs into a calendar, at another time, or out of it. */
const CHANGES_CALENDAR: ReadonlySet<MessageKind> = new Set<MessageKind>([
  'booking-confirmed',
  'booking-moved',
  'booking-cancelled',
  'booking-reminder',
  'new-booking',
  'booking-cancelled-for-pro',
  'booking-moved-for-pro',
])

type BookingData = { booking: MessageBooking } & ({ manageUrl: string } | { consoleUrl: string })

function invitations(data: BookingData, { baseUrl, from, to, site }: RenderOptions): Attachment[] {
  const { booking } = data
  if (!booking.wasConfirmed) return []
  const forCustomer = 'manageUrl' in data
  // Others may see a person’s calendar: it shows the page of the code, which changes nothing, instead of the manage link.
  const entry = forCustomer
    ? customerEntry(booking, `${baseUrl}/bookings/${booking.code}`)
    : proEntry(booking, data.consoleUrl)
  const name = forCustomer ? booking.customer.name : booking.pro.name
  const { method, content } = invitationOf(baseUrl, entry, {
    organizer: { name: forCustomer ? booking.pro.name : site.name, email: from },
    attendee: { name: looksLikeLink(name) ? to : name, email: to },
  })
  return [{ filename: `${booking.code}.ics`, contentType: `${ICS_TYPE}; method=${method}`, content }]
}
