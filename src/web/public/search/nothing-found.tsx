/** @jsxImportSource preact */
// The page of a search without results: what happened, and what to try next.
import type { FoundPros } from '../../../features/search/pros/verbs/search.ts'
import { count } from '../../../platform/text/format.ts'
import type { ComponentChildren, VNode } from 'preact'
import { EmptyState } from '../../ui/lists.tsx'
import { addressOf } from './form.tsx'
import { type Search, countFilters, isHere, withoutFilters } from './query.ts'
import { prosOf, subjectOf } from './words.ts'
import { Distance, Said } from '../../ui/site.tsx'

const WIDEST = 100 as const

/** Whether the names of the search were understood. */
export const isKnown = ({ meta }: FoundPros): boolean => meta.suggestions === undefined

/** Whether filters, other than the distance, may be why nothing was found. */
export const hasLimits = (search: Search): boolean => countFilters({ ...search, radius: undefined }) > 0

export const unknownTitle = ({ meta: { suggestions } }: FoundPros): string =>
  suggestions?.place !== undefined && suggestions.service === undefined
    ? 'We do not know this place'
    : 'We do not know this service'

export function nothingFound(search: Search, found: FoundPros, { isAround }: { isAround: boolean }): VNode {
  const { meta, comparedOnly } = found
  const pros = prosOf(subjectOf(found))
  if (!isKnown(found)) return unknownName(search, found)
  if (meta.total > 0)
    return (
      <EmptyState title="There are no more results.">
        {link({ ...search, offset: 0 }, `Show the first ${count(meta.limit)}`)}
      </EmptyState>
    )
  if (hasLimits(search)) {
    const nearest = `${count(comparedOnly ?? 0)} ${isAround ? 'nearest' : 'best rated'} ${pros}`
    return (
      <EmptyState
        title={comparedOnly === undefined ? 'No pros match all of these filters.' : `No match among the ${nearest}.`}
      >
        {link(withoutFilters(search), 'Search without filters')}
      </EmptyState>
    )
  }
  const place = meta.understood?.place
  if (!place && !isHere(search))
    return (
      <EmptyState title={`There are no ${pros} here yet.`}>
        <a href="/">See all services</a>
      </EmptyState>
    )
  const canWiden = place?.type !== 'state' && search.radius !== `${WIDEST}`
  const everywhere = { ...search, place: '', lat: undefined, lng: undefined, radius: undefined }
  return (
    <EmptyState title="No pros found here.">
      {[
        canWiden && (
          <>
            {link(
              { ...search, radius: `${WIDEST}` },
              <>
                Search within <Distance miles={WIDEST} />
              </>,
            )}{' '}
            or{' '}
          </>
        ),
        <>{link(everywhere, canWiden ? 'search everywhere' : 'Search everywhere')}.</>,
      ]}
    </EmptyState>
  )
}

const link = (search: Search, label: ComponentChildren): VNode => <a href={addressOf(search)}>{label}</a>

/** The nearest known names, or how to write one. */
function unknownName(search: Search, { meta: { understood, suggestions = {} } }: FoundPros): VNode {
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
    return (
      <EmptyState title="Did you mean one of these?">
        {ways.map((way, at) => (
          <>
            {at > 0 && ', '}
            {link({ ...search, ...way, offset: 0 }, nameOf(way))}
          </>
        ))}
      </EmptyState>
    )
  return (
    <EmptyState title="Check the spelling.">
      {isPlace ? (
        <>
          <Said>Type a city with its state, such as “Austin, TX”, or a ZIP code, or</Said>{' '}
          {link({ ...search, place: '' }, 'search everywhere')}.
        </>
      ) : (
        'Try other words, or choose a service below.'
      )}
    </EmptyState>
  )
}

const nameOf = ({ service, place }: { service: string; place: string }): string =>
  [service, place].filter((part) => part !== '').join(' in ')
