// Reads and changes a pro's texts, business and site. An omitted field keeps its value; null removes it.
import type { Deps } from '../../deps.ts'
import { AppError, invalidField } from '../../errors/app-error.ts'
import type { Runner, Transaction } from '../../platform/postgres/database.ts'
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
  findBusinessEntity,
  findPublicTexts,
  findSiteConfig,
  isState,
  saveBusinessEntity,
  savePublicTexts,
  saveSiteConfig,
} from './queries.ts'

interface Pro {
  professionalId: string
}

export const getPublicTexts = ({ read }: Deps, pro: Pro): Promise<PublicTexts> =>
  findPublicTexts(read, pro.professionalId)

export const changePublicTexts = (deps: Deps, pro: Pro, change: PublicTextsChange): Promise<PublicTexts> =>
  deps.write.begin('changePublicTexts', (tx) => changePublicTextsIn(deps, tx, pro, change))

/** {@link changePublicTexts} inside an existing transaction. */
export async function changePublicTextsIn(
  { clock }: Deps,
  tx: Transaction,
  pro: Pro,
  change: PublicTextsChange,
): Promise<PublicTexts> {
  const next = merged(await getPublicTextsForUpdate(tx, pro), change)
  await savePublicTexts(tx, pro.professionalId, next, clock.now())
  return next
}

/** The texts, locked until the transaction ends. */
export async function getPublicTextsForUpdate(tx: Transaction, pro: Pro): Promise<PublicTexts> {
  await lockPro(tx, pro)
  return await findPublicTexts(tx, pro.professionalId)
}

export const getBusinessEntity = ({ read }: Deps, pro: Pro): Promise<BusinessEntity> => getEntity(read, pro)

/** Throws validation_failed unless license number and state come together, and for an unknown state. */
export const changeBusinessEntity = (deps: Deps, pro: Pro, change: BusinessEntityChange): Promise<BusinessEntity> =>
  deps.write.begin('changeBusinessEntity', (tx) => changeBusinessEntityIn(deps, tx, pro, change))

/** {@link changeBusinessEntity} inside an existing transaction. */
export async function changeBusinessEntityIn(
  { clock }: Deps,
  tx: Transaction,
  pro: Pro,
  change: BusinessEntityChange,
): Promise<BusinessEntity> {
  const next = merged(await getBusinessEntityForUpdate(tx, pro), change)
  if ((next.licenseNumber === null) !== (next.licenseState === null))
    throw invalidField('body.licenseState', 'and `licenseNumber` must be given together')
  if (next.licenseState !== null && !(await isState(tx, next.licenseState)))
    throw invalidField('body.licenseState', 'must be the code of a US state, such as TX')
  await saveBusinessEntity(tx, pro.professionalId, next, clock.now())
  return next
}

/** The business, locked until the transaction ends. */
export async function getBusinessEntityForUpdate(tx: Transaction, pro: Pro): Promise<BusinessEntity> {
  await lockPro(tx, pro)
  return await getEntity(tx, pro)
}

export const getSiteConfig = ({ read }: Deps, pro: Pro): Promise<SiteConfig> => findSiteConfig(read, pro.professionalId)

export const changeSiteConfig = (deps: Deps, pro: Pro, change: SiteConfigChange): Promise<SiteConfig> =>
  deps.write.begin('changeSiteConfig', (tx) => changeSiteConfigIn(deps, tx, pro, change))

/** {@link changeSiteConfig} inside an existing transaction. */
export async function changeSiteConfigIn(
  { clock }: Deps,
  tx: Transaction,
  pro: Pro,
  change: SiteConfigChange,
): Promise<SiteConfig> {
  const next = merged(await getSiteConfigForUpdate(tx, pro), change)
  await saveSiteConfig(tx, pro.professionalId, next, clock.now())
  return next
}

/** The site, locked until the transaction ends. */
export async function getSiteConfigForUpdate(tx: Transaction, pro: Pro): Promise<SiteConfig> {
  await lockPro(tx, pro)
  return await findSiteConfig(tx, pro.professionalId)
}

async function getEntity(db: Runner, { professionalId }: Pro): Promise<BusinessEntity> {
  const entity = await findBusinessEntity(db, professionalId)
  if (!entity) throw new AppError('professional_not_found', 'The pro of this key no longer exists.')
  return entity
}

/** The current values overwritten by the given ones. */
const merged = <T extends object>(current: T, change: { [K in keyof T]?: T[K] | undefined }): T => ({
  ...current,
  ...Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)),
})
