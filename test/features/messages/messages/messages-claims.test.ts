// Claims of messages: whose result counts, what holds up the messages behind it, and a mail server that is away or not set.
import { expect, test } from 'bun:test'

import {
  type ClaimedMessage,
  claimMessages,
  finishMessage,
} from '../../../../src/features/messages/messages/queries/messages.ts'
import { createKeyInMode } from '../../../../src/features/upkeep/test-mode/verbs.ts'
import { getMessageBacklog } from '../../../../src/features/messages/messages/verbs/message-log.ts'
import { planMessage } from '../../../../src/features/messages/messages/verbs/plan-message.ts'
import { MessageSender } from '../../../../src/features/messages/messages/verbs/send-messages.ts'
import { SAMPLES } from '../../../../src/features/messages/messages/templates/samples.ts'
import { waitUntil } from '../../../../src/platform/clock/deadlines.ts'
import { openTestApp } from '../../../support/app.ts'
import { opened } from '../../../support/fixture.ts'
import { type MessageFixture, openMessageFixture } from '../../../support/messages.ts'
import { openSmtpReceiver } from '../../../support/smtp-receiver.ts'
import { ctxOf } from '../../../../src/ctx.ts'
import { ctxOn } from '../../../support/ctx-on.ts'

const HOURLY = 6

const at = await opened(openMessageFixture({ MAIL_PER_RECIPIENT_PER_HOUR: String(HOURLY) }))

let count = 0
const address = () => `claimed-${++count}@example.com`

const planEssential = async (
  to: string,
  key = `test:${++count}`,
  { world = at, ...about }: { world?: MessageFixture; professionalId?: string } = {},
) => {
  const { deps } = world.app
  const message = { kind: 'calendar-conflict' as const, to, data: SAMPLES['calendar-conflict'], key, ...about }
  return await ctxOf(deps).transaction('plan', (ctx) => planMessage(ctx, message))
}

const countOf = async (to: string, status: string) =>
  (await at.sql`select from messages where recipient = ${to} and kind = 'calendar-conflict' and status = ${status}`)
    .length

const stateOf = async (to: string) =>
  (await at.sql<{ status: string; outcome: string }[]>`select status, outcome from messages where recipient = ${to}`)[0]

test('the late result of a worker whose claim ran out does not replace that of the worker which claimed the message since', async () => {
  const to = address()
  await planEssential(to)
  const { deps } = at.app
  const claim = async () => {
    const now = at.clock.now()
    const [claimed] = await claimMessages(ctxOf(deps), {
      limit: 1,
      optionalKinds: [],
      urgentKinds: [],
      reservedKinds: [],
      hourly: 6,
      now,
      leaseUntil: new Date(now.getTime() + 60_000),
    })
    if (!claimed) throw new Error('No message is due.')
    return claimed
  }
  const finish = (claimed: ClaimedMessage, status: 'sent' | 'failed') =>
    finishMessage(ctxOn(deps.write), {
      ...claimed,
      status,
      outcome: status,
      nextAttemptAt: null,
      isRefusal: false,
      now: at.clock.now(),
    })
  const late = await claim()
  at.clock.advance(2)
  const current = await claim()
  expect([late.id, late.recipient]).toEqual([current.id, to])
  expect(await finish(late, 'failed')).toBe(false)
  expect((await stateOf(to))?.status).toBe('pending')
  expect(await finish(current, 'sent')).toBe(true)
  expect(await finish(late, 'failed')).toBe(false)
  expect(await stateOf(to)).toMatchObject({ status: 'sent', outcome: 'sent' })
})

test('messages behind one that the mail server put off are no backlog of the workers, however long they wait', async () => {
  const to = address()
  at.smtp.answer = (attempt) => (attempt.to === to && attempt.number === 1 ? { code: 450, text: 'Busy' } : 'accepts')
  await planEssential(to)
  await at.send()
  await at.sql`update messages set next_attempt_at = ${new Date(at.clock.now().getTime() + 7_200_000).toISOString()} where recipient = ${to}`
  for (let n = 0; n < 3; n++) await planEssential(to)
  at.clock.advance(60)
  const backlog = () => getMessageBacklog(ctxOf(at.app.deps))
  expect(await backlog()).toEqual({ due: 0, oldestSeconds: 0, held: 3, retrying: 1 })
  // Nothing of them can be sent, as the workers see it, too.
  await at.send()
  expect(await countOf(to, 'pending')).toBe(4)
  at.clock.advance(70)
  expect(await backlog()).toMatchObject({ due: 4, held: 0 })
  await at.send()
  expect(await backlog()).toEqual({ due: 0, oldestSeconds: 0, held: 0, retrying: 0 })
})

