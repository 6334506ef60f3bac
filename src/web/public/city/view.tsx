/** @jsxImportSource preact */
// The page of a service in a city: what it costs, the best rated pros, and neighbours.
import { LinkButton } from '../../ui/buttons.tsx'
import type { CityRow, ServiceRow } from '../../../features/catalog/services/verbs/city-services.ts'
import type { Service } from '../../../features/catalog/services/schemas.ts'
import type { CityServiceTerms, CityWithPros } from '../../../features/catalog/services/verbs/city-services.ts'
import type { PricingResult } from '../../../features/catalog/pricing/schemas.ts'
import type { FoundPros } from '../../../features/search/pros/verbs/search.ts'
import { pageHeaders } from '../../../http/headers.ts'
import { capitalized, count, plural } from '../../../platform/text/format.ts'
import type { VNode } from 'preact'
import { PAGE_TYPE, type Page, page } from '../../ui/layout.tsx'
import { Section } from '../../ui/headings.tsx'
import { OfRegion, siteOf } from '../../ui/site.tsx'
import { type CardDetails, cards } from '../search/cards.tsx'
import { resultsMap } from '../search/map.tsx'
import { costHeading, foundText, prosOf } from '../search/words.ts'
import { type Trail, Breadcrumbs } from '../../ui/breadcrumbs.tsx'
import { usualPrice, usualRange } from '../price-words.ts'
import { cityCard, shareImage } from '../share-cards.ts'
import { NotServed } from '../served-area.tsx'
import { cityServiceData } from '../structured-data.ts'
import { FIRST, cityPath } from '../trails.ts'
import { DataBlock } from '../../../platform/text/markup.tsx'

export interface CityService extends CardDetails {
  service: ServiceRow
  city: CityRow
  category: string
  found: FoundPros
  pricing: PricingResult['pricing']
  others: readonly Service[]
  nearby: readonly CityWithPros[]
  cities: readonly CityRow[]
  /** Whether the city is in the area of the marketplace. */
  isServed: boolean
}

export function cityServicePage(content: CityService, baseUrl: string): Page {
  const { service, city, found, pricing, others, nearby } = content
  const place = `${city.name}, ${city.state}`
  const pros = prosOf({ service: service.name })
  // A city without pros of its own is served from its surroundings.
  const isInCity = found.professionals[0]?.distance === null
  const title = `${capitalized(pros)} ${isInCity ? 'in' : 'near'} ${place}`
  const summary = capitalized(
    `${foundText({ service: service.name }, { total: found.meta.total, isPartial: false })} ${isInCity ? 'in' : 'near'} ${place}`,
  )
  const canonical = `${baseUrl}${cityPath(service, city)}`
  const trail: Trail = [FIRST, [capitalized(pros), `/?service=${service.slug}`], [place]]
  const searchPath = `/?${new URLSearchParams({ service: service.name, place }).toString()}`
  return {
    title,
    description: `${summary}${pricing ? `, usually ${usualPrice(pricing)}` : ''}. Compare prices, reviews and open times.`,
    styles: ['search.css'],
    canonical,
    image: shareImage(canonical, cityCard(content)),
    head: (
      <>
        {(!isInCity || !content.isServed) && <meta name="robots" content="noindex" />}
        <OfRegion>
          {({ country }) => (
            <DataBlock
              type="application/ld+json"
              value={cityServiceData(content, { canonical, baseUrl, title, trail, country })}
            />
          )}
        </OfRegion>
      </>
    ),
    content: (
      <>
        <Breadcrumbs trail={trail} />
        <h1>{title}</h1>
        <p class="lead">
          {summary}.{found.meta.total > 0 && ' See prices, open times and reviews, and book in a minute.'}
        </p>
        {!content.isServed && (
          <NotServed
            place={place}
            pathOf={(where) => `/?${new URLSearchParams({ service: service.name, place: where }).toString()}`}
          />
        )}
        {priceGuide(content)}
        {topPros(content, { isInCity, searchPath })}
        {others.length > 0 && (
          <Section title={`Other services in ${city.name}`}>
            {neighbours(others.map((it) => [cityPath(it, city), it.name, it.professionalCount]))}
          </Section>
        )}
        {nearby.length > 0 && (
          <Section title={`${capitalized(pros)} nearby`}>
            {neighbours(nearby.map((it) => [cityPath(service, it.city), `${it.city.name}, ${it.city.state}`, it.pros]))}
          </Section>
        )}
      </>
    ),
  }
}

