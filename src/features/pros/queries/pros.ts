// Reads of one pro.
import type { Runner } from '../../../platform/postgres/database.ts'
import { statementFile } from '../../../platform/postgres/statement-files.ts'

const professionalDetail = statementFile<{ body: string }>('professional-detail')
const publicProfile = statementFile<{ body: string }>('public-profile')

/** An active pro, named by `id` or by `slug`, as the finished JSON of the answer. */
export async function findProfessionalDetail(
  db: Runner,
  { id, slug }: { id: string | null; slug: string | null },
): Promise<string | undefined> {
  const rows = await professionalDetail.run(db, [id, slug])
  return rows[0]?.body
}

/** What their page shows besides, as JSON text of one object. */
export async function findPublicProfile(
  db: Runner,
  { id, slug }: { id: string | null; slug: string | null },
  baseUrl: string,
): Promise<string | undefined> {
  const rows = await publicProfile.run(db, [id, slug, baseUrl])
  return rows[0]?.body
}

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
