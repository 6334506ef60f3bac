// A person applies to join, an operator decides, and only an approved applicant is a pro whom customers find.
import { expect, test } from 'bun:test'

import { APPLICATION } from '../../../../src/features/business/applications/states.ts'
import { waitUntil } from '../../../../src/platform/clock/deadlines.ts'
import { openTestApp } from '../../../support/app.ts'
import { APPLIED, JOIN, letProsJoin, sentApplication, serviceIdOf } from '../../../support/applications.ts'
import { askForCode, signedInCustomer } from '../../../support/customers.ts'
import { opened } from '../../../support/fixture.ts'
import { Visitor, createTestUser, loggedInVisitor } from '../../../support/visitor.ts'

const QUEUE = '/console/applications'
const app = await opened(openTestApp())
await letProsJoin(app)
const { sql } = app
const operator = await loggedInVisitor(app, 'operator')
const newEmail = () => `${crypto.randomUUID()}@applicants.example`
const statusOf = async (id: string) =>
  (await sql<{ status: string }[]>`select status from pro_applications where id = ${id}`)[0]?.status
const decide = (id: string, action: string, words = '') => operator.post(`${QUEUE}/${id}`, { action, words })
const mails = async (email: string) =>
  (
    await sql<{ status: string }[]>`
      select data ->> 'status' as status from messages where recipient = ${email} and kind = 'pro-application' order by created_at, id`
  ).map(({ status }) => status)
const countPros = async () => (await sql<{ n: number }[]>`select count(*)::int as n from professionals`)[0]?.n

test('an application goes from the page for pros to a pro who is found, and each change is mailed and in the audit log', async () => {
  expect((await new Visitor(app).get('/for-pros')).text).toContain(`href="${JOIN}"`)
  const email = newEmail()
  const before = await countPros()
  const { visitor, id } = await sentApplication(app, email)
  expect((await visitor.get(JOIN)).text).toContain('What happens next')
  expect((await operator.get('/console')).text).toContain('href="/console/applications"')
  expect((await operator.get(QUEUE)).text).toContain(APPLIED.business.businessName)
  const found = async () =>
    (
      (await (await app.send('/api/v1/pros?service=plumber&place=Columbus, OH&limit=50')).json()) as {
        professionals: { businessName: string; id: string }[]
      }
    ).professionals.find(({ businessName }) => businessName === APPLIED.business.businessName)
  expect([await found(), await countPros()]).toEqual([undefined, before])

  expect((await operator.get(`${QUEUE}/${id}`)).text).toContain('10234 Oak Street')
  expect(await decide(id, 'approve')).toMatchObject({ status: 303, location: `${QUEUE}/${id}` })
  const pro = await found()
  expect(pro).toBeDefined()
  const [made] = await sql<Record<string, unknown>[]>`
    select p.status, p.verified, p.insurance, p.credentials, p.phone, p.description, p.business_hours -> 'monday' as monday,
      p.business_hours -> 'wednesday' as wednesday, p.service_radius_miles as radius, e.license_number, e.insurance_carrier, v.note,
      o.base_price_cents as price, o.instant_book_enabled as bookable
    from professionals p join pro_business_entities e on e.professional_id = p.id
    join verification_requests v on v.professional_id = p.id join professional_services o on o.professional_id = p.id
    where p.id = ${pro?.id ?? ''}`
  expect(made).toMatchObject({
    status: 'active',
    verified: false,
    insurance: false,
    credentials: false,
    phone: APPLIED.business.phone,
    description: 'Drains.',
    monday: [{ start: '09:00', end: '17:00' }],
    wednesday: [],
    radius: 20,
    licenseNumber: 'PL 12345',
    insuranceCarrier: 'State Mutual',
    price: 12_000,
    bookable: true,
    note: expect.stringContaining('2027-03-31') as string,
  })
  expect(await mails(email)).toEqual(['draft', 'sent', 'approved'])
  const log = await sql<
    { action: string }[]
  >`select action from operator_actions where subject_id = ${id} order by at, id`
  expect(log.map(({ action }) => action)).toEqual(['application.sent', 'application.approved'])
  const [invited] = await sql`select from messages where recipient = ${email} and kind = 'invitation'`
  expect(invited).toBeDefined()
  expect((await visitor.get(JOIN)).text).toContain('Customers find you.')
  expect((await visitor.get(`${JOIN}/place`)).location).toBe(JOIN)
})

