// A stored payment or refund is handled by the provider that it belongs to, or it waits. The sandbox never stands in.
import { expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'

import type { Deps } from '../../src/deps.ts'
import { processNotification } from '../../src/features/money/checkout/verbs/notifications.ts'
import { presentPayment } from '../../src/payments/verbs/payments.ts'
import { checkProviders, findUnhandled } from '../../src/payments/verbs/check-providers.ts'
import { settleRefunds } from '../../src/payments/verbs/refunds.ts'
import { book, bookingBody, openBookingFixture, rowsOf } from '../support/booking-fixture.ts'
import { FakeStripe } from '../support/fake-stripe.ts'
import { startWorker } from '../support/workers.ts'
import { ctxOf } from '../../src/ctx.ts'
import { opened } from '../support/fixture.ts'

/** A refusal takes a second or two. */
const MAX_START_MS = 15_000
const stripe = await opened(new FakeStripe())
const world = await opened(openBookingFixture({ ...stripe.env, LOG_LEVEL: 'silent' }))
const { config } = world.app.deps
/** The same stores in a process without STRIPE_… */
const without: Deps = { ...world.app.deps, config: { ...config, stripe: undefined } }

/** A paid booking that was cancelled while Stripe did not answer. */
async function refundDue(): Promise<string> {
  const { booking, payment } = await book(world, await world.pro())
  const intent = stripe.pay(payment?.clientSecret ?? '')
  stripe.outbox.length = 0
  const [row] = await world.sql<{ id: string }[]>`select id from payments where booking_id = ${booking.id}`
  await processNotification(ctxOf(world.app.deps), {
    provider: 'stripe',
    notification: {
      kind: 'captured',
      id: randomUUID(),
      paymentId: row?.id ?? '',
      intentId: intent.id,
      amountCents: intent.amount,
      currency: 'USD',
    },
  })
  stripe.nextLostResponse = () => 'before'
  const cancelled = await world.app.send(`/api/v1/bookings/${booking.id}/cancel`, { key: world.key, json: {} })
  expect(cancelled.status).toBe(200)
  stripe.nextLostResponse = () => undefined
  world.clock.advance(60)
  return booking.id
}

/** Starts the program on the database of the payments. Its exit code is null if it goes on. */
async function startOf(program: string): Promise<{ code: number | null; output: string }> {
  const script = join(import.meta.dir, '../..', program)
  const { exited, kill, output } = startProgram(script)
  const code = await Promise.race([exited, Bun.sleep(MAX_START_MS).then(() => null)])
  if (code === null) kill()
  await exited
  return { code, output: output() }
}

const startProgram = (script: string) => {
  const worker = startWorker(script, { databaseUrl: world.app.databaseUrl, env: { PORT: '0' } })
  return { exited: worker.exited, kill: () => worker.signal('SIGKILL'), output: () => worker.output() }
}

const messagesOfRefunds = () => world.sql`select key from messages where kind like '%refund%'`

test('a refund of Stripe waits in a process without Stripe, untold, and is made by a process that has it', async () => {
  const bookingId = await refundDue()
  expect(await settleRefunds(ctxOf(without)).catch(String)).toEqual({ settled: 0, failed: 0 })
  expect(await rowsOf(world, bookingId)).toMatchObject({ payment: 'refunding', refund: 'pending' })
  expect(await messagesOfRefunds()).toHaveLength(0)
  expect(await findUnhandled(ctxOf(without))).toMatchObject({ refunds: 1 })
  // It is due at once, not after the delay of a failed attempt.
  expect(await settleRefunds(ctxOf(world.app.deps))).toEqual({ settled: 1, failed: 0 })
  expect(await findUnhandled(ctxOf(without))).toMatchObject({ refunds: 0 })
})

test('an open payment of Stripe gets no intent of the sandbox', async () => {
  const json = bookingBody(await world.pro())
  stripe.nextLostResponse = () => 'before'
  const headers = { 'idempotency-key': randomUUID() }
  expect((await world.app.send('/api/v1/bookings', { key: world.key, json, headers })).status).toBe(503)
  stripe.nextLostResponse = () => undefined
  const [row] = await world.sql<{ id: string }[]>`select id from payments order by created_at desc, id desc limit 1`
  const paymentId = row?.id ?? ''
  const refused = await presentPayment(ctxOf(without), { paymentId }).catch((error: unknown) => error)
  expect(refused).toMatchObject({ code: 'unavailable' })
  const [stored] = await world.sql`select intent_id, client_secret from payments where id = ${paymentId}`
  expect(stored).toEqual({ intentId: null, clientSecret: null })
  expect(await presentPayment(ctxOf(world.app.deps), { paymentId })).toMatchObject({ currency: 'USD' })
})

test('server and worker refuse to start without the provider of open payments and refunds, and name the variables', async () => {
  const { payments, refunds } = await findUnhandled(ctxOf(without))
  await refundDue()
  await checkProviders(ctxOf(world.app.deps))
  // The clock of the processes is later: the payments have expired.
  await world.sql`update payments set expires_at = now() + interval '1 hour' where status = 'requires_payment'`
  const refusal = `hearth: STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET must be set: ${payments} open payments and ${refunds + 1} refunds belong to Stripe.\n`
  for (const program of ['src/server.ts', 'workers/actors/sweep-expired.ts']) {
    const { code, output } = await startOf(program)
    expect(code).toBe(1)
    expect(output).toContain(refusal)
    expect(output).not.toContain('    at ')
  }
}, 60_000)
