// SQL of a customer's copy. Records are shown as the API shows them, without drafts and internal notes of pros.
import type { CustomerExport } from '../schemas.ts'
import { type RecordIds, recordIds } from './copies.ts'
import { ownMessages } from './customer.ts'
import { uuids } from './rows.ts'
import type { Ctx } from '../../../../ctx.ts'

/** When the customer signed in first, and the sessions and connected apps that are stored; null for a customer who never did. */
export async function findCustomerAccount(ctx: Ctx, { email }: { email: string }): Promise<CustomerExport['account']> {
  const [row] = await ctx.write.run<NonNullable<CustomerExport['account']>>(
    'findAccountOfExport',
    (sql) => sql`
      select iso_instant(c.created_at) as created_at, (
        select coalesce(json_agg(json_build_object('createdAt', iso_instant(s.created_at),
          'expiresAt', iso_instant(s.expires_at)) order by s.created_at), '[]')
        from customer_sessions s where s.account_id = c.account_id) as sessions, (
        select coalesce(json_agg(json_build_object('name', k.name, 'scopes', k.scopes,
          'createdAt', iso_instant(k.created_at), 'lastUsedAt', iso_instant(k.last_used_at),
          'endedAt', iso_instant(k.revoked_at)) order by k.created_at), '[]')
        from api_keys k where k.account_id = c.account_id and k.is_grant) as connected_apps
      from customers c where c.email = ${email}`,
  )
  return row ?? null
}

/** The pros who block the customer, and why messages are not sent. */
export async function findRefusals(
  ctx: Ctx,
  { email }: { email: string },
): Promise<Pick<CustomerExport, 'blocks' | 'suppressedMessages'>> {
  const [row] = await ctx.write.run<Pick<CustomerExport, 'blocks' | 'suppressedMessages'>>(
    'findRefusalsOfExport',
    (sql) => sql`
      select
        (select coalesce(json_agg(json_build_object('professional', p.business_name, 'reason', k.reason,
            'createdAt', iso_instant(k.created_at)) order by k.created_at), '[]')
          from customer_blocks k join professionals p on p.id = k.professional_id where k.email = ${email}) as blocks,
        (select coalesce(json_agg(json_build_object('reason', s.reason, 'since', iso_instant(s.created_at))), '[]')
          from message_suppressions s where s.email = ${email}) as suppressed_messages`,
  )
  return row ?? { blocks: [], suppressedMessages: [] }
}

type Shown = Promise<{ shown: unknown }[]>

export const selectBookings = (ctx: Ctx, { bookings, now }: { now: Date } & RecordIds): Shown =>
  ctx.write.run(
    'selectBookingsOfExport',
    (sql) => sql`
      select booking_object(booking_as_of(b, ${now.toISOString()}))::jsonb || jsonb_build_object(
        'customerPhone', b.customer_phone, 'source', b.source, 'sourceAgentId', b.source_agent_id) as shown
      from bookings b where b.id = any(${uuids(sql, bookings)}) order by b.id`,
  )

export const selectRequests = (ctx: Ctx, { rfqs, now }: { now: Date } & RecordIds): Shown =>
  ctx.write.run(
    'selectRequestsOfExport',
    (sql) => sql`
      select lead_object(r, ${now.toISOString()}) || jsonb_build_object('quotes', (
        select coalesce(jsonb_agg(quote_object(q, ${now.toISOString()}) order by q.created_at, q.id), '[]')
        from quotes q where q.rfq_id = r.id and q.status <> 'draft')) as shown
      from rfqs r where r.id = any(${uuids(sql, rfqs)}) order by r.id`,
  )

export const selectJobs = (ctx: Ctx, { jobs }: RecordIds): Shown =>
  ctx.write.run(
    'selectJobsOfExport',
    (sql) => sql`select job_object(j) as shown from jobs j where j.id = any(${uuids(sql, jobs)}) order by j.id`,
  )

