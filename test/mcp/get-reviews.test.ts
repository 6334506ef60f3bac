// The reviews of a pro for a model, which repeats each number.
import { expect, test } from 'bun:test'

import type { ReviewsPage } from '../../src/features/reviews/reviews/schemas.ts'
import { CUSTOMER_SERVER, agentKey, callTool } from '../support/agents.ts'
import { openTestApp } from '../support/app.ts'
import { opened } from '../support/fixture.ts'
import { quotingPro } from '../support/quotes.ts'

const app = await opened(openTestApp())
const key = await agentKey(app, ['mcp:read'])

const call = (name: string, args: object) => callTool(app, CUSTOMER_SERVER, key, name, args)
const reviewsPage = async (query: string) => (await (await app.send(`/api/v1/reviews?${query}`)).json()) as ReviewsPage

test('get_reviews returns the reviews of GET /reviews', async () => {
  const [pro] = await app.deps.read.run<{ id: string }>(
    'mostReviewed',
    (sql) =>
      sql`select professional_id as id from reviews where status = 'approved' group by 1 order by count(*) desc limit 1`,
  )
  const { structured } = await call('get_reviews', { professionalId: pro?.id, sort: 'rating_high' })
  const { stats, reviews } = await reviewsPage(`professionalId=${pro?.id}&sort=rating_high&limit=5`)
  const { scored, ...shown } = stats
  expect(Object.values(scored).every((count) => count > 0)).toBe(true)
  expect(structured).toMatchObject({ stats: shown, reviews: reviews.map(({ id }) => ({ id })) })
})

test('get_reviews says of a pro without reviews that there is no score, instead of 0', async () => {
  const pro = await quotingPro(app, 7)
  const professionalId = pro.professionalId
  await app.deps.write.run(
    'forgetReviews',
    (sql) => sql`update reviews set status = 'rejected' where professional_id = ${professionalId}`,
  )
  const { structured } = await call('get_reviews', { professionalId })
  const unknown = { punctuality: null, communication: null, quality: null, value: null }
  expect(structured).toMatchObject({ stats: { average: null, total: 0, breakdown: unknown } })
})
