/** @jsxImportSource preact */
// The view of the area: rows of places with a distance, and the cities and postal codes that lie within.
import { Type } from '@sinclair/typebox'
import type { VNode } from 'preact'

import type { Served } from '../../../features/catalog/services/verbs/served.ts'
import { areaText } from '../../../features/upkeep/marketplace/rules/area.ts'
import { type Circle, MAX_CIRCLES, type Marketplace } from '../../../features/upkeep/marketplace/schemas.ts'
import type { Session } from '../../../http/session.ts'
import { Integer } from '../../../platform/schema/numbers.ts'
import { Line } from '../../../platform/schema/types.ts'
import { typedDistance } from '../../../platform/text/distance.ts'
import { count, plural } from '../../../platform/text/format.ts'
import { type Region, inSentence, localized, regionOf } from '../../../platform/text/region.ts'
import { Button, Disclosure, LinkButton } from '../../ui/buttons.tsx'
import { defineForm } from '../../ui/define-form.tsx'
import { AnyInput, FieldGroup } from '../../ui/fields.tsx'
import { Form, type FormState } from '../../ui/form.tsx'
import { PageHeading, Section } from '../../ui/headings.tsx'

export const AREA_PATH = '/console/area'
export const DISTRICTS_PATH = `${AREA_PATH}/districts`

/** Rows that a page has besides those that are filled in. */
const FREE_ROWS = 2
/** What a page names; of the rest it says the number. */
const SHOWN_CITIES = 100
const SHOWN_CODES = 300

export const AreaForm = defineForm({
  /** The fields of a row belong together by their place. */
  place: { schema: Type.Array(Line(200), { maxItems: MAX_CIRCLES }) },
  distance: { schema: Type.Array(Line(10), { maxItems: MAX_CIRCLES }) },
  version: { schema: Integer({ minimum: 0, maximum: 1_000_000_000 }) },
  // What the operator has seen of it.
  seen: { schema: Type.Optional(Line(40)) },
})

interface Page {
  site: Marketplace
  session: Session
  formState: FormState
  /** What lies in the area that is shown: the saved one, or that of the form. */
  served: Served
  shown: { area: readonly Circle[]; seen: string } | undefined
}

export function areaView({ site, session, formState, served, shown }: Page): VNode {
  const region = regionOf(site)
  const area = shown?.area ?? site.area
  return (
    <>
      <PageHeading
        beside={
          <LinkButton href={DISTRICTS_PATH} look="quiet">
            Districts of your own
          </LinkButton>
        }
      >
        Area
      </PageHeading>
      <p class="lead">
        {site.area.length === 0
          ? `You serve everywhere in ${region.nameInSentence}. Name places to say where: pages then speak of them.`
          : `You serve ${areaText(site.area, region)}.`}
      </p>
      <Form of={AreaForm} action={AREA_PATH} session={session} formState={formState}>
        {rows(region, site.area, formState)}
        <p class="hint">
          A city or a {inSentence(region.postal.label)}, and how far around it, in{' '}
          {region.distance.unit === 'mile' ? 'miles' : region.distance.unit}. Empty rows are left out; without a place
          you serve everywhere.
        </p>
        <input type="hidden" name="version" value={formState.values.get('version') ?? String(site.version)} />
        {shown && (
          <>
            <input type="hidden" name="seen" value={shown.seen} />
            <p class="notice">
              Not saved yet: {areaText(area, region)}{' '}
              {served.cities.length === 0 ? 'has no city' : 'has what stands below'}.
            </p>
          </>
        )}
        <Button>{shown ? 'Save this area' : 'Show what lies within'}</Button>
      </Form>
      {area.length > 0 && within(region, served)}
    </>
  )
}

function rows(region: Region, area: readonly Circle[], { values }: FormState): VNode {
  const typed = values.getAll('place').map((place, at) => [place, values.getAll('distance')[at] ?? ''] as const)
  const saved = area.map(({ place, radiusMiles }) => [place, String(typedDistance.shown(region, radiusMiles))] as const)
  const filled = values.size > 0 ? typed : saved
  const free = Math.max(0, Math.min(FREE_ROWS, MAX_CIRCLES - filled.length))
  const all = [...filled, ...Array.from({ length: values.size > 0 ? 0 : free }, () => ['', ''] as const)]
  return (
    <FieldGroup name="place" label="Places">
      {all.map(([place, distance], at) => (
        <div class="side-by-side">
          <AnyInput
            type="text"
            name="place"
            value={place}
            maxlength={200}
            placeholder={localized(region, 'City or ZIP code')}
            aria-label={`Place ${at + 1}`}
          />
          <AnyInput
            type="text"
            name="distance"
            value={distance}
            inputmode="numeric"
            maxlength={4}
            placeholder={typedDistance.unit(region)}
            aria-label={`Distance around place ${at + 1}`}
          />
        </div>
      ))}
    </FieldGroup>
  )
}

/** Counts and lists. A list has an end, since an area may be a whole country. */
const within = (region: Region, { cities, postalCodes }: Served): VNode => (
  <Section title="What lies within">
    <p>
      {plural(cities.length, 'city', 'cities')} and {plural(postalCodes.length, inSentence(region.postal.label))}
      {region.country === 'CA' && ', by their first three characters'}.
    </p>
    {cities.length > 0 && (
      <Disclosure label="Cities" isOpen>
        <p>
          {listed(
            cities.map(({ name, state }) => `${name}, ${state}`),
            SHOWN_CITIES,
          )}
        </p>
      </Disclosure>
    )}
    {postalCodes.length > 0 && (
      <Disclosure label={`${region.postal.label}s`}>
        <p>
          {listed(
            postalCodes.map(({ zipCode }) => zipCode ?? ''),
            SHOWN_CODES,
          )}
        </p>
      </Disclosure>
    )}
  </Section>
)

const listed = (names: readonly string[], most: number): string =>
  `${names.slice(0, most).join(' · ')}${names.length > most ? ` and ${count(names.length - most)} more` : ''}`
