// A recipient with many messages: the hourly number, what does not count, and the digest that tells the others.
import { afterEach, describe, expect, test } from 'bun:test'

import { type NewMessage, planMessage } from '../../../../src/features/messages/messages/verbs/plan-message.ts'
import { MessageSender } from '../../../../src/features/messages/messages/verbs/send-messages.ts'
import { SAMPLES } from '../../../../src/features/messages/messages/templates/samples.ts'
import type { MessageKind } from '../../../../src/features/messages/messages/kinds.ts'
import { archiveLead } from '../../../../src/features/quoting/rfqs/verbs/rfqs.ts'
import { eraseCustomer } from '../../../../src/features/customers/privacy/verbs/erase-customer.ts'
import { type CreatedBooking, type FixturePro, bookingBody } from '../../../support/booking-fixture.ts'
import { newAddress } from '../../../support/customers.ts'
import { opened } from '../../../support/fixture.ts'
import { openMessageFixture } from '../../../support/messages.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const HOURLY = 6

const at = await opened(openMessageFixture({ MAIL_PER_RECIPIENT_PER_HOUR: String(HOURLY) }))
const json = bookingBody(await at.pro({ deposit: false }), 0, { customer: { name: 'Ann', email: newAddress() } })
expect((await at.app.send('/api/v1/bookings', { key: at.key, json })).status).toBe(201)
afterEach(() => {
  at.smtp.answer = () => 'accepts'
})

let count = 0
const address = () => `busy-${++count}@example.com`

async function plan<Kind extends MessageKind>(kind: Kind, to: string, more: Partial<NewMessage<Kind>> = {}) {
  const { deps } = at.app
  const message = { kind, to, data: SAMPLES[kind], key: `digest-test:${++count}`, ...more }
  await ctxOf(deps).transaction('plan', (ctx) => planMessage(ctx, message))
}

/** Kinds of which the database has the booking. */
const cancel = async (kind: 'booking-cancelled' | 'booking-cancelled-for-pro', to: string) => {
  const [booking] = await at.sql<{ id: string }[]>`select id from bookings limit 1`
  await plan(kind, to, { bookingId: booking?.id ?? '', key: `cancel:${++count}` })
}

const conflictWith = (name: string) => {
  const { booking, ...rest } = SAMPLES['calendar-conflict']
  return { ...rest, booking: { ...booking, customer: { ...booking.customer, name } } }
}

const times = async (n: number, act: (n: number) => Promise<unknown>) => {
  for (let done = 0; done < n; done++) await act(done)
}
const countOf = async (to: string, line: string) => (await at.planned(to)).filter((one) => one === line).length
const digestsTo = (to: string) => at.smtp.to(to).filter(({ mail }) => mail.subject?.includes('update'))

/** The recipient has got as many messages as one gets in an hour. */
const useUp = async (to: string) => {
  await times(HOURLY, () => plan('calendar-conflict', to))
  await at.send()
  expect(at.smtp.to(to)).toHaveLength(HOURLY)
}

