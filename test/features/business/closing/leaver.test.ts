// The database before and after a pro leaves: which rows stay, change and go, and that those of others are the same.
import { describe, expect, test } from 'bun:test'

import { ctxOf } from '../../../../src/ctx.ts'
import { findLeaver } from '../../../../src/features/business/closing/queries.ts'
import { LEAVING } from '../../../../src/features/business/closing/tables.ts'
import { continueClosing } from '../../../../src/features/business/closing/verbs/end.ts'
import { reserveTask } from '../../../../src/features/agents/metering/verbs.ts'
import { setPlan } from '../../../support/agents.ts'
import { bookingBody, book, openBookingFixture, pay } from '../../../support/booking-fixture.ts'
import { tokenOf } from '../../../support/quotes.ts'
import { opened } from '../../../support/fixture.ts'
import { PASSWORD, createTestUser, loggedInVisitor, visitorFromNewAddress } from '../../../support/visitor.ts'
import { openTestDatabase } from '../../../support/database.ts'

const it = await opened(openBookingFixture({ WEBHOOK_ALLOW_PRIVATE: '1' }))
const { app, sql } = it
const ctx = ctxOf(app.deps)
const DAY_MINUTES = 24 * 60

/** A pro with rows in every table that has some of a pro, each with a marker of the pro. */
async function livedPro(n: number) {
  const pro = await it.pro()
  const marker = `marker${n}x`
  const email = `${marker}@owners.test.example`
  const login = await createTestUser(app, 'pro', { pro: pro.id })
  const owner = visitorFromNewAddress(app)
  await owner.logIn(login)
  const [past, coming] = [await book(it, pro), await book(it, pro, 2)]
  for (const { payment } of [past, coming]) await pay(it, payment?.clientSecret ?? '')
  await sql`update bookings set status = 'completed', completed_at = ends_at where id = ${past.booking.id}`
  const customer = { name: 'Homeowner in Austin', email: `home${n}@example.com` }
  const rfq = async (description: string) => {
    const json = { professionalId: pro.id, serviceId: pro.serviceId, customer, description }
    const answer = await app.send('/api/v1/rfqs', { key: await app.key(['rfqs:write']), json })
    return ((await answer.json()) as { rfq: { id: string } }).rfq.id
  }
  const quote = async (rfqId: string) => {
    const json = { rfqId, amount: 300, message: `From ${marker}` }
    const answer = await app.send('/api/v1/pro/quotes', { key: pro.key, json })
    return ((await answer.json()) as { quote: { id: string } }).quote.id
  }
  await quote(await rfq('The gutter leaks.'))
  const agreed = await quote(await rfq('The roof leaks.'))
  await app.send(`/api/v1/quotes/${tokenOf(app.deps, agreed)}/accept`, { method: 'POST' })
  const [account] = await sql<{ id: string }[]>`select account_id as id from professionals where id = ${pro.id}`
  await fillTables({ id: pro.id, accountId: account?.id ?? '', marker, email, bookingId: past.booking.id })
  return { ...pro, marker, email, owner, login }
}

interface Filled {
  id: string
  accountId: string
  marker: string
  email: string
  bookingId: string
}

