// What becomes of the rows of every table when a pro leaves: the inventory that closing, erasure and the pro's copy follow.
import type { Sql } from '../../../platform/postgres/database.ts'

/** Whose rows a pro's are. */
export interface Leaver {
  readonly professionalId: string
  /** The pro's account, and those of its test mode. */
  readonly accounts: readonly string[]
  readonly users: readonly string[]
  /** The addresses of the accounts and their users. */
  readonly emails: readonly string[]
}

type Condition = (sql: Sql, leaver: Leaver) => ReturnType<Sql>
type Value = (sql: Sql, now: string) => ReturnType<Sql>

/** Rows that belong to a pro. The table is `t`. */
interface Owned {
  readonly of: Condition
  /** Left out of the pro's copy: rows without anything to read. */
  readonly isNoCopy?: true
}

/** Rows of a pro that stay, and why. */
interface Kept extends Owned {
  readonly kept: string
}

/** Rows that are deleted when the account is closed, or erased with it. */
interface Deleted extends Owned {
  readonly deleted: 'closing' | 'erasure'
}

/** Rows that stay with other values. */
interface Changed extends Owned {
  readonly changed: Readonly<Record<string, Value>>
  readonly why: string
}

/** Rows that another rule takes along: the foreign key deletes them. */
interface Follows {
  readonly goesWith: string
}

/** Tables without rows of a pro, or whose rows go by their age anyway. */
interface Others {
  readonly others: string
}

export type LeavingRule = Kept | Deleted | Changed | Follows | Others

const pro: Condition = (sql, { professionalId }) => sql`t.professional_id = ${professionalId}`
const account: Condition = (sql, { accounts }) => sql`t.account_id = any (${accounts}::text[]::uuid[])`
const user: Condition = (sql, { users }) => sql`t.user_id = any (${users}::text[]::uuid[])`
const recipient: Condition = (sql, { emails }) => sql`t.recipient = any (${emails}::text[])`

const none: Value = (sql) => sql`null`
/** An address that cannot exist (RFC 2606), and tells rows apart. */
const closedAddress: Value = (sql) => sql`'closed-' || t.id || '@closed.invalid'`

const ledger = { of: pro, kept: 'Bookkeeping: money and tasks that were paid.' }
const work = { of: pro, kept: 'What was agreed with customers, whose records these are, too.' }
const derived = { others: 'Computed from other tables.' }
const shared = { others: 'Belongs to the marketplace.' }
const customers = { others: 'Belongs to customers.' }
const ages = { others: 'Goes by its age.' }
const erased = { of: pro, deleted: 'erasure' } as const
const atOnce = { of: pro, deleted: 'closing' } as const