/** In words, from real figures; without enough of them there is no guide. */
function priceGuide({ service, city, pricing }: CityService): VNode | false {
  if (!pricing) return false
  const { min, max, sampleSize } = pricing
  return (
    <Section title={`${costHeading(service.name)} in ${city.name}`}>
      <div class="guide">
        <p>
          <strong>{usualPrice(pricing)}</strong> is the usual price: half of all prices are lower, half higher.
        </p>
        {min < max && <p>Prices range from {usualRange(pricing)}.</p>}
        <p class="hint">{sourcesText(pricing, sampleSize)}</p>
      </div>
    </Section>
  )
}

function sourcesText({ sources }: NonNullable<PricingResult['pricing']>, sampleSize: number): string {
  const parts = [
    sources.professionalListings > 0 && plural(sources.professionalListings, 'listed price'),
    sources.acceptedQuotes > 0 && plural(sources.acceptedQuotes, 'accepted quote'),
    sources.completedProjects > 0 && plural(sources.completedProjects, 'completed job'),
  ].filter((part) => part !== false)
  const [only, ...more] = parts
  return more.length === 0
    ? `From ${only ?? plural(sampleSize, 'price')} of pros in the city.`
    : `From ${plural(sampleSize, 'price')} of pros in the city: ${parts.join(', ')}.`
}

function topPros(
  { service, found, cities, ...details }: CityService,
  { isInCity, searchPath }: { isInCity: boolean; searchPath: string },
): VNode {
  const { professionals, meta } = found
  const pros = prosOf({ service: service.name })
  if (professionals.length === 0)
    return (
      <p>
        There are no {pros} here yet. <a href={`/?service=${service.slug}`}>Search everywhere</a>
      </p>
    )
  return (
    <section>
      <h2>{isInCity ? `Best rated ${pros}` : `Nearest ${pros}`}</h2>
      {resultsMap({ dots: professionals.flatMap(({ location }) => location ?? []), cities })}
      {cards(professionals, details)}
      <p class="actions">
        <LinkButton href={searchPath}>
          {meta.total > professionals.length ? `See all ${count(meta.total)} ${pros}` : 'Search with filters'}
        </LinkButton>
      </p>
    </section>
  )
}

const neighbours = (links: readonly (readonly [href: string, label: string, pros: number])[]): VNode => (
  <ul class="neighbours">
    {links.map(([href, label, pros]) => (
      <li>
        <a href={href}>{label}</a> <span class="quiet">{count(pros)}</span>
      </li>
    ))}
  </ul>
)

/** 404, with the nearest addresses that exist. */
export function unknownPage(request: Request, { service, categoryName, city, similar }: CityServiceTerms): Response {
  const links = city
    ? similar.services.map((it) => [cityPath(it, city), `${it.name} in ${city.name}, ${city.state}`] as const)
    : similar.cities.map(
        (it) =>
          [
            service
              ? cityPath(service, it)
              : `/?${new URLSearchParams({ service: categoryName ?? '', place: `${it.name}, ${it.state}` }).toString()}`,
            `${service?.name ?? categoryName ?? ''} in ${it.name}, ${it.state}`,
          ] as const,
      )
  const title = city ? 'We do not know this service' : 'We do not know this city'
  const content = (
    <>
      <h1>{title}</h1>
      {links.length > 0 && (
        <>
          <p class="lead">Did you mean one of these?</p>
          <ul>
            {links.map(([href, label]) => (
              <li>
                <a href={href}>{label}</a>
              </li>
            ))}
          </ul>
        </>
      )}
      <p>
        <LinkButton href="/">Find a pro</LinkButton>
      </p>
    </>
  )
  return new Response(page(siteOf(request), { title, content }), {
    status: 404,
    headers: { 'content-type': PAGE_TYPE, ...pageHeaders() },
  })
}
