// SQL of the verification of pros.
import type { Runner } from '../../platform/postgres/database.ts'
import type { CheckedPro, Marks } from './schemas.ts'

export interface ProFilter {
  id?: string
  q: string
  verified: boolean | null
  limit: number
  offset: number
}

/** Active pros, those with the most reviews first, and the number of all that match. */
export async function selectProsToCheck(db: Runner, filter: ProFilter): Promise<(CheckedPro & { total: number })[]> {
  const { id = null, q, verified, limit, offset } = filter
  return await db.run(
    'selectProsToCheck',
    (sql) => sql`
      select p.id, p.slug, p.business_name, a.email, c.name as city, c.state, p.phone, p.website, p.review_count,
        p.created_at, p.verified, p.background_check, p.insurance, p.credentials, count(*) over ()::integer as total
      from professionals p join accounts a on a.id = p.account_id join cities c on c.id = p.city_id
      where p.active and (${id}::uuid is null or p.id = ${id})
        and (${verified}::boolean is null or p.verified = ${verified})
        and (${q} = '' or p.id::text = lower(${q})
          or strpos(lower(concat_ws(E'\\n', p.business_name, p.slug, a.email)), lower(${q})) > 0)
      order by p.review_count desc, p.id limit ${limit} offset ${offset}`,
  )
}

/** The marks of an active pro, locked until the transaction ends, with the pro's account. */
export async function findMarksForUpdate(tx: Runner, id: string): Promise<(Marks & { accountId: string }) | undefined> {
  const [row] = await tx.run<Marks & { accountId: string }>(
    'findMarksForUpdate',
    (sql) => sql`
      select account_id, verified, background_check, insurance, credentials
      from professionals where id = ${id} and active for update`,
  )
  return row
}

/** A trigger updates what search shows of the pro. */
export async function saveMarks(tx: Runner, id: string, marks: Marks, now: Date): Promise<void> {
  await tx.run(
    'saveMarks',
    (sql) => sql`
      update professionals set verified = ${marks.verified}, background_check = ${marks.backgroundCheck},
        insurance = ${marks.insurance}, credentials = ${marks.credentials}, updated_at = ${now.toISOString()}
      where id = ${id}`,
  )
}
