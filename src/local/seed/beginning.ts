// How a database began: with demo data, or empty. A start adds no demo data to a marketplace of real people.
import type postgres from 'postgres'

import type { Transaction } from './bulk-load.ts'

type Sql = postgres.Sql<Record<string, never>> | Transaction

export interface Beginning {
  /** Undefined for a database that has not begun, and for one of a version before this was noted. */
  hasDemoData: boolean | undefined
  hasPros: boolean
}

export async function readBeginning(sql: Sql): Promise<Beginning> {
  const [row] = await sql<{ hasDemoData: boolean | null; hasPros: boolean }[]>`
    select (select has_demo_data from marketplace) as "hasDemoData",
      exists (select from professionals where test_account_id is null) as "hasPros"`
  return { hasDemoData: row?.hasDemoData ?? undefined, hasPros: row?.hasPros === true }
}

/** Notes how the database began. Demo data may come into one that began empty and has no pros yet. */
export const noteBeginning = async (
  sql: Sql,
  { hasDemoData, now }: { hasDemoData: boolean; now: Date },
): Promise<void> => {
  await sql`
    insert into marketplace (has_demo_data, begun_at) values (${hasDemoData}, ${now.toISOString()})
    on conflict (singleton) do update set has_demo_data = excluded.has_demo_data`
}
