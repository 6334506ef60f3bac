/** @jsxImportSource preact */
// The page of a search: what was asked, its limits as chips, the cards and the map.
import type { CityRow } from '../../../features/catalog/services/verbs/city-services.ts'
import { isSearchServed } from '../../../features/catalog/services/verbs/served.ts'
import type { Marketplace } from '../../../features/upkeep/marketplace/schemas.ts'
import { readingNotes } from '../../../features/search/pros/reading-notes.ts'
import type { PricingResult } from '../../../features/catalog/pricing/schemas.ts'
import type { FoundPros, NarrowedPros } from '../../../features/search/pros/verbs/search.ts'
import { capitalized, count } from '../../../platform/text/format.ts'
import type { VNode } from 'preact'
import { type FormState, EMPTY_FORM, FormContext } from '../../ui/form.tsx'
import type { Page } from '../../ui/layout.tsx'
import { Pager } from '../../ui/lists.tsx'
import { type CardDetails, cards } from './cards.tsx'
import { type Categories, addressOf, chips, filters, mapSwitch, searchFields, searchLine } from './form.tsx'
import { canonicalOf } from './canonical.ts'
import { catalog } from './catalog.tsx'
import { type MapContent, type MapSize, resultsMap } from './map.tsx'
import { hasLimits, isKnown, nothingFound, unknownTitle } from './nothing-found.tsx'
import { type Search, isHere, parametersOf } from './query.ts'
import { usualPriceText } from '../price-words.ts'
import { NotServed } from '../served-area.tsx'
import { foundText, prosOf, subjectOf } from './words.ts'
import { Said } from '../../ui/site.tsx'

export type Found = NarrowedPros & CardDetails & { pricing: PricingResult['pricing'] }

export interface Context {
  baseUrl: string
  /** With what is wrong in the page's address. */
  formState: FormState
  categories: Categories
  cities: readonly CityRow[]
  area: Marketplace['area']
}

export function searchPage(search: Search, found: Found, context: Context): Page {
  const { baseUrl, formState, categories, cities, area } = context
  const hasErrors = formState !== EMPTY_FORM
  const title = titleOf(search, found)
  const canonical = canonicalOf(search, found)
  const shown = { isAround: isAround(search, found), hasErrors }
  const isElsewhere = !isSearchServed(area, { ...search, place: found.meta.understood?.place }, cities)
  return {
    title,
    description: `${title}: prices, ratings, reviews and open times. Book online or ask for a quote.`,
    canonical: `${baseUrl}${canonical.path}`,
    ...((!canonical.isIndexed || isElsewhere) && { head: <meta name="robots" content="noindex, follow" /> }),
    scripts: ['search.js'],
    styles: ['search.css'],
    content: (
      <form class="finder" action="/" autocomplete="off">
        <FormContext.Provider value={{ formState, labels: new Map() }}>
          {searchLine(askedText(search, found), asksForPlace(search, found))}
          {searchFields(search, categories, found)}
          <h1>{title}</h1>
          {isKnown(found) && chips(search, found, shown)}
          {isKnown(found) && filters(search, found, shown)}
        </FormContext.Provider>
        <div class="results">
          {asksForPlace(search, found) && (
            <p class="notice wait">
              <Said>Where are you? Type your city or ZIP code above, or use your location.</Said>
            </p>
          )}
          {isElsewhere && notServed(search, found)}
          {readingText(found)}
          {results(search, found, cities)}
          {!isKnown(found) && (
            <>
              <h2>Browse by trade</h2>
              {catalog(categories)}
            </>
          )}
        </div>
      </form>
    ),
  }
}

const notServed = (search: Search, { meta: { understood } }: FoundPros): VNode => {
  const service = understood?.service?.name ?? understood?.category?.name ?? (understood?.place ? '' : search.service)
  return (
    <NotServed
      place={isHere(search) ? undefined : understood?.place?.displayName}
      pathOf={(place) => addressOf({ service, place, sort: 'usual', offset: 0 })}
    />
  )
}

/** "near me" without a place: the visitor has not said yet where that is. */
const asksForPlace = (search: Search, { meta: { understood } }: FoundPros): boolean =>
  !isHere(search) &&
  !understood?.place &&
  /\bnear ?(me|by)\b|\baround me\b|(?<!\p{L})cerca de m[ií](?!\p{L})/iu.test(search.service)

