// Random lives of payments against real processes: servers and sweepers are killed while they talk with a provider as Stripe is.
// At the end both sides say the same, to the cent, and each refund was made once.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'

import { compareIntent, listDifferences } from '../../src/features/money/checkout/verbs/reconciliation.ts'
import { systemClock } from '../../src/platform/clock/clock.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { processCounts } from '../../workers/runtime/actor-names.ts'
import { type Supervisor, startSupervisor } from '../../workers/runtime/supervisor.ts'
import { type TestApp, openTestApp } from '../support/app.ts'
import type { CreatedBooking } from '../support/booking-fixture.ts'
import { FakeStripe } from '../support/fake-stripe.ts'
import { type FakeEvent, type FakeIntent, Refusal, isFailed } from '../support/fake-stripe-ledger.ts'
import { longForm } from '../support/long-form.ts'
import { expectAgreement } from '../support/refund-agreement.ts'
import { seededRandom } from '../support/search.ts'
import { type TestPro, insertPro } from '../support/schedule.ts'
import { type ServerPool, openServerPool } from '../support/server-pool.ts'
import { testRedisUrl } from '../support/stores.ts'
import { Visitor, createTestUser } from '../support/visitor.ts'
import { ctxOf } from '../../src/ctx.ts'

const LIVES = longForm(80, 1000)
const SEED = Number(process.env['HEARTH_TEST_SEED'] ?? 29)
const AT_ONCE = 12
const STEPS_EACH = 10
const STEPS_PER_KILL = 40
/** How long this test waits for processes and the database of a busy machine. */
const PATIENCE_MS = 180_000

const random = seededRandom(SEED)
const below = (limit: number): number => Math.floor(random() * limit)
const pick = <T>(all: readonly T[]): T | undefined => all[below(all.length)]

const happened: Record<string, number> = {}
const note = (what: string) => void (happened[what] = (happened[what] ?? 0) + 1)

const stripe = new FakeStripe()
let app: TestApp
let servers: ServerPool
let sweepers: Supervisor
let operator: Visitor
let key = ''
const pros: TestPro[] = []

beforeAll(async () => {
  const env = { ...stripe.env, HEARTH_SECRET: 'a secret that all processes of this test share', LOG_LEVEL: 'error' }
  const common = { ...env, BASE_URL: 'http://127.0.0.1:3000' }
  app = await openTestApp('migrated', { env: common, clock: systemClock })
  const { databaseUrl } = app
  servers = openServerPool({ databaseUrl, env: { ...common, LOG_LEVEL: 'info' } }, 2, below)
  sweepers = startSupervisor({
    actors: processCounts(['relay-outbox', 'sweep-expired'], new Map([['sweep-expired', 2]])),
    env: { PATH: process.env['PATH'], DATABASE_URL: databaseUrl, REDIS_URL: testRedisUrl, ...common },
    output: 'inherit',
    onEvent: () => undefined,
    limits: { firstDelayMs: 100, longestDelayMs: 500 },
  })
  key = await app.key(['bookings:write'])
  while (pros.length < AT_ONCE) pros.push(await insertPro(app.sql, { timeZone: 'UTC' }))
  await app.sql`update professionals set deposit_required = true, deposit_percentage = 20`
  await app.sql`update professional_services set base_price_cents = 25000`
  operator = new Visitor(app, (request) => send(request.url.slice(app.deps.config.baseUrl.length), request))
  const email = await createTestUser(app, 'operator')
  await until(async () => (await operator.logIn(email)).status === 303)
})
afterAll(async () => {
  await Promise.all([servers.close(), sweepers.stop()])
  await app.close()
  await stripe.close()
})

const until = async (isSo: () => boolean | Promise<boolean>) => expect(await waitUntil(isSo, PATIENCE_MS)).toBe(true)

/** Sends a request to one of the servers. Throws when that is killed before it has answered. */
async function send(path: string, init: RequestInit): Promise<Response> {
  await until(() => servers.server() !== undefined)
  const url = `${servers.server()?.url}${path}`
  return await fetch(init instanceof Request ? new Request(url, init) : url, { ...init, redirect: 'manual' })
}

const post = (path: string, json: object, headers: Record<string, string> = {}) =>
  send(path, {
    method: 'POST',
    body: JSON.stringify(json),
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
  })

/** Runs a step. A killed server has not answered; refusals and outages are answers. */
async function attempt(name: string, step: () => Promise<{ status: number } | void>): Promise<number> {
  try {
    const status = (await step())?.status ?? 200
    note(status < 400 ? name : `${name}: ${status}`)
    if (status === 500) throw new Error(`${name} answered 500.`)
    return status
  } catch (error) {
    // A refusal of the fake Stripe, or a connection that ended.
    if (!(error instanceof Error && 'code' in error)) throw error
    note(`${name}: ${String(error.code)}`)
    return error instanceof Refusal ? 409 : 0
  }
}

