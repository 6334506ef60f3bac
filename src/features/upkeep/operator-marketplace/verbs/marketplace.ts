// Operators' programs read and change what the marketplace says of itself and what holds in it.
import { type OperatorCaller, operatorOf } from '../../../../auth/caller.ts'
import type { Ctx, TxCtx } from '../../../../ctx.ts'
import { AppError, invalidField } from '../../../../errors/app-error.ts'
import { inBody } from '../../../../http/field-errors.ts'
import { MINIMUM_PAYMENT_CENTS } from '../../../../platform/schema/money.ts'
import { setByEnvironment } from '../../marketplace/rules/defaults.ts'
import type { MarketplaceVersion } from '../../marketplace/schemas.ts'
import { currentMarketplace, updateMarketplace } from '../../marketplace/verbs.ts'
import type { MarketplaceChange, PlatformMarketplace } from '../schemas.ts'

/** The version in use. */
export const readMarketplaceAsOperator = async (ctx: Ctx): Promise<PlatformMarketplace> =>
  shown(ctx, await currentMarketplace(ctx))

/** Changes what the body names. Throws validation_failed, and invalid_transition when `version` is another one by now. */
export const changeMarketplaceAsOperator = (
  ctx: Ctx<OperatorCaller>,
  { version, name, ...changes }: MarketplaceChange,
): Promise<PlatformMarketplace> =>
  inBody(() =>
    ctx.transaction('changeMarketplaceAsOperator', async (ctx) => {
      const { feeCents = 0 } = changes
      if (feeCents > 0 && feeCents < MINIMUM_PAYMENT_CENTS)
        throw invalidField('feeCents', `must be 0 or at least ${MINIMUM_PAYMENT_CENTS}, the smallest payment`)
      await saveVersion(ctx, { seen: version, ...changes, ...(name !== undefined && { name: name.trim() }) })
      return await readMarketplaceAsOperator(ctx)
    }),
  )

/** Saves the next version, unless `seen` is another one than that in use. */
export async function saveVersion(
  ctx: TxCtx<OperatorCaller>,
  { seen, ...changes }: Partial<MarketplaceVersion> & { seen: number | undefined },
): Promise<void> {
  const { version } = await currentMarketplace(ctx)
  if (seen !== undefined && seen !== version) throw isChanged()
  try {
    await updateMarketplace(ctx, { ...changes, version, by: operatorOf(ctx) })
  } catch (error) {
    // A field is named unless another operator saved this version at the same moment.
    throw error instanceof AppError && error.code === 'validation_failed' && !error.errors ? isChanged() : error
  }
}

const isChanged = () =>
  new AppError('invalid_transition', 'Another operator has changed the marketplace meanwhile. Read it, and try again.')

const shown = ({ config }: Ctx, says: MarketplaceVersion): PlatformMarketplace => ({
  version: says.version,
  isOpen: says.isOpen,
  name: says.name,
  tagline: says.tagline,
  email: says.email,
  phone: says.phone,
  address: says.address,
  accent: says.accent,
  country: says.country,
  radiusMiles: says.radiusMiles,
  feeCents: says.feeCents,
  minDepositPercentage: says.minDepositPercentage,
  maxDepositPercentage: says.maxDepositPercentage,
  freeCancellationHours: says.freeCancellationHours,
  holdMinutes: says.holdMinutes,
  prosMayJoin: says.prosMayJoin,
  operatorsNeedFactor: says.operatorsNeedFactor,
  reviewPolicy: says.reviewPolicy,
  setByEnvironment: Object.keys(setByEnvironment(config)),
})
