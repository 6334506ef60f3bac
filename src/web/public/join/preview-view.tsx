/** @jsxImportSource preact */
// The page of the applicant as customers will see it, with the steps where each part is changed.
import type { VNode } from 'preact'

import type { Step } from '../../../features/business/applications/rules/steps.ts'
import type { AppliedService, Application } from '../../../features/business/applications/schemas.ts'
import { JOIN_PATH } from '../../../features/business/applications/verbs/move-application.ts'
import { type BusinessHours, WEEKDAYS } from '../../../features/calendar/schedule/schemas.ts'
import { unitOf } from '../../../features/catalog/entries/rules/units.ts'
import type { CityRow } from '../../../features/catalog/services/verbs/city-services.ts'
import { capitalized, clockTime, priceOf } from '../../../platform/text/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { PhoneLink } from '../../ui/links.tsx'
import { Avatar } from '../../ui/pictures.tsx'
import { Section } from '../../ui/headings.tsx'
import { Distance, OfRegion } from '../../ui/site.tsx'
import type { ServiceRow } from './forms.ts'
import { DetailList } from '../../ui/table.tsx'

export interface Previewed {
  readonly application: Application | undefined
  readonly city: CityRow | undefined
  /** Those of the application that the catalog has. */
  readonly services: readonly ServiceRow[]
}

const change = (step: Step, what: string): VNode => (
  <p class="hint">
    <a href={`${JOIN_PATH}/${step}`}>Change {what}</a>
  </p>
)

export function previewOf({ application, city, services }: Previewed): VNode | null {
  if (!application) return null
  const { businessName, phone, description, radiusMiles } = application
  return (
    <>
      <p>So customers see you once you are approved. Your name and your street stay with us.</p>
      <div class="with-avatar">
        <Avatar name={businessName ?? ''} logo={null} isLarge />
        <h2>{businessName}</h2>
      </div>
      <ul class="facts">
        {city && radiusMiles !== null && (
          <li>
            <Icon name="map-pin" /> Within <Distance miles={radiusMiles} /> of {city.name}, {city.state}
          </li>
        )}
        {phone !== null && (
          <li>
            <PhoneLink phone={phone} />
          </li>
        )}
      </ul>
      {change('place', 'where you work')}
      {description !== null && (
        <Section title="About">
          <p class="prose">{description}</p>
        </Section>
      )}
      {change('business', 'your business')}
      <AppliedServices applied={application.services ?? []} services={services} />
      {change('services', 'your services')}
      {change('prices', 'your prices')}
      <AppliedHours hours={application.businessHours ?? {}} />
      {change('hours', 'your hours')}
      <Declared application={application} />
      {change('license', 'license and insurance')}
    </>
  )
}

export const AppliedServices = ({
  applied,
  services,
}: {
  applied: readonly AppliedService[]
  services: readonly ServiceRow[]
}): VNode => (
  <Section title="Services and prices">
    <ul class="offers">
      {applied.map(({ serviceId, priceType, price, most }) => {
        const service = services.find(({ id }) => id === serviceId)
        const unit = priceType === 'per_unit' ? (service?.unit ?? 'unit') : unitOf(priceType)
        const range =
          most === null ? { basePrice: price, min: null, max: null } : { basePrice: null, min: price, max: most }
        return (
          <li>
            <h3>{service?.name ?? 'A service that the catalog no longer has'}</h3>
            <div class="price">
              <OfRegion>{({ currency }) => <span>{priceOf({ ...range, unit, currency })}</span>}</OfRegion>
            </div>
          </li>
        )
      })}
    </ul>
  </Section>
)

export const AppliedHours = ({ hours }: { hours: BusinessHours }): VNode => (
  <Section title="Hours">
    <DetailList
      pairs={WEEKDAYS.map((day) => [
        capitalized(day),
        (hours[day] ?? [])
          .map(({ start, end }) => `${clockTime(start)} to ${clockTime(end === '24:00' ? '00:00' : end)}`)
          .join(', ') || 'Closed',
      ])}
    />
  </Section>
)

/** What was declared, which is not checked. */
export const Declared = ({ application }: { application: Application }): VNode => {
  const { licenseNumber, licenseState, licenseExpires, insuranceCarrier, insurancePolicy, insuranceExpires } =
    application
  const isEmpty = licenseNumber === null && insuranceCarrier === null
  return (
    <Section title="License and insurance, as declared">
      {isEmpty && <p>Nothing is declared.</p>}
      <DetailList
        pairs={[
          ['License', licenseNumber && `${licenseNumber} (${licenseState ?? ''})`],
          ['Valid until', licenseExpires],
          ['Insured with', insuranceCarrier],
          ['Policy', insurancePolicy],
          ['Insured until', insuranceExpires],
        ]}
      />
    </Section>
  )
}
