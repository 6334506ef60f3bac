// What pros read.
import { addressText, cancellationText } from '../../../booking/bookings/texts.ts'
import {
  count,
  localDateTime,
  localTime,
  longDay,
  money,
  plural,
  timeSpan,
  weekday,
} from '../../../../platform/text/format.ts'
import { oneLine } from '../../../../platform/text/plain.ts'
import type { ProStatus } from '../../../business/pros/states.ts'
import type { MessageData, ProQuote } from '../kinds.ts'
import type { Content } from './content.ts'
import { PRO_HERE, proFacts, short, startInZone, startOf, whenOf, wordsOf } from './phrases.ts'

export function newBooking({ booking, consoleUrl }: MessageData['new-booking']): Content {
  const waits = booking.status === 'pending'
  const customer = short(booking.customer.name)
  return {
    subject: `${waits ? 'Confirm or decline' : 'New booking'}: ${short(booking.title)}, ${startOf(booking)}, ${customer}`,
    heading: waits ? `${customer} waits for your answer` : 'You have a new booking',
    tone: waits ? 'wait' : 'good',
    paragraphs: [
      waits
        ? 'The time is held until you confirm or decline. If you do not answer before its start, the booking is cancelled.'
        : 'It is confirmed. The attached file puts the visit into your calendar.',
      ...(waits && booking.inServiceArea === false
        ? ['The address is outside your service area: you decide whether you come.']
        : []),
    ],
    when: whenOf(booking),
    facts: proFacts(booking),
    quotation: wordsOf(`Notes from ${customer}`, booking.notes),
    button: { label: waits ? 'Confirm or decline' : 'See the booking', url: consoleUrl },
    reason: PRO_HERE,
  }
}

export function newRequest({ request, consoleUrl }: MessageData['new-request']): Content {
  const customer = short(request.customer.name)
  const service = request.service === null ? 'work' : short(request.service)
  const answers = (request.answers ?? []).map(({ question, answer }) => `${question}\n${answer}`)
  return {
    subject: `New request: ${customer} asks for a quote for ${service}`,
    heading: `${customer} asks for a quote`,
    tone: 'wait',
    paragraphs: ['Customers often choose the first pro who answers.'],
    facts: [
      ['Service', request.service && oneLine(request.service)],
      ['Customer', oneLine(request.customer.name)],
      ['Phone', request.customer.phone && oneLine(request.customer.phone)],
      ['E-mail', request.customer.email],
      ['Where', oneLine(addressText(request.address))],
      ['Budget', request.budget && oneLine(request.budget)],
      ['Timeline', request.timeline && oneLine(request.timeline)],
      ['Wanted on', request.preferredDate && weekday(request.preferredDate)],
    ],
    quotation: wordsOf(`What ${customer} needs`, [request.description, ...answers].join('\n\n')),
    button: { label: 'Answer with a quote', url: consoleUrl },
    reason: PRO_HERE,
  }
}

export function requestLost({ service, customer, consoleUrl }: MessageData['request-lost']): Content {
  const name = short(customer)
  return {
    subject: `${name} chose another pro${service === null ? '' : ` for ${short(service)}`}`,
    heading: `${name} chose another pro`,
    tone: 'plain',
    paragraphs: ['The customer had asked several pros. The request is closed, and you need not answer it.'],
    button: { label: 'See the request', url: consoleUrl },
    reason: PRO_HERE,
  }
}

export function paymentReceived(data: MessageData['payment-received']): Content {
  const amount = money(data.amount, data.currency)
  return {
    subject: `${amount} paid by ${short(data.customer)}: ${short(data.title)}`,
    heading: `${short(data.customer)} paid ${amount}`,
    tone: 'good',
    paragraphs: [`The payment is for ${short(data.title, 200)}.`],
    button: { label: 'See the details', url: data.consoleUrl },
    reason: PRO_HERE,
  }
}

export function bookingCancelledForPro({ booking, consoleUrl }: MessageData['booking-cancelled-for-pro']): Content {
  return {
    subject: `Cancelled: ${short(booking.title)}, ${startOf(booking)}, ${short(booking.customer.name)}`,
    heading: 'A booking is cancelled',
    tone: 'bad',
    paragraphs: [
      `Your time is free again.${booking.wasConfirmed ? ' The attached file takes the visit out of your calendar.' : ''}`,
    ],
    when: whenOf(booking),
    facts: [['Reason', oneLine(cancellationText(booking, 'pro') ?? '')], ...proFacts(booking)],
    button: { label: 'See the booking', url: consoleUrl },
    reason: PRO_HERE,
  }
}

