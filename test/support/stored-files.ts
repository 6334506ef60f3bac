// Files for tests that do not upload them.
import { randomBytes, randomUUID } from 'node:crypto'

import { pictureFile, readyKey } from '../../src/features/files/files/rules/addresses.ts'
import { FORMATS, SIZES, type Size } from '../../src/platform/pictures/sizes.ts'
import type { Sql } from '../../src/platform/postgres/database.ts'
import type { TestApp } from './app.ts'
import { pixels } from './hostile-files.ts'

/** A picture of the pro that is ready and public. Returns its id, and its name, which is in its addresses. */
export async function insertFile(
  { deps }: Pick<TestApp, 'deps'>,
  sql: Sql,
  professionalId: string,
): Promise<{ id: string; name: string }> {
  const [id, name] = [randomUUID(), randomBytes(24).toString('base64url')]
  const names = Object.keys(SIZES) as Size[]
  for (const format of FORMATS) {
    const bytes = await pixels(1, 1).toFormat(format).toBuffer()
    for (const size of names) await deps.storage.put(readyKey(pictureFile(name, size, format)), bytes)
  }
  const sizes = JSON.stringify(names.map((size) => ({ size, width: 1, height: 1 })))
  await sql`
    insert into files (id, name, account_id, professional_id, purpose, status, private, created_at)
    select ${id}, ${name}, account_id, id, 'pro_gallery', 'uploading', false, now() from professionals where id = ${professionalId}`
  await sql`update files set status = 'received', bytes = 1 where id = ${id}`
  await sql`
    update files set status = 'ready', type = 'image/webp', width = 1, height = 1, sizes = ${sizes}::text::jsonb,
      decided_at = created_at
    where id = ${id}`
  return { id, name }
}
