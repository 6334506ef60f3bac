// A pro's team: members are listed, added and removed; bookings are assigned only to active members.
import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'

import { book, openBookingFixture } from '../../../support/booking-fixture.ts'
import { opened } from '../../../support/fixture.ts'

const world = await opened(openBookingFixture())
const pro = await world.pro({ deposit: false })
const stranger = await world.pro({ deposit: false })

interface Member {
  id: string
  name: string
  email: string
  role: string
}

const add = (json: object, { key } = pro, headers = {}) => world.app.send('/api/v1/pro/team', { key, json, headers })
const added = async (n: number, owner = pro) => {
  const response = await add({ name: `Crew ${n}`, email: `crew.${n}@example.com` }, owner)
  if (response.status !== 201) throw new Error(`Not added: ${await response.text()}`)
  return ((await response.json()) as { member: Member }).member
}
const remove = (id: string, { key } = pro) => world.app.send(`/api/v1/pro/team/${id}`, { method: 'DELETE', key })
const team = async (query = '', { key } = pro) => {
  const response = await world.app.send(`/api/v1/pro/team${query}`, { key })
  return (await response.json()) as { members: Member[]; meta: { total: number; hasMore: boolean } }
}
const assign = (bookingId: string, assignToMemberId: string | undefined, { key } = pro) =>
  world.app.send(`/api/v1/pro/bookings/${bookingId}`, {
    key,
    json: { action: 'assign', ...(assignToMemberId ? { assignToMemberId } : {}) },
  })
const assignedTo = async (bookingId: string) => {
  const response = await world.app.send(`/api/v1/pro/bookings/${bookingId}`, { key: pro.key })
  return ((await response.json()) as { assignedTo: { id: string; name: string } | null }).assignedTo
}

describe('the team', () => {
  test('is listed in pages, newest first, and hidden from other pros', async () => {
    for (let n = 1; n <= 5; n++) await added(n)
    const first = await team('?limit=3')
    const rest = await team('?limit=3&offset=3')
    expect([...first.members, ...rest.members].map(({ name }) => name)).toEqual([5, 4, 3, 2, 1].map((n) => `Crew ${n}`))
    expect([first.meta, rest.meta]).toMatchObject([
      { total: 5, hasMore: true },
      { total: 5, hasMore: false },
    ])
    expect(await team('', stranger)).toMatchObject({ members: [], meta: { total: 0 } })
  })

  test('has each e-mail address once, ignoring case, until the member is removed', async () => {
    const [member] = (await team()).members
    expect((await add({ name: 'Crew 9', email: member?.email.toUpperCase() })).status).toBe(409)
    expect((await add({ name: 'Crew 9', email: member?.email }, stranger)).status).toBe(201)
    expect((await remove(member?.id ?? '')).status).toBe(204)
    expect((await add({ name: 'Crew 9', email: member?.email, role: 'office' })).status).toBe(201)
  })

  test('adds a member once per Idempotency-Key', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const json = { name: 'Crew 7', email: 'crew.7@example.com', role: 'manager' }
    const [first, replay] = [await add(json, pro, headers), await add(json, pro, headers)]
    expect([first.status, replay.status, await replay.text()]).toEqual([201, 201, await first.text()])
  })

  test('loses no member to another pro, and each member can be removed once', async () => {
    const member = await added(20)
    expect((await remove(member.id, stranger)).status).toBe(404)
    expect([(await remove(member.id)).status, (await remove(member.id)).status]).toEqual([204, 404])
  })
})

describe('a booking', () => {
  test('can be reassigned between active members, but not to removed members or members of another pro', async () => {
    const { booking } = await book(world, pro)
    const [one, two, removal, theirs] = [await added(30), await added(31), await added(32), await added(33, stranger)]
    await remove(removal.id)
    for (const member of [one, two]) {
      expect((await assign(booking.id, member.id)).status).toBe(200)
      expect(await assignedTo(booking.id)).toEqual({ id: member.id, name: member.name })
    }
    for (const id of [removal.id, theirs.id, randomUUID()]) {
      const response = await assign(booking.id, id)
      expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([404, 'member_not_found'])
    }
    const unnamed = await assign(booking.id, undefined)
    expect(await unnamed.json()).toMatchObject({ errors: [{ path: 'body.assignToMemberId' }] })
    expect((await assign(booking.id, theirs.id, stranger)).status).toBe(404)
    expect((await assignedTo(booking.id))?.id).toBe(two.id)
  })

  test('becomes unassigned when its member is removed, unless it is over', async () => {
    const [coming, over] = [await book(world, pro, 2), await book(world, pro, 4)]
    const member = await added(40)
    for (const { booking } of [coming, over]) await assign(booking.id, member.id)
    world.clock.set(over.booking.scheduledAt)
    await world.app.send(`/api/v1/pro/bookings/${over.booking.id}`, { key: pro.key, json: { action: 'complete' } })
    await remove(member.id)
    expect([await assignedTo(coming.booking.id), (await assignedTo(over.booking.id))?.id]).toEqual([null, member.id])
  })

  test('is never assigned to a removed member, even when both happen at once, 100 times', async () => {
    const { booking } = await book(world, pro, 30)
    for (let round = 0; round < 100; round++) {
      const member = await added(100 + round)
      const [assignment, left] = await Promise.all([assign(booking.id, member.id), remove(member.id)])
      expect([200, 404]).toContain(assignment.status)
      expect(left.status).toBe(204)
      expect((await assignedTo(booking.id))?.id).not.toBe(member.id)
    }
  }, 60_000)
})
