// SQL that finds what belongs to a customer, by the normal e-mail address.
import type { MessageKind } from '../../../messages/messages/kinds.ts'
import { MESSAGE_KINDS } from '../../../messages/messages/kind-facts.ts'
import type { OpenWork } from '../schemas.ts'
import type { Root } from './copies.ts'
import { type Condition, uuidArray, uuids } from './rows.ts'
import type { Ctx, TxCtx } from '../../../../ctx.ts'
import { boolean, composed, listOf, text } from '../../../../platform/postgres/composed.ts'
import * as statements from './customer.sql.ts'

/** Whether anything belongs to the address that an erasure would be about. */
export async function isKnown(ctx: TxCtx, { email }: { email: string }): Promise<boolean> {
  const [row] = await composed(
    ctx.tx,
    'isKnownCustomer',
    { known: boolean },
    (sql) => sql`
      select exists (select from bookings where customer_email = ${email})
        or exists (select from rfqs where customer_email = ${email})
        or exists (select from reviews where customer_email = ${email})
        or exists (select from customers where email = ${email})
        or exists (select from customer_blocks where email = ${email})
        or exists (select from customer_profiles where email = ${email})
        or exists (select from booking_guests where email = ${email})
        or exists (select from pro_applications where email = ${email})
        or exists (select from messages t where ${messagesOf(email)(sql)}) as known`,
  )
  return row?.known ?? false
}

const TO_CUSTOMERS = (Object.keys(MESSAGE_KINDS) as MessageKind[]).filter(
  (kind) => MESSAGE_KINDS[kind].audience === 'customer',
)

/**
 * Messages to the customer, and to pros about the customer. One to a pro with the same address about another customer is
 * that customer's, and one about the pro's business is the pro's.
 */
export const messagesOf =
  (email: string): Condition =>
  (sql) =>
    sql`(t.customer_email = ${email} or ${ownMessages(email)(sql)})`

/** Messages that the customer got. */
export const ownMessages =
  (email: string): Condition =>
  (sql) =>
    sql`(t.recipient = ${email} and t.kind = any(${TO_CUSTOMERS}::text[])
    and coalesce(t.customer_email, t.recipient) = t.recipient)`

/** Money of the payment `p` is on its way back, cannot get back, or is asked back by a bank: the pro or the bank still needs the customer. */
const isMoving: Condition = (sql) => sql`(p.status = 'refunding'
  or exists (select from payment_refunds f where f.payment_id = p.id and f.status in ('pending', 'part', 'submitted', 'failed'))
  or exists (select from payment_disputes d where d.payment_id = p.id and d.state = 'open'))`

/** What must end before the customer can be erased. */
export async function findOpenWork(ctx: TxCtx, { email, now }: { email: string; now: Date }): Promise<OpenWork> {
  const at = now.toISOString()
  const [row] = await composed<OpenWork>(
    ctx.tx,
    'findOpenWork',
    { bookings: listOf(text), jobs: listOf(text), refunds: listOf(text), runs: listOf(text) },
    (sql) => sql`
      with b as materialized (select id, professional_id, confirmation_code from bookings where customer_email = ${email}),
        r as materialized (select id, professional_id from rfqs where customer_email = ${email}),
        v as materialized (select id, professional_id from reviews where customer_email = ${email}),
        q as materialized (select q.id from quotes q join r on q.rfq_id = r.id),
        j as materialized (select j.id, j.status from jobs j join q on j.quote_id = q.id),
        record as materialized (
          select id from b union all select id from r union all select id from v union all select id from q
          union all select id from j)
      select
        array(select shown.confirmation_code
          from bookings stored cross join lateral booking_as_of(stored, ${at}::timestamptz) shown
          where stored.customer_email = ${email} and shown.status in ('pending', 'confirmed') and shown.ends_at > ${at}::timestamptz
          order by shown.starts_at) as bookings,
        array(select j.id::text from j where j.status in ('scheduled', 'in_progress') order by j.id) as jobs,
        array(select b.confirmation_code from payments p join b on p.booking_id = b.id where ${isMoving(sql)}
          union all select q.id::text from payments p join q on p.quote_id = q.id where ${isMoving(sql)}) as refunds,
        array(select run.id from agent_runs run
          where run.status in ('queued', 'running') and run.professional_id in (
              select professional_id from b union select professional_id from r union select professional_id from v)
            and exists (select from agent_steps s where s.professional_id = run.professional_id and s.run_id = run.id
              and record_ids(s.input || coalesce(s.result, '')) && array(select id from record))
          order by run.id) as runs`,
  )
  return row ?? { bookings: [], jobs: [], refunds: [], runs: [] }
}

/** Locks the customer's next records of a kind in the order of their ids. Requests come before bookings, as in other verbs. */
export async function lockRecords(
  ctx: TxCtx,
  { root, email, after, limit }: { root: Root; email: string; after: string; limit: number },
): Promise<string[]> {
  const rows = await composed(
    ctx.tx,
    `lock_${root}_of_customer`,
    { id: text },
    (sql) => sql`
      select id from ${sql(root)} where customer_email = ${email} and id > ${after} order by id limit ${limit} for update`,
  )
  return rows.map(({ id }) => id)
}

/** Those of these locked records that someone relies on: they came while the erasure went on, and stay whole. */
export async function findOpenRecords(
  ctx: TxCtx,
  { root, ids, now }: { root: Root; ids: readonly string[]; now: Date },
): Promise<string[]> {
  if (root === 'reviews') return []
  const at = now.toISOString()
  const rows = await composed(ctx.tx, `findOpen_${root}`, { id: text }, (sql) =>
    root === 'bookings'
      ? sql`
        select stored.id from bookings stored cross join lateral booking_as_of(stored, ${at}::timestamptz) b
        where stored.id = any(${uuids(sql, ids)})
          and (b.status in ('pending', 'confirmed') and b.ends_at > ${at}::timestamptz
            or exists (select from payments p where p.booking_id = stored.id and ${isMoving(sql)}))`
      : sql`
        select distinct q.rfq_id as id from quotes q
        where q.rfq_id = any(${uuids(sql, ids)})
          and (exists (select from jobs j where j.quote_id = q.id and j.status in ('scheduled', 'in_progress'))
            or exists (select from payments p where p.quote_id = q.id and ${isMoving(sql)}))`,
  )
  return rows.map(({ id }) => id)
}

/** Those of the requests that are not archived. */
export const selectOpenRequests = (ctx: TxCtx, { ids }: { ids: readonly string[] }) =>
  statements.selectOpenRequests(ctx, { ids: uuidArray(ids) })

/** Ids of the customer's records of a kind, in order, without locks. `ownOnly` leaves out what the customer has disowned. */
export async function selectRecords(
  ctx: Ctx,
  {
    root,
    email,
    after,
    limit,
    ownOnly = false,
  }: { root: Root; email: string; after: string; limit: number; ownOnly?: boolean },
): Promise<string[]> {
  const rows = await composed(
    ctx.write,
    `select_${root}_of_customer`,
    { id: text },
    (sql) => sql`
      select id from ${sql(root)}
      where customer_email = ${email} and id > ${after} ${ownOnly ? sql`and disowned_at is null` : sql``}
      order by id limit ${limit}`,
  )
  return rows.map(({ id }) => id)
}

/** The kind of an account that has this e-mail address. */
export async function findAccountKind(ctx: Ctx, { email }: { email: string }): Promise<string | undefined> {
  const row = await statements.findAccountKind(ctx, { email })
  return row?.kind
}
