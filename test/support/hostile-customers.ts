// Hostile customers beside another one whose life is in the database: each value in every field that a customer can type, in
// rows as the interfaces store them, and the same values in what others wrote about another person.
import type { Sql } from '../../src/platform/postgres/database.ts'

/** Addresses that would match others if they were patterns. */
export const HOSTILE_EMAILS = [
  '%@customers.test.example',
  '_@customers.test.example',
  '.*@customers.test.example',
  "o'or'1'='1@customers.test.example",
  'a@customers.test.example',
  'the@customers.test.example',
  'customers.test.example@customers.test.example',
  'reserved+the@customers.test.example',
  '$1{}@customers.test.example',
  '(a|b)@customers.test.example',
]

const CODE = "upper(substr(md5(h.n::text || 'code'), 1, 12))"

/** Table by table: a row of the template, with the value wherever the customer (or the pro, about this customer) may type. */
const OWN_ROWS = [
  `insert into rfqs select (jsonb_populate_record(r, jsonb_build_object('id', h.rfq, 'status', 'responded', 'description', h.value,
     'budget', left(h.value, 200), 'timeline', left(h.value, 200), 'customer_name', left(h.value, 200), 'customer_email', h.email,
     'customer_phone', left(h.value, 50), 'address', h.address, 'photos', jsonb_build_array(h.value),
     'answers', jsonb_build_array(jsonb_build_object('question', 'How large?', 'answer', h.value)), 'source_agent_id', left(h.value, 200)))).* from hostile h, rfqs r where r.id = (select rfq from template)`,
  `insert into quotes select (jsonb_populate_record(q, jsonb_build_object('id', h.quote, 'rfq_id', h.rfq, 'message', h.value,
     'payment_terms', h.value, 'decline_reason', h.value,
     'line_items', jsonb_build_array(jsonb_build_object('description', left(h.value, 500), 'amount', 1))))).*
   from hostile h, quotes q where q.id = (select quote from template)`,
  `insert into jobs select (jsonb_populate_record(j, jsonb_build_object('id', h.job, 'quote_id', h.quote, 'status', 'cancelled',
     'completed_at', null, 'cancelled_at', now(), 'cancellation_reason', h.value))).*
   from hostile h, jobs j where j.id = (select job from template)`,
  `insert into bookings select (jsonb_populate_record(b, jsonb_build_object('id', h.booking, 'confirmation_code', 'HTH-' || ${CODE},
     'customer_name', left(h.value, 200), 'customer_email', h.email, 'customer_phone', left(h.value, 50), 'address', h.address,
     'description', h.value, 'source_agent_id', left(h.value, 200), 'cancellation_reason', h.value))).*
   from hostile h, bookings b where b.id = (select booking from template)`,
  `insert into reviews select (jsonb_populate_record(v, jsonb_build_object('id', h.review, 'booking_id', h.booking,
     'job_id', null, 'customer_name', left(h.value, 200), 'customer_email', h.email, 'title', left(h.value, 200), 'content', h.value,
     'response', h.value, 'photos', jsonb_build_array(jsonb_build_object('url', h.value, 'caption', h.value))))).*
   from hostile h, reviews v where v.id = (select review from template)`,
  `insert into payments (id, booking_id, professional_id, status, fee_cents, deposit_cents, amount_cents, provider, expires_at, created_at)
   select h.payment, h.booking, b.professional_id, 'expired', 100, 0, 100, 'sandbox', now(), now()
   from hostile h join bookings b on b.id = h.booking`,
  `insert into operator_actions (id, action, subject_id, professional_id, reason, details, at)
   select gen_random_uuid(), 'review.approved', h.review, b.professional_id, h.value, '{}', now()
   from hostile h join bookings b on b.id = h.booking`,
  `insert into customer_blocks (professional_id, email, reason, created_at, id)
   select distinct on (h.email) b.professional_id, h.email, h.value, now(), gen_random_uuid()
   from hostile h join bookings b on b.id = h.booking`,
  `insert into booking_proposed_times (booking_id, starts_at, message, created_at, declined_at)
   select h.booking, now(), h.value, now(), now() from hostile h`,
  `insert into messages (key, kind, recipient, data, professional_id, booking_id, customer_email, status, send_at, created_at, finished_at)
   select 'event:' || h.n || '-' || p.to_pro, 'booking-cancelled', case when p.to_pro then 'pro@test.example' else h.email end,
     jsonb_build_object('text', h.value), b.professional_id, h.booking, h.email, 'sent', now(), now(), now()
   from hostile h join bookings b on b.id = h.booking cross join (values (true), (false)) p (to_pro)`,
  `insert into mailbox (message_id, sender, recipient, subject, text, html, source, received_at)
   select m.id, 'hearth@test.example', m.recipient, 'x', m.data ->> 'text', m.data ->> 'text', '', now()
   from messages m where m.booking_id in (select booking from hostile)`,
  `insert into prepared_work (id, professional_id, kind, booking_id, content, created_at)
   select gen_random_uuid(), b.professional_id, 'job_spec', h.booking, jsonb_build_object('request', h.value), now()
   from hostile h join bookings b on b.id = h.booking`,
  `insert into proposals (id, professional_id, kind, target_id, status, change, differences, summary, created_at, expires_at, dismissed_at)
   select gen_random_uuid(), b.professional_id, 'quote_content', h.quote, 'dismissed', jsonb_build_object('message', h.value), '[{}]',
     'a change', now(), now() + interval '1 day', now()
   from hostile h join bookings b on b.id = h.booking`,
  `select emit_event(gen_random_uuid(), e.type, b.professional_id, e.aggregate, e.id, 90, e.object::jsonb, null, now())
   from hostile h join bookings b on b.id = h.booking join rfqs r on r.id = h.rfq join quotes q on q.id = h.quote
   cross join lateral (values ('booking.cancelled', 'booking', h.booking, booking_object(b)), ('rfq.created', 'rfq', h.rfq, rfq_receipt(r)),
     ('quote.declined', 'quote', h.quote, quote_object(q, now()))) e (type, aggregate, id, object)`,
  `insert into webhook_events (id, type, aggregate_id, body, created_at)
   select o.id, o.type, o.aggregate_id, webhook_body(o.id, o.type, o.created_at, o.sequence, o.data), o.created_at
   from outbox_events o where o.sequence = 90`,
  `with planned as (
     insert into webhook_deliveries (endpoint_id, event_id, state, attempts, created_at, finished_at)
     select (select id from webhook_endpoints order by id limit 1), o.id, 'delivered', 1, now(), now()
     from outbox_events o where o.sequence = 90 returning id, event_id)
   insert into webhook_attempts (delivery_id, number, at, duration_ms, status, response)
   select p.id, 1, now(), 1, 200, left(v.body, 900) from planned p join webhook_events v on v.id = p.event_id`,
  // The caller's own copies, which end within a day.
  `insert into idempotency_records (account_id, operation, key, request_hash, result, created_at, expires_at)
   select b.account_id, 'hostile', h.n || left(h.value, 200), sha256('x'), json_build_object('value', booking_object(b)), now(),
     now() + interval '1 day'
   from hostile h join bookings b on b.id = h.booking`,
]

