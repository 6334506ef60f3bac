// One effect per Idempotency-Key across retries, servers and crashes.
import { beforeAll, describe, expect, test } from 'bun:test'
import { randomInt, randomUUID } from 'node:crypto'

import { type BookableSlot, findBookableSlot, openTestApp } from '../support/app.ts'
import { type TestServer, startServer } from '../support/server.ts'
import { longForm } from '../support/long-form.ts'
import { useFixture } from '../support/fixture.ts'

const app = useFixture(() => openTestApp())
let key: string
let slot: BookableSlot

beforeAll(async () => {
  key = await app.key()
  slot = await findBookableSlot(app)
})

const customer = { name: 'Customer', email: 'customer@test.example' }
const wish = (changes: object = {}) => {
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
    const first = await book(id, wish())
    const again = await book(id, wish({ customer: { email: customer.email, name: customer.name } }))
    expect([first.status, again.status]).toEqual([201, 201])
    expect(await again.text()).toBe(await first.text())
    expect(await bookingsOf(slot.professionalId)).toHaveLength(1)
  })

  test('replays a refusal as well', async () => {
    const id = randomUUID()
    const [first, again] = [await book(id, wish()), await book(id, wish())]
    expect([first.status, again.status]).toEqual([409, 409])
    expect(await book(id, wish({ duration: 45 }))).toMatchObject({ status: 422 })
  })

  test('is a 422 with another body', async () => {
    const id = randomUUID()
    await book(id, wish())
    const other = await book(id, wish({ description: 'Another one.' }))
    expect(other.status).toBe(422)
    expect(await other.json()).toMatchObject({ code: 'idempotency_mismatch' })
  })

  test('is separate for each account', async () => {
    const id = randomUUID()
    const strangers = await app.key(undefined, 'stranger@test.example')
    const [mine, theirs] = [await book(id, wish()), await book(id, wish({ description: 'Mine.' }), strangers)]
    expect([mine.status, theirs.status]).toEqual([409, 409])
  })

  test('is not used up by an invalid request', async () => {
    const id = randomUUID()
    expect((await book(id, wish({ customer: { name: 'No address' } }))).status).toBe(400)
    expect((await book(id, wish({ date: '2020-01-01' }))).status).toBe(400)
    expect((await book(id, wish())).status).toBe(409)
  })

  test('can be reused for another request after a day', async () => {
    const id = randomUUID()
    await book(id, wish())
    await app.deps.write.run(
      'expire',
      (sql) => sql`update idempotency_records set expires_at = ${app.deps.clock.now().toISOString()} where key = ${id}`,
    )
    expect((await book(id, wish({ description: 'Another day.' }))).status).toBe(409)
  })

  test('must have 1 to 255 visible characters', async () => {
    for (const bad of ['', 'two words', 'x'.repeat(256), 'ümlaut']) expect((await book(bad, wish())).status).toBe(400)
    expect((await app.send('/api/v1/bookings', { json: wish(), headers: { 'idempotency-key': '' } })).status).toBe(401)
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
  const answer = await fetch(`${server.url}/api/v1/pros/${pro}/availability`, {
    headers: { authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(5000),
  })
  const { nextAvailable } = (await answer.json()) as { nextAvailable: { date: string; time: string } }
  return { date: nextAvailable.date, time: nextAvailable.time }
}

test('100 concurrent requests with one key to two servers: one booking, one set of events, 100 identical responses', async () => {
  const servers = await Promise.all([startServer(app), startServer(app)])
  const [pro] = await bookablePros(1)
  if (!pro) throw new Error('Nobody to book.')
  const body = { ...pro, ...(await nextSlot(servers[0], pro.professionalId)), customer }
  const id = randomUUID()
  const answers = await Promise.all(
    Array.from({ length: 100 }, async (_, n) => {
      const answer = await post(servers[n % 2] ?? servers[0], '/api/v1/bookings', id, body)
      return { status: answer.status, body: await answer.text(), replayed: answer.headers.get('idempotent-replayed') }
    }),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
  expect(new Set(answers.map(({ body: text }) => text)).size).toBe(1)
  expect(answers.filter(({ replayed }) => replayed === 'true')).toHaveLength(99)
  const made = await bookingsOf(pro.professionalId)
  expect(made.map(({ events }) => events)).toEqual([2])
  await Promise.all(servers.map((server) => server.stop()))
}, 60_000)

const KILLS = longForm(40, 100)

/** Pros of the seeded world with instant booking, and one of their services; without the pro of the tests above. */
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
  /** Starts one server after another and kills each at a random moment. */
  const reaper = async () => {
    while (kills < KILLS) {
      const server = await startServer(app)
      alive.add(server)
      await Bun.sleep(randomInt(1, 500))
      kills++
      server.signal('SIGKILL')
      await server.exited
      alive.delete(server)
    }
  }
  const anyServer = () => [...alive][randomInt(0, Math.max(alive.size, 1))]
  /** Retries until a server answers, as a client would. */
  const insist = async <T>(ask: (server: TestServer) => Promise<T>): Promise<T | undefined> => {
    while (kills < KILLS || alive.size > 0) {
      const server = anyServer()
      if (!server) await Bun.sleep(2)
      else {
        attempts++
        const answer = await ask(server).catch(() => undefined)
        if (answer !== undefined) return answer
      }
    }
    return undefined
  }
  const pros = [...(await bookablePros(900))]
  const acknowledged = new Map<string, string>()
  /** Books one pro after another with a new key each, until acknowledged, and then once more. */
  const client = async () => {
    for (let pro = pros.pop(); pro; pro = pros.pop()) {
      const { professionalId, serviceId } = pro
      const when = await insist((server) => nextSlot(server, professionalId))
      const id = randomUUID()
      const made = () =>
        insist(async (server) => {
          const answer = await post(server, '/api/v1/bookings', id, { professionalId, serviceId, ...when, customer })
          const body = (await answer.json()) as { booking?: { id: string } }
          return answer.status === 201 ? body.booking?.id : answer.status >= 500 ? undefined : String(answer.status)
        })
      const first = when && (await made())
      if (first === undefined) return
      acknowledged.set(professionalId, first)
      const again = await made()
      if (again !== undefined && again !== first) throw new Error(`One key, two answers: ${first} and ${again}`)
    }
  }
  await Promise.all([reaper(), reaper(), reaper(), ...Array.from({ length: 8 }, client)])

  const made = await app.deps.read.run<{ professionalId: string; ids: string[] }>(
    'allMade',
    (sql) => sql`
      select professional_id, array_agg(id) as ids from bookings
      where account_id is not null and professional_id <> ${slot.professionalId} group by 1`,
  )
  const booked = new Map(made.map(({ professionalId, ids }) => [professionalId, ids]))
  process.stdout.write(
    `${kills} kills, ${attempts} requests, ${acknowledged.size} bookings acknowledged, ${booked.size} made\n`,
  )
  // On a busy machine servers die before they have done much; this many are enough.
  expect(acknowledged.size).toBeGreaterThan(25)
  for (const [pro, id] of acknowledged) expect([pro, booked.get(pro)]).toEqual([pro, [id]])
  for (const [pro, ids] of booked) expect([pro, ids.length]).toEqual([pro, 1])
}, 180_000)
