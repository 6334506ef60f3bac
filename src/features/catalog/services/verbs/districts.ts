// Operators add places of their own, which searches understand as cities: districts, and villages that the package lacks.
import type { Ctx, TxCtx } from '../../../../ctx.ts'
import { AppError, invalidField, invalidFields } from '../../../../errors/app-error.ts'
import { distanceText } from '../../../../platform/text/distance.ts'
import { inSentence } from '../../../../platform/text/region.ts'
import { type OperatorId, recordMarketplaceAction } from '../../../upkeep/audit/verbs.ts'
import { milesBetween } from '../../../upkeep/marketplace/rules/area.ts'
import type { CityRow, StateRow } from '../queries.ts'
import * as queries from '../queries.sql.ts'
import {
  DISTRICT_POPULATION,
  MAX_DISTRICTS,
  MAX_DISTRICT_NAME,
  NEAR_MILES,
  isNameTaken,
  positionIn,
} from '../rules/districts.ts'
import { wordsOf } from '../words.ts'
import { getCatalogNames } from './names.ts'

export type District = Awaited<ReturnType<typeof listDistricts>>[number]

/** The places that operators have added, by name, with the number of their pros. */
export const listDistricts = (ctx: Ctx) => queries.listDistricts(ctx)

/** The states or provinces of the marketplace's country, by name. */
export async function listStates(ctx: Ctx): Promise<StateRow[]> {
  const states = await queries.selectStates(ctx)
  return states.toSorted((one, other) => one.name.localeCompare(other.name))
}

/** Throws not_found. */
export async function getDistrict(ctx: Ctx, { id }: { id: number }): Promise<District> {
  const found = (await listDistricts(ctx)).find((it) => it.id === id)
  if (!found) throw new AppError('not_found', 'No such place was added. /console/area/districts lists all of them.')
  return found
}

/**
 * Adds a place and returns its id. `position` is a latitude and a longitude, or a place that is known. Throws validation_failed, which
 * names every field that is wrong.
 */
export async function addDistrict(
  ctx: Ctx,
  { by, name: typed, state, position }: { by: OperatorId; name: string; state: string; position: string },
): Promise<number> {
  const names = await getCatalogNames(ctx)
  const [name, point] = [typed.trim(), positionIn(position) ?? names.place(position)?.coordinates ?? undefined]
  return await ctx.transaction('addDistrict', async (ctx) => {
    const cities = await lockedCities(ctx)
    const [nearest] = point ? nearestIn(cities, { state, point }) : []
    const { region } = names
    const faults = [
      ...nameFaults(cities, { name, state }),
      ...(point
        ? []
        : [
            {
              path: 'position',
              message: `must be a latitude and a longitude, such as 43.67, -79.404, or a ${inSentence(region.postal.label)} that is known`,
            },
          ]),
      ...(point && !nearest
        ? [
            {
              path: 'position',
              message: `is more than ${distanceText(region, NEAR_MILES)} from every city of the ${region.state.word}`,
            },
          ]
        : []),
    ]
    if (faults.length > 0 || !point || !nearest) throw invalidFields(faults)
    if ((await queries.listDistricts(ctx)).length >= MAX_DISTRICTS)
      throw invalidField('name', `is one too many: a marketplace adds at most ${MAX_DISTRICTS} places`)
    const id = (await queries.findFreeDistrictId(ctx))?.id
    if (id === undefined) throw new AppError('internal', 'The database gave no id for a place.')
    const city = { id, name, state, ...point, nearestId: nearest.id, population: DISTRICT_POPULATION }
    await queries.insertDistrictCity(ctx, city)
    await queries.saveDistrict(ctx, { id, name, state, isRemoved: false, by, now: ctx.clock.now() })
    await recordMarketplaceAction(ctx, { action: 'district.added', by, details: { id, name, state } })
    return id
  })
}

/** Gives the place another name; its id and its pros stay. Throws not_found and validation_failed. */
export async function renameDistrict(
  ctx: Ctx,
  { by, id, name: typed }: { by: OperatorId; id: number; name: string },
): Promise<void> {
  const name = typed.trim()
  await ctx.transaction('renameDistrict', async (ctx) => {
    const cities = await lockedCities(ctx)
    const { state, name: was } = await getDistrict(ctx, { id })
    const faults = nameFaults(cities, { id, name, state })
    if (faults.length > 0) throw invalidFields(faults)
    await queries.renameDistrictCity(ctx, { id, name })
    await queries.saveDistrict(ctx, { id, name, state, isRemoved: false, by, now: ctx.clock.now() })
    await recordMarketplaceAction(ctx, { action: 'district.changed', by, details: { id, name, was, state } })
  })
}

/** Removes the place. Its id is not used again. Throws not_found, and invalid_transition while pros are there. */
export async function removeDistrict(ctx: Ctx, { by, id }: { by: OperatorId; id: number }): Promise<void> {
  await ctx.transaction('removeDistrict', async (ctx) => {
    await queries.lockDistricts(ctx)
    const { name, state } = await getDistrict(ctx, { id })
    if ((await queries.removeDistrictCity(ctx, { id })).length === 0)
      throw new AppError('invalid_transition', `Pros are in ${name}. Give them another place first.`)
    await queries.saveDistrict(ctx, { id, name, state, isRemoved: true, by, now: ctx.clock.now() })
    await recordMarketplaceAction(ctx, { action: 'district.removed', by, details: { id, name, state } })
  })
}

/** All cities, to which no other operator adds one until the transaction ends. */
async function lockedCities(ctx: TxCtx): Promise<readonly CityRow[]> {
  await queries.lockDistricts(ctx)
  return await queries.selectCities(ctx)
}

function nearestIn(
  cities: readonly CityRow[],
  { state, point }: { state: string; point: { latitude: number; longitude: number } },
): CityRow[] {
  return cities
    .filter((city) => city.state === state)
    .map((city) => ({ city, miles: milesBetween(city, point) }))
    .filter(({ miles }) => miles <= NEAR_MILES)
    .toSorted((one, other) => one.miles - other.miles)
    .map(({ city }) => city)
}

function nameFaults(cities: readonly CityRow[], named: { id?: number; name: string; state: string }) {
  const { name } = named
  const isNameless =
    name === '' || name.length > MAX_DISTRICT_NAME || !wordsOf(name).some((word) => /\p{L}/u.test(word))
  if (isNameless)
    return [{ path: 'name', message: `must have 1 to ${MAX_DISTRICT_NAME} characters, among them a letter` }]
  return isNameTaken(cities, named) ? [{ path: 'name', message: 'is the name of another place there' }] : []
}
