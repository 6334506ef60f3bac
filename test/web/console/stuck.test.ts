// /console/stuck: what does not go on without an operator, and the button that helps.
import { afterEach, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'

import { ctxOf } from '../../../src/ctx.ts'
import { isStillWanted, recordDeadLetter } from '../../../src/features/upkeep/dead-letters/verbs.ts'
import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import type { Envelope } from '../../../src/platform/queue/queues.ts'
import { openMetrics } from '../../../src/platform/telemetry/metrics.ts'
import { defineActor } from '../../../workers/runtime/actor.ts'
import { createMessageHandler } from '../../../workers/runtime/message-handler.ts'
import { book } from '../../support/booking-fixture.ts'
import { opened } from '../../support/fixture.ts'
import { openMessageFixture } from '../../support/messages.ts'
import { findPros } from '../../support/reviews.ts'
import { type Visitor, createTestUser, loggedInVisitor, visitorFromNewAddress } from '../../support/visitor.ts'
import { WEBHOOK_SCOPES, openWebhookFixture } from '../../support/webhooks.ts'

const PATH = '/console/stuck'
const LETTERS = '/console/stuck/letters/'
const hooks = await opened(openWebhookFixture())
const { app } = hooks
const { sql, deps } = app
const mail = await opened(openMessageFixture())
const operator = await loggedInVisitor(app, 'operator')
const [pro] = await findPros(app, 1)
if (!pro) throw new Error('The seed has no pro.')
const proKey = await app.key(WEBHOOK_SCOPES, pro.email)
afterEach(async () => void (await sql`delete from dead_letters`))

/** A new operator: sessions end while the clock of a test moves on by days. */
async function freshOperator(options: Parameters<typeof createTestUser>[2] = {}): Promise<Visitor> {
  const visitor = visitorFromNewAddress(app)
  await visitor.logIn(await createTestUser(app, 'operator', options))
  return visitor
}

/** A message of a worker that failed for good. Returns the id of its dead letter. */
async function fail(error: Error, actor = `sync-${randomUUID()}`, data: object = {}): Promise<string> {
  const messageId = randomUUID()
  await recordDeadLetter(ctxOf(deps), { actor, messageId, data, traceparent: null, attempts: 3, error })
  const [letter] = await sql<{ id: string }[]>`select id from dead_letters where message_id = ${messageId}`
  return letter?.id ?? ''
}

/** Takes the messages of a queue as a worker does, and handles each by `handle`. Returns how many there were. */
async function work(actor: string, handle: () => Promise<void>): Promise<number> {
  const queue = deps.queues.queue(actor)
  const jobs = await queue.getJobs(['waiting'])
  const context = {
    deps,
    ctx: ctxOf(deps),
    log: deps.log,
    metrics: openMetrics(actor),
    signal: new AbortController().signal,
  }
  const definition = defineActor({ name: actor, retry: { attempts: 1, delayMs: () => 0 }, handle })
  const handleMessage = createMessageHandler(context, definition, {
    state: undefined,
    mutex: { acquire: () => Promise.resolve(undefined), revokeAll: () => undefined },
    record: () => undefined,
    crash: () => undefined,
  })
  for (const job of jobs) {
    const { data, traceparent, deadLetterId } = job.data as Envelope
    await handleMessage({ id: job.id ?? '', data, traceparent, deadLetterId, attempt: 1 })
  }
  await queue.obliterate({ force: true })
  return jobs.length
}

const lettersOf = async (actor: string) => [
  ...(await sql<{ id: string; attempts: number; error: string }[]>`
    select id, attempts, error from dead_letters where actor = ${actor}`),
]
const actsOn = async (subject: string) =>
  (await sql<{ action: string }[]>`select action from operator_actions where subject_id = ${subject} order by at`).map(
    ({ action }) => action,
  )

test('a marketplace where nothing is stuck says so, with the time of the look', async () => {
  const { text } = await operator.get(PATH)
  expect(text).toContain('All is well')
  expect(text).toContain('<time datetime=')
  expect((await operator.get('/console')).text).not.toContain('dead letter')
})

test('an endpoint that failed until it was turned off is resumed, and gets what it missed', async () => {
  const webhook = await hooks.create({ name: 'Orders of the shop' }, proKey)
  hooks.receiver.answer = () => new Response('', { status: 500 })
  await hooks.emitAndPlan({ type: 'availability.updated', professionalId: pro.id })
  const failing = async () =>
    (
      await sql<{ n: number }[]>`
      select count(*)::int as n from webhook_endpoints where id = ${webhook.id} and failing_since is not null`
    )[0]?.n === 1
  expect(await waitUntil(failing, 10_000)).toBe(true)
  expect((await operator.get(PATH)).text).toContain('Try now')
  hooks.clock.advance(5 * 86_400_000 + 1000)
  const disabled = async () =>
    (
      await sql<{ reason: string }[]>`
      select disabled_reason as reason from webhook_endpoints where id = ${webhook.id}`
    )[0]?.reason === 'failing'
  expect(await waitUntil(disabled, 15_000)).toBe(true)
  const support = await freshOperator({ operatorRole: 'support' })
  const { text } = await support.get(PATH)
  for (const said of ['Orders of the shop', pro.email, 'Turned off after five days', 'the status 500', 'Resume'])
    expect(text).toContain(said)
  expect(text).not.toContain(new URL(webhook.url).pathname + '<')
  hooks.receiver.answer = () => new Response('ok')
  const before = hooks.at(webhook).length
  const { status } = await support.post(`${PATH}/endpoints/${webhook.id}`)
  expect(status).toBe(303)
  hooks.dispatcher.notify([webhook.id])
  expect(await waitUntil(async () => hooks.at(webhook).length > before, 10_000)).toBe(true)
  expect(await waitUntil(async () => !(await failing()), 10_000)).toBe(true)
  expect((await support.get(PATH)).text).not.toContain('Orders of the shop')
  // A second operator saw the page before: nothing is sent twice.
  await support.post(`${PATH}/endpoints/${webhook.id}`)
  expect((await support.get(PATH)).text).toContain('does not fail any more')
  expect(await actsOn(webhook.id)).toEqual(['endpoint.resumed'])
})

test('an endpoint that its owner turned off is not stuck, and no operator turns it on', async () => {
  const admin = await freshOperator()
  const webhook = await hooks.create({ name: 'Turned off by hand' }, proKey)
  await sql`update webhook_endpoints set failing_since = now() where id = ${webhook.id}`
  await app.send(`/api/v1/webhooks/${webhook.id}`, { method: 'PATCH', key: proKey, json: { status: 'disabled' } })
  expect((await admin.get(PATH)).text).not.toContain('Turned off by hand')
  await admin.post(`${PATH}/endpoints/${webhook.id}`)
  expect((await admin.get(PATH)).text).toContain('Its owner turned this endpoint off')
  expect(await actsOn(webhook.id)).toEqual([])
})

test('a message that came back is held until its address works again, and is sent by two buttons', async () => {
  const visitor = await loggedInVisitor(mail.app, 'operator')
  mail.smtp.answer = () => ({ code: 550, text: '5.1.1 No such user' })
  await book(mail, await mail.pro({ deposit: false }))
  await mail.settle()
  mail.smtp.answer = () => 'accepts'
  const shown = (await visitor.get(PATH)).text
  for (const said of ['Booking confirmed', 'home@example.com', 'No such user', 'The address works again'])
    expect(shown).toContain(said)
  expect((await visitor.get('/console')).text).toContain(`${PATH}?part=messages`)
  const [message] = await mail.sql<{ id: number }[]>`
    select id::int from messages where kind = 'booking-confirmed' order by id desc limit 1`
  const path = `/console/mail/${message?.id ?? 0}`
  expect(shown).toContain(`${path}/lift`)
  await visitor.post(`${path}/lift`, { email: 'home@example.com', reason: 'bounced' })
  expect((await visitor.get(`${PATH}?part=messages`)).text).toContain(`${path}/send`)
  await visitor.post(`${path}/send`)
  await mail.send()
  expect((await visitor.get(PATH)).text).not.toContain(`${path}/send`)
})

test('a recipient who unsubscribed, and a message of the past, are not stuck', async () => {
  const visitor = await loggedInVisitor(mail.app, 'operator')
  const insert = (recipient: string, days: number) => mail.sql`
    insert into messages (key, kind, recipient, data, status, outcome, send_at, created_at, finished_at)
    select ${randomUUID()}, 'hold-expiring', ${recipient}, '{}', 'suppressed', 'Held', at, at, at
    from (select ${mail.app.deps.clock.now().toISOString()}::timestamptz - make_interval(days => ${days}) as at) as past`
  await insert('unsubscribed@stuck.test.example', 1)
  await mail.sql`
    insert into message_suppressions (email, reason, created_at) values ('unsubscribed@stuck.test.example', 'unsubscribed', now())`
  await insert('past@stuck.test.example', 15)
  await insert('held@stuck.test.example', 13)
  const { text } = await visitor.get(`${PATH}?part=messages`)
  expect(['unsubscribed@stuck', 'past@stuck', 'held@stuck'].map((address) => text.includes(address))).toEqual([
    false,
    false,
    true,
  ])
})

test('a dead letter is shown in words, is sent again, and goes once its worker has handled it', async () => {
  const admin = await freshOperator()
  const eventId = await hooks.emitAndPlan({ type: 'booking.created', professionalId: pro.id })
  const id = await fail(new Error('The webhook has no place to go to'), 'relay-outbox', { eventId })
  const { text } = await admin.get(PATH)
  for (const said of [
    'Could not pass an event on: A booking was created',
    '/console/verification/',
    '3 times',
    'no place to go',
  ])
    expect(text).toContain(said)
  await admin.post(`${LETTERS}${id}`)
  expect((await admin.get(PATH)).text).toContain('Being tried again')
  // Two operators at once: it is on its way once.
  await (await freshOperator()).post(`${LETTERS}${id}`)
  expect(await actsOn(id)).toEqual(['letter.sent_again'])
  expect(await work('relay-outbox', () => Promise.resolve())).toBe(1)
  expect(await lettersOf('relay-outbox')).toEqual([])
  expect((await admin.post(`${LETTERS}${id}`)).status).toBe(404)
})

test('a retry that fails again keeps its dead letter, with the first and the last time', async () => {
  const admin = await freshOperator()
  const actor = `sync-${randomUUID()}`
  const id = await fail(new Error('first'), actor)
  hooks.clock.advance(3600_000)
  await admin.post(`${LETTERS}${id}`)
  await work(actor, () => Promise.reject(new Error('second')))
  expect(await lettersOf(actor)).toEqual([{ id, attempts: 4, error: 'Error: second' }])
  const [times] = await sql<{ seconds: number }[]>`
    select extract(epoch from failed_at - first_failed_at)::int as seconds from dead_letters where id = ${id}`
  expect(times?.seconds).toBeGreaterThanOrEqual(3600)
})

test('a discarded dead letter stays discarded, whatever the worker that has it does', async () => {
  const admin = await freshOperator()
  const actor = `sync-${randomUUID()}`
  const id = await fail(new Error('down'), actor)
  const page = `${LETTERS}${id}/discard`
  expect((await admin.get(page)).text).toContain('This cannot be undone')
  expect((await admin.post(page, { reason: '' })).status).toBe(400)
  await admin.post(`${LETTERS}${id}`)
  // The worker is busy with it while two operators discard it.
  const other = await freshOperator()
  const discard = async () => {
    const both = await Promise.all([admin, other].map((by) => by.post(page, { reason: 'The booking is long over.' })))
    expect(both.map(({ status }) => status)).toEqual([303, 303])
    throw new Error('down again')
  }
  expect(await work(actor, discard)).toBe(1)
  expect(await lettersOf(actor)).toEqual([])
  expect((await actsOn(id)).filter((action) => action === 'letter.discarded')).toHaveLength(1)
  expect((await admin.get(PATH)).text).toContain('All is well')
})

test('a retry that waits in its queue does nothing once it is discarded', async () => {
  const admin = await freshOperator()
  const actor = `sync-${randomUUID()}`
  const id = await fail(new Error('down'), actor)
  await admin.post(`${LETTERS}${id}`)
  await admin.post(`${LETTERS}${id}/discard`, { reason: 'The booking is long over.' })
  let runs = 0
  await work(actor, () => Promise.resolve(void runs++))
  expect([runs, await isStillWanted(ctxOf(deps), { id })]).toEqual([0, false])
})

test('all dead letters of one worker are tried again by one button, and those of others wait', async () => {
  const admin = await freshOperator()
  const other = await fail(new Error('down'), 'decode-files')
  const ids = [await fail(new Error('down'), 'sync-calendars'), await fail(new Error('down'), 'sync-calendars')]
  expect((await admin.get(PATH)).text).toContain('Try all again: read calendars')
  await admin.post(`${PATH}/letters`, { worker: 'sync-calendars' })
  for (const id of ids) expect(await actsOn(id)).toEqual(['letter.sent_again'])
  expect(await actsOn(other)).toEqual([])
  expect(await work('sync-calendars', () => Promise.resolve())).toBe(2)
})

test('an error that names the inside of the server is told in words, and long lists have further pages', async () => {
  const admin = await freshOperator()
  for (let n = 0; n < 21; n++) await fail(new Error('duplicate key value violates unique constraint "jobs_pkey"'))
  const { text } = await admin.get(PATH)
  expect(text).toContain('A fault within the server.')
  expect(text).not.toContain('constraint')
  expect(text).toContain(`${PATH}?part=letters&amp;offset=20`)
  const older = (await admin.get(`${PATH}?part=letters&offset=20`)).text
  expect(older.match(/<td data-column="What failed"/g)).toHaveLength(1)
})

test('support sees dead letters without their buttons', async () => {
  const support = await freshOperator({ operatorRole: 'support' })
  const id = await fail(new Error('down'))
  const { text } = await support.get(PATH)
  expect(text).toContain('Dead letters')
  expect(text).not.toContain(id)
})
