// Each request body of /openapi.json has an example that succeeds against a server with demo data.
import { afterAll, expect, test } from 'bun:test'

import { createApp } from '../../src/app.ts'
import { ANONYMOUS } from '../../src/auth/accounts/verbs.ts'
import { PRESETS } from '../../src/auth/scopes.ts'
import { ctxOf } from '../../src/ctx.ts'
import type { OpenApiDocument } from '../../src/http/openapi/openapi.ts'
import { acceptQuote } from '../../src/features/quoting/quotes/verbs/customer-link.ts'
import { openTestApp } from '../support/app.ts'
import { createOperatorWithKey } from '../support/operator-keys.ts'
import { manualClock } from '../support/booking-fixture.ts'
import { SEEDED_AT } from '../support/database.ts'
import { openFakeS3 } from '../support/fake-s3.ts'
import { opened } from '../support/fixture.ts'
import { type Own, type Value, idOf, platformCalls } from '../support/platform-examples.ts'
import { newDraft, sentQuote } from '../support/quotes.ts'
import { uploaded } from '../support/uploads.ts'

const clock = manualClock(SEEDED_AT)
const s3 = openFakeS3()
s3.now = () => clock.now()
afterAll(() => s3.close())
const app = await opened(openTestApp('seeded', { env: s3.env, clock }))
/** The document is no operation of itself. */
const get = async (path: string) => await app.app.handle(new Request(`http://localhost${path}`))
const documentAt = async () => (await (await get('/openapi.json')).json()) as OpenApiDocument

const bodies = Object.entries((await documentAt()).paths).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([method, { operationId, requestBody }]) =>
    requestBody ? [{ operationId, path, method: method.toUpperCase(), ...requestBody }] : [],
  ),
)
const bodyOf = (operationId: string) => {
  const found = bodies.find((one) => one.operationId === operationId)
  if (!found) throw new Error(`${operationId} takes no body.`)
  return found
}
const exampleOf = (operationId: string) => bodyOf(operationId).content['application/json']?.example as Value

const professionalId = String(exampleOf('postBooking')['professionalId'])
const serviceId = String(exampleOf('postBooking')['serviceId'])
const pro = await (async () => {
  const [row] = await app.sql<{ accountId: string; slug: string; email: string }[]>`
    select p.account_id as "accountId", p.slug, a.email from professionals p join accounts a on a.id = p.account_id
    where p.id = ${professionalId}`
  if (!row) throw new Error('The example names no pro.')
  const key = await app.key([...PRESETS['pro-dashboard'], ...PRESETS['agent-tools']], row.email)
  return { ...row, key, professionalId, serviceId }
})()
await app.sql`update professionals set plan = 'business' where id = ${professionalId}`
const developer = await app.key([...PRESETS['full-server'], ...PRESETS['agent-tools'], ...PRESETS['webhook-receiver']])
const operator = (await createOperatorWithKey(app)).key
const client = await app.key(PRESETS['agent-tools'], await app.client())