export const selectReviews = (ctx: Ctx, { reviews }: RecordIds): Shown =>
  ctx.write.run(
    'selectReviewsOfExport',
    (sql) => sql`
      select review_object(v, null)::jsonb || jsonb_build_object(
        'professional', p.business_name, 'customerName', v.customer_name, 'customerEmail', v.customer_email,
        'status', v.status, 'rejectionReason', v.rejection_reason, 'bookingId', v.booking_id, 'source', v.source) as shown
      from reviews v join professionals p on p.id = v.professional_id
      where v.id = any(${uuids(sql, reviews)}) order by v.id`,
  )

export const selectPayments = (ctx: Ctx, { payments }: RecordIds): Shown =>
  ctx.write.run(
    'selectPaymentsOfExport',
    (sql) => sql`
      select payment_object(y, false)::jsonb || jsonb_build_object(
        'bookingId', y.booking_id, 'quoteId', y.quote_id, 'provider', y.provider, 'providerReference', y.intent_id,
        'createdAt', iso_instant(y.created_at)) as shown
      from payments y where y.id = any(${uuids(sql, payments)}) order by y.id`,
  )

/** What agents prepared about the records. A draft's basis and a day's brief stand on the work for others, too: they are no copy. */
export const selectPreparedWork = (ctx: Ctx, { bookings, rfqs, jobs }: RecordIds): Shown =>
  ctx.write.run(
    'selectPreparedWorkOfExport',
    (sql) => sql`
      select json_build_object('professional', p.business_name, 'kind', w.kind, 'content', w.content,
        'createdAt', iso_instant(w.created_at)) as shown
      from prepared_work w join professionals p on p.id = w.professional_id
      where w.kind in ('assessment_notes', 'job_spec', 'customer_message') and (w.booking_id = any(${uuids(sql, bookings)})
        or w.rfq_id = any(${uuids(sql, rfqs)}) or w.job_id = any(${uuids(sql, jobs)}))
      order by w.created_at, w.id`,
  )

/** A page of the e-mails to the customer in the order of their ids. */
export const selectMessages = (
  ctx: Ctx,
  { email, after, limit }: { email: string; after: number; limit: number },
): Promise<{ id: number; shown: unknown }[]> =>
  ctx.write.run(
    'selectMessagesOfExport',
    (sql) => sql`
      select t.id, json_build_object('kind', t.kind, 'status', t.status, 'plannedFor', iso_instant(t.send_at),
        'finishedAt', iso_instant(t.finished_at)) as shown
      from messages t where ${ownMessages(email)(sql)} and t.id > ${after} order by t.id limit ${limit}`,
  )

/** A page of the events about the records as far as they are kept, in the order of their ids, with the endpoints to which they went. */
export const selectEvents = (
  ctx: Ctx,
  { ids, after, limit }: { ids: RecordIds; after: string; limit: number },
): Promise<{ id: string; shown: unknown }[]> =>
  ctx.write.run(
    'selectEventsOfExport',
    (sql) => sql`
      with event as (
        select id, type, created_at, data -> 'object' as object from outbox_events
        where aggregate_id = any(${uuids(sql, recordIds(ids))}) and id > ${after}
        union all
        select v.id, v.type, v.created_at, v.body::jsonb #> '{data,object}' from webhook_events v
        where v.aggregate_id = any(${uuids(sql, recordIds(ids))}) and v.id > ${after}
          and not exists (select from outbox_events o where o.id = v.id)
        order by id limit ${limit}
      )
      select e.id, json_build_object('id', public_event_id(e.id), 'type', e.type, 'at', iso_instant(e.created_at),
        'data', e.object, 'sent', (
          select coalesce(json_agg(json_build_object('to', split_part(n.url, '/', 3), 'state', d.state,
            'attempts', d.attempts) order by d.id), '[]')
          from webhook_deliveries d join webhook_endpoints n on n.id = d.endpoint_id where d.event_id = e.id)) as shown
      from event e order by e.id`,
  )