test.each([
  ['a point of a map, which is rounded', '39.96123456, -82.99881234', '', [39.96, -83]],
  ['a point that becomes the middle of its city', '39.97123456, -83.00881234', 'true', [39.961, -82.999]],
])('an applicant gives %s', async (_case, place, isPlaceHidden, position) => {
  const email = newEmail()
  const { id } = await sentApplication(app, email, { place: { place, isPlaceHidden } })
  await decide(id, 'approve')
  const [pro] = await sql<{ city: string; latitude: number; longitude: number }[]>`
    select c.name as city, round(p.latitude::numeric, 3)::float8 as latitude, round(p.longitude::numeric, 3)::float8 as longitude
    from professionals p join cities c on c.id = p.city_id join pro_applications a on a.professional_id = p.id
    where a.id = ${id}`
  expect(pro && [pro.city, pro.latitude, pro.longitude]).toEqual(['Columbus', ...position])
})

test('a point far from all cities is no place of work', async () => {
  const visitor = await signedInCustomer(app)
  await visitor.post(`${JOIN}/business`, APPLIED.business)
  const { status, text } = await visitor.post(`${JOIN}/place`, { place: '0, -30', radius: '20' })
  expect([status, text]).toEqual([400, expect.stringContaining('value="0, -30"')])
})

test('an operator asks, the applicant changes the application and sends it again, and only then it can be approved', async () => {
  const email = newEmail()
  const { visitor, id } = await sentApplication(app, email)
  const changed = { ...APPLIED.business, businessName: 'Changed meanwhile' }
  expect((await visitor.post(`${JOIN}/business`, changed)).location).toBe(JOIN)
  expect((await operator.get(`${QUEUE}/${id}`)).text).not.toContain('Changed meanwhile')
  expect((await decide(id, 'ask')).status).toBe(400)
  await decide(id, 'ask', 'Which license do you have?')
  expect([await statusOf(id), (await decide(id, 'approve')).status]).toEqual(['asked', 409])
  expect((await visitor.get(`${JOIN}/license`)).text).toContain('Which license do you have?')
  await visitor.post(`${JOIN}/license`, { ...APPLIED.license, licenseNumber: 'PL 777' })
  await visitor.post(`${JOIN}/preview`)
  expect(await statusOf(id)).toBe('sent')
  expect((await operator.get(`${QUEUE}/${id}`)).text).toContain('PL 777')
  expect(await mails(email)).toEqual(['draft', 'sent', 'asked', 'sent'])
})

test('a refusal names its reason, and a refused application can be opened again', async () => {
  const email = newEmail()
  const { visitor, id } = await sentApplication(app, email)
  expect((await decide(id, 'refuse')).status).toBe(400)
  await decide(id, 'refuse', 'The license has ended.')
  expect((await visitor.get(JOIN)).text).toContain('The license has ended.')
  await visitor.post(`${JOIN}/preview`)
  expect([await statusOf(id), (await decide(id, 'approve')).status]).toEqual(['refused', 409])
  await decide(id, 'reopen')
  await decide(id, 'approve')
  expect(await statusOf(id)).toBe('approved')
  expect(await mails(email)).toEqual(['draft', 'sent', 'refused', 'sent', 'approved'])
  expect((await decide(id, 'refuse', 'Too late.')).status).toBe(409)
})

