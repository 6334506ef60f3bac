// Customers in tests: they ask for a code on the sign-in page, read it in their mail, and enter it.
import { randomUUID } from 'node:crypto'

import { MessageSender } from '../../src/features/messages/messages/verbs/send-messages.ts'
import { decryptData } from '../../src/features/messages/messages/verbs/secret-data.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import type { TestApp } from './app.ts'
import { type BookingFixture, type CreatedBooking, type FixturePro, bookingBody } from './booking-fixture.ts'
import { type PageResponse, Visitor } from './visitor.ts'
import { ctxOf } from '../../src/ctx.ts'

export const CODE_PATH = '/my/sign-in/code'

export const newAddress = (): string => `customer-${randomUUID()}@customers.test.example`

/** The code in the latest message to the address, before it is sent. */
export async function codeFor({ deps, sql }: TestApp, email: string): Promise<string> {
  const [message] = await sql<{ secret: string }[]>`
    select data_encrypted as secret from messages where recipient = ${email} and kind = 'sign-in' order by id desc limit 1`
  if (!message) throw new Error('The address got no code.')
  return (decryptData(ctxOf(deps), { text: message.secret }) as { code: string }).code.replace(' ', '')
}

/** Sends what is due, and returns the text of the latest mail to the address with a link of the kind in the embedded mailbox. */
async function textTo({ deps, sql }: TestApp, email: string, link: string): Promise<string> {
  const sender = new MessageSender(deps)
  let mail: { text: string } | undefined
  const hasArrived = async () => {
    await sender.run()
    ;[mail] = await sql<{ text: string }[]>`
      select text from mailbox where recipient = ${email} and position(${link} in text) > 0 order by id desc limit 1`
    return mail !== undefined
  }
  if (!(await waitUntil(hasArrived, 20_000)) || !mail) throw new Error(`No mail with ${link} arrived in the mailbox.`)
  await sender.close()
  return mail.text
}

/** The code and the link of the latest mail with which a customer signs in. */
export async function mailTo(app: TestApp, email: string): Promise<{ code: string; link: string }> {
  const text = await textTo(app, email, '/my/sign-in/')
  const code = /\b\d{4} \d{4}\b/.exec(text)?.[0] ?? ''
  const link = /https?:\/\/\S+\/my\/sign-in\/\S+/.exec(text)?.[0] ?? ''
  return { code, link }
}

/** The link of the latest mail with which an owner chooses a password. */
export async function passwordMailTo(app: TestApp, email: string): Promise<string> {
  const text = await textTo(app, email, '/console/password/')
  return /https?:\/\/\S+\/console\/password\/[\w-]+/.exec(text)?.[0] ?? ''
}

/** Asks for a code as the form does. */
export const askForCode = (visitor: Visitor, email: string, fields: Record<string, string> = {}) =>
  visitor.post('/my/sign-in', { email, ...fields })

/** Signs the visitor in with the code in their mail and returns the response. */
export async function signIn(app: TestApp, visitor: Visitor, email: string): Promise<PageResponse> {
  const asked = await askForCode(visitor, email)
  if (asked.location !== CODE_PATH) throw new Error(`Asking for a code answered ${asked.status}: ${asked.text}`)
  return await visitor.post(CODE_PATH, { code: await codeFor(app, email) })
}

/** A new visitor who is signed in. */
export async function signedInCustomer(app: TestApp, email = newAddress()): Promise<Visitor> {
  const visitor = new Visitor(app)
  const { status, location } = await signIn(app, visitor, email)
  if (status !== 303 || location !== '/my') throw new Error(`Signing in answered ${status} ${location}.`)
  return visitor
}

/** Books as a marketplace does that knows nothing of the customer's account. */
export async function bookFor(
  { app, key }: BookingFixture,
  email: string,
  pro: FixturePro,
  hours = 0,
): Promise<CreatedBooking> {
  const json = bookingBody(pro, hours, { customer: { name: 'Homeowner in Austin', email } })
  const answer = await app.send('/api/v1/bookings', { key, json })
  if (answer.status !== 201) throw new Error(`Not booked: ${await answer.text()}`)
  return (await answer.json()) as CreatedBooking
}

/** The pro completes the visit, which is over. */
export async function complete({ app, sql }: BookingFixture, pro: FixturePro, booking: { id: string }): Promise<void> {
  await sql`
    update bookings set starts_at = starts_at - interval '30 days', ends_at = ends_at - interval '30 days',
      holds = tstzrange(lower(holds) - interval '30 days', upper(holds) - interval '30 days')
    where id = ${booking.id}`
  const done = await app.send(`/api/v1/pro/bookings/${booking.id}`, {
    key: pro.key,
    json: { action: 'complete' },
  })
  if (done.status !== 200) throw new Error(await done.text())
}
