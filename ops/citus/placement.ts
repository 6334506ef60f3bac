// Where the rows of each table live once Citus spreads the database over several nodes, and what changes for it.
// test/ops/citus.test.ts holds this against the schema: a new table, key, foreign key or trigger needs an entry.

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
const people: Placement = { coordinator: 'A few rows per person who logs in to the console.' }
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
  dead_letters: process,
  idempotency_records: perAccount,
  jobs: perPro,
  key_usage: process,
  mailbox: mail,
  members: perPro,
  message_suppressions: mail,
  messages: mail,
  metered_tasks: perPro,
  notices: perAccount,
  outbox_events: perPro,
  outbox_relay: process,
  packages: perPro,
  password_links: people,
  payment_notifications: { coordinator: 'The provider sends an id only. Written once per payment.' },
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
  state_transitions: catalog,
  states: catalog,
  thread_messages: perPro,
  threads: perPro,
  trace_parts: process,
  user_changes: people,
  users: people,
  webhook_attempts: webhooks,
  webhook_couriers: webhooks,
  webhook_deliveries: webhooks,
  webhook_endpoints: webhooks,
  webhook_events: webhooks,
}

/** A random UUID or a random code is unique without being compared with those of other shards: an index finds it. */
const byConstruction = 'unique by construction'
/** The id in it belongs to one pro, so the key is the same with the pro in front. */
const withinPro = 'with the pro in front'

/** Unique keys that do not hold within a shard, and what becomes of them. */
export const CROSS_SHARD_KEYS: Readonly<Record<string, string>> = {
  availability_blocks_pkey: byConstruction,
  booking_proposed_times_pkey: withinPro,
  bookings_confirmation_code_key: byConstruction,
  bookings_pkey: byConstruction,
  calendar_feeds_pkey: byConstruction,
  calendar_feeds_token_hash_key: byConstruction,
  credit_transfers_pkey: byConstruction,
  customer_blocks_id_key: byConstruction,
  jobs_pkey: byConstruction,
  jobs_quote: withinPro,
  members_pkey: byConstruction,
  notices_pkey: byConstruction,
  outbox_events_id_key: byConstruction,
  outbox_events_pkey: byConstruction,
  outbox_events_sequence_key: withinPro,
  packages_pkey: byConstruction,
  packages_sku_key: byConstruction,
  payment_refunds_payment_key: withinPro,
  payment_refunds_pkey: byConstruction,
  payments_booking_key: withinPro,
  payments_client_secret_key: byConstruction,
  payments_intent_key: byConstruction,
  payments_pkey: byConstruction,
  payments_quote_open: withinPro,
  prepared_work_pkey: byConstruction,
  professionals_account_key: 'in a reference table of accounts and pros',
  professionals_slug_key: 'in pro_search, which finds the pro of a slug',
  properties_pkey: byConstruction,
  proposals_pkey: byConstruction,
  quotes_one_accepted: withinPro,
  quotes_one_open: withinPro,
  quotes_pkey: byConstruction,
  review_votes_pkey: withinPro,
  reviews_pkey: byConstruction,
  rfqs_pkey: byConstruction,
}

/** Foreign keys that no node could check, and what becomes of them. */
export const CROSS_SHARD_FOREIGN_KEYS: Readonly<Record<string, string>> = {
  booking_proposed_times_booking_id_fkey: withinPro,
  bookings_package_id_fkey: withinPro,
  jobs_quote_id_fkey: withinPro,
  key_usage_key_id_fkey: 'without it: the rows age by themselves',
  messages_booking_id_fkey: 'without it: the rows age by themselves',
  messages_professional_id_fkey: 'without it: the rows age by themselves',
  payment_refunds_payment_id_fkey: withinPro,
  payments_booking_id_fkey: withinPro,
  payments_quote_id_fkey: withinPro,
  prepared_work_booking_id_fkey: withinPro,
  prepared_work_job_id_fkey: withinPro,
  prepared_work_quote_id_fkey: withinPro,
  prepared_work_rfq_id_fkey: withinPro,
  quotes_rfq_id_fkey: withinPro,
  review_votes_review_id_fkey: withinPro,
  reviews_booking_id_fkey: withinPro,
  reviews_job_id_fkey: withinPro,
}

/** Functions of row triggers that need rows of the same pro and reference tables only. */
export const TRIGGERS_ON_SHARDS: readonly string[] = [
  'apply_credit_transfer',
  'check_quote_deposit',
  'check_transition',
  'end_proposed_time',
  'move_task_credit',
  'refuse_credit_change',
  'verify_reviews',
]

