// A second seed adds what is missing and changes nothing that was edited.
import { expect, test } from 'bun:test'

import { seed } from '../../src/local/seed/seed.ts'
import { SEEDED_AT, openTestDatabase } from '../support/database.ts'
import { opened } from '../support/fixture.ts'

const database = await opened(openTestDatabase())

test('a seed of a database with pros adds what its catalog lacks, and changes no row that was edited', async () => {
  const { sql } = database
  const now = new Date(SEEDED_AT)
  await seed(sql, { pros: 20, seed: 1, now })
  await sql`update services set synonyms = '{wet basement}', name = 'Wet Basements', at_customer = false where slug = 'leak-repair'`
  await sql`update categories set name = 'Pipes', ordinal = 99 where slug = 'plumbing'`
  await sql`update states set name = 'The Lone Star State' where code = 'TX'`
  await sql`update cities set population = 7 where name = 'Austin' and state = 'TX'`
  const rows = async () =>
    (
      await sql`
      select (select json_agg(to_jsonb(s) order by id) from services s) as services,
        (select json_agg(to_jsonb(c) order by id) from categories c) as categories,
        (select json_agg(to_jsonb(s) order by code) from states s) as states,
        (select json_agg(to_jsonb(c) order by id) from cities c) as cities`
    )[0]
  const edited = await rows()
  await sql`delete from services s where not exists (select from professional_services where service_id = s.id)`
  await seed(sql, { pros: 0, seed: 1, now })
  expect(await rows()).toEqual(edited)
  const [{ pros } = { pros: 0 }] = await sql<{ pros: number }[]>`select count(*)::int as pros from pro_search`
  expect(pros).toBe(20)
}, 60_000)

test('demo pros do not come into a marketplace of another country', async () => {
  const canadian = await opened(openTestDatabase())
  await canadian.sql`insert into marketplace_versions (version, name, country, at) values (1, 'Maple & Beam', 'CA', now())`
  const demo = seed(canadian.sql, { pros: 1, seed: 1, now: new Date(SEEDED_AT) })
  expect(await demo.catch((error: Error) => error.message)).toBe(
    'This marketplace has another country, and the demo pros live in the United States.',
  )
  expect(await canadian.sql`select from professionals`).toHaveLength(0)
}, 60_000)
