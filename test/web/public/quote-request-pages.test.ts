// Quote requests: the form on a pro's page, the request's page, and the quote.
import { describe, expect, test } from 'bun:test'

import { siteAccountOf } from '../../../src/auth/accounts/verbs.ts'
import { requestUrl } from '../../../src/features/quoting/rfqs/verbs/follow-link.ts'
import { sendQuote } from '../../../src/features/quoting/quotes/verbs/quotes.ts'
import { archiveLead, createRfq } from '../../../src/features/quoting/rfqs/verbs/rfqs.ts'
import { VISIT_ADDRESS, VISIT_PHONE } from '../../support/booking-fixture.ts'
import { fillAddress, watchPage } from '../../support/browser.ts'
import { checkPage, useConsole } from '../../support/console.ts'
import { eventsOf, depsAfter, quotingPro, newRfqInput } from '../../support/quotes.ts'
import { type Visitor, visitorFromNewAddress } from '../../support/visitor.ts'
import { escaped } from '../../support/escaped.ts'
import { ctxOf } from '../../../src/ctx.ts'

const world = await useConsole()
const pro = await quotingPro(world.app)

const FIELDS = {
  service: 'other',
  description: 'The gutter leaks at the corner.',
  phone: VISIT_PHONE,
  ...VISIT_ADDRESS,
  name: 'Demo Customer',
  email: 'customer@demo.example',
}
const formPath = () => `/pros/${pro.slug}/quote`
const ask = (visitor: Visitor, fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  visitor.postRaw(formPath(), { ...FIELDS, idempotencyKey: crypto.randomUUID(), ...fields }, headers)

/** The newest lead of the pro. */
async function newestLead() {
  const response = await world.app.send('/api/v1/pro/leads?limit=1', { key: pro.key })
  const { rfqs } = (await response.json()) as { rfqs: [{ id: string }] }
  const lead = await world.app.send(`/api/v1/pro/leads/${rfqs[0].id}`, { key: pro.key })
  return ((await lead.json()) as { rfq: Record<string, unknown> & { id: string } }).rfq
}

describe('requesting a quote', () => {
  test('a customer requests a quote from the pro’s page by keyboard, and accepts it', async () => {
    const visit = await watchPage(world.browser)
    const { page } = visit
    await page.goto(`${world.url}/pros/${pro.slug}`)
    await page.getByRole('main').getByRole('link', { name: 'Ask for a quote', exact: true }).first().click()
    await page.waitForURL('**/quote*')
    await checkPage(visit, 'ask-for-quote')
    await page.getByLabel('Service').selectOption(pro.serviceId)
    await page.getByLabel('What do you need?').focus()
    await page.keyboard.type('The gutter leaks at the corner.')
    await page.keyboard.press('Tab')
    await page.getByLabel('When').selectOption('Within two weeks')
    await fillAddress(page)
    await page.getByLabel('Your name').fill('Demo Customer')
    await page.getByLabel('E-mail address').fill('customer@demo.example')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Your request is with the pro' }).waitFor()
    await checkPage(visit, 'request-new')
    const link = await page.getByLabel(/^Keep this link/).inputValue()
    expect(link).toBe(page.url())

    const lead = await newestLead()
    expect(lead).toMatchObject({
      status: 'new',
      source: 'web',
      timeline: 'Within two weeks',
      customer: { name: 'Demo Customer', email: 'customer@demo.example', phone: VISIT_PHONE },
      address: VISIT_ADDRESS,
      service: { id: pro.serviceId },
    })
    expect((await eventsOf(world.app.deps, lead.id)).map(({ type }) => type)).toEqual(['rfq.created'])
    await sendQuote(ctxOf(world.app.deps, pro), { rfqId: lead.id, amount: 480 })

    await page.goto(link)
    await page.getByRole('heading', { name: 'Your quote is here' }).waitFor()
    await checkPage(visit, 'request-answered')
    await page.getByRole('link', { name: 'Review quote' }).click()
    await page.getByRole('button', { name: 'Accept the quote' }).click()
    await page.getByText('You accepted this quote').waitFor()
    await page.goto(link)
    await page.getByRole('heading', { name: 'You accepted a quote' }).waitFor()
    await checkPage(visit, 'request-accepted')
    await page.context().close()
  }, 90_000)

  test('a form that is sent many times at once without scripts creates one request', async () => {
    const visitor = visitorFromNewAddress(world.app)
    const { text } = await visitor.get(formPath())
    const idempotencyKey = /name="idempotencyKey" value="([^"]+)"/.exec(text)?.[1] ?? ''
    const sent = await Promise.all(
      [1, 2, 3, 4].map(() => ask(visitor, { idempotencyKey, description: 'Sent four times' })),
    )
    expect(sent.map(({ status }) => status)).toEqual([303, 303, 303, 303])
    const rows = await world.app.deps.read.run(
      'requestsOfTest',
      (sql) => sql`select id from rfqs where description = 'Sent four times'`,
    )
    expect(rows.length).toBe(1)
    for (const { location } of sent)
      expect((await visitor.get(location ?? '')).text).toContain('Your request is with the pro')
    // Other values with the same key need a confirmation.
    const other = await ask(visitor, { idempotencyKey, description: 'Something else' })
    expect(other.text).toContain('You already sent this form')
    expect(other.text).toContain('Something else</textarea>')
  })

  test('the form has the same limits as the API', async () => {
    const visitor = visitorFromNewAddress(world.app)
    const tooLong = await ask(visitor, { description: 'x'.repeat(5001), email: 'nope', zipCode: '7'.repeat(21) })
    expect(tooLong.text).toContain('Must be an e-mail address')
    expect(tooLong.text.match(/class="fault"/g)?.length).toBe(3)
    expect((await ask(visitor, { service: crypto.randomUUID() })).status).toBe(404)
    expect((await visitor.get('/pros/unknown/quote')).status).toBe(404)
  })

  test('the form keeps the entered values and escapes them', async () => {
    const evil = '"><script>alert(1)</script>'
    const visitor = visitorFromNewAddress(world.app)
    const repeated = await ask(visitor, { name: evil, email: 'nope' })
    expect(repeated.text).toContain(escaped(evil))
    const created = await ask(visitor, { name: evil, description: `${evil}</textarea>` })
    const { text } = await visitor.get(created.location ?? '')
    expect(text).toContain(escaped(evil))
    for (const page of [repeated.text, text]) expect(page).not.toContain(evil)
  })
})

