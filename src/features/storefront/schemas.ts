// How a pro presents themselves. The spec names the editors, not their fields: those are ours.
import { type Static, Type } from '@sinclair/typebox'

import { FreeText, Name, Nullable, OneOf, Uri } from '../../platform/schema/types.ts'

const text = (maxLength: number, description?: string) =>
  Nullable(Type.String({ minLength: 1, maxLength }), description ? { description } : {})

const Faq = Type.Array(
  Type.Object({ question: Name(), answer: FreeText({ minLength: 1 }) }, { additionalProperties: false }),
  { maxItems: 20 },
)

const publicTexts = {
  headline: text(200, 'One line under the name'),
  about: text(5000),
  highlights: Type.Array(Name(), { maxItems: 10, description: 'What sets the pro apart, a phrase each' }),
  serviceAreas: text(1000, 'Where the pro works, in words'),
  faq: Faq,
}

/** The texts of a pro's page. */
export const PublicTexts = Type.Object(publicTexts, { $id: 'PublicTexts' })
export type PublicTexts = Static<typeof PublicTexts>

export const PublicTextsChange = Type.Partial(Type.Object(publicTexts), {
  $id: 'PublicTextsChange',
  additionalProperties: false,
})
export type PublicTextsChange = Static<typeof PublicTextsChange>

const businessFacts = {
  legalName: text(200),
  licenseNumber: text(100, 'Goes with `licenseState`'),
  licenseState: Nullable(Type.String({ pattern: '^[A-Z]{2}$' }), { description: 'Code of the state that licensed it' }),
  foundedYear: Nullable(Type.Integer({ minimum: 1800, maximum: 2100 })),
  insuranceCarrier: text(200),
}
const reachedAt = { phone: text(50), website: Nullable(Uri({ pattern: '^https?://' })) }

/** The business behind the pro, as everyone may see it; how it is reached is in `contact`. */
export const BusinessFacts = Type.Object(businessFacts, { $id: 'BusinessFacts' })

export const BusinessEntity = Type.Object({ ...businessFacts, ...reachedAt }, { $id: 'BusinessEntity' })
export type BusinessEntity = Static<typeof BusinessEntity>

export const BusinessEntityChange = Type.Partial(Type.Object({ ...businessFacts, ...reachedAt }), {
  $id: 'BusinessEntityChange',
  additionalProperties: false,
})
export type BusinessEntityChange = Static<typeof BusinessEntityChange>

/** The parts of a pro's page, in their usual order. */
export const SECTIONS = [
  'about',
  'highlights',
  'services',
  'packages',
  'service_areas',
  'reviews',
  'faq',
  'contact',
] as const

const site = {
  themeColor: Nullable(Type.String({ pattern: '^#[0-9a-f]{6}$', examples: ['#0b6e4f'] })),
  heroTitle: text(200),
  heroText: text(500),
  callToAction: Nullable(OneOf(['book', 'quote', 'call']), { description: 'What the main button does' }),
  callToActionLabel: text(60),
  sections: Type.Array(OneOf(SECTIONS), {
    minItems: 1,
    maxItems: SECTIONS.length,
    uniqueItems: true,
    description: 'What the page shows, in this order',
  }),
}

/** What a pro's page looks like. */
export const SiteConfig = Type.Object(site, { $id: 'SiteConfig' })
export type SiteConfig = Static<typeof SiteConfig>

export const SiteConfigChange = Type.Partial(Type.Object(site), {
  $id: 'SiteConfigChange',
  additionalProperties: false,
})
export type SiteConfigChange = Static<typeof SiteConfigChange>
