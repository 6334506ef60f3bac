// SQL of requests for quotes.
import type { Sql } from '../../../platform/postgres/database.ts'
import { pageOf } from '../../../platform/schema/paging.ts'
import type { Quote } from '../quotes/schemas.ts'
import type { Lead, LeadsQuery, ListedLead, NewRfq, Rfq, RfqReceipt, RfqsQuery } from './schemas.ts'
import type { RfqState } from './states.ts'
import type { Ctx, TxCtx } from '../../../ctx.ts'
import { boolean, composed, json, number } from '../../../platform/postgres/composed.ts'
import * as statements from './queries.sql.ts'

interface RfqRow {
  id: string
  /** The id of the first of several requests that are sent at once. */
  askedTogether: string | null
  accountId: string
  /** The owner of the customer's address asks. */
  isProven: boolean
  input: NewRfq
  now: Date
}

/** Inserts a request. Returns the receipt that its first event carries. */
export async function insertRfq(
  ctx: TxCtx,
  { id, askedTogether, accountId, isProven, input, now }: RfqRow,
): Promise<RfqReceipt> {
  const row = await statements.insertRfq<{ rfq: RfqReceipt }>(ctx, {
    id,
    professionalId: input.professionalId,
    serviceId: input.serviceId,
    accountId,
    description: input.description,
    budget: input.budget,
    timeline: input.timeline,
    preferredDate: input.preferredDate,
    name: input.customer.name,
    email: input.customer.email,
    phone: input.customer.phone,
    address: input.address,
    photos: input.photos ?? [],
    answers: input.answers ?? [],
    source: input.source ?? 'api',
    sourceAgentId: input.sourceAgentId,
    now,
    provenAt: isProven ? now.toISOString() : null,
    askedTogether,
  })
  if (!row) throw new Error('The insert returned no row.')
  return row.rfq
}

interface Page<T> {
  total: number
  items: T[]
}

/** A request, and its latest quote with an end, if the account that made the request may pass on the customer's link. */
export interface ListedRfq {
  rfq: Rfq
  answerable: { id: string; validUntil: string } | null
}

/** The account's requests for a customer, newest first; null for those of all accounts. */
export async function listRfqs(
  ctx: Ctx,
  { accountId, email, now, ...page }: { accountId: string | null; now: Date } & RfqsQuery,
): Promise<Page<ListedRfq>> {
  const { limit, offset } = pageOf(page)
  const row = await statements.listRfqs<Pick<Page<ListedRfq>, 'items'>>(ctx, { accountId, email, limit, offset, now })
  return row ?? { total: 0, items: [] }
}

/** A customer's requests by the address, newest first. */
export async function listCustomerRfqs(
  ctx: Ctx,
  { customerEmail, limit, offset, now }: { customerEmail: string; limit: number; offset: number; now: Date },
): Promise<Page<Rfq>> {
  const row = await statements.listCustomerRfqs<Pick<Page<Rfq>, 'items'>>(ctx, { customerEmail, limit, offset, now })
  return row ?? { total: 0, items: [] }
}

/** Phone numbers are compared by their digits. */
function contains(sql: Sql, text: string) {
  const [lower, digits] = [text.trim().toLowerCase(), text.replace(/\D/g, '')]
  return sql`(position(${lower} in lower(customer_name)) > 0 or position(${lower} in customer_email) > 0
    or position(${lower} in lower(description)) > 0
    or ${digits.length >= 3} and position(${digits} in regexp_replace(customer_phone, '[^0-9]', '', 'g')) > 0)`
}

