/** @jsxImportSource preact */
// The sections of a pro's page, by their names in the site configuration.
import type { Package } from '../../../features/business/packages/schemas.ts'
import type { PublicPictures } from '../../../features/files/pictures/schemas.ts'
import type { PublicProfile } from '../../../features/search/pros/schemas.ts'
import type { SECTIONS } from '../../../features/business/storefront/schemas.ts'
import { clockTime, day, duration, plural, priceOf } from '../../../platform/text/format.ts'
import type { VNode } from 'preact'
import { PhoneLink } from '../../ui/links.tsx'
import { DetailList } from '../../ui/table.tsx'
import { Section } from '../../ui/headings.tsx'
import { type MapContent, resultsMap } from '../search/map.tsx'
import { type ShownReviews, reviewsSection } from './reviews.tsx'
import { Distance } from '../../ui/site.tsx'

/** The data of the page. */
export interface Profile extends PublicProfile {
  /** The service that was searched for. */
  wantedServiceId: string | null
  packages: readonly Package[]
  /** Undefined when no service can be booked online. */
  openTimes: OpenTimes | undefined
  reviewsPage: ShownReviews
  pictures: PublicPictures
  /** The most populous first, for the map. */
  cities: MapContent['cities']
}

/** The next times of a service. */
export interface OpenTimes {
  service: string
  /** Its price in words. */
  price: string
  /** The page with all times. */
  all: string
  /** `date` and `time` on the pro's clock. */
  times: readonly { date: string; time: string; href: string }[]
}

type Section = (pro: Profile) => VNode | false

const about: Section = ({ about, description }) => {
  const text = about ?? description
  return (
    text !== null && (
      <Section title="About">
        <p class="prose">{text}</p>
      </Section>
    )
  )
}

const highlights: Section = ({ highlights }) =>
  highlights.length > 0 && (
    <Section title="Why choose us">
      <ul>
        {highlights.map((text) => (
          <li>{text}</li>
        ))}
      </ul>
    </Section>
  )

const services: Section = ({ services, slug }) =>
  services.length > 0 && (
    <Section title="Services and prices">
      <ul class="offers">
        {services.map((service) => (
          <li>
            <div>
              <h3>{service.name}</h3>
              {service.description !== null && <p class="quiet">{service.description}</p>}
            </div>
            <div class="price">
              <span>{priceOf(service.pricing)}</span>{' '}
              {service.booking.durationMinutes !== null && (
                <span class="quiet">{duration(service.booking.durationMinutes)}</span>
              )}{' '}
              {service.booking.instantBookEnabled ? (
                <a href={`/pros/${slug}/book?service=${service.id}`} aria-label={`Book ${service.name}`}>
                  Book
                </a>
              ) : (
                <a
                  href={`/pros/${slug}/quote?service=${service.id}`}
                  aria-label={`Ask for a quote for ${service.name}`}
                >
                  Ask for a quote
                </a>
              )}
            </div>
          </li>
        ))}
      </ul>
    </Section>
  )

const packages: Section = ({ packages }) =>
  packages.length > 0 && (
    <Section title="Packages">
      <ul class="offers">
        {packages.map((offer) => (
          <li>
            <div>
              <h3>
                <a href={`/packages/${offer.sku}`}>{offer.name}</a>
              </h3>
              <p class="quiet">{offer.includes.join(', ')}</p>
            </div>
            <div class="price">
              <span>{priceOf(offer.pricing)}</span>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  )

const serviceAreas: Section = ({ serviceAreas, location, serviceRadius, cities }) =>
  (serviceAreas !== null || location !== null) && (
    <Section title="Service area">
      {serviceAreas !== null && <p class="prose">{serviceAreas}</p>}
      {location !== null && (
        <>
          <p>
            Within <Distance miles={serviceRadius} /> of {location.city}, {location.state}.
          </p>
          {resultsMap({ dots: [], circle: { center: location, miles: serviceRadius }, cities })}
        </>
      )}
    </Section>
  )

const faq: Section = ({ faq }) =>
  faq.length > 0 && (
    <Section title="Questions and answers">
      {faq.map(({ question, answer }) => (
        <details class="disclosure">
          <summary>{question}</summary>
          <p class="prose disclosed">{answer}</p>
        </details>
      ))}
    </Section>
  )

const contact: Section = ({
  contact,
  business,
  verificationDetails,
  businessHours,
  yearsOfExperience,
  languages,
  memberSince,
}) => (
  <Section title="Business details" id="checked">
    <DetailList
      pairs={[
        ...optional('Phone', contact.phone && <PhoneLink phone={contact.phone} />),
        ...optional('Website', contact.website && link(contact.website)),
        ['What we have checked', verificationText(verificationDetails)],
        ...optional('Legal name', business.legalName && declared(business.legalName, false)),
        ...optional(
          'License',
          business.licenseNumber &&
            declared(`${business.licenseNumber} (${business.licenseState ?? ''})`, business.licenseChecked),
        ),
        ...optional(
          'Insured with',
          business.insuranceCarrier && declared(business.insuranceCarrier, business.insuranceChecked),
        ),
        ...optional('Experience', yearsOfExperience === null ? null : plural(yearsOfExperience, 'year')),
        ...optional('Languages', languages.join(', ')),
        ['Hours', <>{Object.entries(businessHours).map(([weekday, open]) => openOn(weekday, open))}</>],
        ['Here since', day(memberSince)],
      ]}
    />
  </Section>
)

/** What the pro says of itself, with who vouches for it. */
const declared = (text: string, isChecked: boolean): VNode => (
  <>
    {text} <span class="quiet">{isChecked ? 'checked by us' : 'as the pro says, not checked'}</span>
  </>
)

const optional = (name: string, value: string | VNode | null): [string, string | VNode][] =>
  value === null || value === '' ? [] : [[name, value]]

/** A link if the pro entered an http or https URL, otherwise the text. */
const link = (website: string): VNode | string =>
  /^https?:\/\//.test(website) ? (
    <a href={website} rel="nofollow ugc noopener">
      {website}
    </a>
  ) : (
    website
  )

function verificationText({ backgroundCheck, insurance, credentials }: PublicProfile['verificationDetails']): string {
  const done = [backgroundCheck && 'background check', insurance && 'insurance', credentials && 'credentials']
  return done.filter(Boolean).join(', ') || 'Nothing yet'
}

const openOn = (weekday: string, intervals: readonly { start: string; end: string }[]): VNode => (
  <span class="row">
    <span>
      {weekday.charAt(0).toUpperCase()}
      {weekday.slice(1)}
    </span>{' '}
    <span>{intervals.map(({ start, end }) => `${clockTime(start)} to ${clockTime(end)}`).join(', ') || 'Closed'}</span>
  </span>
)

export const sections: Record<(typeof SECTIONS)[number], Section> = {
  about,
  highlights,
  services,
  packages,
  service_areas: serviceAreas,
  reviews: reviewsSection,
  faq,
  contact,
}
