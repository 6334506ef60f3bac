// One effect per Idempotency-Key across retries, servers and crashes.
import { describe, expect, test } from 'bun:test'
import { randomInt, randomUUID } from 'node:crypto'

import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { findBookableSlot, openTestApp } from '../support/app.ts'
import { type TestServer, startServer } from '../support/server.ts'
import { longForm } from '../support/long-form.ts'
import { opened } from '../support/fixture.ts'

const app = await opened(openTestApp())
const key = await app.key()
const slot = await findBookableSlot(app)

const customer = { name: 'Customer', email: 'customer@test.example' }
const bookingInput = (changes: object = {}) => {
  const { professionalId, serviceId, date, time } = slot
  return { professionalId, serviceId, date, time, customer, ...changes }
}
const book = (idempotencyKey: string, json: object, as = key) =>
  app.send('/api/v1/bookings', { key: as, json, headers: { 'idempotency-key': idempotencyKey } })

const bookingsOf = async (pro: string) =>
  (
    await app.deps.read.run<{ id: string; events: number }>(
      'bookingsOf',
      (sql) => sql`
        select b.id, (select count(*) from outbox_events e where e.aggregate_id = b.id) as events
        from bookings b where b.professional_id = ${pro} and b.account_id is not null`,
    )
  ).slice()

describe('an idempotency key', () => {
  test('returns the same response again, marked as replayed', async () => {
    const id = randomUUID()
    const first = await book(id, bookingInput())
    const replay = await book(id, bookingInput({ customer: { email: customer.email, name: customer.name } }))
    expect([first.status, replay.status]).toEqual([201, 201])
    expect(await replay.text()).toBe(await first.text())
    expect(await bookingsOf(slot.professionalId)).toHaveLength(1)
  })

  test('replays a refusal as well', async () => {
    const id = randomUUID()
    const [first, replay] = [await book(id, bookingInput()), await book(id, bookingInput())]
    expect([first.status, replay.status]).toEqual([409, 409])
    expect(await book(id, bookingInput({ duration: 45 }))).toMatchObject({ status: 422 })
  })

  test('is a 422 with another body', async () => {
    const id = randomUUID()
    await book(id, bookingInput())
    const other = await book(id, bookingInput({ description: 'Another one.' }))
    expect(other.status).toBe(422)
    expect(await other.json()).toMatchObject({ code: 'idempotency_mismatch' })
  })

  test('is separate for each account', async () => {
    const id = randomUUID()
    const strangerKey = await app.key(undefined, 'stranger@test.example')
    const [mine, theirs] = [
      await book(id, bookingInput()),
      await book(id, bookingInput({ description: 'Mine.' }), strangerKey),
    ]
    expect([mine.status, theirs.status]).toEqual([409, 409])
  })

  test('is not used up by an invalid request', async () => {
    const id = randomUUID()
    expect((await book(id, bookingInput({ customer: { name: 'No address' } }))).status).toBe(400)
    expect((await book(id, bookingInput({ date: '2020-01-01' }))).status).toBe(400)
    expect((await book(id, bookingInput())).status).toBe(409)
  })

  test('can be reused for another request after a day', async () => {
    const id = randomUUID()
    await book(id, bookingInput())
    await app.deps.write.run(
      'expire',
      (sql) => sql`update idempotency_records set expires_at = ${app.deps.clock.now().toISOString()} where key = ${id}`,
    )
    expect((await book(id, bookingInput({ description: 'Another day.' }))).status).toBe(409)
  })

  test('must have 1 to 255 visible characters', async () => {
    for (const invalid of ['', 'two words', 'x'.repeat(256), 'ümlaut'])
      expect((await book(invalid, bookingInput())).status).toBe(400)
    expect(
      (await app.send('/api/v1/bookings', { json: bookingInput(), headers: { 'idempotency-key': '' } })).status,
    ).toBe(401)
  })
})

const post = (server: TestServer, path: string, idempotencyKey: string, body: object) =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(5000),
  })

