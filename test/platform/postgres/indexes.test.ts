// Every look-up has an index that leads to its rows, and every foreign key one for the deletion of what it refers to.
import { expect, test } from 'bun:test'

import { RETENTION } from '../../../src/features/upkeep/retention/tables.ts'
import { cloneDatabase, testSql } from '../../support/database.ts'
import { DYNAMIC, readDynamicStatements } from '../../support/plans/dynamic-statements.ts'
import { readFunctionStatements } from '../../support/plans/function-statements.ts'
import { type Statement, readProgramStatements } from '../../support/plans/program-statements.ts'
import { preferIndexes, readFirstColumns, wholeReadsOf } from '../../support/plans/read-plans.ts'
import { opened } from '../../support/fixture.ts'

/** Tables whose rows do not become more with the work, and why. */
const SMALL: Readonly<Record<string, string>> = {
  categories: 'The catalog.',
  cities: 'The catalog.',
  former_slugs: 'The catalog.',
  search_refreshes: 'A queue of services that have changed, which a worker empties.',
  search_words: 'The catalog.',
  services: 'The catalog.',
  states: 'The catalog.',
  state_transitions: 'The catalog.',
  payment_reconciliations: 'One row.',
  marketplace_texts: 'A few rows, which operators publish.',
  plans: 'A few rows, which operators write.',
  payment_differences: 'Until both sides agree, which an alert asks for.',
  pricing_changes: 'A queue that the refresh of prices empties.',
  restorations: 'One row per restored backup.',
  schema_files: 'One row per file.',
  time_zone_names: 'One row per time zone that there is.',
  time_zones: 'One row per time zone in use.',
  webhook_couriers: 'One row per running process.',
  webhook_deliveries_id_seq: 'One row: a sequence.',
}

/** Indexes that hold only what waits for something, and are read whole to find what is next. */
const WAITING: ReadonlySet<string> = new Set([
  'agent_runs_deadlines',
  'agent_runs_open',
  'credit_ledgers_notices',
  'dead_letters_retried',
  'messages_due',
  'messages_waiting',
  'metered_tasks_deadlines',
  'outbox_events_waiting',
  'payment_disputes_open',
  'payment_refunds_failed',
  'payment_refunds_open',
  'payments_open',
  'pro_imports_claimed',
  'pro_imports_due',
  'users_operators',
  'verification_requests_open',
  'webhook_deliveries_due',
  'webhook_endpoints_failing',
  'webhook_deliveries_queue',
])

const SEARCH =
  'An operator searches in texts of all rows, or lists them by a state that most have. The time limit of the statement bounds it.'
const WHOLE = 'Works on all rows by its purpose: a command or the daily pass.'
const METRIC = 'A metric of one worker process, every ten seconds: one number per pro or endpoint, not per booking.'
const COPY = 'Runs on a restored copy that is declared the original, once.'
const DEMO = 'Only `hearth up` on one’s own machine.'
const FIRST = 'The first rows by their key, which has the time of creation: it ends after a few.'
const FEED =
  'All packages, page after page, for assistants and search engines: it grows with the pros, not with their history.'

/** Statements that read a table or index from one end, and why they may. */
const MAY_READ_ALL: Readonly<Record<string, readonly string[]>> = {
  [SEARCH]: [
    'src/features/upkeep/audit/queries.sql selectLog: operator_actions',
    'src/features/upkeep/dead-letters/queries.sql markSentAgain: dead_letters',
    'src/features/upkeep/dead-letters/queries.sql selectLetters: dead_letters',
    'src/auth/users/queries/users.sql selectUsers: users',
    'src/features/customers/customers/queries/disowned.sql selectDisowned: operator_actions',
    'src/features/messages/messages/queries/log.sql selectMessages: messages',
    'src/features/money/operator-refunds/queries.ts selectLatestPayments or selectPayments: payments',
    'src/features/reviews/moderation/queries.ts selectReviewsToModerate: professionals',
    'src/features/reviews/moderation/queries.ts selectReviewsToModerate: reviews',
    'src/features/upkeep/operations/queries.sql selectTraces: trace_parts',
    'src/features/reviews/reviews/queries/reviews.ts selectReviews: reviews',
    'src/features/business/verification/queries.ts selectProsToCheck: professionals',
  ],
  [WHOLE]: [
    'pro_facts(): bookings',
    'pro_facts(): jobs',
    'pro_facts(): payments',
    'pro_facts(): quotes',
    'pro_facts(): reviews',
    'pro_facts(): rfqs',
    'count_pro_facts(): bookings',
    'count_pro_facts(): jobs',
    'count_pro_facts(): payments',
    'rebuild_pro_counts(): pro_counts',
    'rebuild_pro_counts(): pro_days',
    'count_pro_facts(): quotes',
    'count_pro_facts(): reviews',
    'count_pro_facts(): rfqs',
    'rebuild_pro_revenue(): payments',
    'rebuild_review_stats(): review_stats',
    'rebuild_review_stats(): reviews',
    'rebuild_search(): professionals',
    'refresh_price_lists(): jobs',
    'replace_lost_zones(): bookings',
    'replace_lost_zones(): professionals',
    'review_stats_source(): reviews',
    'src/auth/keys/queries/keys.sql selectKeys: api_keys',
    'src/features/upkeep/marketplace/queries.sql countDepositsOutside: professionals',
    'src/features/upkeep/marketplace/queries.sql findLaunchFacts: professionals',
    'src/features/agents/metering/queries.sql findLedgerTotals: credit_accounts',
  ],
  [METRIC]: [
    'src/features/calendar/imported-calendars/queries/readings.sql findReadingBacklog: imported_calendars',
    'src/webhooks/delivery/queries.sql measureBacklog: webhook_endpoints',
  ],
  [COPY]: [
    'src/features/upkeep/restoration/queries.sql countHeldMessages: messages',
    'src/features/upkeep/restoration/queries.sql countPending: payment_refunds',
    'src/features/upkeep/restoration/queries.sql releaseHeld: webhook_deliveries',
    'src/features/upkeep/restoration/queries.sql releaseHeldMessages: messages',
    'src/features/upkeep/restoration/queries.sql selectHeld: webhook_deliveries',
  ],
  [FIRST]: [
    'src/features/business/uploaded-imports/queries.sql selectImports: pro_imports',
    'src/features/upkeep/marketplace/queries.sql listFirstPros: professionals',
  ],
  [DEMO]: [
    'src/commands/up/demo.sql chooseDemoPro: professionals',
    'src/commands/up/demo.sql choosePicturedPros: professionals',
    'src/commands/up/demo.sql countDemoKeys: api_keys',
  ],
  [FEED]: [
    'src/features/business/packages/queries.sql countPackages: professionals',
    'src/features/business/packages/queries.sql selectPackages: packages',
    'src/features/business/packages/queries.sql selectPackages: professionals',
    'src/features/business/packages/queries.sql selectSkus: packages',
  ],
}

