// Operators block a customer: nothing new with any pro, by whichever way, and what is booked stays.
import { describe, expect, test } from 'bun:test'

import { ctxOf } from '../../../../src/ctx.ts'
import { eraseCustomer } from '../../../../src/features/customers/privacy/verbs/erase-customer.ts'
import { unblockCustomerEverywhere } from '../../../../src/features/customers/operator-customers/verbs.ts'
import { sendQuote } from '../../../../src/features/quoting/quotes/verbs/quotes.ts'
import { createRfq } from '../../../../src/features/quoting/rfqs/verbs/rfqs.ts'
import { createKeyInMode } from '../../../../src/features/upkeep/test-mode/verbs.ts'
import { PRESETS } from '../../../../src/auth/scopes.ts'
import { CUSTOMER_SERVER, callTool } from '../../../support/agents.ts'
import { WIDGET_ORIGIN } from '../../../support/app.ts'
import { type FixturePro, VISIT, bookingBody, openBookingFixture, rowsOf } from '../../../support/booking-fixture.ts'
import { bookPath, formOf } from '../../../support/booking-forms.ts'
import { customerToken } from '../../../support/connected-app.ts'
import { bookFor, complete, newAddress, signedInCustomer } from '../../../support/customers.ts'
import { opened } from '../../../support/fixture.ts'
import { tokenOf } from '../../../support/quotes.ts'
import { loggedInVisitor, visitorFromNewAddress } from '../../../support/visitor.ts'

const world = await opened(openBookingFixture({ INSTANT_BOOKING_FEE_CENTS: '0' }))
const { app, sql } = world
const ctx = ctxOf(app.deps)
const operator = await loggedInVisitor(app, 'operator')
const keys = {
  server: await app.key(),
  widget: await app.key(['widget:book'], 'shop@test.example'),
  agent: await app.key(PRESETS['agent-tools'], 'agent@test.example'),
}

/** A customer with a visit that was completed, one to come, and an open quote. */
async function knownCustomer() {
  const [pro, email] = [await world.pro({ deposit: false }), newAddress()]
  const past = await bookFor(world, email, pro)
  await complete(world, pro, past.booking)
  const coming = await bookFor(world, email, pro, 2)
  const acting = { accountId: pro.accountId, professionalId: pro.id }
  const customer = { name: 'Homeowner in Austin', email }
  const ask = { professionalId: pro.id, serviceId: pro.serviceId, customer, description: 'The gutter leaks.' }
  const { rfq } = await createRfq(ctxOf(app.deps, acting), ask)
  const { quote } = await sendQuote(ctxOf(app.deps, acting), { rfqId: rfq.id, amount: 480 })
  return { pro, email, customer, ask, past: past.booking, coming: coming.booking, token: tokenOf(app.deps, quote.id) }
}
type Known = Awaited<ReturnType<typeof knownCustomer>>

const act = (id: string, action: string, reason = 'Three false alarms.') =>
  operator.post(`/console/customers/${id}`, { action, reason })

const byRest = async (path: string, json: object, key = keys.server, headers: Record<string, string> = {}) => {
  const answer = await app.send(`/api/v1/${path}`, { key, json, headers })
  const { code = 'done' } = (await answer.json()) as { code?: string }
  return code
}
const byAgent = async (tool: string, input: object, key: string) => {
  const { isError, problem, texts } = await callTool(app, CUSTOMER_SERVER, key, tool, input)
  return isError ? (problem?.code ?? texts.join(' ')) : 'done'
}
const byForm = ({ status, text }: { status: number; text: string }) =>
  status === 303 ? 'done' : text.includes('does not take') ? 'customer_blocked' : `${status}: ${text}`

const visitOf = (pro: FixturePro, hours: number) => ({
  professionalId: pro.id,
  serviceId: pro.serviceId,
  startDateTime: new Date(Date.parse('2026-11-23T15:00:00Z') + hours * 3_600_000).toISOString(),
  ...VISIT,
})
const review = { rating: 5, title: 'Dry', content: 'The leak is gone.' }

