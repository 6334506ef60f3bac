// Every message says what matters, in text and HTML, whatever people have typed in.
import { describe, expect, test } from 'bun:test'

import type { MessageBooking, MessageData, MessageKind } from '../../../../src/features/messages/messages/kinds.ts'
import { MESSAGE_KINDS } from '../../../../src/features/messages/messages/kind-facts.ts'
import type { RenderOptions } from '../../../../src/features/messages/messages/templates/rendered.ts'
import { UNNAMED } from '../../../../src/features/upkeep/marketplace/schemas.ts'
import { renderMessage } from '../../../../src/features/messages/messages/templates/render.ts'
import { SAMPLES } from '../../../../src/features/messages/messages/templates/samples.ts'
import { readEvent } from '../../../support/ics.ts'
import { visibleText } from '../../../support/visible-text.ts'

const KINDS = Object.keys(MESSAGE_KINDS) as MessageKind[]

const OPTIONS: RenderOptions = {
  site: UNNAMED,
  baseUrl: 'https://hearth.example',
  from: 'hello@hearth.example',
  to: 'maria@example.com',
  unsubscribeUrl: 'https://hearth.example/unsubscribe/u1?a=1&b=2',
}

/** Rendering takes any pair of a kind and its data; a list of kinds loses which data belongs to which. */
const render = (kind: MessageKind, data: unknown, options = OPTIONS) =>
  renderMessage(kind, data as MessageData[typeof kind], options)

