// Open times and the reservation agree with each other and with the rules, in every time zone and on every date.
import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import { findOpenSlots, findServiceSlots } from '../../../../src/features/calendar/availability/queries.ts'
import { USUAL } from '../../../../src/features/upkeep/marketplace/schemas.ts'
import { zoneName } from '../../../../src/platform/clock/zones.ts'
import { visitTime } from '../../../../src/platform/text/format.ts'
import { addDays, dateOf, iso, midnight } from '../../../support/clock-oracle.ts'
import { openTestDatabase } from '../../../support/database.ts'
import { opened } from '../../../support/fixture.ts'
import { calendarIn } from '../../../support/calendar-corpus.ts'
import { CalendarOracle, type Window } from '../../../support/calendar-oracle.ts'
import { importCalendarText } from '../../../support/imported-busy.ts'
import { type Case, scheduleCase, zoneClock } from '../../../support/schedule-arbitraries.ts'
import { insertBlocks, insertBookings, insertPro, setSchedule } from '../../../support/schedule.ts'
import { SlotOracle } from '../../../support/slot-oracle.ts'
import { longForm } from '../../../support/long-form.ts'
import { ctxOn } from '../../../support/ctx-on.ts'

const RUNS = longForm(400, 1000)
const BASE = 'https://hearth.example'

const database = await opened(openTestDatabase())

/** Makes a reservation and rolls it back, so that every attempt is independent. */
const OUTCOME_OF = `
create function outcome_of(
  pro_id uuid, service_id uuid, on_day date, at_minute integer, at_instant timestamptz, minutes integer, as_of timestamptz
) returns text language plpgsql as $$
declare
  result text;
begin
  begin
    select r.outcome into result
    from reserve_slot(
      (pro_id, service_id, null, on_day, at_minute, at_instant, minutes, false)::wanted_visit,
      ('Homeowner in Austin', 'home@example.com', null, null, null, 'vouched', null)::visit_customer,
      (null, 'api', null, null)::call_origin, null, (0, 900, 24, 1000000, 'sandbox')::booking_terms,
      (gen_random_uuid(), 'HTH-ZZZZZZZZZZZZ', gen_random_uuid(), array[gen_random_uuid(), gen_random_uuid()])::booking_ids,
      as_of, '${BASE}') r;
    raise exception using errcode = 'HTH00';
  exception when sqlstate 'HTH00' then null;
  end;
  return result;
end $$`
const { sql } = database
const pro = await insertPro(sql)
await sql.unsafe(OUTCOME_OF)

/** What nextAvailable may look at. */
const windowOf = ({ firstDate }: Case): Window => ({
  from: midnight(firstDate) - 3 * 1440,
  to: midnight(firstDate) + 70 * 1440,
})

/** A schedule, and for half of them an imported calendar. The rules of its zones reach back to 2017. */
const situation = scheduleCase.chain((given) =>
  given.firstDate < '2018-06-01'
    ? fc.constant({ ...given, calendar: undefined })
    : fc
        .option(calendarIn(given.timeZone, windowOf(given), 2), { nil: undefined, freq: 2 })
        .map((calendar) => ({ ...given, calendar })),
)
type SituationWithCalendar = typeof situation extends fc.Arbitrary<infer T> ? T : never

/** The oracle of open times; imported busy time counts like blocks. */
function oracleOf({ calendar, ...given }: SituationWithCalendar): SlotOracle {
  const busy = calendar ? new CalendarOracle(given.timeZone, windowOf(given)).busy(calendar.events) : []
  const imported = busy.map(([from, to]) => ({ from: iso(from), to: iso(to) }))
  return new SlotOracle({ ...given, blocks: [...given.blocks, ...imported] }, zoneClock(given.timeZone).clock)
}

interface Attempt {
  day: string | null
  minute: number | null
  startsAt: string | null
  minutes: number
}

async function outcomes(now: string, attempts: Attempt[]): Promise<string[]> {
  const rows = await sql<{ outcome: string }[]>`
    select outcome_of(${pro.id}, ${pro.serviceId}, t.day, t.minute, t."startsAt", t.minutes, ${now}) as outcome
    from rows from (jsonb_to_recordset(${sql.json(attempts as never)})
      as (day date, minute integer, "startsAt" timestamptz, minutes integer)) with ordinality t
    order by ordinality`
  return rows.map(({ outcome }) => outcome)
}

async function arrange(given: SituationWithCalendar) {
  await sql`delete from bookings`
  await sql`delete from availability_blocks`
  await setSchedule(sql, pro.id, given)
  await sql`update services set duration_minutes = ${given.serviceMinutes} where id = ${pro.serviceId}`
  await insertBookings(sql, pro, given.bookings)
  await insertBlocks(sql, pro.id, given.blocks)
  await importCalendarText(sql, pro.id, { ...given, text: given.calendar?.text, window: windowOf(given) })
}

interface ListedDay {
  date: string
  dayOfWeek: string
  slots: { start: string; end: string; startDateTime: string; available: boolean }[]
}

async function list(given: { firstDate: string | null; days: number; now: string }) {
  const query = {
    id: pro.id,
    slug: null,
    firstDate: given.firstDate,
    days: given.days,
    now: new Date(given.now),
  }
  const row = await findOpenSlots(ctxOn(database.read), {
    ...query,
    baseUrl: BASE,
    freeCancellationHours: USUAL.freeCancellationHours,
  })
  return JSON.parse(row?.body ?? 'null') as {
    availability: ListedDay[]
    nextAvailable: { date: string; time: string; bookingUrl: string } | null
  }
}

