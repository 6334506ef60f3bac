// Whatever customers typed, their copy and their erasure are about their own rows.
import { expect, test } from 'bun:test'

import { openDeps } from '../../../../src/deps.ts'
import { eraseCustomer } from '../../../../src/features/customers/privacy/verbs/erase-customer.ts'
import { exportCustomer } from '../../../../src/features/customers/privacy/verbs/export-customer.ts'
import { lifeCustomer, lifeKeys, liveThrough, openForBooking } from '../../../support/customer-life.ts'
import { countersAdrift } from '../../../support/counted.ts'
import { type Change, changesBetween, digestDatabase, tablesOf } from '../../../support/database-digest.ts'
import { opened } from '../../../support/fixture.ts'
import {
  HOSTILE_EMAILS,
  OWNED,
  type Template,
  insertHostileCustomers,
  insertRowsOfOthers,
} from '../../../support/hostile-customers.ts'
import { hostileValues } from '../../../support/hostile-values.ts'
import { plantMarkers } from '../../../support/planted-markers.ts'
import { openProAgentFixture } from '../../../support/pro-agent-fixture.ts'
import { openWebhookFixture } from '../../../support/webhooks.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const VALUES = 500
const LONG_MS = 120_000

const fixture = await opened(openWebhookFixture())
const other = lifeCustomer(2)
const { app, clock } = fixture
const { sql } = app
const deps = await opened(openDeps(app.deps.config, { clock, databaseLimitMs: LONG_MS }))
const pro = await openProAgentFixture(app)
await openForBooking(fixture, pro)
const { bookings } = await liveThrough(fixture, pro, await lifeKeys(fixture), other, 2)
await fixture.create()
const [found] = await sql<Template[]>`
    select q.rfq_id as rfq, q.id as quote, ${bookings.agent} as booking,
      (select j.id from jobs j join quotes q on q.id = j.quote_id join rfqs r on r.id = q.rfq_id where r.customer_email = ${other.email} limit 1) as job,
      (select v.id from reviews v where v.customer_email = ${other.email} and v.status = 'approved' limit 1) as review
    from quotes q join rfqs r on r.id = q.rfq_id where r.customer_email = ${other.email} and q.status = 'declined' limit 1`
if (!found) throw new Error('The life of the other customer is not as expected.')
const words = await sql<{ word: string }[]>`
    select distinct word from (
      select unnest(array[b.id::text, b.confirmation_code, b.customer_email, b.customer_name, b.customer_phone, b.status]) from bookings b
      union all select unnest(array[p.id::text, p.slug, p.business_name, p.phone]) from (select * from professionals limit 100) p
      union all select unnest(array[u.email, u.name]) from (select * from accounts limit 100) u
      union all select s.name from services s union all select c.name from cities c limit 5000) w (word)
    where word is not null order by word`
await insertHostileCustomers(
  sql,
  found,
  hostileValues(
    VALUES,
    words.map(({ word }) => word),
  ),
)

/** Keys of the rows that belong to the hostile customers, by table. */
async function ownedKeys(): Promise<Map<string, Set<string>>> {
  const { sql } = fixture.app
  const keys = new Map<string, Set<string>>()
  for (const { name, key } of await tablesOf(sql)) {
    const rows = await sql.unsafe<{ key: string }[]>(
      `select ${key} as key from ${name} t where ${OWNED[name] ?? 'false'}`,
    )
    keys.set(name, new Set(rows.map((row) => row.key)))
  }
  return keys
}

/** What the pages of the pro and of the catalog show to everybody, and who got the customer's events. */
const PUBLIC = new Set([
  'professionals.business_name',
  'professionals.phone',
  'professionals.slug',
  'services.name',
  'cities.name',
])

test(
  'a copy contains no text of any row that belongs to another person, in the whole database',
  async () => {
    const planted = await plantMarkers(fixture.app.sql)
    for (const column of [
      'availability_blocks.reason',
      'bookings.customer_email',
      'threads.title',
      'reviews.content',
      'accounts.email',
    ])
      expect(planted).toContain(column)
    for (const email of HOSTILE_EMAILS) {
      const text = (await Array.fromAsync(exportCustomer(ctxOf(deps), { email }))).join('')
      const found = new Set(
        Array.from(text.matchAll(/mark-([a-z_]+)-([a-z_]+)-/g), ([, table, name]) => `${table}.${name}`),
      )
      expect([...found].filter((column) => !PUBLIC.has(column))).toEqual([])
      expect(JSON.parse(text)).toMatchObject({
        email,
        bookings: Array.from({ length: VALUES / HOSTILE_EMAILS.length }, () => ({})),
      })
    }
  },
  LONG_MS,
)

/** An erased request is closed, and counts as such. */
const COUNTERS: ReadonlySet<string> = new Set(['pro_counts', 'pro_days'])

test(
  'an erasure changes rows of the erased customers only, whatever they typed, in the whole database',
  async () => {
    const { sql } = fixture.app
    await insertRowsOfOthers(sql)
    const owned = await ownedKeys()
    expect(Array.from(owned, ([table, keys]) => (OWNED[table] ? keys.size : 1)).every((size) => size > 0)).toBe(true)
    expect(owned.get('bookings')?.size).toBe(VALUES)
    const before = await digestDatabase(sql)
    for (const email of HOSTILE_EMAILS)
      expect(await eraseCustomer(ctxOf(deps), { email, requestedBy: 'a test' })).toMatchObject({ outcome: 'erased' })
    const changes = changesBetween(before, await digestDatabase(sql))
    const ownedNow = await ownedKeys()
    const isTheirs = ({ table, key }: Change) => owned.get(table)?.has(key) ?? false
    const isNew = ({ table, key, what }: Change) =>
      what === 'added' &&
      (table === 'customer_erasures' || (table === 'outbox_events' && ownedNow.get(table)?.has(key) === true))
    expect(changes.filter((change) => !isTheirs(change) && !isNew(change) && !COUNTERS.has(change.table))).toEqual([])
    expect(await countersAdrift(sql)).toEqual([])
    // Everything of theirs was reached: nothing has an address of theirs, and no text is left in their records.
    expect(changes.filter(({ table }) => table === 'bookings')).toHaveLength(VALUES)
    const left = await sql`
      select from bookings b join hostile h on h.booking = b.id
      where b.customer_email = h.email or b.description is not null or b.cancellation_reason <> '[erased]'
      union all select from reviews v join hostile h on h.review = v.id where v.customer_email = h.email or v.title is not null
        or v.response = h.value
      union all select from quotes q join hostile h on h.quote = q.id
        where coalesce(q.message, q.payment_terms, q.decline_reason) is not null
      union all select from webhook_attempts t where t.response is not null and (${sql.unsafe(OWNED['webhook_attempts'] ?? '')})
      union all select from messages m join hostile h on h.email = m.customer_email`
    expect(left).toHaveLength(0)
  },
  LONG_MS,
)
