// One request to several pros: each pro has a request of their own, the customer compares the quotes, and the other pros are told of the choice.
import { describe, expect, test } from 'bun:test'

import { ANONYMOUS } from '../../../../src/auth/accounts/verbs.ts'
import { acceptQuote } from '../../../../src/features/quoting/quotes/verbs/customer-link.ts'
import { sendQuote } from '../../../../src/features/quoting/quotes/verbs/quotes.ts'
import { archiveLead } from '../../../../src/features/quoting/rfqs/verbs/rfqs.ts'
import { ctxOf } from '../../../../src/ctx.ts'
import { type FixturePro, VISIT_ADDRESS, VISIT_PHONE } from '../../../support/booking-fixture.ts'
import { newAddress } from '../../../support/customers.ts'
import { opened } from '../../../support/fixture.ts'
import { openMessageFixture } from '../../../support/messages.ts'
import { outcomeOf, tokenOf } from '../../../support/quotes.ts'
import { visitorFromNewAddress } from '../../../support/visitor.ts'

const at = await opened(openMessageFixture({ MAIL_PER_RECIPIENT_PER_HOUR: '100' }))
const { deps } = at.app

async function newPros(count: number): Promise<FixturePro[]> {
  const pros: FixturePro[] = []
  while (pros.length < count) pros.push(await at.pro({ deposit: false }))
  return pros
}
const actorOf = ({ id, accountId }: FixturePro) => ({ accountId, professionalId: id })

interface Asked {
  id: string
  pro: FixturePro
}

/** Sends the form of the first pro. */
async function ask([first, ...others]: FixturePro[], changes: Record<string, string | string[]> = {}) {
  const email = newAddress()
  const visitor = visitorFromNewAddress(at.app)
  const response = await visitor.postRaw(`/pros/${first?.id}/quote`, {
    service: 'other',
    description: 'The gutter leaks at the corner.',
    name: 'Homeowner',
    email,
    phone: VISIT_PHONE,
    ...VISIT_ADDRESS,
    others: others.map(({ id }) => id),
    idempotencyKey: crypto.randomUUID(),
    ...changes,
  })
  return { email, visitor, response, path: response.location ?? '' }
}

async function askedBy(email: string, pros: readonly FixturePro[]): Promise<Asked[]> {
  const rows = await at.sql<{ id: string; professionalId: string }[]>`
    select id, professional_id from rfqs where customer_email = ${email} order by professional_id`
  return rows.map(({ id, professionalId }) => {
    const pro = pros.find((one) => one.id === professionalId)
    if (!pro) throw new Error('This pro was not asked.')
    return { id, pro }
  })
}

/** A request to so many pros, the first of whom was asked on the page. */
async function askedTogether(count: number) {
  const pros = await newPros(count)
  const { email, visitor, path } = await ask(pros)
  const requests = await askedBy(email, pros)
  const of = (index: number): Asked => {
    const found = requests.find(({ pro }) => pro === pros[index])
    if (!found) throw new Error('The pro has no request.')
    return found
  }
  return { email, visitor, path, pros, requests, of }
}

const quoteOf = async ({ id, pro }: Asked, amount: number, changes: object = {}) =>
  (await sendQuote(ctxOf(deps, actorOf(pro)), { rfqId: id, amount, ...changes })).quote

const accept = (quoteId: string) => acceptQuote(ctxOf(deps, ANONYMOUS), { token: tokenOf(deps, quoteId) })

const stateOf = async ({ id }: Asked) => {
  const [row] = await at.sql<{ status: string; lost: boolean; quotes: { status: string; reason: string | null }[] }[]>`
    select r.status, r.lost_at is not null as lost, coalesce((
      select json_agg(json_build_object('status', q.status, 'reason', q.decline_reason) order by q.created_at)
      from quotes q where q.rfq_id = r.id), '[]') as quotes
    from rfqs r where r.id = ${id}`
  return row
}

describe('a request to several pros', () => {
  test('is one request for each, and one message to the customer', async () => {
    const { email, pros, requests, path } = await askedTogether(4)
    expect(requests).toHaveLength(4)
    await at.settle()
    const [told, ...more] = at.smtp.to(email)
    expect(more).toEqual([])
    expect(told?.mail.subject).toContain('4 pros have your request')
    expect(told?.mail.text).toContain(path)
    for (const { email: proEmail } of pros) expect(at.smtp.to(proEmail)).toHaveLength(1)
  })

  test('is made once, however often the form is sent', async () => {
    const pros = await newPros(3)
    const idempotencyKey = crypto.randomUUID()
    const { email, visitor, path } = await ask(pros, { idempotencyKey })
    const again = await visitor.postRaw(`/pros/${pros[0]?.id}/quote`, {
      service: 'other',
      description: 'The gutter leaks at the corner.',
      name: 'Homeowner',
      email,
      phone: VISIT_PHONE,
      ...VISIT_ADDRESS,
      others: pros.slice(1).map(({ id }) => id),
      idempotencyKey,
    })
    expect(again.location).toBe(path)
    expect(await askedBy(email, pros)).toHaveLength(3)
  })

  test('is refused whole when one pro does not offer the service, and when a sixth pro is asked', async () => {
    const [first, second] = await newPros(2)
    if (!first || !second) throw new Error('There are two.')
    const refused = await ask([first, second], { service: first.serviceId })
    expect(refused.response.status).toBe(400)
    expect(refused.response.text).toContain('These pros do not offer this service: ')
    const many = await ask(await newPros(6))
    expect(many.response.status).toBe(400)
    for (const { email } of [refused, many]) expect(await askedBy(email, [first, second])).toEqual([])
  })

  test('stays unknown to other pros: a lead names no other pro', async () => {
    const { pros, of } = await askedTogether(2)
    const lead = await at.app.send(`/api/v1/pro/leads/${of(0).id}`, { key: pros[0]?.key ?? '' })
    expect(lead.status).toBe(200)
    const text = await lead.text()
    expect(text).not.toContain(of(1).id)
    expect(text).not.toContain(pros[1]?.id ?? '')
  })
})

