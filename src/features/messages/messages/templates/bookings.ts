// What customers read about their bookings.
import { cancellationText } from '../../../booking/bookings/texts.ts'
import { localTime, money } from '../../../../platform/text/format.ts'
import { oneLine } from '../../../../platform/text/plain.ts'
import type { HeldBooking, MessageBooking, MessageData } from '../kinds.ts'
import type { Content } from './content.ts'
import {
  BOOKED_HERE,
  REFUND_RETURNED,
  cancellationNote,
  customerFacts,
  short,
  startInZone,
  startOf,
  whenOf,
  wordsOf,
} from './phrases.ts'

/** Who booked in the place of the customer. Signed in, the owner of the address disowns the booking. */
const madeFor = ({ madeBy, pro }: MessageBooking): string[] =>
  madeBy === null || madeBy === undefined
    ? []
    : [
        `${madeBy === 'pro' ? short(pro.name) : 'We'} booked this for you, as you asked. If you did not ask for it, cancel it, or sign in with this address and press “This was not me”.`,
      ]

const PRIVATE_LINK = 'Keep the link to yourself: anyone who has it can move and cancel the booking.'

export function bookingReceived({ booking, manageUrl }: MessageData['booking-received']): Content {
  const pro = short(booking.pro.name)
  return {
    subject: `Waiting for confirmation: ${short(booking.title)}, ${startOf(booking)}`,
    heading: `${pro} has your booking`,
    tone: 'wait',
    paragraphs: [
      ...madeFor(booking),
      `${pro} has to confirm it first. The time is yours until they answer, and you get another message then.`,
    ],
    ...details(booking),
    button: { label: 'See your booking', url: manageUrl },
    notes: [PRIVATE_LINK],
    reason: BOOKED_HERE,
  }
}

export const bookingHeld = (data: MessageData['booking-held']): Content => ({
  ...payContent(data),
  subject: `Pay by ${payTime(data)} to keep ${startOf(data.booking)}: ${short(data.booking.title)}`,
  heading: 'Your time is held',
  paragraphs: [
    ...madeFor(data.booking),
    `Pay ${amountDue(data.booking)} by ${payTime(data)}, and ${short(data.booking.title)} with ${short(data.booking.pro.name)} is booked. Otherwise the time becomes free for others.`,
  ],
})

export const holdExpiring = (data: MessageData['hold-expiring']): Content => ({
  ...payContent(data),
  subject: `Your time is only held until ${payTime(data)}: ${short(data.booking.title)}, ${startOf(data.booking)}`,
  heading: 'Pay now to keep your time',
  paragraphs: [
    `We hold it for you until ${payTime(data)}. Pay ${amountDue(data.booking)} by then, and ${short(data.booking.title)} with ${short(data.booking.pro.name)} is booked.`,
  ],
})

export function bookingConfirmed({ booking, manageUrl }: MessageData['booking-confirmed']): Content {
  return {
    subject: `Confirmed: ${short(booking.title)}, ${startOf(booking)}, with ${short(booking.pro.name)}`,
    heading: 'Your booking is confirmed',
    tone: 'good',
    paragraphs: [...madeFor(booking), 'Everything is agreed. The attached file puts the visit into your calendar.'],
    ...details(booking),
    button: { label: 'See, move or cancel it', url: manageUrl },
    notes: [cancellationNote(booking), PRIVATE_LINK],
    reason: BOOKED_HERE,
  }
}

export function bookingTimeProposed({ booking, proposed, manageUrl }: MessageData['booking-time-proposed']): Content {
  const pro = short(booking.pro.name)
  const next = { ...proposed, timeZone: booking.timeZone }
  return {
    subject: `${pro} proposes another time: ${startOf(next)}`,
    heading: `${pro} proposes another time`,
    tone: 'wait',
    paragraphs: ['Does this suit you? Nothing changes until you agree, and the proposed time is not held for you.'],
    when: whenOf(next),
    facts: [['Until now', startInZone(booking)], ...customerFacts(booking)],
    quotation: wordsOf(pro, proposed.message),
    button: { label: 'Agree or keep your time', url: manageUrl },
    reason: BOOKED_HERE,
  }
}

