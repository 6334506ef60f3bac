// SQL of who made what bears a customer's address.
import type { Runner } from '../../../platform/postgres/database.ts'
import type { RfqState } from '../../rfqs/states.ts'

/** A booking or request. */
export interface Disowned {
  kind: 'booking' | 'request'
  id: string
}

/** `page`: somebody on a page of this site, without proof of the address. `pro`: the pro. `app`: another website or app. */
export type ForeignMaker = 'page' | 'pro' | 'app'

/** Of those that the signed-in owner of the address did not make. */
export async function selectForeignMakers(
  db: Runner,
  { kind, ids, siteEmail }: { kind: Disowned['kind']; ids: readonly string[]; siteEmail: string },
): Promise<{ id: string; maker: ForeignMaker }[]> {
  return await db.run<{ id: string; maker: ForeignMaker }>(
    'selectForeignMakers',
    (sql) => sql`
      select t.id, case
          when t.account_id = p.account_id then 'pro'
          when exists (select from accounts a where a.id = t.account_id and a.email = ${siteEmail}) then 'page'
          else 'app'
        end as maker
      from ${kind === 'booking' ? sql`bookings` : sql`rfqs`} t join professionals p on p.id = t.professional_id
      where t.id = any(${[...ids]}::uuid[]) and t.proven_at is null`,
  )
}

/** A request of the owner of the address, locked until the transaction ends. */
export async function lockRequestToDisown(tx: Runner, customerEmail: string, id: string) {
  const rows = await tx.run<{ id: string; status: RfqState; professionalId: string }>(
    'lockRequestToDisown',
    (sql) => sql`
      select id, status, professional_id from rfqs
      where id = ${id} and customer_email = ${customerEmail} and disowned_at is null
        and not is_test_pro(professional_id)
      for no key update`,
  )
  return rows[0]
}

/** Returns the pro's account; undefined for what the owner of the address made while signed in. */
export async function markDisowned(
  tx: Runner,
  { kind, id, professionalId }: Disowned & { professionalId: string },
  now: Date,
): Promise<{ accountId: string | null } | undefined> {
  const rows = await tx.run<{ accountId: string | null }>(
    'markDisowned',
    (sql) => sql`
      update ${kind === 'booking' ? sql`bookings` : sql`rfqs`} t set disowned_at = ${now.toISOString()}
      from professionals p
      where t.id = ${id} and t.professional_id = ${professionalId} and p.id = t.professional_id and t.proven_at is null
      returning p.account_id`,
  )
  return rows[0]
}
