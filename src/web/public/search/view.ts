// The page of a search: the form, what was found, the map and the cards. Without a search: the services.
import type { NextOpenTime } from '../../../features/availability/verbs.ts'
import type { CityRow } from '../../../features/catalog/verbs/city-services.ts'
import { DEFAULT_RADIUS_MILES } from '../../../features/pros/schemas.ts'
import type { FoundPros } from '../../../features/pros/verbs/search.ts'
import { count } from '../../../platform/text/format.ts'
import { type Html, html } from '../../../platform/text/html.ts'
import type { Page } from '../../ui/layout.ts'
import { emptyState, pager } from '../../ui/parts.ts'
import { cards } from './cards.ts'
import { type Categories, addressOf, filters, searchFields } from './form.ts'
import { type MapContent, resultsMap } from './map.ts'
import { type Search, countFilters, isHere, parametersOf, withoutFilters } from './query.ts'
import { capitalized, foundText, prosOf } from './words.ts'

export interface Found extends FoundPros {
  times: ReadonlyMap<string, NextOpenTime>
}

interface Context {
  baseUrl: string
  categories: Categories
  cities: readonly CityRow[]
}

export function searchPage(search: Search, found: Found | undefined, { baseUrl, categories, cities }: Context): Page {
  const title = found ? capitalized(`${foundText(subjectOf(found), totalOf(found))}${whereOf(search, found)}`) : HOME
  return {
    title,
    description: found
      ? `${title}: prices, ratings, reviews and open times. Book online or ask for a quote.`
      : 'Verified pros for your home, with prices, open times and reviews. Book in a minute.',
    canonical: `${baseUrl}/`,
    scripts: ['search.js'],
    styles: ['search.css'],
    content: html`
      <h1>${title}</h1>
      ${!found && html`<p class="lead">See prices, open times and reviews. Book in a minute.</p>`}
      <form class="finder" action="/" autocomplete="off">
        ${searchFields(search, categories, found)}
        ${found && isKnown(found) && filters(search, found, { isAround: isAround(search, found) })}
        <div class="results">${found ? results(search, found, cities) : catalog(categories)}</div>
      </form>
    `,
  }
}

const HOME = 'Find a pro for your home'

const subjectOf = ({ meta: { understood } }: FoundPros) => ({
  service: understood?.service?.name,
  category: understood?.category?.name,
})

const totalOf = ({ meta, isPartial }: FoundPros) => ({ total: meta.total, isPartial })

/** Whether the names of the search were understood. */
const isKnown = ({ meta }: FoundPros): boolean => meta.suggestions === undefined

/** Whether the search is around a point; then results have a distance. */
const isAround = (search: Search, { professionals, meta }: FoundPros): boolean =>
  isHere(search) || (professionals[0] ? professionals[0].distance !== null : search.radius !== undefined || isZip(meta))

const isZip = ({ understood }: FoundPros['meta']): boolean => understood?.place?.type === 'zip'

/** " in Austin, TX", " near 78701", " near you". */
function whereOf(search: Search, found: FoundPros): string {
  if (isHere(search)) return ' near you'
  const place = found.meta.understood?.place
  if (!place) return ''
  return `${isAround(search, found) ? ' near' : ' in'} ${place.displayName}`
}

function results(search: Search, found: Found, cities: readonly CityRow[]): Html {
  const { professionals, meta, times } = found
  if (professionals.length === 0) return nothingFound(search, found)
  return html`
    ${found.isPartial && html`<p class="hint">${partialText(search, found)}</p>`}
    ${resultsMap(mapOf(search, found, cities))} ${cards(professionals, { times, firstNumber: meta.offset + 1 })}
    ${pager('/', meta, parametersOf(search), ['← Previous', 'Next →'])}
  `
}

/** Says which pros the limits were compared with. */
const partialText = (search: Search, found: FoundPros): string =>
  `There are many ${prosOf(subjectOf(found))} here. We looked through the ${
    isAround(search, found) ? 'nearest' : 'best rated'
  } of them; choose a smaller place or distance to see all.`

function mapOf(search: Search, found: Found, cities: readonly CityRow[]): MapContent {
  const center =
    search.lat !== undefined && search.lng !== undefined
      ? { latitude: search.lat, longitude: search.lng }
      : found.meta.understood?.place?.coordinates
  const miles = Number(search.radius ?? DEFAULT_RADIUS_MILES)
  return {
    dots: found.professionals.flatMap(({ location }) => location ?? []),
    firstNumber: found.meta.offset + 1,
    circle: center && isAround(search, found) ? { center, miles } : undefined,
    cities,
  }
}

function nothingFound(search: Search, found: Found): Html {
  const suggestion = didYouMean(search, found)
  if (suggestion) return emptyState('No pros found here.', suggestion)
  if (found.meta.total > 0)
    return emptyState(
      'There are no more results.',
      html`<a href="${addressOf({ ...search, offset: 0 })}">Show the first ${count(found.meta.limit)}</a>`,
    )
  if (countFilters(search) > 0)
    return emptyState(
      'No pros match all of these filters.',
      html`<a href="${addressOf(withoutFilters(search))}">Search without filters</a>`,
    )
  return emptyState(
    'No pros found here.',
    html`Try another place, such as “Austin, TX” or “TX”, or
      <a href="${addressOf({ ...search, place: '', lat: undefined, lng: undefined })}">search everywhere</a>.`,
  )
}

/** Links to searches with the nearest known names; the parts that were understood stay as they are. */
function didYouMean(search: Search, { meta: { understood, suggestions = {} } }: FoundPros): Html | undefined {
  const known = {
    service:
      understood?.service?.name ?? understood?.category?.name ?? (suggestions.service ? undefined : search.service),
    place: understood?.place?.displayName ?? (suggestions.place ? undefined : search.place),
  }
  const { service: services = [], place: places = [] } = suggestions
  const ways =
    services.length > 0
      ? services.map(({ name }) => ({ service: name, place: known.place ?? places[0]?.displayName ?? '' }))
      : places.map(({ displayName }) => ({ service: known.service ?? '', place: displayName }))
  if (ways.length === 0) return undefined
  return html`Did you mean
  ${ways.map(({ service, place }, at) => {
    const label = [service, place].filter((part) => part !== '').join(' in ')
    return html`${at > 0 && ', '}<a href="${addressOf({ ...search, service, place, offset: 0 })}">${label}</a>`
  })}?`
}

const catalog = (categories: Categories): Html =>
  html`<h2>Browse by trade</h2>
    <div class="trades">
      ${categories.map(
        ({ name, services }) => html`
          <section>
            <h3>${name}</h3>
            <ul>
              ${services.map(({ slug, name }) => html`<li><a href="/?service=${slug}">${name}</a></li>`)}
            </ul>
          </section>
        `,
      )}
    </div>`
