// Tenants for the isolation tests, each with one row of every owned kind.
import { randomUUID } from 'node:crypto'

import { SCOPES, type Scope, isWidgetScope } from '../../src/auth/scopes.ts'
import { createKey } from '../../src/auth/keys/verbs/keys.ts'
import { addNotice, listNotices } from '../../src/features/messages/notices/verbs.ts'
import { addOffer } from '../../src/features/business/offers/verbs.ts'
import { propose } from '../../src/features/agents/proposals/verbs/proposals.ts'
import { approveReview } from '../../src/features/reviews/reviews/verbs/reviews.ts'
import { createWebhook } from '../../src/webhooks/endpoints/verbs/endpoints.ts'
import type { TestApp } from './app.ts'
import type { Home } from './crawl/answers.ts'
import { signedInCustomer } from './customers.ts'
import type { Sql } from '../../src/platform/postgres/database.ts'
import { testSql } from './database.ts'
import { insertFile } from './stored-files.ts'
import { connectApps, customerToken } from './tenant-apps.ts'
import { tokenOf } from './quotes.ts'
import { type TestPro, insertPro } from './schedule.ts'
import { Visitor, loggedInVisitor } from './visitor.ts'
import { ctxOf } from '../../src/ctx.ts'

export type Role = 'pro' | 'developer' | 'client' | 'customer'
export const ROLES: readonly Role[] = ['pro', 'developer', 'client', 'customer']

/** The owned kinds with the roles that may read them. */
export const OWNERS = {
  booking: ['pro', 'developer', 'customer'],
  finishedBooking: ['customer'],
  finishedJob: ['customer'],
  askedRequest: ['pro', 'developer', 'customer'],
  member: ['pro'],
  /** Only the tests of the console use and end these. */
  spareMember: ['pro'],
  spareBlock: ['pro'],
  spareOffer: ['pro'],
  block: ['pro'],
  calendar: ['pro'],
  spareCalendar: ['pro'],
  customerBlock: ['pro'],
  spareCustomerBlock: ['pro'],
  lead: ['pro'],
  quote: ['pro'],
  job: ['pro', 'customer'],
  proposal: ['pro'],
  review: ['pro'],
  sentReview: ['customer'],
  /** An unpublished review, visible only to its pro. */
  pendingReview: ['pro'],
  /** A service that only this tenant's pro offers. */
  offer: ['pro'],
  property: ['client'],
  webhook: ['developer'],
  delivery: ['developer'],
  /** A webhook that only the test of deletion uses. */
  spareWebhook: ['developer'],
  key: ['developer'],
  file: ['pro'],
  notice: ['developer'],
  /** What a person connected an app by. */
  proApp: ['pro'],
  customerApp: ['customer'],
  /** The address of the customer, for whom the developer sent a request. */
  customerEmail: ['developer', 'customer'],
} as const satisfies Record<string, readonly Role[]>
export type OwnedKind = keyof typeof OWNERS

/** A pro, a developer, a client and a customer with their data. */
export interface Tenant {
  /** The customer's is the access token of an app that they connected. */
  readonly keys: Record<Role, string>
  /** Visitors logged in to the console, or signed in as a customer. The client's is not, because clients have no users. */
  readonly visitors: Record<Role, Visitor>
  readonly own: Record<OwnedKind, string>
  readonly professionalId: string
  /** All owner ids in the tenant's rows. */
  readonly owners: readonly string[]
}

/** The day of the completed booking, and the price of the completed job. */
const FINISHED_ON = '2026-06-09'
const FINISHED_FOR = 240

/** All scopes of server keys. */
const ALL_SCOPES = (Object.keys(SCOPES) as Scope[]).filter((scope) => !isWidgetScope(scope))

