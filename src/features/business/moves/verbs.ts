// Pros move: a pro, or an operator for the pro, changes place, time zone and reach. Visits that are booked keep their instants.
import type { Ctx, TxCtx } from '../../../ctx.ts'
import { AppError, invalidField } from '../../../errors/app-error.ts'
import { localized } from '../../../platform/text/region.ts'
import { distanceText } from '../../../platform/text/distance.ts'
import { changeScheduleIn, getScheduleForUpdate } from '../../calendar/schedule/verbs.ts'
import { getCatalogNames } from '../../catalog/services/verbs/names.ts'
import { locateAddress } from '../../catalog/services/verbs/places.ts'
import { placeIn } from '../../catalog/services/verbs/place-of-business.ts'
import { planMessage } from '../../messages/messages/verbs/plan-message.ts'
import { type OperatorId, recordAction } from '../../upkeep/audit/verbs.ts'
import { type Point, isServed, milesBetween } from '../../upkeep/marketplace/rules/area.ts'
import { getMarketplace, getRegion } from '../../upkeep/marketplace/verbs.ts'
import { getProForChange } from '../pros/verbs.ts'
import { findPlaceOfPro, getTimeZoneOfCity, savePlace, selectVisitsToCome } from './queries.sql.ts'
import { MAX_VISITS, type MoveInput, type PlannedMove, type VisitToCome } from './schemas.ts'

/** Where the pro is. Throws professional_not_found, also for a test pro, and invalid_transition for a closed account. */
export async function getPlaceOfPro(ctx: Ctx, { professionalId }: { professionalId: string }) {
  const found = await findPlaceOfPro(ctx, { id: professionalId })
  if (!found) throw new AppError('professional_not_found', 'No pro has this id.')
  if (found.status === 'closed')
    throw new AppError('invalid_transition', 'The account is closed: reopen it before the pro moves.')
  const { city, state, ...rest } = found
  return { ...rest, city: `${city}, ${state}` }
}

/**
 * What the move would change, without changing anything. Throws as {@link getPlaceOfPro}, and validation_failed for a place that is not
 * known, or for the place and the distance that the pro has already.
 */
export async function planMove(ctx: Ctx, input: MoveInput): Promise<PlannedMove> {
  const { professionalId: id, radiusMiles } = input
  const [now, { area }, place] = await Promise.all([
    getPlaceOfPro(ctx, input),
    getMarketplace(ctx),
    newPlaceOf(ctx, input),
  ])
  const { city, timeZone, point } = place
  refuseSame(now, place, radiusMiles)
  const rows = await selectVisitsToCome(ctx, { id, now: ctx.clock.now(), limit: MAX_VISITS })
  const located = await Promise.all(
    rows.map(async (row) => ({ visit: visitOf(row), at: (await locateAddress(ctx, { address: row }))?.coordinates })),
  )
  const outside = located.filter(({ at }) => at && milesBetween(point, at) > radiusMiles).map(({ visit }) => visit)
  const to = { city, timeZone, radiusMiles }
  return {
    businessName: now.businessName,
    from: { city: now.city, timeZone: now.timeZone, radiusMiles: now.radiusMiles },
    to,
    opensAt: now.opensAt,
    isOutsideArea: !isServed(area, point, radiusMiles),
    visits: located.map(({ visit }) => visit),
    outside,
    unknown: located.filter(({ at }) => !at).length,
    version: Bun.hash(JSON.stringify([to, point, outside.map((visit) => visit.id)])).toString(36),
  }
}

interface Row {
  id: string
  startsAt: string
  serviceName: string
  city: string | null
  state: string | null
}

const visitOf = ({ city, state, ...visit }: Row): VisitToCome => ({
  id: visit.id,
  startsAt: visit.startsAt,
  serviceName: visit.serviceName,
  city: city === null ? null : [city, state].filter((it) => it !== null).join(', '),
})

interface NewPlace {
  cityId: number
  city: string
  timeZone: string
  point: Point
}

