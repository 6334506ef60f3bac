// How messages are sent: retries, refusals, order, limits, suppression, and what is checked right before.
import { expect, test } from 'bun:test'

import { planMessage, type NewMessage } from '../../../../src/features/messages/messages/verbs/plan-message.ts'
import {
  liftSuppression,
  resendMessage,
  viewMessage,
} from '../../../../src/features/messages/messages/verbs/message-log.ts'
import { unsubscribeUrl } from '../../../../src/features/messages/messages/verbs/links.ts'
import { SAMPLES } from '../../../../src/features/messages/messages/templates/samples.ts'
import { opened } from '../../../support/fixture.ts'
import { Visitor } from '../../../support/visitor.ts'
import { openMessageFixture } from '../../../support/messages.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const at = await opened(openMessageFixture({ MAIL_PER_RECIPIENT_PER_HOUR: '6' }))

let count = 0
const address = () => `person-${++count}@example.com`

/** Plans a message that needs no booking. */
async function plan(to: string, changes: Partial<NewMessage<'new-review'>> = {}): Promise<boolean> {
  const { deps } = at.app
  const data = SAMPLES['new-review']
  const message = { kind: 'new-review' as const, to, data, key: `test:${++count}`, ...changes }
  return await ctxOf(deps).transaction('plan', (ctx) => planMessage(ctx, message))
}

const planEssential = async (to: string, key = `test:${++count}`) => {
  const { deps } = at.app
  const message = { kind: 'calendar-conflict' as const, to, data: SAMPLES['calendar-conflict'], key }
  return await ctxOf(deps).transaction('plan', (ctx) => planMessage(ctx, message))
}

const rowOf = async (to: string) => {
  const [row] = await at.sql<
    {
      id: number
      status: string
      outcome: string
      refusals: number
      waitsSeconds: number | null
      secret: string | null
    }[]
  >`
    select id::int, status, outcome, refusals, data_encrypted as secret,
      extract(epoch from next_attempt_at - ${at.clock.now().toISOString()})::float8 as waits_seconds
    from messages where recipient = ${to} order by id desc limit 1`
  if (!row) throw new Error('There is no message.')
  return row
}

test('planning the same twice changes nothing', async () => {
  const to = address()
  expect(await plan(to, { key: 'one' })).toBe(true)
  expect(await plan(to, { key: 'one' })).toBe(false)
  expect(await plan(address(), { key: 'one' })).toBe(true)
  await at.send()
  expect(at.smtp.to(to)).toHaveLength(1)
})

test('a greylisted message is sent later, with the same Message-ID', async () => {
  const to = address()
  at.smtp.answer = ({ number }) => (number <= 2 ? { code: 451, text: '4.7.1 Greylisted, try again later' } : 'accepts')
  await plan(to)
  await at.send()
  const first = await rowOf(to)
  expect(first).toMatchObject({ status: 'pending', refusals: 1, outcome: expect.stringContaining('Greylisted') })
  expect(first.waitsSeconds).toBeWithin(29, 34)
  at.clock.advance(1)
  await at.send()
  expect((await rowOf(to)).waitsSeconds).toBeWithin(119, 133)
  at.clock.advance(3)
  await at.send()
  expect(await rowOf(to)).toMatchObject({ status: 'sent', outcome: expect.stringContaining('250') })
  expect(at.smtp.attempts.filter((attempt) => attempt.to === to)).toHaveLength(3)
  expect(at.smtp.to(to)).toHaveLength(1)
})

