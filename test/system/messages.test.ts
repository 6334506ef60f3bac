// Messages over real SMTP while everything breaks: each event is told once to each person, and nothing else is told.
import { expect, test } from 'bun:test'
import { randomInt, randomUUID } from 'node:crypto'

import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import type { Sql } from '../../src/platform/postgres/database.ts'
import { type Target, requestUntilAnswered } from '../support/acknowledged-bookings.ts'
import { type BookingClient, openBookingClient } from '../support/booking-client.ts'
import { openChaosStack } from '../support/chaos.ts'
import { testSql } from '../support/database.ts'
import { opened } from '../support/fixture.ts'
import { longForm } from '../support/long-form.ts'
import { type SmtpAnswer, type SmtpAttempt, openSmtpReceiver } from '../support/smtp-receiver.ts'

const SECONDS = longForm(12, 200)
const SETTLE_MS = 60_000
/** Of each client, whatever fails: the mail server refuses the second one's customer. */
const MIN_BOOKINGS = 3
const MAX_SECONDS = longForm(90, 300)

const smtp = await opened(openSmtpReceiver(), 'stop')
smtp.answer = answerTo
const stack = await opened(
  openChaosStack(randomInt, {
    MAIL_URL: smtp.url,
    MAIL_FROM: 'hello@hearth.example',
    MAIL_PER_RECIPIENT_PER_HOUR: '1000000',
  }),
)
const sql = await opened(testSql(stack.databaseUrl, 2), 'end')

/** The mail server greylists, breaks connections, is slow, and refuses some recipients for good. */
function answerTo({ to, number }: SmtpAttempt): SmtpAnswer {
  if (to.startsWith('refused-')) return { code: 554, text: '5.7.1 Not from here' }
  const habit = (Bun.hash.crc32(to) + number) % 12
  if (habit === 0) return { code: 451, text: '4.7.1 Greylisted' }
  if (habit === 1) return { code: 452, text: '4.3.1 Too busy', atData: true }
  if (habit === 2) return 'breaks'
  if (habit === 3) return { delayMs: 1500 }
  return 'accepts'
}

interface Changing {
  readonly client: BookingClient
  readonly nth: number
  /** How many bookings were acknowledged. */
  booked: number
}

