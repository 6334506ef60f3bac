// Open times: business hours minus blocks minus bookings, as the reservation sees them.
import { obstacleOf, obstacleText, requireComingDates } from '../../booking/bookings/rules/bookable.ts'
import { offerSums } from '../../booking/bookings/rules/deposits.ts'
import type { Defaults } from '../../upkeep/marketplace/rules/defaults.ts'
import { getDefaults } from '../../upkeep/marketplace/verbs.ts'
import { type Viewer, testAccountOf } from '../../../auth/caller.ts'
import { requirePackages } from '../../business/packages/rules/offered.ts'
import { serviceNotOffered } from '../../catalog/services/verbs/not-offered.ts'
import type { Ctx } from '../../../ctx.ts'
import { AppError } from '../../../errors/app-error.ts'
import { addDays } from '../../../platform/clock/dates.ts'
import { takesPayments } from '../../../payments/open-provider.ts'
import { cancellingTerms } from '../../../platform/text/cancelling.ts'
import { fromCents } from '../../../platform/schema/money.ts'
import { idOrSlug } from '../../../platform/schema/id-or-slug.ts'
import type {
  Availability,
  AvailabilityQuery,
  ChosenOffer,
  ServiceAvailability,
  ServiceAvailabilityQuery,
} from './schemas.ts'
import { type NextOpenTime, type OpenSlotsRow, findNextOpenTimes, findOpenSlots, findServiceSlots } from './queries.ts'

export type { NextOpenTime }

/** What the times are for, other than the pro's offers. */
interface Purpose {
  /** A booking whose time counts as free, because it is being moved. Its length is that of the slots. */
  rescheduledBookingId?: string | undefined
  /** The length of a visit that the pro has agreed to. */
  visitMinutes?: number | undefined
  /** Until how many hours before the start such a visit is cancelled for free, where that is agreed already. */
  freeCancellationHours?: number | undefined
  /** Whether the fee is taken besides the deposit. Packages always take it. */
  withFee?: boolean
}

/**
 * The open times of a pro from `date` on, as JSON text (Availability): of a service or package, or without one in the pro's
 * default slots. Throws professional_not_found, service_not_found, package_not_found, and the errors of
 * {@link requireComingDates}.
 */
export async function listOpenSlots(
  ctx: Ctx<Viewer>,
  {
    pro,
    date,
    days = 1,
    serviceId,
    packageId,
    rescheduledBookingId,
    visitMinutes,
    withFee = false,
    freeCancellationHours,
  }: { pro: string } & AvailabilityQuery & Purpose,
): Promise<string> {
  if (date !== undefined)
    requireComingDates(ctx.clock.now(), 'query.date', { first: date, last: addDays(date, days - 1) })
  if (packageId !== undefined) requirePackages(ctx, 'query.packageId')
  const defaults = await getDefaults(ctx)
  // A booking is looked up by its id, right after it was made too.
  const row = await findOpenSlots(rescheduledBookingId === undefined ? ctx : ctx.fresh(), {
    ...idOrSlug(pro),
    serviceId,
    packageId,
    rescheduledBookingId,
    visitMinutes,
    firstDate: date ?? null,
    days,
    now: ctx.clock.now(),
    baseUrl: ctx.config.baseUrl,
    testAccountId: testAccountOf(ctx.actor),
    freeCancellationHours: freeCancellationHours ?? defaults.freeCancellationHours,
  })
  if (!row) throw new AppError('professional_not_found', 'No pro has this id or slug.')
  if (!row.service && packageId !== undefined)
    throw new AppError('package_not_found', 'This pro has no such package for the service.')
  if (!row.service && serviceId !== undefined) throw await serviceNotOffered(ctx, { serviceId })
  const service = row.service && chosenOffer(ctx, row, row.service, { ...defaults, withFee })
  const isForSale = rescheduledBookingId === undefined && visitMinutes === undefined
  const cannotBePaid = service
    ? isUnpaid(service)
    : isForSale && row.takesDeposit && !takesPayments(ctx.config, testAccountOf(ctx.actor))
  return withMembers(cannotBePaid ? withoutTimes(row.body) : row.body, { service })
}

/** The same as an object. */
export const getOpenSlots = async (
  ctx: Ctx<Viewer>,
  { pro, ...query }: { pro: string } & AvailabilityQuery & Purpose,
): Promise<Availability> => JSON.parse(await listOpenSlots(ctx, { ...query, pro })) as Availability

/** The slots of one date that fit a service, as JSON text (ServiceAvailability). Throws like {@link listOpenSlots}. */
export async function listServiceSlots(ctx: Ctx<Viewer>, query: ServiceAvailabilityQuery): Promise<string> {
  requireComingDates(ctx.clock.now(), 'query.date', { first: query.date })
  const defaults = await getDefaults(ctx)
  const row = await findServiceSlots(ctx, {
    ...query,
    freeCancellationHours: defaults.freeCancellationHours,
    now: ctx.clock.now(),
    baseUrl: ctx.config.baseUrl,
    testAccountId: testAccountOf(ctx.actor),
  })
  if (!row) throw new AppError('professional_not_found', 'No pro has this id.')
  if (row.body === null || !row.service) throw await serviceNotOffered(ctx, query)
  const service = chosenOffer(ctx, row, row.service, { ...defaults, withFee: false })
  const { id: _, name: __, package: ___, durationMinutes: ____, ...terms } = service
  const body = isUnpaid(service) ? withoutSlots(row.body) : row.body
  return withMembers(body, terms)
}

/** The first open times of several pros, by pro id: of a service, or without one in the default slots. */
export async function listNextOpenTimes(
  ctx: Ctx,
  { ids, serviceId }: { ids: readonly string[]; serviceId?: string },
): Promise<ReadonlyMap<string, NextOpenTime>> {
  const rows =
    ids.length === 0 ? [] : await findNextOpenTimes(ctx, { ids, serviceId, now: ctx.clock.now(), ...ctx.config })
  return new Map(rows.map((row) => [row.professionalId, row]))
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

/** What was chosen, with the fee and whether it can be booked at once, and if not, why and what to do instead. */
const chosenOffer = (
  ctx: Ctx<Viewer>,
  row: Pick<OpenSlotsRow, 'slug' | 'obstacle'>,
  service: NonNullable<OpenSlotsRow['service']>,
  { feeCents, freeCancellationHours: hours, withFee }: Defaults & { withFee: boolean },
): ChosenOffer => {
  const { baseUrl } = ctx.config
  const fee = fromCents(feeCents)
  const sums = offerSums({ ...service, fee: withFee || service.package ? fee : 0 })
  const canPay = takesPayments(ctx.config, testAccountOf(ctx.actor))
  const obstacle = obstacleOf(row.obstacle, { dueNow: sums.dueNow ?? 0, canPay })
  return {
    ...service,
    fee,
    ...sums,
    cancellation: obstacle === null ? cancellingTerms({ due: sums.dueNow ?? 0, hours }) : null,
    bookable: obstacle === null,
    obstacle: obstacle && {
      reason: obstacle,
      detail: obstacleText(obstacle),
      quoteUrl: `${baseUrl}/pros/${row.slug}/quote?service=${service.id}`,
    },
  }
}