test('an essential message that the server has put off three times holds up those behind it no longer', async () => {
  const to = address()
  at.smtp.answer = (attempt) => (attempt.to === to && attempt.number <= 3 ? { code: 450, text: 'Busy' } : 'accepts')
  await planEssential(to, `first:${to}`)
  await planEssential(to, `second:${to}`)
  for (let refusals = 1; refusals <= 3; refusals++) {
    await at.send()
    const [first] = await at.sql<{ refusals: number; attempts: number }[]>`
      select refusals, attempts from messages where key = ${`first:${to}`}`
    expect(first).toEqual({ refusals, attempts: refusals })
    if (refusals < 3) {
      expect(at.smtp.to(to)).toHaveLength(0)
      await at.sql`
        update messages set next_attempt_at = ${at.clock.now().toISOString()} where key = ${`first:${to}`}`
    }
  }
  await at.send()
  const states = await at.sql<{ key: string; status: string }[]>`
    select split_part(key, ':', 1) as key, status from messages where recipient = ${to} order by id`
  expect([...states]).toEqual([
    { key: 'first', status: 'pending' },
    { key: 'second', status: 'sent' },
  ])
})

test('in production a code is not kept in the mailbox where no mail server is set', async () => {
  const production = await openTestApp('migrated', {
    env: { HEARTH_ENV: 'production', HEARTH_SECRET: 'a secret of at least 32 characters' },
  })
  try {
    const { deps, sql } = production
    const [code, other] = [address(), address()]
    const data = { code: '918273', url: 'https://hearth.example/my/sign-in?token=s3cr3t', validMinutes: 10 }
    await ctxOf(deps).transaction('plan', async (ctx) => {
      await planMessage(ctx, { kind: 'sign-in', to: code, data, key: 'code' })
      await planMessage(ctx, { kind: 'new-review', to: other, data: SAMPLES['new-review'], key: 'other' })
    })
    const sender = new MessageSender(deps)
    const states = async () =>
      Object.fromEntries(
        (await sql<{ recipient: string; status: string }[]>`select recipient, status from messages`).map(
          ({ recipient, status }) => [recipient, status],
        ),
      )
    const isDone = async () => {
      await sender.run()
      return !Object.values(await states()).includes('pending')
    }
    expect(await waitUntil(isDone, 10_000)).toBe(true)
    expect(await states()).toEqual({ [code]: 'failed', [other]: 'sent' })
    expect((await sql<{ recipient: string }[]>`select recipient from mailbox`).map((kept) => kept.recipient)).toEqual([
      other,
    ])
    await sender.close()
  } finally {
    await production.close()
  }
})

test('while the mail server is away one message at a time asks for it, and all are sent once it is back', async () => {
  const away = await openMessageFixture()
  const { port } = away.smtp
  const recipients = Array.from({ length: 12 }, address)
  await away.smtp.stop()
  for (const to of recipients) await planEssential(to, `test:${++count}`, { world: away })
  const sender = new MessageSender(away.app.deps)
  const tried = async () => {
    const [row] = await away.sql<{ attempts: number }[]>`
      select sum(attempts)::int as attempts from messages where recipient in ${away.sql(recipients)}`
    return row?.attempts ?? 0
  }
  const settled = async () => {
    await sender.run()
    expect(await waitUntil(() => sender.inProgress === 0, 10_000)).toBe(true)
    return await tried()
  }
  const first = await settled()
  expect(first).toBeGreaterThan(1)
  away.clock.advance(10)
  const second = await settled()
  away.clock.advance(10)
  expect([second - first, (await settled()) - second]).toEqual([1, 1])
  const again = await openSmtpReceiver({}, port)
  const isSent = async () => {
    away.clock.advance(10)
    await settled()
    return recipients.every((to) => again.to(to).length === 1)
  }
  expect(await waitUntil(isSent, 20_000)).toBe(true)
  await sender.close()
  await away.close()
  await again.stop()
})

test('messages about test pros leave the number of real ones alone, and wait for none', async () => {
  // Test pros are made in the largest city.
  await at.pro({ deposit: false })
  await createKeyInMode(ctxOf(at.app.deps), {
    ownerEmail: 'tests-messages@test.example',
    scopes: ['bookings:write'],
    name: 'test',
    mode: 'test',
  })
  const [pro] = await at.sql<{ id: string }[]>`select id from professionals where test_account_id is not null limit 1`
  const professionalId = pro?.id ?? ''
  const to = address()
  for (let n = 0; n < 2 * HOURLY; n++) await planEssential(to, `test:${++count}`, { professionalId })
  await at.send()
  expect(await countOf(to, 'sent')).toBe(2 * HOURLY)
  expect(at.smtp.to(to)).toEqual([])
  for (let n = 0; n <= HOURLY; n++) await planEssential(to)
  await at.send()
  expect([at.smtp.to(to).length, await countOf(to, 'joined')]).toEqual([HOURLY, 1])
  await planEssential(to, `test:${++count}`, { professionalId })
  await at.send()
  expect(await countOf(to, 'joined')).toBe(1)
})
