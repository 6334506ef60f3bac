// A pro's texts, business and site in the database. Every statement filters by the pro; a pro without changes has no row.
import { type BusinessEntity, type PublicTexts, SECTIONS, type SiteConfig } from './schemas.ts'
import type { Ctx, TxCtx } from '../../../ctx.ts'
import * as statements from './queries.sql.ts'

export async function findPublicTexts(ctx: Ctx, { professionalId }: { professionalId: string }): Promise<PublicTexts> {
  const row = await statements.findPublicTexts<Pick<PublicTexts, 'faq'>>(ctx, { professionalId })
  return row ?? { headline: null, about: null, highlights: [], serviceAreas: null, languages: [], faq: [] }
}

export async function savePublicTexts(
  ctx: TxCtx,
  {
    professionalId,
    headline,
    about,
    highlights,
    serviceAreas,
    languages,
    faq,
    now,
  }: { professionalId: string; now: Date } & PublicTexts,
): Promise<void> {
  await statements.savePublicTexts(ctx, {
    professionalId,
    headline,
    about,
    highlights,
    serviceAreas,
    languages,
    faq: JSON.stringify(faq),
    now,
  })
}

export async function saveBusinessEntity(
  ctx: TxCtx,
  { professionalId, entity, now }: { professionalId: string; entity: BusinessEntity; now: Date },
): Promise<void> {
  const at = now.toISOString()
  await statements.saveBusinessEntity(ctx, {
    professionalId,
    legalName: entity.legalName,
    licenseNumber: entity.licenseNumber,
    licenseState: entity.licenseState,
    foundedYear: entity.foundedYear,
    insuranceCarrier: entity.insuranceCarrier,
    at,
  })
  await statements.saveContact(ctx, { phone: entity.phone, website: entity.website, at, professionalId })
}

export async function findSiteConfig(ctx: Ctx, { professionalId }: { professionalId: string }): Promise<SiteConfig> {
  const row = await statements.findSiteConfig<
    Pick<Omit<SiteConfig, 'sections'> & { sections: SiteConfig['sections'] | null }, 'sections'>
  >(ctx, { professionalId })
  const defaults = { themeColor: null, heroTitle: null, heroText: null, callToAction: null, callToActionLabel: null }
  return { ...(row ?? defaults), sections: row?.sections ?? [...SECTIONS] }
}

export async function saveSiteConfig(
  ctx: TxCtx,
  { professionalId, site, now }: { professionalId: string; site: SiteConfig; now: Date },
): Promise<void> {
  await statements.saveSiteConfig(ctx, {
    professionalId,
    themeColor: site.themeColor,
    heroTitle: site.heroTitle,
    heroText: site.heroText,
    callToAction: site.callToAction,
    callToActionLabel: site.callToActionLabel,
    sections: site.sections,
    now,
  })
}

export async function isState(ctx: TxCtx, { code }: { code: string }): Promise<boolean> {
  return (await statements.isState(ctx, { code })).length > 0
}
