// The account that owns the benchmarks' API keys.
import type { Sql } from '../../src/platform/postgres/database.ts'

export const OWNER_EMAIL = 'bench@example.com'

/** Deletes the keys of earlier runs, of which an account may have only a limited number. */
export async function deleteKeys(sql: Sql): Promise<void> {
  await sql`delete from api_keys using accounts a where a.id = account_id and a.email = ${OWNER_EMAIL}`
}