/** Sends the example of an operation and returns the answer. */
async function sent(operationId: string, { key = developer, id, body }: Own = {}): Promise<Value> {
  const { path, method } = bodyOf(operationId)
  const url = path.replace(/\{\w+\}/, id ?? '')
  const answer = await app.send(url, { method, key, json: { ...exampleOf(operationId), ...body } })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${operationId}: ${answer.status} ${text}`)
  return (text === '' ? {} : JSON.parse(text)) as Value
}

/** A free time of the pro, at least `days` after that of the example. */
async function freeTime(days: number): Promise<{ date: string; time: string }> {
  const example = exampleOf('postBooking')
  const from = new Date(Date.parse(String(example['date'])) + days * 86_400_000).toISOString().slice(0, 10)
  const listed = await app.send(`/api/v1/pros/${pro.slug}/availability?serviceId=${serviceId}&date=${from}`)
  const { nextAvailable } = (await listed.json()) as { nextAvailable: { date: string; time: string } }
  return { date: nextAvailable.date, time: nextAvailable.time }
}

const booked = async (days: number) => idOf(await sent('postBooking', { body: await freeTime(days) }), 'booking')

async function acceptedQuote(): Promise<{ token: string; jobId: string }> {
  const { token } = await sentQuote(app.deps, pro)
  const { quote } = await acceptQuote(ctxOf(app.deps, ANONYMOUS), { token })
  return { token, jobId: quote.jobId ?? '' }
}

const fileOf = async (purpose: string) => await uploaded(app, { key: pro.key, purpose })
const leadId = async () => idOf(await sent('postRfq'), 'rfq')
const fixed =
  (own: Own = {}) =>
  async (id: string) =>
    void (await sent(id, own))
const asPro = fixed({ key: pro.key })

/** How the example of each operation is sent. */
const CALLS: Record<string, (operationId: string) => Promise<void>> = {
  async postBooking(id) {
    const bookingId = idOf(await sent(id), 'booking')
    await sent('postRescheduling', { id: bookingId })
    await sent('postCancellation', { id: bookingId })
  },
  async postRescheduling(id) {
    await sent(id, { id: await booked(20) })
  },
  async postCancellation(id) {
    await sent(id, { id: await booked(21) })
  },
  async startBookingWithFee(id) {
    const { clientSecret } = await sent(id)
    await sent('postSandboxPayment', { id: String(clientSecret) })
  },
  async postSandboxPayment(id) {
    const { startDateTime } = exampleOf('startBookingWithFee')
    const later = new Date(Date.parse(String(startDateTime)) + 14 * 86_400_000).toISOString()
    const { clientSecret } = await sent('startBookingWithFee', { body: { startDateTime: later } })
    await sent(id, { id: String(clientSecret) })
  },
  async postBookingAction(id) {
    await sent('patchProAvailability', { key: pro.key, body: { requiresApproval: true } })
    await sent(id, { key: pro.key, id: await booked(25) })
  },
  async postProposalAnswer(id) {
    await sent('patchProAvailability', { key: pro.key, body: { requiresApproval: false } })
    const bookingId = await booked(30)
    const proposal = { action: 'propose', ...(await freeTime(35)) }
    await sent('postBookingAction', { key: pro.key, id: bookingId, body: proposal })
    await sent(id, { id: bookingId })
  },
  postRfq: fixed(),
  async postQuote(id) {
    await sent(id, { key: pro.key, body: { rfqId: await leadId() } })
  },
  async patchDraft(id) {
    await sent(id, { key: pro.key, id: (await newDraft(app.deps, pro)).id })
  },
  async postQuoteDecline(id) {
    await sent(id, { id: (await sentQuote(app.deps, pro)).token })
  },
  async postWorkCancel(id) {
    await sent(id, { id: (await acceptedQuote()).token })
  },
  async postJobMove(id) {
    await sent(id, { key: pro.key, id: (await acceptedQuote()).jobId })
  },
  async postJobPhotos(id) {
    const { url } = (await fileOf('job')) as unknown as { url: string }
    await sent(id, { key: pro.key, id: (await acceptedQuote()).jobId, body: { photos: [url] } })
  },
  async postFile(id) {
    await sent(id)
    const form = bodyOf(id).content['multipart/form-data']?.example as { purpose: string }
    await uploaded(app, { key: developer, purpose: form.purpose })
  },
  async putProPictures(id) {
    await sent(id, { key: pro.key, body: { logo: (await fileOf('pro_logo')).id } })
  },
  postReview: fixed(),
  async postHelpfulVote(id) {
    await sent(id, { id: await reviewId(false) })
  },
  async postReviewResponse(id) {
    await sent(id, { key: pro.key, id: await reviewId(true) })
  },
  postProperty: fixed({ key: client }),
  async putProperty(id) {
    await sent(id, { key: client, id: String((await sent('postProperty', { key: client }))['id']) })
  },
  postBlockedCustomer: asPro,
  postCalendar: asPro,
  postMember: asPro,
  patchProAvailability: asPro,
  postProBlock: asPro,
  patchProProfile: asPro,
  patchProPublicProfile: asPro,
  patchProBusinessEntity: asPro,
  patchProSiteConfig: asPro,
  patchProServices: asPro,
  postWebhook: fixed(),
  async patchWebhook(id) {
    await sent(id, { id: await webhookId() })
  },
  async postWebhookReplay(id) {
    await sent(id, { id: await webhookId() })
  },
  postWebhookVerification: fixed(),
  ...platformCalls(app, { operator, professionalId, sent }),
  async callProServer(id) {
    await called(id, pro.key)
  },
  async callCustomerServer(id) {
    await called(id, developer)
  },
  async callPublicServer(id) {
    await called(id, undefined)
  },
}

const webhookId = async () => String((await sent('postWebhook'))['id'])

async function reviewId(isUnanswered: boolean): Promise<string> {
  const rows = await app.sql<{ id: string }[]>`
    select id from reviews where professional_id = ${professionalId} and status = 'approved'
      and (${!isUnanswered} or response is null) limit 1`
  return String(rows[0]?.id)
}

async function called(id: string, key: string | undefined): Promise<void> {
  const { result, error } = await sent(id, key === undefined ? {} : { key })
  expect([id, error, (result as Value | undefined)?.['isError'] ?? false]).toEqual([id, undefined, false])
}

test('every request body has an example, and every example is sent here', () => {
  const without = bodies.filter(({ content }) => Object.values(content).some(({ example }) => example === undefined))
  expect(without.map(({ operationId }) => operationId)).toEqual([])
  expect(Object.keys(CALLS).toSorted()).toEqual(bodies.map(({ operationId }) => operationId).toSorted())
})

test.each(Object.keys(CALLS))('the example of %s succeeds', async (operationId) => {
  await CALLS[operationId]?.(operationId)
})

test('an id in an example is that of a bookable pro or service, or a fictional one whose source the body describes', () => {
  for (const { operationId, content, description } of bodies) {
    const text = JSON.stringify(content['application/json']?.example)
    const ids = [...text.matchAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g)].map(([id]) => id)
    expect([operationId, ids.filter((id) => ![professionalId, serviceId, FICTIONAL].includes(id))]).toEqual([
      operationId,
      [],
    ])
    if (ids.includes(FICTIONAL)) expect([operationId, description]).toEqual([operationId, expect.stringMatching(/`/)])
  }
})

const FICTIONAL = '00000000-0000-7000-8000-000000000000'

test('the document is the same for an hour, and names coming times after that', async () => {
  const etag = async () => (await get('/openapi.json')).headers.get('etag')
  const first = await etag()
  clock.advance(59)
  expect(await etag()).toBe(first)
  clock.advance(9 * 24 * 60)
  const { paths } = await documentAt()
  const example = paths['/api/v1/bookings']?.['post']?.requestBody?.content['application/json']?.example as Value
  expect(String(example['date']) > clock.now().toISOString()).toBeTrue()
  const reference = await (await get('/api-docs')).text()
  expect(reference).toContain(`&quot;date&quot;:&quot;${String(example['date'])}&quot;`)
})

test('in production no example names a pro, because its reader would book a real one', async () => {
  const config = { ...app.deps.config, environment: 'production' as const }
  const response = await createApp({ ...app.deps, config }).handle(new Request('http://localhost/openapi.json'))
  const text = await response.text()
  expect(text).toContain(FICTIONAL)
  expect(text).not.toContain(professionalId)
})
