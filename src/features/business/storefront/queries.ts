// A pro's texts, business and site in the database. Every statement filters by the pro; a pro without changes has no row.
import { type BusinessEntity, type PublicTexts, SECTIONS, type SiteConfig } from './schemas.ts'
import type { Ctx, TxCtx } from '../../../ctx.ts'

export async function findPublicTexts(ctx: Ctx, { professionalId }: { professionalId: string }): Promise<PublicTexts> {
  const [row] = await ctx.read.run<PublicTexts>(
    'findPublicTexts',
    (sql) => sql`
      select headline, about, highlights, service_areas, faq from pro_public_profiles
      where professional_id = ${professionalId}`,
  )
  return row ?? { headline: null, about: null, highlights: [], serviceAreas: null, faq: [] }
}

export async function savePublicTexts(
  ctx: TxCtx,
  {
    professionalId,
    headline,
    about,
    highlights,
    serviceAreas,
    faq,
    now,
  }: { professionalId: string; now: Date } & PublicTexts,
): Promise<void> {
  await ctx.tx.run(
    'savePublicTexts',
    (sql) => sql`
      insert into pro_public_profiles (professional_id, headline, about, highlights, service_areas, faq, updated_at)
      values (${professionalId}, ${headline}, ${about}, ${highlights}, ${serviceAreas},
        ${JSON.stringify(faq)}::text::jsonb, ${now.toISOString()})
      on conflict (professional_id) do update set
        headline = excluded.headline, about = excluded.about, highlights = excluded.highlights,
        service_areas = excluded.service_areas, faq = excluded.faq, updated_at = excluded.updated_at`,
  )
}

export async function findBusinessEntity(
  ctx: Ctx,
  { professionalId }: { professionalId: string },
): Promise<BusinessEntity | undefined> {
  const [row] = await ctx.read.run<BusinessEntity>(
    'findBusinessEntity',
    (sql) => sql`
      select e.legal_name, e.license_number, e.license_state, e.founded_year, e.insurance_carrier, p.phone, p.website
      from professionals p left join pro_business_entities e on e.professional_id = p.id
      where p.id = ${professionalId}`,
  )
  return row
}

export async function saveBusinessEntity(
  ctx: TxCtx,
  { professionalId, entity, now }: { professionalId: string; entity: BusinessEntity; now: Date },
): Promise<void> {
  const at = now.toISOString()
  await ctx.tx.run(
    'saveBusinessEntity',
    (sql) => sql`
      insert into pro_business_entities (professional_id, legal_name, license_number, license_state, founded_year,
        insurance_carrier, updated_at)
      values (${professionalId}, ${entity.legalName}, ${entity.licenseNumber}, ${entity.licenseState},
        ${entity.foundedYear}, ${entity.insuranceCarrier}, ${at})
      on conflict (professional_id) do update set
        legal_name = excluded.legal_name, license_number = excluded.license_number,
        license_state = excluded.license_state, founded_year = excluded.founded_year,
        insurance_carrier = excluded.insurance_carrier, updated_at = excluded.updated_at`,
  )
  await ctx.tx.run(
    'saveContact',
    (sql) => sql`
      update professionals set phone = ${entity.phone}, website = ${entity.website}, updated_at = ${at}
      where id = ${professionalId} and (phone, website) is distinct from (${entity.phone}, ${entity.website})`,
  )
}

export async function findSiteConfig(ctx: Ctx, { professionalId }: { professionalId: string }): Promise<SiteConfig> {
  const [row] = await ctx.read.run<Omit<SiteConfig, 'sections'> & { sections: SiteConfig['sections'] | null }>(
    'findSiteConfig',
    (sql) => sql`
      select theme_color, hero_title, hero_text, call_to_action, call_to_action_label, sections from pro_site_configs
      where professional_id = ${professionalId}`,
  )
  const defaults = { themeColor: null, heroTitle: null, heroText: null, callToAction: null, callToActionLabel: null }
  return { ...(row ?? defaults), sections: row?.sections ?? [...SECTIONS] }
}

export async function saveSiteConfig(
  ctx: TxCtx,
  { professionalId, site, now }: { professionalId: string; site: SiteConfig; now: Date },
): Promise<void> {
  await ctx.tx.run(
    'saveSiteConfig',
    (sql) => sql`
      insert into pro_site_configs (professional_id, theme_color, hero_title, hero_text, call_to_action,
        call_to_action_label, sections, updated_at)
      values (${professionalId}, ${site.themeColor}, ${site.heroTitle}, ${site.heroText}, ${site.callToAction},
        ${site.callToActionLabel}, ${site.sections}, ${now.toISOString()})
      on conflict (professional_id) do update set
        theme_color = excluded.theme_color, hero_title = excluded.hero_title, hero_text = excluded.hero_text,
        call_to_action = excluded.call_to_action, call_to_action_label = excluded.call_to_action_label,
        sections = excluded.sections, updated_at = excluded.updated_at`,
  )
}

export async function isState(ctx: TxCtx, { code }: { code: string }): Promise<boolean> {
  return (await ctx.tx.run('isState', (sql) => sql`select from states where code = ${code}`)).length > 0
}
