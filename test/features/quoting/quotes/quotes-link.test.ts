// The customer's link to a quote: access, the effect of a view, and the responses to people and programs.
import { expect, test } from 'bun:test'

import { viewQuote } from '../../../../src/features/quoting/quotes/verbs/customer-link.ts'
import { customerUrl } from '../../../../src/features/quoting/quotes/verbs/link-tokens.ts'
import { openEncryption } from '../../../../src/platform/crypto/encryption.ts'
import { openTestApp } from '../../../support/app.ts'
import { eventsOf, depsAfter, quotingPro, newRfqInput, sentQuote, tokenOf, HOMEOWNER } from '../../../support/quotes.ts'
import { opened } from '../../../support/fixture.ts'
import { escaped } from '../../../support/escaped.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const app = await opened(openTestApp())
const key = await app.key(['rfqs:write'])
const pro = await quotingPro(app)

const DAY_MS = 86_400_000
type Body = Record<string, unknown>
const bodyOf = async (response: Response) => (await response.json()) as Body
const newRfqId = async (changes: Body = {}) => {
  const response = await app.send('/api/v1/rfqs', { key, json: newRfqInput(pro, changes) })
  return ((await bodyOf(response))['rfq'] as { id: string }).id
}
const quote = (json: object) => app.send('/api/v1/pro/quotes', { key: pro.key, json })

const page = (path: string, init: RequestInit = {}) =>
  app.app.handle(new Request(`${app.deps.config.baseUrl}${path}`, { redirect: 'manual', ...init }))

test('the account that asked finds the link with the request, and the pro gets it nowhere', async () => {
  const rfqId = await newRfqId({ customer: { ...HOMEOWNER, email: 'asked@test.example' } })
  const sent = await quote({ rfqId, amount: 5 })
  const body = await bodyOf(sent)
  const { id } = body['quote'] as { id: string }
  const asked = await bodyOf(await app.send('/api/v1/rfqs?email=asked@test.example', { key }))
  const [{ customerUrl: found }] = asked['rfqs'] as [{ customerUrl: string }]
  const token = found.split('/').at(-1) ?? ''
  expect(await bodyOf(await app.send(`/api/v1/quotes/${token}`))).toMatchObject({ quote: { id } })
  const ofPro = ['/pro/leads', `/pro/leads/${rfqId}`, '/pro/quotes', `/pro/quotes/${id}`].map(
    async (path) => await (await app.send(`/api/v1${path}`, { key: pro.key })).text(),
  )
  for (const text of [JSON.stringify(body), ...(await Promise.all(ofPro))]) expect(text).not.toContain('/quotes/')
})

test('a pro who asked himself does not find the link', async () => {
  const own = await app.key(['rfqs:write'], pro.email)
  const customer = { ...HOMEOWNER, email: 'by.the.pro@test.example' }
  const { rfq } = (await bodyOf(
    await app.send('/api/v1/rfqs', { key: own, json: newRfqInput(pro, { customer }) }),
  )) as {
    rfq: { id: string }
  }
  await quote({ rfqId: rfq.id, amount: 5 })
  const asked = await bodyOf(await app.send(`/api/v1/rfqs?email=${customer.email}`, { key: own }))
  expect(asked['rfqs']).toMatchObject([{ latestQuote: { status: 'sent' }, customerUrl: null }])
})

test('concurrent views mark the quote viewed once', async () => {
  const { quoteId, token } = await sentQuote(app.deps, pro)
  await Promise.all(Array.from({ length: 20 }, () => app.send(`/api/v1/quotes/${token}`)))
  expect((await eventsOf(app.deps, quoteId)).map(({ type }) => type)).toEqual(['quote.sent', 'quote.viewed'])
})

test('a browser’s prefetch does not count as a view', async () => {
  const { quoteId, token } = await sentQuote(app.deps, pro)
  expect((await page(`/quotes/${token}`, { headers: { 'sec-purpose': 'prefetch' } })).status).toBe(200)
  expect(await eventsOf(app.deps, quoteId)).toHaveLength(1)
})

