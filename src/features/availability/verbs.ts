// Open times: business hours minus blocks minus bookings, as the reservation sees them.
import { offerSums } from './offer-sums.ts'
import { type Viewer, testAccountOf } from '../../auth/caller.ts'
import type { Deps } from '../../deps.ts'
import type { LaggingRunner } from '../../platform/postgres/database.ts'
import { AppError, invalidField } from '../../errors/app-error.ts'
import { addDays, earliestToday } from '../../platform/clock/dates.ts'
import { takesPayments } from '../../payments/open-provider.ts'
import { idOrSlug } from '../../platform/schema/id-or-slug.ts'
import type {
  Availability,
  AvailabilityQuery,
  ChosenOffer,
  ServiceAvailability,
  ServiceAvailabilityQuery,
} from './schemas.ts'
import { type NextOpenTime, type OpenSlotsRow, findNextOpenTimes, findOpenSlots, findServiceSlots } from './queries.ts'

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
  /** Whether the fee is taken besides the deposit. Packages always take it. */
  withFee?: boolean
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
  { date, days = 1, serviceId, packageId, movedBookingId, visitMinutes, withFee = false }: AvailabilityQuery & Purpose,
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
  const service = row.service && chosenOffer(deps, viewer, row, row.service, withFee)
  const isForSale = movedBookingId === undefined && visitMinutes === undefined
  const cannotBePaid = service
    ? isUnpaid(service)
    : isForSale && row.takesDeposit && !takesPayments(deps.config, testAccountOf(viewer))
  return withMembers(cannotBePaid ? withoutTimes(row.body) : row.body, { service })
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
  const service = chosenOffer(deps, viewer, row, row.service)
  const { price, deposit, fee, bookable, obstacle } = service
  const body = isUnpaid(service) ? withoutSlots(row.body) : row.body
  return withMembers(body, { price, deposit, fee, bookable, obstacle })
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

const isUnpaid = ({ obstacle }: ChosenOffer): boolean => obstacle?.reason === 'payments_not_configured'

/** A listing of what cannot be booked, because it cannot be paid. SQL builds the JSON after the schema of its type. */
function withoutTimes(body: string): string {
  const listed = JSON.parse(body) as Availability
  const availability = listed.availability.map((day) => ({ ...day, slots: [] }))
  return JSON.stringify({ ...listed, instantBookingEnabled: false, availability, nextAvailable: null })
}

const withoutSlots = (body: string): string =>
  JSON.stringify({ ...(JSON.parse(body) as ServiceAvailability), slots: [], nextAvailable: null })

type Obstacle = NonNullable<ChosenOffer['obstacle']>['reason']

const OBSTACLES: Record<Obstacle, string> = {
  payments_not_configured:
    'This cannot be booked online here, because it costs a fee or deposit that cannot be paid here.',
  instant_booking_disabled: 'This pro does not take instant bookings for this service.',
  service_unpriced: 'This pro takes a deposit but has set no price for the service.',
  service_too_long: 'This service takes longer than the pro works in one stretch.',
}

/** What was chosen, with the fee and whether it can be booked at once, and if not, why and what to do instead. */
const chosenOffer = (
  deps: Pick<Deps, 'config'>,
  viewer: Viewer,
  row: Pick<OpenSlotsRow, 'slug' | 'obstacle'>,
  service: NonNullable<OpenSlotsRow['service']>,
  withFee = false,
): ChosenOffer => {
  const { baseUrl, instantBookingFeeCents } = deps.config
  const fee = instantBookingFeeCents / 100
  const { dueNow } = offerSums({ ...service, fee: withFee || service.package ? fee : 0 })
  const obstacle =
    row.obstacle ??
    (dueNow > 0 && !takesPayments(deps.config, testAccountOf(viewer)) ? 'payments_not_configured' : null)
  return {
    ...service,
    fee,
    bookable: obstacle === null,
    obstacle: obstacle && {
      reason: obstacle,
      detail: `${OBSTACLES[obstacle]} Ask for a quote instead.`,
      quoteUrl: `${baseUrl}/pros/${row.slug}/quote?service=${service.id}`,
    },
  }
}

function requireBookableDates({ clock }: Pick<Deps, 'clock'>, date: string, days: number): void {
  const today = earliestToday(clock.now())
  if (date < today) throw invalidField('query.date', 'must not be in the past')
  if (addDays(date, days - 1) > addDays(today, MAX_DAYS_AHEAD))
    throw invalidField('query.date', `must not be more than ${MAX_DAYS_AHEAD} days ahead`)
}