/** Every table of the schema, in the order of deletion. A test fails for a table that has no entry. */
export const LEAVING: Readonly<Record<string, LeavingRule>> = {
  webhook_endpoints: { of: account, deleted: 'closing' },
  webhook_deliveries: { goesWith: 'webhook_endpoints' },
  webhook_attempts: { goesWith: 'webhook_deliveries' },
  calendar_feeds: atOnce,
  imported_calendars: atOnce,
  imported_busy: { goesWith: 'imported_calendars' },
  imported_conflicts: { goesWith: 'imported_calendars' },
  oauth_requests: { of: account, deleted: 'closing', isNoCopy: true },
  sessions: { of: user, deleted: 'closing', isNoCopy: true },
  password_links: { of: user, deleted: 'closing', isNoCopy: true },

  second_factors: { of: user, deleted: 'erasure', isNoCopy: true },
  threads: erased,
  thread_messages: { goesWith: 'threads' },
  agent_runs: erased,
  agent_steps: { goesWith: 'agent_runs' },
  proposals: erased,
  prepared_work: erased,
  notices: { of: account, deleted: 'erasure' },
  properties: { of: account, deleted: 'erasure' },
  availability_blocks: erased,
  customer_blocks: erased,
  pro_business_entities: {
    of: pro,
    changed: { license_number: none, license_state: none, insurance_carrier: none, founded_year: none },
    why: 'The legal name stays for bookkeeping.',
  },
  imported_pros: erased,
  pro_applications: erased,
  pro_invitations: atOnce,
  pro_public_profiles: erased,
  pro_site_configs: erased,
  professional_services: {
    of: pro,
    changed: { description: none },
    why: 'Packages, to which bookings refer, go with them.',
  },
  mark_evidence: erased,
  review_reports: erased,
  verification_requests: erased,
  mailbox: { of: recipient, deleted: 'erasure', isNoCopy: true },
  messages: {
    of: (sql, leaver) => sql`${recipient(sql, leaver)} and t.status <> 'pending'`,
    deleted: 'erasure',
  },
  message_suppressions: {
    of: (sql, { emails }) => sql`t.email = any (${emails}::text[])`,
    deleted: 'erasure',
  },

  files: {
    of: (sql, { accounts, professionalId }) => sql`
      (t.account_id = any (${accounts}::text[]::uuid[]) or t.professional_id = ${professionalId})
      and t.purpose <> 'job' and t.rfq_id is null and t.review_id is null`,
    changed: {
      unused_since: (sql, now) => sql`coalesce(t.unused_since, ${now}::timestamptz)`,
    },
    why: 'A day later the pictures are removed. Those of jobs stay with the jobs.',
  },
  packages: {
    of: pro,
    changed: { active: (sql) => sql`false`, description: none, includes: (sql) => sql`'{}'` },
    why: 'Bookings refer to them.',
  },
  members: {
    of: pro,
    changed: {
      name: (sql) => sql`'Former member'`,
      email: closedAddress,
      active: (sql) => sql`false`,
      removed_at: (sql, now) => sql`coalesce(t.removed_at, ${now}::timestamptz)`,
    },
    why: 'Bookings were assigned to them.',
  },
  reviews: {
    of: pro,
    changed: { response: none, responded_at: none },
    why: 'Customers wrote them. The pro’s replies are erased; the public does not see any.',
  },
  professionals: {
    of: (sql, { professionalId }) => sql`t.id = ${professionalId}`,
    changed: {
      description: none,
      website: none,
      phone: none,
      years_of_experience: none,
      latitude: (sql) => sql`(select c.latitude from cities c where c.id = t.city_id)`,
      longitude: (sql) => sql`(select c.longitude from cities c where c.id = t.city_id)`,
    },
    why: 'Customers’ bookings and bookkeeping show the name.',
  },
  users: {
    of: (sql, { users }) => sql`t.id = any (${users}::text[]::uuid[])`,
    changed: { email: closedAddress, password_hash: (sql) => sql`'$argon2id$closed'` },
    why: 'The audit log refers to them.',
  },
  accounts: {
    of: (sql, { accounts }) => sql`t.id = any (${accounts}::text[]::uuid[]) and t.test_of is null`,
    changed: { email: closedAddress, name: (sql) => sql`'Closed account'` },
    why: 'Owns all other rows.',
  },

  api_keys: { of: account, kept: 'Revoked at closing. Revoked keys go by their age.' },
  oauth_grants: { goesWith: 'api_keys' },
  oauth_tokens: { goesWith: 'api_keys' },
  key_usage: { goesWith: 'api_keys' },
  failed_requests: { goesWith: 'api_keys' },
  bookings: work,
  jobs: work,
  quotes: work,
  rfqs: work,
  payments: ledger,
  payment_refunds: ledger,
  payment_disputes: ledger,
  credit_accounts: ledger,
  credit_ledgers: ledger,
  credit_transfers: ledger,
  metered_tasks: ledger,
  former_time_zones: { of: pro, kept: 'Days of earlier work are counted in them.' },
  operator_actions: { of: pro, kept: 'Proof of what was done, and why.', isNoCopy: true },
  pro_closings: { of: pro, kept: 'Proof of when the account was closed.', isNoCopy: true },
  user_changes: { of: user, kept: 'Proof of who changed the access of whom.', isNoCopy: true },

  booking_proposed_times: { others: 'Goes with its booking.' },
  pro_counts: derived,
  pro_days: derived,
  pro_search: derived,
  pro_search_area: derived,
  pro_search_cell: derived,
  pro_search_entry: derived,
  pro_search_kept_slots: derived,
  review_stats: derived,
  price_lists: derived,
  pricing_aggregates: derived,
  pricing_changes: derived,
  pricing_passes: derived,
  brand_pictures: shared,
  categories: shared,
  cities: shared,
  districts: shared,
  former_slugs: shared,
  marketplace: shared,
  marketplace_texts: shared,
  marketplace_versions: shared,
  oauth_clients: shared,
  payment_differences: shared,
  payment_notifications: shared,
  payment_reconciliations: shared,
  plans: shared,
  process_reports: shared,
  restorations: shared,
  schema_files: shared,
  search_days: shared,
  search_misses: ages,
  search_refreshes: shared,
  search_words: shared,
  services: shared,
  state_transitions: shared,
  states: shared,
  time_zone_names: shared,
  time_zones: shared,
  trace_parts: shared,
  webhook_couriers: shared,
  booking_guests: customers,
  customer_profiles: customers,
  customer_erasures: customers,
  customer_sessions: customers,
  customers,
  erasure_requests: customers,
  network_bookings: customers,
  review_votes: customers,
  sign_in_codes: customers,
  dead_letters: ages,
  file_removals: ages,
  idempotency_records: ages,
  outbox_events: ages,
  pro_imports: ages,
  webhook_events: ages,
}

/** Columns that no copy shows: secrets, what stands for one, and what customers did not tell the pro. */
export const HIDDEN_COLUMNS: readonly string[] = [
  'password_hash',
  'hash',
  'token_hash',
  'secret_sealed',
  'previous_secret_sealed',
  'address_encrypted',
  'address_digest',
  'data_encrypted',
  'client_secret',
  'event_digest',
  'source_agent_id',
]
/** Columns of single tables that the pro does not see elsewhere. */
export const HIDDEN_OF_TABLE: Readonly<Record<string, readonly string[]>> = {
  review_reports: ['decided_by'],
  reviews: ['customer_email', 'account_id'],
  bookings: ['account_id'],
  rfqs: ['account_id'],
}
