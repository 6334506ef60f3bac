// Open times: business hours minus blocks minus bookings, as the reservation sees them.
import { type Viewer, testAccountOf } from '../../auth/caller.ts'
import type { Deps } from '../../deps.ts'
import type { LaggingRunner } from '../../platform/postgres/database.ts'
import { AppError, invalidField } from '../../errors/app-error.ts'
import { addDays, earliestToday } from '../../platform/clock/dates.ts'
import { idOrSlug } from '../../platform/schema/id-or-slug.ts'
import type { Availability, AvailabilityQuery, ChosenOffer, ServiceAvailabilityQuery } from './schemas.ts'
import {
  type BookingObstacle,
  type NextOpenTime,
  type OpenSlotsRow,
  findNextOpenTimes,
  findOpenSlots,
  findServiceSlots,
} from './queries.ts'

export type { NextOpenTime }

/** Bookings and availability reach this far ahead. */
export const MAX_DAYS_AHEAD = 365

/** A caller who must see the latest changes passes `read` as `replicas`. */
type AvailabilityDeps = Omit<Deps, 'replicas'> & { readonly replicas: LaggingRunner }

/** What the times are for, other than the pro's offers. */
interface Purpose {
  /** A booking whose time counts as free, because it is being moved. Its length is that of the slots. */
  movedBookingId?: string | undefined
  /** The length of a visit that the pro has agreed to. */
  visitMinutes?: number | undefined
}

/**
 * The open times of a pro from `date` on, as JSON text (Availability): of a service or package, or without one in the pro's
 * default slots. Throws professional_not_found, service_not_found, package_not_found, and validation_failed for a date that
 * is past in every US time zone or more than 365 days ahead.
 */
export async function listOpenSlots(
  deps: AvailabilityDeps,
  viewer: Viewer,
  pro: string,
  { date, days = 1, serviceId, packageId, movedBookingId, visitMinutes }: AvailabilityQuery & Purpose,
): Promise<string> {
  if (date !== undefined) requireBookableDates(deps, date, days)
  if (packageId !== undefined) requirePackages(deps)
  // A booking is looked up by its id, right after it was made too.
  const row = await findOpenSlots(movedBookingId === undefined ? deps.replicas : deps.read, {
    ...idOrSlug(pro),
    serviceId,
    packageId,
    movedBookingId,
    visitMinutes,
    firstDate: date ?? null,
    days,
    now: deps.clock.now(),
    baseUrl: deps.config.baseUrl,
    testAccountId: testAccountOf(viewer),
  })
  if (!row) throw new AppError('professional_not_found', 'No pro has this id or slug.')
  if (!row.service && packageId !== undefined)
    throw new AppError('package_not_found', 'This pro has no such package for the service.')
  if (!row.service && serviceId !== undefined) throw serviceNotFound()
  return withMembers(row.body, { service: row.service && chosenOffer(deps, row, row.service) })
}

/** The same as an object. */
export const getOpenSlots = async (
  deps: AvailabilityDeps,
  viewer: Viewer,
  pro: string,
  query: AvailabilityQuery & Purpose,
): Promise<Availability> =>
  // SQL builds the JSON after the schema of this type.
  JSON.parse(await listOpenSlots(deps, viewer, pro, query)) as Availability

/** The slots of one date that fit a service, as JSON text (ServiceAvailability). Throws like {@link listOpenSlots}. */
export async function listServiceSlots(deps: Deps, viewer: Viewer, query: ServiceAvailabilityQuery): Promise<string> {
  requireBookableDates(deps, query.date, 1)
  const row = await findServiceSlots(deps.replicas, {
    ...query,
    now: deps.clock.now(),
    baseUrl: deps.config.baseUrl,
    testAccountId: testAccountOf(viewer),
  })
  if (!row) throw new AppError('professional_not_found', 'No pro has this id.')
  if (row.body === null || !row.service) throw serviceNotFound()
  const { price, deposit, fee, bookable, obstacle } = chosenOffer(deps, row, row.service)
  return withMembers(row.body, { price, deposit, fee, bookable, obstacle })
}

/** The first open times of several pros, by pro id: of a service, or without one in the default slots. */
export async function listNextOpenTimes(
  { replicas, clock, config }: Deps,
  ids: readonly string[],
  serviceId?: string,
): Promise<ReadonlyMap<string, NextOpenTime>> {
  const rows =
    ids.length === 0 ? [] : await findNextOpenTimes(replicas, { ids, serviceId, now: clock.now(), ...config })
  return new Map(rows.map((row) => [row.professionalId, row]))
}

const serviceNotFound = () => new AppError('service_not_found', 'This pro does not offer the service.')

function requirePackages({ config }: Pick<Deps, 'config'>): void {
  if (!config.features.has('FEATURE_OFFER_PACKAGES'))
    throw invalidField('query.packageId', 'is not accepted: this server does not offer packages')
}

/** A JSON object with more members. */
const withMembers = (json: string, members: object): string =>
  `${json.slice(0, -1)},${JSON.stringify(members).slice(1)}`

const OBSTACLES: Record<BookingObstacle, string> = {
  instant_booking_disabled: 'This pro does not take instant bookings for this service.',
  service_unpriced: 'This pro takes a deposit but has set no price for the service.',
  service_too_long: 'This service takes longer than the pro works in one stretch.',
}

/** What was chosen, with the fee and whether it can be booked at once, and if not, why and what to do instead. */
const chosenOffer = (
  { config }: Pick<Deps, 'config'>,
  { slug, obstacle }: Pick<OpenSlotsRow, 'slug' | 'obstacle'>,
  service: NonNullable<OpenSlotsRow['service']>,
): ChosenOffer => ({
  ...service,
  fee: config.instantBookingFeeCents / 100,
  bookable: obstacle === null,
  obstacle: obstacle && {
    reason: obstacle,
    detail: `${OBSTACLES[obstacle]} Ask for a quote instead.`,
    quoteUrl: `${config.baseUrl}/pros/${slug}/quote?service=${service.id}`,
  },
})

function requireBookableDates({ clock }: Pick<Deps, 'clock'>, date: string, days: number): void {
  const today = earliestToday(clock.now())
  if (date < today) throw invalidField('query.date', 'must not be in the past')
  if (addDays(date, days - 1) > addDays(today, MAX_DAYS_AHEAD))
    throw invalidField('query.date', `must not be more than ${MAX_DAYS_AHEAD} days ahead`)
}
