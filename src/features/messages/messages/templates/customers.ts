// What customers read besides their bookings: quotes, the invitation to review, and the code to sign in.
import { endingIn, localDateTime, localTime, money, plural } from '../../../../platform/text/format.ts'
import { oneLine } from '../../../../platform/text/plain.ts'
import type { CustomerQuote, MessageData, MessageQuote } from '../kinds.ts'
import type { Content } from './content.ts'
import { ASKED_HERE, REFUND_RETURNED, contactOf, short, subjectOf, wordsOf } from './phrases.ts'
import type { Site } from './rendered.ts'

/** What the request says is left out: anyone can ask with another person's address. */
export function requestSent({ service, pro, others = [], requestUrl }: MessageData['request-sent']): Content {
  const isOne = others.length === 0
  const name = short(pro.name)
  const have = isOne ? `${name} has` : `${others.length + 1} pros have`
  return {
    subject: `${have} your request${service === null ? '' : ` for ${short(service)}`}`,
    heading: `${have} your request`,
    tone: 'plain',
    paragraphs: [
      isOne
        ? `You get a message as soon as ${name} sends a quote. It costs nothing until you accept it.`
        : 'You get a message for each quote, and one page shows them side by side. Nothing costs until you accept a quote; the other pros are then told that you chose.',
    ],
    facts: [
      ['Service', service && short(service, 200)],
      [isOne ? 'Pro' : 'First asked', contactOf(pro)],
      ['Also asked', !isOne && others.map((other) => short(other)).join(', ')],
    ],
    button: { label: 'See your request', url: requestUrl },
    reason: ASKED_HERE,
  }
}

export function requestEnded({ pro, service, isAgreed, searchUrl }: MessageData['request-ended']): Content {
  const name = short(pro)
  return {
    subject: `${name} has closed: your request${service === null ? '' : ` for ${short(service)}`} ended`,
    heading: `${name} has closed its business here`,
    tone: 'bad',
    paragraphs: [
      isAgreed
        ? 'The work that you agreed on does not take place. What you paid for it is refunded.'
        : 'Your request and its quotes have ended. You need not do anything.',
      'Other pros may do the work.',
    ],
    button: { label: 'Find another pro', url: searchUrl },
    reason: ASKED_HERE,
  }
}

export function quoteReceived({ quote, quoteUrl }: CustomerQuote): Content {
  const pro = short(quote.pro.name)
  return {
    subject: `${pro} quotes ${money(quote.amount, quote.currency)} for ${subjectOf(quote)}`,
    heading: `Your quote from ${pro}: ${money(quote.amount, quote.currency)}`,
    tone: 'good',
    paragraphs: ['See all that it includes, then accept or decline it.'],
    facts: quoteFacts(quote),
    quotation: wordsOf(pro, quote.message),
    button: { label: 'See the quote', url: quoteUrl },
    notes: ['Keep the link to yourself: anyone who has it can accept the quote.'],
    reason: ASKED_HERE,
  }
}

export function quoteExpiring({ quote, quoteUrl }: CustomerQuote): Content {
  const pro = short(quote.pro.name)
  const { day, time, zone } = localTime(quote.validUntil, quote.timeZone)
  return {
    subject: `Ends ${day}: quote of ${money(quote.amount, quote.currency)} from ${pro} for ${subjectOf(quote)}`,
    heading: 'Your quote ends soon',
    tone: 'wait',
    paragraphs: [`You can accept it until ${day}, ${time} ${zone}. After that, ask ${pro} for a new one.`],
    facts: quoteFacts(quote),
    button: { label: 'See the quote', url: quoteUrl },
    reason: ASKED_HERE,
  }
}

export function quoteRefunded({ quote, quoteUrl, refund }: MessageData['quote-refunded']): Content {
  const amount = money(refund.amount, refund.currency)
  const pro = short(quote.pro.name)
  return {
    subject: `${amount} refunded: deposit for ${subjectOf(quote)}, with ${pro}`,
    heading: `${amount} was refunded`,
    tone: 'good',
    paragraphs: [
      `It is the deposit that you paid to ${endingIn(pro)} It goes back to the way you paid with. Banks usually take 5 to 10 days until it appears.`,
    ],
    facts: [
      ['Reason', oneLine(refund.note ?? '')],
      ['Service', quote.service && short(quote.service, 200)],
      ['Pro', contactOf(quote.pro)],
    ],
    button: { label: 'See the quote', url: quoteUrl },
    reason: ASKED_HERE,
  }
}

