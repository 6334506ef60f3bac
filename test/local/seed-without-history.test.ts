// A seed without history, for data sets of which only searches are measured.
import { expect, test } from 'bun:test'

import { seed } from '../../src/local/seed/seed.ts'
import { cloneDatabase, testSql } from '../support/database.ts'

const options = { pros: 50, seed: 1, now: new Date('2026-06-01T12:00:00Z') }

test('without history creates the same pros and offers, and neither bookings nor quotes nor reviews', async () => {
  const [full, lean] = [await seedClone(true), await seedClone(false)]
  expect(lean.slugs).toEqual(full.slugs)
  expect(lean.counts.professional_services).toBe(full.counts.professional_services)
  const { bookings, rfqs, reviews, availability_blocks: blocks } = lean.counts
  expect([bookings, rfqs, reviews, blocks]).toEqual([0, 0, 0, 0])
})

async function seedClone(withHistory: boolean) {
  const database = await cloneDatabase('migrated')
  const sql = testSql(database.url, 1)
  try {
    const counts = await seed(sql, { ...options, withHistory })
    const rows = await sql<{ slug: string }[]>`select slug from professionals order by slug`
    return { counts, slugs: rows.map(({ slug }) => slug) }
  } finally {
    await sql.end()
    await database.drop()
  }
}
