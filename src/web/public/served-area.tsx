/** @jsxImportSource preact */
// What public pages say of the area: where the marketplace serves, and that a place lies outside.
import type { ComponentChildren, VNode } from 'preact'

import type { CityRow } from '../../features/catalog/services/verbs/city-services.ts'
import { areaText, isServed, notServedText } from '../../features/upkeep/marketplace/rules/area.ts'
import type { Circle, Marketplace } from '../../features/upkeep/marketplace/schemas.ts'
import { regionOf } from '../../platform/text/region.ts'
import { Section } from '../ui/headings.tsx'
import { SiteContext } from '../ui/site.tsx'

const SHOWN_CITIES = 12

/** What depends on the area; nothing where all is served. */
const OfArea = ({ children }: { children: (site: Marketplace) => ComponentChildren }): VNode => (
  <SiteContext.Consumer>{(site: Marketplace) => site.area.length > 0 && children(site)}</SiteContext.Consumer>
)

/** "Maple & Beam serves Toronto, ON (within 40 km)." */
export const ServedArea = (): VNode => (
  <OfArea>{(site) => <p class="quiet">{`${site.name} serves ${areaText(site.area, regionOf(site))}.`}</p>}</OfArea>
)

/** The largest cities of the area, each with its search. */
export const ServedCities = ({ cities }: { cities: readonly CityRow[] }): VNode => (
  <OfArea>
    {({ area }) => {
      const shown = firstServed(area, cities)
      return (
        shown.length > 0 && (
          <Section title="Cities we serve">
            <ul class="neighbours">
              {shown.map(({ name, state }) => (
                <li>
                  <a
                    href={`/?${new URLSearchParams({ place: `${name}, ${state}` }).toString()}`}
                  >{`${name}, ${state}`}</a>
                </li>
              ))}
            </ul>
          </Section>
        )
      )
    }}
  </OfArea>
)

/** The first ones of the list, which is read no further. */
function firstServed(area: readonly Circle[], cities: readonly CityRow[]): CityRow[] {
  const found: CityRow[] = []
  for (const city of cities) {
    if (isServed(area, city)) found.push(city)
    if (found.length === SHOWN_CITIES) break
  }
  return found
}

/** Says that the place is not served, and leads to those that are. `place` is undefined for where the visitor is. */
export const NotServed = ({
  place,
  pathOf,
}: {
  place: string | undefined
  /** The same search in a place. */
  pathOf: (place: string) => string
}): VNode => (
  <OfArea>
    {(site) => (
      <p class="notice wait">
        {notServedText(site, place)}{' '}
        {site.area.slice(0, SHOWN_CITIES).map((circle, at) => (
          <>
            {at > 0 && ', '}
            <a href={pathOf(circle.place)}>Search in {circle.place}</a>
          </>
        ))}
      </p>
    )}
  </OfArea>
)
