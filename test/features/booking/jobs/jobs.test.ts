// Jobs: the states of accepted work, and its effect on price statistics.
import { describe, expect, test } from 'bun:test'

import { ANONYMOUS } from '../../../../src/auth/accounts/verbs.ts'
import { acceptQuote } from '../../../../src/features/quoting/quotes/verbs/customer-link.ts'
import { sendQuote } from '../../../../src/features/quoting/quotes/verbs/quotes.ts'
import { createRfq } from '../../../../src/features/quoting/rfqs/verbs/rfqs.ts'
import { refreshPrices } from '../../../../src/features/catalog/pricing/verbs.ts'
import { openTestApp } from '../../../support/app.ts'
import { HOMEOWNER, type QuotingPro, quotingPro, newRfqInput, sentQuote, tokenOf } from '../../../support/quotes.ts'
import { opened } from '../../../support/fixture.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const app = await opened(openTestApp())
const [pro, otherPro] = await Promise.all([quotingPro(app), quotingPro(app, 1)])

interface JobBody {
  id: string
  status: string
  amount: number
  [member: string]: unknown
}

/** An accepted quote, of $480 unless told otherwise. */
async function agreedJob(of = pro, amount = 480): Promise<string> {
  const { token } = await sentQuote(app.deps, of, { amount })
  return (await acceptQuote(ctxOf(app.deps, ANONYMOUS), { token })).quote.jobId ?? ''
}

const move = (id: string, json: object, as = pro.key) => app.send(`/api/v1/pro/jobs/${id}`, { key: as, json })
const jobOf = async (response: Response) => ((await response.json()) as { job: JobBody }).job
const problemOf = async (response: Response) => (await response.json()) as { code: string; errors?: { path: string }[] }

describe('a job', () => {
  test('starts with the amount of the accepted quote', async () => {
    const job = await jobOf(await app.send(`/api/v1/pro/jobs/${await agreedJob()}`, { key: pro.key }))
    expect(job).toMatchObject({
      status: 'scheduled',
      amount: 480,
      quotedAmount: 480,
      units: 1,
      customer: HOMEOWNER,
      service: { id: pro.serviceId },
      description: 'The gutter leaks at the corner.',
      startedAt: null,
      completedAt: null,
    })
  })

  test('ends with the final amount that the pro gives, or the quoted one', async () => {
    const [more, same] = [await agreedJob(), await agreedJob()]
    expect(await jobOf(await move(more, { action: 'complete', finalAmount: 512.25 }))).toMatchObject({
      amount: 512.25,
      quotedAmount: 480,
      status: 'completed',
    })
    expect(await jobOf(await move(same, { action: 'complete' }))).toMatchObject({ amount: 480 })
  })

  test('can be cancelled with or without a reason', async () => {
    const cancelled = await jobOf(await move(await agreedJob(), { action: 'cancel', reason: 'Moved away.' }))
    expect(cancelled).toMatchObject({ status: 'cancelled', cancellationReason: 'Moved away.' })
    expect((await move(await agreedJob(), { action: 'cancel' })).status).toBe(200)
  })

  test('accepts a final amount only with complete, a reason only with cancel, and amounts in whole cents', async () => {
    const id = await agreedJob()
    for (const [json, path] of [
      [{ action: 'start', finalAmount: 5 }, 'body.finalAmount'],
      [{ action: 'cancel', finalAmount: 5 }, 'body.finalAmount'],
      [{ action: 'complete', finalAmount: 5.005 }, 'body.finalAmount'],
      [{ action: 'complete', reason: 'Done.' }, 'body.reason'],
      [{ action: 'paint' }, 'body.action'],
    ] as const) {
      const response = await move(id, json)
      expect([response.status, await problemOf(response)]).toMatchObject([400, { errors: [{ path }] }])
    }
    expect(await jobOf(await app.send(`/api/v1/pro/jobs/${id}`, { key: pro.key }))).toMatchObject({
      status: 'scheduled',
    })
  })

  test('is visible only to its pro', async () => {
    const id = await agreedJob()
    expect(await problemOf(await app.send(`/api/v1/pro/jobs/${id}`, { key: otherPro.key }))).toMatchObject({
      code: 'job_not_found',
    })
    expect(await problemOf(await move(id, { action: 'start' }, otherPro.key))).toMatchObject({ code: 'job_not_found' })
    expect(await jobOf(await app.send(`/api/v1/pro/jobs/${id}`, { key: pro.key }))).toMatchObject({
      status: 'scheduled',
    })
  })
})

