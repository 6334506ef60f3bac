// The states and cities of a country beside the United States, added when a marketplace chooses it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { TxCtx } from '../../../../ctx.ts'
import type { Country } from '../../../../platform/text/region.ts'
import { insertCities, insertStates, insertZones } from '../queries.sql.ts'

/** As `npm run canadian-places` writes them. */
interface Places {
  readonly states: readonly (readonly [code: string, name: string])[]
  readonly cities: readonly (readonly [
    id: number,
    name: string,
    state: string,
    latitude: number,
    longitude: number,
    timeZone: string,
    population: number,
  ])[]
}

/** Adds the places that are missing. Those of the United States come with the catalog. */
export async function addPlaces(ctx: TxCtx, { country }: { country: Country }): Promise<void> {
  if (country === 'US') return
  const text = readFileSync(join(import.meta.dir, '../canadian-places.json'), 'utf8')
  const { states, cities } = JSON.parse(text) as Places
  await insertStates(ctx, { country, codes: states.map(([code]) => code), names: states.map(([, name]) => name) })
  const zones = cities.map(([, , , , , zone]) => zone)
  await insertZones(ctx, { zones })
  await insertCities(ctx, {
    ids: cities.map(([id]) => id),
    names: cities.map(([, name]) => name),
    states: cities.map(([, , state]) => state),
    latitudes: cities.map(([, , , latitude]) => latitude),
    longitudes: cities.map(([, , , , longitude]) => longitude),
    zones,
    populations: cities.map(([, , , , , , population]) => population),
  })
}