const notified = 'The verb notifies: a notification of a shard stays on its node.'
const searched = 'The verb puts the pro into a queue on the coordinator, which refreshes pro_search.'
const priced = 'The verb writes pricing_changes, which is on the coordinator.'
const named = 'Migrations and the seed notify after they changed the catalog.'
const emptied = 'Refuses TRUNCATE: without that privilege on the shards it is not needed.'

/** Triggers whose work is on another node than the row, and what takes their place. */
export const TRIGGERS_OF_ALL_NODES: Readonly<Record<string, string>> = {
  'agent_runs.agent_run_moved': notified,
  'agent_runs.agent_run_queued': notified,
  'categories.categories_changed': named,
  'categories.search_updated': named,
  'cities.cities_changed': named,
  'cities.search_updated': named,
  'credit_accounts.credit_accounts_kept': emptied,
  'credit_transfers.credit_transfers_kept': emptied,
  'jobs.price_deleted': priced,
  'jobs.price_inserted': priced,
  'jobs.price_updated': priced,
  'outbox_events.outbox_written': notified,
  'professional_services.prices_deleted': priced,
  'professional_services.prices_inserted': priced,
  'professional_services.prices_updated': priced,
  'professional_services.search_deleted': searched,
  'professional_services.search_inserted': searched,
  'professional_services.search_updated': searched,
  'professionals.prices_of_deleted': priced,
  'professionals.prices_of_moved': priced,
  'professionals.search_deleted': searched,
  'professionals.search_inserted': searched,
  'professionals.search_updated': searched,
  'quotes.price_deleted': priced,
  'quotes.price_inserted': priced,
  'quotes.price_updated': priced,
  'reviews.review_approved': searched,
  'services.prices_of_service': named,
  'services.search_updated': named,
  'services.services_changed': named,
  'states.states_changed': named,
}

const bySlug = 'By slug, it asks all shards: pro_search has the pro of a slug, and the statement is then by id.'
const byId = 'A look-up by id alone asks all shards; its pro is known from then on.'
const lacksColumn = 'The table gets a column professional_id.'
const ofAllPros = 'About all pros: every node adds up its own.'
const claimed =
  'Claims what is due with skip locked, which works within a node: one such process per node, for its shards.'

/** Views, functions and prepared statements that do not say the pro of a row, and how they run then. */
export const CROSS_SHARD_STATEMENTS: Readonly<Record<string, string>> = {
  booking_messages: ofAnEvent,
  credit_legs: ofAllPros,
  current_message_booking: ofAnEvent,
  current_message_data: ofAnEvent,
  end_proposed_time: lacksColumn,
  expire_proposals: claimed,
  expire_quotes: claimed,
  hold_data: ofAnEvent,
  lapse_holds: claimed,
  move_booking: byId,
  'open-slots.sql': bySlug,
  open_allowances: claimed,
  plan_booking_message: ofAnEvent,
  plan_deliveries: claimed,
  plan_messages: ofAnEvent,
  plan_refund_message: ofAnEvent,
  price_points: ofAllPros,
  'professional-detail.sql': bySlug,
  propose_time: `${byId} ${lacksColumn}`,
  proposed_time: lacksColumn,
  'public-profile.sql': bySlug,
  rebuild_review_stats: ofAllPros,
  rebuild_search: ofAllPros,
  release_stuck_tasks: claimed,
  request_messages: ofAnEvent,
  review_stats_source: ofAllPros,
  search_categories_updated: ofAllPros,
  search_cities_updated: ofAllPros,
  search_services_updated: ofAllPros,
  write_credit_notices: claimed,
}

/**
 * What passes rows to functions while it reads them: on a shard their type is another one, and Citus refuses. A function that first reads
 * the row into a variable takes its place, as reserve_slot does.
 */
export const ROWS_AS_ARGUMENTS: readonly string[] = [
  'booking_messages',
  'booking_object',
  'booking_payment',
  'chosen_offer',
  'current_message_booking',
  'current_message_data',
  'has_bookable_service',
  'job_object',
  'lead_object',
  'move_booking',
  'open-slots-service.sql',
  'open-slots.sql',
  'package_object',
  'plan_messages',
  'pro-day.sql',
  'professional-detail.sql',
  'public-profile.sql',
  'quote_payment',
  'reviews-page.sql',
  'rfq_object',
  'rfq_receipt',
  'search_pro_rows',
]
