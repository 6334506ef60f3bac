// No number of the database runs out by work: a sequence or counter of 31 bits counts rows, or something that is bounded.
import { expect, test } from 'bun:test'

import { openTestDatabase } from '../../support/database.ts'
import { opened } from '../../support/fixture.ts'

const database = await opened(openTestDatabase())

const PRICE = 'A price or a term, bounded by the schemas of requests or set by the server.'
const SEQUENCE =
  'The changes of one row, which its owner’s limits of requests bound: 2,000 a day reach 31 bits in 2,900 years.'
const ROWS = 'Counts rows, or is the number of a row in a list that grows with the catalog and the pros.'
const RETRIES = 'The retries of one row, with growing delays: at one a minute 31 bits last 4,000 years.'
const RUN = 'Belongs to one agent run, which has a limit of attempts, steps and tokens.'
const STEP = 'Half minutes since 1970: 31 bits last until the year 4011.'
const PART = 'Measured of one request, one process or one file; never added to.'

/** The columns of 15 or 31 bits whose constraints name no largest value, and why they need none. */
const BOUNDED: Readonly<Record<string, readonly string[]>> = {
  [PRICE]: [
    'bookings.base_price_cents',
    'bookings.deposit_cents',
    'bookings.fee_cents',
    'bookings.max_price_cents',
    'bookings.min_price_cents',
    'jobs.amount_cents',
    'packages.price_cents',
    'payment_differences.our_cents',
    'payment_differences.provider_cents',
    'payment_disputes.amount_cents',
    'payment_refunds.amount_cents',
    'payments.amount_cents',
    'payments.captured_cents',
    'payments.deposit_cents',
    'payments.fee_cents',
    'payments.revenue_cents',
    'pricing_aggregates.average_cents',
    'pricing_aggregates.max_cents',
    'professional_services.base_price_cents',
    'professional_services.max_price_cents',
    'professional_services.min_price_cents',
    'quotes.amount_cents',
    'quotes.free_cancellation_hours',
    'quotes.units_cents',
  ],
  [SEQUENCE]: [
    'bookings.event_sequence',
    'outbox_events.sequence',
    'payment_disputes.reading',
    'payments.event_sequence',
    'payments.readings',
    'professionals.event_sequence',
    'quotes.event_sequence',
    'reviews.event_sequence',
    'rfqs.event_sequence',
  ],
  [STEP]: ['second_factors.last_step'],
  [ROWS]: [
    'categories.position',
    'cities.id',
    'cities.population',
    'districts.id',
    'marketplace_texts.version',
    'marketplace_versions.version',
    'price_lists.city_id',
    'pricing_aggregates.accepted_quotes',
    'pricing_aggregates.city_id',
    'pricing_aggregates.completed_projects',
    'pricing_aggregates.professional_listings',
    'pricing_passes.drift',
    'pro_search.city_id',
    'pro_search.flags',
    'pro_search.slot',
    'pro_search.state',
    'pro_search_area.area',
    'pro_search_area.facet',
    'pro_search_area.instant',
    'pro_search_area.pros',
    'pro_search_area.verified',
    'pro_search_area.verified_instant',
    'pro_search_cell.instant',
    'pro_search_cell.pros',
    'pro_search_cell.verified',
    'pro_search_cell.verified_instant',
    'pro_search_entry.city_id',
    'pro_search_entry.facet',
    'pro_search_entry.flags',
    'pro_search_entry.slot',
    'pro_search_entry.state',
    'pro_search_kept_slots.slot',
    'professionals.review_count',
    'review_stats.communication_count',
    'review_stats.communication_sum',
    'review_stats.punctuality_count',
    'review_stats.punctuality_sum',
    'review_stats.quality_count',
    'review_stats.quality_sum',
    'review_stats.rated_1',
    'review_stats.rated_2',
    'review_stats.rated_3',
    'review_stats.rated_4',
    'review_stats.rated_5',
    'review_stats.value_count',
    'review_stats.value_sum',
    'reviews.helpful_no',
    'reviews.helpful_yes',
    'services.ordinal',
    'services.position',
    'states.ordinal',
    'thread_messages.position',
    'threads.message_count',
  ],
  [RETRIES]: [
    'dead_letters.attempts',
    'erasure_requests.attempts',
    'files.claims',
    'imported_calendars.claims',
    'imported_calendars.failures',
    'messages.attempts',
    'payment_refunds.attempts',
    'pro_imports.claims',
    'webhook_attempts.number',
    'webhook_deliveries.attempts',
    // free_deliveries stops at 1,000.
    'webhook_deliveries.interruptions',
  ],
  [RUN]: [
    'agent_runs.attempt',
    'agent_runs.goal_position',
    'agent_runs.input_tokens',
    'agent_runs.output_tokens',
    'agent_runs.step_count',
    'agent_steps.duration_ms',
    'agent_steps.input_tokens',
    'agent_steps.output_tokens',
    'thread_messages.step',
  ],
  [PART]: [
    'credit_transfers.amount',
    // 15 MB, 50 megapixels, and a place in a gallery.
    'files.bytes',
    'files.height',
    'files.position',
    'files.width',
    'imported_calendars.event_count',
    // 50 MB.
    'pro_imports.bytes',
    'imported_calendars.unreadable_count',
    'outbox_events.partition',
    'process_reports.pid',
    'professionals.longest_interval_minutes',
    'sign_in_codes.tries_left',
    'trace_parts.left_out',
    'trace_parts.status',
    'webhook_attempts.duration_ms',
    'webhook_attempts.status',
  ],
}

/** Identities and sequences of fewer bits. A pro who returns to search gets the former slot: pro_search_kept_slots. */
const SHORT_SEQUENCES = ['pro_search.slot']

test('every number of at most 31 bits has a largest value or a reason to need none', async () => {
  const columns = await database.sql<{ name: string }[]>`
    select c.relname || '.' || a.attname as name
    from information_schema.columns i
    join pg_class c on c.oid = format('%I.%I', i.table_schema, i.table_name)::regclass
    join pg_attribute a on a.attrelid = c.oid and a.attname = i.column_name
    where i.table_schema = 'public' and i.data_type in ('smallint', 'integer')
      and c.relkind in ('r', 'p') and not c.relispartition
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
      and not exists (
        select from pg_constraint k where k.conrelid = c.oid and a.attnum = any (k.conkey)
          and (k.contype = 'f'
            or k.contype = 'c' and pg_get_constraintdef(k.oid) ~ ('\\m' || a.attname || '( <=? |\\)? = ANY)')))`
  expect(columns.map(({ name }) => name).sort()).toEqual(Object.values(BOUNDED).flat().sort())
})

test('every sequence has 63 bits, except where its numbers are given back', async () => {
  const short = await database.sql<{ name: string }[]>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and is_identity = 'YES' and data_type <> 'bigint'
    union all
    select sequence_name from information_schema.sequences where sequence_schema = 'public' and data_type <> 'bigint'`
  expect(short.map(({ name }) => name)).toEqual(SHORT_SEQUENCES)
})
