// A calendar that cannot be read keeps its last state; the pro sees why, and is told after a day.
import { describe, expect, test } from 'bun:test'

import { icsOf } from '../../../support/calendar-host.ts'
import { NINE, TEN, useCalendarWorld } from '../../../support/imported-calendars.ts'

const it = useCalendarWorld()

describe('a calendar that cannot be read', () => {
  test('keeps its last state, is read less and less often, and recovers', async () => {
    it.world.clock.set('2026-11-20T00:10:00Z')
    await it.add()
    await it.read()
    it.host.answer = () => new Response('gone', { status: 404 })
    const pauses: number[] = []
    for (let n = 0; n < 8; n++) {
      const { nextReadAt } = await it.single()
      it.world.clock.set(nextReadAt)
      expect(await it.read()).toEqual(['failed'])
      pauses.push(Math.round((Date.parse((await it.single()).nextReadAt) - Date.parse(nextReadAt)) / 60_000))
    }
    for (const [n, minutes] of [5, 10, 20, 40, 80, 160, 320, 360].entries())
      expect(Math.abs((pauses[n] ?? 0) / minutes - 1)).toBeLessThan(0.15)
    expect(await it.single()).toMatchObject({
      status: 'failing',
      eventCount: 1,
      failingSince: expect.any(String) as never,
    })
    expect((await it.single()).lastError).toContain('No calendar has this address any more (404)')
    expect(await it.openTimes()).not.toContain('09:00')

    it.host.answer = () => new Response(icsOf({ from: NINE, to: TEN }))
    it.world.clock.set((await it.single()).nextReadAt)
    expect(await it.read()).toEqual(['unchanged'])
    expect(await it.single()).toMatchObject({ status: 'working', lastError: null, failingSince: null })
  })

  test('says why, without its address', async () => {
    await it.add()
    const cases: [answer: () => Response | Promise<Response>, error: string][] = [
      [() => new Response('<html>Log in</html>'), 'does not lead to a calendar'],
      [() => new Response(icsOf({ from: NINE, to: TEN }).slice(0, 60)), 'incomplete'],
      [() => new Response('x'.repeat(5_300_000)), 'larger than 5 MB'],
      [
        () => new Response(Bun.gzipSync(new Uint8Array(20_000_000)), { headers: { 'content-encoding': 'gzip' } }),
        '5 MB',
      ],
      [() => new Response(null, { status: 302, headers: { location: '/again' } }), 'redirected too often'],
      [() => new Response('no', { status: 403 }), 'refuses the address (403)'],
      [() => new Response('down', { status: 503 }), 'answered with an error (503)'],
      [
        () => new Response(null, { status: 302, headers: { location: 'http://127.0.0.1:1/' } }),
        'address must not use port 1.',
      ],
    ]
    for (const [answer, error] of cases) {
      it.host.answer = answer
      it.world.clock.set((await it.single()).nextReadAt)
      expect([error, await it.read()]).toEqual([error, ['failed']])
      const { lastError } = await it.single()
      expect(lastError).toContain(error)
      expect(lastError).not.toContain('private-')
    }
  })

  test('is not read before its server allows it', async () => {
    await it.add()
    for (const header of ['7200', new Date(it.world.clock.now().getTime() + 7_200_000).toUTCString()]) {
      it.host.answer = () => new Response('slow down', { status: 429, headers: { 'retry-after': header } })
      const now = it.world.clock.now().getTime()
      expect(await it.read()).toEqual(['failed'])
      const { nextReadAt } = await it.single()
      expect(Date.parse(nextReadAt) - now).toBeGreaterThanOrEqual(7_199_000)
      await it.world.sql`update imported_calendars set next_read_at = ${it.world.clock.now().toISOString()}`
    }
  })

  test('is told to the pro once, after a day, and again after it has worked', async () => {
    await it.add()
    const fail = async (days: number) => {
      it.host.answer = () => new Response('gone', { status: 410 })
      for (let hours = 0; hours < days * 24; hours += 7) {
        await it.readAgain(7 * 60)
        if (hours < 14) expect(await it.notices('calendar_failing')).toHaveLength(told)
      }
    }
    let told = 0
    await fail(3)
    told = 1
    expect(await it.notices('calendar_failing')).toMatchObject([{ data: { name: 'Family', lastReadAt: null } }])
    it.host.answer = () => new Response(icsOf())
    await it.readAgain(7 * 60)
    await fail(3)
    expect(await it.notices('calendar_failing')).toHaveLength(2)
    const [first, second] = await it.messages('calendar-failing')
    expect(first).toMatchObject({ recipient: it.pro.email, data: { calendar: 'Family', lastReadAt: null } })
    expect(second).toMatchObject({
      data: { lastReadAt: expect.any(String) as never, reason: expect.stringContaining('(410)') as never },
    })
  })
})
