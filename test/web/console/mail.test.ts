// /console/mail: what was sent to whom, and every template.
import { expect, test } from 'bun:test'

import { manageUrl } from '../../../src/features/booking/bookings/verbs/manage-link.ts'
import { MESSAGE_KINDS } from '../../../src/features/messages/messages/kind-facts.ts'
import { planMessage } from '../../../src/features/messages/messages/verbs/plan-message.ts'
import { sendTestMail } from '../../../src/features/messages/messages/verbs/test-mail.ts'
import { book } from '../../support/booking-fixture.ts'
import { opened } from '../../support/fixture.ts'
import { openMessageFixture } from '../../support/messages.ts'
import { loggedInVisitor } from '../../support/visitor.ts'
import { ctxOf } from '../../../src/ctx.ts'

const at = await opened(openMessageFixture())

const kept = await opened(openMessageFixture({ MAIL_URL: '', MAIL_FROM: '' }))

const idOf = async (fixture: typeof at, kind: string) => {
  const [row] = await fixture.sql<{ id: number }[]>`
    select id::int from messages where kind = ${kind} order by id desc limit 1`
  return row?.id ?? 0
}

test('without a mail server the console shows each message as it would be sent, also codes', async () => {
  const operator = await loggedInVisitor(kept.app, 'operator')
  const { booking } = await book(kept, await kept.pro({ deposit: false }))
  const { deps } = kept.app
  const data = { code: '424242', url: 'https://hearth.example/my/sign-in?token=t', validMinutes: 10 }
  await ctxOf(deps).transaction('plan', (ctx) =>
    planMessage(ctx, { kind: 'sign-in', to: 'home@example.com', data, key: 'code' }),
  )
  await kept.settle()
  expect(kept.smtp.received).toEqual([])
  const list = await operator.get('/console/mail?recipient=HOME%40example.com&status=sent')
  expect(list.text).toContain('Booking confirmed')
  expect(list.text).not.toContain('New booking, to the pro')
  expect(list.text).toContain('MAIL_URL is not set')
  const path = `/console/mail/${await idOf(kept, 'booking-confirmed')}`
  const page = await operator.get(path)
  expect(page.text).toContain(`<iframe class="message" src="${path}/html"`)
  expect(page.text).toContain(manageUrl(ctxOf(kept.app.deps), { isMailed: true, bookingId: booking.id }))
  expect(page.text).toContain('BEGIN:VCALENDAR')
  expect(page.headers.get('content-security-policy')).toContain("frame-src 'self'")
  const source = await operator.get(`${path}/source`)
  expect(source.text).toMatch(/^Auto-Submitted: auto-generated\r\n/)
  expect(source.headers.get('content-type')).toStartWith('text/plain')
  expect((await operator.get(`/console/mail/${await idOf(kept, 'sign-in')}`)).text).toContain(data.code)
  expect(await sendTestMail(ctxOf(deps), { to: 'me@example.com' })).toBe('kept in the mailbox')
})

test('a message in its frame runs no script, loads nothing but the logo and the icon, and leads nowhere', async () => {
  const operator = await loggedInVisitor(kept.app, 'operator')
  const { headers, status } = await operator.get(`/console/mail/${await idOf(kept, 'booking-confirmed')}/html`)
  expect(status).toBe(200)
  expect(headers.get('content-security-policy')).toBe(
    `default-src 'none'; style-src 'unsafe-inline'; img-src data: ${kept.app.deps.config.baseUrl}/assets/brand/; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox`,
  )
})

test('with a mail server an operator sees what was sent, without the secrets of its recipient', async () => {
  const operator = await loggedInVisitor(at.app, 'operator')
  await book(at, await at.pro({ deposit: false }))
  await at.settle()
  const path = `/console/mail/${await idOf(at, 'booking-confirmed')}`
  const page = await operator.get(path)
  expect(page.text).toContain('Last answer')
  expect(page.text).toContain('only-the-recipient-has-this-link')
  expect(page.text + (await operator.get(`${path}/html`)).text).not.toContain('/bookings/manage/')
  expect((await operator.get(`${path}/source`)).status).toBe(404)
  expect((await operator.get(`/console/mail/${await idOf(at, 'booking-reminder')}`)).text).toContain(
    'Reminder of the visit',
  )
})

test('an address that does not exist is shown, and an operator sends to it again', async () => {
  const operator = await loggedInVisitor(at.app, 'operator')
  at.smtp.answer = () => ({ code: 550, text: '5.1.1 No such user' })
  await book(at, await at.pro({ deposit: false }), 2)
  await at.settle()
  at.smtp.answer = () => 'accepts'
  const path = `/console/mail/${await idOf(at, 'booking-confirmed')}`
  expect((await operator.get(path)).text).toContain('No such user')
  await operator.post(`${path}/lift`, { email: 'home@example.com', reason: 'bounced' })
  await operator.post(`${path}/send`)
  await at.send()
  expect(at.smtp.to('home@example.com').length).toBeGreaterThan(0)
  expect((await operator.get('/console/mail?status=failed&recipient=home@example.com')).text).not.toContain(path)
})

test('every template is shown with sample data', async () => {
  const operator = await loggedInVisitor(at.app, 'operator')
  const list = await operator.get('/console/mail/templates')
  for (const kind of Object.keys(MESSAGE_KINDS)) {
    expect(list.text).toContain(`/console/mail/templates/${kind}`)
    expect((await operator.get(`/console/mail/templates/${kind}`)).text).toContain('<iframe')
    expect((await operator.get(`/console/mail/templates/${kind}/html`)).text).toContain('<html')
  }
})
