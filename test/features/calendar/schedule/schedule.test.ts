// A pro's schedule decides what can be booked, and every change emits one event.
import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'

import { findBookableSlot, openTestApp } from '../../../support/app.ts'
import { opened } from '../../../support/fixture.ts'

const app = await opened(openTestApp())
const slot = await findBookableSlot(app)
const [owner] = await app.deps.read.run<{ email: string }>(
  'ownerOf',
  (sql) => sql`
      select a.email from accounts a join professionals p on p.account_id = a.id where p.id = ${slot.professionalId}`,
)
/** A key of the pro, and one of a customer. */
const key = await app.key(['pro:read', 'pro:write'], owner?.email)
const customers = await app.key()

const PATH = '/api/v1/pro/availability'
const json = async (response: Promise<Response>) => (await (await response).json()) as never

const events = () =>
  app.deps.read.run<{ sequence: number }>(
    'availabilityEvents',
    (sql) => sql`
      select sequence from outbox_events
      where aggregate_id = ${slot.professionalId} and type = 'availability.updated' order by position`,
  )

const book = (date: string, time: string) =>
  app.send('/api/v1/bookings', {
    key: customers,
    json: {
      professionalId: slot.professionalId,
      serviceId: slot.serviceId,
      date,
      time,
      customer: { name: 'Customer', email: 'customer@test.example' },
    },
  })

interface Open {
  nextAvailable: { date: string; time: string }
  availability: { slots: { start: string; end: string }[] }[]
  slotDurationMinutes: number
}

test('changes of settings and hours take effect at once and emit one event', async () => {
  const before = (await events()).length
  const changed = await app.send(PATH, {
    method: 'PATCH',
    key,
    json: {
      defaultSlotMinutes: 90,
      bookingBufferMinutes: 0,
      bookingLeadTimeHours: 0,
      businessHours: {
        tuesday: [{ start: '10:00', end: '13:00' }],
        wednesday: [],
        thursday: [],
        friday: [{ start: '22:00', end: '24:00' }],
      },
    },
  })
  expect(changed.status).toBe(200)
  expect(await json(app.send(PATH, { key }))).toEqual((await changed.json()) as never)
  const open: Open = await json(app.send(`/api/v1/pros/${slot.slug}/availability?date=2026-06-09&days=4`))
  expect(open.slotDurationMinutes).toBe(90)
  expect(open.availability.map(({ slots }) => slots.map(({ start, end }) => `${start}-${end}`))).toEqual([
    ['10:00-11:30', '11:30-13:00'],
    [],
    [],
    ['22:00-23:30'],
  ])
  expect((await events()).length).toBe(before + 1)
})

test('a change of some days leaves the other days as they are, and an empty list closes a day', async () => {
  interface Hours {
    settings: { businessHours: Record<string, object[]> }
  }
  const patch = (businessHours: object) => app.send(PATH, { method: 'PATCH', key, json: { businessHours } })
  const { settings: before }: Hours = await json(app.send(PATH, { key }))
  const saturday = [{ start: '08:00', end: '11:00' }]
  const { settings: opened }: Hours = await json(patch({ saturday }))
  expect(opened.businessHours).toEqual({ ...before.businessHours, saturday })
  const { settings: closed }: Hours = await json(patch({ saturday: [] }))
  expect(closed.businessHours).toEqual({ ...before.businessHours, saturday: [] })
})

test('hours that overlap, end before they start or are malformed are refused, naming the field', async () => {
  const cases: [object, string][] = [
    [{ monday: [{ start: '12:00', end: '09:00' }] }, 'body.businessHours.monday.0.end'],
    [
      {
        monday: [
          { start: '09:00', end: '12:00' },
          { start: '11:00', end: '13:00' },
        ],
      },
      'body.businessHours.monday.1.start',
    ],
    [{ monday: [{ start: '09:00', end: '24:30' }] }, 'body.businessHours.monday.0.end'],
    [{ someday: [] }, 'body.businessHours.someday'],
    [
      { monday: Array.from({ length: 5 }, (_, n) => ({ start: `0${n}:00`, end: `0${n}:30` })) },
      'body.businessHours.monday',
    ],
  ]
  for (const [businessHours, path] of cases) {
    const response = await app.send(PATH, { method: 'PATCH', key, json: { businessHours } })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ errors: [{ path }] })
  }
})

