// A customer's whole life with a pro, through every interface: each place that stores personal data gets a marker of it.
import { PRESETS } from '../../src/auth/scopes.ts'
import { approveReview, rejectReview } from '../../src/features/reviews/reviews/verbs/reviews.ts'
import { settleRefunds } from '../../src/payments/verbs/refunds.ts'
import { CUSTOMER_SERVER, callTool } from './agents.ts'
import { WIDGET_ORIGIN } from './app.ts'
import { HOUR_MS, type LifeCustomer, askTheAgent, expectStatus, workAsPro } from './customer-notes.ts'
import type { ProAgentFixture } from './pro-agent-fixture.ts'
import { SIZE, askAbout } from './questions.ts'
import { tokenOf } from './quotes.ts'
import { everyDay, setSchedule } from './schedule.ts'
import { visitorFromNewAddress } from './visitor.ts'
import type { WebhookFixture } from './webhooks.ts'
import { ctxOf } from '../../src/ctx.ts'

/** A customer whose every detail can be searched for. `n` tells customers apart. */
export function lifeCustomer(n: number): LifeCustomer {
  const name = `Marjorie${n}x O’Markham-${n}x`
  const address = { street: `${n}7 Marker "Lane"`, city: 'Elsewhere', state: 'TX', zipCode: '00000' }
  const text = (place: string) => `Text${n}x of ${place}, such as only one person writes it.`
  return {
    email: `marjorie${n}x@customers.test.example`,
    name,
    phone: `+1 737 555 77${n}0`,
    address,
    text,
    markers: [`marjorie${n}x`, `markham-${n}x`, `555 77${n}0`, `555-77${n}0`, `${n}7 marker`, `text${n}x`],
  }
}

/** The pro takes bookings at any time, without conditions. */
export async function openForBooking({ app }: WebhookFixture, pro: ProAgentFixture): Promise<void> {
  await app.sql`
    update professionals set instant_booking_enabled = true, requires_approval = false, deposit_required = false,
      deposit_percentage = null where id = ${pro.professionalId}`
  await app.sql`
    update professional_services set instant_book_enabled = true, duration_minutes = 60
    where professional_id = ${pro.professionalId}`
  await setSchedule(app.sql, pro.professionalId, {
    timeZone: 'America/Chicago',
    businessHours: everyDay(['00:00', '24:00']),
    leadTimeHours: 0,
    bufferMinutes: 0,
    defaultSlotMinutes: 60,
  })
  await askAbout(app, pro.serviceId, [SIZE])
}

export interface LifeKeys {
  server: string
  widget: string
  agent: string
}

export const lifeKeys = async ({ app }: WebhookFixture): Promise<LifeKeys> => ({
  server: await app.key(),
  widget: await app.key(PRESETS['widget']),
  agent: await app.key(PRESETS['agent-tools'], 'agents@test.example'),
})

/** What life has left: the records to look at afterwards. */
export interface Life {
  bookings: { api: string; widget: string; agent: string }
  /** A request with an open quote. */
  openRequest: string
  openQuote: string
}

/** Lives the life. `day` is the number of days from now on which the visits are; it ends after them. */
export async function liveThrough(
  fixture: WebhookFixture,
  pro: ProAgentFixture,
  keys: LifeKeys,
  customer: LifeCustomer,
  day: number,
): Promise<Life> {
  // With a pro who blocks anybody, typed addresses need a code: the block of an earlier life waits.
  const { sql } = fixture.app
  const blocks = await sql<{ row: string }[]>`
    delete from customer_blocks b where professional_id = ${pro.professionalId} returning row_to_json(b)::text as row`
  const bookings = await bookEverywhere(fixture, pro, keys, customer, day)
  for (const { row } of blocks)
    await sql`
      insert into customer_blocks select * from jsonb_populate_record(null::customer_blocks, ${row}::text::jsonb)`
  const requests = await requestQuotes(fixture, pro, keys, customer)
  await workAsPro(fixture, pro, customer, bookings, requests.openRequest)
  await askTheAgent(fixture, pro, customer, bookings.api)
  fixture.clock.advance((day + 1) * 24 * HOUR_MS)
  await finish(fixture, pro, keys, customer, bookings)
  return { bookings, ...requests }
}

async function bookEverywhere(
  { app, clock }: WebhookFixture,
  pro: ProAgentFixture,
  keys: LifeKeys,
  { name, email, phone, address, text }: LifeCustomer,
  day: number,
) {
  const first = Math.ceil(clock.now().getTime() / HOUR_MS) * HOUR_MS + day * 24 * HOUR_MS
  const at = (hours: number) => new Date(first + hours * HOUR_MS).toISOString()
  const { professionalId, serviceId } = pro
  const start = {
    professionalId,
    serviceId,
    guestName: name,
    guestEmail: email,
    guestPhone: phone,
    address,
    description: text('a booking'),
  }
  const create = async (key: string, hours: number, headers: Record<string, string>) => {
    const json = { ...start, startDateTime: at(hours) }
    const response = await app.send('/api/v1/bookings/create', { key, headers, json })
    return (await expectStatus<{ booking: { id: string } }>(201, response)).booking.id
  }
  const agentBooking = await callTool(app, CUSTOMER_SERVER, keys.agent, 'book_appointment', {
    ...start,
    startDateTime: at(4),
    idempotencyKey: `for-${email}`,
  })
  if (agentBooking.isError) throw new Error(agentBooking.texts.join(' '))
  await bookOnPage({ app }, pro, { name, email, phone, ...address, description: text('a page') }, at(6))
  const bookings = {
    api: await create(keys.server, 0, { 'idempotency-key': crypto.randomUUID() }),
    widget: await create(keys.widget, 2, { origin: WIDGET_ORIGIN, 'idempotency-key': crypto.randomUUID() }),
    agent: agentBooking.structured['bookingId'] as string,
  }
  const unpaid = await app.sql<{ clientSecret: string }[]>`
    select client_secret from payments where status = 'requires_payment' and client_secret is not null`
  for (const { clientSecret } of unpaid)
    await expectStatus(200, await app.send(`/sandbox/payments/${clientSecret}`, { json: { outcome: 'succeeds' } }))
  return bookings
}

