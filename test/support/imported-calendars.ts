// The fixture of tests of imported calendars: a pro in Austin, and a host of calendars.
import { afterAll, beforeAll, beforeEach, expect } from 'bun:test'

import { type BookingFixture, type FixturePro, bookingBody, openBookingFixture } from './booking-fixture.ts'
import { type CalendarHost, icsOf, openCalendarHost, readAllDue } from './calendar-host.ts'

export const CALENDARS_PATH = '/api/v1/pro/calendars'
/** Nine on the coming Monday in Austin, and the hours after. */
export const NINE = '2026-11-23T15:00:00Z'
export const TEN = '2026-11-23T16:00:00Z'
export const ELEVEN = '2026-11-23T17:00:00Z'

export interface ShownCalendar {
  id: string
  address: string
  status: string
  lastError: string | null
  lastReadAt: string | null
  nextReadAt: string
  failingSince: string | null
  eventCount: number
  unreadableEventCount: number
}

export class CalendarWorld {
  world!: BookingFixture
  host!: CalendarHost
  pro!: FixturePro
  #addresses = 0

  send(path: string, json?: unknown, method?: string): Promise<Response> {
    const body = json === undefined ? {} : { json }
    return this.world.app.send(path, { key: this.pro.key, ...body, ...(method ? { method } : {}) })
  }

  async add(
    url = this.host.url(`private-${++this.#addresses}/basic.ics`),
    more: { memberId?: string } = {},
  ): Promise<ShownCalendar> {
    const response = await this.send(CALENDARS_PATH, { name: 'Family', url, ...more })
    expect(response.status).toBe(201)
    return ((await response.json()) as { calendar: ShownCalendar }).calendar
  }

  async calendars(): Promise<ShownCalendar[]> {
    return ((await (await this.send(CALENDARS_PATH)).json()) as { calendars: ShownCalendar[] }).calendars
  }

  async single(): Promise<ShownCalendar> {
    const [calendar] = await this.calendars()
    if (!calendar) throw new RangeError('The pro has no calendar.')
    return calendar
  }

  read() {
    return readAllDue(this.world.app.deps)
  }

  async readAgain(minutes = 6) {
    this.world.clock.advance(minutes)
    return await this.read()
  }

  /** The status of a reservation `hours` after nine on Monday. */
  async reserve(hours: number): Promise<number> {
    return (await this.world.app.send('/api/v1/bookings', { key: this.world.key, json: bookingBody(this.pro, hours) }))
      .status
  }

  /** The available starts of Monday morning. */
  async openTimes(): Promise<string[]> {
    const response = await this.world.app.send(`/api/v1/pros/${this.pro.id}/availability?date=2026-11-23&days=1`)
    const { availability } = (await response.json()) as {
      availability: { slots: { start: string; available: boolean }[] }[]
    }
    const starts = availability.flatMap(({ slots }) => slots.flatMap((slot) => (slot.available ? [slot.start] : [])))
    return starts.filter((start) => start >= '08:00' && start < '12:00')
  }

  async notices(kind: string) {
    return await this.world.sql<{ data: Record<string, unknown> }[]>`
      select data from notices where account_id = ${this.pro.accountId} and kind = ${kind} order by created_at, id`
  }

  /** The messages that tell the pro of calendars. */
  async messages(kind: string) {
    return await this.world.sql<{ recipient: string; data: { calendar: string } }[]>`
      select recipient, data from messages where professional_id = ${this.pro.id} and kind = ${kind} order by created_at`
  }

  async eventCount(): Promise<number> {
    const rows = await this.world.sql`
      select from outbox_events where professional_id = ${this.pro.id} and type = 'availability.updated'`
    return rows.length
  }
}

/** Opens the fixture for the tests of a file. Before each, the host has a calendar with one event, Monday from nine to ten. */
export function useCalendarWorld(): CalendarWorld {
  const it = new CalendarWorld()
  beforeAll(async () => {
    it.world = await openBookingFixture({ CALENDAR_ALLOW_PRIVATE: 'true' })
    it.host = openCalendarHost()
  })
  afterAll(async () => {
    await it.host.stop()
    await it.world.close()
  })
  beforeEach(async () => {
    await it.world.sql`delete from imported_calendars`
    it.host.requests.length = 0
    it.host.answer = () => new Response(icsOf({ from: NINE, to: TEN }))
    it.pro = await it.world.pro({ deposit: false })
  })
  return it
}