export function bookingMoved({ booking, previousStartsAt, manageUrl }: MessageData['booking-moved']): Content {
  return {
    subject: `Moved to ${startOf(booking)}: ${short(booking.title)} with ${short(booking.pro.name)}`,
    heading: 'Your booking has a new time',
    tone: 'good',
    paragraphs: [
      booking.wasConfirmed ? 'The attached file moves the visit in your calendar.' : 'It still waits for confirmation.',
    ],
    when: whenOf(booking),
    facts: [
      ['Before', previousStartsAt && startInZone({ startsAt: previousStartsAt, timeZone: booking.timeZone })],
      ...customerFacts(booking),
    ],
    button: { label: 'See your booking', url: manageUrl },
    notes: [cancellationNote(booking), PRIVATE_LINK],
    reason: BOOKED_HERE,
  }
}

export function bookingCancelled({ booking, manageUrl }: MessageData['booking-cancelled']): Content {
  // The customer's own words are left out: see customerFacts.
  const byCustomer = booking.cancelledBy === 'customer'
  const why = cancellationText(byCustomer ? { ...booking, cancellationReason: null } : booking, 'customer')
  return {
    subject: `Cancelled: ${short(booking.title)}, ${startOf(booking)}, with ${short(booking.pro.name)}`,
    heading: 'Your booking is cancelled',
    tone: 'bad',
    paragraphs: [
      `The visit does not take place.${booking.wasConfirmed ? ' The attached file takes the visit out of your calendar.' : ''}`,
    ],
    when: whenOf(booking),
    facts: [['Reason', oneLine(why ?? '')], ...customerFacts(booking)],
    button: { label: 'See the details', url: manageUrl },
    reason: BOOKED_HERE,
  }
}

export function bookingRefunded({ booking, manageUrl, refund: made }: MessageData['booking-refunded']): Content {
  const refund = made ?? booking.payment?.refund ?? booking.payment
  const amount = refund ? money(refund.amount, refund.currency) : 'Your payment'
  return {
    subject: `${amount} refunded: ${short(booking.title)}, ${startOf(booking)}`,
    heading: `${amount} ${refund ? 'was' : 'is'} refunded`,
    tone: 'good',
    paragraphs: [
      'The money goes back to the card or account that you paid with. Banks usually take 5 to 10 days to show it.',
    ],
    when: whenOf(booking),
    facts: [['Reason', oneLine(made?.note ?? '')], ...customerFacts(booking)],
    button: { label: 'See the details', url: manageUrl },
    reason: BOOKED_HERE,
  }
}

export function bookingRefundFailed({ booking, manageUrl, refund }: MessageData['booking-refund-failed']): Content {
  const amount = money(refund.amount, refund.currency)
  return {
    subject: `Your refund of ${amount} is delayed: ${short(booking.title)}, ${startOf(booking)}`,
    heading: `Your refund of ${amount} is delayed`,
    tone: 'wait',
    paragraphs: [`${REFUND_RETURNED} The page of your booking shows where it stands.`],
    when: whenOf(booking),
    facts: customerFacts(booking),
    button: { label: 'See the details', url: manageUrl },
    reason: BOOKED_HERE,
  }
}

export function bookingReminder({ booking, manageUrl }: MessageData['booking-reminder']): Content {
  return {
    subject: `Reminder: ${short(booking.title)}, ${startOf(booking)}, with ${short(booking.pro.name)}`,
    heading: `Your visit is on ${localTime(booking.startsAt, booking.timeZone).day}`,
    tone: 'plain',
    paragraphs: ['If the time no longer suits you, move or cancel the visit now.'],
    ...details(booking),
    button: { label: 'See, move or cancel it', url: manageUrl },
    notes: [cancellationNote(booking)],
    reason: BOOKED_HERE,
  }
}

const details = (booking: MessageBooking) => ({ when: whenOf(booking), facts: customerFacts(booking) })

const amountDue = ({ payment }: MessageBooking): string =>
  payment ? money(payment.amount, payment.currency) : 'the amount due'

/** "2:30 PM". A hold lasts for minutes, so it needs no day. */
const payTime = ({ payBy, booking }: HeldBooking): string => {
  const { time, zone } = localTime(payBy, booking.timeZone)
  return `${time} ${zone}`
}

const payContent = ({ booking, manageUrl, payUrl }: HeldBooking) => ({
  tone: 'wait' as const,
  ...details(booking),
  button: { label: `Pay ${amountDue(booking)}`, url: payUrl },
  link: { label: 'See or cancel it instead', url: manageUrl },
  notes: [cancellationNote(booking)],
  reason: BOOKED_HERE,
})
