// A request that was answered with 503 has changed nothing, or its answer says that the outcome is unknown.
import { expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'

import { siteAccountOf } from '../../src/auth/accounts/verbs.ts'
import { PRESETS } from '../../src/auth/scopes.ts'
import { toAppError } from '../../src/http/problem.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { rememberCommits } from '../../src/platform/postgres/effects.ts'
import { StoreUnavailable } from '../../src/platform/store-error.ts'
import { CUSTOMER_SERVER, PRO_SERVER } from '../support/agents.ts'
import { VISIT_ADDRESS } from '../support/booking-fixture.ts'
import { type BookableSlot, findBookableSlot, openTestApp } from '../support/app.ts'
import { opened } from '../support/fixture.ts'
import { findPros } from '../support/reviews.ts'
import { slowWrites } from '../support/slow-writes.ts'
import { CUSTOMER_CALLS, PRO_CALLS, type ToolFixture, createToolFixture } from '../support/tool-fixture.ts'
import { type ValidRequest, validRequests } from '../support/valid-requests.ts'
import { Visitor } from '../support/visitor.ts'

const app = await opened(openTestApp('seeded', { databaseLimitMs: 1500 }))
let slot: BookableSlot = { professionalId: '', slug: '', serviceId: '', date: '', time: '' }

/** The calls of all tools that may change something, prepared while writes are quick. */
async function prepareToolCalls(fixture: ToolFixture): Promise<ToolCall[]> {
  const { keys } = fixture
  const calls: ToolCall[] = []
  for (const [server, secret, ofServer] of [
    [CUSTOMER_SERVER, keys.customer, CUSTOMER_CALLS],
    [PRO_SERVER, keys.pro, PRO_CALLS],
  ] as const)
    for (const [name, call] of Object.entries(ofServer))
      if (!READS.test(name)) calls.push({ name, server, secret, args: await call(fixture) })
  return calls
}

interface ToolCall {
  name: string
  server: string
  secret: string
  args: object
}

const READS = /^(?:list|get|search|query|compare|view)_/
// The account of the pages is made by their first booking.
await siteAccountOf(app.deps)()
slot = await findBookableSlot(app)
// Not the pro of the slot: a business cannot review itself.
const pro = (await findPros(app, 2)).find(({ id }) => id !== slot.professionalId)
await app.sql`update professionals set plan = 'business' where id = ${pro?.id ?? null}`
const presets = ['full-server', 'pro-dashboard', 'webhook-receiver', 'agent-tools'] as const
const key = await app.key(
  presets.flatMap((preset) => PRESETS[preset]),
  pro?.email,
)
const clientKey = await app.key(PRESETS['agent-tools'], await app.client())
const toolCalls = await prepareToolCalls(await createToolFixture(app, 3))
const slow = await slowWrites(app.sql)

interface Seen {
  name: string
  status: number
  code: string | undefined
  /** The tables with changes that were committed. */
  changed: string[]
}

/** Makes each write take so long that a request with a few of them is given up, and says what is committed when all is quiet. */
async function observe(name: string, send: () => Promise<Response>): Promise<Seen> {
  await slow.begin()
  const response = await send()
  const text = await response.text()
  // Tools have the problem in a text, too.
  const code = /\\?"code\\?":\\?"(\w+)/.exec(text)?.[1]
  expect(await waitUntil(() => slow.isQuiet(), 10_000)).toBe(true)
  return { name, status: response.status, code, changed: await slow.changed() }
}

/** Whether the answer is a 503, or the same problem in the result of a tool. */
const isRefused = ({ status, code = '' }: Seen) => status === 503 || ['unavailable', 'outcome_unknown'].includes(code)

/** What a 503 promises. */
function expectHonest(seen: Seen): void {
  if (!isRefused(seen)) return
  const isUnknown = seen.code === 'outcome_unknown'
  expect({ ...seen, changed: isUnknown ? [] : seen.changed }).toEqual({ ...seen, changed: [] })
}

function send(name: string, { path, query, body }: ValidRequest): Promise<Response> {
  const [method = '', template = ''] = name.split(' ')
  const filled = template.replace(/:(\w+)/g, (_, param: string) => encodeURIComponent(path?.[param] ?? ''))
  const search = query ? `?${new URLSearchParams(query).toString()}` : ''
  const callerKey = template.startsWith('/api/v1/properties') ? clientKey : key
  const headers = { 'idempotency-key': randomUUID() }
  return app.send(`${filled}${search}`, { method, key: callerKey, headers, ...(body ? { json: body } : {}) })
}

test('every write that is answered with 503 has changed nothing, while the database is slow', async () => {
  const writes = Object.keys(validRequests(slot)).filter((name) => !name.startsWith('GET '))
  const seen: Seen[] = []
  for (const name of writes) seen.push(await observe(name, () => send(name, validRequests(slot)[name] ?? {})))
  for (const one of seen) expectHonest(one)
  const refused = seen.filter(({ status }) => status === 503)
  expect(refused.filter(({ code }) => code === 'unavailable').map(({ name }) => name)).toEqual(
    expect.arrayContaining(['POST /api/v1/bookings', 'POST /api/v1/reviews', 'PATCH /api/v1/pro/availability']),
  )
}, 300_000)

test('so has every tool of agents', async () => {
  const seen: Seen[] = []
  for (const { name, server, secret, args } of toolCalls)
    seen.push(
      await observe(name, () =>
        app.send(server, {
          key: secret,
          json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
        }),
      ),
    )
  for (const one of seen) expectHonest(one)
  expect(seen.filter(({ code }) => code === 'unavailable').map(({ name }) => name)).toEqual(
    // They read the booking of a link before.
    expect.arrayContaining(['book_appointment', 'request_quote', 'cancel_booking', 'submit_review', 'confirm_action']),
  )
}, 300_000)

test('so has the form of a page', async () => {
  const visitor = new Visitor(app)
  const fields = {
    service: slot.serviceId,
    date: slot.date,
    time: slot.time,
    name: 'Customer',
    email: 'page@test.example',
    phone: '555-0100',
    ...VISIT_ADDRESS,
    idempotencyKey: randomUUID(),
  }
  const seen = await observe('page', async () => {
    const { status, text } = await visitor.postRaw(`/pros/${slot.professionalId}/book`, fields)
    return new Response(text, { status })
  })
  expect(seen).toMatchObject({ status: 503, changed: [] })
}, 30_000)

test('a request that fails after its change was committed says that the outcome is unknown', async () => {
  const failure = new StoreUnavailable('postgres')
  const failedAfter = (work: () => Promise<unknown>) =>
    rememberCommits(async () => {
      await work()
      return toAppError(failure)
    })
  const { write } = app.deps
  const reading = await failedAfter(() => write.run('read', (sql) => sql`select id from professionals limit 1`))
  expect(reading).toMatchObject({ status: 503, code: 'unavailable' })
  const changes = [
    () => write.run('change', (sql) => sql`update professionals set event_sequence = event_sequence where false`),
    () =>
      write.run('with', (sql) => sql`with gone as (delete from reviews where false returning id) select id from gone`),
    () => write.run('call', (sql) => sql`select * from lock_schedule(${slot.professionalId}) where false`),
    () => write.begin('change', (tx) => tx.run('change', (sql) => sql`select 1`)),
  ]
  for (const change of changes)
    expect(await failedAfter(change)).toMatchObject({ status: 503, code: 'outcome_unknown', retryAfterSeconds: 2 })
})
