// Events of calendars elsewhere block a pro's time like a block, as long as the calendar is imported, and change nothing else.
import { describe, expect, test } from 'bun:test'

import { readCalendarSoon } from '../../../../src/features/calendar/imported-calendars/verbs/calendars.ts'
import { book } from '../../../support/booking-fixture.ts'
import { icsOf } from '../../../support/calendar-host.ts'
import { CALENDARS_PATH, ELEVEN, NINE, TEN, useCalendarWorld } from '../../../support/imported-calendars.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const it = useCalendarWorld()

describe('an imported calendar', () => {
  test('blocks the time of its events in lists and reservations until it is removed', async () => {
    const { id } = await it.add()
    expect(await it.openTimes()).toEqual(['08:00', '09:00', '10:00', '11:00'])
    expect(await it.read()).toEqual(['changed'])
    expect(await it.single()).toMatchObject({
      status: 'working',
      eventCount: 1,
      unreadableEventCount: 0,
      lastError: null,
    })
    expect(await it.openTimes()).toEqual(['08:00', '10:00', '11:00'])
    expect([await it.reserve(0), await it.reserve(1), await it.eventCount()]).toEqual([409, 201, 1])

    const { manageUrl } = await book(it.world, it.pro, 2)
    const token = new URL(manageUrl).pathname.split('/').at(-1) ?? ''
    expect(token).not.toBe('')
    const [booking] = await it.world.sql<{ id: string }[]>`
      select id from bookings where professional_id = ${it.pro.id} order by starts_at desc limit 1`
    const move = (time: string) =>
      it.world.app.send(`/api/v1/bookings/${booking?.id}/reschedule`, {
        key: it.world.key,
        json: { date: '2026-11-23', time },
      })
    expect((await move('09:00')).status).toBe(409)

    expect((await it.send(`${CALENDARS_PATH}/${id}`, undefined, 'DELETE')).status).toBe(204)
    expect((await it.send(`${CALENDARS_PATH}/${id}`, undefined, 'DELETE')).status).toBe(404)
    expect(await it.eventCount()).toBe(2)
    expect(await it.openTimes()).toEqual(['08:00', '09:00'])
    expect((await move('09:00')).status).toBe(200)
  })

  test('has an address that only its host is shown of and that is stored encrypted', async () => {
    const secret = 'private-0123456789abcdef'
    const calendar = await it.add(it.host.url(`${secret}/basic.ics`))
    expect(JSON.stringify([calendar, await it.calendars()])).not.toContain(secret)
    expect(calendar.address).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/…$/)
    const rows = await it.world.sql`select to_jsonb(c)::text as row from imported_calendars c`
    expect(JSON.stringify(rows)).not.toContain(secret)
    await it.read()
    expect(it.host.requests.map(({ path }) => path)).toEqual([`/${secret}/basic.ics`])
  })

  test('is added once, up to twenty of a it.pro, for a member of the team, who takes it along', async () => {
    const url = it.host.url('same.ics')
    await it.add(url)
    expect(await (await it.send(CALENDARS_PATH, { name: 'Again', url })).json()).toMatchObject({
      code: 'calendar_exists',
    })
    const unknown = { name: 'Crew', url: it.host.url('crew.ics'), memberId: crypto.randomUUID() }
    expect(await (await it.send(CALENDARS_PATH, unknown)).json()).toMatchObject({ code: 'member_not_found' })
    const added = await it.send('/api/v1/pro/team', { name: 'Crew 1', email: `crew@${it.pro.id}.test.example` })
    const { member } = (await added.json()) as { member: { id: string } }
    await it.add(it.host.url('crew.ics'), { memberId: member.id })
    await it.read()
    expect(await it.openTimes()).not.toContain('09:00')
    expect((await it.send(`/api/v1/pro/team/${member.id}`, undefined, 'DELETE')).status).toBe(204)
    expect(await it.calendars()).toHaveLength(1)
    for (let n = 1; n < 20; n++) await it.add()
    const more = await it.send(CALENDARS_PATH, { name: 'More', url: it.host.url('more.ics') })
    expect([more.status, await more.json()]).toEqual([
      409,
      expect.objectContaining({ code: 'too_many_calendars' }) as never,
    ])
  })

  test('is asked for with what its server said of it, and expanded anew each day and for each time zone', async () => {
    const etag = '"v1"'
    it.host.answer = (request) =>
      request.etag === etag
        ? new Response(null, { status: 304 })
        : new Response(icsOf({ from: NINE, to: TEN }), {
            headers: { etag, 'last-modified': 'Fri, 20 Nov 2026 00:00:00 GMT' },
          })
    it.world.clock.set('2026-11-20T10:00:00Z')
    await it.add()
    expect([await it.read(), await it.readAgain(), await it.readAgain()]).toEqual([
      ['changed'],
      ['unchanged'],
      ['unchanged'],
    ])
    const modifiedSince = 'Fri, 20 Nov 2026 00:00:00 GMT'
    expect(it.host.requests.map((it) => [it.etag, it.modifiedSince])).toEqual([
      [null, null],
      [etag, modifiedSince],
      [etag, modifiedSince],
    ])
    it.world.clock.set('2026-11-21T00:01:00Z')
    await it.read()
    await it.world.sql`update professionals set time_zone = 'America/New_York' where id = ${it.pro.id}`
    await it.readAgain()
    // It has not changed for a day.
    await it.readAgain(140)
    expect(it.host.requests.slice(3).map((it) => it.etag)).toEqual([null, null, etag])
    expect(await it.eventCount()).toBe(1)
  })

  test('whose server says nothing of it is compared with what was read before', async () => {
    await it.add()
    expect([await it.read(), await it.readAgain()]).toEqual([['changed'], ['unchanged']])
    it.host.answer = () => new Response(icsOf({ from: TEN, to: ELEVEN }))
    expect(await it.readAgain()).toEqual(['changed'])
    expect(await it.openTimes()).toEqual(['08:00', '09:00', '11:00'])
    it.host.answer = () => new Response(icsOf())
    expect(await it.readAgain()).toEqual(['changed'])
    expect(await it.openTimes()).toEqual(['08:00', '09:00', '10:00', '11:00'])
    expect(await it.eventCount()).toBe(3)
  })

  test('is read about every five minutes, at once when the pro asks, and then not again for a moment', async () => {
    const { id } = await it.add()
    await it.read()
    expect(await it.readAgain(4)).toEqual([])
    const { lastReadAt, nextReadAt } = await it.single()
    const minutes = (Date.parse(nextReadAt) - Date.parse(lastReadAt ?? '')) / 60_000
    expect(minutes).toBeGreaterThanOrEqual(4.5)
    expect(minutes).toBeLessThanOrEqual(5.5)
    const soon = () =>
      readCalendarSoon(ctxOf(it.world.app.deps, { accountId: it.pro.accountId, professionalId: it.pro.id }), { id })
    expect([await soon(), await it.read(), await soon(), await it.read()]).toEqual([true, ['unchanged'], false, []])
  })
})