async function fillTables({ id, accountId, marker, email, bookingId }: Filled): Promise<void> {
  const now = it.clock.now().toISOString()
  const later = new Date(it.clock.now().getTime() + 86_400_000).toISOString()
  const uuid = () => crypto.randomUUID()
  const [user] = await sql<{ id: string }[]>`select id from users where account_id = ${accountId} limit 1`
  const [member, calendar, run, endpoint] = [uuid(), uuid(), uuid(), uuid()]
  await sql`update accounts set email = ${email}, name = ${marker} where id = ${accountId}`
  await sql`
    update professionals set description = ${marker}, website = ${`https://${marker}.example`}, phone = ${marker},
      years_of_experience = 7 where id = ${id}`
  await sql`
    insert into members (id, professional_id, name, email, role, created_at)
    values (${member}, ${id}, ${marker}, ${`member-${email}`}, 'crew', ${now})`
  await sql`
    insert into calendar_feeds (id, professional_id, token_hash, created_at)
    values (${uuid()}, ${id}, sha256(${id}::bytea), ${now})`
  await sql`
    insert into imported_calendars (id, professional_id, name, address_encrypted, address_digest, host, created_at, next_read_at)
    values (${calendar}, ${id}, ${marker}, 'x', ${marker}, 'calendar.example', ${now}, ${later})`
  await sql`
    insert into webhook_endpoints (id, account_id, name, url, events, ordered, max_retries, secret_sealed, created_at, updated_at)
    values (${endpoint}, ${accountId}, ${marker}, 'https://hooks.example', '{booking.created}', false, 3, 'x', ${now}, ${now})`
  await sql`
    insert into password_links (user_id, token_hash, created_at, expires_at)
    values (${user?.id ?? ''}, sha256(${id}::bytea), ${now}, ${later})`
  await sql`
    insert into second_factors (user_id, secret_encrypted, last_step, recovery_digests, created_at)
    values (${user?.id ?? ''}, ${marker}, 1, '{}', ${now})`
  await sql`
    insert into threads (professional_id, id, title, created_at, last_activity_at)
    values (${id}, ${uuid()}, ${marker}, ${now}, ${now})`
  await setPlan(app, id, 'business')
  await reserveTask(ctx, { professionalId: id, taskId: run, kind: 'run_agent' })
  await sql`
    insert into agent_runs (professional_id, id, account_id, kind, goal, status, queued_at, deadline_at)
    values (${id}, ${run}, ${accountId}, 'run_agent', ${marker}, 'queued', ${now}, ${later})`
  await sql`
    insert into proposals (id, professional_id, kind, target_id, status, change, differences, summary, created_at, expires_at)
    values (${uuid()}, ${id}, 'business_profile', ${id}, 'open', '{}', '[{}]', ${marker}, ${now}, ${later})`
  await sql`
    insert into prepared_work (id, professional_id, kind, booking_id, content, created_at)
    values (${uuid()}, ${id}, 'assessment_notes', ${bookingId}, ${sql.json({ text: marker })}, ${now})`
  await sql`
    insert into notices (account_id, kind, data, created_at)
    values (${accountId}, 'low_balance', ${sql.json({ text: marker })}, ${now})`
  await sql`
    insert into properties (id, account_id, name, street, city, state, zip_code, created_at, updated_at)
    values (${uuid()}, ${accountId}, ${marker}, '1 Main Street', 'Austin', 'TX', '78701', ${now}, ${now})`
  await sql`
    insert into availability_blocks (id, professional_id, starts_at, ends_at, reason, created_at)
    values (${uuid()}, ${id}, ${now}, ${later}, ${marker}, ${now})`
  await sql`
    insert into customer_blocks (id, professional_id, email, reason, created_at)
    values (${uuid()}, ${id}, 'blocked@example.com', ${marker}, ${now})`
  await sql`
    insert into pro_business_entities (professional_id, legal_name, license_number, license_state, insurance_carrier, updated_at)
    values (${id}, 'Kept Legal Name', ${marker}, 'TX', ${marker}, ${now})`
  await sql`insert into pro_public_profiles (professional_id, about, updated_at) values (${id}, ${marker}, ${now})`
  await sql`insert into pro_site_configs (professional_id, hero_title, updated_at) values (${id}, ${marker}, ${now})`
  await sql`
    insert into verification_requests (professional_id, note, asked_at) values (${id}, ${marker}, ${now})`
  await sql`
    insert into mailbox (id, sender, recipient, subject, text, html, source, received_at)
    overriding system value
    values ((select coalesce(max(id), 0) + 1 from mailbox), 'from@example.com', ${email}, ${marker}, '', '', '', ${now})`
  await sql`
    insert into messages (key, kind, recipient, data, status, send_at, created_at, finished_at)
    values (${id}, 'pro-status', ${email}, ${sql.json({ pro: marker })}, 'sent', ${now}, ${now}, ${now})`
  await sql`insert into message_suppressions (email, reason, created_at) values (${email}, 'bounced', ${now})`
  await sql`
    insert into imported_pros (professional_id, given, imported_at)
    values (${id}, ${sql.json({ description: marker })}, ${now})`
  await sql`insert into mark_evidence (professional_id, mark, evidence) values (${id}, 'insurance', ${marker})`
  await sql`insert into pro_invitations (professional_id, send_at) values (${id}, ${later})`
  const application = uuid()
  await sql`
    insert into pro_applications (id, email, business_name, person_name, phone, place, city_id, radius_miles, services,
      business_hours, license_number, license_state, created_at, expires_at)
    select ${application}, ${email}, ${marker}, ${marker}, ${marker}, ${marker}, city_id, 10, '[{}]', '{}', ${marker}, 'TX', ${now},
      ${later}
    from professionals where id = ${id}`
  await sql`update pro_applications set status = 'sent', sent_at = ${now}, expires_at = null where id = ${application}`
  await sql`
    update pro_applications set status = 'approved', professional_id = ${id}, expires_at = ${later} where id = ${application}`
  await sql`
    insert into files (id, name, account_id, professional_id, purpose, status, private, caption, created_at)
    values (${uuid()}, ${marker}, ${accountId}, ${id}, 'pro_gallery', 'uploading', false, ${marker}, ${now})`
  await sql`
    insert into packages (id, professional_id, service_id, sku, kind, name, description, price_cents, cadence, duration_minutes,
      created_at, updated_at)
    select ${uuid()}, ${id}, service_id, ${`SKU-${bookingId.slice(-12).toUpperCase()}`}, 'custom', 'Spring clean', ${marker}, 9900, 'once', 60, ${now}, ${now}
    from professional_services where professional_id = ${id} limit 1`
  await sql`
    insert into reviews (id, professional_id, booking_id, status, rating, content, customer_name, customer_email, created_at)
    values (${uuid()}, ${id}, ${bookingId}, 'pending', 5, 'All well.', 'Homeowner', 'home@example.com', ${now})`
  await sql`
    update reviews set status = 'approved', approved_at = ${now}, response = ${marker}, responded_at = ${now}
    where professional_id = ${id}`
  await sql`
    insert into review_reports (id, review_id, professional_id, number, reason, words, created_at)
    select ${uuid()}, id, ${id}, 1, 'untrue', ${marker}, ${now} from reviews where professional_id = ${id}`
}

interface Row {
  doc: Record<string, unknown>
  isOwn: boolean
}

const [leaving, staying] = [await livedPro(1), await livedPro(2)]
const leaver = await findLeaver(ctx, { professionalId: leaving.id })

/** All rows of all tables without when a key was last used, which is written later, and whether each is one of the pro who leaves. */
async function dump(): Promise<Map<string, Row[]>> {
  const tables = new Map<string, Row[]>()
  for (const [table, rule] of Object.entries(LEAVING))
    tables.set(
      table,
      await sql<Row[]>`
        select to_jsonb(t) - 'last_used_at' as doc, ${'of' in rule ? rule.of(sql, leaver) : sql`false`} as is_own from ${sql(table)} t`.then(
        (rows) => rows.map((row) => ({ doc: row.doc, isOwn: Object.values(row)[1] === true })),
      ),
    )
  return tables
}

const before = await dump()
const closed = await leaving.owner.post('/console/closing', {
  password: PASSWORD,
  name: String(before.get('professionals')?.find(({ isOwn }) => isOwn)?.doc['business_name']),
})
const work = async () => {
  for (let step = 0; step < 10 && (await continueClosing(ctx)) === 1; step++) it.clock.advance(1 / 30)
}
await work()
const afterClosing = await dump()
// What waits is sent by then.
await sql`
  update messages set status = 'sent', next_attempt_at = null, finished_at = ${it.clock.now().toISOString()} where status = 'pending'`
it.clock.advance(31 * DAY_MINUTES)
await work()
const afterErasure = await dump()

const byText = (one: string, other: string) => one.localeCompare(other)
const texts = (rows: readonly Row[] = []) => rows.map(({ doc }) => JSON.stringify(doc))
const own = (dumped: typeof before, table: string) => (dumped.get(table) ?? []).filter(({ isOwn }) => isOwn)
const tablesWith = (test: (rule: (typeof LEAVING)[string]) => boolean) =>
  Object.entries(LEAVING).flatMap(([table, rule]) => (test(rule) ? [table] : []))
/** Of the search, whose counters count the pros who are found, and of the work that goes on beside. */
const MOVING = new Set(['pro_search_cell', 'pro_search_area', 'process_reports', 'price_lists', 'pricing_aggregates'])

test('every table says what becomes of its rows when a pro leaves', async () => {
  const database = await openTestDatabase()
  const names = await database.sql<{ name: string }[]>`
    select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')`
  await database.close()
  expect(Object.keys(LEAVING).toSorted()).toEqual(names.map(({ name }) => name).toSorted())
})

