// Pros by the number of their row in the search tables.
import type { Runner } from '../../../platform/postgres/database.ts'

/** The highest slot in use; 0 without pros. */
export async function findLastSlot(db: Runner): Promise<number> {
  const [row] = await db.run<{ last: number | null }>(
    'findLastSlot',
    (sql) => sql`select max(slot) as last from pro_search`,
  )
  return row?.last ?? 0
}

/** The slugs of the pros whose slots are from `first` to `last`. */
export async function selectSlugs(db: Runner, first: number, last: number): Promise<string[]> {
  const rows = await db.run<{ slug: string }>(
    'selectSlugs',
    (sql) => sql`select slug from pro_search where slot between ${first} and ${last} order by slot`,
  )
  return rows.map(({ slug }) => slug)
}