export function bookingMovedForPro(data: MessageData['booking-moved-for-pro']): Content {
  const { booking, previousStartsAt, consoleUrl } = data
  return {
    subject: `Moved to ${startOf(booking)}: ${short(booking.title)}, ${short(booking.customer.name)}`,
    heading: 'A booking has a new time',
    tone: 'good',
    paragraphs: [
      booking.wasConfirmed ? 'The attached file moves the visit in your calendar.' : 'It still waits for your answer.',
    ],
    when: whenOf(booking),
    facts: [
      ['Before', previousStartsAt && startInZone({ startsAt: previousStartsAt, timeZone: booking.timeZone })],
      ...proFacts(booking),
    ],
    quotation: wordsOf(`Notes from ${short(booking.customer.name)}`, booking.notes),
    button: { label: 'See the booking', url: consoleUrl },
    reason: PRO_HERE,
  }
}

export const quoteAccepted = (data: ProQuote): Content => ({
  ...quoteContent(data),
  subject: `Accepted: ${amountFor(data)}, ${short(data.quote.customer.name)}`,
  heading: `${short(data.quote.customer.name)} accepted your quote`,
  tone: 'good',
  paragraphs: ['The job is in your list. Agree on a time with your customer.'],
})

export const quoteDeclined = (data: ProQuote): Content => ({
  ...quoteContent(data),
  subject: `Declined: ${amountFor(data)}, ${short(data.quote.customer.name)}`,
  heading: `${short(data.quote.customer.name)} declined your quote`,
  tone: 'bad',
  paragraphs: ['You can send another quote for the same request.'],
  quotation: wordsOf(`Reason from ${short(data.quote.customer.name)}`, data.quote.declineReason),
})

export const jobCancelledForPro = (data: MessageData['job-cancelled-for-pro']): Content => ({
  ...quoteContent(data),
  subject: `Cancelled: ${amountFor(data)}, ${short(data.quote.customer.name)}`,
  heading: `${short(data.quote.customer.name)} cancelled the work`,
  tone: 'bad',
  paragraphs: [
    `They had accepted your quote and had not chosen a time.${data.quote.depositAmount === null ? '' : ' The deposit goes back to them.'}`,
  ],
  quotation: wordsOf(`Reason from ${short(data.quote.customer.name)}`, data.reason),
  button: { label: 'See the job', url: data.consoleUrl },
})

const amountFor = ({ quote }: ProQuote): string =>
  `${money(quote.amount, quote.currency)}${quote.service === null ? '' : ` for ${short(quote.service)}`}`

const quoteContent = ({ quote, consoleUrl }: ProQuote) => ({
  facts: [
    ['Service', quote.service && oneLine(quote.service)],
    ['Customer', oneLine(quote.customer.name)],
    ['Amount', money(quote.amount, quote.currency)],
    ['Deposit', quote.depositAmount !== null && money(quote.depositAmount, quote.currency)],
  ] satisfies Content['facts'],
  button: { label: 'See the quote', url: consoleUrl },
  reason: PRO_HERE,
})

/** A pro without an allowance has used up what was bought. */
export const tasksUsedUp = ({ allowance, renewsAt, timeZone, consoleUrl }: MessageData['tasks-used-up']): Content => ({
  subject:
    allowance === 0 ? 'Your agent tasks are used up' : `Your ${count(allowance)} agent tasks of this month are used up`,
  heading: 'Your agent tasks are used up',
  tone: 'wait',
  paragraphs: [
    allowance === 0
      ? 'Until you buy more, your agents can still read, and edit what costs nothing.'
      : `Your plan includes ${plural(allowance, 'agent task')} a month. New ones come on ${localDateTime(renewsAt, timeZone)}. Until then your agents can still read, and edit what costs nothing.`,
  ],
  button: { label: 'Buy more tasks', url: consoleUrl },
  reason: PRO_HERE,
})

