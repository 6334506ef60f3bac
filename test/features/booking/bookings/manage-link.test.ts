// The manage link of a booking: the same each time it is made, for the customer only.
import { expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'

import type { Access } from '../../../../src/auth/access.ts'
import { manageUrl } from '../../../../src/features/booking/bookings/verbs/manage-link.ts'
import { ACCESS_KEY } from '../../../../src/http/guard.ts'
import { PRO_SERVER, callTool, setPlan } from '../../../support/agents.ts'
import { book, bookingBody, openBookingFixture, pay } from '../../../support/booking-fixture.ts'
import { opened } from '../../../support/fixture.ts'
import { loggedInVisitor } from '../../../support/visitor.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const world = await opened(openBookingFixture({ FEATURE_PRO_MCP: 'true' }))
const pro = await world.pro()
const paid = await book(world, pro)
await pay(world, paid.payment?.clientSecret ?? '')

test('every response that creates a booking has it, and a replay has the same', async () => {
  const { app, key } = world
  const { date, time, ...body } = bookingBody(pro, 2)
  const requests = [
    ['/api/v1/bookings', { date, time, ...body }],
    [
      '/api/v1/bookings/create',
      {
        professionalId: pro.id,
        serviceId: pro.serviceId,
        startDateTime: '2026-11-23T19:00:00Z',
        guestName: 'Homeowner in Austin',
        guestEmail: 'home@example.com',
      },
    ],
  ] as const
  for (const [path, json] of requests) {
    const headers = { 'idempotency-key': randomUUID() }
    const answers = [await app.send(path, { key, json, headers }), await app.send(path, { key, json, headers })]
    const [first, replay] = (await Promise.all(answers.map((answer) => answer.json()))) as {
      booking: { id: string }
      manageUrl: string
    }[]
    expect(first?.manageUrl).toBe(manageUrl(ctxOf(app.deps), { bookingId: first?.booking.id ?? '' }))
    expect(first?.manageUrl).toStartWith(`${app.deps.config.baseUrl}/bookings/manage/`)
    expect(replay?.manageUrl).toBe(first?.manageUrl ?? '')
  }
})

test('a pro who books for a customer with a key of their own does not get it', async () => {
  const { app } = world
  const key = await app.key(['bookings:write'], pro.email)
  const { date, time, ...body } = bookingBody(pro, 30)
  const start = {
    professionalId: pro.id,
    serviceId: pro.serviceId,
    startDateTime: '2026-11-24T23:00:00Z',
    guestName: 'Homeowner in Austin',
    guestEmail: 'home@example.com',
  }
  for (const [path, json] of [
    ['/api/v1/bookings', { date, time, ...body }],
    ['/api/v1/bookings/create', start],
  ] as const) {
    const answer = await app.send(path, { key, json })
    expect(answer.status).toBe(201)
    const text = await answer.text()
    expect(JSON.parse(text)).toMatchObject({ manageUrl: null })
    expect(text).not.toContain('/bookings/manage/')
  }
})

test('no interface of the pro and no event has it', async () => {
  const { app, sql } = world
  const { id } = paid.booking
  const seen = new Map<string, string>()
  const read = async (name: string, answer: Response | Promise<Response>) => seen.set(name, await (await answer).text())

  await read('POST assign', app.send(`/api/v1/pro/bookings/${id}`, { key: pro.key, json: { action: 'assign' } }))
  const visitor = await loggedInVisitor(app, 'pro', { pro: pro.id })
  for (const { method, path, hooks } of app.app.routes) {
    const access = (hooks as { detail?: Record<string, unknown> }).detail?.[ACCESS_KEY] as Access | undefined
    if (method !== 'GET' || !access) continue
    const url = path.replace(/:\w+/g, id)
    if (access.owner === 'pro' || access.scopes.includes('pro:read'))
      await read(`GET ${path}`, app.send(url, { key: pro.key }))
    if (access.session?.includes('pro')) seen.set(`page ${path}`, (await visitor.get(url)).text)
  }
  const code = `/api/v1/bookings?code=${paid.booking.confirmationCode}`
  await read('GET by code', app.send(code, { key: pro.key }))
  seen.set('page by code', (await visitor.get(`/bookings/${paid.booking.confirmationCode}`)).text)

  await setPlan(app, pro.id, 'business')
  const agent = await app.key(['mcp:read', 'mcp:write'], pro.email)
  const listed = await callTool(app, PRO_SERVER, agent, 'list_bookings', {})
  seen.set('list_bookings', JSON.stringify(listed))
  const events = await sql<{ data: string }[]>`select data::text from outbox_events`
  seen.set('events', events.map(({ data }) => data).join('\n'))

  for (const name of [
    'GET /api/v1/pro/bookings',
    'page /console/bookings/:id',
    'list_bookings',
    'events',
    'GET by code',
  ])
    expect([name, seen.get(name)?.includes(id) || seen.get(name)?.includes(paid.booking.confirmationCode)]).toEqual([
      name,
      true,
    ])
  const token = new URL(paid.manageUrl).pathname.split('/').at(-1) ?? ''
  for (const [name, text] of seen)
    expect([name, text.includes(token), text.includes('/bookings/manage/')]).toEqual([name, false, false])
})