test('an applicant withdraws: all that was given is erased, which is mailed, and operators know only that there was one', async () => {
  const email = newEmail()
  const { visitor, id } = await sentApplication(app, email, { business: { businessName: 'Withdrawn Works' } })
  await decide(id, 'ask', 'Which license?')
  expect((await visitor.get(JOIN)).text).toContain(`action="${JOIN}/withdraw"`)
  expect((await visitor.get(`${JOIN}/license`)).text).toContain('What you gave us is erased')
  expect((await visitor.post(`${JOIN}/withdraw`)).location).toBe('/my')
  expect((await visitor.get('/my')).text).toContain('Your application is withdrawn')
  expect(await sql`select from pro_applications where email = ${email}`).toHaveLength(0)
  expect(await mails(email)).toEqual(['draft', 'sent', 'asked', 'withdrawn'])
  expect([(await operator.get(`${QUEUE}/${id}`)).status, (await decide(id, 'approve')).status]).toEqual([404, 404])
  const { text } = await operator.get('/console/log?kind=application')
  expect(text).toContain('Application withdrawn and erased')
  expect(text).not.toContain('Withdrawn Works')
  expect((await visitor.get(JOIN)).location).toBe(`${JOIN}/business`)
  expect((await visitor.get(`${JOIN}/business`)).text).not.toContain('Withdrawn Works')
})

test('a draft is withdrawn without a word to operators, and a decided application not at all', async () => {
  const email = newEmail()
  const visitor = await signedInCustomer(app, email)
  expect((await visitor.post(`${JOIN}/withdraw`)).status).toBe(404)
  await visitor.post(`${JOIN}/business`, APPLIED.business)
  const [draft] = await sql<{ id: string }[]>`select id from pro_applications where email = ${email}`
  expect((await visitor.post(`${JOIN}/withdraw`)).location).toBe('/my')
  expect(await sql`select from pro_applications where email = ${email}`).toHaveLength(0)
  expect(await sql`select from operator_actions where subject_id = ${draft?.id ?? ''}`).toHaveLength(0)
  for (const [action, words] of [
    ['approve', ''],
    ['refuse', 'No license.'],
  ] as const) {
    const { visitor: decided, id } = await sentApplication(app, newEmail())
    await decide(id, action, words)
    expect((await decided.get(JOIN)).text).not.toContain('/withdraw')
    await decided.post(`${JOIN}/withdraw`)
    expect((await decided.get('/my')).text).toContain('Your application is decided')
    expect(await statusOf(id)).toBe(action === 'approve' ? 'approved' : 'refused')
  }
})

test('an address that was only typed has no application, and what one browser gives another does not see', async () => {
  const email = newEmail()
  const stranger = new Visitor(app)
  await stranger.get(JOIN)
  await askForCode(stranger, email, { next: JOIN })
  expect((await stranger.get(`${JOIN}/business`)).location).toContain('/my/sign-in')
  expect((await stranger.post(`${JOIN}/business`, APPLIED.business)).status).not.toBe(200)
  expect(await sql`select from pro_applications where email = ${email}`).toHaveLength(0)
  await sentApplication(app, newEmail(), { business: { businessName: 'Hidden Works' } })
  const other = await signedInCustomer(app)
  expect((await other.get(JOIN)).location).toBe(`${JOIN}/business`)
  expect((await other.get(`${JOIN}/business`)).text).not.toContain('Hidden Works')
  expect((await other.get(`${JOIN}/preview`)).location).toBe(JOIN)
})