describe('beyond the hourly number', () => {
  test('messages come in one digest an hour, each once, with its link, in text and HTML', async () => {
    const to = address()
    await useUp(to)
    const [customer, later] = ['Maria Gonzalez', 'Tom Berg']
    await plan('new-request', to)
    await plan('calendar-conflict', to, { data: conflictWith(later) })
    await at.send()
    expect(await at.planned(to)).toEqual([
      ...Array<string>(HOURLY).fill('calendar-conflict sent'),
      'new-request joined',
      'calendar-conflict joined',
      'digest pending',
    ])
    at.clock.advance(11)
    await at.send()
    const [digest, ...more] = digestsTo(to)
    expect(more).toEqual([])
    const { text = '', html } = digest?.mail ?? {}
    const urls = [SAMPLES['new-request'].consoleUrl, SAMPLES['calendar-conflict'].consoleUrl]
    for (const part of [text, String(html)]) {
      for (const said of [customer, later]) expect(part).toContain(said)
      for (const url of urls) expect(part.split(url)).toHaveLength(2)
    }
    expect(text.indexOf(customer)).toBeLessThan(text.indexOf(later))
    expect(digest?.mail.subject).toStartWith('2 updates: ')
    // What comes next is told an hour after, not sooner, although the hour of the single messages is not over.
    await plan('new-request', to)
    await at.send()
    at.clock.advance(40)
    await at.send()
    expect(digestsTo(to)).toHaveLength(1)
    at.clock.advance(21)
    await at.send()
    expect(digestsTo(to)).toHaveLength(2)
    expect(await countOf(to, 'digest sent')).toBe(2)
  })

  test('hundreds of messages leave no queue', async () => {
    const to = address()
    await useUp(to)
    await times(300, () => plan('new-request', to))
    await at.send()
    expect(await countOf(to, 'new-request joined')).toBe(300)
    at.clock.advance(61)
    await at.send()
    expect(await countOf(to, 'digest sent')).toBe(1)
    expect(digestsTo(to)[0]?.mail.text).toContain('There are 100 more')
    await plan('calendar-conflict', to)
    await at.send()
    expect(await countOf(to, 'calendar-conflict sent')).toBe(HOURLY + 1)
  })

  test('cancellations and sign-in codes are sent at once: they have numbers of their own', async () => {
    const to = address()
    await useUp(to)
    await plan('sign-in', to)
    await cancel('booking-cancelled-for-pro', to)
    await at.send()
    expect((await at.planned(to)).slice(HOURLY)).toEqual(['sign-in sent', 'booking-cancelled-for-pro sent'])
    await times(HOURLY, () => cancel('booking-cancelled-for-pro', to))
    await at.send()
    expect(await countOf(to, 'booking-cancelled-for-pro sent')).toBe(HOURLY)
    expect(await countOf(to, 'booking-cancelled-for-pro joined')).toBe(1)
  })

  test('sign-in codes and cancellations that strangers cause leave the number of other messages alone', async () => {
    const to = address()
    await times(2 * HOURLY, () => plan('sign-in', to))
    await times(HOURLY, () => cancel('booking-cancelled', to))
    await at.send()
    await useUpBesides(to)
  })

  const useUpBesides = async (to: string) => {
    await times(HOURLY, () => plan('calendar-conflict', to))
    await at.send()
    expect(await countOf(to, 'calendar-conflict sent')).toBe(HOURLY)
  }

  test('what is not essential joins from half of the number on, and leaves out who has unsubscribed since', async () => {
    const to = address()
    await times(HOURLY, () => plan('new-review', to))
    await at.send()
    expect(await countOf(to, 'new-review sent')).toBe(HOURLY / 2)
    expect(await countOf(to, 'new-review joined')).toBe(HOURLY / 2)
    await at.sql`insert into message_suppressions (email, reason, created_at) values (${to}, 'unsubscribed', now())`
    at.clock.advance(11)
    await at.send()
    expect(digestsTo(to)).toEqual([])
    expect(await countOf(to, 'digest dropped')).toBe(1)
  })
})