/** Requests made to the pro that contain the text, newest first. */
export async function listLeads(
  ctx: Ctx,
  {
    professionalId,
    status,
    text = '',
    now,
    ...page
  }: { professionalId: string; now: Date } & (LeadsQuery & { text?: string | undefined }),
): Promise<Page<ListedLead>> {
  const isSearch = text.trim() !== ''
  const { limit, offset } = pageOf(page)
  const [row] = await composed<Page<ListedLead>>(
    ctx.read,
    'listLeads',
    { total: number, items: json<ListedLead[]>() },
    (sql) => sql`
      with matching as (
        select id, created_at from rfqs
        where professional_id = ${professionalId} and ${status ? sql`status = ${status}` : sql`true`}
          and ${isSearch ? contains(sql, text) : sql`true`}),
      page as (
        select r.* from (select id from matching order by created_at desc, id desc limit ${limit} offset ${offset}) first
        join rfqs r on r.id = first.id)
      select ${
        isSearch
          ? sql`(select count(*) from matching)::int`
          : sql`count_of_pro(${professionalId}, 'rfq', ${status ?? null})::int`
      } as total,
        (select coalesce(json_agg(rfq_object(page::rfqs, ${now.toISOString()})::jsonb
            || jsonb_build_object('customerName', customer_name, 'city', address ->> 'city')
          order by created_at desc, id desc), '[]') from page) as items`,
  )
  return row ?? { total: 0, items: [] }
}

/** A request made to the pro, with all details. */
export async function findLead(
  ctx: Ctx,
  { professionalId, id, now }: { professionalId: string; id: string; now: Date },
): Promise<Lead | undefined> {
  const row = await statements.findLead<{ rfq: Lead }>(ctx, { now, id, professionalId })
  return row?.rfq
}

export interface FollowedRow {
  rfq: RfqReceipt
  /** The request as lists show it. */
  listed: Rfq
  /** Whether the viewer is an account of the pro. */
  isOfPro: boolean
  photos: string[]
  quotes: Quote[]
  /** The requests that the customer sent to other pros at once, with their quotes; empty for accounts. */
  others: { rfq: RfqReceipt; quotes: Quote[] }[]
}

/**
 * A customer sees the requests with their address, an account those that it made; Hearth itself, also for the holder of a
 * request's link, sees all.
 */
export type RequestViewer = { customerEmail: string } | { accountId: string } | 'system'

function isSeen(sql: Sql, viewer: RequestViewer) {
  if (viewer === 'system') return sql`true`
  // A signed-in customer may have an account as well: what is theirs is told by the address that they proved.
  if ('customerEmail' in viewer)
    return sql`r.customer_email = ${viewer.customerEmail} and r.disowned_at is null and not is_test_pro(r.professional_id)`
  return sql`r.account_id = ${viewer.accountId}`
}

/** A request with its sent quotes, newest first; undefined for one that the viewer may not see. */
export async function findRequest(
  ctx: Ctx,
  { id, viewer, now }: { id: string; viewer: RequestViewer; now: Date },
): Promise<FollowedRow | undefined> {
  const accountId = viewer !== 'system' && !('customerEmail' in viewer) ? viewer.accountId : null
  const rows = await composed<FollowedRow>(
    ctx.write,
    'findRequest',
    {
      rfq: json<RfqReceipt>(),
      listed: json<Rfq>(),
      photos: json<string[]>(),
      quotes: json<Quote[]>(),
      others: json<FollowedRow['others']>(),
      isOfPro: boolean,
    },
    (sql) => sql`
      select rfq_receipt(r) as rfq, rfq_object(r, ${now.toISOString()}) as listed, r.photos,
        ${accountId === null ? sql`false` : sql`acts_for_pro(${accountId}, r.professional_id)`} as is_of_pro,
        sent_quotes(r.id, ${now.toISOString()}) as quotes,
        ${
          accountId === null
            ? sql`(select coalesce(json_agg(json_build_object('rfq', rfq_receipt(o),
                'quotes', sent_quotes(o.id, ${now.toISOString()})) order by o.id), '[]')
              from rfqs o where o.asked_together = r.asked_together and o.id <> r.id and o.disowned_at is null)`
            : sql`'[]'::json`
        } as others
      from rfqs r
      where r.id = ${id} and ${isSeen(sql, viewer)}`,
  )
  return rows[0]
}

export interface LockedRfq {
  id: string
  status: RfqState
  professionalId: string
  serviceId: string | null
}
