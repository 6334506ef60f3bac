// Random situations in which a service or package of a pro is offered, and what the design says about them.
import fc from 'fast-check'

import { USUAL } from '../../src/features/upkeep/marketplace/schemas.ts'
import { offerSums } from '../../src/features/booking/bookings/rules/deposits.ts'
import type { ChosenOffer } from '../../src/features/calendar/availability/schemas.ts'
import { cancellingTerms } from '../../src/platform/text/cancelling.ts'
import type { Sql } from '../../src/platform/postgres/database.ts'
import { addDays } from './clock-oracle.ts'
import { ZONES, businessHours, zoneClock } from './schedule-arbitraries.ts'

/** The days of one list. */
export const LISTED_DAYS = 3

export interface Offer {
  professionalId: string
  slug: string
  serviceId: string
  packageId: string | null
}

/** A part of the services and packages of the seed. */
export const listOffers = (sql: Sql): Promise<Offer[]> =>
  sql<Offer[]>`
    select p.id as professional_id, p.slug, o.service_id, null as package_id
    from professionals p join professional_services o on o.professional_id = p.id
    where p.active and md5(p.id::text || o.service_id) < '1'
    union all
    select p.id, p.slug, k.service_id, k.id
    from packages k join professionals p on p.id = k.professional_id where p.active and k.active and md5(k.id::text) < '8'
    order by 1, 3, 4`

const step5 = (min: number, max: number) => fc.integer({ min: min / 5, max: max / 5 }).map((n) => n * 5)
/** Mostly true. */
const usually = fc.integer({ min: 0, max: 9 }).map((n) => n > 0)
const shortest = fc.constantFrom(15, 30, 45, 60, 90, 120, 225)

const settings = fc.record({
  timeZone: fc.option(fc.constantFrom(...ZONES)),
  /** Null: the seeded hours. */
  businessHours: fc.option(businessHours, { freq: 2 }),
  leadTimeHours: fc.constantFrom(0, 2, 24, 72),
  bufferMinutes: fc.oneof(fc.constantFrom(0, 15, 30), step5(0, 240)),
  grid: fc.oneof(shortest, step5(15, 240)),
  minutes: fc.oneof(shortest, step5(15, 720)),
  isProInstant: usually,
  isOfferInstant: usually,
  depositPercentage: fc.option(fc.constantFrom(10, 12.5, 33.33, 100)),
  /** Base price, minimum and maximum in cents. */
  price: fc.constantFrom([9_999, null, null], [null, 8_333, 20_001], [null, null, null], [12_500, 10_000, 15_000]),
})
type ValueOf<A> = A extends fc.Arbitrary<infer T> ? T : never
type Settings = ValueOf<typeof settings>

export const situation = fc.record({
  offer: fc.nat(),
  settings,
  /** Days from today, days before the last that can be listed, or a change of the clock, minus up to two days. */
  day: fc.oneof(
    fc.record({ ahead: fc.nat(20) }),
    fc.record({ beforeLast: fc.nat(20) }),
    fc.record({ change: fc.nat(9), before: fc.nat(LISTED_DAYS - 1) }),
  ),
  /** Chooses slots, and the order of the surfaces. */
  seed: fc.nat(),
})

export type Situation = ValueOf<typeof situation>

/** Gives the pro, the offer and the package these settings. */
export async function arrange(sql: Sql, { professionalId, serviceId, packageId }: Offer, given: Settings) {
  const hours = given.businessHours
  await sql`
    update professionals set time_zone = coalesce(${given.timeZone}, time_zone),
      business_hours = coalesce(${hours && sql.json(hours)}, business_hours), lead_time_hours = ${given.leadTimeHours},
      buffer_minutes = ${given.bufferMinutes}, default_slot_minutes = ${given.grid},
      instant_booking_enabled = ${given.isProInstant}, deposit_required = ${given.depositPercentage !== null},
      deposit_percentage = ${given.depositPercentage}
    where id = ${professionalId}`
  const [base = null, min = null, max = null] = given.price
  await sql`
    update professional_services set duration_minutes = ${given.minutes}, instant_book_enabled = ${given.isOfferInstant},
      base_price_cents = ${base}, min_price_cents = ${min}, max_price_cents = ${max}
    where professional_id = ${professionalId} and service_id = ${serviceId}`
  if (packageId !== null) await sql`update packages set duration_minutes = ${given.minutes} where id = ${packageId}`
}

interface Pro {
  timeZone: string
  businessHours: Record<string, { start: string; end: string }[]>
  packagePriceCents: number | null
}

export async function readPro(sql: Sql, { professionalId, packageId }: Offer): Promise<Pro> {
  const [row] = await sql<Pro[]>`
    select time_zone, business_hours, (select price_cents from packages where id = ${packageId}) as package_price_cents
    from professionals where id = ${professionalId}`
  if (!row) throw new Error('The pro is gone.')
  return row
}

const minuteOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
const longest = ({ businessHours }: Pro) =>
  Math.max(
    0,
    ...Object.values(businessHours).flatMap((day) => day.map((one) => minuteOf(one.end) - minuteOf(one.start))),
  )

/** The rules of the design, without SQL. */
export function expectedTerms(
  given: Settings,
  pro: Pro,
): Pick<ChosenOffer, 'durationMinutes' | 'deposit'> & {
  reason?: NonNullable<ChosenOffer['obstacle']>['reason']
} {
  const [base = null, min = null] = given.price
  const cents = pro.packagePriceCents ?? base ?? min
  const share = given.depositPercentage === null ? 0 : cents && Math.round((cents * given.depositPercentage) / 100)
  // A smaller deposit is not asked.
  const deposit = share !== null && share < 50 ? 0 : share && share / 100
  const reason =
    !given.isProInstant || !given.isOfferInstant
      ? 'instant_booking_disabled'
      : deposit === null
        ? 'service_unpriced'
        : given.minutes > longest(pro)
          ? 'service_too_long'
          : undefined
  return { durationMinutes: given.minutes, deposit, ...(reason === undefined ? {} : { reason }) }
}

/** The terms of a list as agents are told them: with the fee that they pay besides what is listed. */
export function termsOfAgents<T extends Pick<ChosenOffer, 'price' | 'deposit' | 'dueNow' | 'bookable'>>(
  terms: T,
  fee: number,
) {
  const sums = fee === 0 ? { dueNow: terms.dueNow } : offerSums({ ...terms, fee })
  const cancellation = cancellingTerms({ due: sums.dueNow ?? 0, hours: USUAL.freeCancellationHours })
  return { ...terms, ...sums, cancellation: terms.bookable ? cancellation : null }
}

/** The last first day of a list of three days: it ends 365 days after the day of the seed. */
export const LAST_FIRST_DAY = '2027-05-30'

/** The first listed day: near today, or just before a change of the clock within a year. */
export function firstDay(day: Situation['day'], zone: string): { date: string; isChange: boolean } {
  const changes = zoneClock(zone).clock.changes('2026-06-06', '2027-05-20')
  const change = 'change' in day ? changes[day.change % Math.max(changes.length, 1)] : undefined
  if (change !== undefined && 'before' in day) return { date: addDays(change, -day.before), isChange: true }
  const date =
    'beforeLast' in day
      ? addDays(LAST_FIRST_DAY, -day.beforeLast)
      : addDays('2026-06-02', 'ahead' in day ? day.ahead : 0)
  return { date, isChange: false }
}