test('jobs are listed newest first, by state, in pages without repeats or gaps', async () => {
  const createdIds: string[] = []
  for (let n = 0; n < 5; n++) createdIds.unshift(await agreedJob(otherPro))
  const list = async (query: string) =>
    (await (await app.send(`/api/v1/pro/jobs?${query}`, { key: otherPro.key })).json()) as {
      jobs: JobBody[]
      meta: { total: number }
    }
  const pages = await Promise.all([0, 2, 4].map((offset) => list(`status=scheduled&limit=2&offset=${offset}`)))
  const ids = pages.flatMap(({ jobs }) => jobs.map(({ id }) => id)).slice(0, 5)
  expect(ids).toEqual(createdIds)
  await move(createdIds[0] ?? '', { action: 'start' }, otherPro.key)
  expect((await list('status=in_progress&limit=1')).jobs[0]?.id).toBe(createdIds[0])
})

/** Refreshes the statistics, as the worker does within a second. */
const figures = async (serviceId: string) => {
  await refreshPrices(ctxOf(app.deps))
  const [row] = await app.deps.read.run<{ accepted: number; completed: number }>(
    'figures',
    (sql) => sql`
      select accepted_quotes as accepted, completed_projects as completed
      from pricing_aggregates where service_id = ${serviceId} and state = '' and city_id = 0`,
  )
  return row ?? { accepted: 0, completed: 0 }
}

let newcomers = 2
/** A pro without work in their service, at its usual price. */
async function newcomer(): Promise<{ fresh: QuotingPro; price: number }> {
  const fresh = await quotingPro(app, newcomers++)
  const [row] = await app.deps.write.run<{ price: number; pros: number; work: number }>(
    'usualPrice',
    (sql) => sql`
      select a.median_cents / 10000 * 100 as price,
        (select sum(l.pros)::int from price_lists l where l.service_id = a.service_id) as pros,
        (select count(*)::int from price_points v
         where v.service_id = a.service_id and v.professional_id = ${fresh.professionalId} and v.source > 1) as work
      from pricing_aggregates a where a.service_id = ${fresh.serviceId} and a.state = ''`,
  )
  return row && row.price > 0 && row.pros >= 40 && row.work === 0 ? { fresh, price: row.price } : newcomer()
}

const countChanges = async () => {
  const [row] = await app.deps.read.run<{ n: number }>(
    'countChanges',
    (sql) => sql`select count(*) as n from pricing_changes`,
  )
  return row?.n
}

describe('the price statistics', () => {
  test('count one piece of work once: the accepted amount, then the final one', async () => {
    const { fresh, price } = await newcomer()
    const before = await figures(fresh.serviceId)
    const id = await agreedJob(fresh, price)
    expect(await figures(fresh.serviceId)).toEqual({ ...before, accepted: before.accepted + 1 })
    await move(id, { action: 'complete', finalAmount: price * 1.25 }, fresh.key)
    expect(await figures(fresh.serviceId)).toEqual({ ...before, completed: before.completed + 1 })
    await move(await agreedJob(fresh, price), { action: 'cancel' }, fresh.key)
    expect(await figures(fresh.serviceId)).toEqual({ accepted: before.accepted + 1, completed: before.completed + 1 })
  })

  test('ignore jobs without a service', async () => {
    const { rfq } = await createRfq(ctxOf(app.deps, pro), newRfqInput(pro, { serviceId: null }))
    const { quote } = await sendQuote(ctxOf(app.deps, pro), { rfqId: rfq.id, amount: 10 })
    expect(quote).toMatchObject({ service: null, units: null })
    const { jobId } = (await acceptQuote(ctxOf(app.deps, ANONYMOUS), { token: tokenOf(app.deps, quote.id) })).quote
    expect((await move(jobId ?? '', { action: 'complete' })).status).toBe(200)
    expect(await countChanges()).toBe(0)
  })

  test('are complete after many concurrent changes of one service, with three jobs of one pro', async () => {
    const { fresh, price } = await newcomer()
    const before = await figures(fresh.serviceId)
    const jobs = await Promise.all(Array.from({ length: 24 }, () => agreedJob(fresh, price)))
    const responses = await Promise.all(jobs.map((id) => move(id, { action: 'complete' }, fresh.key)))
    expect(responses.map(({ status }) => status)).toEqual(jobs.map(() => 200))
    expect(await figures(fresh.serviceId)).toEqual({ ...before, completed: before.completed + 3 })
    expect(await countChanges()).toBe(0)
  })
})