async function bookOnPage(
  { app }: Pick<WebhookFixture, 'app'>,
  { slug, serviceId }: ProAgentFixture,
  person: Record<string, string>,
  instant: string,
): Promise<void> {
  const local = new Date(instant).toLocaleString('sv-SE', { timeZone: 'America/Chicago' })
  const [date, time] = [local.slice(0, 10), local.slice(11, 16)]
  const fields = { service: serviceId, date, time, idempotencyKey: crypto.randomUUID(), ...person }
  const { status, text } = await visitorFromNewAddress(app).postRaw(`/pros/${slug}/book`, fields)
  if (status !== 303) throw new Error(`The page answered ${status}: ${text}`)
}

async function requestQuotes(
  { app }: WebhookFixture,
  pro: ProAgentFixture,
  keys: LifeKeys,
  { name, email, phone, address, text }: LifeCustomer,
) {
  const ask = async (place: string) => {
    const json = {
      professionalId: pro.professionalId,
      serviceId: pro.serviceId,
      customer: { name, email, phone },
      description: text(place),
      budget: text('a budget'),
      timeline: text('a timeline'),
      answers: [{ question: SIZE.question, answer: text('an answer') }],
      photos: [`https://photos.test.example/${encodeURIComponent(text('a photo'))}`],
      address,
      sourceAgentId: `agent of ${email}`,
    }
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const response = await app.send('/api/v1/rfqs', { key: keys.server, headers, json })
    return (await expectStatus<{ rfq: { id: string } }>(201, response)).rfq.id
  }
  const quote = async (rfqId: string, amount: number) => {
    const json = {
      rfqId,
      amount,
      message: `Dear ${name}, we come to ${address.street}.`,
      paymentTerms: `${name} pays at the end.`,
      lineItems: [{ description: `Work at ${address.street}`, quantity: 1, unitPrice: amount, amount }],
    }
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const response = await app.send('/api/v1/pro/quotes', { key: pro.key, headers, json })
    const { id } = (await expectStatus<{ quote: { id: string } }>(201, response)).quote
    return { id, path: `/api/v1/quotes/${tokenOf(app.deps, id)}` }
  }
  const accepted = await quote(await ask('an accepted request'), 480)
  const { quote: job } = await expectStatus<{ quote: { jobId: string } }>(
    200,
    await app.send(`${accepted.path}/accept`, { method: 'POST' }),
  )
  const finished = { action: 'complete', finalAmount: 510 }
  await expectStatus(200, await app.send(`/api/v1/pro/jobs/${job.jobId}`, { key: pro.key, json: finished }))
  const declined = await quote(await ask('a declined request'), 481)
  const reason = { reason: text('a refusal') }
  await expectStatus(200, await app.send(`${declined.path}/decline`, { json: reason }))
  const { text: page, status } = await visitorFromNewAddress(app).postRaw(`/pros/${pro.slug}/quote`, {
    service: 'other',
    description: text('a page’s request'),
    phone,
    ...address,
    name,
    email,
    idempotencyKey: crypto.randomUUID(),
  })
  if (status !== 303) throw new Error(`The page answered ${status}: ${page}`)
  const openRequest = await ask('an open request')
  return { openRequest, openQuote: (await quote(openRequest, 482)).id }
}

/** The visits are over: work is completed and reviewed, and a booking is left as it is. */
async function finish(
  { app }: WebhookFixture,
  pro: ProAgentFixture,
  keys: LifeKeys,
  { name, email, text }: LifeCustomer,
  { api }: Life['bookings'],
): Promise<void> {
  await settleRefunds(ctxOf(app.deps))
  const json = { action: 'complete' }
  await expectStatus(200, await app.send(`/api/v1/pro/bookings/${api}`, { key: pro.key, json }))
  const review = async (subject: object) => {
    const body = {
      professionalId: pro.professionalId,
      rating: 4,
      title: text('a title'),
      content: text('a review'),
      customer: { name, email },
      photos: [`https://photos.test.example/${encodeURIComponent(text('a photo'))}`],
      ...subject,
    }
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const response = await app.send('/api/v1/reviews', { key: keys.server, headers, json: body })
    return (await expectStatus<{ review: { id: string } }>(201, response)).review.id
  }
  const approved = await review({ bookingId: api })
  await approveReview(ctxOf(app.deps), { id: approved })
  const thanks = { content: `Thank you, ${name}!` }
  await expectStatus(200, await app.send(`/api/v1/pro/reviews/${approved}/response`, { key: pro.key, json: thanks }))
  await rejectReview(ctxOf(app.deps), { id: await review({}), reason: `${name} has written twice.` })
}