test('a forged, truncated, expired or unrelated link answers 404', async () => {
  const { quoteId, token } = await sentQuote(app.deps, pro, { validForDays: 1 })
  const forged = `${token.slice(0, 30)}${token[30] === 'A' ? 'B' : 'A'}${token.slice(31)}`
  const foreign = app.deps.encryption.encrypt('payment', quoteId)
  for (const bad of [forged, token.slice(0, -4), quoteId, foreign, 'x'])
    for (const path of ['', '/accept', '/decline']) {
      const response = await app.send(`/api/v1/quotes/${bad}${path}`, path ? { json: {} } : {})
      expect([bad, path, await bodyOf(response)]).toMatchObject([bad, path, { code: 'quote_not_found' }])
    }
  const soon = await viewQuote(ctxOf(depsAfter(app.deps, 30 * DAY_MS)), { token })
  expect(soon.status).toBe('expired')
  expect(viewQuote(ctxOf(depsAfter(app.deps, 32 * DAY_MS)), { token })).rejects.toMatchObject({
    code: 'quote_not_found',
  })
})

test('the link is a page for people that is neither cached nor indexed', async () => {
  const { token } = await sentQuote(app.deps, pro)
  const response = await page(`/quotes/${token}`)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(response.headers.get('x-robots-tag')).toBe('noindex')
  expect(response.headers.get('content-security-policy')).toContain("form-action 'self'")
  const text = await response.text()
  expect(text).toContain('$480.00')
  expect(text).toContain(`action="/quotes/${token}/accept"`)
  const lost = await page('/quotes/nothing')
  expect([lost.status, lost.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
})

test('a customer accepts or declines with the page’s form and sees the result', async () => {
  for (const [action, text] of [
    ['accept', 'You accepted this quote'],
    ['decline', 'You declined this quote'],
  ] as const) {
    const { token } = await sentQuote(app.deps, pro)
    const form = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: '' }
    const response = await page(`/quotes/${token}/${action}`, form)
    expect([response.status, response.headers.get('location')]).toEqual([303, `/quotes/${token}`])
    const after = await (await page(`/quotes/${token}`)).text()
    expect(after).toContain(text)
    expect(after).not.toContain('<form')
    // A repeated form leads to the same page.
    expect((await page(`/quotes/${token}/${action}`, form)).status).toBe(303)
  }
})

test('programs that accept JSON get JSON', async () => {
  const { token } = await sentQuote(app.deps, pro)
  const headers = { accept: 'application/json' }
  expect(await bodyOf(await page(`/quotes/${token}`, { headers }))).toMatchObject({ quote: { status: 'viewed' } })
  const accepted = await page(`/quotes/${token}/accept`, { headers, method: 'POST' })
  expect(await bodyOf(accepted)).toMatchObject({ quote: { status: 'accepted' } })
  const repeated = await page(`/quotes/${token}/accept`, { headers, method: 'POST' })
  expect([repeated.status, await bodyOf(repeated)]).toMatchObject([409, { code: 'invalid_transition' }])
})

test('the page escapes what the pro and the customer wrote', async () => {
  const rfq = await newRfqId({ description: '<script>alert(1)</script>' })
  const lineItems = [{ description: '"><img src=x>', quantity: 1, unitPrice: 5, amount: 5 }]
  const sent = (await bodyOf(await quote({ rfqId: rfq, amount: 5, lineItems, paymentTerms: '<b>now</b>' }))) as {
    quote: { id: string }
  }
  const text = await (await page(`/quotes/${tokenOf(app.deps, sent.quote.id)}`)).text()
  for (const raw of ['<script>', '<img src=x', '<b>']) expect(text).not.toContain(raw)
  expect(text).toContain(escaped('<script>'))
})

test('the link works on every server with the secret, and on no other', async () => {
  const { quoteId } = await sentQuote(app.deps, pro)
  const elsewhere = { ...app.deps, encryption: openEncryption('another secret of another installation') }
  const theirs = customerUrl(ctxOf(elsewhere), {
    quoteId,
    validUntil: new Date(app.deps.clock.now().getTime() + DAY_MS),
  })
    .split('/')
    .at(-1)
  expect((await app.send(`/api/v1/quotes/${theirs}`)).status).toBe(404)
  expect((await app.send(`/api/v1/quotes/${tokenOf(app.deps, quoteId)}`)).status).toBe(200)
})