describe('a digest', () => {
  const bookWith = async (pro: FixturePro, email: string, hours: number): Promise<CreatedBooking['booking']> => {
    const json = bookingBody(pro, hours, { customer: { name: `Customer ${hours}`, email } })
    const answer = await at.app.send('/api/v1/bookings', { key: at.key, json })
    if (answer.status !== 201) throw new Error(await answer.text())
    return ((await answer.json()) as CreatedBooking).booking
  }

  /** A pro whose messages are joined, with two bookings of which a digest tells. */
  async function busyPro() {
    const pro = await at.pro({ deposit: false })
    await useUp(pro.email)
    const customers = [newAddress(), newAddress()] as const
    const bookings = [await bookWith(pro, customers[0], 0), await bookWith(pro, customers[1], 2)] as const
    await at.settle()
    expect(await countOf(pro.email, 'new-booking joined')).toBe(2)
    return { pro, customers, bookings }
  }

  test('leaves out a booking that was cancelled meanwhile, whose cancellation came at once', async () => {
    const { pro, bookings } = await busyPro()
    await at.app.send(`/api/v1/bookings/${bookings[0].id}/cancel`, { key: at.key, json: {} })
    await at.settle()
    expect(await countOf(pro.email, 'booking-cancelled-for-pro sent')).toBe(1)
    at.clock.advance(11)
    await at.send()
    const [digest] = digestsTo(pro.email)
    expect(digest?.mail.text).not.toContain('Customer 0')
    expect(digest?.mail.text).toContain('Customer 2')
    expect(digest?.mail.text).toContain(`/console/bookings/${bookings[1].id}`)
  })

  test('tells the last move of a booking only, and no request that the pro has closed meanwhile', async () => {
    const { pro, bookings } = await busyPro()
    const move = async (time: string) => {
      const json = { date: '2026-11-24', time }
      const path = `/api/v1/bookings/${bookings[0].id}/reschedule`
      expect((await at.app.send(path, { key: at.key, json })).status).toBe(200)
      await at.settle()
    }
    await move('13:00')
    await move('14:00')
    const ask = async (name: string): Promise<string> => {
      const customer = { name, email: newAddress() }
      const json = { professionalId: pro.id, serviceId: pro.serviceId, customer, description: 'The gutter leaks.' }
      const answer = await at.app.send('/api/v1/rfqs', { key: requestKey, json })
      return ((await answer.json()) as { rfq: { id: string } }).rfq.id
    }
    const requestKey = await at.app.key(['rfqs:write'])
    const closed = await ask('Closed Request')
    await ask('Open Request')
    await at.settle()
    expect(await countOf(pro.email, 'booking-moved-for-pro joined')).toBe(2)
    expect(await countOf(pro.email, 'new-request joined')).toBe(2)
    await archiveLead(ctxOf(at.app.deps, { accountId: pro.accountId, professionalId: pro.id }), { id: closed })
    at.clock.advance(11)
    await at.send()
    const text = digestsTo(pro.email)[0]?.mail.text ?? ''
    expect([text.includes('November 24, 2:00'), text.includes('November 24, 1:00')]).toEqual([true, false])
    expect([text.includes('Open Request'), text.includes('Closed Request')]).toEqual([true, false])
  })

  test('names no customer who was erased meanwhile, and its copy goes with a customer who is erased later', async () => {
    const { pro, customers, bookings } = await busyPro()
    await at.sql`update bookings set status = 'completed', completed_at = now() where id = any(${bookings.map(({ id }) => id)}::uuid[])`
    const { outcome } = await eraseCustomer(ctxOf(at.app.deps), { email: customers[0], requestedBy: 'a test' })
    expect(outcome).toBe('erased')
    at.clock.advance(11)
    await at.send()
    const [digest] = digestsTo(pro.email)
    expect(digest?.mail.text).not.toContain('Customer 0')
    expect(digest?.mail.text).toContain('Customer 2')
    expect(await countOf(pro.email, 'digest sent')).toBe(1)
    await eraseCustomer(ctxOf(at.app.deps), { email: customers[1], requestedBy: 'a test' })
    expect(await countOf(pro.email, 'digest sent')).toBe(0)
  })

  test('tells each message once, however many workers join and send, and whatever attempts fail', async () => {
    const to = address()
    await useUp(to)
    const others = [new MessageSender(at.app.deps), new MessageSender(at.app.deps)]
    at.smtp.answer = (attempt) => (attempt.number % 3 === 0 ? { code: 451, text: '4.7.1 Try again later' } : 'accepts')
    for (let round = 0; round < 30; round++) {
      await plan('calendar-conflict', to, { data: conflictWith(`Payer ${round} end`) })
      await Promise.all([at.sender, ...others].map((sender) => sender.run()))
      at.clock.advance(5)
    }
    at.smtp.answer = () => 'accepts'
    await times(4, async () => {
      at.clock.advance(61)
      await at.send()
    })
    for (const sender of others) await sender.close()
    const text = at.smtp.to(to).map(({ mail }) => `${mail.text}`)
    for (let round = 0; round < 30; round++) {
      const tellers = text.filter((one) => one.includes(`Payer ${round} end`))
      expect([round, tellers.length]).toEqual([round, 1])
    }
    expect((await at.planned(to)).filter((line) => line.endsWith('pending'))).toEqual([])
  }, 60_000)

  test('takes at once what waits behind: nothing of another kind or recipient, nothing in progress; claimed, it takes no more', async () => {
    const [to, other] = [address(), address()]
    await times(4, () => plan('calendar-conflict', to))
    await plan('new-request', to)
    await plan('calendar-conflict', other)
    const messages = await at.sql<{ id: string }[]>`select id from messages where recipient = ${to} order by id`
    const [first, second, third] = messages.map(({ id }) => id)
    await at.sql`update messages set attempts = 1 where id = ${second ?? ''}`
    const join = async (id = '') => {
      const [row] = await at.sql<{ isJoined: boolean }[]>`
        select join_digest(${id}, attempts, '{calendar-conflict}', ${at.clock.now().toISOString()}) as is_joined
        from messages where id = ${id}`
      return row?.isJoined
    }
    const conflicts = ['joined', 'pending', 'joined', 'joined'].map((status) => `calendar-conflict ${status}`)
    expect([await join(first), await at.planned(to), await at.planned(other)]).toEqual([
      true,
      [...conflicts, 'new-request pending', 'digest pending'],
      ['calendar-conflict pending'],
    ])
    expect(await join(third)).toBe(false)
    await at.sql`update messages set attempts = 1 where recipient = ${to} and kind = 'digest'`
    await join(second)
    const joined = await at.sql<{ count: number }[]>`
      select count(*)::int as count from messages where recipient = ${to} and digest_id is not null
      group by digest_id order by digest_id`
    expect(joined.map(({ count }) => count)).toEqual([3, 1])
  })
})
