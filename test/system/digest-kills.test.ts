// Workers are killed while they join messages into a digest and while they send it: each message is told, in one digest.
import { expect, test } from 'bun:test'

import { SAMPLES } from '../../src/features/messages/messages/templates/samples.ts'
import { planMessage } from '../../src/features/messages/messages/verbs/plan-message.ts'
import { systemClock } from '../../src/platform/clock/clock.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { processCounts } from '../../workers/runtime/actor-names.ts'
import { startSupervisor } from '../../workers/runtime/supervisor.ts'
import { openTestApp } from '../support/app.ts'
import { longForm } from '../support/long-form.ts'
import { openSmtpReceiver } from '../support/smtp-receiver.ts'
import { testRedisUrl } from '../support/stores.ts'
import { ctxOf } from '../../src/ctx.ts'
import { opened } from '../support/fixture.ts'

const ROUNDS = longForm(4, 50)
const HOURLY = 6
const EACH = 8
const PATIENCE_MS = 60_000
const TO = 'busy@example.com'
const smtp = await opened(openSmtpReceiver(), 'stop')
const env = {
  MAIL_URL: smtp.url,
  MAIL_FROM: 'Hearth <hello@hearth.example>',
  MAIL_PER_RECIPIENT_PER_HOUR: String(HOURLY),
  BASE_URL: 'http://127.0.0.1:3000',
  HEARTH_SECRET: 'a secret that all processes of this test share',
  LOG_LEVEL: 'error',
}
const app = await opened(openTestApp('migrated', { env, clock: systemClock }))
const senders = await opened(
  startSupervisor({
    actors: processCounts(['relay-outbox', 'send-messages'], new Map([['send-messages', 2]])),
    env: { PATH: process.env['PATH'], DATABASE_URL: app.databaseUrl, REDIS_URL: testRedisUrl, ...env },
    output: 'inherit',
    onEvent: () => undefined,
    limits: { firstDelayMs: 100, longestDelayMs: 500 },
  }),
  'stop',
)

const until = async (isSo: () => boolean | Promise<boolean>) => expect(await waitUntil(isSo, PATIENCE_MS, 2)).toBe(true)

let planned = 0
async function plan(count: number): Promise<void> {
  const { booking, ...rest } = SAMPLES['calendar-conflict']
  await ctxOf(app.deps).transaction('plan', async (ctx) => {
    for (let n = 0; n < count; n++) {
      const name = `Payer ${planned++} end`
      const data = { ...rest, booking: { ...booking, customer: { ...booking.customer, name } } }
      await planMessage(ctx, { kind: 'calendar-conflict', to: TO, data, key: name })
    }
  })
}

/** How many messages are in one of the states: `kind status`, with `claimed` for a pending one that a worker has. */
const countIn = async (...states: string[]) => {
  const [row] = await app.sql<{ count: number }[]>`
    select count(*)::int as count from messages
    where kind || ' ' || case when status = 'pending' and attempts > 0 then 'claimed' else status end = any(${states})`
  return row?.count ?? 0
}

/** Kills all workers. Then what they had claimed is due, as after its lease, and so is the digest. */
async function killAll(): Promise<void> {
  for (const { pid } of senders.running()) process.kill(pid, 'SIGKILL')
  await app.sql`
    update messages set next_attempt_at = now(), send_at = least(send_at, now())
    where status = 'pending' and (kind = 'digest' or attempts > 0)`
}

test('each message is told in one digest, whenever workers are killed', async () => {
  await plan(HOURLY)
  await until(async () => (await countIn('calendar-conflict sent')) === HOURLY)
  for (let round = 0; round < ROUNDS; round++) {
    const attempts = smtp.attempts.length
    smtp.answer = () => ({ delayMs: 1000 })
    await plan(EACH)
    // In every other round they have joined already, in the others they are about to.
    const seen = round % 2 === 0 ? ['calendar-conflict claimed', 'calendar-conflict joined'] : ['digest pending']
    await until(async () => (await countIn(...seen)) > (round % 2 === 0 ? round * EACH : 0))
    await killAll()
    await until(async () => {
      await app.sql`update messages set next_attempt_at = now(), send_at = now() where kind = 'digest' and attempts = 0`
      return smtp.attempts.length > attempts
    })
    // The mail server has a digest that it has not accepted yet, or accepts just now.
    await killAll()
    smtp.answer = () => 'accepts'
    await until(async () => {
      await app.sql`update messages set next_attempt_at = now(), send_at = now() where kind = 'digest' and attempts = 0`
      return (await app.sql`select from messages where status = 'pending'`).length === 0
    })
  }
  expect(await countIn('calendar-conflict joined')).toBe(ROUNDS * EACH)
  const tellers = Array.from({ length: planned }, (_, n) => {
    const mails = smtp.received.filter(({ mail }) => mail.text?.includes(`Payer ${n} end`))
    return new Set(mails.map(({ mail }) => mail.messageId)).size
  })
  expect(tellers).toEqual(Array<number>(planned).fill(1))
}, 600_000)
