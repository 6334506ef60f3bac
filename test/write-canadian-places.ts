// `npm run canadian-places`: writes Canada's provinces, cities and postal codes, after an update of the packages.
import { join } from 'node:path'

import { canadianCodes, canadianPlaces } from './support/canadian-places.ts'
import { ROOT } from './support/imports.ts'

const FOLDER = join(ROOT, 'src/features/catalog/services')
const linesOf = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).join(',\n')

const { states, cities } = canadianPlaces()
await Bun.write(join(FOLDER, 'canadian-postal-codes.json'), `[\n${linesOf(canadianCodes())}\n]\n`)
await Bun.write(
  join(FOLDER, 'canadian-places.json'),
  `{ "states": [\n${linesOf(states)}\n], "cities": [\n${linesOf(cities)}\n] }\n`,
)
