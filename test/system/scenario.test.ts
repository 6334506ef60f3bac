// A client generated from /openapi.json goes through the life of a job over HTTP, from the quote request to the public
// review and prices.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'

import { approveReview } from '../../src/features/reviews/reviews/verbs/reviews.ts'
import { systemClock } from '../../src/platform/clock/clock.ts'
import { type TestApp, openTestApp } from '../support/app.ts'
import { type ClientProject, openClientProject } from '../support/generated-client.ts'
import { type QuotingPro, eventsOf, quotingPro, sentQuote } from '../support/quotes.ts'
import { PATIENT, type TestServer, startServer } from '../support/server.ts'
import { type TestWorker, startWorker } from '../support/workers.ts'
import { ctxOf } from '../../src/ctx.ts'

let app: TestApp
let server: TestServer
/** The worker that adds agreed and paid prices to the statistics. */
let pricing: TestWorker
let pro: QuotingPro
let project: ClientProject

beforeAll(async () => {
  app = await openTestApp()
  server = await startServer({ ...app, env: PATIENT })
  pricing = startWorker(join(import.meta.dir, '../../workers/actors/refresh-pricing.ts'), app)
  pro = await quotingPro(app)
  const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as object
  project = await openClientProject(document, ['test/client/scenario.ts'])
})
afterAll(async () => {
  project.remove()
  await Promise.all([server.stop(), pricing.stop()])
  await app.close()
})

test('a client generated from the document compiles, and so does code that uses it', async () => {
  expect(await project.compile()).toBe('')
})

test('a request that the document does not allow does not compile', async () => {
  const wrong = join(project.dir, 'wrong.ts')
  await Bun.write(
    wrong,
    `import createClient from 'openapi-fetch'
     import type { paths } from './api.ts'
     await createClient<paths>().POST('/api/v1/pro/quotes', { body: { rfqId: 5, amount: 'much' } })
     await createClient<paths>().GET('/api/v1/nothing')`,
  )
  expect((await project.compile()).match(/wrong\.ts\(\d+/g)).toEqual(['wrong.ts(3', 'wrong.ts(3', 'wrong.ts(4'])
  await Bun.file(wrong).delete()
})

test('a quote request leads to a quote, an accepted job, an approved review and public prices', async () => {
  const { runScenario } = (await import(join(project.dir, 'scenario.ts'))) as {
    runScenario: (input: object) => Promise<void>
  }
  const [service] = await app.deps.read.run<{ id: string; slug: string; name: string }>(
    'service',
    (sql) => sql`select id, slug, name from services where id = ${pro.serviceId}`,
  )
  if (!service) throw new Error('The pro offers no service.')
  await runScenario({
    baseUrl: server.url,
    serverKey: await app.key(),
    proKey: pro.key,
    pro: { id: pro.professionalId, slug: pro.slug },
    service,
    approveReview: (id: string) => approveReview(ctxOf(app.deps), { id }),
  })
})

test('a HEAD request or prefetch of a quote link, as by a mail program, does not mark the quote as viewed', async () => {
  const { quoteId, token } = await sentQuote({ ...app.deps, clock: systemClock }, pro)
  for (const path of [`/quotes/${token}`, `/api/v1/quotes/${token}`]) {
    expect((await fetch(`${server.url}${path}`, { method: 'HEAD' })).status).toBe(200)
    expect((await fetch(`${server.url}${path}`, { headers: { 'sec-purpose': 'prefetch' } })).status).toBe(200)
  }
  expect((await eventsOf(app.deps, quoteId)).map(({ type }) => type)).toEqual(['quote.sent'])
  await fetch(`${server.url}/quotes/${token}`)
  expect((await eventsOf(app.deps, quoteId)).map(({ type }) => type)).toEqual(['quote.sent', 'quote.viewed'])
})