/** Each way in, how it is used, and what a blocked customer is told. A typed address has to be proven first: it may be another's. */
const WAYS: readonly [way: string, use: (known: Known) => Promise<string>, refusal?: string][] = [
  ['books by a server', ({ pro, customer }) => byRest('bookings', bookingBody(pro, 5, { customer }))],
  [
    'books by a widget',
    ({ pro, customer }) =>
      byRest('bookings', bookingBody(pro, 6, { customer }), keys.widget, { origin: WIDGET_ORIGIN }),
    'address_unproven',
  ],
  [
    'books on the page, signed in',
    async ({ pro, email }) =>
      byForm(await (await signedInCustomer(app, email)).postRaw(bookPath(pro), formOf(pro, 7, email))),
  ],
  [
    'books by an agent that types the address',
    ({ pro, customer: { name, email } }) =>
      byAgent('book_appointment', { ...visitOf(pro, 24), guestName: name, guestEmail: email }, keys.agent),
    'address_unproven',
  ],
  [
    'books by an agent of their own',
    async ({ pro, customer: { name, email } }) =>
      byAgent('book_appointment', { ...visitOf(pro, 26), guestName: name }, await customerToken(app, email)),
  ],
  ['asks by a server', ({ ask }) => byRest('rfqs', ask)],
  ['asks by a widget', ({ ask }) => byRest('rfqs', ask, keys.widget, { origin: WIDGET_ORIGIN })],
  [
    'asks on the page',
    async ({ pro, customer }) => {
      const fields = { service: 'other', description: 'The gutter leaks.', phone: VISIT.guestPhone, ...VISIT.address }
      const form = { ...fields, ...customer, idempotencyKey: crypto.randomUUID() }
      return byForm(await visitorFromNewAddress(app).postRaw(`/pros/${pro.id}/quote`, form))
    },
  ],
  ['asks by an agent', ({ ask }) => byAgent('request_quote', { ...ask, address: VISIT.address }, keys.agent)],
  [
    'asks by an agent of their own',
    async ({ ask: { customer, ...ask } }) =>
      byAgent(
        'request_quote',
        { ...ask, address: VISIT.address, customer: { name: customer.name } },
        await customerToken(app, customer.email),
      ),
  ],
  ['accepts a quote by its link', ({ token }) => byRest(`quotes/${token}/accept`, {})],
  [
    'reviews by a server',
    ({ pro, customer, past }) => byRest('reviews', { professionalId: pro.id, bookingId: past.id, customer, ...review }),
  ],
  [
    'reviews on the page, signed in',
    async ({ email, past }) => {
      const fields = { rating: '5', title: 'Dry', content: 'The leak is gone.', name: 'Homeowner in Austin' }
      return byForm(await (await signedInCustomer(app, email)).post(`/my/bookings/${past.id}/review`, fields))
    },
  ],
  [
    'reviews by an agent of their own',
    async ({ email, past }) =>
      byAgent('submit_review', { bookingId: past.id, ...review }, await customerToken(app, email)),
  ],
]

describe('a blocked customer, until unblocked,', () => {
  test.each(WAYS)('%s in vain', async (_, use, refusal = 'customer_blocked') => {
    const known = await knownCustomer()
    expect((await act(known.past.id, 'block')).status).toBe(303)
    expect(await use(known)).toBe(refusal)
    expect((await act(known.past.id, 'unblock')).status).toBe(303)
    expect(await use(known)).toBe('done')
  })
})

test('visits that are booked stay, and the words are those of a pro’s own block', async () => {
  const known = await knownCustomer()
  const { customer } = known
  const page = await operator.get(`/console/customers/${known.past.id}`)
  expect(page.text).toContain('1 booking stays.')
  await act(known.coming.id, 'block')
  expect(await rowsOf(world, known.coming.id)).toMatchObject({ booking: 'confirmed' })
  const [pro, email] = [await world.pro({ deposit: false }), newAddress()]
  await app.send('/api/v1/pro/blocked-customers', { key: pro.key, json: { email } })
  const wordsFor = async (on: FixturePro, who: object) => {
    const answer = await app.send('/api/v1/bookings', { key: keys.server, json: bookingBody(on, 5, { customer: who }) })
    const { requestId: _, ...problem } = (await answer.json()) as Record<string, unknown>
    return problem
  }
  expect(await wordsFor(known.pro, customer)).toEqual(await wordsFor(pro, { ...customer, email }))
  expect(await byRest('bookings', bookingBody(known.pro, 5, { customer: { ...customer, email } }))).toBe('done')
})

