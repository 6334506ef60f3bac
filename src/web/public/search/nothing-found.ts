// The page of a search without results: what happened, and what to try next.
import type { FoundPros } from '../../../features/search/pros/verbs/search.ts'
import { count } from '../../../platform/text/format.ts'
import { type Html, html } from '../../../platform/text/html.ts'
import { emptyState } from '../../ui/parts.ts'
import { addressOf } from './form.ts'
import { type Search, countFilters, isHere, withoutFilters } from './query.ts'
import { prosOf, subjectOf } from './words.ts'

const WIDEST = '100'

/** Whether the names of the search were understood. */
export const isKnown = ({ meta }: FoundPros): boolean => meta.suggestions === undefined

/** Whether filters, other than the distance, may be why nothing was found. */
export const hasLimits = (search: Search): boolean => countFilters({ ...search, radius: undefined }) > 0

export const unknownTitle = ({ meta: { suggestions } }: FoundPros): string =>
  suggestions?.place !== undefined && suggestions.service === undefined
    ? 'We do not know this place'
    : 'We do not know this service'

export function nothingFound(search: Search, found: FoundPros, { isAround }: { isAround: boolean }): Html {
  const { meta, comparedOnly } = found
  const pros = prosOf(subjectOf(found))
  if (!isKnown(found)) return unknownName(search, found)
  if (meta.total > 0)
    return emptyState(
      'There are no more results.',
      link({ ...search, offset: 0 }, `Show the first ${count(meta.limit)}`),
    )
  if (hasLimits(search)) {
    const nearest = `${count(comparedOnly ?? 0)} ${isAround ? 'nearest' : 'best rated'} ${pros}`
    return emptyState(
      comparedOnly === undefined ? 'No pros match all of these filters.' : `No match among the ${nearest}.`,
      link(withoutFilters(search), 'Search without filters'),
    )
  }
  const place = meta.understood?.place
  if (!place && !isHere(search))
    return emptyState(`There are no ${pros} on Hearth yet.`, html`<a href="/">See all services</a>`)
  const canWiden = place?.type !== 'state' && search.radius !== WIDEST
  const everywhere = { ...search, place: '', lat: undefined, lng: undefined, radius: undefined }
  return emptyState('No pros found here.', [
    canWiden && html`${link({ ...search, radius: WIDEST }, `Search within ${WIDEST} miles`)} or `,
    html`${link(everywhere, canWiden ? 'search everywhere' : 'Search everywhere')}.`,
  ])
}

const link = (search: Search, label: string): Html => html`<a href="${addressOf(search)}">${label}</a>`

/** The nearest known names, or how to write one. */
function unknownName(search: Search, { meta: { understood, suggestions = {} } }: FoundPros): Html {
  const { service: services = [], place: places = [] } = suggestions
  const known = {
    service:
      understood?.service?.name ?? understood?.category?.name ?? (suggestions.service ? undefined : search.service),
    place: understood?.place?.displayName ?? (suggestions.place ? undefined : search.place),
  }
  const ways =
    services.length > 0
      ? services.map(({ name }) => ({ service: name, place: known.place ?? places[0]?.displayName ?? '' }))
      : places.map(({ displayName }) => ({ service: known.service ?? '', place: displayName }))
  const isPlace = suggestions.place !== undefined && suggestions.service === undefined
  if (ways.length > 0)
    return emptyState(
      'Did you mean one of these?',
      ways.map((way, at) => html`${at > 0 && ', '}${link({ ...search, ...way, offset: 0 }, nameOf(way))}`),
    )
  return emptyState(
    'Check the spelling.',
    isPlace
      ? html`Type a city with its state, such as “Austin, TX”, or a ZIP code, or
        ${link({ ...search, place: '' }, 'search everywhere')}.`
      : 'Try other words, or choose a service below.',
  )
}

const nameOf = ({ service, place }: { service: string; place: string }): string =>
  [service, place].filter((part) => part !== '').join(' in ')