/** What was asked, in one line: "House Cleaning · Austin, TX". */
function askedText(search: Search, { meta: { understood } }: FoundPros): string {
  const service = understood?.service?.name ?? understood?.category?.name ?? search.service
  const place = isHere(search) ? 'Near you' : (understood?.place?.displayName ?? search.place)
  return [service, place].filter((part) => part !== '').join(' · ')
}

function titleOf(search: Search, found: Found): string {
  if (!isKnown(found)) return unknownTitle(found)
  const { meta, comparedOnly } = found
  const what =
    meta.total === 0 && comparedOnly !== undefined
      ? `no match among ${count(comparedOnly)} ${prosOf(subjectOf(found))}`
      : meta.total === 0 && hasLimits(search)
        ? `no matching ${prosOf(subjectOf(found))}`
        : foundText(subjectOf(found), { total: meta.total, isPartial: comparedOnly !== undefined })
  return capitalized(`${what}${whereOf(search, found)}`)
}

/** Whether the search is around a point; then results have a distance. */
const isAround = (search: Search, { professionals, meta }: FoundPros): boolean =>
  isHere(search) || (professionals[0] ? professionals[0].distance !== null : search.radius !== undefined || isZip(meta))

const isZip = ({ understood }: FoundPros['meta']): boolean => understood?.place?.type === 'zip'

/** Beside the cards. */
const MAP_SIZE: MapSize = { width: 360, height: 480 }

/** How the words were read, where that is not plain: "Showing plumbers: “plumer” was read as “plumber”." */
function readingText(found: FoundPros): VNode | undefined {
  const [first, ...notes] = readingNotes(found.meta)
  if (first === undefined) return undefined
  const isCorrected = isKnown(found) && found.meta.understood?.corrected !== undefined
  const texts = [isCorrected ? `Showing ${prosOf(subjectOf(found))}: ${first}` : first, ...notes]
  return <p class="hint">{texts.join(' ')}</p>
}

/** " in Austin, TX", " near 78701", " near you". */
function whereOf(search: Search, found: FoundPros): string {
  if (isHere(search)) return ' near you'
  const place = found.meta.understood?.place
  if (!place) return ''
  return `${isAround(search, found) ? ' near' : ' in'} ${place.displayName}`
}

function results(search: Search, found: Found, cities: readonly CityRow[]): VNode {
  const { professionals, meta } = found
  if (professionals.length === 0) return nothingFound(search, found, { isAround: isAround(search, found) })
  return (
    <>
      {found.comparedOnly !== undefined && <p class="hint">{comparedText(search, found, found.comparedOnly)}</p>}
      <div class="beside-map">
        {mapSwitch()}
        <div class="map-side">{resultsMap(mapOf(search, found, cities), MAP_SIZE)}</div>
        <div>
          <h2 class="unseen">Pros</h2>
          {cards(professionals, { ...found, firstNumber: meta.offset + 1 })}
          {priceGuide(search, found)}
          <Pager path="/" meta={meta} query={parametersOf(search)} words={['← Previous', 'Next →']} />
        </div>
      </div>
    </>
  )
}

/** The usual price where the search looks; nothing for a service with few prices there. */
function priceGuide(search: Search, { meta: { understood }, pricing }: Found): VNode | false {
  if (!pricing || !understood?.service) return false
  const place = isHere(search) ? undefined : understood.place?.displayName
  return (
    <p class="price-guide">
      {usualPriceText(understood.service.name, place, pricing)}{' '}
      <span class="quiet">Half of {count(pricing.sampleSize)} prices are lower, half higher.</span>
    </p>
  )
}

/** Says that only some pros, the nearest or best rated, were compared and sorted. */
const comparedText = (search: Search, found: FoundPros, compared: number): string =>
  `There are many ${prosOf(subjectOf(found))} here. We compared the ${count(compared)} ${
    isAround(search, found) ? 'nearest' : 'best rated'
  }; choose a smaller place or distance to see all.`

function mapOf(search: Search, found: Found, cities: readonly CityRow[]): MapContent {
  const center =
    search.lat !== undefined && search.lng !== undefined
      ? { latitude: search.lat, longitude: search.lng }
      : found.meta.understood?.place?.coordinates
  const miles = Number(search.radius ?? found.usualRadius)
  return {
    dots: found.professionals.flatMap(({ location }) => location ?? []),
    firstNumber: found.meta.offset + 1,
    circle: center && isAround(search, found) ? { center, miles } : undefined,
    cities,
  }
}