test('a message of a kind that only a newer version knows waits, and holds up no other', async () => {
  at.smtp.answer = () => 'accepts'
  const [unknown, other] = [address(), address()]
  await plan(unknown)
  await at.sql`update messages set kind = 'of-a-newer-version' where recipient = ${unknown}`
  await plan(other)
  await at.send()
  expect((await rowOf(other)).status).toBe('sent')
  const { id, status } = await rowOf(unknown)
  expect(status).toBe('pending')
  expect(await viewMessage(ctxOf(at.app.deps), { id })).toMatchObject({ message: { kind: 'of-a-newer-version' } })
  await at.sql`update messages set kind = 'new-review' where recipient = ${unknown}`
  at.clock.advance(2)
  await at.send()
  expect((await rowOf(unknown)).status).toBe('sent')
})

test('a message whose acceptance is not heard of is sent again under its Message-ID, so that it can be recognized', async () => {
  const to = address()
  at.smtp.answer = ({ number }) => (number === 1 ? 'breaksAfter' : 'accepts')
  await plan(to)
  await at.send()
  at.clock.advance(2)
  await at.send()
  const ids = at.smtp.to(to).map(({ mail }) => mail.messageId)
  expect(ids).toHaveLength(2)
  expect(new Set(ids).size).toBe(1)
})

test('a broken connection fails one message only, and only for a while', async () => {
  const [broken, other] = [address(), address()]
  at.smtp.answer = ({ to, number }) => (to === broken && number === 1 ? 'breaks' : 'accepts')
  await plan(broken)
  await plan(other)
  await at.send()
  expect(await rowOf(broken)).toMatchObject({
    status: 'pending',
    outcome: expect.stringContaining('broke the connection'),
  })
  expect(await rowOf(other)).toMatchObject({ status: 'sent' })
  at.clock.advance(2)
  await at.send()
  expect((await rowOf(broken)).status).toBe('sent')
})

test('a refused message is given up with the reason, and can be sent again by an operator', async () => {
  const to = address()
  at.smtp.answer = () => ({ code: 554, text: '5.7.1 Looks like spam', atData: true })
  await plan(to)
  await at.send()
  const row = await rowOf(to)
  expect(row).toMatchObject({ status: 'failed', outcome: expect.stringContaining('Looks like spam') })
  expect(at.smtp.attempts.filter((attempt) => attempt.to === to)).toHaveLength(1)
  at.smtp.answer = () => 'accepts'
  await resendMessage(ctxOf(at.app.deps), { id: row.id })
  await at.send()
  expect((await rowOf(to)).status).toBe('sent')
  expect(await resendMessage(ctxOf(at.app.deps), { id: row.id }).catch((error: { code: string }) => error.code)).toBe(
    'invalid_transition',
  )
})

test('a message that is asked to wait for two days is given up', async () => {
  const to = address()
  at.smtp.answer = () => ({ code: 452, text: '4.2.2 Mailbox full' })
  await plan(to)
  const started = at.clock.now().getTime()
  for (let attempt = 0; (await rowOf(to)).status === 'pending' && attempt < 30; attempt++) {
    await at.send()
    at.clock.advance(Math.ceil(((await rowOf(to)).waitsSeconds ?? 0) / 60) + 1)
  }
  expect(await rowOf(to)).toMatchObject({
    status: 'failed',
    refusals: 11,
    outcome: expect.stringContaining('Mailbox full'),
  })
  expect((at.clock.now().getTime() - started) / 3_600_000).toBeWithin(40, 55)
  at.smtp.answer = () => 'accepts'
})

test('an address that does not exist gets nothing more, until an operator says that it works', async () => {
  const to = address()
  at.smtp.answer = () => ({ code: 550, text: '5.1.1 No such user' })
  await planEssential(to)
  await at.send()
  expect((await rowOf(to)).status).toBe('failed')
  at.smtp.answer = () => 'accepts'
  await planEssential(to)
  await at.send()
  expect(await rowOf(to)).toMatchObject({ status: 'suppressed' })
  expect(at.smtp.attempts.filter((attempt) => attempt.to === to)).toHaveLength(1)
  await liftSuppression(ctxOf(at.app.deps), { email: to, reason: 'bounced' })
  await planEssential(to)
  await at.send()
  expect((await rowOf(to)).status).toBe('sent')
})

