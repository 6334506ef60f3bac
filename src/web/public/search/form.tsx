/** @jsxImportSource preact */
// The search form: what and where, limits and order. All of it is in the page's address.
import { Button } from '../../ui/buttons.tsx'
import type { ServicesListing } from '../../../features/catalog/services/schemas.ts'
import type { FoundPros, NarrowedPros } from '../../../features/search/pros/verbs/search.ts'
import { plural } from '../../../platform/text/format.ts'
import { Icon } from '../../ui/icons.tsx'
import type { VNode } from 'preact'
import { Fields } from '../../ui/define-form.tsx'
import { TextField } from '../../ui/fields.tsx'
import { SiteContext } from '../../ui/site.tsx'
import type { Marketplace } from '../../../features/upkeep/marketplace/schemas.ts'
import {
  MAX_TEXT,
  RADII,
  RATINGS,
  type Search,
  SearchForm,
  countFilters,
  isHere,
  parametersOf,
  withoutFilters,
} from './query.ts'

export type Categories = ServicesListing['categories']

/** What and where. Scripts add type-ahead lists and "Use my location". */
export function searchFields(search: Search, categories: Categories, found: FoundPros | undefined): VNode {
  const named = found?.meta.understood
  const names = categories.flatMap(({ name, services }) => [name, ...services.map((it) => it.name)])
  return (
    <div class="search" role="search">
      <TextField
        name="service"
        {...SearchForm.fields.service}
        value={named?.service?.name ?? named?.category?.name ?? search.service}
        maxLength={MAX_TEXT}
        choices={[...new Set(names)]}
      />
      <SiteContext.Consumer>
        {({ area: [first] }: Marketplace) => (
          <TextField
            name="place"
            {...SearchForm.fields.place}
            value={named?.place?.displayName ?? search.place}
            placeholder={isHere(search) ? 'Near you' : (first?.place ?? 'Austin, TX or 78701')}
            maxLength={MAX_TEXT}
          />
        )}
      </SiteContext.Consumer>
      {isHere(search) && (
        <Fields of={SearchForm} names={['lat', 'lng']} values={{ lat: String(search.lat), lng: String(search.lng) }} />
      )}{' '}
      <Button>Search</Button>
      <p class="here" hidden>
        <Button look="quiet" isSmall type="button">
          Use my location
        </Button>{' '}
        <span class="hint" role="status"></span>
      </p>
    </div>
  )
}

/** What was asked, in one line, which opens the fields where they have no room beside the results. */
export const searchLine = (asked: string, isOpen: boolean): VNode => (
  <>
    <input type="checkbox" id="edit-search" class="unseen" aria-label="Change the search" checked={isOpen} />{' '}
    <label for="edit-search" class="search-line">
      <Icon name="magnifying-glass" />
      <span>{asked}</span>
    </label>
  </>
)

/** Shows the map where it has no room beside the cards. */
export const mapSwitch = (): VNode => <input type="checkbox" id="show-map" class="unseen" aria-label="Show the map" />

/** What a chip sets: it is a link, so that it needs no script and no button to send it. */
const CHIPS = [
  ['verified', 'Verified'],
  ['instant', 'Book online'],
  ['week', 'This week'],
] as const

/** The limits that people use most, and the ways to all of them and to the map. */
export const chips = (
  search: Search,
  _: FoundPros,
  { hasErrors }: { isAround: boolean; hasErrors: boolean },
): VNode => {
  const set = countFilters(search)
  return (
    <div class="chips">
      <input type="checkbox" id="show-filters" class="unseen" aria-label="Show all filters" checked={hasErrors} />{' '}
      <label for="show-filters" class="chip">
        <Icon name="adjustments-horizontal" /> Filters{set > 0 && ` (${set})`}
      </label>{' '}
      <label for="show-map" class="chip map-chip">
        <Icon name="map" /> Map
      </label>{' '}
      {CHIPS.map(([name, label]) => (
        <>
          <a
            class="chip"
            href={addressOf({ ...search, [name]: !search[name], offset: 0 })}
            aria-current={search[name] === true ? 'true' : undefined}
          >
            {label}
            {search[name] === true && <span class="unseen"> (chosen)</span>}
          </a>{' '}
        </>
      ))}
    </div>
  )
}

/** Limits and order, for what was found. */
export function filters(
  search: Search,
  { meta, usualRadius }: NarrowedPros,
  { isAround }: { isAround: boolean; hasErrors: boolean },
): VNode {
  const hasService = meta.understood?.service !== undefined && meta.understood.service !== null
  const set = countFilters(search)
  return (
    <>
      <fieldset class="filters">
        <legend>Filters</legend>
        <Fields
          of={SearchForm}
          names={[
            'sort',
            ...(hasService ? (['maxPrice'] as const) : []),
            'rating',
            'radius',
            'verified',
            'instant',
            'week',
          ]}
          values={search}
          choices={{
            sort: ordersOf({ isAround, hasService }),
            rating: [{ value: '', label: 'Any' }, ...RATINGS.map((it) => ({ value: it, label: `${it} and up` }))],
            radius: [
              { value: '', label: isAround ? milesText(usualRadius) : 'In the place itself' },
              ...RADII.filter((it) => !isAround || Number(it) !== usualRadius).map((it) => ({
                value: it,
                label: milesText(Number(it)),
              })),
            ],
          }}
        />
        <Button look="quiet">Show results</Button>
        {set > 0 && (
          <p>
            <a href={addressOf(withoutFilters(search))}>Clear {plural(set, 'filter')}</a>
          </p>
        )}
      </fieldset>
    </>
  )
}

/** "25 miles"; a choice is put in the unit of the region where it is shown. */
const milesText = (miles: number): string => plural(Number(miles.toFixed(1)), 'mile')

const ordersOf = ({ isAround, hasService }: { isAround: boolean; hasService: boolean }) => [
  { value: 'usual', label: 'Best match' },
  ...(isAround ? [{ value: 'nearest', label: 'Nearest' }] : []),
  { value: 'rating', label: 'Rating' },
  ...(hasService ? [{ value: 'price', label: 'Price' }] : []),
  { value: 'time', label: 'Soonest time' },
]

/** The page's address of a search, from its beginning. */
export const addressOf = (search: Search): string => `/?${new URLSearchParams(parametersOf(search)).toString()}`