describe('the link to a request', () => {
  /** Creates a request without the form's rate limit. */
  const createRequest = async () => {
    const { deps } = world.app
    const { rfq } = await createRfq(ctxOf(deps, { accountId: (await siteAccountOf(deps)()).id }), newRfqInput(pro))
    return { id: rfq.id, path: new URL(requestUrl(ctxOf(deps), { rfqId: rfq.id })).pathname }
  }

  test('opens without a log-in, is not indexed by search engines, and is not found when changed', async () => {
    const { id, path } = await createRequest()
    const visitor = visitorFromNewAddress(world.app)
    const { status, headers } = await visitor.get(path)
    expect([status, headers.get('x-robots-tag')]).toEqual([200, 'noindex'])
    const changed = `${path.slice(0, 40)}${path[40] === 'A' ? 'B' : 'A'}${path.slice(41)}`
    const foreign = world.app.deps.encryption.encrypt('quote', id)
    for (const bad of [changed, path.slice(0, -3), `/requests/${id}`, `/requests/${foreign}`])
      expect((await visitor.get(bad)).status).toBe(404)
  })

  test('shows that the pro closed the request, and that a quote expired', async () => {
    const visitor = visitorFromNewAddress(world.app)
    const closed = await createRequest()
    await archiveLead(ctxOf(world.app.deps, pro), { id: closed.id })
    expect((await visitor.get(closed.path)).text).toContain('Your request was closed')

    const old = await createRequest()
    const before = depsAfter(world.app.deps, -40 * 86_400_000)
    await sendQuote(ctxOf(before, pro), { rfqId: old.id, amount: 5, validForDays: 1 })
    const { text } = await visitor.get(old.path)
    expect(text).toContain('No open quotes')
    expect(text).toContain('Expired')
    // The page of an expired quote is not linked.
    expect(text).not.toContain('/quotes/')
  })
})

test('a form from another site is refused, and the number of requests per address is limited', async () => {
  expect((await ask(visitorFromNewAddress(world.app), {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  const visitor = visitorFromNewAddress(world.app)
  const sent: number[] = []
  for (let count = 0; count < 12; count++) sent.push((await ask(visitor, { email: 'nope' })).status)
  expect(sent).toContain(429)
})