/** What others wrote that has the same values, about another person or none. */
const ROWS_OF_OTHERS = [
  `insert into availability_blocks (id, professional_id, starts_at, ends_at, reason, created_at)
   select gen_random_uuid(), b.professional_id, now() + h.n * interval '1 hour', now() + (h.n + 1) * interval '1 hour',
     left(concat('Estimate ', h.value, ' door'), 5000), now()
   from hostile h join bookings b on b.id = h.booking`,
  `insert into idempotency_records (account_id, operation, key, request_hash, result, created_at, expires_at)
   select b.account_id, 'another', h.n || left(h.value, 200), sha256('x'),
     json_build_object('outcome', 'reserved', 'value', json_build_object('customerName', h.value, 'note', h.value)), now(), now() + interval '1 day'
   from hostile h join bookings b on b.id = h.booking`,
  `insert into operator_actions (id, action, subject_id, professional_id, reason, details, at)
   select gen_random_uuid(), 'pro.verification', b.professional_id, b.professional_id, h.value, jsonb_build_object('note', h.value), now()
   from hostile h join bookings b on b.id = h.booking`,
  `insert into operator_actions (id, action, subject_id, professional_id, reason, details, at)
   select gen_random_uuid(), 'review.approved', (select review from template), b.professional_id, h.value, '{}', now()
   from hostile h join bookings b on b.id = h.booking`,
  `insert into threads (professional_id, id, title, created_at, last_activity_at)
   select b.professional_id, gen_random_uuid(), left(h.value, 200), now(), now() from hostile h join bookings b on b.id = h.booking`,
  `insert into customer_blocks (professional_id, email, reason, created_at, id)
   select b.professional_id, 'blocked-' || h.n || '@others.test.example', h.value, now(), gen_random_uuid()
   from hostile h join bookings b on b.id = h.booking`,
  `insert into prepared_work (id, professional_id, kind, booking_id, content, created_at)
   select gen_random_uuid(), b.professional_id, 'customer_message', t.booking, jsonb_build_object('body', h.value), now()
   from hostile h join bookings b on b.id = h.booking cross join template t`,
  `insert into messages (key, kind, recipient, data, professional_id, customer_email, status, send_at, created_at, finished_at)
   select 'others:' || h.n, 'new-booking', h.email, jsonb_build_object('text', h.value), b.professional_id, 'other@others.test.example', 'sent',
     now(), now(), now()
   from hostile h join bookings b on b.id = h.booking`,
  `update rfqs r set description = concat(r.description, ' ', (select string_agg(left(h.value, 9), ' ') from hostile h where h.n <= 60))
   where r.id = (select rfq from template)`,
]

