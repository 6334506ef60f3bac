// What is made in test mode counts nowhere else: not in prices, not in votes on reviews.
import { expect, test } from 'bun:test'

import { ANONYMOUS } from '../../../../src/auth/accounts/verbs.ts'
import { PRESETS } from '../../../../src/auth/scopes.ts'
import { progressJob } from '../../../../src/features/booking/jobs/verbs/progress-job.ts'
import { refreshPrices } from '../../../../src/features/catalog/pricing/verbs.ts'
import { acceptQuote } from '../../../../src/features/quoting/quotes/verbs/customer-link.ts'
import { approveReview } from '../../../../src/features/reviews/reviews/verbs/reviews.ts'
import { opened } from '../../../support/fixture.ts'
import { tokenOf } from '../../../support/quotes.ts'
import { openTestMode, rfqOf } from '../../../support/test-mode.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const mode = await opened(openTestMode())

test('a test key votes on reviews of test pros only, and no live key on those', async () => {
  const { deps } = mode.world.app
  const live = await mode.review(mode.keys.live, mode.real)
  await approveReview(ctxOf(deps), { id: live.id })
  const inTest = await mode.review(mode.keys.test, mode.pros.instant)
  const vote = async ({ id }: { id: string }, key: string) =>
    (await mode.send(`/api/v1/reviews/${id}/helpful`, key, { helpful: false })).status
  expect([await vote(live, mode.keys.test), await vote(live, mode.keys.live)]).toEqual([404, 200])
  expect([await vote(inTest, mode.keys.live), await vote(inTest, mode.keys.test)]).toEqual([404, 200])
})

test('the work of test pros enters no price statistics: neither quotes that were accepted nor work that was done', async () => {
  const { app, sql } = mode.world
  const asPro = await mode.testKey(PRESETS['pro-dashboard'])
  const quoted = async (): Promise<string> => {
    const asked = await mode.send('/api/v1/rfqs', mode.keys.test, rfqOf(mode.pros.approval))
    const { rfq } = (await asked.json()) as { rfq: { id: string } }
    const sent = await mode.send('/api/v1/pro/quotes', asPro, { rfqId: rfq.id, amount: 480 })
    const { quote } = (await sent.json()) as { quote: { id: string } }
    const accepted = await acceptQuote(ctxOf(app.deps, ANONYMOUS), { token: tokenOf(app.deps, quote.id) })
    return accepted.quote.jobId ?? ''
  }
  const [accepted, done] = [await quoted(), await quoted()]
  const [job] = await sql<{ accountId: string; professionalId: string }[]>`
    select p.account_id, p.id as professional_id from jobs j join professionals p on p.id = j.professional_id
    where j.id in (${accepted}, ${done})`
  if (!job) throw new Error('The test pro has no work.')
  await progressJob(ctxOf(app.deps, job), { id: done, progress: { action: 'complete' } })
  const sources = await sql`
    select source::int from price_points
    where professional_id = ${mode.pros.approval.id} and service_id = ${mode.real.serviceId} order by source`
  expect(sources.map(({ source }) => source as number)).toEqual([1, 2, 3])
  const listed = async () =>
    (
      await sql`select from price_lists where professional_ids && ${Object.values(mode.pros).map(({ id }) => id)}::uuid[]`
    ).length
  await refreshPrices(ctxOf(app.deps))
  expect(await listed()).toBe(0)
  // As the daily pass recomputes all of them.
  await sql`select refresh_pricing(now())`
  expect(await listed()).toBe(0)
})
