// Reads and changes a pro's texts, business and site. An omitted field keeps its value; null removes it.
import type { Ctx, TxCtx } from '../../../ctx.ts'
import { AppError, invalidField } from '../../../errors/app-error.ts'
import { getRegion } from '../../upkeep/marketplace/verbs.ts'
import { lockPro } from '../profile/verbs.ts'
import type {
  BusinessEntity,
  BusinessEntityChange,
  PublicTexts,
  PublicTextsChange,
  SiteConfig,
  SiteConfigChange,
} from './schemas.ts'
import {
  findPublicTexts,
  findSiteConfig,
  isState,
  saveBusinessEntity,
  savePublicTexts,
  saveSiteConfig,
} from './queries.ts'
import { findBusinessEntity } from './queries.sql.ts'

interface Pro {
  professionalId: string
}

export const getPublicTexts = (ctx: Ctx<Pro>): Promise<PublicTexts> =>
  findPublicTexts(ctx, { professionalId: ctx.actor.professionalId })

export const changePublicTexts = (ctx: Ctx<Pro>, change: PublicTextsChange): Promise<PublicTexts> =>
  ctx.transaction('changePublicTexts', (ctx) => changePublicTextsIn(ctx, change))

/** {@link changePublicTexts} inside an existing transaction. */
export async function changePublicTextsIn(ctx: TxCtx<Pro>, change: PublicTextsChange): Promise<PublicTexts> {
  const next = merged(await getPublicTextsForUpdate(ctx), change)
  await savePublicTexts(ctx, { ...next, professionalId: ctx.actor.professionalId, now: ctx.clock.now() })
  return next
}

/** The texts, locked until the transaction ends. */
export async function getPublicTextsForUpdate(ctx: TxCtx<Pro>): Promise<PublicTexts> {
  await lockPro(ctx)
  return await findPublicTexts(ctx, { professionalId: ctx.actor.professionalId })
}

export const getBusinessEntity = (ctx: Ctx<Pro>): Promise<BusinessEntity> => getEntity(ctx)

/** Throws validation_failed unless license number and state come together, and for an unknown state. */
export const changeBusinessEntity = (ctx: Ctx<Pro>, change: BusinessEntityChange): Promise<BusinessEntity> =>
  ctx.transaction('changeBusinessEntity', (ctx) => changeBusinessEntityIn(ctx, change))

/** {@link changeBusinessEntity} inside an existing transaction. */
export async function changeBusinessEntityIn(ctx: TxCtx<Pro>, change: BusinessEntityChange): Promise<BusinessEntity> {
  const next = merged(await getBusinessEntityForUpdate(ctx), change)
  if ((next.licenseNumber === null) !== (next.licenseState === null))
    throw invalidField('body.licenseState', 'and `licenseNumber` must be given together')
  if (next.licenseState !== null && !(await isState(ctx, { code: next.licenseState }))) {
    const { state } = await getRegion(ctx)
    throw invalidField('body.licenseState', `must be the code of a ${state.of}, such as ${state.example}`)
  }
  await saveBusinessEntity(ctx, { professionalId: ctx.actor.professionalId, entity: next, now: ctx.clock.now() })
  return next
}

/** The business, locked until the transaction ends. */
export async function getBusinessEntityForUpdate(ctx: TxCtx<Pro>): Promise<BusinessEntity> {
  await lockPro(ctx)
  return await getEntity(ctx)
}

export const getSiteConfig = (ctx: Ctx<Pro>): Promise<SiteConfig> =>
  findSiteConfig(ctx, { professionalId: ctx.actor.professionalId })

export const changeSiteConfig = (ctx: Ctx<Pro>, change: SiteConfigChange): Promise<SiteConfig> =>
  ctx.transaction('changeSiteConfig', (ctx) => changeSiteConfigIn(ctx, change))

/** {@link changeSiteConfig} inside an existing transaction. */
export async function changeSiteConfigIn(ctx: TxCtx<Pro>, change: SiteConfigChange): Promise<SiteConfig> {
  const next = merged(await getSiteConfigForUpdate(ctx), change)
  await saveSiteConfig(ctx, { professionalId: ctx.actor.professionalId, site: next, now: ctx.clock.now() })
  return next
}

/** The site, locked until the transaction ends. */
export async function getSiteConfigForUpdate(ctx: TxCtx<Pro>): Promise<SiteConfig> {
  await lockPro(ctx)
  return await findSiteConfig(ctx, { professionalId: ctx.actor.professionalId })
}

async function getEntity(ctx: Ctx<Pro>): Promise<BusinessEntity> {
  const entity = await findBusinessEntity(ctx, { professionalId: ctx.actor.professionalId })
  if (!entity) throw new AppError('professional_not_found', 'The pro of this key no longer exists.')
  return entity
}

/** The current values overwritten by the given ones. */
const merged = <T extends object>(current: T, change: { [K in keyof T]?: T[K] | undefined }): T => ({
  ...current,
  ...Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)),
})