export function calendarConflict({ booking, calendar, event, consoleUrl }: MessageData['calendar-conflict']): Content {
  const span = `${localTime(event.startsAt, booking.timeZone).day}, ${timeSpan(event.startsAt, event.endsAt, booking.timeZone)}`
  return {
    subject: `Conflict with your calendar: ${short(booking.title)}, ${startOf(booking)}, ${short(booking.customer.name)}`,
    heading: 'Two things at the same time',
    tone: 'wait',
    paragraphs: [
      `“${short(calendar)}” has something on ${span}, and you have this booking. The booking stays: keep it, propose another time, or cancel it.`,
    ],
    when: whenOf(booking),
    facts: proFacts(booking),
    button: { label: 'See the booking', url: consoleUrl },
    reason: PRO_HERE,
  }
}

export const calendarFailing = (data: MessageData['calendar-failing']): Content => ({
  subject: `Your calendar “${short(data.calendar)}” cannot be read`,
  heading: `“${short(data.calendar)}” cannot be read`,
  tone: 'bad',
  paragraphs: [
    'The times that are known stay blocked, but we do not see what you have added since. Check the secret address of the calendar, or remove the calendar.',
  ],
  facts: [
    ['Last read', data.lastReadAt === null ? 'Never' : localDateTime(data.lastReadAt, data.timeZone)],
    ['Problem', oneLine(data.reason)],
  ],
  button: { label: 'See your calendars', url: data.consoleUrl },
  reason: PRO_HERE,
})

export function proStatus(data: MessageData['pro-status']): Content {
  const { status, operatorReason, consoleUrl } = data
  return {
    ...STATUS_CONTENT[status](data, short(data.pro)),
    quotation: operatorReason === null ? undefined : wordsOf('Why', operatorReason),
    ...(status === 'closed'
      ? {}
      : { button: { label: status === 'paused' ? 'See your settings' : 'See the console', url: consoleUrl } }),
    reason: PRO_HERE,
  }
}

export function markEnds({ pro, mark, validUntil, isExpired, consoleUrl }: MessageData['mark-ends']): Content {
  const [name, lastDay] = [short(mark), longDay(validUntil)]
  const heading = isExpired ? `“${name}” is no longer shown` : `“${name}” is shown until ${lastDay}`
  return {
    subject: `${heading}: ${short(pro)}`,
    heading,
    tone: isExpired ? 'bad' : 'wait',
    paragraphs: [
      isExpired
        ? `What we had checked held until ${lastDay}. Customers who filter for it do not find ${short(pro)} now.`
        : `What we have checked holds until then. Send us the new papers before, so that customers who filter for it go on finding ${short(pro)}.`,
      'Write what has been renewed, and we check it again.',
    ],
    button: { label: 'Ask for a check', url: consoleUrl },
    reason: PRO_HERE,
  }
}

type StatusContent = Pick<Content, 'subject' | 'heading' | 'tone' | 'paragraphs'>

const said = (subject: string, tone: Content['tone'], paragraphs: readonly string[]): StatusContent => ({
  subject,
  heading: subject,
  tone,
  paragraphs,
})

const STATUS_CONTENT: Readonly<Record<ProStatus, (data: MessageData['pro-status'], name: string) => StatusContent>> = {
  active: (_data, name) =>
    said(`Customers find ${name} again`, 'good', ['Your page is back, and customers book within your hours.']),
  paused: ({ operatorReason, isReopened }, name) =>
    isReopened === true
      ? said(`The account of ${name} is open again`, 'good', [
          'Log in with your former password. You are paused: customers find you once you resume in your settings.',
          'Keys, apps, webhooks and calendars have to be connected anew, and what was cancelled stays cancelled.',
        ])
      : said(`${name} is paused`, 'wait', [
          'Customers do not find you, and cannot book or ask for a quote. Visits that are booked stay as they are, and you still see and move them.',
          ...(operatorReason === null
            ? []
            : [
                'We paused it, and will let customers find it again once this is settled: answer this message to reach us.',
              ]),
        ]),
  closed: ({ operatorReason, erased }, name) =>
    said(`The account of ${name} is closed`, 'bad', [
      `${operatorReason === null ? 'You closed it' : 'We closed it'}. Customers do not find you. Visits and requests that were open are cancelled, and everything that was paid for them goes back to the customers.`,
      'Log-ins, keys, apps, webhooks and calendars have ended.',
      ...(erased
        ? [
            `On ${localTime(erased.at, erased.timeZone).day} we erase your data, except what bookkeeping and your customers’ bookings need. Until then we can open the account again: answer this message.`,
          ]
        : []),
    ]),
}
