// The sections of a pro's page, by their names in the site configuration.
import type { Package } from '../../../features/business/packages/schemas.ts'
import type { PublicProfile } from '../../../features/search/pros/schemas.ts'
import type { ReviewsPage } from '../../../features/reviews/reviews/schemas.ts'
import type { SECTIONS } from '../../../features/business/storefront/schemas.ts'
import { clockTime, day, duration, plural, priceOf, shortMoney } from '../../../platform/text/format.ts'
import { type Html, html } from '../../../platform/text/html.ts'
import { phoneLink } from '../../ui/links.ts'
import { detailList, pager, section } from '../../ui/parts.ts'
import { type MapContent, resultsMap } from '../search/map.ts'
import { distribution, stars } from '../../ui/ratings.ts'

/** The data of the page. */
export interface Profile extends PublicProfile {
  packages: readonly Package[]
  /** Undefined when no service can be booked online. */
  openTimes: OpenTimes | undefined
  reviewsPage: ReviewsPage
  /** The most populous first, for the map. */
  cities: MapContent['cities']
}

/** The next times of a service. */
export interface OpenTimes {
  service: string
  /** The page with all times. */
  all: string
  /** `date` and `time` on the pro's clock. */
  times: readonly { date: string; time: string; href: string }[]
}

type Section = (pro: Profile) => Html | false

const about: Section = ({ about, description }) => {
  const text = about ?? description
  return text !== null && section('About', html`<p class="prose">${text}</p>`)
}

const highlights: Section = ({ highlights }) =>
  highlights.length > 0 &&
  section(
    'Why choose us',
    html`<ul>
      ${highlights.map((text) => html`<li>${text}</li>`)}
    </ul>`,
  )

const services: Section = ({ services, slug }) =>
  services.length > 0 &&
  section(
    'Services and prices',
    html`<ul class="offers">
      ${services.map(
        (service) => html`
          <li>
            <div>
              <h3>${service.name}</h3>
              ${service.description !== null && html`<p class="quiet">${service.description}</p>`}
            </div>
            <div class="price">
              <span>${priceOf(service.pricing)}</span>
              ${
                service.booking.durationMinutes !== null &&
                html`<span class="quiet">${duration(service.booking.durationMinutes)}</span>`
              }
              ${
                service.booking.instantBookEnabled
                  ? html`<a href="/pros/${slug}/book?service=${service.id}" aria-label="Book ${service.name}">Book</a>`
                  : html`<a
                      href="/pros/${slug}/quote?service=${service.id}"
                      aria-label="Ask for a quote for ${service.name}"
                      >Ask for a quote</a
                    >`
              }
            </div>
          </li>
        `,
      )}
    </ul>`,
  )

const packages: Section = ({ packages }) =>
  packages.length > 0 &&
  section(
    'Packages',
    html`<ul class="offers">
      ${packages.map(
        (offer) => html`
          <li>
            <div>
              <h3><a href="/packages/${offer.sku}">${offer.name}</a></h3>
              <p class="quiet">${offer.includes.join(', ')}</p>
            </div>
            <div class="price"><span>${shortMoney(offer.price, offer.currency)}</span></div>
          </li>
        `,
      )}
    </ul>`,
  )

const serviceAreas: Section = ({ serviceAreas, location, serviceRadius, cities }) =>
  (serviceAreas !== null || location !== null) &&
  section(
    'Service area',
    html`${serviceAreas !== null && html`<p class="prose">${serviceAreas}</p>`}
    ${
      location !== null &&
      html`<p>Within ${plural(serviceRadius, 'mile')} of ${location.city}, ${location.state}.</p>
        ${resultsMap({ dots: [], circle: { center: location, miles: serviceRadius }, cities })}`
    }`,
  )

const reviews: Section = ({ reviewsPage, ratingDistribution, counts, slug }) =>
  counts.reviews > 0 &&
  section(
    'Reviews',
    html`${distribution(ratingDistribution)}
    ${reviewsPage.reviews.map(
      (review) => html`
        <article class="review">
          <h3>${stars(review.rating)} ${review.title}</h3>
          <p class="prose">${review.content}</p>
          <p class="hint">
            ${review.author}, ${day(review.createdAt)}
            ${review.isVerified && html`<span class="badge good">Verified customer</span>`}
          </p>
          ${
            review.proResponse !== null &&
            html`<blockquote>
              <p class="prose">${review.proResponse.content}</p>
              <p class="hint">Reply from the pro, ${day(review.proResponse.date)}</p>
            </blockquote>`
          }
        </article>
      `,
    )}
    ${pager(`/pros/${slug}`, reviewsPage.meta, {}, ['← Newer reviews', 'Older reviews →'])}`,
  )

const faq: Section = ({ faq }) =>
  faq.length > 0 &&
  section(
    'Questions and answers',
    html`${faq.map(
      ({ question, answer }) =>
        html`<details class="disclosure">
          <summary>${question}</summary>
          <p class="prose disclosed">${answer}</p>
        </details>`,
    )}`,
  )

const contact: Section = ({ contact, business, verificationDetails, businessHours, yearsOfExperience, memberSince }) =>
  section(
    'Business details',
    detailList([
      ...optional('Phone', contact.phone && phoneLink(contact.phone)),
      ...optional('Website', contact.website && link(contact.website)),
      ['Verified', verificationText(verificationDetails)],
      ...optional('Legal name', business.legalName),
      ...optional('License', business.licenseNumber && `${business.licenseNumber} (${business.licenseState ?? ''})`),
      ...optional('Insured with', business.insuranceCarrier),
      ...optional('Experience', yearsOfExperience === null ? null : plural(yearsOfExperience, 'year')),
      ['Hours', html`${Object.entries(businessHours).map(([weekday, open]) => openOn(weekday, open))}`],
      ['On Hearth since', day(memberSince)],
    ]),
  )

const optional = (name: string, value: string | Html | null): [string, string | Html][] =>
  value === null || value === '' ? [] : [[name, value]]

/** A link if the pro entered an http or https URL, otherwise the text. */
const link = (website: string): Html | string =>
  /^https?:\/\//.test(website) ? html`<a href="${website}" rel="nofollow ugc noopener">${website}</a>` : website

function verificationText({ backgroundCheck, insurance, credentials }: PublicProfile['verificationDetails']): string {
  const done = [backgroundCheck && 'background check', insurance && 'insurance', credentials && 'credentials']
  return done.filter(Boolean).join(', ') || 'Not yet'
}

const openOn = (weekday: string, intervals: readonly { start: string; end: string }[]): Html =>
  html`<span class="row"
    ><span>${weekday.charAt(0).toUpperCase()}${weekday.slice(1)}</span>
    <span
      >${intervals.map(({ start, end }) => `${clockTime(start)} to ${clockTime(end)}`).join(', ') || 'Closed'}</span
    ></span
  >`

export const sections: Record<(typeof SECTIONS)[number], Section> = {
  about,
  highlights,
  services,
  packages,
  service_areas: serviceAreas,
  reviews,
  faq,
  contact,
}
