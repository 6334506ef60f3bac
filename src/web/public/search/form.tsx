/** @jsxImportSource preact */
// The search form: what and where, limits and order. All of it is in the page's address.
import { Button } from '../../ui/buttons.tsx'
import type { ServicesListing } from '../../../features/catalog/services/schemas.ts'
import type { FoundPros } from '../../../features/search/pros/verbs/search.ts'
import { plural } from '../../../platform/text/format.ts'
import type { VNode } from 'preact'
import { Checkbox, SelectField, TextField } from '../../ui/fields.tsx'
import { MAX_TEXT, RADII, RATINGS, type Search, countFilters, isHere, parametersOf, withoutFilters } from './query.ts'

export type Categories = ServicesListing['categories']

/** What and where. Scripts add type-ahead lists and "Use my location". */
export function searchFields(search: Search, categories: Categories, found: FoundPros | undefined): VNode {
  const named = found?.meta.understood
  const names = categories.flatMap(({ name, services }) => [name, ...services.map((it) => it.name)])
  return (
    <div class="search" role="search">
      <TextField
        name="service"
        label="What do you need?"
        value={named?.service?.name ?? named?.category?.name ?? search.service}
        placeholder="Plumber, maid, AC repair…"
        {...mayBeEmpty}
        maxLength={MAX_TEXT}
        choices={[...new Set(names)]}
      />
      <TextField
        name="place"
        label="Where?"
        {...mayBeEmpty}
        value={named?.place?.displayName ?? search.place}
        placeholder={isHere(search) ? 'Near you' : 'Austin, TX or 78701'}
        maxLength={MAX_TEXT}
        autocomplete="off"
      />
      {isHere(search) && (
        <>
          <input type="hidden" name="lat" value={search.lat ?? ''} />{' '}
          <input type="hidden" name="lng" value={search.lng ?? ''} />
        </>
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

/** Limits and order, for what was found. */
export function filters(search: Search, { meta }: FoundPros, { isAround }: { isAround: boolean }): VNode {
  const hasService = meta.understood?.service !== undefined && meta.understood.service !== null
  const set = countFilters(search)
  return (
    <>
      <input type="checkbox" id="show-filters" class="unseen" checked={set > 0} />{' '}
      <label for="show-filters" class="button quiet">
        Filters{set > 0 && ` (${set})`}
      </label>
      <fieldset class="filters">
        <legend>Filters</legend>
        <SelectField name="sort" label="Sort by" value={search.sort} choices={ordersOf({ isAround, hasService })} />
        {hasService && (
          <TextField
            name="maxPrice"
            label="Price up to, in dollars"
            type="number"
            min={1}
            step="any"
            {...mayBeEmpty}
            value={search.maxPrice === undefined ? '' : String(search.maxPrice)}
          />
        )}
        <SelectField
          name="rating"
          label="Rating"
          {...mayBeEmpty}
          value={search.rating ?? ''}
          choices={[{ value: '', label: 'Any' }, ...RATINGS.map((it) => ({ value: it, label: `${it} and up` }))]}
        />
        <SelectField
          name="radius"
          label="Distance"
          {...mayBeEmpty}
          value={search.radius ?? ''}
          choices={[
            { value: '', label: isAround ? '25 miles' : 'In the place itself' },
            ...RADII.filter((it) => !isAround || it !== '25').map((it) => ({ value: it, label: `${it} miles` })),
          ]}
        />
        <Checkbox name="verified" label="Verified" {...ticked(search.verified)} />
        <Checkbox name="instant" label="Can be booked online" {...ticked(search.instant)} />
        <Checkbox name="week" label="Has time this week" hint="In the next seven days" {...ticked(search.week)} />
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

const ordersOf = ({ isAround, hasService }: { isAround: boolean; hasService: boolean }) => [
  { value: 'usual', label: isAround ? 'Nearest' : 'Best match' },
  { value: 'rating', label: 'Rating' },
  ...(hasService ? [{ value: 'price', label: 'Price' }] : []),
  { value: 'time', label: 'Soonest time' },
]

/** A search may leave every field empty. */
const mayBeEmpty = { isOptional: true, saysOptional: false }

const ticked = (isTicked: boolean) => (isTicked ? { value: 'on' } : {})

/** The page's address of a search, from its beginning. */
export const addressOf = (search: Search): string => `/?${new URLSearchParams(parametersOf(search)).toString()}`
