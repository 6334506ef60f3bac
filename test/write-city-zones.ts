// `npm run city-zones`: writes the zones of the demo's cities, after an update of the cities or of the zones' polygons.
import { join } from 'node:path'

import { listCities } from '../src/local/seed/cities.ts'
import { cityZones } from './support/city-zones.ts'
import { ROOT } from './support/imports.ts'

await Bun.write(
  join(ROOT, 'src/local/seed/city-zones.json'),
  `${JSON.stringify(cityZones([...listCities(), ...listCities('CA')]))}\n`,
)
