// The catalog's names reach databases that were seeded by an earlier version.
import { expect, test } from 'bun:test'

import { seed } from '../../src/local/seed/seed.ts'
import { SEEDED_AT, openTestDatabase } from '../support/database.ts'
import { opened } from '../support/fixture.ts'

const database = await opened(openTestDatabase())

test('a seed without pros updates the catalog of a database that has some, and keeps added synonyms', async () => {
  const { sql } = database
  const now = new Date(SEEDED_AT)
  await seed(sql, { pros: 20, seed: 1, now })
  await sql`update services set synonyms = '{wet basement}' where slug = 'leak-repair'`
  await seed(sql, { pros: 0, seed: 1, now })
  const [leak] = await sql<{ synonyms: string[] }[]>`
    select to_jsonb(synonyms) as synonyms from services where slug = 'leak-repair'`
  expect(leak?.synonyms).toEqual(expect.arrayContaining(['wet basement', 'burst pipe']))
  const [{ pros } = { pros: 0 }] = await sql<{ pros: number }[]>`select count(*)::int as pros from pro_search`
  expect(pros).toBe(20)
}, 60_000)
