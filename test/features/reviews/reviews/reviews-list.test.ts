// GET /reviews: total orders, statistics that match the reviews, and one statement per page.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'

import type { Sql } from '../../../../src/platform/postgres/database.ts'
import { SQL_FOLDER } from '../../../../src/platform/postgres/statement-files.ts'
import { openTestApp } from '../../../support/app.ts'
import { testSql } from '../../../support/database.ts'
import { executedNodes } from '../../../support/plans/executed-plan.ts'
import { type ReviewsPage, type SeededPro, findPros, reviewsOf } from '../../../support/reviews.ts'
import { opened } from '../../../support/fixture.ts'

const app = await opened(openTestApp())

const list = (professionalId: string, more = '') => reviewsOf(app, professionalId, more)

describe('the list', () => {
  let busiest: SeededPro & { total: number }

  beforeAll(async () => {
    const [row] = await app.deps.read.run<SeededPro & { total: number }>(
      'findBusiest',
      (sql) => sql`
        select p.id, p.slug, a.email, p.review_count as total from professionals p join accounts a on a.id = p.account_id
        where p.active order by p.review_count desc, p.id limit 1`,
    )
    if (!row) throw new Error('The seed has no reviews.')
    busiest = row
    // Hundreds of votes, and reviews of the same second, so that every order has ties.
    await app.deps.write.run(
      'makeTies',
      (sql) => sql`
        update reviews set helpful_yes = rating, helpful_no = length(content) % 4,
          created_at = date_trunc('month', created_at), approved_at = date_trunc('month', created_at)
        where professional_id = ${busiest.id}`,
    )
  })

  const before: Record<string, (a: ReviewsPage['reviews'][number]) => number[]> = {
    recent: () => [],
    rating_high: ({ rating }) => [-rating],
    rating_low: ({ rating }) => [rating],
    helpful: ({ helpful }) => [helpful.no - helpful.yes],
  }

  test.each(Object.keys(before))('sorted by %s is in order, in pages without repeats or gaps', async (sort) => {
    expect(busiest.total).toBeGreaterThan(20)
    const seen: ReviewsPage['reviews'] = []
    for (let offset = 0; offset < busiest.total; offset += 7) {
      const { reviews, meta } = await list(busiest.id, `&sort=${sort}&limit=7&offset=${offset}`)
      expect(meta).toEqual({ total: busiest.total, limit: 7, offset, hasMore: offset + 7 < busiest.total })
      seen.push(...reviews)
    }
    const rank = (review: ReviewsPage['reviews'][number]) => [
      ...(before[sort]?.(review) ?? []),
      -Date.parse(review.createdAt),
    ]
    const sorted = seen.toSorted((a, b) => {
      const [left, right] = [rank(a), rank(b)]
      const at = left.findIndex((value, index) => value !== right[index])
      return at < 0 ? (a.id < b.id ? 1 : -1) : (left[at] ?? 0) - (right[at] ?? 0)
    })
    expect(seen.map(({ id }) => id)).toEqual(sorted.map(({ id }) => id))
    expect(new Set(seen.map(({ id }) => id)).size).toBe(busiest.total)
  })

  test('has statistics that match its reviews', async () => {
    const reviews = [
      ...(await list(busiest.id, '&limit=50')).reviews,
      ...(busiest.total > 50 ? (await list(busiest.id, '&limit=50&offset=50')).reviews : []),
    ]
    const { stats } = await list(busiest.id)
    expect(stats.total).toBe(busiest.total)
    for (const stars of [1, 2, 3, 4, 5])
      expect(stats.distribution[String(stars)] ?? -1).toBeGreaterThanOrEqual(
        reviews.filter(({ rating }) => rating === stars).length,
      )
    const sum = Object.entries(stats.distribution).reduce((total, [stars, n]) => total + Number(stars) * n, 0)
    expect(stats.average).toBe(Math.round((sum / busiest.total) * 100) / 100)
  })

  test('without a pro is a 400 for all callers; of an unknown pro it is empty', async () => {
    expect(await (await app.send('/api/v1/reviews')).json()).toMatchObject({
      status: 400,
      errors: [{ path: 'query.professionalId' }],
    })
    expect(await list(randomUUID())).toMatchObject({ reviews: [], stats: { average: 0, total: 0 }, meta: { total: 0 } })
  })

  test('answers 304 to a client with the current ETag', async () => {
    const path = `/api/v1/reviews?professionalId=${busiest.id}`
    const etag = (await app.send(path)).headers.get('etag') ?? ''
    expect((await app.send(path, { headers: { 'if-none-match': etag } })).status).toBe(304)
  })
})

describe('of a pro with thousands of reviews', () => {
  const INDEXES = { recent: 'recent', rating_high: 'rating', rating_low: 'rating', helpful: 'helpful' }
  let sql: Sql
  let famous: string

  beforeAll(async () => {
    sql = testSql(app.databaseUrl, 1)
    const [pro] = await findPros(app, 1)
    famous = pro?.id ?? ''
    await sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`
      await tx`
        insert into reviews (id, professional_id, status, rating, content, customer_name, customer_email, helpful_yes,
          created_at, approved_at)
        select gen_random_uuid(), ${famous}, 'approved', 1 + n % 5, 'Fine.', 'Homeowner', n || '@fame.test.example', n % 13,
          '2026-01-01'::timestamptz + n * interval '1 minute', '2026-05-01'
        from generate_series(1, 5000) n`
    })
    await sql`analyze reviews`
  })
  afterAll(() => sql.end())

  test.each([
    ...Object.entries(INDEXES).map(([sort, index]) => [sort, index, null] as const),
    ['rating_high', 'rating', 3] as const,
  ])('%s reads one page from the index by %s, and no more rows, with stars: %s', async (sort, index, rating) => {
    const nodes = await executedNodes(app.databaseUrl, (sql) =>
      sql.file(join(SQL_FOLDER, 'queries/reviews-page.sql'), [famous, sort, 20, 40, null, rating]),
    )
    const read = nodes.filter((node) => node['Relation Name'] === 'reviews')
    expect([...new Set(read.map((node) => node['Index Name'] ?? node['Node Type']))]).toEqual([`reviews_${index}`])
    // By rating: one page of each.
    const rows = read.reduce((sum, node) => sum + node['Actual Rows'] * node['Actual Loops'], 0)
    expect(rows).toBeLessThanOrEqual(60 * 5)
  })
})
