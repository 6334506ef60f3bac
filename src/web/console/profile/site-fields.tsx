/** @jsxImportSource preact */
// The fields of the look of a pro's page: its title, its main button, and the order of its sections.
import type { VNode } from 'preact'

import { CALLS_TO_ACTION, SECTIONS, type SiteConfig } from '../../../features/business/storefront/schemas.ts'
import { Checkboxes, SelectField, TextField } from '../../ui/fields.tsx'

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

export const siteFields = (site: SiteConfig): VNode => (
  <>
    <TextField
      name="heroTitle"
      label="Title"
      isOptional
      hint="Instead of your business name."
      maxLength={200}
      value={site.heroTitle ?? ''}
    />
    <TextField
      name="heroText"
      label="Text under the title"
      isOptional
      hint="Instead of your headline."
      maxLength={500}
      value={site.heroText ?? ''}
    />
    <SelectField
      name="callToAction"
      label="Main button"
      isOptional
      saysOptional={false}
      value={site.callToAction ?? ''}
      choices={[
        { value: '', label: 'As it suits' },
        ...CALLS_TO_ACTION.map((value) => ({ value, label: ACTIONS[value] })),
      ]}
    />
    <TextField
      name="callToActionLabel"
      label="Words on the main button"
      isOptional
      maxLength={60}
      value={site.callToActionLabel ?? ''}
    />
    <TextField
      name="themeColor"
      label="Color of the browser bar"
      isOptional
      hint="Such as #0b6e4f."
      maxLength={7}
      value={site.themeColor ?? ''}
    />
    <Checkboxes
      name="sections"
      label="Sections"
      choices={SECTIONS.map((value) => ({ value, label: SECTION_NAMES[value] }))}
      checked={site.sections}
    />
  </>
)