describe('the page of a request to several pros', () => {
  test('shows the quotes side by side, the cheapest first, then who has not answered', async () => {
    const { visitor, path, of } = await askedTogether(3)
    expect((await visitor.get(path)).text).toContain('Your request is with 3 pros')
    await quoteOf(of(2), 480, { estimatedDays: 2, depositRequired: true, depositPercentage: 25 })
    await quoteOf(of(0), 390)
    const page = (await visitor.get(path)).text
    expect(page).toContain('2 quotes are here')
    expect(page).toContain('$120.00 when you accept, $360.00 after the work')
    const order = ['$390.00', '$480.00', 'No quote yet'].map((text) => page.indexOf(text))
    expect(order).toEqual(order.toSorted((a, b) => a - b))
    expect(order[0]).toBeGreaterThan(0)
  })
})

describe('when the customer accepts one quote', () => {
  test('the other requests are closed, and each of their pros is told once, unless they had closed it themselves', async () => {
    const { visitor, path, of } = await askedTogether(4)
    const [chosen, quoted, silent, gone] = [of(0), of(1), of(2), of(3)]
    const { id } = await quoteOf(chosen, 390)
    await quoteOf(quoted, 480)
    await archiveLead(ctxOf(deps, actorOf(gone.pro)), { id: gone.id })
    await at.settle()
    const before = [quoted, silent, gone].map(({ pro }) => at.smtp.to(pro.email).length)
    await accept(id)
    await at.settle()
    expect(await stateOf(chosen)).toMatchObject({ status: 'responded', lost: false, quotes: [{ status: 'accepted' }] })
    expect(await stateOf(quoted)).toEqual({
      status: 'archived',
      lost: true,
      quotes: [{ status: 'declined', reason: 'The customer chose another pro.' }],
    })
    expect(await stateOf(silent)).toEqual({ status: 'archived', lost: true, quotes: [] })
    expect(await stateOf(gone)).toEqual({ status: 'archived', lost: false, quotes: [] })
    const told = [quoted, silent, gone].map(({ pro }, index) => at.smtp.to(pro.email).slice(before[index]))
    expect(told.map((mails) => mails.length)).toEqual([1, 1, 0])
    expect(told[0]?.[0]?.mail.text).toContain('The customer chose another pro.')
    expect(told[1]?.[0]?.mail.subject).toContain('chose another pro')
    const page = (await visitor.get(path)).text
    expect(page).toContain('You accepted a quote')
    expect(page).toContain('Declined')
  })

  test('an unpaid deposit of another pro can be paid no more', async () => {
    const { of } = await askedTogether(2)
    const [first, second] = [
      await quoteOf(of(0), 390),
      await quoteOf(of(1), 480, { depositRequired: true, depositPercentage: 25 }),
    ]
    expect((await accept(second.id)).payment?.amount).toBe(120)
    await accept(first.id)
    const [payment] = await at.sql<{ status: string }[]>`select status from payments where quote_id = ${second.id}`
    expect(payment?.status).toBe('expired')
  })

  test('two quotes that are accepted at once end with one accepted', async () => {
    for (let round = 0; round < 20; round++) {
      const { requests, of } = await askedTogether(2)
      const quotes = await Promise.all([quoteOf(of(0), 390), quoteOf(of(1), 480)])
      const outcomes = await Promise.all(quotes.map(({ id }) => outcomeOf(accept(id))))
      expect(outcomes.toSorted()).toEqual(['declined', 'done'])
      const states = await Promise.all(requests.map(stateOf))
      expect(states.map((state) => state?.quotes[0]?.status ?? '').toSorted()).toEqual(['accepted', 'declined'])
    }
  })

  test('a quote that is sent meanwhile is refused, or declined with the others', async () => {
    for (let round = 0; round < 20; round++) {
      const { of } = await askedTogether(2)
      const { id } = await quoteOf(of(0), 390)
      const [, sent] = await Promise.all([accept(id), outcomeOf(quoteOf(of(1), 480))])
      const state = await stateOf(of(1))
      expect(state).toMatchObject({ status: 'archived', lost: true })
      expect(state?.quotes.map(({ status }) => status)).toEqual(sent === 'done' ? ['declined'] : [])
    }
  })
})