/** What a person must find in the message. */
const FACTS: { readonly [Kind in MessageKind]: { subject: string[]; body: string[] } } = {
  'booking-received': {
    subject: ['Drain cleaning', 'Tuesday, June 2, 2:15 PM'],
    body: ['Tuesday, June 2, 2026', '2:15 to 3:45 PM Central Time', 'Lone Star Plumbing', 'HTH-7K2M9QX4T0WB'],
  },
  'booking-held': {
    subject: ['Drain cleaning', 'Tuesday, June 2, 2:15 PM', '11:19 AM Central Time'],
    body: ['$55.00', '11:19 AM Central Time', 'Lone Star Plumbing', '2:15 to 3:45 PM Central Time'],
  },
  'booking-confirmed': {
    subject: ['Confirmed', 'Drain cleaning', 'Tuesday, June 2, 2:15 PM', 'Lone Star Plumbing'],
    body: [
      'Tuesday, June 2, 2026',
      '2:15 to 3:45 PM Central Time',
      '(512) 555-0142',
      '1204 Barton Springs Rd, Austin, TX, 78704',
      '$120 to $180 per visit',
      '$55.00 ($5.00 fee and $50.00 deposit)',
      'If you cancel by Monday, June 1, 2:15 PM Central Time, you get all of the $55 back.',
    ],
  },
  'booking-time-proposed': {
    subject: ['Lone Star Plumbing', 'Thursday, June 4, 9:00 AM'],
    body: ['Thursday, June 4, 2026', '9:00 to 10:30 AM Central Time', 'Tuesday, June 2, 2:15 PM', 'Our plumber is ill'],
  },
  'booking-moved': {
    subject: ['Moved', 'Thursday, June 4, 9:00 AM', 'Drain cleaning'],
    body: ['Thursday, June 4, 2026', '9:00 to 10:30 AM Central Time', 'Tuesday, June 2, 2:15 PM Central Time'],
  },
  'booking-cancelled': {
    subject: ['Cancelled', 'Drain cleaning', 'Tuesday, June 2, 2:15 PM'],
    body: ['The pro cancelled it: Our van broke down. We are sorry.', '$55.00 was refunded'],
  },
  'booking-refund-failed': {
    subject: ['Your refund of $55.00 is delayed', 'Drain cleaning'],
    body: ['The bank sent the money of your refund back', 'we send it again or return it in another way'],
  },
  'booking-refunded': { subject: ['$55.00', 'Drain cleaning'], body: ['$55.00 was refunded', '5 to 10 days'] },
  'booking-reminder': {
    subject: ['Reminder', 'Drain cleaning', 'Tuesday, June 2, 2:15 PM'],
    body: ['Tuesday, June 2, 2026', '2:15 to 3:45 PM Central Time', '(512) 555-0142'],
  },
  'hold-expiring': {
    subject: ['11:19 AM Central Time', 'Drain cleaning'],
    body: ['$55.00', '11:19 AM Central Time', 'Tuesday, June 2, 2026'],
  },
  'guest-visit': {
    subject: ['A visit for you', 'Drain cleaning', 'Tuesday, June 2, 2:15 PM', 'Lone Star Plumbing'],
    body: ['2:15 to 3:45 PM Central Time', '(512) 555-0142', 'daniel@example.com booked this visit for you'],
  },
  'request-sent': {
    subject: ['Hill Country Builders has your request for Bathroom remodel'],
    body: ['as soon as Hill Country Builders sends a quote', '(512) 555-0123'],
  },
  'request-ended': {
    subject: ['Hill Country Builders has closed', 'Bathroom remodel'],
    body: ['does not take place', 'is refunded', 'Find another pro'],
  },
  'quote-received': {
    subject: ['Hill Country Builders', '$12,400.00', 'Bathroom remodel'],
    body: [
      '$12,400.00',
      '$2,480.00',
      '9 days',
      'Friday, June 26, 5:00 PM Central Time',
      'The tiles are the ones you liked',
    ],
  },
  'quote-expiring': {
    subject: ['Friday, June 26', 'Hill Country Builders', '$12,400.00'],
    body: ['Friday, June 26, 5:00 PM Central Time', '$12,400.00'],
  },
  'quote-refund-failed': {
    subject: ['$2,480.00', 'delayed', 'Bathroom remodel'],
    body: ['The bank sent the money of your refund back', 'we send it again or return it in another way'],
  },
  'quote-refunded': { subject: ['$2,480.00', 'Bathroom remodel'], body: ['$2,480.00 was refunded', 'the deposit'] },
  'review-invitation': { subject: ['Lone Star Plumbing'], body: ['Drain cleaning', 'Tuesday, June 2'] },
  'review-confirmation': { subject: ['Lone Star Plumbing'], body: ['4 of 5 stars', 'The drain works again'] },
  'sign-in': { subject: ['sign in'], body: ['482 913', '10 minutes'] },
  'new-booking': {
    subject: ['Confirm or decline', 'Drain cleaning', 'Tuesday, June 2, 2:15 PM', 'Maria Gonzalez'],
    body: ['2:15 to 3:45 PM Central Time', '(512) 555-0199', 'maria@example.com', 'Please ring at the side door.'],
  },
  'new-request': {
    subject: ['Maria Gonzalez', 'Bathroom remodel'],
    body: ['$10,000 to $15,000', 'Within two months', 'Monday, June 15', 'walk-in shower', '(512) 555-0199'],
  },
  'request-lost': { subject: ['Maria Gonzalez chose another pro', 'Bathroom remodel'], body: ['need not answer'] },
  'payment-received': { subject: ['$55.00', 'Maria Gonzalez', 'Drain cleaning'], body: ['$55.00', 'Drain cleaning'] },
  'booking-cancelled-for-pro': {
    subject: ['Cancelled', 'Drain cleaning', 'Tuesday, June 2, 2:15 PM', 'Maria Gonzalez'],
    body: ['The customer cancelled it: It drains again.', 'Your time is free again'],
  },
  'booking-moved-for-pro': {
    subject: ['Moved', 'Thursday, June 4, 9:00 AM', 'Maria Gonzalez'],
    body: ['Thursday, June 4, 2026', 'Tuesday, June 2, 2:15 PM Central Time'],
  },
  'quote-accepted': { subject: ['Accepted', '$12,400.00', 'Maria Gonzalez'], body: ['Bathroom remodel', '$2,480.00'] },
  'quote-declined': { subject: ['Declined', '$12,400.00'], body: ['Maria Gonzalez', 'wait until next year.'] },
  'job-cancelled-for-pro': { subject: ['Cancelled', '$12,400.00'], body: ['We are moving to another city.'] },
  'new-review': { subject: ['5 stars', 'Maria G.'], body: ['5 of 5', 'left the kitchen cleaner'] },
  'tasks-used-up': { subject: ['100 agent tasks'], body: ['Tuesday, June 30, 7:00 PM Central Time'] },
  'calendar-conflict': {
    subject: ['Conflict', 'Drain cleaning', 'Tuesday, June 2, 2:15 PM'],
    body: ['“Family”', '2:00 to 3:00 PM', '2:15 to 3:45 PM Central Time'],
  },
  'calendar-failing': { subject: ['“Family”'], body: ['The server answered 404', 'Wednesday, May 27, 9:05 AM'] },
  'pro-status': {
    subject: ['Lone Star Plumbing is paused'],
    body: ['not known in Texas', 'Visits that are booked stay'],
  },
  'pro-application': {
    subject: ['A question about Lone Star Plumbing'],
    body: ['the number of your plumbing license', 'send it again'],
  },
  invitation: { subject: ['Lone Star Plumbing'], body: ['Jun 4, 2026, 16:00 UTC'] },
  'endpoint-disabled': { subject: ['shop.example'], body: ['failed for days', 'replay what it missed'] },
  'password-link': { subject: ['password'], body: ['May 28, 2026, 17:00 UTC'] },
  digest: { subject: ['3 updates', 'New request'], body: ['Drain cleaning', '5 stars from Maria G.'] },
}

