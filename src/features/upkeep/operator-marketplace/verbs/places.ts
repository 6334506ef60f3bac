// Operators' programs say where the marketplace serves, and add places of their own.
import { type OperatorCaller, operatorOf } from '../../../../auth/caller.ts'
import type { Ctx } from '../../../../ctx.ts'
import { inBody } from '../../../../http/field-errors.ts'
import { runOnce } from '../../../../idempotency/verbs.ts'
import {
  type District,
  addDistrict,
  getDistrict,
  listDistricts,
  removeDistrict,
  renameDistrict,
} from '../../../catalog/services/verbs/districts.ts'
import { getCatalogNames } from '../../../catalog/services/verbs/names.ts'
import { listServed } from '../../../catalog/services/verbs/served.ts'
import { currentMarketplace, findCircles } from '../../marketplace/verbs.ts'
import type {
  DistrictAnswer,
  DistrictChange,
  DistrictList,
  NewArea,
  NewDistrict,
  PlatformArea,
  PlatformDistrict,
} from '../schemas.ts'
import { saveVersion } from './marketplace.ts'

type ByOperator = Ctx<OperatorCaller>

/** Where the marketplace serves, and how much lies within. */
export async function readAreaAsOperator(ctx: Ctx): Promise<PlatformArea> {
  const { version, area } = await currentMarketplace(ctx)
  const { cities, postalCodes } = await listServed(ctx, { area })
  return { version, area: [...area], cities: cities.length, postalCodes: postalCodes.length }
}

/** Replaces the area. Throws validation_failed, which names each place that is not known, and invalid_transition for another version. */
export async function changeAreaAsOperator(
  ctx: ByOperator,
  { version: seen, area: circles }: NewArea,
): Promise<PlatformArea> {
  return await inBody(async () => {
    const area = await findCircles(ctx, { circles })
    return await ctx.transaction('changeAreaAsOperator', async (ctx) => {
      await saveVersion(ctx, { seen, area })
      return await readAreaAsOperator(ctx)
    })
  })
}

/** The places that operators have added, by name. */
export const listDistrictsAsOperator = async (ctx: Ctx): Promise<DistrictList> => ({
  districts: (await listDistricts(ctx)).map(shown),
})

/** Adds a place. Throws validation_failed, which names every field that is wrong. */
export async function addDistrictAsOperator(ctx: ByOperator, input: NewDistrict): Promise<DistrictAnswer> {
  // Before the transaction: the first call of a process builds an index.
  await getCatalogNames(ctx)
  return await inBody(() =>
    runOnce(ctx, { operation: 'addDistrictAsOperator', request: input }, async (ctx) =>
      answer(ctx, await addDistrict(ctx, { ...input, by: operatorOf(ctx) })),
    ),
  )
}

/** Renames a place. Throws not_found and validation_failed. */
export const renameDistrictAsOperator = (
  ctx: ByOperator,
  { id, name }: { id: number } & DistrictChange,
): Promise<DistrictAnswer> =>
  inBody(() =>
    ctx.transaction('renameDistrictAsOperator', async (ctx) => {
      await renameDistrict(ctx, { id, name, by: operatorOf(ctx) })
      return await answer(ctx, id)
    }),
  )

/** Removes a place. Throws not_found, and invalid_transition while pros are there. */
export const removeDistrictAsOperator = (ctx: ByOperator, { id }: { id: number }): Promise<void> =>
  removeDistrict(ctx, { id, by: operatorOf(ctx) })

const answer = async (ctx: Ctx, id: number): Promise<DistrictAnswer> => ({
  district: shown(await getDistrict(ctx, { id })),
})

const shown = ({ id, name, state, latitude, longitude, pros }: District): PlatformDistrict => ({
  id,
  name,
  state,
  latitude,
  longitude,
  pros,
})
