// Deletion changes nothing that is kept: no statistic, price, rating or search result.
import { expect, test } from 'bun:test'

import { searchCountsOf } from '../../../../src/features/search/counts/verbs/counts.ts'
import { AGING_TABLES, deleteOldRows } from '../../../../src/features/upkeep/retention/verbs.ts'
import { RETENTION } from '../../../../src/features/upkeep/retention/tables.ts'
import { insertAged } from '../../../support/aged-rows.ts'
import { openTestApp } from '../../../support/app.ts'
import { SEEDED_AT } from '../../../support/database.ts'
import { opened } from '../../../support/fixture.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const app = await opened(openTestApp('seeded'))

/** The content of deleted files is removed from the storage by what stands here. */
const WORK = 'file_removals'
const kept = Object.entries(RETENTION).flatMap(([table, rule]) => ('kept' in rule && table !== WORK ? [table] : []))

/** The content of each kept table, as a hash. */
async function contents(): Promise<Record<string, string | null>> {
  const hashes: Record<string, string | null> = {}
  for (const table of kept) {
    const [row] = await app.sql<{ hash: string | null }[]>`
      select md5(string_agg(md5(t::text), '' order by t::text)) as hash from ${app.sql(table)} t`
    hashes[table] = row?.hash ?? null
  }
  return hashes
}

/** What people are shown, for the pro with the most reviews. */
async function shown(): Promise<unknown[]> {
  const [pro] = await app.sql<{ id: string; email: string; slug: string }[]>`
    select p.id, a.email, s.slug from professionals p join accounts a on a.id = p.account_id
    join professional_services o on o.professional_id = p.id join services s on s.id = o.service_id
    order by p.review_count desc, p.id, s.slug limit 1`
  if (!pro) throw new Error('The seed has pros.')
  const key = await app.key(['pro:read'], pro.email)
  const paths = [
    '/pro/analytics?period=all',
    `/pros/${pro.id}`,
    `/reviews?professionalId=${pro.id}`,
    `/pricing?service=${pro.slug}`,
    `/pros?service=${pro.slug}&limit=50`,
  ]
  const answers: unknown[] = []
  for (const path of paths) {
    const response = await app.send(`/api/v1${path}`, path.startsWith('/pro/') ? { key } : {})
    expect([path, response.status]).toEqual([path, 200])
    answers.push(await response.json())
  }
  return answers
}

test('deleting everything that is past its age changes no kept row and no answer', async () => {
  await shown()
  for (const table of AGING_TABLES.keys()) await insertAged(app.sql, table, [SEEDED_AT])
  const before = await shown()
  // What is shown was searched for, which is counted.
  await searchCountsOf(app.deps).flush()
  const rowsBefore = await contents()
  // Of the rows in the seed and the inserted ones, all are past their age by then.
  const later = { ...app.deps, clock: { now: () => new Date(Date.parse(SEEDED_AT) + 20 * 366 * 86_400_000) } }
  const deleted: Record<string, number> = {}
  for (const table of AGING_TABLES.keys())
    for (let hasMore = true; hasMore;) {
      const outcome = await deleteOldRows(ctxOf(later), { table })
      deleted[table] = (deleted[table] ?? 0) + outcome.deleted
      hasMore = outcome.hasMore
    }
  expect(Object.entries(deleted).filter(([, rows]) => rows === 0)).toEqual([])
  expect(await contents()).toEqual(rowsBefore)
  expect(await shown()).toEqual(before)
}, 120_000)
