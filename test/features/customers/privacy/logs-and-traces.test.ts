// A server's log and kept traces hold nothing that an erasure would have to find.
import { expect, test } from 'bun:test'

import { renewCalendarFeed } from '../../../../src/features/calendar/calendar-feeds/verbs.ts'
import { waitUntil } from '../../../../src/platform/clock/deadlines.ts'
import { bookingBody, openBookingFixture } from '../../../support/booking-fixture.ts'
import { lifeCustomer } from '../../../support/customer-life.ts'
import { opened } from '../../../support/fixture.ts'
import { startServer } from '../../../support/server.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const LIMIT_MS = 60_000

const fixture = await opened(openBookingFixture())

test(
  'requests that name a customer, accepted and refused, leave nothing of them in the log and in kept traces',
  async () => {
    const { app, sql } = fixture
    const pro = await fixture.pro()
    const { name, email, phone, address, text, markers } = lifeCustomer(4)
    const key = await app.key()
    const env = { OTEL_TRACES_SAMPLER: 'always_on', LOG_LEVEL: 'debug' }
    const server = await startServer({ databaseUrl: app.databaseUrl, env })
    const send = async (path: string, json?: object) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const body = json ? { method: 'POST', body: JSON.stringify(json) } : {}
      return (await fetch(server.url + path, { headers, ...body })).status
    }
    const customer = { name, email, phone }
    const request = { professionalId: pro.id, customer, description: text('a request'), address }
    const review = { professionalId: pro.id, rating: 5, content: text('a review'), customer: { name, email } }
    const query = `email=${encodeURIComponent(email)}`
    expect([
      await send('/api/v1/rfqs', request),
      await send('/api/v1/rfqs', { ...request, [text('a field')]: phone }),
      await send('/api/v1/bookings', bookingBody(pro, 0, { customer, date: name })),
      await send('/api/v1/reviews', review),
      await send('/api/v1/reviews', review),
      await send(`/api/v1/rfqs?${query}`),
      await send(`/api/v1/bookings?code=${encodeURIComponent(name)}`),
      await send(`/api/v1/${encodeURIComponent(email)}?${query}`),
    ]).toEqual([201, 400, 400, 201, 400, 200, 404, 404])
    const traces = () => sql<{ part: string }[]>`select t::text as part from trace_parts t`
    expect(await waitUntil(async () => (await traces()).length >= 8, LIMIT_MS / 2)).toBe(true)
    await server.stop()
    const written = [server.output(), ...(await traces()).map(({ part }) => part)].join('\n').toLowerCase()
    expect(written).toContain('/api/v1/rfqs')
    expect(markers.filter((marker) => written.includes(marker))).toEqual([])
  },
  LIMIT_MS,
)

test(
  'the secret address of a calendar is in no log and in no kept trace',
  async () => {
    const { app, sql } = fixture
    const pro = await fixture.pro()
    const address = await renewCalendarFeed(ctxOf(app.deps, { professionalId: pro.id }), { memberId: null })
    const token = /([\w-]{43})\.ics$/.exec(address)?.[1] ?? ''
    const env = { OTEL_TRACES_SAMPLER: 'always_on', LOG_LEVEL: 'debug' }
    const server = await startServer({ databaseUrl: app.databaseUrl, env })
    const [{ count: before } = { count: 0 }] = await sql<{ count: number }[]>`select count(*)::int from trace_parts`
    const paths = [`/calendars/${token}.ics`, `/calendars/${token}x.ics`, `/calendars/${token}/x`]
    const answers = await Promise.all(paths.map(async (path) => (await fetch(server.url + path)).status))
    expect(answers).toEqual([200, 404, 404])
    const traces = () => sql<{ part: string }[]>`select t::text as part from trace_parts t`
    expect(await waitUntil(async () => (await traces()).length >= before + 3, LIMIT_MS / 2)).toBe(true)
    await server.stop()
    const written = [server.output(), ...(await traces()).map(({ part }) => part)].join('\n')
    expect(written).toContain('/calendars/:token')
    expect(written).not.toContain(token)
  },
  LIMIT_MS,
)