/** Statements without a plan of their own, or in a table that exists only while the function runs. */
const NOT_PLANNED = new Set(['src/features/catalog/pricing/queries.sql setRepeatableRead', 'rebuild_search()'])

/** Foreign keys without an index of their own, and why they need none. */
const NEEDS_NO_INDEX: Readonly<Record<string, string>> = {
  'imported_busy (professional_id, calendar_id) → imported_calendars':
    'Its primary key begins with the pro, who has a few calendars of 400 days.',
  'imported_calendars (professional_id, member_id) → members':
    'A unique index begins with the pro, who has a few calendars.',
}
const program = readProgramStatements()
const clone = await opened(cloneDatabase('migrated'), 'drop')
const sql = await opened(testSql(clone.url, 1), 'end')
const statements: readonly Statement[] = [
  ...program.statements,
  ...(await readDynamicStatements(sql)),
  ...(await readFunctionStatements(sql)),
]
await preferIndexes(sql)

test('every statement of the program and of its functions is known', () => {
  expect([...program.dynamic].toSorted()).toEqual(DYNAMIC)
  expect(program.statements.length).toBeGreaterThan(500)
  expect(statements.length - program.statements.length).toBeGreaterThan(250)
})

test('no statement reads a growing table from one end to the other, except where a reason stands here', async () => {
  const firstColumns = await readFirstColumns(sql)
  const found = new Set<string>()
  const unplanned: string[] = []
  for (const statement of statements) {
    if (NOT_PLANNED.has(statement.name) && /^\s*set |search_pieces/.test(statement.text)) continue
    const reads = await wholeReadsOf(sql, statement, { waiting: WAITING, firstColumns }).catch((error: unknown) => {
      unplanned.push(`${statement.name}: ${String(error)}`)
    })
    for (const { relation } of reads ?? [])
      if (!(relation in SMALL) && !relation.startsWith('changed_')) found.add(`${statement.name}: ${relation}`)
  }
  expect(unplanned).toEqual([])
  expect([...found].toSorted()).toEqual(Object.values(MAY_READ_ALL).flat().toSorted())
}, 60_000)

test('whatever deletes a row finds the rows that refer to it by an index', async () => {
  const keys = await sql<{ key: string; table: string; target: string; cascades: boolean; isIndexed: boolean }[]>`
    select format('%s (%s)', k.conrelid::regclass, string_agg(a.attname, ', ' order by c.place)) as key,
      k.conrelid::regclass::text as table, k.confrelid::regclass::text as target, k.confdeltype = 'c' as cascades,
      exists (
        select from pg_index i
        where i.indrelid = k.conrelid and i.indisvalid
          -- All columns come first in the index, or one that is unique where it refers to.
          and ((i.indkey::int2[])[0:cardinality(k.conkey) - 1] @> k.conkey
            or exists (
              select from pg_index u
              where u.indrelid = k.confrelid and u.indisunique and u.indnkeyatts = 1
                and k.confkey[array_position(k.conkey, i.indkey[0])] = u.indkey[0]))
          and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) = any (
            select format('(%s IS NOT NULL)', n.attname) from pg_attribute n
            where n.attrelid = k.conrelid and n.attnum = any (k.conkey)))) as is_indexed
    from pg_constraint k
    cross join lateral unnest(k.conkey) with ordinality c (attnum, place)
    join pg_attribute a on a.attrelid = k.conrelid and a.attnum = c.attnum
    where k.contype = 'f' and k.connamespace = 'public'::regnamespace and k.conparentid = 0
    group by k.oid, k.conrelid, k.confrelid, k.confdeltype, k.conkey, k.confkey`
  const deleted = new Set(
    statements.flatMap(({ text }) => Array.from(text.matchAll(/\bdelete from "?(\w+)/gi), ([, table = '']) => table)),
  )
  for (const [table, rule] of Object.entries(RETENTION)) if ('since' in rule) deleted.add(table)
  // Rows go with those that they refer to.
  for (let size = -1; size < deleted.size;) {
    size = deleted.size
    for (const { table, target, cascades } of keys) if (cascades && deleted.has(target)) deleted.add(table)
  }
  expect(keys.length).toBeGreaterThan(100)
  const missing = keys.filter(({ target, isIndexed }) => !isIndexed && deleted.has(target))
  expect(missing.map(({ key, target }) => `${key} → ${target}`).toSorted()).toEqual(Object.keys(NEEDS_NO_INDEX))
})
