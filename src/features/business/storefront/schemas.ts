// The public presentation of a pro: texts, business and site. The spec names the editors; their fields are ours.
import { type Static, Type } from '@sinclair/typebox'

import { Integer } from '../../../platform/schema/numbers.ts'
import { FreeText, HttpUrl, Line, Name, Nullable, OneOf, Text } from '../../../platform/schema/types.ts'

const line = (maxLength: number, description?: string) =>
  Nullable(Line(maxLength, { minLength: 1 }), description ? { description } : {})
const text = (maxLength: number, description?: string) =>
  Nullable(Text(maxLength, { minLength: 1 }), description ? { description } : {})

const Faq = Type.Array(
  Type.Object({ question: Name(), answer: FreeText({ minLength: 1 }) }, { additionalProperties: false }),
  { maxItems: 20 },
)

const publicTexts = {
  headline: line(200, 'One line under the name'),
  about: text(5000),
  highlights: Type.Array(Name(), { maxItems: 10, description: 'Strengths of the pro, one phrase each' }),
  serviceAreas: text(1000, 'The service areas as free text'),
  languages: Type.Array(Text(50, { minLength: 1 }), {
    maxItems: 10,
    description: 'Languages in which customers are served, as the pro states them',
    examples: [['English', 'Spanish']],
  }),
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
  legalName: line(200),
  licenseNumber: line(100, 'Requires `licenseState`'),
  licenseState: Nullable(Type.String({ pattern: '^[A-Z]{2}$' }), { description: 'Code of the licensing state' }),
  foundedYear: Nullable(Integer({ minimum: 1800, maximum: 2100 })),
  insuranceCarrier: line(200),
}
const contact = { phone: text(50), website: Nullable(HttpUrl()) }

/** The public facts of the pro's business. Its phone and website are in `contact` of the profile. */
export const BusinessFacts = Type.Object(
  {
    ...businessFacts,
    licenseChecked: Type.Boolean({ description: 'An operator has checked this license with who issues it' }),
    insuranceChecked: Type.Boolean({ description: 'An operator has seen a valid certificate of this insurer' }),
  },
  { $id: 'BusinessFacts', description: 'What the pro declares, and which of it an operator has checked' },
)

export const BusinessEntity = Type.Object({ ...businessFacts, ...contact }, { $id: 'BusinessEntity' })
export type BusinessEntity = Static<typeof BusinessEntity>

export const BusinessEntityChange = Type.Partial(Type.Object({ ...businessFacts, ...contact }), {
  $id: 'BusinessEntityChange',
  additionalProperties: false,
})
export type BusinessEntityChange = Static<typeof BusinessEntityChange>

/** The sections of a pro's page, in default order. */
export const SECTIONS = [
  'about',
  'highlights',
  'services',
  'packages',
  'reviews',
  'service_areas',
  'faq',
  'contact',
] as const

/** The actions of the main button of a pro's page. */
export const CALLS_TO_ACTION = ['book', 'quote', 'call'] as const

const site = {
  themeColor: Nullable(Type.String({ pattern: '^#[0-9a-f]{6}$', examples: ['#0b6e4f'] })),
  heroTitle: line(200),
  heroText: text(500),
  callToAction: Nullable(OneOf(CALLS_TO_ACTION), { description: 'The action of the main button' }),
  callToActionLabel: line(60),
  sections: Type.Array(OneOf(SECTIONS), {
    minItems: 1,
    maxItems: SECTIONS.length,
    uniqueItems: true,
    description: 'The sections of the page, in this order',
  }),
}

/** The appearance of a pro's page. */
export const SiteConfig = Type.Object(site, { $id: 'SiteConfig' })
export type SiteConfig = Static<typeof SiteConfig>

export const SiteConfigChange = Type.Partial(Type.Object(site), {
  $id: 'SiteConfigChange',
  additionalProperties: false,
})
export type SiteConfigChange = Static<typeof SiteConfigChange>