/** The city, and the point from which distances are measured. Throws validation_failed. */
async function newPlaceOf(ctx: Ctx, { place, isPlaceHidden }: MoveInput): Promise<NewPlace> {
  const names = await getCatalogNames(ctx)
  const found = placeIn(names, place)
  if (!found)
    throw invalidField(
      'place',
      localized(names.region, 'is not known: enter an address with its city, such as "Columbus, OH", or its ZIP code'),
    )
  const { city, point } = found
  const timeZone = (await getTimeZoneOfCity(ctx, city))?.timeZone
  if (timeZone === undefined) throw new AppError('internal', 'A city that was found is gone.')
  return {
    cityId: city.id,
    city: `${city.name}, ${city.state}`,
    timeZone,
    point: isPlaceHidden ? { latitude: city.latitude, longitude: city.longitude } : point,
  }
}

type Present = Point & { cityId: number; timeZone: string; radiusMiles: number }

function refuseSame(now: Present, { cityId, timeZone, point }: NewPlace, radiusMiles: number): void {
  const isSame =
    now.cityId === cityId &&
    now.timeZone === timeZone &&
    now.radiusMiles === radiusMiles &&
    now.latitude === point.latitude &&
    now.longitude === point.longitude
  if (isSame) throw invalidField('place', 'is the place that customers find already, with the same distance')
}

/** Who moves a pro. */
interface MoveBy {
  /** The user who causes it; null for the command line. */
  by: OperatorId
  /** Of an operator; null where the pro does it. */
  operatorReason: string | null
}

/**
 * Moves a pro, in one transaction: search, city pages, open times and calendars follow at once, the page keeps its address, and visits
 * that are booked keep their instants. The audit log has it, and an operator's move is told to the pro. Throws as {@link planMove}.
 */
export async function movePro(ctx: Ctx, { by, operatorReason, ...input }: MoveInput & MoveBy): Promise<PlannedMove> {
  // Before the transaction: the first call of a process builds an index.
  const place = await newPlaceOf(ctx, input)
  return await ctx.transaction('movePro', async (ctx) => {
    const { professionalId } = input
    const { accountId } = await getPlaceOfPro(ctx, input)
    const actor = { accountId, professionalId }
    // Bookings take these locks in the same order.
    await getScheduleForUpdate(ctx.as(actor))
    const { email } = await getProForChange(ctx, { professionalId })
    const move = await planMove(ctx, input)
    // Tells programs of the pro that open times have changed.
    await changeScheduleIn(ctx.as(actor), { timezone: move.to.timeZone })
    const { radiusMiles } = input
    await savePlace(ctx, {
      id: professionalId,
      cityId: place.cityId,
      ...place.point,
      radiusMiles,
      now: ctx.clock.now(),
    })
    const details = { before: move.from, after: move.to, outside: move.outside.length }
    const entry = { subjectId: professionalId, professionalId, by, reason: operatorReason, details }
    await recordAction(ctx, { action: 'pro.moved', ...entry })
    if (operatorReason !== null) await tellPro(ctx, { professionalId, move, operatorReason, email })
    return move
  })
}

interface Told {
  professionalId: string
  move: PlannedMove
  operatorReason: string
  email: string
}

async function tellPro(ctx: TxCtx, { professionalId, move, operatorReason, email }: Told): Promise<void> {
  const { businessName: pro, from, to, visits, outside } = move
  const distance = distanceText(await getRegion(ctx), to.radiusMiles)
  const counts = { visits: visits.length, outside: outside.length }
  const places = { from: from.city, to: to.city, timeZone: to.timeZone, isOtherZone: from.timeZone !== to.timeZone }
  const data = {
    pro,
    ...places,
    distance,
    ...counts,
    operatorReason,
    consoleUrl: `${ctx.config.baseUrl}/console/bookings`,
  }
  await planMessage(ctx, { kind: 'pro-moved', to: email, data, key: `pro-moved:${ctx.ids.uuid()}`, professionalId })
}