interface Life {
  intent: FakeIntent
  bookingId: string
  paymentId: string
}

const refundsOf = ({ intent }: Life) => stripe.refunds.filter((refund) => refund.intent === intent.id)
const disputesOf = ({ intent }: Life) => stripe.disputes.filter((dispute) => dispute.intent === intent.id)
const eventsOf = ({ intent }: Life) => stripe.outbox.filter(({ body }) => body.includes(intent.id))

async function begin(n: number): Promise<Life> {
  const { id: professionalId, serviceId } = pros[n % AT_ONCE] as TestPro
  const hours = 72 + Math.floor(n / AT_ONCE)
  const startsAt = new Date((Math.ceil(Date.now() / 3_600_000) + hours) * 3_600_000).toISOString()
  const [date, time] = [startsAt.slice(0, 10), startsAt.slice(11, 16)]
  const customer = { name: 'Homeowner in Austin', email: 'home@example.com' }
  const idempotencyKey = randomUUID()
  let created: CreatedBooking | undefined
  await until(async () => {
    const status = await attempt('book', async () => {
      const body = { professionalId, serviceId, date, time, customer }
      const answer = await post('/api/v1/bookings', body, { 'idempotency-key': idempotencyKey })
      if (answer.status === 201) created = (await answer.json()) as CreatedBooking
      return answer
    })
    return status === 201
  })
  const bookingId = created?.booking.id ?? ''
  const [row] = await app.sql<{ id: string }[]>`select id from payments where booking_id = ${bookingId}`
  return { intent: stripe.pay(created?.payment?.clientSecret ?? ''), bookingId, paymentId: row?.id ?? '' }
}

/** Delivers a notification, which stays until it is acknowledged, and is sometimes repeated. */
async function notify(event: FakeEvent | undefined, isRepeated = false): Promise<{ status: number } | void> {
  if (!event) return
  const answer = await send('/webhooks/stripe', {
    method: 'POST',
    body: event.body,
    headers: { 'content-type': 'application/json', 'stripe-signature': stripe.sign(event.body, new Date()) },
  })
  if (answer.status === 200 && !isRepeated) remove(event)
  return answer
}

const remove = (event: FakeEvent) => {
  const index = stripe.outbox.indexOf(event)
  if (index >= 0) stripe.outbox.splice(index, 1)
}

const STEPS: Record<string, (life: Life) => Promise<{ status: number } | void>> = {
  notify: (life) => notify(pick(eventsOf(life)), random() < 0.3),
  'notify again': (life) => notify(pick(eventsOf(life)), random() < 0.3),
  'lose a notification': async (life) => eventsOf(life).slice(0, 1).forEach(remove),
  cancel: ({ bookingId }) => post(`/api/v1/bookings/${bookingId}/cancel`, {}),
  'refund a part': (life) => refundPart(life),
  // Most are refused: the payment is not paid yet, or on its way back.
  'refund a part again': (life) => refundPart(life),
  'a day at Stripe': async () => stripe.advance(25),
  'refund in the dashboard': async ({ intent }) => refundInDashboard(intent, 1 + below(3000)),
  'refund all in the dashboard': async ({ intent }) => refundInDashboard(intent, intent.captured - intent.refunded),
  dispute: async (life) => {
    if (disputesOf(life).length === 0) stripe.dispute(life.intent.id, 1 + below(5000))
  },
  'close a dispute': async (life) => closeDisputes(life),
  'move a refund': async (life) => {
    const refund = pick(refundsOf(life).filter(({ status }) => !isFailed(status)))
    if (refund) stripe.moveRefund(refund, refund.status === 'pending' && random() < 0.6 ? 'succeeded' : 'failed')
  },
  'change the answer': async () => {
    stripe.refundStatus = pick(['succeeded', 'pending', 'pending', 'failed'] as const) ?? 'succeeded'
  },
}

const refundPart = ({ paymentId }: Life) =>
  operator.post(`/console/payments/${paymentId}/refund`, {
    refundId: randomUUID(),
    amount: `${below(30)}.${10 + below(90)}`,
    reason: 'Rain.',
  })

/** Refuses as Stripe does. */
const refundInDashboard = (intent: FakeIntent, cents: number) => void stripe.refund(intent.id, cents)

const closeDisputes = (life: Life) => {
  for (const dispute of disputesOf(life))
    if (dispute.status === 'needs_response') stripe.moveDispute(dispute, random() < 0.5 ? 'won' : 'lost')
}

/** Kills a server or a sweeper, which starts again, while the other lives are at work. */
function kill(): void {
  const sweeper = pick(sweepers.running())
  if (random() < 0.5) servers.server()?.signal('SIGKILL')
  else if (sweeper) process.kill(sweeper.pid, 'SIGKILL')
  note('killed')
}

