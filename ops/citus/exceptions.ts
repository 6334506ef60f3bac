// What stands against the places of ops/citus/placement.ts, and what takes its place once Citus spreads the database. Found by the rules of
// Citus in test/ops/citus.test.ts, which fails for anything that is not named here.

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
  imported_calendars_pkey: byConstruction,
  imported_conflicts_pkey: withinPro,
  jobs_pkey: byConstruction,
  jobs_quote: withinPro,
  members_pkey: byConstruction,
  notices_pkey: byConstruction,
  outbox_events_id_key: byConstruction,
  outbox_events_pkey: byConstruction,
  operator_actions_pkey: byConstruction,
  outbox_events_sequence_key: withinPro,
  packages_pkey: byConstruction,
  packages_sku_key: byConstruction,
  payment_disputes_pkey: byConstruction,
  payment_disputes_provider_key: byConstruction,
  payment_refunds_pkey: byConstruction,
  payment_refunds_provider: byConstruction,
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
  imported_conflicts_booking_id_fkey: withinPro,
  imported_conflicts_calendar_id_fkey: withinPro,
  jobs_quote_id_fkey: withinPro,
  key_usage_key_id_fkey: 'without it: the rows age by themselves',
  payment_disputes_payment_id_fkey: withinPro,
  payment_refunds_payment_id_fkey: withinPro,
  payments_booking_id_fkey: withinPro,
  payments_quote_id_fkey: withinPro,
  prepared_work_booking_id_fkey: withinPro,
  prepared_work_job_id_fkey: withinPro,
  prepared_work_quote_id_fkey: withinPro,
  prepared_work_rfq_id_fkey: withinPro,
  pro_search_kept_slots_professional_id_fkey: 'without it: what is left of a deleted pro takes a few bytes',
  quotes_rfq_id_fkey: withinPro,
  review_votes_review_id_fkey: withinPro,
  reviews_booking_id_fkey: withinPro,
  reviews_job_id_fkey: withinPro,
}

/** Functions of row triggers that need rows of the same pro and reference tables only. */
export const TRIGGERS_ON_SHARDS: readonly string[] = [
  'apply_credit_transfer',
  'check_quote_deposit',
  'check_refund_amount',
  'check_test_mode',
  'check_transition',
  'choose_test_provider',
  'emit_payment_update',
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
  'api_keys.key_mode': 'The verb reads the mode of the account, which every node has, before it writes the key.',
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
const ofAnEvent = 'Runs for an event: its pro becomes another argument.'
const claimed =
  'Claims what is due with skip locked, which works within a node: one such process per node, for its shards.'

/** Views, functions and prepared statements that do not say the pro of a row, and how they run then. */
export const CROSS_SHARD_STATEMENTS: Readonly<Record<string, string>> = {
  booking_messages: ofAnEvent,
  claim_calendar: claimed,
  credit_legs: ofAllPros,
  current_message_booking: ofAnEvent,
  current_message_data: ofAnEvent,
  delete_test_data: 'A developer rarely deletes it, and an account has few test pros.',
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
  'search-test-pros.sql': 'An account has few test pros: asking all shards for them costs little.',
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
  'booking_balance',
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
  'next-open-times.sql',
  'open-slots-service.sql',
  'open-slots.sql',
  'package_object',
  'payment_update_object',
  'plan_job_cancelled_message',
  'plan_messages',
  'plan_refund_message',
  'pro-analytics.sql',
  'pro-day.sql',
  'professional-detail.sql',
  'public-profile.sql',
  'quote_balance',
  'quote_payment',
  'reviews-page.sql',
  'rfq_object',
  'rfq_receipt',
  'search-narrowed.sql',
  'search-test-pros.sql',
  'search_pro_rows',
  'verify_reviews',
]