async function listForService(given: Case) {
  const query = { professionalId: pro.id, serviceId: pro.serviceId, date: given.firstDate, now: new Date(given.now) }
  const row = await findServiceSlots(ctxOn(database.read), {
    ...query,
    baseUrl: BASE,
    freeCancellationHours: USUAL.freeCancellationHours,
  })
  return { ...(JSON.parse(row?.body ?? 'null') as Record<string, unknown>), obstacle: row?.obstacle }
}

const dayOfWeek = (date: string) =>
  new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' }).format(new Date(date))

function withUrl({ timeZone }: Case, next: { date: string; time: string } | null, query = '') {
  if (!next) return null
  const localTime = `${visitTime(next.date, next.time)} ${zoneName(timeZone)}`
  return {
    ...next,
    localTime,
    bookingUrl: `${BASE}/pros/pro-${pro.id}/book?${query}date=${next.date}&time=${next.time}`,
  }
}

/** An available slot says until when cancelling is free, on the clock of the zone. */
const withTerms = ({ timeZone, now }: Case) => {
  const { clock } = zoneClock(timeZone)
  return (slot: ListedDay['slots'][number]) => {
    if (!slot.available) return slot
    const until = Date.parse(slot.startDateTime) - USUAL.freeCancellationHours * 3_600_000
    if (until < Date.parse(now)) return { ...slot, freeCancellationUntil: null, freeCancellationLocal: null }
    const wall = new Date(clock.read(until / 60_000) * 60_000).toISOString()
    return {
      ...slot,
      freeCancellationUntil: new Date(until).toISOString(),
      freeCancellationLocal: `${visitTime(wall.slice(0, 10), wall.slice(11, 16))} ${zoneName(timeZone)}`,
    }
  }
}

/** The longest interval of the business hours in minutes. */
const longestInterval = ({ businessHours }: Case) =>
  Math.max(
    0,
    ...Object.values(businessHours).flatMap((day) => day.map(({ start, end }) => minuteOf(end) - minuteOf(start))),
  )

const minuteOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

function expectedOutcome(
  { timeZone, now }: Case,
  { day, startsAt, expected }: Attempt & { expected: boolean },
): string {
  const { clock } = zoneClock(timeZone)
  const dateAt = (instant: string) => dateOf(clock.read(Date.parse(instant) / 60_000))
  if ((day ?? dateAt(startsAt ?? '')) < dateAt(now)) return 'date_out_of_range'
  return expected ? 'reserved' : 'slot_unavailable'
}

describe('open times', () => {
  test('follow the rules, and a slot can be booked exactly when it is shown as available', async () => {
    const seen = { calendars: 0, slots: 0, available: 0, offGrid: 0, offGridBooked: 0 }
    await fc.assert(
      fc.asyncProperty(situation, async (given) => {
        await arrange(given)
        const oracle = oracleOf(given)
        seen.calendars += given.calendar ? 1 : 0
        const dates = Array.from({ length: given.days }, (_, n) => addDays(given.firstDate, n))

        const listed = await list(given)
        expect(listed.availability).toEqual(
          dates.map((date) => ({
            date,
            dayOfWeek: dayOfWeek(date),
            slots: oracle.slots(date, given.defaultSlotMinutes).map(withTerms(given)),
          })),
        )
        const fits = given.serviceMinutes <= longestInterval(given)
        expect(listed.nextAvailable).toEqual(
          fits ? withUrl(given, oracle.next(given.firstDate, given.defaultSlotMinutes)) : null,
        )
        const { obstacle, ...service } = await listForService(given)
        expect(service).toEqual({
          professionalId: pro.id,
          serviceId: pro.serviceId,
          date: given.firstDate,
          timezone: given.timeZone,
          timeZoneName: zoneName(given.timeZone),
          durationMinutes: given.serviceMinutes,
          slots: fits ? oracle.slots(given.firstDate, given.serviceMinutes).map(withTerms(given)) : [],
          nextAvailable: fits
            ? withUrl(given, oracle.next(given.firstDate, given.serviceMinutes), `service=${pro.serviceId}&`)
            : null,
        })
        expect(obstacle).toBe(fits ? null : 'service_too_long')

        const slots = listed.availability.flatMap(({ date, slots }) => slots.map((slot) => ({ date, ...slot })))
        const attempts: (Attempt & { expected: boolean })[] = [
          ...slots.map(({ date, start, available }) => ({
            day: date,
            minute: minuteOf(start),
            startsAt: null,
            minutes: given.defaultSlotMinutes,
            expected: available,
          })),
          ...given.tries.map(({ day, minute, minutes }) => {
            const date = addDays(given.firstDate, day)
            return { day: date, minute, startsAt: null, minutes, expected: oracle.bookable(date, minute, minutes) }
          }),
          ...given.instants.map(({ startsAt, minutes }) => {
            const expected = oracle.bookableAt(Date.parse(startsAt) / 60_000, minutes)
            return { day: null, minute: null, startsAt, minutes, expected }
          }),
        ]
        const results = await outcomes(given.now, attempts)
        expect(attempts.map((attempt, n) => ({ ...attempt, outcome: results[n] }))).toEqual(
          attempts.map((attempt) => ({ ...attempt, outcome: expectedOutcome(given, attempt) })),
        )
        seen.slots += slots.length
        seen.available += slots.filter(({ available }) => available).length
        seen.offGrid += attempts.length - slots.length
        seen.offGridBooked += attempts.slice(slots.length).filter(({ expected }) => expected).length
      }),
      { numRuns: RUNS },
    )
    // The random cases must contain both outcomes, on and off the slot grid.
    expect(
      Math.min(2 * seen.calendars, seen.available, seen.slots - seen.available, seen.offGridBooked),
    ).toBeGreaterThan(RUNS / 2)
  }, 300_000)
})
