// Reads of open times. They share the SQL for local time and open slots with the reservation.
import type { ProObstacle } from '../../booking/bookings/rules/bookable.ts'
import type { ChosenOffer } from './schemas.ts'
import { statementFile } from '../../../platform/postgres/statement-files.ts'
import type { Ctx } from '../../../ctx.ts'

/** Why a service cannot be booked at once; see `sql/functions/bookable.sql`. */

/** What was chosen, without the members that the verb adds. */
type Terms = Omit<ChosenOffer, 'fee' | 'dueNow' | 'dueAtVisit' | 'cancellation' | 'bookable' | 'obstacle'>

export interface OpenSlotsRow {
  professionalId: string
  slug: string
  timeZone: string
  /** Null without a service or package in the query, and when the pro does not offer it. */
  service: Terms | null
  obstacle: ProObstacle | null
  /** Whether the pro takes a deposit for what is booked at once. */
  takesDeposit: boolean
  /** The response body as JSON text, without `service`. */
  body: string
}

export interface ServiceSlotsRow {
  slug: string
  service: Terms | null
  obstacle: ProObstacle | null
  /** The response body as JSON text, without price and obstacle; null when the pro does not offer the service. */
  body: string | null
}

const openSlots = statementFile<OpenSlotsRow>('open-slots', 'mayLag')
const serviceSlots = statementFile<ServiceSlotsRow>('open-slots-service', 'mayLag')

/**
 * The open times of an active pro, by `id` or `slug`, over some `days` from `firstDate` (null: today in the pro's time zone),
 * for a service, a package, a booking that is being moved, a visit of some minutes, or (without them) in the pro's default slots.
 */
export async function findOpenSlots(
  ctx: Ctx,
  query: {
    id: string | null
    slug: string | null
    serviceId?: string | undefined
    packageId?: string | undefined
    rescheduledBookingId?: string | undefined
    visitMinutes?: number | undefined
    firstDate: string | null
    days: number
    now: Date
    baseUrl: string
    testAccountId?: string | null
    freeCancellationHours: number
  },
): Promise<OpenSlotsRow | undefined> {
  const { id, slug, serviceId, packageId, rescheduledBookingId, visitMinutes, firstDate, days, now, baseUrl } = query
  const chosen = [serviceId ?? null, packageId ?? null, rescheduledBookingId ?? null, visitMinutes ?? null]
  const { testAccountId = null, freeCancellationHours } = query
  const values = [
    id,
    slug,
    firstDate,
    days,
    now.toISOString(),
    baseUrl,
    ...chosen,
    testAccountId,
    freeCancellationHours,
  ]
  const rows = await openSlots.run(ctx.replicas, values)
  return rows[0]
}

/** The open times of an active pro on one date, each as long as the service takes with that pro. */
export async function findServiceSlots(
  ctx: Ctx,
  query: {
    professionalId: string
    serviceId: string
    date: string
    now: Date
    baseUrl: string
    testAccountId?: string | null
    freeCancellationHours: number
  },
): Promise<ServiceSlotsRow | undefined> {
  const { professionalId, serviceId, date, now, baseUrl, testAccountId = null, freeCancellationHours } = query
  const values = [professionalId, serviceId, date, now.toISOString(), baseUrl, testAccountId, freeCancellationHours]
  const rows = await serviceSlots.run(ctx.replicas, values)
  return rows[0]
}

/** A time that can be booked, on the clock of the pro's zone. */
export interface NextOpenTime {
  professionalId: string
  timeZone: string
  /** YYYY-MM-DD. */
  date: string
  /** HH:MM. */
  time: string
  bookingUrl: string
}

const nextOpenTimes = statementFile<NextOpenTime>('next-open-times', 'mayLag')

/** The first open time of each pro who can be booked at once: for a service, or without one in the pro's default slots. */
export const findNextOpenTimes = (
  ctx: Ctx,
  {
    ids,
    serviceId,
    now,
    baseUrl,
  }: { ids: readonly string[]; serviceId?: string | undefined; now: Date; baseUrl: string },
): Promise<NextOpenTime[]> => nextOpenTimes.run(ctx.replicas, [[...ids], serviceId ?? null, now.toISOString(), baseUrl])
