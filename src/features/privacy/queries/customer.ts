// SQL that finds what is stored about a customer, by the normal e-mail address.
import type { Runner } from '../../../platform/postgres/database.ts'
import type { RfqState } from '../../rfqs/states.ts'
import type { OpenWork } from '../schemas.ts'
import { uuids } from './rows.ts'

/** The ids of a customer's records, and of the pros and accounts that dealt with the customer. */
export interface CustomerIds {
  bookings: string[]
  rfqs: string[]
  quotes: string[]
  jobs: string[]
  reviews: string[]
  /** The account with which the customer signs in. */
  customers: string[]
  pros: string[]
  /** Accounts that created records of the customer, the customer's own and those of the pros: they have stored responses. */
  accounts: string[]
}

/** Locks the customer's bookings, requests and reviews until the transaction ends; other requests wait to change them. */
export async function lockCustomer(tx: Runner, email: string): Promise<void> {
  // Requests before bookings, as the verbs of quotes lock them.
  await tx.run(
    'lockRfqsOfCustomer',
    (sql) => sql`select from rfqs where customer_email = ${email} order by id for update`,
  )
  await tx.run(
    'lockBookingsOfCustomer',
    (sql) => sql`select from bookings where customer_email = ${email} order by id for update`,
  )
  await tx.run(
    'lockReviewsOfCustomer',
    (sql) => sql`select from reviews where customer_email = ${email} order by id for update`,
  )
}

export async function findCustomerIds(db: Runner, email: string): Promise<CustomerIds> {
  const [row] = await db.run<CustomerIds>(
    'findCustomerIds',
    (sql) => sql`
      with b as (select id, professional_id, account_id from bookings where customer_email = ${email}),
        r as (select id, professional_id, account_id from rfqs where customer_email = ${email}),
        v as (select id, professional_id, account_id from reviews where customer_email = ${email}),
        q as (select id from quotes where rfq_id in (select id from r)),
        j as (select id from jobs where quote_id in (select id from q)),
        k as (select professional_id from customer_blocks where email = ${email}),
        c as (select account_id from customers where email = ${email}),
        owner as (select professional_id, account_id from b union select professional_id, account_id from r
          union select professional_id, account_id from v union select professional_id, null from k)
      select array(select id from b order by id) as bookings, array(select id from r order by id) as rfqs,
        array(select id from q order by id) as quotes, array(select id from j order by id) as jobs,
        array(select id from v order by id) as reviews, array(select account_id from c) as customers,
        array(select distinct professional_id from owner order by 1) as pros,
        array(select account_id from owner where account_id is not null union select account_id from c
          union select p.account_id from professionals p where p.id in (select professional_id from owner)) as accounts`,
  )
  return row ?? { bookings: [], rfqs: [], quotes: [], jobs: [], reviews: [], customers: [], pros: [], accounts: [] }
}

/** `searched` matches the texts that name the customer. */
export async function findOpenWork(
  tx: Runner,
  ids: CustomerIds,
  { searched, now }: { searched: string; now: Date },
): Promise<OpenWork> {
  const at = now.toISOString()
  const [row] = await tx.run<OpenWork>(
    'findOpenWork',
    (sql) => sql`
      select
        array(select b.confirmation_code from bookings stored cross join lateral booking_as_of(stored, ${at}::timestamptz) b
          where stored.id = any(${uuids(sql, ids.bookings)}) and b.status in ('pending', 'confirmed')
            and b.ends_at > ${at}::timestamptz
          order by b.starts_at) as bookings,
        array(select j.id::text from jobs j
          where j.id = any(${uuids(sql, ids.jobs)}) and j.status in ('scheduled', 'in_progress') order by j.id) as jobs,
        array(select coalesce(b.confirmation_code, p.quote_id::text)
          from payments p left join bookings b on b.id = p.booking_id
          where p.status = 'refunding'
            and (p.booking_id = any(${uuids(sql, ids.bookings)}) or p.quote_id = any(${uuids(sql, ids.quotes)}))
          order by p.id) as refunds,
        array(select r.id from agent_runs r
          where r.professional_id = any(${uuids(sql, ids.pros)}) and r.status in ('queued', 'running')
            and (r.goal ~* ${searched}
              or exists (select from agent_steps s where s.professional_id = r.professional_id and s.run_id = r.id
                and concat_ws(' ', s.input, s.result) ~* ${searched})
              or exists (select from thread_messages m where m.professional_id = r.professional_id
                and m.thread_id = r.thread_id and m.content ~* ${searched}))
          order by r.id) as runs`,
  )
  return row ?? { bookings: [], jobs: [], refunds: [], runs: [] }
}

/** The customer's requests that are not archived. */
export const selectOpenRequests = (tx: Runner, ids: CustomerIds) =>
  tx.run<{ id: string; status: RfqState }>(
    'selectOpenRequests',
    (sql) =>
      sql`select id, status from rfqs where id = any(${uuids(sql, ids.rfqs)}) and status <> 'archived' order by id`,
  )

/** Those of the names, in lower case, that another customer of the pros has, too. */
export async function findSharedNames(
  db: Runner,
  { email, names, pros }: { email: string; names: readonly string[]; pros: readonly string[] },
): Promise<string[]> {
  const rows = await db.run<{ name: string }>(
    'findSharedNames',
    (sql) => sql`
      select wanted.name from jsonb_array_elements_text(${JSON.stringify(names)}::text::jsonb) wanted (name)
      where exists (select from bookings b where b.professional_id = any(${uuids(sql, pros)})
          and lower(b.customer_name) = lower(wanted.name) and b.customer_email <> ${email})
        or exists (select from rfqs r where r.professional_id = any(${uuids(sql, pros)})
          and lower(r.customer_name) = lower(wanted.name) and r.customer_email <> ${email})`,
  )
  return rows.map(({ name }) => name.toLowerCase())
}

/** The kind of an account that has this e-mail address. */
export async function findAccountKind(db: Runner, email: string): Promise<string | undefined> {
  const rows = await db.run<{ kind: string }>(
    'findAccountKind',
    (sql) => sql`
      select kind from accounts where email = ${email}
      union all select role || ' login' from users where email = ${email} and account_id is null limit 1`,
  )
  return rows[0]?.kind
}

export interface Erasure {
  id: string
  pseudonym: string
  emailDigest: string
  requestedBy: string
  counts: Readonly<Record<string, number>>
  now: Date
}

export async function insertErasure(tx: Runner, erasure: Erasure): Promise<void> {
  await tx.run(
    'insertErasure',
    (sql) => sql`
      insert into customer_erasures (id, email_digest, pseudonym, requested_by, erased_at, counts)
      values (${erasure.id}, ${erasure.emailDigest}, ${erasure.pseudonym}, ${erasure.requestedBy},
        ${erasure.now.toISOString()}, ${JSON.stringify(erasure.counts)}::text::jsonb)`,
  )
}

/** The latest erasure of an address. */
export async function findErasure(
  db: Runner,
  emailDigest: string,
): Promise<{ pseudonym: string; erasedAt: string } | undefined> {
  const rows = await db.run<{ pseudonym: string; erasedAt: string }>(
    'findErasure',
    (sql) => sql`
      select pseudonym, iso_instant(erased_at) as erased_at from customer_erasures where email_digest = ${emailDigest}
      order by erased_at desc limit 1`,
  )
  return rows[0]
}