/** Creates a tenant in a migrated database, through the API where possible. */
export async function createTenant(
  app: TestApp,
  customerEmail = `customer-${randomUUID()}@test.example`,
  address: Home['address'] = { street: '1 Main Street', city: 'Austin', state: 'TX', zipCode: '78701' },
): Promise<Tenant> {
  const sql = testSql(app.databaseUrl, 1)
  const pro = await insertPro(sql, { timeZone: 'UTC' })
  await sql`
    update professionals set city_id = c.id, latitude = c.latitude, longitude = c.longitude
    from cities c where c.name = ${address.city} and c.state = ${address.state} and professionals.id = ${pro.id}`
  const developer = `developer-${randomUUID()}@test.example`
  const client = await app.client()
  const keys = {
    pro: await app.key(ALL_SCOPES, `${pro.id}@example.com`),
    developer: await app.key(ALL_SCOPES, developer),
    client: await app.key(ALL_SCOPES, client),
    customer: '',
  }
  const hooks = await createOwnedRows(app, { keys, pro, customerEmail, address })
  await finishWork(sql, pro.id)
  const { id: proposal } = await propose(ctxOf(app.deps, { accountId: pro.accountId, professionalId: pro.id }), {
    kind: 'business_profile',
    change: { description: 'Gutters, in any weather.', serviceRadiusMiles: 30 },
  })
  const accountOf = async (email: string) =>
    (await sql<{ id: string }[]>`select id from accounts where email = ${email}`)[0]?.id ?? ''
  const customerOf = async (email: string) =>
    (await sql<{ id: string }[]>`select account_id as id from customers where email = ${email}`)[0]?.id ?? ''
  const [developerId, clientId] = [await accountOf(developer), await accountOf(client)]
  const idOf = async (table: string, status?: string) => {
    const owner = table === 'properties' ? sql`account_id = ${clientId}` : sql`professional_id = ${pro.id}`
    const [row] = await sql<{ id: string }[]>`
      select id from ${sql(table)} where ${owner} and ${status ? sql`status = ${status}` : sql`true`} limit 1`
    if (!row) throw new Error(`The tenant has no row in ${table}.`)
    return row.id
  }
  const tenant = {
    keys: { ...keys, customer: await customerToken(app, customerEmail) },
    visitors: {
      pro: await loggedInVisitor(app, 'pro', { pro: pro.id }),
      developer: await loggedInVisitor(app, 'developer', { account: developer }),
      client: new Visitor(app),
      customer: await signedInCustomer(app, customerEmail),
    },
    professionalId: pro.id,
    owners: [pro.id, pro.accountId, developerId, clientId, await customerOf(customerEmail)],
    own: {
      booking: await idOf('bookings', 'confirmed'),
      finishedBooking: await idOf('bookings', 'completed'),
      finishedJob: await idOf('jobs', 'completed'),
      lead: await idOf('rfqs'),
      askedRequest: await idOf('rfqs'),
      quote: await idOf('quotes'),
      job: await idOf('jobs', 'scheduled'),
      review: await idOf('reviews', 'approved'),
      sentReview: await idOf('reviews', 'approved'),
      pendingReview: await idOf('reviews', 'pending'),
      property: await idOf('properties'),
      file: (await insertFile(app, sql, pro.id)).id,
      offer: pro.serviceId,
      spareOffer: await offerAnother(app, sql, pro),
      proposal,
      customerEmail,
      ...hooks,
      ...(await createConsoleData(app, developer, developerId)),
      ...(await connectApps(app, sql, { professionalId: pro.id, customerEmail })),
    },
  }
  await sql.end()
  return tenant
}

/** A second service that only this tenant's pro offers. */
async function offerAnother(app: TestApp, sql: Sql, { id: professionalId, serviceId }: TestPro): Promise<string> {
  const another = randomUUID()
  await sql`
    insert into services (id, ordinal, category_id, name, slug, price_type, duration_minutes)
    select ${another}, (select max(ordinal) + 1 from services), category_id, 'Gutter cleaning', ${another}, 'flat', 60
    from services where id = ${serviceId}`
  await addOffer(ctxOf(app.deps, { professionalId }), { serviceId: another, basePrice: 80 })
  return another
}

/** One booking and one job are completed. */
async function finishWork(sql: Sql, professionalId: string): Promise<void> {
  await sql`
    update bookings set status = 'completed', completed_at = ends_at
    where professional_id = ${professionalId} and (starts_at at time zone 'UTC')::date = ${FINISHED_ON}::text::date`
  await sql`
    update jobs set status = 'completed', started_at = created_at, completed_at = created_at
    where professional_id = ${professionalId} and amount_cents = ${FINISHED_FOR * 100}`
}

/** Data that only the console shows. */
async function createConsoleData({ deps }: TestApp, developer: string, developerId: string) {
  const { id: key } = await createKey(ctxOf(deps), { ownerEmail: developer, scopes: ['pros:read'], name: 'spare' })
  const url = 'https://hooks.test.example/spare'
  const input = { name: 'Spare', url, events: ['booking.created' as const] }
  const { id: spareWebhook } = await createWebhook(ctxOf(deps, { accountId: developerId }), input)
  await ctxOf(deps).transaction('addNotice', (ctx) =>
    addNotice(ctx, { kind: 'webhook_disabled', data: { webhookId: spareWebhook }, accountId: developerId }),
  )
  const [notice] = await listNotices(ctxOf(deps), { accountId: developerId })
  return { key, spareWebhook, notice: notice?.id ?? '' }
}

interface TenantAccess {
  keys: Record<Role, string>
  pro: { id: string; serviceId: string }
  customerEmail: string
  address: Home['address']
}

