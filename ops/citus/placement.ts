// Where the rows of each table live once Citus spreads the database over several nodes. test/ops/citus.test.ts holds this against the
// schema: a new table needs an entry.

/** Rows are spread by the hash of a column. Tables spread by the same kind of id are co-located. */
interface Distributed {
  readonly by: string
  readonly of: 'pro' | 'account'
}

/** Every node has all rows: joins and foreign keys work everywhere, a write changes every node. */
interface Reference {
  readonly reference: string
}

/** Rows stay on the coordinator, and why. It has replicas like the primary of today. */
interface Local {
  readonly coordinator: string
}

export type Placement = Distributed | Reference | Local

const perPro: Placement = { by: 'professional_id', of: 'pro' }
const perAccount: Placement = { by: 'account_id', of: 'account' }
const catalog: Placement = {
  reference: 'The catalog: small, read with every offer, written by migrations and the seed.',
}
const search: Placement = {
  coordinator: 'A search asks for a place, not for a pro. The replicas of the coordinator share the searches.',
}
const prices: Placement = { coordinator: 'Statistics of all pros of a place.' }
const webhooks: Placement = {
  coordinator: 'A queue per endpoint, claimed with skip locked. It can be a database of its own.',
}
const mail: Placement = { coordinator: 'A queue of what is sent to people, like that of webhooks.' }
const people: Placement = { coordinator: 'A few rows per person who signs in.' }
const process: Placement = { coordinator: 'About processes and the schema, not about pros.' }

/** Every table of the schema. */
export const PLACEMENT: Readonly<Record<string, Placement>> = {
  accounts: { reference: 'Owners of all other rows: foreign keys from every node.' },
  agent_runs: perPro,
  agent_steps: perPro,
  api_keys: {
    reference: 'Agents’ proposals refer to them. Processes cache them, and write the last use once a minute.',
  },
  availability_blocks: perPro,
  booking_proposed_times: perPro,
  bookings: perPro,
  calendar_feeds: perPro,
  categories: catalog,
  cities: catalog,
  credit_accounts: perPro,
  credit_ledgers: perPro,
  credit_transfers: perPro,
  customer_blocks: perPro,
  customer_erasures: process,
  customer_sessions: people,
  customers: people,
  dead_letters: process,
  erasure_requests: people,
  idempotency_records: perAccount,
  imported_busy: perPro,
  imported_calendars: perPro,
  imported_conflicts: perPro,
  jobs: perPro,
  key_usage: process,
  mailbox: mail,
  members: perPro,
  message_suppressions: mail,
  messages: mail,
  metered_tasks: perPro,
  notices: perAccount,
  network_bookings: people,
  oauth_clients: people,
  oauth_grants: people,
  oauth_requests: people,
  oauth_tokens: people,
  operator_actions: perPro,
  outbox_events: perPro,
  outbox_relay: process,
  packages: perPro,
  password_links: people,
  payment_differences: { coordinator: 'Few rows, which a person resolves.' },
  payment_disputes: perPro,
  payment_notifications: { coordinator: 'The provider sends an id only. Written once per payment.' },
  payment_reconciliations: process,
  payment_refunds: perPro,
  payments: perPro,
  prepared_work: perPro,
  price_lists: prices,
  pricing_aggregates: prices,
  pricing_changes: prices,
  pricing_passes: prices,
  pro_business_entities: perPro,
  pro_public_profiles: perPro,
  pro_search: search,
  pro_search_area: search,
  pro_search_cell: search,
  pro_search_entry: search,
  pro_search_kept_slots: search,
  pro_site_configs: perPro,
  process_reports: process,
  professional_services: perPro,
  professionals: { by: 'id', of: 'pro' },
  properties: perAccount,
  proposals: perPro,
  quotes: perPro,
  restorations: process,
  review_stats: perPro,
  review_votes: perPro,
  reviews: perPro,
  rfqs: perPro,
  schema_files: process,
  schema_migrations: process,
  services: catalog,
  sessions: people,
  sign_in_codes: people,
  state_transitions: catalog,
  states: catalog,
  thread_messages: perPro,
  threads: perPro,
  trace_parts: process,
  user_changes: people,
  users: people,
  verification_requests: perPro,
  webhook_attempts: webhooks,
  webhook_couriers: webhooks,
  webhook_deliveries: webhooks,
  webhook_endpoints: webhooks,
  webhook_events: webhooks,
}