export interface Template {
  rfq: string
  quote: string
  job: string
  booking: string
  review: string
}

/** Inserts the rows. Each value belongs to one of the hostile addresses in turn. */
export async function insertHostileCustomers(sql: Sql, template: Template, values: readonly string[]): Promise<void> {
  await sql.unsafe('create table template (rfq uuid, quote uuid, job uuid, booking uuid, review uuid)')
  await sql`insert into template ${sql({ ...template })}`
  await sql.unsafe(`create table hostile (n integer primary key, value text not null, email text not null, address jsonb not null,
    rfq uuid default gen_random_uuid(), quote uuid default gen_random_uuid(), job uuid default gen_random_uuid(),
    booking uuid default gen_random_uuid(), review uuid default gen_random_uuid(), payment uuid default gen_random_uuid())`)
  const rows = values.map((value, n) => {
    const street = value.slice(0, 200)
    const address = { street, city: street, state: street, zipCode: value.slice(0, 20) }
    return { n: n + 1, value, email: HOSTILE_EMAILS[n % HOSTILE_EMAILS.length] ?? '', address }
  })
  await sql`
    insert into hostile (n, value, email, address)
    select n, value, email, address
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as h (n integer, value text, email text, address jsonb)`
  await insert(sql, OWN_ROWS)
}

/** Inserts the same values into what others wrote. */
export const insertRowsOfOthers = (sql: Sql): Promise<void> => insert(sql, ROWS_OF_OTHERS)

async function insert(sql: Sql, statements: readonly string[]): Promise<void> {
  await sql.begin(async (tx) => {
    // The rows are as they are after a life: no trigger asks how they became so.
    await tx`set local session_replication_role = replica`
    for (const statement of statements) await tx.unsafe(statement)
    await tx`select rebuild_pro_counts(null)`
  })
}

const RECORDS =
  '(select rfq from hostile union all select quote from hostile union all select job from hostile union all select booking from hostile union all select review from hostile)'
const EMAILS = '(select email from hostile)'

/**
 * Which rows belong to the hostile customers, by table, as SQL on \`t\`: written down from the schema, apart from the code that
 * erases. A table that is not here belongs to others only.
 */
export const OWNED: Readonly<Record<string, string>> = {
  rfqs: `t.id in (select rfq from hostile)`,
  quotes: `t.id in (select quote from hostile)`,
  jobs: `t.id in (select job from hostile)`,
  bookings: `t.id in (select booking from hostile)`,
  reviews: `t.id in (select review from hostile)`,
  operator_actions: `t.subject_id in (select review from hostile) or t.subject_id in (select payment from hostile)`,
  customer_blocks: `t.email in ${EMAILS}`,
  booking_proposed_times: `t.booking_id in (select booking from hostile)`,
  messages: `t.customer_email in ${EMAILS}`,
  mailbox: `t.message_id in (select id from messages where customer_email in ${EMAILS})`,
  prepared_work: `t.booking_id in (select booking from hostile)`,
  proposals: `t.target_id in (select quote from hostile)`,
  outbox_events: `t.aggregate_id in ${RECORDS}`,
  webhook_events: `t.aggregate_id in ${RECORDS}`,
  webhook_attempts: `t.delivery_id in (select d.id from webhook_deliveries d join webhook_events v on v.id = d.event_id where v.aggregate_id in ${RECORDS})`,
}
