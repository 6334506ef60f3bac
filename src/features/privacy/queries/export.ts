// SQL of a customer's copy. Records are shown as the API shows them, without drafts and internal notes of pros.
import type { Runner } from '../../../platform/postgres/database.ts'
import type { CustomerExport } from '../schemas.ts'
import type { CustomerIds } from './customer.ts'
import { type Condition, uuids } from './rows.ts'

type Records = Pick<CustomerExport, 'bookings' | 'quoteRequests' | 'jobs' | 'reviews' | 'payments' | 'blocks'>

type Merged = 'bookings' | 'quoteRequests' | 'reviews' | 'payments'
/** A record as the API shows it, and what else is stored with it. */
type StoredRecords = Omit<Records, Merged> & Record<Merged, [record: object, more: object][]>

/** The customer's records, oldest first. */
export async function findRecords(db: Runner, email: string, ids: CustomerIds, now: Date): Promise<Records> {
  const at = now.toISOString()
  const [row] = await db.run<StoredRecords>(
    'findRecordsOfCustomer',
    (sql) => sql`
      select
        (select coalesce(json_agg(json_build_array(booking_object(booking_as_of(b, ${at})), json_build_object(
            'customerPhone', b.customer_phone, 'source', b.source, 'sourceAgentId', b.source_agent_id))
            order by b.created_at, b.id), '[]')
          from bookings b where b.id = any(${uuids(sql, ids.bookings)})) as bookings,
        (select coalesce(json_agg(json_build_array(lead_object(r, ${at}), json_build_object('quotes', (
            select coalesce(json_agg(quote_object(q, ${at}) order by q.created_at, q.id), '[]')
            from quotes q where q.rfq_id = r.id and q.status <> 'draft'))) order by r.created_at, r.id), '[]')
          from rfqs r where r.id = any(${uuids(sql, ids.rfqs)})) as quote_requests,
        (select coalesce(json_agg(job_object(j) order by j.created_at, j.id), '[]')
          from jobs j where j.id = any(${uuids(sql, ids.jobs)})) as jobs,
        (select coalesce(json_agg(json_build_array(review_object(v, null), json_build_object(
            'professional', p.business_name, 'customerName', v.customer_name, 'customerEmail', v.customer_email,
            'status', v.status, 'rejectionReason', v.rejection_reason, 'bookingId', v.booking_id, 'source', v.source))
            order by v.created_at, v.id), '[]')
          from reviews v join professionals p on p.id = v.professional_id
          where v.id = any(${uuids(sql, ids.reviews)})) as reviews,
        (select coalesce(json_agg(json_build_array(payment_object(y, false), json_build_object(
            'bookingId', y.booking_id, 'quoteId', y.quote_id, 'provider', y.provider, 'providerReference', y.intent_id,
            'createdAt', iso_instant(y.created_at))) order by y.created_at, y.id), '[]')
          from payments y where y.booking_id = any(${uuids(sql, ids.bookings)})
            or y.quote_id = any(${uuids(sql, ids.quotes)})) as payments,
        (select coalesce(json_agg(json_build_object('professional', p.business_name, 'reason', k.reason,
            'createdAt', iso_instant(k.created_at)) order by k.created_at), '[]')
          from customer_blocks k join professionals p on p.id = k.professional_id where k.email = ${email}) as blocks`,
  )
  if (!row) throw new Error('The query of a customer returned no row.')
  const { bookings, quoteRequests, reviews, payments, ...others } = row
  const merge = (parts: readonly [record: object, more: object][]) =>
    parts.map(([record, more]) => ({ ...record, ...more }))
  return {
    bookings: merge(bookings),
    quoteRequests: merge(quoteRequests),
    reviews: merge(reviews),
    payments: merge(payments),
    ...others,
  }
}

/** When the customer signed in first, and the sessions and connected apps that are stored; null for a customer who never did. */
export async function findCustomerAccount(db: Runner, email: string): Promise<CustomerExport['account']> {
  const [row] = await db.run<NonNullable<CustomerExport['account']>>(
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

/** What agents prepared about the customer's records, oldest first. */
export async function selectPreparedWork(db: Runner, ids: CustomerIds): Promise<unknown[]> {
  return await db.run(
    'selectPreparedWorkOfCustomer',
    (sql) => sql`
      select p.business_name as professional, w.kind, w.content, iso_instant(w.created_at) as created_at
      from prepared_work w join professionals p on p.id = w.professional_id
      where w.booking_id = any(${uuids(sql, ids.bookings)}) or w.rfq_id = any(${uuids(sql, ids.rfqs)})
        or w.job_id = any(${uuids(sql, ids.jobs)}) or w.quote_id = any(${uuids(sql, ids.quotes)})
      order by w.created_at, w.id`,
  )
}

/** Events about the customer's records as far as they are kept, oldest first, with the endpoints to which they went. */
export async function selectEvents(db: Runner, recordIds: readonly string[]): Promise<unknown[]> {
  return await db.run(
    'selectEventsOfCustomer',
    (sql) => sql`
      with event as (
        select id, type, created_at, data -> 'object' as object from outbox_events
        where aggregate_id = any(${uuids(sql, recordIds)})
        union all
        select v.id, v.type, v.created_at, v.body::jsonb #> '{data,object}' from webhook_events v
        where v.aggregate_id = any(${uuids(sql, recordIds)})
          and not exists (select from outbox_events o where o.id = v.id)
      )
      select public_event_id(e.id) as id, e.type, iso_instant(e.created_at) as at, e.object as data, (
          select coalesce(json_agg(json_build_object('to', split_part(n.url, '/', 3), 'state', d.state,
            'attempts', d.attempts) order by d.id), '[]')
          from webhook_deliveries d join webhook_endpoints n on n.id = d.endpoint_id where d.event_id = e.id) as sent
      from event e order by e.created_at, e.id`,
  )
}

/** Rows of a table with the business name of their pro. */
export async function selectRowsOfPros(
  db: Runner,
  table: string,
  where: Condition,
): Promise<{ professional: string; row: Readonly<Record<string, unknown>> }[]> {
  return await db.run(
    `selectRowsOf_${table}`,
    (sql) => sql`
      select p.business_name as professional, to_jsonb(t) as row
      from ${sql(table)} t join professionals p on p.id = t.professional_id where ${where(sql)}`,
  )
}

/** The e-mails to the customer, oldest first, and why some are not sent. */
export async function findMessagesTo(db: Runner, email: string): Promise<CustomerExport['messages']> {
  const [row] = await db.run<CustomerExport['messages']>(
    'findMessagesTo',
    (sql) => sql`
      select
        (select coalesce(json_agg(json_build_object('kind', m.kind, 'status', m.status, 'plannedFor', iso_instant(m.send_at),
            'finishedAt', iso_instant(m.finished_at)) order by m.id), '[]')
          from messages m where m.recipient = ${email}) as sent,
        (select coalesce(json_agg(json_build_object('reason', s.reason, 'since', iso_instant(s.created_at))), '[]')
          from message_suppressions s where s.email = ${email}) as suppressed`,
  )
  return row ?? { sent: [], suppressed: [] }
}