describe('a pro who leaves', () => {
  test('had rows in every table that loses or changes some', () => {
    expect(closed.status).toBe(200)
    const empty = tablesWith((rule) => 'deleted' in rule || 'changed' in rule).filter(
      (table) => own(before, table).length === 0,
    )
    expect(empty).toEqual(['oauth_requests'])
  })

  test('loses at once what lets others in, and keeps the rest for now', () => {
    for (const table of tablesWith((rule) => 'deleted' in rule && rule.deleted === 'closing'))
      expect([table, own(afterClosing, table).length]).toEqual([table, 0])
    for (const table of tablesWith((rule) => 'deleted' in rule && rule.deleted === 'erasure'))
      expect([table, own(afterClosing, table).length >= own(before, table).length]).toEqual([table, true])
    const keys = own(afterClosing, 'api_keys').map(({ doc }) => doc['revoked_at'] !== null)
    expect([keys.length > 0, keys.every(Boolean)]).toEqual([true, true])
  })

  test('has what was coming cancelled and refunded', () => {
    const states = (table: string) => own(afterClosing, table).map(({ doc }) => doc['status'])
    expect(states('bookings').map(String).toSorted(byText)).toEqual(['cancelled', 'completed'])
    expect(states('payments').map(String).toSorted(byText)).toEqual(['refunded', 'succeeded'])
    expect([states('payment_refunds'), states('jobs'), states('rfqs')]).toEqual([
      ['done'],
      ['cancelled'],
      ['archived', 'archived'],
    ])
  })

  test('is erased after 30 days, but for what bookkeeping and customers need', () => {
    for (const table of tablesWith((rule) => 'deleted' in rule))
      expect([table, own(afterErasure, table).length]).toEqual([table, 0])
    for (const table of tablesWith((rule) => 'changed' in rule || 'kept' in rule)) {
      expect([table, own(afterErasure, table).length >= own(before, table).length]).toEqual([table, true])
    }
    for (const table of tablesWith((rule) => 'kept' in rule && rule.kept.startsWith('Bookkeeping')))
      expect([table, texts(own(afterErasure, table))]).toEqual([table, texts(own(afterClosing, table))])
    const [entity] = own(afterErasure, 'pro_business_entities')
    expect(entity?.doc['legal_name']).toBe('Kept Legal Name')
    const name = before.get('professionals')?.find(({ isOwn }) => isOwn)?.doc['business_name']
    expect(own(afterErasure, 'professionals')[0]?.doc['business_name']).toBe(name)
  })

  test('leaves no address, phone, text and picture behind', () => {
    const left = Array.from(afterErasure).flatMap(([table, rows]) =>
      texts(rows)
        .filter((text) => text.toLowerCase().includes(leaving.marker) || text.includes(leaving.login))
        .map((text) => `${table}: ${text}`),
    )
    // Quotes that were sent are what customers were promised; what customers were sent and events go by their age; files are removed
    // a day later.
    const isKept = (text: string) =>
      /^(quotes|outbox_events|webhook_events|files|idempotency_records):/.test(text) ||
      (text.startsWith('messages:') && /"recipient":"home\d?@example.com"/.test(text))
    expect(left.filter((text) => !isKept(text))).toEqual([])
    expect(own(afterErasure, 'files').every(({ doc }) => doc['unused_since'] !== null)).toBe(true)
  })

  test('does not touch any row of others', () => {
    for (const [table, rows] of before) {
      if (MOVING.has(table)) continue
      const others = texts(rows.filter(({ doc, isOwn }) => !isOwn && !isOfLeaver(doc)))
      const now = new Set(texts(afterErasure.get(table)))
      expect([table, others.filter((text) => !now.has(text))]).toEqual([table, []])
    }
    expect(texts(before.get('bookings')).some((text) => text.includes(staying.id))).toBe(true)
  })
})

/** Rows that are found by another one of the pro's: they go with it. */
const isOfLeaver = (doc: Record<string, unknown>): boolean => JSON.stringify(doc).includes(leaving.id)

test('the neighbour logs in, works and is booked as before', async () => {
  const again = await loggedInVisitor(app, 'pro', { pro: staying.id })
  expect((await again.get('/console')).status).toBe(200)
  const json = bookingBody(staying, 24 * 40)
  expect((await app.send('/api/v1/bookings', { key: it.key, json })).status).toBe(201)
  expect((await app.send('/api/v1/pro/bookings', { key: staying.key })).status).toBe(200)
})