/**
 * Makes refunds due that were claimed before `since` ago, and so is the comparison with the provider. While days pass at Stripe,
 * no process may still be sending what it claimed then: afterwards the key keeps two from making it.
 */
async function passTime(since: '10 seconds' | '1 second'): Promise<void> {
  await app.sql`
    update payment_refunds set next_attempt_at = now()
    where status in ('pending', 'part') and next_attempt_at > now()
      and next_attempt_at - least(3600, 15 * 2 ^ least(greatest(attempts - 1, 0), 10)) * interval '1 second'
        < now() - ${since}::interval`
  await app.sql`update payment_reconciliations set next_at = now()`
}

let steps = 0
async function live(n: number): Promise<Life> {
  const life = await begin(n)
  for (let step = 0; step < STEPS_EACH; step++) {
    const name = step === 0 && random() < 0.7 ? 'notify' : (pick(Object.keys(STEPS)) ?? '')
    const isAnswered = async () => ![0, 503].includes(await attempt(name, async () => await STEPS[name]?.(life)))
    // Some give up.
    if (!(await isAnswered()) && random() < 0.7) await until(isAnswered)
    if (++steps % STEPS_PER_KILL !== 0) continue
    kill()
    await passTime('10 seconds')
  }
  return life
}

/** What is open at the provider is closed; half of the last notifications never arrive, and the comparison replaces them. */
async function close(life: Life): Promise<void> {
  closeDisputes(life)
  for (const refund of refundsOf(life)) if (refund.status === 'pending') stripe.moveRefund(refund, 'succeeded')
  const isLost = random() < 0.5
  for (const event of eventsOf(life))
    if (isLost) remove(event)
    else await until(async () => (await attempt('notify', () => notify(event))) === 200)
  await compare(life)
}

const compare = ({ intent }: Life) =>
  until(async () => (await attempt('compare', () => compareIntent(ctxOf(app.deps), { intentId: intent.id }))) === 200)

/** What an operator does: sends a failed refund again, and what fails again is returned in another way. */
async function resolveFailed(round: number): Promise<void> {
  const failed = await app.sql<{ id: string; paymentId: string }[]>`
    select id, payment_id from payment_refunds where status = 'failed'`
  for (const { id: refundId, paymentId } of failed) {
    const path = `/console/payments/${paymentId}/${round === 0 ? 'resend' : 'returned'}`
    await attempt('operator', () => operator.post(path, { refundId, note: 'By bank transfer.' }))
  }
}

const isSettled = async () => {
  await passTime('1 second')
  const waiting = await app.sql`select from payment_refunds where status in ('pending', 'part')`
  return waiting.length === 0
}

test(`${LIVES} random lives with kills of servers and sweepers: both sides agree to the cent, and each refund is made once`, async () => {
  stripe.nextDelayMs = () => below(40)
  stripe.nextLostResponse = () => (random() > 0.15 ? undefined : random() < 0.5 ? 'before' : 'after')
  const startedMs = performance.now()
  const lives: Life[] = []
  let next = 0
  const liveAll = async () => {
    while (next < LIVES) lives.push(await live(next++))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, liveAll))
  const livedMs = performance.now() - startedMs
  stripe.nextDelayMs = () => 0
  stripe.nextLostResponse = () => undefined
  stripe.refundStatus = 'succeeded'
  await Promise.all(Array.from({ length: AT_ONCE }, (_, one) => closeEach(lives.filter((_, n) => n % AT_ONCE === one))))
  for (let round = 0; round < 4; round++) {
    await until(isSettled)
    await resolveFailed(round)
    for (const life of lives) await compare(life)
  }
  for (const { intent, paymentId } of lives) {
    const { status, hasLostDispute } = await expectAgreement({ sql: app.sql, stripe }, intent, paymentId)
    note(`end: ${status}`)
    if (hasLostDispute) note('end: lost')
  }
  expect(await listDifferences(ctxOf(app.deps))).toEqual([])
  const seconds = [livedMs, performance.now() - startedMs].map((ms) => (ms / 1000).toFixed(1)).join(' of ')
  process.stdout.write(`seed ${SEED}: ${seconds} s, ${JSON.stringify(happened, Object.keys(happened).toSorted())}\n`)
  for (const what of ['killed', 'end: refunded', 'end: succeeded', 'end: lost', 'cancel', 'refund a part'])
    expect([what, (happened[what] ?? 0) + (happened[`${what} again`] ?? 0) > LIVES / 20]).toEqual([what, true])
}, 1_800_000)

async function closeEach(lives: readonly Life[]): Promise<void> {
  for (const life of lives) await close(life)
}
