// SQL of who made what bears a customer's address.
import type { Sql } from '../../../../platform/postgres/database.ts'
import { BOOKING, type BookingState } from '../../../booking/bookings/states.ts'
import { REVIEW, type ReviewState } from '../../../reviews/reviews/states.ts'
import { RFQ_STATES, type RfqState } from '../../../quoting/rfqs/states.ts'
import type { Ctx, TxCtx } from '../../../../ctx.ts'
import { boolean, type Column, composed, keyOf, nullable, oneOf, text } from '../../../../platform/postgres/composed.ts'

/** The states of what others can make in the name of a customer. */
interface States {
  booking: BookingState
  request: RfqState
  review: ReviewState
}

export interface Disowned<Kind extends keyof States = keyof States> {
  kind: Kind
  id: string
}

/**
 * `page`: a person on a page of this site, without proof of the address. `pro`: the pro. `operator`: an operator, for a caller.
 * `app`: another website or app.
 */
export type ForeignMaker = 'page' | 'pro' | 'operator' | 'app'

const TABLES: Readonly<Record<keyof States, string>> = { booking: 'bookings', request: 'rfqs', review: 'reviews' }

const STATES: { readonly [Kind in keyof States]: Column<States[Kind]> } = {
  booking: keyOf(BOOKING),
  request: oneOf(...RFQ_STATES),
  review: keyOf(REVIEW),
}

/** The owner of the address did not make the row `t` while signed in, nor confirm it. */
const isForeign = (sql: Sql, kind: Disowned['kind']) =>
  kind === 'review' ? sql`t.proven_at is null and not t.verified` : sql`t.proven_at is null`

/** Of those that the signed-in owner of the address did not make. */
export async function selectForeignMakers(
  ctx: Ctx,
  { kind, ids, siteEmail }: { kind: Disowned['kind']; ids: readonly string[]; siteEmail: string },
): Promise<{ id: string; maker: ForeignMaker }[]> {
  return await composed<{ id: string; maker: ForeignMaker }>(
    ctx.write,
    'selectForeignMakers',
    { id: text, maker: oneOf('page', 'pro', 'operator', 'app') },
    (sql) => sql`
      select t.id, case
          when t.account_id = p.account_id then 'pro'
          ${kind === 'booking' ? sql`when t.made_by = 'operator' then 'operator'` : sql``}
          when exists (select from accounts a where a.id = t.account_id and a.email = ${siteEmail}) then 'page'
          else 'app'
        end as maker
      from ${sql(TABLES[kind])} t join professionals p on p.id = t.professional_id
      where t.id = any(${[...ids]}::uuid[]) and ${isForeign(sql, kind)}`,
  )
}

export interface RowToDisown<Kind extends keyof States> {
  professionalId: string
  status: States[Kind]
  isDisowned: boolean
}

/** What bears the customer's address, locked until the transaction ends; also what they have disowned before. */
export async function lockRowToDisown<Kind extends keyof States>(
  ctx: TxCtx,
  { customerEmail, kind, id }: { customerEmail: string } & Disowned<Kind>,
): Promise<RowToDisown<Kind> | undefined> {
  const table: string = TABLES[kind]
  const rows = await composed<RowToDisown<Kind>>(
    ctx.tx,
    'lockRowToDisown',
    { professionalId: text, status: STATES[kind], isDisowned: boolean },
    (sql) => sql`
      select professional_id, status, disowned_at is not null as is_disowned from ${sql(table)}
      where id = ${id} and customer_email = ${customerEmail} and not is_test_pro(professional_id)
      for update`,
  )
  return rows[0]
}

/** Returns the pro's account; undefined for what the owner of the address made while signed in. */
export async function markDisowned(
  ctx: TxCtx,
  { kind, id, professionalId, now }: { now: Date } & Disowned & { professionalId: string },
): Promise<{ accountId: string | null } | undefined> {
  const rows = await composed(
    ctx.tx,
    'markDisowned',
    { accountId: nullable(text) },
    (sql) => sql`
      update ${sql(TABLES[kind])} t set disowned_at = ${now.toISOString()}
      from professionals p
      where t.id = ${id} and t.professional_id = ${professionalId} and p.id = t.professional_id and ${isForeign(sql, kind)}
      returning p.account_id`,
  )
  return rows[0]
}