async function createOwnedRows(app: TestApp, { keys, pro, customerEmail, address }: TenantAccess) {
  const send = async (path: string, key: string, json: object, method = 'POST') => {
    const answer = await app.send(path, { key, json, method })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Record<string, { id: string }>
  }
  const { id: professionalId, serviceId } = pro
  const customer = { name: 'Homeowner', email: customerEmail }
  const visit = { professionalId, serviceId, customer, date: '2026-06-10', time: '09:00' }
  await send('/api/v1/bookings', keys.developer, visit)
  await send('/api/v1/bookings', keys.developer, { ...visit, date: FINISHED_ON })
  const request = { professionalId, serviceId, customer, description: 'The gutter leaks at the corner.' }
  for (const amount of [480, FINISHED_FOR]) {
    const { rfq } = await send('/api/v1/rfqs', keys.developer, request)
    const { quote } = await send('/api/v1/pro/quotes', keys.pro, { rfqId: rfq?.id, amount })
    await send(`/api/v1/quotes/${tokenOf(app.deps, quote?.id ?? '')}/accept`, keys.developer, {})
  }
  const { review } = await send('/api/v1/reviews', keys.developer, {
    professionalId,
    customer,
    rating: 5,
    content: 'Fine.',
  })
  await approveReview(ctxOf(app.deps), { id: review?.id ?? '' })
  const another = { name: 'Homeowner', email: `another-${customerEmail}` }
  await send('/api/v1/reviews', keys.developer, { professionalId, customer: another, rating: 4, content: 'Good.' })
  const addMember = async () => {
    const member = { name: 'Crew 1', email: `crew-${randomUUID()}@test.example` }
    return (await send('/api/v1/pro/team', keys.pro, member)).member?.id ?? ''
  }
  const [member, spareMember] = [await addMember(), await addMember()]
  const blockDay = async (date: string) => {
    const time = { startDateTime: `${date}T09:00:00Z`, endDateTime: `${date}T12:00:00Z` }
    return (await send('/api/v1/pro/availability', keys.pro, time)).block?.id ?? ''
  }
  const [block, spareBlock] = [await blockDay('2026-07-01'), await blockDay('2026-07-02')]
  const importCalendar = async () => {
    const calendar = { name: 'Family', url: `https://calendars.test.example/${randomUUID()}.ics` }
    return (await send('/api/v1/pro/calendars', keys.pro, calendar)).calendar?.id ?? ''
  }
  const [calendar, spareCalendar] = [await importCalendar(), await importCalendar()]
  const blockCustomer = async (email: string) =>
    (await send('/api/v1/pro/blocked-customers', keys.pro, { email })).customer?.id ?? ''
  const customerBlock = await blockCustomer(`blocked-${customerEmail}`)
  const spareCustomerBlock = await blockCustomer(`spare-${customerEmail}`)
  const offer = { serviceId, packageKind: 'maintenance', packagePrice: 99 }
  await send('/api/pro/services', keys.pro, offer, 'PATCH')
  await send('/api/v1/properties', keys.client, { name: 'Unit 4B', address })
  const hook = { name: 'Orders', url: 'https://hooks.test.example/orders', events: ['booking.created'] }
  const { id: webhook } = (await (await app.send('/api/v1/webhooks', { key: keys.developer, json: hook })).json()) as {
    id: string
  }
  const sent = await app.send(`/api/v1/webhooks/${webhook}/test`, { key: keys.developer, method: 'POST', json: {} })
  const { eventId: delivery } = (await sent.json()) as { eventId: string }
  const spares = { spareMember, spareBlock, spareCalendar, spareCustomerBlock }
  return { webhook, delivery, calendar, customerBlock, member, block, ...spares }
}

/** Tables that change with every request or belong to no tenant. */
const BOOKKEEPING = ['idempotency_records', 'schema_files', 'spatial_ref_sys']

/** A checksum of all rows, or of all rows with one of the `owners`. It ignores the last use of a key. */
export async function checksum(sql: Sql, owners?: readonly string[]): Promise<Record<string, string>> {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace and relname not in ${sql(BOOKKEEPING)}
    order by relname`
  const sums: Record<string, string> = {}
  const pattern = owners ? owners.join('|') : ''
  for (const { name } of tables) {
    const row = name === 'api_keys' ? sql`(to_jsonb(t) - 'last_used_at')::text` : sql`t::text`
    const [sum] = await sql<{ sum: string | null }[]>`
      select md5(string_agg(${row}, ',' order by ${row})) as sum from ${sql(name)} t where ${row} ~ ${pattern}`
    sums[name] = sum?.sum ?? ''
  }
  return sums
}
