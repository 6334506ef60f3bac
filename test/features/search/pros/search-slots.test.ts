// The numbers by which results are found grow with the pros, not with what the pros change.
import { expect, test } from 'bun:test'

import { openTestDatabase } from '../../../support/database.ts'
import { opened } from '../../../support/fixture.ts'
import { insertMarketplace } from '../../../support/search.ts'

const database = await opened(openTestDatabase())
await insertMarketplace(database.sql, 50)

test('search takes no new slot for a pro who is changed, paused or listed again', async () => {
  const { sql } = database
  const slotOf = async (id: string) => {
    const [row] = await sql<{ slot: number }[]>`select slot from pro_search where professional_id = ${id}`
    return row?.slot
  }
  const slotsTaken = async () => {
    const [row] = await sql<{ last: number }[]>`select last_value::int as last from pro_search_slot_seq`
    return row?.last
  }
  const [pro] = await sql<{ id: string; slot: number }[]>`select professional_id as id, slot from pro_search limit 1`
  if (!pro) throw new Error('The marketplace has no pros.')
  const before = await slotsTaken()
  for (const change of [1, 2, 3]) {
    await sql`update professionals set business_name = business_name || ${change} where id = ${pro.id}`
    await sql`update professionals set active = false, status = 'paused' where id = ${pro.id}`
    expect(await slotOf(pro.id)).toBeUndefined()
    await sql`update professionals set active = true, status = 'active' where id = ${pro.id}`
  }
  expect({ taken: await slotsTaken(), slot: await slotOf(pro.id) }).toEqual({ taken: before, slot: pro.slot })
})
