// `npm run canadian-postal-codes`: writes the places of Canada's postal codes, after an update of the cities or of the package.
import { join } from 'node:path'

import { canadianCodes } from './support/canadian-postal-codes.ts'
import { ROOT } from './support/imports.ts'

const lines = canadianCodes().map((code) => JSON.stringify(code))
await Bun.write(join(ROOT, 'src/features/catalog/services/canadian-postal-codes.json'), `[\n${lines.join(',\n')}\n]\n`)
