// Every message says what matters, in text and HTML, whatever people have typed in.
import { describe, expect, test } from 'bun:test'

import type { MessageBooking, MessageData, MessageKind } from '../../../../src/features/messages/messages/kinds.ts'
import { MESSAGE_KINDS } from '../../../../src/features/messages/messages/kind-facts.ts'
import type { RenderOptions } from '../../../../src/features/messages/messages/templates/rendered.ts'
import { UNNAMED } from '../../../../src/features/upkeep/marketplace/schemas.ts'
import { renderMessage } from '../../../../src/features/messages/messages/templates/render.ts'
import { SAMPLES } from '../../../../src/features/messages/messages/templates/samples.ts'
import { readEvent } from '../../../support/ics.ts'
import { FACTS } from '../../../support/message-facts.ts'
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