test('a test pro takes everybody', async () => {
  const known = await knownCustomer()
  await act(known.past.id, 'block')
  const { secret } = await createKeyInMode(ctx, {
    ownerEmail: 'developer-of-blocks@test.example',
    scopes: PRESETS['full-server'],
    name: 'test',
    mode: 'test',
    rateMultiplier: 10_000,
  })
  const [pro] = await sql<{ id: string }[]>`
    select id from professionals where test_account_id is not null order by id limit 1`
  const { id: professionalId = '' } = pro ?? {}
  expect(await byRest('rfqs', { ...known.ask, professionalId, serviceId: null }, secret)).toBe('done')
  expect(await byRest('rfqs', known.ask)).toBe('customer_blocked')
})

describe('an erasure', () => {
  /** An address of which nothing is open. */
  const blocked = async () => {
    const [pro, email] = [await world.pro({ deposit: false }), newAddress()]
    const { booking } = await bookFor(world, email, pro)
    await complete(world, pro, booking)
    await act(booking.id, 'note', 'Called twice about a leak.')
    await act(booking.id, 'block')
    return { pro, email, booking, customer: { name: 'Homeowner in Austin', email } }
  }
  const profiles = (digested: boolean) => sql<{ id: string; email: string | null; reason: string | null }[]>`
    select id, email, block_reason as reason from customer_profiles where (email is null) = ${digested} order by created_at, id`

  test('of a blocked customer keeps the block, and neither the address nor what was written', async () => {
    const { pro, email, booking, customer } = await blocked()
    const profile = (await profiles(false)).find((row) => row.email === email)
    const erased = await eraseCustomer(ctx, { email, requestedBy: 'ticket 8' })
    expect(erased).toMatchObject({ outcome: 'erased', counts: { customer_profiles: 1 } })
    const left = (await profiles(true)).filter(({ id }) => id === profile?.id)
    expect([...left]).toEqual([{ id: profile?.id ?? '', email: null, reason: '[erased]' }])
    const reasons = await sql<
      { reason: string }[]
    >`select reason from operator_actions where subject_id = ${profile?.id ?? ''}`
    expect(reasons.map(({ reason }) => reason)).toEqual(['[erased]', '[erased]'])
    expect(await byRest('bookings', bookingBody(pro, 3, { customer }))).toBe('customer_blocked')
    expect(await byRest('bookings', bookingBody(pro, 3, { customer: { ...customer, email: newAddress() } }))).toBe(
      'done',
    )

    for (const id of [booking.id, profile?.id ?? '']) {
      const page = await operator.get(`/console/customers/${id}`)
      expect([page.status, page.text.includes('is erased'), page.text.includes('Keep note')]).toEqual([
        200,
        true,
        false,
      ])
      expect((await act(id, 'note')).status).toBe(409)
    }
    // The customer signs in again, and asks for another chance.
    const back = await signedInCustomer(app, email)
    expect((await back.get('/my')).status).toBe(200)
    const [account] = await sql<{ id: string }[]>`select account_id as id from customers where email = ${email}`
    expect((await operator.get(`/console/customers/${account?.id}`)).text).toContain('Unblock customer')
    await unblockCustomerEverywhere(ctx, { id: account?.id ?? '', reason: 'They promised.', by: null })
    expect(await byRest('bookings', bookingBody(pro, 5, { customer }))).toBe('done')
    expect((await profiles(false)).filter((row) => row.email === email)).toMatchObject([{ id: profile?.id }])
  })

  test('of one who is not blocked leaves nothing', async () => {
    const { email, booking } = await blocked()
    await act(booking.id, 'unblock', 'A mistake.')
    await eraseCustomer(ctx, { email, requestedBy: 'ticket 9' })
    const left = await sql`
      select id from customer_profiles where email = ${email} or email_digest = customer_digest(id, ${email})`
    expect(left).toHaveLength(0)
    const said = await sql`select 1 from operator_actions where reason in ('A mistake.', 'Called twice about a leak.')
      and subject_id not in (select id from customer_profiles)`
    expect(said).toHaveLength(0)
  })
})