export function quoteRefundFailed({ quote, quoteUrl, refund }: MessageData['quote-refund-failed']): Content {
  const amount = money(refund.amount, refund.currency)
  return {
    subject: `Your refund of ${amount} is delayed: deposit for ${subjectOf(quote)}`,
    heading: `Your refund of ${amount} is delayed`,
    tone: 'wait',
    paragraphs: [`It is the deposit that you paid to ${short(quote.pro.name)}. ${REFUND_RETURNED}`],
    facts: [
      ['Service', quote.service && short(quote.service, 200)],
      ['Pro', contactOf(quote.pro)],
    ],
    button: { label: 'See the quote', url: quoteUrl },
    reason: ASKED_HERE,
  }
}

const quoteFacts = (quote: MessageQuote): NonNullable<Content['facts']> => [
  ['Service', quote.service && short(quote.service, 200)],
  ['Pro', contactOf(quote.pro)],
  ['Amount', money(quote.amount, quote.currency)],
  ['Deposit', quote.depositAmount !== null && `${money(quote.depositAmount, quote.currency)}, paid when you accept`],
  ['Work takes', quote.estimatedDays !== null && plural(quote.estimatedDays, 'day')],
  ['Valid until', localDateTime(quote.validUntil, quote.timeZone)],
]

export function reviewInvitation(data: MessageData['review-invitation']): Content {
  const pro = short(data.pro)
  const work = data.title === null ? 'the work' : short(data.title)
  return {
    subject: `How was ${work} by ${pro}?`,
    heading: `How was ${pro}?`,
    tone: 'plain',
    paragraphs: [
      `${pro} finished ${work} on ${localTime(data.completedAt, data.timeZone).day}. A few words from you help your neighbors choose a pro.`,
    ],
    button: { label: 'Write a review', url: data.reviewUrl },
    notes: [
      'Your review appears with your first name and an initial. The link works for you only: keep it to yourself.',
    ],
    reason: 'You get this message because this pro did work that was booked with your e-mail address.',
  }
}

export function reviewConfirmation(data: MessageData['review-confirmation']): Content {
  const pro = short(data.pro)
  return {
    subject: `Did you review ${pro}?`,
    heading: `Did you review ${pro}?`,
    tone: 'plain',
    paragraphs: [
      `A review of ${pro} was sent with your e-mail address: ${data.rating} of 5 stars. “${short(data.content)}”`,
      'Confirm that you wrote it, and it can be published as verified.',
    ],
    button: { label: 'Confirm the review', url: data.confirmUrl },
    notes: ['You did not write it? Ignore this message: the review will not count as verified.'],
    reason: 'You get this message because a review was sent with your e-mail address.',
  }
}

export function reviewTakenDown({ pro, content, reason, url }: MessageData['review-taken-down']): Content {
  const name = short(pro)
  return {
    subject: `Your review of ${name} was taken down`,
    heading: `Your review of ${name} was taken down`,
    tone: 'plain',
    paragraphs: [
      'It is published no more, and its stars no longer count. You can send another review of the same work.',
    ],
    facts: [['Why', short(reason, 1000)]],
    quotation: wordsOf('Your review', content),
    button: { label: `See the reviews of ${name}`, url },
    reason: 'You get this message because a review with your e-mail address was published.',
  }
}

export function customerBlock(
  { isBlocked, reason, bookingsUrl }: MessageData['customer-block'],
  { name, email, phone }: Site,
): Content {
  const site = short(name)
  const ways = [email, phone].filter((it) => it !== null).join(' or ')
  const asking = ways === '' ? 'Answer this message' : `Write or call: ${ways}`
  return {
    subject: isBlocked ? `You can no longer book with ${site}` : `You can book with ${site} again`,
    heading: isBlocked ? 'You can no longer book here' : 'You can book here again',
    tone: isBlocked ? 'bad' : 'good',
    paragraphs: isBlocked
      ? [
          'With your e-mail address nothing new is booked, asked, reviewed or accepted here. Visits that are booked stay, and you can cancel them as before.',
          `Is that a mistake? ${asking}.`,
        ]
      : ['You can also ask for quotes, accept them, and review pros.'],
    quotation: wordsOf('Why', reason),
    button: { label: 'See your bookings', url: bookingsUrl },
    reason: 'You get this message because you booked or asked here with your e-mail address.',
  }
}

export const signIn = ({ code, url, validMinutes }: MessageData['sign-in']): Content => ({
  subject: 'Your code to sign in',
  heading: 'Sign in',
  tone: 'plain',
  paragraphs: [
    `Type in this code, or open the link in the browser in which you asked for it. Both work once, for ${plural(validMinutes, 'minute')}.`,
  ],
  code,
  button: { label: 'Sign in', url },
  notes: [
    'Never tell the code to anyone. If you did not ask for it, ignore this message: without the code no one can sign in.',
  ],
  reason: 'You get this message because someone asked to sign in with your e-mail address.',
})