test('each step is saved, what is wrong is named beside what was typed, and the way back leads to the first step that is open', async () => {
  const email = newEmail()
  const visitor = await signedInCustomer(app, email)
  const wrong = await visitor.post(`${JOIN}/business`, { ...APPLIED.business, phone: '12' })
  expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('value="Maple Drain Works"')])
  await visitor.post(`${JOIN}/business`, APPLIED.business)
  expect((await visitor.get(JOIN)).location).toBe(`${JOIN}/place`)
  const [draft] = await sql<{ id: string }[]>`select id from pro_applications where email = ${email}`
  expect((await operator.get(`${QUEUE}/${draft?.id}`)).status).toBe(404)
  const nowhere = await visitor.post(`${JOIN}/place`, { place: 'Nowhere at all', radius: '20' })
  expect([nowhere.status, nowhere.text]).toEqual([400, expect.stringContaining('value="Nowhere at all"')])
  await visitor.post(`${JOIN}/place`, APPLIED.place)
  expect((await visitor.post(`${JOIN}/services`)).status).toBe(400)
  expect((await visitor.post(`${JOIN}/services`, { services: [crypto.randomUUID()] })).status).toBe(400)
  const serviceId = await serviceIdOf(app)
  expect((await visitor.post(`${JOIN}/services`, { services: [serviceId] })).location).toBe(`${JOIN}/prices`)
  const price = { [`type-${serviceId}`]: 'flat', [`price-${serviceId}`]: '200', [`most-${serviceId}`]: '100' }
  expect((await visitor.post(`${JOIN}/prices`, price)).status).toBe(400)
  expect((await visitor.post(`${JOIN}/preview`)).status).toBe(400)
  expect((await visitor.post(`${JOIN}/license`, { licenseNumber: '', insurancePolicy: 'SM-9' })).status).toBe(400)
  expect((await visitor.get(JOIN)).location).toBe(`${JOIN}/hours`)
})

test('an operator sees the pros and applications with the same phone or name, and a place outside of the area', async () => {
  const name = `Twin ${crypto.randomUUID()}`
  const first = await sentApplication(app, newEmail(), { business: { businessName: name, phone: '614 555 0199' } })
  await decide(first.id, 'approve')
  const second = await sentApplication(app, newEmail(), {
    business: { businessName: 'Other', phone: '(614) 555-0199' },
  })
  const third = await sentApplication(app, newEmail(), {
    business: { businessName: name.toUpperCase(), phone: '614 555 0001' },
  })
  const [pro] = await sql<{ id: string }[]>`select professional_id as id from pro_applications where id = ${first.id}`
  const pageOf = async (id: string) => (await operator.get(`${QUEUE}/${id}`)).text
  expect(await pageOf(second.id)).toContain(`href="/console/verification/${pro?.id}"`)
  expect(await pageOf(third.id)).toContain(`href="/console/verification/${pro?.id}"`)
  expect(await pageOf(second.id)).not.toContain(`href="${QUEUE}/${third.id}"`)
})

test('an address that logs in is told so once it is proven, and begins no application', async () => {
  const email = await createTestUser(app, 'operator')
  const visitor = await signedInCustomer(app, email)
  expect((await visitor.get(JOIN)).text).toContain('You have an account already')
  expect((await visitor.post(`${JOIN}/business`, APPLIED.business)).location).toBe(JOIN)
  expect(await sql`select from pro_applications where email = ${email}`).toHaveLength(0)
})

test('where pros join by invitation, no application begins', async () => {
  const email = newEmail()
  const visitor = await signedInCustomer(app, email)
  await letProsJoin(app, false)
  expect(await waitUntil(async () => (await visitor.get(JOIN)).text.includes('Pros join by invitation'), 10_000)).toBe(
    true,
  )
  expect((await visitor.post(`${JOIN}/business`, APPLIED.business)).location).toBe(JOIN)
  expect(await sql`select from pro_applications where email = ${email}`).toHaveLength(0)
  expect((await new Visitor(app).get('/for-pros')).text).not.toContain(`href="${JOIN}"`)
})

test('the database knows the same states and changes as the code', async () => {
  const rows = await sql<{ move: string }[]>`
    select from_state || ' → ' || to_state as move from state_transitions where aggregate = 'application' and from_state <> '' order by 1`
  const moves = Object.entries(APPLICATION).flatMap(([from, actions]) =>
    Object.values(actions).map((to) => `${from} → ${to}`),
  )
  expect(rows.map(({ move }) => move)).toEqual(moves.toSorted())
})
