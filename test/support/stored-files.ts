// Rows of files for tests that need no content.
import { randomBytes, randomUUID } from 'node:crypto'

import type { Sql } from '../../src/platform/postgres/database.ts'

/** A picture of the pro that is ready and public. Returns its id, and its name, which is in its addresses. */
export async function insertFile(sql: Sql, professionalId: string): Promise<{ id: string; name: string }> {
  const [id, name] = [randomUUID(), randomBytes(24).toString('base64url')]
  await sql`
    insert into files (id, name, account_id, professional_id, purpose, status, private, created_at)
    select ${id}, ${name}, account_id, id, 'pro_gallery', 'uploading', false, now() from professionals where id = ${professionalId}`
  await sql`update files set status = 'received', bytes = 1 where id = ${id}`
  await sql`
    update files set status = 'ready', type = 'image/webp', width = 1, height = 1, placeholder = 'data:', sizes = '[]',
      decided_at = created_at
    where id = ${id}`
  return { id, name }
}
