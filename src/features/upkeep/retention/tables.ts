// What happens to the rows of every table: the inventory that deletion, `hearth doctor` and docs/design/growth.md follow.
import type { Config } from '../../../config.ts'
import { MISS_DAYS } from '../../search/counts/rules/missed-words.ts'
import type { Sql } from '../../../platform/postgres/database.ts'

/** Rows that stay, and why. */
interface Kept {
  readonly kept: string
}

/** Rows that go with the row of another table that they refer to. The foreign key deletes them. */
interface Follows {
  readonly goesWith: string
}

/** Rows that are deleted some time after an instant. */
export interface Aging {
  /** Which rows, for people to read. */
  readonly rows: string
  /** The column with the instant from which the age counts. Indexed, unless `oldestBy` is set. Null: the row stays. */
  readonly since: string
  /** Days, or the configured number of days. */
  readonly days: number | keyof Config['historyDays']
  /** What a row must fulfil besides its age. The table is `t`. */
  readonly where?: (sql: Sql) => ReturnType<Sql>
  /** Examines only the first rows in the order of this column instead of an index on `since`. */
  readonly oldestBy?: string
  /** Rows go when the week (from Monday, UTC) or month of the instant is this old: partitions of these are dropped as a whole. */
  readonly partitions?: Partitions
  /** Rows per statement, where other rows go with them. */
  readonly batch?: number
}

export interface Partitions {
  readonly by: 'week' | 'month'
  /** The table with the partitions. Rows go with it, if it is not the rule's own. */
  readonly of: string
}

export type RetentionRule = Kept | Follows | Aging

const catalog = { kept: 'The catalog. Migrations, the seed and operators write it.' }
const perPro = { kept: 'At most a few rows per pro, in use as long as the pro is.' }
const derived = { kept: 'Computed from other tables. Grows with the catalog and the pros.' }
const ledger = { kept: 'Money: balances are the sums of these rows, and a task’s payment must be provable.' }
const work = { kept: 'Proof of what was agreed, and counted in the all-time statistics.' }