/** All links in the data, each of which must be reachable in both parts. */
const linksOf = (data: unknown) =>
  Object.values(data as Record<string, unknown>).filter(
    (value): value is string => typeof value === 'string' && value.startsWith('https://'),
  )

describe.each(KINDS)('the message %s', (kind) => {
  const { subject, text, html } = render(kind, SAMPLES[kind])

  test('says what matters in its subject, its text and its HTML', () => {
    const { subject: inSubject, body } = FACTS[kind]
    const flatText = text.replace(/\n>? ?/g, ' ').replace(/\s+/g, ' ')
    for (const fact of inSubject) expect([kind, subject]).toEqual([kind, expect.stringContaining(fact) as string])
    const seen = visibleText(html)
    for (const fact of body) {
      expect(flatText).toContain(fact)
      expect(seen).toContain(fact)
    }
    expect(subject.length).toBeLessThanOrEqual(110)
  })

  test('has its links in both parts, and one button unless it tells several messages', () => {
    for (const link of linksOf(SAMPLES[kind])) {
      expect(text).toContain(link)
      expect(html).toContain(link)
    }
    expect(html.split('class="button"')).toHaveLength(kind === 'digest' ? 1 : 2)
  })

  test('loads nothing, runs nothing, and has no image', () => {
    expect(html).not.toMatch(/<(script|img|link|iframe|object|form)\b|url\(|@import|\son\w+=/i)
    expect(html).toContain('name="color-scheme" content="light dark"')
    expect(html).toContain('prefers-color-scheme: dark')
  })

  test('offers to unsubscribe only if it is not essential', () => {
    const expected = !MESSAGE_KINDS[kind].isEssential
    expect(text.includes('https://hearth.example/unsubscribe/u1?a=1&b=2')).toBe(expected)
    expect(html.includes('https://hearth.example/unsubscribe/u1?a=1&amp;b=2')).toBe(expected)
    const without = render(kind, SAMPLES[kind], { ...OPTIONS, unsubscribeUrl: undefined })
    expect(without.text + without.html).not.toContain('u1?a=1')
  })

  test('is the same whenever it is rendered', () =>
    expect(render(kind, SAMPLES[kind])).toEqual({ ...render(kind, SAMPLES[kind]) }))
})

/** The data with every text of people replaced by `change`; codes, instants, zones, links and choices stay. */
function withTexts(data: unknown, change: (text: string) => string): unknown {
  const FIXED = /^(id|code|kind|status|timeZone|type|currency|cancelledBy|preferredDate|.*(At|By|Until|Url|url))$/
  if (Array.isArray(data)) return data.map((item) => withTexts(item, change))
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      typeof value === 'string' && !FIXED.test(name) ? change(value) : withTexts(value, change),
    ]),
  )
}

