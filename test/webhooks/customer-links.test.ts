// The customer's link to a quote in webhooks: the account that asked for the quote passes it on, and the quote's pro never gets it.
import { expect, test } from 'bun:test'

import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import type { WebhookWithSecret } from '../../src/webhooks/endpoints/schemas.ts'
import { opened } from '../support/fixture.ts'
import { newRfqInput, quotingPro, tokenOf } from '../support/quotes.ts'
import { WEBHOOK_SCOPES, openWebhookFixture } from '../support/webhooks.ts'

const hooks = await opened(openWebhookFixture())
const pro = await quotingPro(hooks.app)

/** Asks with the key and lets the pro answer. Returns what the endpoints of each account received of the quote. */
async function quoteFor(asking: string, endpoints: readonly string[]) {
  const { app } = hooks
  const webhooks = await Promise.all(endpoints.map((key) => hooks.create({ events: ['quote.sent'] }, key)))
  const asked = await app.send('/api/v1/rfqs', { key: asking, json: newRfqInput(pro) })
  if (asked.status !== 201) throw new Error(await asked.text())
  const { rfq } = (await asked.json()) as { rfq: { id: string } }
  const sent = await app.send('/api/v1/pro/quotes', { key: pro.key, json: { rfqId: rfq.id, amount: 5 } })
  const { quote } = (await sent.json()) as { quote: { id: string } }
  await hooks.planAll()
  // An endpoint that is new also gets what happened before, because all events are planned again.
  const bodyAt = (webhook: WebhookWithSecret) => hooks.at(webhook).find(({ body }) => body.includes(quote.id))?.body
  expect(await waitUntil(() => webhooks.every((webhook) => bodyAt(webhook) !== undefined), 10_000)).toBe(true)
  const shown = await Promise.all(
    webhooks.map(async ({ id }, at) => {
      const path = `/api/v1/webhooks/${id}/deliveries`
      const key = endpoints[at] ?? ''
      const list = (await (await app.send(path, { key })).json()) as { deliveries: { eventId: string }[] }
      return await (await app.send(`${path}/${list.deliveries[0]?.eventId}`, { key })).text()
    }),
  )
  return { quote, bodies: webhooks.map((webhook) => bodyAt(webhook) ?? ''), shown }
}

const objectOf = (body: string) => (JSON.parse(body) as { data: { object: Record<string, unknown> } }).data.object

test('reaches the endpoints of the account that asked, and no endpoint of the pro, nor their lists of deliveries', async () => {
  const { app } = hooks
  const developer = await app.key(['rfqs:write', ...WEBHOOK_SCOPES], 'asks@test.example')
  const { quote, bodies, shown } = await quoteFor(developer, [developer, await app.key(WEBHOOK_SCOPES, pro.email)])
  const [toDeveloper = '', toPro = ''] = bodies
  const { customerUrl, ...object } = objectOf(toDeveloper)
  const { pathname } = new URL(String(customerUrl))
  expect((await app.send(`/api/v1${pathname}`)).status).toBe(200)
  expect(objectOf(toPro)).toEqual(object)
  expect(object).toMatchObject({ id: quote.id })
  for (const text of [toPro, shown[1] ?? '']) expect(text).not.toContain('/quotes/')
  expect(shown[0]).toContain(pathname)
})

test('reaches no endpoint when the pro asked himself, with the business’s key or one of a user of the business', async () => {
  const { app } = hooks
  const user = 'partner@business.test.example'
  await app.sql`
    insert into users (id, email, password_hash, role, account_id, created_at)
    values (gen_random_uuid(), ${user}, '$argon2id$none', 'pro', ${pro.accountId}, now())`
  for (const email of [pro.email, user]) {
    const key = await app.key(['rfqs:write', ...WEBHOOK_SCOPES], email)
    const { quote, bodies, shown } = await quoteFor(key, [key])
    expect(objectOf(bodies[0] ?? '')).toMatchObject({ id: quote.id })
    for (const text of [...bodies, ...shown]) expect(text).not.toContain(tokenOf(app.deps, quote.id).slice(0, 12))
    for (const text of [...bodies, ...shown]) expect(text).not.toContain('customerUrl')
  }
})