describe('an event that overlaps a booking', () => {
  test('changes nothing of the booking and is told to the pro once', async () => {
    it.world.clock.set('2026-11-20T00:10:00Z')
    const { booking } = await book(it.world, it.pro)
    await book(it.world, it.pro, 3)
    await it.add()
    expect(await it.read()).toEqual(['changed'])
    expect(await it.notices('calendar_conflict')).toMatchObject([
      {
        data: {
          bookingId: booking.id,
          name: 'Family',
          startsAt: '2026-11-23T15:00:00.000Z',
          endsAt: '2026-11-23T16:00:00.000Z',
        },
      },
    ])
    const message = {
      recipient: it.pro.email,
      data: {
        calendar: 'Family',
        booking: { id: booking.id, startsAt: '2026-11-23T15:00:00.000Z', customer: { email: 'home@example.com' } },
        event: { startsAt: '2026-11-23T15:00:00.000Z', endsAt: '2026-11-23T16:00:00.000Z' },
        consoleUrl: expect.stringContaining(`/console/bookings/${booking.id}`) as never,
      },
    }
    expect(await it.messages('calendar-conflict')).toMatchObject([message])
    it.host.answer = () => new Response(icsOf({ from: '2026-11-23T14:30:00Z', to: TEN }))
    expect(await it.readAgain()).toEqual(['changed'])
    expect([await it.notices('calendar_conflict'), await it.messages('calendar-conflict')]).toMatchObject([
      { length: 1 },
      { length: 1 },
    ])
    const [row] = await it.world.sql`select status from bookings where id = ${booking.id}`
    expect(row?.['status']).toBe('confirmed')
  })

  test('is no conflict of a member’s calendar with the visit of another member', async () => {
    const added = ['first', 'second'].map((name) =>
      it.send('/api/v1/pro/team', { name, email: `${name}@${it.pro.id}.test.example` }),
    )
    const members = await Promise.all(
      added.map(async (answer) => ((await (await answer).json()) as { member: { id: string } }).member.id),
    )
    const [own = '', others = ''] = members
    const { booking } = await book(it.world, it.pro)
    const assign = async (memberId: string) => {
      const action = { action: 'assign', assignToMemberId: memberId }
      expect((await it.send(`/api/v1/pro/bookings/${booking.id}`, action)).status).toBe(200)
    }
    await assign(others)
    const calendar = await it.add(undefined, { memberId: own })
    await it.read()
    expect(await it.notices('calendar_conflict')).toHaveLength(0)
    await assign(own)
    it.host.answer = () => new Response(icsOf({ from: '2026-11-23T14:30:00Z', to: TEN }))
    await it.readAgain()
    expect(await it.notices('calendar_conflict')).toHaveLength(1)
    expect((await it.single()).id).toBe(calendar.id)
  })

  test('is no conflict when it is the booking itself, as Hearth sent it', async () => {
    const { booking } = await book(it.world, it.pro)
    // As in the .ics: the address of the site has a port, and a UID has none.
    const { host, hostname: own } = new URL(it.world.app.deps.config.baseUrl)
    expect(host).not.toBe(own)
    it.host.answer = () => new Response(icsOf({ from: NINE, to: TEN, uid: `booking-${booking.id}@${own}` }))
    await it.add()
    await it.read()
    expect(await it.notices('calendar_conflict')).toHaveLength(0)
    expect((await it.send(`/api/v1/pro/bookings/${booking.id}`, { action: 'cancel', reason: 'Ill' })).status).toBe(200)
    expect(await it.openTimes()).toContain('09:00')
  })

  test('is either refused to the customer or told to the pro when both arrive at once', async () => {
    await it.add()
    await it.read()
    let booked = 0
    for (let n = 0; n < 40; n++) {
      const at = Date.parse('2026-11-24T15:00:00Z') + n * 3_600_000
      const served = Promise.withResolvers<void>()
      it.host.answer = () => {
        served.resolve()
        return new Response(icsOf({ from: new Date(at).toISOString(), to: new Date(at + 3_600_000).toISOString() }))
      }
      it.world.clock.advance(6)
      const before = (await it.notices('calendar_conflict')).length
      const reading = it.read()
      // The customer comes with the reader, once the event was served, or once it was read: each side is first at times.
      await [undefined, served.promise, reading][n % 3]
      const [outcomes, status] = await Promise.all([reading, it.reserve(24 + n)])
      const told = (await it.notices('calendar_conflict')).length - before
      expect([outcomes, status, told]).toEqual([['changed'], status, status === 201 ? 1 : 0])
      expect([201, 409]).toContain(status)
      booked += told
    }
    expect(booked).toBeLessThan(40)
  })
})