/** Books, moves and cancels, each for another customer. */
async function keepChanging(target: Target, changing: Changing, isOver: () => boolean): Promise<void> {
  const { client, nth } = changing
  for (let n = 0; !isOver(); n++) {
    const email = `${n % 8 === 1 ? 'refused-' : ''}customer-${nth}-${n}@example.com`
    const send = (path: string, body: object) => {
      const key = randomUUID()
      return requestUntilAnswered(target, isOver, (url) =>
        fetch(`${url}/api/v1${path}`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${client.key}`,
            'content-type': 'application/json',
            'idempotency-key': key,
          },
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(5000),
        }),
      )
    }
    await Bun.sleep(200)
    const answer = await send('/bookings', { ...client.body(2 * n), customer: { name: 'A Customer', email } })
    if (answer?.status !== 201) continue
    changing.booked++
    const { booking } = answer.body as { booking: { id: string } }
    const { date, time } = client.body(2 * n + 1)
    if (n % 3 === 1) await send(`/bookings/${booking.id}/reschedule`, { date, time })
    if (n % 3 !== 0) await send(`/bookings/${booking.id}/cancel`, {})
  }
}

/** What each committed event is to tell: `kind recipient booking`. */
async function expectedMessages(sql: Sql): Promise<string[]> {
  const events = await sql<{ type: string; booking: string; customer: string; pro: string }[]>`
    select o.type, o.aggregate_id as booking, b.customer_email as customer, a.email as pro
    from outbox_events o join bookings b on b.id = o.aggregate_id
    join professionals p on p.id = o.professional_id join accounts a on a.id = p.account_id`
  const told: Record<string, readonly [customer?: string, pro?: string]> = {
    'booking.created': [undefined, 'new-booking'],
    'booking.confirmed': ['booking-confirmed', undefined],
    'booking.rescheduled': ['booking-moved', 'booking-moved-for-pro'],
    'booking.cancelled': ['booking-cancelled', 'booking-cancelled-for-pro'],
  }
  return events
    .flatMap(({ type, booking, customer, pro }) => {
      const [toCustomer, toPro] = told[type] ?? []
      return [
        ...(toCustomer ? [`${toCustomer} ${customer} ${booking}`] : []),
        ...(toPro ? [`${toPro} ${pro} ${booking}`] : []),
      ]
    })
    .toSorted()
}

test(
  `${SECONDS} s of kills and a bad mail server: each event is told once to each person`,
  async () => {
    const clients: Changing[] = []
    for (let nth = 0; nth < 3; nth++)
      clients.push({ client: await openBookingClient(stack.databaseUrl), nth, booked: 0 })
    expect(await waitUntil(() => stack.server() !== undefined, 60_000)).toBe(true)
    const startedAt = performance.now()
    const isOver = () => {
      const seconds = (performance.now() - startedAt) / 1000
      return seconds > MAX_SECONDS || (seconds > SECONDS && clients.every(({ booked }) => booked >= MIN_BOOKINGS))
    }
    const counts = { actor: 0, redis: 0, postgres: 0 }
    const failing = (async () => {
      for (let n = 0; !isOver(); n++) {
        await Bun.sleep(randomInt(300, 1500))
        counts.actor += stack.killActor('send-messages')
        if (n % 5 === 3) await stack.inflict('redis').then(() => counts.redis++)
        if (n % 5 === 4) await stack.inflict('postgres').then(() => counts.postgres++)
      }
    })()
    const target = { url: () => stack.server()?.url }
    await Promise.all(clients.map((client) => keepChanging(target, client, isOver)))
    await failing

    // The claims of killed workers run out after a minute: the last ones now.
    stack.killActor('send-messages')
    await sql`update messages set next_attempt_at = now() where status = 'pending' and outcome is null and attempts > 0`
    const countWaiting = async () => {
      // What waits for the next attempt is sent now, as an operator would.
      await sql`
        update messages set next_attempt_at = now() where status = 'pending' and outcome is not null and send_at <= now()`
      const [row] = await sql<{ waiting: number }[]>`
        select (select count(*) from messages where status = 'pending' and send_at <= now())::int
          + (select count(*) from outbox_events where relayed_at is null)::int as waiting`
      return row?.waiting ?? 1
    }
    const settled = await waitUntil(async () => (await countWaiting().catch(() => 1)) === 0, SETTLE_MS)
    const rows = await sql<{ id: number; line: string; status: string; recipient: string }[]>`
      select id::int, kind || ' ' || recipient || ' ' || booking_id as line, status, recipient from messages
      where kind <> 'booking-reminder' order by id`
    expect(settled).toBe(true)

    expect(rows.map(({ line }) => line).toSorted()).toEqual(await expectedMessages(sql))
    const refused = rows.filter(({ recipient }) => recipient.startsWith('refused-'))
    expect(refused.length).toBeGreaterThan(0)
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set(['failed']))
    const delivered = rows.filter((row) => !refused.includes(row))
    expect(new Set(delivered.map(({ status }) => status))).toEqual(new Set(['sent']))

    const byId = Map.groupBy(smtp.received, ({ mail }) => Number(/^<(\d+)\./.exec(mail.messageId ?? '')?.[1]))
    expect([...byId.keys()].toSorted((a, b) => a - b)).toEqual(delivered.map(({ id }) => id))
    for (const { id, recipient } of delivered)
      for (const { to, mail } of byId.get(id) ?? []) expect([to, mail.text === undefined]).toEqual([recipient, false])
    // A worker that is killed between the server's 250 and the commit sends again, under the same Message-ID: each further
    // one is a claim of which no result was recorded.
    const repeated = smtp.received.length - byId.size
    expect(repeated).toBeLessThanOrEqual(8 * counts.actor)
    const attempts = await sql<
      { id: number; attempts: number; refusals: number }[]
    >`select id::int, attempts, refusals from messages`
    const lost = new Map(attempts.map(({ id, attempts: made, refusals }) => [id, made - refusals]))
    const unexplained = [...byId].filter(([id, mails]) => mails.length > (lost.get(id) ?? 0))
    expect(unexplained.map(([id]) => id)).toEqual([])
    process.stdout.write(
      `${JSON.stringify(counts)}; ${clients.reduce((sum, { booked }) => sum + booked, 0)} bookings, ${delivered.length} messages in ` +
        `${smtp.attempts.length} attempts, ${refused.length} refused, ${repeated} repeated under their Message-ID\n`,
    )
  },
  (MAX_SECONDS + 240) * 1000,
)