describe('a block', () => {
  test('removes its time from availability and bookings until it is deleted', async () => {
    const { nextAvailable } = (await json(app.send(`/api/v1/pros/${slot.slug}/availability`))) as Open
    const { date, time } = nextAvailable
    const input = { startDateTime: `${date}T00:00:00Z`, endDateTime: `${date}T23:59:00Z`, reason: 'Away' }
    const id = randomUUID()
    const block = () => app.send(PATH, { key, json: input, headers: { 'idempotency-key': id } })
    const created = await block()
    expect(created.status).toBe(201)
    const body = (await created.json()) as { block: { id: string }; bookingsWithin: string[] }
    expect(body.bookingsWithin).toEqual([])
    expect(await json(block())).toEqual(body as never)
    expect((await book(date, time)).status).toBe(409)
    const schedule: { blocks: { id: string }[] } = await json(app.send(PATH, { key }))
    expect(schedule.blocks.map((it) => it.id)).toContain(body.block.id)

    expect((await app.send(`${PATH}/${body.block.id}`, { method: 'DELETE', key })).status).toBe(204)
    expect((await app.send(`${PATH}/${body.block.id}`, { method: 'DELETE', key })).status).toBe(404)
    expect((await book(date, time)).status).toBe(201)
    const over: { bookingsWithin: string[] } = await json(app.send(PATH, { key, json: input }))
    expect(over.bookingsWithin).toHaveLength(1)
  })

  test('must end after its start, not in the past, within a year', async () => {
    for (const [startDateTime, endDateTime] of [
      ['2026-06-10T09:00:00Z', '2026-06-10T09:00:00Z'],
      ['2026-05-01T09:00:00Z', '2026-05-02T09:00:00Z'],
      ['2026-06-10T09:00:00Z', '2028-06-10T09:00:00Z'],
    ])
      expect((await app.send(PATH, { key, json: { startDateTime, endDateTime } })).status).toBe(400)
  })

  test('created while its time is being booked either prevents the booking or lists it, 200 times', async () => {
    await app.send(PATH, {
      method: 'PATCH',
      key,
      json: { defaultSlotMinutes: 30, businessHours: { wednesday: [{ start: '00:00', end: '24:00' }] } },
    })
    let booked = 0
    for (let round = 0; round < 200; round++) {
      const day = new Date(Date.UTC(2026, 5, 10 + 7 * Math.floor(round / 45))).toISOString().slice(0, 10)
      const minute = (round % 45) * 30
      const time = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
      const [startDateTime, endDateTime] = await instants(day, minute)
      const [booking, block] = await Promise.all([
        book(day, time),
        app.send(PATH, { key, json: { startDateTime, endDateTime } }),
      ])
      expect(block.status).toBe(201)
      const { bookingsWithin } = (await block.json()) as { bookingsWithin: string[] }
      // The second one saw the first: the booking was refused, or the block lists the booking.
      expect([booking.status, bookingsWithin.length]).toEqual(booking.status === 201 ? [201, 1] : [409, 0])
      booked += bookingsWithin.length
    }
    expect(booked).toBeLessThan(200)
  }, 60_000)
})

/** The start and end of a half hour in the pro's time zone. */
async function instants(date: string, minute: number): Promise<[string, string]> {
  const [row] = await app.deps.read.run<{ startsAt: string; endsAt: string }>(
    'instants',
    (sql) => sql`
      select i as starts_at, i + interval '30 minutes' as ends_at
      from professionals p, local_instant(${date}::date, ${minute}, p.time_zone) i where p.id = ${slot.professionalId}`,
  )
  return [row?.startsAt ?? '', row?.endsAt ?? '']
}

test('a deposit is set with its percentage, changed, and cleared; an invalid one is refused and changes nothing', async () => {
  interface Settings {
    settings: { depositRequired: boolean; depositPercentage: number | null }
  }
  const patch = (change: object) => app.send(PATH, { method: 'PATCH', key, json: change })
  const shown = async () => {
    const { settings }: Settings = await json(app.send(PATH, { key }))
    const detail: { booking: object } = await json(app.send(`/api/v1/pros/${slot.slug}`))
    const { depositRequired, depositPercentage } = settings
    expect(detail.booking).toMatchObject({ depositRequired, depositPercentage })
    return [depositRequired, depositPercentage] as const
  }
  const steps: [change: object, status: number, then: readonly [boolean, number | null], eventCount: number][] = [
    [{ depositRequired: false }, 200, [false, null], 0],
    [{ depositRequired: true }, 400, [false, null], 0],
    [{ depositPercentage: 20 }, 400, [false, null], 0],
    [{ depositRequired: true, depositPercentage: null }, 400, [false, null], 0],
    ...[0, -1, 100.01, 33.333].map((depositPercentage): [object, number, readonly [boolean, null], number] => [
      { depositRequired: true, depositPercentage },
      400,
      [false, null],
      0,
    ]),
    [{ depositRequired: true, depositPercentage: 33.33 }, 200, [true, 33.33], 1],
    [{ depositRequired: true }, 200, [true, 33.33], 0],
    [{ bookingBufferMinutes: 10 }, 200, [true, 33.33], 1],
    [{ depositPercentage: 100 }, 200, [true, 100], 1],
    [{ depositPercentage: null }, 400, [true, 100], 0],
    [{ depositRequired: false, depositPercentage: 10 }, 400, [true, 100], 0],
    [{ depositRequired: false }, 200, [false, null], 1],
    [{ depositRequired: false, depositPercentage: null }, 200, [false, null], 0],
  ]
  await patch({ depositRequired: false, bookingBufferMinutes: 0 })
  for (const [change, status, then, eventCount] of steps) {
    const before = (await events()).length
    const response = await patch(change)
    expect([change, response.status, await shown(), (await events()).length - before]).toEqual([
      change,
      status,
      then,
      eventCount,
    ])
    if (status === 400)
      expect(await json(Promise.resolve(response))).toMatchObject({
        errors: [{ path: 'body.depositPercentage' }],
      })
  }
})
