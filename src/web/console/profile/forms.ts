// The four forms of a pro's profile.
import { Type } from '@sinclair/typebox'

import { CALLS_TO_ACTION, SECTIONS } from '../../../features/business/storefront/schemas.ts'
import { MAX_RADIUS_MILES } from '../../../features/business/pros/schemas.ts'
import { Integer } from '../../../platform/schema/numbers.ts'
import { FreeText, HttpUrl, Line, Name, OneOf, Text } from '../../../platform/schema/types.ts'
import { typedDistance } from '../../../platform/text/distance.ts'
import { type Region, UNITED_STATES } from '../../../platform/text/region.ts'
import { defineForm } from '../../ui/define-form.tsx'

/** A distance is typed in the unit of the region. */
export const profileFormIn = (region: Region) =>
  defineForm({
    businessName: {
      schema: Name(),
      label: 'Business name',
      hint: 'After a change, we check your business again before it shows as verified.',
    },
    description: { schema: Type.Optional(FreeText()), label: 'What you do', rows: 4 },
    serviceRadiusMiles: {
      schema: Integer({ minimum: 1, maximum: typedDistance.shown(region, MAX_RADIUS_MILES) }),
      label: `How far you drive, ${typedDistance.unit(region)}`,
    },
    yearsOfExperience: {
      schema: Type.Optional(Integer({ minimum: 0, maximum: 120 })),
      label: 'Years of experience',
    },
    acceptsEmergency: { schema: Type.Boolean(), label: 'I take emergencies' },
  })

export const ProfileForm = profileFormIn(UNITED_STATES)

export const BusinessForm = defineForm(
  {
    phone: { schema: Type.Optional(Text(50)), label: 'Phone', autocomplete: 'tel', inputMode: 'tel' },
    website: { schema: Type.Optional(HttpUrl()), label: 'Website', hint: 'With https:// in front.' },
    foundedYear: { schema: Type.Optional(Integer({ minimum: 1800, maximum: 2100 })), label: 'In business since' },
    legalName: { schema: Type.Optional(Line(200)), label: 'Legal name' },
    licenseNumber: { schema: Type.Optional(Line(100)), label: 'License number' },
    licenseState: {
      schema: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$', maxLength: 2 })),
      label: 'License state',
      hint: 'Two letters, such as TX.',
    },
    insuranceCarrier: {
      schema: Type.Optional(Line(200)),
      label: 'Insurance',
      hint: 'Customers read that we have not checked a new license or insurer yet.',
    },
  },
  ({ licenseNumber, licenseState }) =>
    (licenseNumber === undefined) === (licenseState === undefined)
      ? {}
      : { licenseState: 'enter the number and the state of the license, or neither' },
)

/** Rows of a question and an answer; those of which both are empty are left out. */
const Rows = (maxLength: number) => Type.Optional(Type.Array(Text(maxLength), { maxItems: 25 }))

export const TextsForm = defineForm(
  {
    headline: { schema: Type.Optional(Line(200)), label: 'Headline', hint: 'One line under your name.' },
    about: { schema: Type.Optional(FreeText()), label: 'About you', rows: 5 },
    serviceAreas: { schema: Type.Optional(Text(1000)), label: 'Where you work', rows: 2 },
    highlights: {
      schema: Type.Optional(Text(2000)),
      label: 'Your strengths',
      hint: 'One per line, up to ten.',
      rows: 4,
    },
    languages: {
      schema: Type.Optional(Text(500)),
      label: 'Languages',
      hint: 'One per line: those in which you serve customers.',
      rows: 2,
    },
    question: { schema: Rows(5000) },
    answer: { schema: Rows(5000) },
  },
  ({ question = [], answer = [] }) =>
    question.every((text, row) => (text === '') === ((answer[row] ?? '') === ''))
      ? {}
      : { question: 'enter each question with its answer' },
)

const ACTIONS: Record<(typeof CALLS_TO_ACTION)[number], string> = {
  book: 'Book a time',
  quote: 'Ask for a quote',
  call: 'Call',
}

const SECTION_NAMES: Record<(typeof SECTIONS)[number], string> = {
  about: 'About',
  highlights: 'Your strengths',
  services: 'Services and prices',
  packages: 'Packages',
  service_areas: 'Service area',
  reviews: 'Reviews',
  faq: 'Questions and answers',
  contact: 'Business details',
}

/** The look of a pro's page: its title, its main button, and its sections. */
export const SiteForm = defineForm({
  heroTitle: { schema: Type.Optional(Line(200)), label: 'Title', hint: 'Instead of your business name.' },
  heroText: { schema: Type.Optional(Text(500)), label: 'Text under the title', hint: 'Instead of your headline.' },
  callToAction: {
    schema: Type.Optional(OneOf(CALLS_TO_ACTION)),
    label: 'Main button',
    saysOptional: false,
    choices: [
      { value: '', label: 'As it suits' },
      ...CALLS_TO_ACTION.map((value) => ({ value, label: ACTIONS[value] })),
    ],
  },
  callToActionLabel: { schema: Type.Optional(Line(60)), label: 'Words on the main button' },
  themeColor: {
    schema: Type.Optional(Type.String({ pattern: '^#[0-9a-f]{6}$', maxLength: 7 })),
    label: 'Color of the browser bar',
    hint: 'Such as #0b6e4f.',
  },
  sections: {
    schema: Type.Array(OneOf(SECTIONS), { minItems: 1 }),
    label: 'Sections',
    choices: SECTIONS.map((value) => ({ value, label: SECTION_NAMES[value] })),
  },
})