const nextSlot = async (server: TestServer, pro: string) => {
  const response = await fetch(`${server.url}/api/v1/pros/${pro}/availability`, {
    headers: { authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(5000),
  })
  const { nextAvailable } = (await response.json()) as { nextAvailable: { date: string; time: string } }
  return { date: nextAvailable.date, time: nextAvailable.time }
}

test('100 concurrent requests with one key to two servers: one booking, one set of events, 100 identical responses', async () => {
  const behindOneName = { ...app, env: { BASE_URL: 'https://hearth.example' } }
  const servers = await Promise.all([startServer(behindOneName), startServer(behindOneName)])
  const [pro] = await bookablePros(1)
  if (!pro) throw new Error('There is no pro to book.')
  const body = { ...pro, ...(await nextSlot(servers[0], pro.professionalId)), customer }
  const id = randomUUID()
  const responses = await Promise.all(
    Array.from({ length: 100 }, async (_, n) => {
      const response = await post(servers[n % 2] ?? servers[0], '/api/v1/bookings', id, body)
      return {
        status: response.status,
        body: await response.text(),
        replayed: response.headers.get('idempotent-replayed'),
      }
    }),
  )
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]))
  expect(new Set(responses.map(({ body: text }) => text)).size).toBe(1)
  expect(responses.filter(({ replayed }) => replayed === 'true')).toHaveLength(99)
  const bookings = await bookingsOf(pro.professionalId)
  expect(bookings.map(({ events }) => events)).toEqual([2])
  await Promise.all(servers.map((server) => server.stop()))
}, 60_000)

const KILLS = longForm(20, 100)

/** Seeded pros with instant booking, each with one service, except the pro of the tests above. */
const bookablePros = (count: number) =>
  app.deps.read.run<{ professionalId: string; serviceId: string }>(
    'bookablePros',
    (sql) => sql`
      select distinct on (p.id) p.id as professional_id, o.service_id
      from professionals p join professional_services o on o.professional_id = p.id and o.instant_book_enabled
      where p.active and p.instant_booking_enabled and not p.requires_approval and not p.deposit_required
        and p.id <> ${slot.professionalId} and not exists (
          select from bookings b where b.professional_id = p.id and b.account_id is not null)
      order by p.id limit ${count}`,
  )

test(`servers killed ${KILLS} times while clients retry never book twice for a key nor lose an acknowledged booking`, async () => {
  const alive = new Set<TestServer>()
  let kills = 0
  let attempts = 0
  let answers = 0
  const lost: string[] = []
  /** Starts servers one after another and kills each after a random number of answers, also in the middle of requests. */
  const killServers = async () => {
    while (kills < KILLS) {
      const server = await startServer(app)
      alive.add(server)
      const last = answers + randomInt(0, 20)
      await waitUntil(() => answers >= last, 2000, 1)
      kills++
      server.signal('SIGKILL')
      await server.exited
      alive.delete(server)
    }
  }
  const anyServer = () => [...alive][randomInt(0, Math.max(alive.size, 1))]
  /** Retries until a server responds, as a client does. */
  const retry = async <T>(ask: (server: TestServer) => Promise<T>): Promise<T | undefined> => {
    while (kills < KILLS || alive.size > 0) {
      const server = anyServer()
      if (!server) await Bun.sleep(2)
      else {
        attempts++
        const result = await ask(server).catch((error: Error) => void lost.push(error.message))
        if (result !== undefined) {
          answers++
          return result
        }
      }
    }
    return undefined
  }
  const pros = [...(await bookablePros(900))]
  const acknowledged = new Map<string, string>()
  /** Books one pro after another, each with a new key until acknowledged, and then repeats the request. */
  const client = async () => {
    for (let pro = pros.pop(); pro; pro = pros.pop()) {
      const { professionalId, serviceId } = pro
      const when = await retry((server) => nextSlot(server, professionalId))
      const id = randomUUID()
      const createBooking = () =>
        retry(async (server) => {
          const response = await post(server, '/api/v1/bookings', id, { professionalId, serviceId, ...when, customer })
          const body = (await response.json()) as { booking?: { id: string } }
          return response.status === 201
            ? body.booking?.id
            : response.status >= 500
              ? undefined
              : String(response.status)
        })
      const first = when && (await createBooking())
      if (first === undefined) return
      acknowledged.set(professionalId, first)
      const retried = await createBooking()
      if (retried !== undefined && retried !== first) throw new Error(`One key, two results: ${first} and ${retried}`)
    }
  }
  await Promise.all([killServers(), killServers(), killServers(), ...Array.from({ length: 8 }, client)])

  const created = await app.deps.read.run<{ professionalId: string; ids: string[] }>(
    'bookingsByPro',
    (sql) => sql`
      select professional_id, array_agg(id) as ids from bookings
      where account_id is not null and professional_id <> ${slot.professionalId} group by 1`,
  )
  const booked = new Map(created.map(({ professionalId, ids }) => [professionalId, ids]))
  process.stdout.write(
    `${kills} kills, ${attempts} requests, ${lost.length} lost (${[...new Set(lost)].join('; ')}), ${acknowledged.size} bookings acknowledged, ${booked.size} created\n`,
  )
  expect(acknowledged.size).toBeGreaterThan(10)
  for (const [pro, id] of acknowledged) expect([pro, booked.get(pro)]).toEqual([pro, [id]])
  for (const [pro, ids] of booked) expect([pro, ids.length]).toEqual([pro, 1])
}, 180_000)