/** Every table of the schema. A test fails for a table that has no entry. */
export const RETENTION: Readonly<Record<string, RetentionRule>> = {
  accounts: { kept: 'Owners of all other rows.' },
  agent_runs: {
    rows: 'runs outside of threads, after their end',
    since: 'finished_at',
    days: 'agent',
    where: (sql) => sql`t.thread_id is null`,
    batch: 500,
  },
  agent_steps: { goesWith: 'agent_runs' },
  api_keys: {
    rows: 'revoked keys, and grants of apps that have ended',
    since: 'revoked_at',
    days: 'key',
    where: (sql) => sql`
      not exists (select from proposals p where p.key_id = t.id)
      and not exists (select from api_keys k where k.replaced_by = t.id)`,
  },
  availability_blocks: { rows: 'blocks, after they end', since: 'ends_at', days: 'record' },
  booking_guests: { rows: 'addresses of guests, after the booking was made', since: 'created_at', days: 'record' },
  booking_proposed_times: { goesWith: 'bookings' },
  bookings: work,
  brand_pictures: {
    rows: 'logos and icons that no version of the marketplace shows, after a day',
    since: 'created_at',
    days: 1,
    where: (sql) => sql`
      not exists (select from marketplace_versions v where v.logo = t.id)
      and not exists (select from marketplace_versions v where v.icon = t.id)`,
  },
  calendar_feeds: perPro,
  categories: catalog,
  cities: catalog,
  credit_accounts: ledger,
  credit_ledgers: ledger,
  credit_transfers: ledger,
  customer_blocks: { kept: 'In force until the pro lifts them.' },
  customer_profiles: { kept: 'At most one row per customer. It goes with the customer, except a block.' },
  customer_erasures: { kept: 'Proof that a customer was erased, without the address.' },
  customer_sessions: { rows: 'sessions of customers, after they end', since: 'expires_at', days: 0 },
  customers: { kept: 'Customers who have signed in, until they are erased.' },
  dead_letters: { rows: 'messages that failed for good', since: 'failed_at', days: 'record' },
  districts: catalog,
  erasure_requests: { kept: 'At most one row per customer. It goes with the customer.' },
  failed_requests: { rows: 'requests that failed, for developers; at most 100 per key', since: 'failed_at', days: 7 },
  file_removals: { kept: 'A queue: `sweep-expired` deletes what it has removed from the storage.' },
  files: {
    rows: 'files that nothing uses, also those that were refused or not sent to their end',
    since: 'unused_since',
    days: 1,
  },
  former_slugs: catalog,
  former_time_zones: { kept: 'A row per change of a pro’s time zone: days counted before it are in that zone.' },
  idempotency_records: { rows: 'outcomes of requests, a day after them', since: 'expires_at', days: 0 },
  imported_busy: { goesWith: 'imported_calendars' },
  imported_pros: perPro,
  mark_evidence: perPro,
  review_reports: { goesWith: 'reviews' },
  imported_calendars: { kept: 'In use until their pro removes them.' },
  imported_conflicts: { goesWith: 'imported_calendars' },
  jobs: { kept: 'Proof of work done; completed ones count in the price guide.' },
  key_usage: {
    rows: 'requests by key and day',
    since: 'day',
    days: 'key',
    partitions: { by: 'month', of: 'key_usage' },
  },
  mailbox: {
    rows: 'messages as they were sent, without MAIL_URL; at most 5,000',
    since: 'received_at',
    days: 'message',
  },
  marketplace: { kept: 'One row.' },
  marketplace_versions: { kept: 'One row each time an operator changes what the marketplace says of itself.' },
  marketplace_texts: { kept: 'One row each time an operator publishes terms, privacy policy or imprint.' },
  members: perPro,
  message_suppressions: { kept: 'In force until the recipient or an operator lifts them.' },
  messages: {
    rows: 'messages that were sent or given up',
    since: 'created_at',
    days: 'message',
    where: (sql) => sql`t.status <> 'pending'`,
  },
  metered_tasks: ledger,
  network_bookings: { rows: 'networks that booked without a proven address, after a day', since: 'booked_at', days: 1 },
  notices: { rows: 'notices, read or not', since: 'created_at', days: 'record' },
  oauth_clients: {
    rows: 'apps that asked for access, without a grant or a request',
    since: 'used_at',
    days: 7,
    where: (sql) => sql`
      not exists (select from oauth_grants g where g.client_id = t.id)
      and not exists (select from oauth_requests r where r.client_id = t.id)`,
  },
  oauth_grants: { goesWith: 'api_keys' },
  oauth_requests: { rows: 'requests of apps, and a day later those that were granted', since: 'expires_at', days: 0 },
  // Until then an expired token can be told from an unknown one, which counts as a guess.
  oauth_tokens: { rows: 'tokens of apps, after they expire', since: 'expires_at', days: 1 },
  operator_actions: { kept: 'Proof of what operators decided, and why.' },
  outbox_events: { rows: 'relayed events', since: 'relayed_at', days: 7, oldestBy: 'position', batch: 5000 },
  packages: { kept: 'Bookings refer to them.' },
  password_links: { kept: 'At most one row per user.' },
  payment_differences: { kept: 'Until both sides agree.' },
  payment_disputes: { kept: 'Money.' },
  payment_notifications: {
    // Stripe retries a notification for 3 days and lets people resend it for 30.
    rows: 'ids of the provider’s notifications',
    since: 'received_at',
    days: 90,
  },
  payment_reconciliations: { kept: 'One row.' },
  payment_refunds: { kept: 'Money.' },
  payments: { kept: 'Money.' },
  plans: { kept: 'A few rows, which operators write.' },
  prepared_work: {
    rows: 'prepared work whose lead, booking or job is closed',
    since: 'created_at',
    days: 'agent',
    where: (sql) => sql`
      not exists (select from rfqs l where l.id = t.rfq_id and l.status = 'new')
      and not exists (select from quotes q where q.id = t.quote_id and q.status = 'draft')
      and not exists (select from bookings b where b.id = t.booking_id and b.status in ('pending', 'confirmed'))
      and not exists (select from jobs j where j.id = t.job_id and j.status in ('scheduled', 'in_progress'))`,
    batch: 500,
  },
  price_lists: derived,
  pricing_aggregates: derived,
  pricing_changes: { kept: 'A queue: the refresh of prices deletes what it has read.' },
  pricing_passes: { rows: 'daily passes over all prices', since: 'day', days: 400 },
  pro_counts: derived,
  pro_days: derived,
  pro_applications: {
    rows: 'applications to join that wait for no operator: drafts after 30 days, asked ones after 90, decided ones after 365',
    since: 'expires_at',
    days: 0,
  },
  pro_business_entities: perPro,
  pro_closings: { kept: 'Proof of when a pro closed the account, and was erased.' },
  pro_imports: {
    rows: 'imports by upload, once their files are gone',
    since: 'created_at',
    days: 'record',
    where: (sql) => sql`t.kept_until is null`,
  },
  pro_invitations: { kept: 'A queue: `send-messages` deletes those that it has sent.' },
  pro_public_profiles: perPro,
  pro_search: derived,
  pro_search_area: derived,
  pro_search_cell: derived,
  pro_search_entry: derived,
  pro_search_kept_slots: { goesWith: 'professionals' },
  pro_site_configs: perPro,
  process_reports: { rows: 'what each process measured', since: 'at', days: 1 / 24, batch: 2000 },
  professional_services: perPro,
  professionals: { kept: 'The pros.' },
  properties: { kept: 'In use until their owner deletes them.' },
  proposals: {
    rows: 'proposals of agents that are no longer open',
    since: 'created_at',
    days: 'agent',
    where: (sql) => sql`t.status <> 'open'`,
  },
  quotes: work,
  restorations: { kept: 'One row per restored backup that became the original.' },
  review_stats: derived,
  review_votes: { goesWith: 'reviews' },
  reviews: {
    rows: 'rejected reviews; others stay',
    since: 'rejected_at',
    days: 'record',
    // The index on their age holds no others.
    where: (sql) => sql`t.status = 'rejected'`,
  },
  rfqs: work,
  schema_files: { kept: 'One row per migration and function file.' },
  search_days: { kept: 'Three rows a day: how many searched, and in vain.' },
  search_misses: { rows: 'what was searched for in vain, by day', since: 'day', days: MISS_DAYS },
  search_refreshes: { kept: 'A queue: `sweep-expired` deletes what it has refreshed.' },
  search_words: catalog,
  second_factors: { kept: 'At most one row per user.' },
  services: catalog,
  sessions: { rows: 'sessions, after they end', since: 'expires_at', days: 0 },
  sign_in_codes: { rows: 'codes to sign in, after they expire', since: 'expires_at', days: 0 },
  state_transitions: catalog,
  states: catalog,
  thread_messages: { goesWith: 'threads' },
  threads: {
    rows: 'threads without an open run, after their last message',
    since: 'last_activity_at',
    days: 'agent',
    where: (sql) => sql`
      not exists (select from agent_runs r
        where r.professional_id = t.professional_id and r.thread_id = t.id and r.status in ('queued', 'running'))`,
    batch: 50,
  },
  time_zone_names: { kept: 'One row per time zone that there is.' },
  time_zones: { kept: 'One row per time zone that a pro or a city has or had.' },
  trace_parts: { rows: 'kept traces', since: 'started_at', days: 7, batch: 2000 },
  user_changes: { kept: 'Proof of who changed the access of whom.' },
  users: { kept: 'People who may log in.' },
  verification_requests: perPro,
  webhook_attempts: { goesWith: 'webhook_deliveries' },
  webhook_couriers: { kept: 'One row per running process that delivers.' },
  webhook_deliveries: { goesWith: 'webhook_events' },
  webhook_endpoints: { kept: 'In use until their owner deletes them.' },
  webhook_events: {
    rows: 'events without a pending delivery; they can be replayed until then',
    since: 'created_at',
    days: 'webhook',
    partitions: { by: 'week', of: 'webhook_attempts' },
    where: (sql) => sql`
      not exists (select from webhook_deliveries d where d.event_id = t.id and d.state = 'pending')`,
  },
}