const OPTIONAL = new Set(
  'phone address notes payment freeCancellationUntil cancelledBy cancellationReason previousStartsAt message service depositAmount estimatedDays declineReason budget timeline preferredDate lastReadAt business unit basePrice min max'.split(
    ' ',
  ),
)

/** The data with everything null that may be. */
function withoutOptional(data: unknown): unknown {
  if (typeof data !== 'object' || data === null) return data
  if (Array.isArray(data)) return data.map(withoutOptional)
  // The title of a booking or payment is always known.
  const hasTitle = 'code' in data || 'amount' in data
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      OPTIONAL.has(name) || (name === 'title' && !hasTitle) ? null : withoutOptional(value),
    ]),
  )
}

const LINK = 'http://evil.example/login'
const MARKUP = `<img src=x onerror=alert(1)></style></title><script>alert(1)</script>"' onload='x' &amp; ${LINK}`

describe('a message with hostile data', () => {
  test.each(KINDS)('%s shows markup as text', (kind) => {
    const { html, text, subject } = render(
      kind,
      withTexts(SAMPLES[kind], () => MARKUP),
    )
    expect(html).not.toMatch(/<(script|img)\b|<\/style>[^]*<\/style>/i)
    const tags: string[] = []
    new HTMLRewriter()
      .on('*', {
        element(element) {
          tags.push(element.tagName)
          for (const [name] of element.attributes) if (name.startsWith('on')) tags.push(`${element.tagName} ${name}`)
        },
      })
      .transform(html)
    expect(tags.filter((tag) => /^(script|img)$| on/.test(tag))).toEqual([])
    expect(subject + text).not.toContain('&lt;')
  })

  test.each(KINDS)('%s keeps line breaks and control characters out of its subject and its facts', (kind) => {
    const breaking = (text: string) => `${text}\r\nBcc: victim@example.com\u0000\u2028X\u202e`
    const message = render(kind, withTexts(SAMPLES[kind], breaking))
    const { subject, text, html } = message
    // oxlint-disable-next-line no-control-regex
    expect(subject).not.toMatch(/[\u0000-\u001f\u007f\u2028\u2029\u202e]/)
    // oxlint-disable-next-line no-control-regex
    expect(text + html).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f\u2028\u2029\u202e]/)
    expect(text).not.toMatch(/^Bcc:/m)
    for (const { content } of message.attachments) readEvent(content)
  })

  test.each(KINDS)('%s stays readable with very long words', (kind) => {
    const { subject, html, attachments } = render(
      kind,
      withTexts(SAMPLES[kind], () => 'Ä'.repeat(5000)),
    )
    expect(Array.from(new Intl.Segmenter('en').segment(subject)).length).toBeLessThanOrEqual(150)
    expect(visibleText(html)).not.toMatch(/\b(undefined|null|NaN|Invalid Date)\b/)
    for (const { content } of attachments) readEvent(content)
  })

  test.each(KINDS)('%s does without everything optional', (kind) => {
    const { subject, text, html } = render(kind, withoutOptional(SAMPLES[kind]))
    expect(subject).not.toBe('')
    expect(subject + text + visibleText(html)).not.toMatch(/\b(undefined|null|NaN|Invalid Date|\[object)\b/)
  })

  test.each(KINDS.filter((kind) => MESSAGE_KINDS[kind].audience === 'customer' && 'booking' in SAMPLES[kind]))(
    '%s sends no link that was typed in with the e-mail address of someone else',
    (kind) => {
      const { booking, ...rest } = SAMPLES[kind] as { booking: MessageBooking }
      const typed: MessageBooking = {
        ...booking,
        notes: LINK,
        customer: { name: `Win ${LINK}`, email: 'victim@example.com', phone: LINK },
        address: { street: `Go to evil.example now`, city: 'Austin', state: 'TX', zipCode: '78704' },
        cancelledBy: booking.cancelledBy && 'customer',
        cancellationReason: booking.cancellationReason && LINK,
      }
      const { subject, text, html, attachments } = render(kind, { ...rest, booking: typed })
      const all = [subject, text, html, ...attachments.map(({ content }) => content)].join('\n')
      expect(all).not.toContain('evil.example')
    },
  )
})