test('a recipient who unsubscribes gets essential messages only, by the page and by one click of a mail program', async () => {
  const to = address()
  await plan(to)
  await at.send()
  const { mail } = at.smtp.to(to)[0] ?? {}
  const url = unsubscribeUrl(ctxOf(at.app.deps), { email: to })
  expect(mail?.headers.get('list')).toMatchObject({
    unsubscribe: { url },
    'unsubscribe-post': { name: 'List-Unsubscribe=One-Click' },
  })
  expect(mail?.text).toContain(url)
  const path = new URL(url).pathname
  expect(path).toStartWith('/unsubscribe/')
  // Opening the link, as scanners of mail do, changes nothing.
  const visitor = new Visitor(at.app)
  expect((await visitor.get(path)).text).toContain(to)
  expect((await at.app.sql`select from message_suppressions where email = ${to}`).length).toBe(0)
  const clicked = await visitor.postRaw(path, { 'List-Unsubscribe': 'One-Click' })
  expect(clicked.status).toBe(200)
  await plan(to)
  await planEssential(to)
  await at.send()
  expect(await at.planned(to)).toEqual(['new-review sent', 'new-review suppressed', 'calendar-conflict sent'])
  const resumed = await visitor.postRaw(path, { messages: 'resume' })
  expect(resumed.status).toBe(303)
  await plan(to)
  await at.send()
  expect((await at.planned(to)).at(-1)).toBe('new-review sent')
  expect((await visitor.get(`${path}x`)).status).toBe(404)
})

test('essential messages to one recipient are sent in order, also when the first must wait', async () => {
  const [to, other] = [address(), address()]
  at.smtp.answer = (attempt) => (attempt.to === to && attempt.number === 1 ? { code: 450, text: 'Busy' } : 'accepts')
  const keys = ['first', 'second', 'third']
  for (const key of keys) await planEssential(to, `${key}:${to}`)
  await planEssential(other)
  await at.send()
  expect(at.smtp.to(to)).toHaveLength(0)
  expect(at.smtp.to(other)).toHaveLength(1)
  at.clock.advance(1)
  await at.send()
  const order = await at.sql<{ key: string }[]>`
    select split_part(key, ':', 1) as key from messages where recipient = ${to} order by finished_at, id`
  expect(order.map(({ key }) => key)).toEqual(keys)
  expect(at.smtp.to(to)).toHaveLength(3)
})

test('a code is stored encrypted, waits for nothing, is deleted once sent, and is dropped once it has expired', async () => {
  const { deps } = at.app
  const [to, late] = [address(), address()]
  const data = { code: '918273', url: 'https://hearth.example/my/sign-in?token=s3cr3t', validMinutes: 10 }
  const send = (recipient: string) =>
    ctxOf(deps).transaction('plan', (ctx) =>
      planMessage(ctx, { kind: 'sign-in', to: recipient, data, key: `code:${++count}` }),
    )
  at.smtp.answer = (attempt) => (attempt.to === to && attempt.number === 1 ? { code: 450, text: 'Busy' } : 'accepts')
  await planEssential(to)
  await at.send()
  await send(to)
  expect((await rowOf(to)).secret).toMatch(/^[\w-]+$/)
  expect(JSON.stringify(await at.sql`select * from messages where recipient = ${to}`)).not.toContain(data.code)
  await at.send()
  expect(at.smtp.to(to)[0]?.mail.text).toContain(data.code)
  const sent = await rowOf(to)
  expect(sent).toMatchObject({ status: 'sent', secret: null })
  expect((await viewMessage(ctxOf(deps), { id: sent.id })).content).toBeUndefined()
  await send(late)
  at.clock.advance(11)
  await at.send()
  expect(await rowOf(late)).toMatchObject({ status: 'dropped', secret: null })
  expect(at.smtp.to(late)).toHaveLength(0)
})
